"""Models: what a config.json says about rotation, pair by pair and layer by layer, several models side by side."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from figures import model_layers
from figures import models as figures
from figures.model_layers import LayerWords, Strip
from figures.models import Mark, PairLine, PairWords
from lessons.core_engineer import LAYERS, of_models
from lessons.core_lines import plain
from lessons.models_formula import code, formula
from lessons.models_setting import Row, Setting
from lessons.models_words import (
    MOST_DRAWN,
    axes_sentence,
    compared,
    ends,
    layers_sentence,
    method_sentence,
    pairs,
    step_of,
    still_layers,
    thinned,
    tokens,
    turns_compared,
    turns_nothing,
    turns_sentence,
    unfinished_sentence,
    wavelength_sentence,
)
from ui.formulas import counted
from ui.i18n import _
from ui.view import View

Say = Callable[[Row], str]
PROOF = "tests/lessons/test_models_numbers.py"


def view(mode: str, setting: Setting) -> View:
    """Compute the view that is seen, and no other."""
    if mode == "turns":
        return turns_view(setting)
    if mode == "layers":
        return layers_view(setting)
    return ratio_view(setting) if mode == "ratio" else wavelengths_view(setting)


def wavelengths_view(setting: Setting) -> View:
    """Show the tokens of one turn of every pair, and the lengths of the training."""
    row = setting.row
    lengths = sorted({each.config.trained_length for each in setting.turning if each.config})
    marks = [Mark(value=length, name=_("trained on {length}").format(length=f"{length:,}")) for length in lengths]
    if row.asked:
        marks.append(Mark(value=row.asked, name=f"n = {row.asked:,}", dash="dot"))
    return View(
        figure=figures.per_pair(_lines(setting, "wavelengths"), marks, _words(_("wavelength λ<sub>i</sub> (tokens, log axis)"))),
        alt=_alt(setting, _("Wavelengths against the pair; kinds of layers: {count}.")),
        sentences=_sentences(row, wavelength_sentence, unfinished_sentence, method_sentence, compared(setting) + thinned(setting)),
        formula=formula(row),
        code=code(row, "result = 2 * torch.pi / theta  # tokens of one turn"),
        drawn=_drawn(setting, "wavelengths"),
        core=_core(setting, "wavelengths"),
        proof=f"{PROOF}::test_turns_are_those_of_transformers",
    )


def turns_view(setting: Setting) -> View:
    """Show the turns of every pair within a text, or within the trained length, at the speeds that ran in training."""
    chosen = setting.row
    setting = setting if chosen.asked else setting.training
    row = setting.row
    made = {id(each): each.length / each.wavelengths for each in setting.turning}
    lines = [_line(setting, each, made[id(each)]) for each in setting.turning]
    # The axis means the same for every length, so that two of them can be compared: the mark says which one is drawn.
    asked = _("one turn within {tokens}").format(tokens=tokens(chosen.asked, mark=""))
    mark = asked if chosen.asked else _("one turn in training, within the trained length")
    return View(
        figure=figures.per_pair(lines, [Mark(value=1, name=mark)], _words(_("turns (log axis)"))),
        alt=_alt(setting, _("Turns of every pair; kinds of layers: {count}.")),
        sentences=_sentences(
            chosen, lambda _chosen: turns_sentence(row), unfinished_sentence, method_sentence, turns_compared(setting) + thinned(setting)
        ),
        formula=formula(row),
        code=code(row, f"result = {row.length} * theta / (2 * torch.pi)  # turns"),
        drawn={"pair": _pairs(setting)} | {f"turns {_column(each)}": made[id(each)] for each in setting.turning},
        core=_core(setting, "turns"),
        proof=f"{PROOF}::test_turns_are_those_of_transformers",
    )


def ratio_view(setting: Setting) -> View:
    """Show the speed of every pair over that of the plain law with the same base and width."""
    row = setting.row
    return View(
        figure=figures.per_pair(
            _lines(setting, "ratios"),
            [Mark(value=1, name=_("plain law"))],
            _words(_("θ<sub>i</sub> over that of the plain law (log axis)")),
        ),
        alt=_alt(setting, _("Speed over that of the plain law; kinds of layers: {count}.")),
        sentences=_sentences(row, method_sentence, unfinished_sentence, None, compared(setting) + thinned(setting)),
        formula=formula(row),
        code=code(row, "result = theta / base ** (-torch.arange(0, turning, 2, dtype=torch.float64) / turning)"),
        drawn=_drawn(setting, "ratios"),
        core=_core(setting, "ratios"),
        proof=f"{PROOF}::test_ratios_are_those_to_powers_of_the_base",
    )


def layers_view(setting: Setting) -> View:
    """Show which layer is of which type, and which number of a position turns which pair."""
    row = setting.row
    strips = [_strip(setting, each) for each in setting.rows]
    axes = [None if len(model.rope.pair_axes or ()) > MOST_DRAWN else model.rope.pair_axes for model in setting.models]
    names = [model.name for model in setting.models]
    words = LayerWords(
        layer=_("layer"),
        pair=_("pair i"),
        axes={"t": _("time"), "h": _("height"), "w": _("width")},
        rows=names,
        unknown=_("number of layers not stated"),
    )
    kinds = [each for each in setting.rows if each.model.rope.layer_types or not each.kind]
    return View(
        figure=model_layers.layers([strip for strip, each in zip(strips, setting.rows, strict=True) if each in kinds], axes, words),
        alt=_("Layers by their kind; models: {models}, kinds: {count}. Layers of {name}: {mine} of {total}.").format(
            models=len(setting.models),
            count=len(setting.rows),
            name=row.plain,
            mine=row.model.count(row.layer),
            total=row.model.named,
        ),
        sentences=tuple(filter(None, (_in_layers(row), still_layers(setting), axes_sentence(setting)))),
        formula=formula(row),
        code=code(row, "result = theta  # of the pairs in these layers"),
        drawn=_layer_columns(setting),
        core=_layer_core(setting),
        proof=f"{PROOF}::test_layers_without_rotation_are_hollow_and_counted",
    )


def _in_layers(row: Row) -> str:
    return " ".join((layers_sentence(row), turns_nothing(row) if row.config is None else wavelength_sentence(row)))


def _sentences(row: Row, first: Say, second: Say, third: Say | None, comparison: str) -> tuple[str, ...]:
    """Join up to three sentences about the row, or the one that nothing turns, and the comparison."""
    if row.config is None:
        return tuple(filter(None, (turns_nothing(row), layers_sentence(row), comparison)))
    about = (" ".join((first(row), second(row))), third(row) if third else "", comparison)
    return tuple(filter(None, about))


def _alt(setting: Setting, title: str) -> str:
    row, said = setting.row, [title.format(count=len(setting.turning))]
    if row.config is None:
        said.append(_("{name}: nothing turns.").format(name=row.plain))
    else:
        fast, slow = ends(row)
        said.append(
            _("{name}: {pairs}, from {short} to {long} tokens a turn; without a full turn in training, within {tokens}: {count}.").format(
                name=row.plain,
                pairs=pairs(len(row.speeds), mark=""),
                short=counted(row.wavelengths[fast]),
                long=counted(row.wavelengths[slow]),
                tokens=tokens(row.config.trained_length, mark=""),
                count=row.unfinished,
            )
        )
    return " ".join(said)


def _lines(setting: Setting, name: str) -> list[PairLine]:
    return [_line(setting, row, getattr(row, name)) for row in setting.turning]


def _line(setting: Setting, row: Row, values: np.ndarray) -> PairLine:
    step = step_of(row)
    return PairLine(name=row.drawn, values=values[::step], place=row.model.place, kind=row.kind, strong=row is setting.row, step=step)


def _strip(setting: Setting, row: Row) -> Strip:
    mine = [layer for layer, kind in enumerate(row.model.rope.layer_types) if kind == row.layer]
    return Strip(
        name=row.drawn,
        layers=np.array(mine, dtype=np.float64),
        row=row.model.place,
        place=row.model.place,
        kind=row.kind,
        turns=row.config is not None,
        strong=row is setting.row,
    )


def _drawn(setting: Setting, name: str) -> dict[str, np.ndarray]:
    return {"pair": _pairs(setting)} | {f"{name} {_column(row)}": getattr(row, name) for row in setting.turning}


def _core(setting: Setting, kind: str) -> str:
    return of_models(kind, [(_column(row), row.config, row.length) for row in setting.turning if row.config is not None])


def _layer_core(setting: Setting) -> str:
    models = {model.slug: (list(model.rope.layer_types), list(model.rope.layers)) for model in setting.models}
    return plain(LAYERS, models=models)


def _pairs(setting: Setting) -> np.ndarray:
    return np.arange(max([len(row.speeds) for row in setting.turning], default=0))


def _column(row: Row) -> str:
    layer = "".join(character for character in row.layer if character.isalnum() or character in "_-")[:40]
    return row.model.slug if row.layer == "all" else f"{row.model.slug} {layer}"


def _layer_columns(setting: Setting) -> dict[str, np.ndarray]:
    """Give the number of every layer, and, model by model, the place of its type among those of the model."""
    columns: dict[str, np.ndarray] = {}
    for model in setting.models:
        kinds = [*model.rope.layers]
        columns[f"layer {model.slug}"] = np.arange(len(model.rope.layer_types))
        columns[f"type {model.slug}"] = np.array([kinds.index(kind) for kind in model.rope.layer_types])
    return columns


def _words(value: str) -> PairWords:
    return PairWords(pair=_("pair i"), value=value, still=_("stand still"))
