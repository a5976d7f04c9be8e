"""The numbers of every row side by side: a quantity a line, a kind of layers a column; also as Markdown to copy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from compute import models as compute
from compute.speeds import attention_factor, end_pairs
from lessons.models.settings import ModelsSettings, Row
from lessons.wording import counted
from locales import _
from parameters.methods import method_name
from parameters.problems import quoted
from rope_core import RopeConfig, Scaling

NONE = "–"


def heading(row: Row) -> str:
    """Name a row above its column, which is Markdown."""
    return row.model.name if row.layer == "all" else f"{row.model.name} {quoted(row.layer)}"


def table(shown: ModelsSettings, name: Callable[[Row], str] = heading) -> dict[str, list[str]]:
    """Return the columns of the table, the first with the names of the quantities."""
    cells = [_cells(row) for row in shown.rows]
    columns = {_("Quantity"): list(cells[0])}
    for row, mine in zip(shown.rows, cells, strict=True):
        above = name(row)
        while above in columns:  # two types of layers may begin with the same 40 characters
            above += "*"
        columns[above] = list(mine.values())
    return columns


def as_markdown(columns: Mapping[str, Sequence[str]]) -> str:
    """Write a table as Markdown; what a config says cannot break out of its cell."""
    rows = [list(columns), ["---"] * len(columns), *map(list, zip(*columns.values(), strict=True))]
    return "\n".join("| " + " | ".join(_cell(text) for text in row) + " |" for row in rows)


def method_numbers(scaling: Scaling | None) -> str:
    """List the settings of a method that are not its defaults."""
    if scaling is None:
        return NONE
    return ", ".join(f"{name} {_short(value)}" for name, value in vars(scaling).items() if value != getattr(type(scaling), name, None))


def _cells(row: Row) -> dict[str, str]:
    config, model = row.config, row.model
    count = f"{model.count(row.layer)} / {model.named}" if model.named else NONE
    if model.stated != model.named:
        count += " " + _("named, of {stated}").format(stated=model.stated)
    if config is None:
        return {**dict.fromkeys(_names(), NONE), _("Method"): _("does not turn"), _("Layers"): count}
    fast, slow = end_pairs(row.speeds)
    factor = model.rope.softmax_factor
    values = (
        count,
        _("plain law") if config.scaling is None else method_name(config.scaling),
        method_numbers(config.scaling),
        f"{config.pairs}",
        f"{config.head_dim}",
        f"{config.rotary_dim}",
        {"half": _("half"), "interleaved": _("interleaved")}[config.layout],
        f"{config.base:,.10g}",
        f"{config.trained_length:,}" if row.names_trained else NONE,
        f"{config.max_position:,}",
        f"{row.window:,}" if row.window else NONE,
        counted(row.wavelengths[fast]),
        counted(row.wavelengths[slow]),
        f"{row.unfinished} / {config.pairs}",
        _first_negative(config, min(row.window or config.max_position, config.max_position)),
        f"{attention_factor(config, row.length):.9g}",
        f"{factor:.9g}",
        NONE if factor == 1 else f"{compute.softmax_scale(config, factor):.9g}",
    )
    return dict(zip(_names(), values, strict=True))


def _first_negative(config: RopeConfig, reach: int) -> str:
    if config.pairs > compute.WIDEST:
        return _("not searched for")
    distance = compute.first_negative(config, reach)
    return NONE if distance is None else f"{distance:,}"


def _names() -> tuple[str, ...]:
    return (
        _("Layers"),
        _("Method"),
        _("Its numbers"),
        _("Pairs P"),
        _("Head width d"),
        _("Rotated width"),
        _("Layout"),
        _("Base b"),
        _("Trained length L (tokens)"),
        _("Stated length (tokens)"),
        _("Sliding window (tokens)"),
        _("Shortest wavelength (tokens)"),
        _("Longest wavelength (tokens)"),
        _("Pairs that finish no turn"),
        _("First negative distance"),
        _("Attention factor A"),
        _("Factor of the softmax"),
        _("Softmax scale: that factor over √d"),
    )


def _short(value: object) -> str:
    if isinstance(value, tuple):
        numbers = np.array(value, dtype=np.float64)
        return _("{count} divisors, {low} to {high}").format(count=len(value), low=f"{numbers.min():.5g}", high=f"{numbers.max():.5g}")
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _cell(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "'").split())
