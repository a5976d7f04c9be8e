"""Formulas of the methods: symbols first, then a pair with its numbers; and the PyTorch lines of each view."""

from __future__ import annotations

import numpy as np

from lessons.extension_setting import BANDED, Setting
from lessons.scaling_code import speeds_code
from rope_core import YarnScaling
from ui import compute_extension as compute
from ui.formulas import aligned, tex

TURNS_RAMP = r"\kappa_i &= \min\Bigl(1, \max\Bigl(0, \tfrac{{L/\lambda_i - {few}}}{{{many} - {few}}}\Bigr)\Bigr)"
INDEX_RAMP = r"\kappa_i &= 1 - \min\Bigl(1, \max\Bigl(0, \tfrac{{i - {low}}}{{{high} - {low}}}\Bigr)\Bigr)"
SYMBOLS = {
    "none": (r"\theta'_i &= \theta_i",),
    "linear": (r"\theta'_i &= \theta_i / s",),
    "ntk": (r"\theta'_i &= \theta_i\, s^{-2i/(d-2)} = (b')^{-2i/d}", r"b' &= b\, s^{d/(d-2)}"),
    "dynamic": (r"\theta'_i &= \theta_i\, s_T^{-2i/(d-2)}", r"s_T &= 1 + f\,(T - L)/L"),
    "longrope": (r"\theta'_i &= \theta_i / f_i",),
    "proportional": (r"\theta'_i &= \theta_i \;\; (i < k), \quad \theta'_i = 0 \;\; (i \ge k)",),
}


def speed_formula(setting: Setting) -> str:
    """Write how the speeds change, and one pair of them in numbers."""
    plain, new = compute.speeds(setting.head, setting.trained), compute.speeds(setting.chosen, setting.length)
    pair = telling_pair(setting)
    lengths = "" if setting.knobs.stated_factor else f"T / L = {setting.length} / {setting.trained} = "
    numbers = [
        rf"s &= {lengths}{tex(setting.stretch)}",
        rf"\theta_{{{pair}}} &= {tex(plain[pair], 9)}",
        rf"\theta'_{{{pair}}} &= {tex(new[pair], 9)}",
    ]
    if setting.used in BANDED:
        numbers.insert(1, rf"\kappa_{{{pair}}} &= {tex(compute.kept(setting.chosen)[pair])}")
    if setting.used == "dynamic":
        numbers.insert(1, rf"s_T &= {tex(1 + setting.knobs.dynamic_factor * (setting.length - setting.trained) / setting.trained)}")
    return aligned(*_symbols(setting), *numbers)


def telling_pair(setting: Setting) -> int:
    """Choose the pair that is written out: the first that is blended, else the last."""
    kept = compute.kept(setting.chosen)
    blended = np.flatnonzero((kept > 0) & (kept < 1)) if kept is not None else []
    return int(blended[len(blended) // 2]) if len(blended) else setting.head.pairs - 1


def _symbols(setting: Setting) -> tuple[str, ...]:
    if setting.used not in BANDED:
        return SYMBOLS[setting.used]
    return (r"\theta'_i &= \kappa_i\, \theta_i + (1 - \kappa_i)\, \theta_i / s", ramp_formula(setting))


def ramp_formula(setting: Setting) -> str:
    """Write the share that is kept, with the ends of the ramp."""
    knobs, scaling = setting.knobs, setting.chosen.scaling
    if isinstance(scaling, YarnScaling) and scaling.ramp == "index":
        low, high = scaling.ramp_ends(setting.head)
        return INDEX_RAMP.format(low=f"{low:.6g}", high=f"{high:.6g}")
    few, many = (knobs.low_freq_factor, knobs.high_freq_factor) if setting.used == "llama3" else (knobs.beta_slow, knobs.beta_fast)
    if few == many:
        return rf"\kappa_i &= 1 \;\; (L/\lambda_i \ge {many:.6g}), \quad \kappa_i = 0 \;\; (L/\lambda_i < {many:.6g})"
    return TURNS_RAMP.format(few=f"{few:.6g}", many=f"{many:.6g}")


def speeds_lines(setting: Setting) -> str:
    """Write PyTorch lines that define ``plain``, the speeds as trained, and ``theta`` and ``A`` of the chosen method."""
    code = speeds_code(setting.chosen, setting.length)
    return code + ("plain = theta\n" if setting.chosen.scaling is None else "")


RATIO_CODE = """
result = theta / plain  # new speed over old, pair 0 first
"""
ANGLES_CODE = """
def swept(speeds, tokens):  # share of the circle from the first position to the last
    return ((tokens - 1) * speeds / (2 * torch.pi)).clamp(max=1)

seen, met = swept(plain, {trained}), swept(theta, {length})
step = plain / (2 * torch.pi)  # from one token to the next
unseen = met - seen > step * (1 + 1e-9)  # a circle that is closed but for a step has been seen whole
count = int(unseen.sum())  # pairs that meet new angles
result = torch.stack((seen, met))
"""
BANDS_CODE = """
result = torch.stack((2 * torch.pi / plain, {share}))  # wavelength as trained, and the share that stays
"""
FACTOR_CODE = """
import math
import torch

s = torch.logspace(0, math.log10({top!r}), {count}, dtype=torch.float64)  # stretches of the figure
A = {rule}
result = torch.stack((A, A**2))  # cos and sin are multiplied by A, scores by its square
"""
CURVE_CODE = """
def scores(r, speeds):  # q = k = ones: two coordinates a pair, and those that do not turn
    return 2 * torch.cos(r[:, None] * speeds).sum(-1)

distances = torch.arange(0, {length}, dtype=torch.float64)
result = A**2 * torch.cat([scores(some, theta) for some in distances.split(4096)]) + {still}
"""
DECODE_CODE = """
def turned(position, speeds, size):  # ones, a pair as one complex number
    return size * (1 + 1j) * torch.exp(1j * position * speeds)

query = turned({query}, theta, A)
fresh = turned({key}, theta, A)  # the table of the query
stale = turned({key}, old_theta, old_A)  # the table under which the key was cached
result = torch.stack([(query * key.conj()).sum().real + {still} for key in (fresh, stale)])
"""
