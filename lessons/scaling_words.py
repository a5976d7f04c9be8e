"""What partial rotation and a method of context extension change, in sentences and formulas that several pages share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rope_core import (
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    RopeConfig,
    YarnScaling,
)
from ui import compute
from ui.formulas import tex
from ui.i18n import _
from ui.methods import describe


def scaling_sentence(config: RopeConfig) -> str:
    """Say what the method does to speeds and scores, and for which sequences that holds; nothing where there is none."""
    if config.scaling is None:
        return ""
    plain, speeds = compute.speeds(replace(config, scaling=None)), compute.speeds(config)
    moving = speeds > 0
    divisors = plain[moving] / speeds[moving]
    changed = divisors[np.abs(divisors - 1) > 1e-12]
    clauses = [
        _("{kept} of {pairs} pairs keep the speed of the plain law").format(
            kept=f"`{len(divisors) - len(changed)}`", pairs=f"`{len(speeds)}`"
        )
    ]
    if len(changed):
        low, high = f"`{changed.min():.5g}`", f"`{changed.max():.5g}`"
        by = low if low == high else _("{low} to {high}").format(low=low, high=high)
        clauses.append(_("the speeds of {count} are divided by {by}").format(count=f"`{len(changed)}`", by=by))
    if not moving.all():
        first = int(np.flatnonzero(~moving)[0])
        clauses.append(_("{count} stand still, from pair {first} on").format(count=f"`{len(speeds) - len(divisors)}`", first=first))
    said = _("{method}: {clauses}.").format(method=describe(config.scaling), clauses=_("; ").join(clauses))
    return " ".join((said[:1].upper() + said[1:], *_beside(config)))


def _beside(config: RopeConfig) -> list[str]:
    """Say what A does to the scores, and which table is shown where a method has several."""
    factor, more = compute.magnitude(config), []
    if factor != 1:
        more.append(
            _("Cos and sin are multiplied by A = {factor}, so what turning coordinates add to a score by A² = {square}.").format(
                factor=f"`{factor:.6g}`", square=f"`{factor**2:.6g}`"
            )
        )
    if config.scaling is not None and config.scaling.length_dependent:
        more.append(
            _("Shown are the speeds of sequences up to {length} tokens; longer ones have others.").format(
                length=f"`{config.trained_length:,}`"
            )
        )
    return more


def width_sentence(config: RopeConfig) -> str:
    """Say how much of the head turns; nothing where all of it does."""
    if config.rotary_dim == config.head_dim:
        return ""
    return _("Of d = {d} coordinates dᵣ = {turning} turn.").format(d=f"`{config.head_dim}`", turning=f"`{config.rotary_dim}`")


def width_symbol(config: RopeConfig) -> str:
    """Name the width that turns in a formula."""
    return "d" if config.rotary_dim == config.head_dim else "d_r"


def law_tex(config: RopeConfig) -> tuple[str, ...]:
    """Write the law of the speeds: symbols, with the numbers of the method beside them."""
    d = width_symbol(config)
    plain = rf"b^{{-2i/{d}}}"
    width = () if d == "d" else (rf"d_r &= {config.rotary_dim}",)
    match config.scaling:
        case LinearScaling(factor=factor):
            lines = [rf"\theta_i &= {plain} / s", rf"s &= {factor:.10g}"]
        case NtkScaling(factor=factor):
            lines = [rf"\theta_i &= {plain}\,s^{{-2i/({d}-2)}}", rf"s &= {factor:.10g}"]
        case DynamicNtkScaling():
            lines = [rf"\theta_i &= {plain} \quad (\ell \le L)", rf"L &= {config.max_position}"]
        case YarnScaling(factor=factor) as yarn:
            lines = [*_blend_tex(plain), *_ramp_tex(config, yarn), rf"s &= {factor:.10g}"]
        case Llama3Scaling(factor=factor) as llama:
            lines = [
                *_blend_tex(plain),
                _turns_tex(llama.low_freq_factor, llama.high_freq_factor),
                rf"s &= {factor:.10g},\; L = {config.trained_length}",
            ]
        case LongRopeScaling(short_factor=divisors):
            lines = [rf"\theta_i &= {plain} / c_i", rf"c_{{{config.pairs - 1}}} &= {tex(divisors[-1])}"]
        case ProportionalScaling(factor=factor):
            turning = int((compute.speeds(config) > 0).sum())
            divided, value = (" / s", [rf"s &= {factor:.10g}"]) if factor != 1 else ("", [])
            lines = [rf"\theta_i &= {plain}{divided}, \quad i < {turning}", rf"\theta_i &= 0, \quad i \ge {turning}", *value]
        case _other:
            lines = [rf"\theta_i &= {plain}"]
    return (*lines, *width)


def _blend_tex(plain: str) -> tuple[str, ...]:
    return (rf"\theta_i &= \gamma_i\,{plain}", rf"&\quad + (1 - \gamma_i)\,{plain} / s")


def _ramp_tex(config: RopeConfig, yarn: YarnScaling) -> tuple[str, ...]:
    if yarn.ramp == "rotation":
        return (_turns_tex(yarn.beta_slow, yarn.beta_fast), rf"L &= {config.trained_length}")
    low, high = yarn.ramp_ends(config)
    return (rf"\gamma_i &= 1 - \left[\tfrac{{i - {low:.6g}}}{{{high:.6g} - {low:.6g}}}\right]_0^1",)


def _turns_tex(few: float, many: float) -> str:
    if few == many:
        return rf"\gamma_i &= 1 \text{{ if }} L / \lambda_i \ge {many:.6g}, \text{{ else }} 0"
    return rf"\gamma_i &= \left[\tfrac{{L / \lambda_i - {few:.6g}}}{{{many:.6g} - {few:.6g}}}\right]_0^1"
