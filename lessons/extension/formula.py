"""Formulas of the methods: symbols first, then a pair with its numbers; and the PyTorch lines of their speeds."""

from __future__ import annotations

import numpy as np

from compute.extension import kept
from compute.speeds import speeds
from lessons.extension.settings import ExtensionSettings
from lessons.methods.code import speeds_code
from lessons.wording import aligned, tex


def speed_formula(s: ExtensionSettings) -> str:
    """Write how the speeds change, and one pair of them in numbers: the middle one of those that are blended, else the last."""
    plain, new, share = speeds(s.head), speeds(s.chosen, s.length), kept(s.chosen)
    blended = np.flatnonzero((share > 0) & (share < 1)) if share is not None else ()
    pair = int(blended[len(blended) // 2]) if len(blended) else s.head.pairs - 1
    symbols = s.used.extended(s) if s.used.extended else s.used.law(s.chosen, r"\theta'_i", r"\theta_i")
    lengths = "" if s.options.stated_factor else f"T / L = {s.length} / {s.trained} = "
    return aligned(
        *symbols,
        rf"s &= {lengths}{tex(s.stretch)}",
        *([] if share is None else [rf"\gamma_{{{pair}}} &= {tex(share[pair])}"]),
        rf"\theta_{{{pair}}} &= {tex(plain[pair], 9)}",
        rf"\theta'_{{{pair}}} &= {tex(new[pair], 9)}",
    )


def speeds_lines(s: ExtensionSettings) -> str:
    """Write PyTorch lines that define ``plain``, the speeds as trained, and ``theta`` and ``A`` of the chosen method."""
    return speeds_code(s.chosen, s.length) + ("plain = theta\n" if s.chosen.scaling is None else "")
