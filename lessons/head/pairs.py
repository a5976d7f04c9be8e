"""Some pairs of one vector, before and after rotation."""

from __future__ import annotations

import math

import numpy as np
from numpy import ndarray

from compute.head import Turned, coordinates, turn_head
from compute.speeds import speeds
from figures.drawing import Drawing
from figures.head import planes
from figures.theme import REFERENCE, pair_colors
from lessons.head.code import PAIRS_CODE, code, slices
from lessons.notebook import computed
from lessons.view import Columns, View
from lessons.wording import aligned, counted, fixed, tex, turns
from locales import _
from rope_core import RopeConfig

PLANES = 8


def pairs_view(config: RopeConfig, seed: int, position: int) -> View:
    """Show some pairs of one vector, each in its plane."""
    turned, inv_freq, shown = turn_head(config, seed, position), speeds(config), _shown(config)
    where = _drawn_coordinates(config)
    angles = [turns(position * speed)[1] for speed in inv_freq]
    said = _(", ").join(_("pair {i}: {degrees}°").format(i=pair, degrees=angles[pair]) for pair in shown)
    return View(
        figure=_figure(config, turned, inv_freq, angles),
        alt=_("{count} of {pairs} pairs of one vector at position {m}, each turned in its own plane; {angles}.").format(
            count=len(shown), pairs=config.pairs, m=f"{position:,}", angles=said
        ),
        sentences=_sentences(config, turned, inv_freq, position),
        formula=_formula(config, turned, inv_freq, position),
        code=code(PAIRS_CODE, config, seed=seed, position=position, shown=shown.tolist(), slices=slices(config)),
        **computed(pair_columns, config, seed, position, where.tolist()),
    )


def pair_columns(config: RopeConfig, seed: int, position: int, where: list[list[int]]) -> Columns:
    """Return the two coordinates of each plane, and what stands there before and after rotation."""
    turned, (first, second) = turn_head(config, seed, position), np.array(where).T
    return {
        "first_coordinate": first,
        "second_coordinate": second,
        "before_first": turned.before[first],
        "before_second": turned.before[second],
        "after_first": turned.after[first],
        "after_second": turned.after[second],
    }


def _shown(config: RopeConfig) -> ndarray:
    """Choose the pairs that are drawn, evenly over all; the last plane is for coordinates that do not turn, if there are any."""
    return np.unique(np.linspace(0, config.pairs - 1, PLANES - _has_still(config)).round().astype(int))


def _has_still(config: RopeConfig) -> bool:
    return config.rotary_dim < config.head_dim


def _drawn_coordinates(config: RopeConfig) -> ndarray:
    still = [[config.rotary_dim, config.rotary_dim + 1]] if _has_still(config) else np.empty((0, 2), int)
    return np.concatenate((coordinates(config)[_shown(config)], still))


def _figure(config: RopeConfig, turned: Turned, inv_freq: ndarray, angles: list[str]) -> Drawing:
    where, shown = _drawn_coordinates(config), _shown(config)
    labels = [
        _("pair {i}").format(i=pair) + f"<br>{_names(place)}<br>θ<sub>{pair}</sub> = {inv_freq[pair]:.3g}<br>{angles[pair]}°"
        for pair, place in zip(shown, where, strict=False)
    ]
    colors = [pair_colors(config.pairs)[pair] for pair in shown]
    if _has_still(config):
        labels.append(_names(where[-1]) + "<br>" + _("do not turn"))
        colors.append(REFERENCE)
    return planes(turned.before[where], turned.after[where], labels=labels, colors=colors, say=_)


def _names(place: ndarray) -> str:
    return f"(x<sub>{place[0]}</sub>, x<sub>{place[1]}</sub>)"


def _sentences(config: RopeConfig, turned: Turned, inv_freq: ndarray, position: int) -> tuple[str, ...]:
    last = config.pairs - 1
    first, second = turned.coordinates[-1]
    still = _("Coordinates {first} to {last} do not turn: they are the same at every position.").format(
        first=f"`{config.rotary_dim}`", last=f"`{config.head_dim - 1}`"
    )
    length = _("Each pair keeps its length, and so does the whole vector: {before} before, {after} after.").format(
        before=f"`{np.linalg.norm(turned.before):.6f}`", after=f"`{np.linalg.norm(turned.after):.6f}`"
    )
    return (
        _(
            "{turning} of {d} numbers turn, as {pairs} pairs, of which {drawn} are drawn. Pair {last} is ({first}, {second}). "
            "No pair touches another."
        ).format(
            turning=f"`{config.rotary_dim}`",
            d=f"`{config.head_dim}`",
            pairs=f"`{config.pairs}`",
            drawn=f"`{len(_shown(config))}`",
            last=last,
            first=f"`x_{first}`",
            second=f"`x_{second}`",
        ),
        _("At position {m} pair 0 ({fast} rad per token) has turned by {far}°, pair {last} ({slow} rad per token) by {near}°.").format(
            m=f"`{position:,}`",
            fast=f"`{inv_freq[0]:.6g}`",
            far=f"`{counted(math.degrees(position * inv_freq[0]))}`",
            last=last,
            slow=f"`{inv_freq[-1]:.6g}`",
            near=f"`{counted(math.degrees(position * inv_freq[-1]))}`",
        ),
        f"{length} {still}" if _has_still(config) else length,
    )


def _formula(config: RopeConfig, turned: Turned, inv_freq: ndarray, position: int) -> tuple[str, ...]:
    a, b = turned.coordinates[-1]
    last = config.pairs - 1
    before, after = (rf"({fixed(x[a])},\; {fixed(x[b])})" for x in (turned.before, turned.after))
    return (
        aligned(
            rf"\varphi_i &= m\,\theta_i = m\,b^{{-2i/d_r}}, \quad d_r = {config.rotary_dim}",
            rf"\varphi_{{{last}}} &= {position} \cdot {tex(inv_freq[-1])}",
            rf"&= {tex(position * inv_freq[-1])}",
        ),
        aligned(
            r"x_a' &= x_a\cos\varphi_i - x_b\sin\varphi_i",
            r"x_b' &= x_a\sin\varphi_i + x_b\cos\varphi_i",
            rf"(x_{{{a}}}, x_{{{b}}}) &= {before}",
            rf"(x_{{{a}}}', x_{{{b}}}') &= {after}",
        ),
    )
