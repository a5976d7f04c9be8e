"""What methods with bands share: fast pairs are kept, slow ones divided, those between blended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compute.extension import kept
from lessons.methods.sheet import Lines
from lessons.wording import pairs
from locales import _

if TYPE_CHECKING:
    from lessons.extension.settings import ExtensionSettings

BLEND = """factor, trained = {factor!r}, {trained}

{ramp}
theta = plain * kept + plain / factor * (1 - kept)
"""
TURNS_RAMP = """turns = plain * trained / (2 * math.pi)  # within the trained length
kept = ((turns - {few!r}) / ({many!r} - {few!r})).clamp(0, 1)  # 1: the speed stays, 0: it is divided
"""
HARD_SWITCH = """turns = plain * trained / (2 * math.pi)  # within the trained length
kept = (turns >= {many!r}).double()  # 1: the speed stays, 0: it is divided
"""


def turns_ramp(few: float, many: float) -> str:
    """Write PyTorch lines for the share that is kept, by turns within the trained length."""
    return HARD_SWITCH.format(many=many) if few == many else TURNS_RAMP.format(few=few, many=many)


def blend_tex(new: str, plain: str) -> Lines:
    """Write the speed that is left where a share of it is kept."""
    return (rf"{new} &= \gamma_i\,{plain}", rf"&\quad + (1 - \gamma_i)\,{plain} / s")


def turns_tex(few: float, many: float) -> str:
    """Write the share that is kept, by turns within the trained length."""
    if few == many:
        return rf"\gamma_i &= 1 \text{{ if }} L / \lambda_i \ge {many:.6g}, \text{{ else }} 0"
    return rf"\gamma_i &= \left[\tfrac{{L / \lambda_i - {few:.6g}}}{{{many:.6g} - {few:.6g}}}\right]_0^1"


def banded_sentence(s: ExtensionSettings) -> str:
    """Count the pairs that are kept, blended and divided."""
    share = kept(s.chosen)
    assert share is not None
    if s.stretch == 1:
        return _("{method} changes no speed at s = 1: kept and divided are the same there.").format(method=s.used.name)
    counts = [int(part.sum()) for part in (share == 1, (share > 0) & (share < 1), share == 0)]
    return _(
        "{method} keeps the speed of {kept} of {pairs}, blends that of {blended}, and divides that of {divided} by s = {stretch}."
    ).format(
        pairs=pairs(len(share)),
        method=s.used.name,
        kept=f"`{counts[0]}`",
        blended=f"`{counts[1]}`",
        divided=f"`{counts[2]}`",
        stretch=f"`{s.stretch:,.6g}`",
    )
