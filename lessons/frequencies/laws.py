"""The view Other laws: evenly spaced speeds agree again after some hundred tokens; that is why RoPE's are geometric."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from compute.bins import log_bins
from compute.laws import LAWS_REACH, Law, laws
from compute.speeds import speeds
from figures import laws as figure
from lessons.frequencies.alike import START_CODE
from lessons.notebook import computed
from lessons.view import Columns, View
from lessons.wording import aligned, tex
from locales import _
from rope_core import RopeConfig

NAMED = (1, 10, 100)


def laws_view(config: RopeConfig) -> View:
    """Compare the geometric law with a linear and a constant one."""
    law, numbers = laws(config), computed(law_columns, config)
    bands = {name: (each.low, each.high) for name, each in law.items()}
    at = {name: _(", ").join(f"`{_rounded(each.curve[r])}`" for r in NAMED) for name, each in law.items()}
    revival = _revival(config, law)
    return View(
        figure=figure.laws(numbers["columns"]["distance"], **bands, revival=None if revival is None else revival[:2], say=_),
        alt=_("Mean cosine at distances 1, 10 and 100: geometric law {geometric}; linear law {linear}; one speed {constant}.").format(
            **{name: text.replace("`", "") for name, text in at.items()}
        ),
        sentences=(
            _(
                "At distances 1, 10 and 100 the mean cosine is {geometric} under the geometric law and {linear} under the linear one."
            ).format(**at),
            *_revival_sentences(config, revival),
        ),
        formula=_formula(config, law),
        code=START_CODE.format(d=config.head_dim, base=config.base) + CODE.format(stop=LAWS_REACH + 1),
        **numbers,
    )


def law_columns(config: RopeConfig) -> Columns:
    """Return the range of the mean cosine in bins of distances under each law."""
    edges = log_bins(LAWS_REACH)
    bands = {f"{name}_{side}": getattr(each, side) for name, each in laws(config).items() for side in ("low", "high")}
    return {"distance": (edges[:-1] + edges[1:] - 1) / 2, **bands}


class Revival(NamedTuple):
    """Where all pairs of the linear law agree again, the mean cosine there, and the highest one of the geometric law in that range."""

    distance: int
    cosine: float
    first: int
    last: int
    geometric: float


def _step(config: RopeConfig) -> float:
    """Return the difference of two neighbouring speeds of the linear law."""
    return (1 - float(speeds(config)[-1])) / (config.pairs - 1)


def _revival(config: RopeConfig, law: Mapping[str, Law]) -> Revival | None:
    """Find where all pairs of the linear law agree again; None if there is one pair, or that is beyond ``LAWS_REACH``."""
    if config.pairs == 1 or math.tau / _step(config) > LAWS_REACH:
        return None
    meeting = math.tau / _step(config)
    first, last = int(meeting / 2), min(int(1.5 * meeting), LAWS_REACH)
    linear, geometric = (law[name].curve[first : last + 1] for name in ("linear", "geometric"))
    return Revival(first + int(linear.argmax()), float(linear.max()), first, last, float(geometric.max()))


def _revival_sentences(config: RopeConfig, revival: Revival | None) -> tuple[str, ...]:
    if config.pairs == 1:
        return (_("With one pair all three laws are the same: {speed} rad per token.").format(speed="`1`"),)
    step, meeting = f"`{_step(config):.6g}`", f"`{math.tau / _step(config):,.1f}`"
    if revival is None:
        return (
            _(
                "The linear speeds lie {step} rad per token apart, so all pairs point the same way again near distance {meeting}, "
                "beyond what is looked at here."
            ).format(step=step, meeting=meeting),
        )
    bound = _("Under the geometric law its highest value from distance {first} to {last} is {high}.").format(
        high=f"`{revival.geometric:.3f}`", first=f"`{revival.first:,}`", last=f"`{revival.last:,}`"
    )
    return (
        _(
            "The linear speeds lie {step} rad per token apart, so after 2π / {step} = {meeting} tokens all pairs point the same way "
            "again, though not always back to the start: near there the mean cosine reaches {high}, at distance {best}."
        ).format(step=step, meeting=meeting, high=f"`{revival.cosine:.3f}`", best=f"`{revival.distance:,}`"),
        f"{bound} {_verdict(config, revival)}",
    )


def _verdict(config: RopeConfig, revival: Revival) -> str:
    if config.pairs == 2:
        return _("With two pairs the linear and the geometric law are the same.")
    if revival.geometric >= revival.cosine:
        return _("Here the geometric law comes at least as high: for so few pairs or so small a base it is no help.")
    if revival.geometric < 0.9 * revival.cosine:
        return _("A linear law makes far tokens look near: that, not the first fall, speaks for a geometric law.")
    return _("Here the geometric law comes nearly as high: for so few pairs or so small a base it is no help.")


def _formula(config: RopeConfig, law: Mapping[str, Law]) -> tuple[str, ...]:
    return (
        aligned(
            r"\theta_i^\mathrm{geo} &= b^{-2i/d}",
            r"\theta_i^\mathrm{lin} &= 1 - i\,\delta",
            r"\delta &= (1 - \theta_{P-1}^\mathrm{geo}) / (P - 1)",
            rf"\theta_{{{config.pairs - 1}}}^\mathrm{{geo}} &= {tex(float(speeds(config)[-1]))}",
        ),
        aligned(
            r"s(r) &= \tfrac1P \textstyle\sum_i \cos r\theta_i",
            rf"s_\mathrm{{geo}}(100) &= {law['geometric'].curve[100]:.6f}",
            rf"s_\mathrm{{lin}}(100) &= {law['linear'].curve[100]:.6f}",
        ),
    )


def _rounded(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}"  # zero has no sign


CODE = """linear = torch.linspace(1, theta[-1], d // 2, dtype=torch.float64)
constant = torch.ones_like(theta)
distances = torch.arange(1, {stop}, dtype=torch.float64)[:, None]
result = torch.stack([(distances * law).cos().mean(-1) for law in (theta, linear, constant)])
"""
