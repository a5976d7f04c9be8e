"""The parameters of the page A whole head."""

from __future__ import annotations

from locales import N_
from parameters.types import SUPPORTED, Choice, Number, Parameter

HEAD: dict[str, Parameter] = {
    "head_view": Choice(
        label=N_("View"),
        help=N_("The pairs of one vector, the matrix in both layouts, a mistake, the cos and sin tables, or the ways to write it in code."),
        options={
            "pairs": N_("Pairs"),
            "matrix": N_("Matrix"),
            "mix": N_("Layouts mixed"),
            "table": N_("Tables"),
            "code": N_("Three implementations"),
        },
    ),
    "head_position": Number(
        label=N_("Position m"),
        help=N_("Where the token stands in the text, counted from 0."),
        default=12,
        low=0,
        high=SUPPORTED,
        scale="positions",
    ),
    "head_seed": Number(
        label=N_("Random seed"),
        help=N_("Another seed draws another vector."),
        default=0,
        low=0,
        high=9999,
    ),
    "head_distance": Number(
        label=N_("Distance m - n"),
        help=N_("It stays the same while both positions shift."),
        default=5,
        low=0,
        high=1_000_000,
        scale="positions",
    ),
}
