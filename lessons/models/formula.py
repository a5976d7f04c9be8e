"""The law of the speeds of one row with its numbers, and the PyTorch lines that give them."""

from __future__ import annotations

from compute.models import softmax_scale
from compute.speeds import end_pairs
from lessons.methods import law_tex, speeds_code
from lessons.models.settings import Row
from lessons.wording import aligned, tex, width_symbol
from rope_core import DynamicNtkScaling, LongRopeScaling, RopeConfig

NOTHING = """
import torch

theta = torch.zeros(1, dtype=torch.float64)  # nothing turns in these layers
result = theta
"""


def formula(row: Row) -> tuple[str, ...]:
    """Write the law with the numbers of the slowest pair; where nothing turns, that alone."""
    if row.config is None:
        return (aligned(r"\theta_i &= 0", r"\lambda_i &= \infty"),)
    last = end_pairs(row.speeds)[1]
    numbers = (rf"b &= {row.config.base:.10g}", rf"\theta_{{{last}}} &= {tex(row.speeds[last], 9)}")
    turns, seen = row.reach / row.wavelengths[last], "n" if row.window is None else r"\min(n, w)"
    window = (rf"w &= {row.window}",) if row.window else ()
    return (
        aligned(*_law(row.config, row), *numbers),
        aligned(r"\lambda_i &= 2\pi / \theta_i", rf"\lambda_{{{last}}} &= {tex(row.wavelengths[last], 9)}"),
        aligned(
            rf"{seen} / \lambda_{{{last}}} &= {row.reach} / \lambda_{{{last}}}",
            *window,
            rf"&= {turns:.6f}" if 0.001 < turns < 1e6 else rf"&= {tex(turns)}",
        ),
        *_softmax(row.config, row.model.rope.softmax_factor),
    )


def _softmax(config: RopeConfig, factor: float) -> tuple[str, ...]:
    """Write the scale of the softmax where it has a factor; the sentences say what it is."""
    if factor == 1:
        return ()
    scale = softmax_scale(config, factor)
    return (aligned(rf"m^2 / \sqrt{{d}} &= {factor:.9g} / \sqrt{{{config.head_dim}}}", f"&= {tex(scale, 9)}"),)


def code(row: Row, result: str) -> str:
    """Write the lines that give ``result``."""
    return NOTHING if row.config is None else speeds_code(row.config, row.length) + result


def _law(config: RopeConfig, row: Row) -> tuple[str, ...]:
    """Write the law in a text of this length; beyond the trained one two methods have another than below."""
    trained, d = config.trained_length, width_symbol(config)
    if row.length <= trained:
        return law_tex(config)
    match config.scaling:
        case DynamicNtkScaling(factor=factor):
            stretch = 1 + factor * (row.length - trained) / trained
            return (rf"\theta_i &= b^{{-2i/{d}}}\,t^{{-2i/({d}-2)}}", r"t &= 1 + s\,(n - L) / L", rf"&= {tex(stretch)}")
        case LongRopeScaling(long_factor=divisors):
            return (rf"\theta_i &= b^{{-2i/{d}}} / c_i", rf"c_{{{config.pairs - 1}}} &= {tex(divisors[-1])}")
    return law_tex(config)
