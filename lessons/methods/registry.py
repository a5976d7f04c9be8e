"""The methods of context extension, in the order of their buttons."""

from __future__ import annotations

from lessons.methods import dynamic, linear, llama3, longrope, none, ntk, parts, proportional, yarn
from lessons.methods.sheet import Sheet
from rope_core import Scaling

SHEETS: dict[str, Sheet] = {
    sheet.SHEET.code: sheet.SHEET for sheet in (linear, ntk, dynamic, yarn, parts, llama3, longrope, proportional, none)
}


def sheet_of(scaling: Scaling | None) -> Sheet:
    """Return the sheet of a method; YaRN by turns with A = 1 is NTK-by-parts."""
    if scaling is None:
        return none.SHEET
    if getattr(scaling, "ramp", "") == "rotation" and getattr(scaling, "attention_factor", None) == 1:
        return parts.SHEET
    return SHEETS[scaling.rope_type]
