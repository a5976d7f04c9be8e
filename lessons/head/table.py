"""The tables of cos and sin, and the code that is added instead."""

from __future__ import annotations

import math

import numpy as np
from numpy import ndarray

from compute.head import POSITIONS, Tables, coordinates, tables
from compute.speeds import speeds
from figures import head as figures
from lessons.head.code import TABLE_CODE, WIDEN, code
from lessons.notebook import computed
from lessons.view import Columns, View
from lessons.wording import aligned, counted, tex
from locales import _
from rope_core import RopeConfig


def table_view(config: RopeConfig) -> View:
    """Show what every coordinate is multiplied by, and the code that is added instead."""
    table, inv_freq = tables(config), speeds(config)
    last, end = config.pairs - 1, POSITIONS - 1
    fast, slow = (counted(end * speed / math.tau) for speed in (inv_freq[0], inv_freq[-1]))
    return View(
        figure=figures.tables(*table, say=_),
        alt=_(
            "Tables of cos and sin over positions 0 to {end} and {d} coordinates, and the sinusoidal code. Pair 0 makes {fast} turns, "
            "pair {last} {slow}."
        ).format(end=end, d=config.head_dim, fast=fast, last=last, slow=slow),
        sentences=(
            _("Down the rows, from position 0 to {end}, pair 0 makes {fast} turns and pair {last} {slow}.").format(
                end=f"`{end}`", fast=f"`{fast}`", last=last, slow=f"`{slow}`"
            ),
            _(
                "RoPE multiplies: each number of q and k meets its cos and, with its partner, its sin. {pairs} numbers a row are enough; "
                "each stands in both columns of its pair."
            ).format(pairs=f"`{config.pairs}`"),
            _same_numbers(config),
        ),
        formula=_formula(config, table, inv_freq),
        code=code(TABLE_CODE, config, positions=POSITIONS, widen=WIDEN[config.layout]),
        **computed(table_columns, config),
    )


def table_columns(config: RopeConfig) -> Columns:
    """Return all cells of the three tables."""
    table = tables(config)
    position, coordinate = np.indices(table.cos.shape).reshape(2, -1)
    return {"position": position, "coordinate": coordinate} | {name: cells.ravel() for name, cells in table._asdict().items()}


def _formula(config: RopeConfig, table: Tables, inv_freq: ndarray) -> tuple[str, ...]:
    last, end = config.pairs - 1, POSITIONS - 1
    cell = (end, int(coordinates(config)[-1, 1]))
    return (
        aligned(
            r"c_{m,i} &= \cos m\theta_i, \quad s_{m,i} = \sin m\theta_i",
            rf"c_{{{end},{last}}} &= \cos({end} \cdot {tex(inv_freq[-1])})",
            rf"&= {table.cos[cell]:.6f}",
            rf"s_{{{end},{last}}} &= \sin({end} \cdot {tex(inv_freq[-1])})",
            rf"&= {table.sin[cell]:.6f}",
        ),
    )


def _same_numbers(config: RopeConfig) -> str:
    still = config.head_dim - config.rotary_dim
    if still:
        return _(
            "The sinusoidal code is added to the vector and has {all} speeds for its {d} coordinates; here RoPE has {pairs}, and "
            "{still} coordinates keep cos = 1 and sin = 0."
        ).format(all=f"`{config.head_dim // 2}`", d=f"`{config.head_dim}`", pairs=f"`{config.pairs}`", still=f"`{still}`")
    return _(
        "The sinusoidal code holds the same {count} numbers a row, drawn with its sines first. It is added to the vector; "
        "RoPE turns the vector."
    ).format(count=f"`{config.head_dim}`")
