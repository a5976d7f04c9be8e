"""Rotate a pair: q and k turn by their positions, and three ways to write the score agree."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from figures.plane import PlaneWords, plane, several, shift_both
from lessons import core_learn
from lessons.core_lines import plain
from ui import compute
from ui.compute import Vector
from ui.formulas import aligned, column, complex_number, decimals, point, rotation, rounding, turns
from ui.i18n import _
from ui.view import View

SHIFTS = np.arange(41)


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Two vectors of one pair, their positions, and the speed of the pair in radians per token."""

    q: Vector
    k: Vector
    m: int
    n: int
    speed: float


def plane_view(setting: Setting) -> View:
    """Show q and k in the plane, before and after rotation."""
    turned = compute.turn_pair(setting.q, setting.k, setting.speed, (setting.m,), (setting.n,))
    return View(
        figure=plane(np.array(setting.q), np.array(setting.k), turned.q[0], turned.k[0], _words()),
        alt=_("q turns by {q}° to {q_end}, k by {k}° to {k_end}; their score is {score}.").format(
            q=turns(setting.m * setting.speed)[1],
            q_end=point(turned.q[0]),
            k=turns(setting.n * setting.speed)[1],
            k_end=point(turned.k[0]),
            score=decimals(turned.score[0], 6),
        ),
        sentences=_sentences(setting),
        formula=_formula(setting),
        code=_code(setting, "result = torch.stack((rotate(q, m), rotate(k, n)))  # the solid arrows"),
        drawn={"q_before": setting.q, "k_before": setting.k, "q_after": turned.q[0], "k_after": turned.k[0]},
        core=_core(setting, core_learn.PLANE, m=setting.m, n=setting.n),
    )


def positions_view(setting: Setting, positions: tuple[float, ...]) -> View:
    """Show the query at several positions, side by side."""
    vectors = compute.turn_pair(setting.q, setting.k, setting.speed, positions, (0,) * len(positions)).q
    titles = [f"m = {position:,.0f}<br>{turns(position * setting.speed)[1]}°" for position in positions]
    whole = [int(position) for position in positions]
    return View(
        figure=several(vectors, np.array(setting.q), titles=titles, words=_words()),
        alt=_("q at several positions: {titles}.").format(titles="; ".join(title.replace("<br>", ", ") for title in titles)),
        sentences=(_step_sentence(setting), *_turn_sentences(setting, whole)),
        formula=(aligned(rf"R_m\,q &= {ROTATION} q", rf"R_{{{whole[-1]}}}\,q &= {_numbers(setting, whole[-1])}"),),
        code=_code(setting, f"result = torch.stack([rotate(q, position) for position in {whole}])"),
        drawn={"position": whole, "q_first": vectors[:, 0], "q_second": vectors[:, 1]},
        core=_core(setting, core_learn.POSITIONS, positions=whole),
    )


def shift_view(setting: Setting) -> View:
    """Shift both tokens together: RoPE's score stays, that of an additive code does not."""
    both, additive = _shifted(setting)
    return View(
        figure=shift_both(SHIFTS.astype(float), both.q, both.k, both.score, additive, _words()),
        alt=_(
            "Over shifts from 0 to 40 the score of RoPE stays at {score}; with an added sinusoidal code it runs from {low} to {high}."
        ).format(score=decimals(both.score[0], 6), low=f"{additive.min():.4g}", high=f"{additive.max():.4g}"),
        sentences=_sentences(setting),
        formula=_formula(setting),
        code=_code(
            setting,
            "scores = [rotate(q, m + shift) @ rotate(k, n + shift) for shift in range(41)]\nresult = torch.stack(scores)  # the flat line",
        ),
        drawn={"shift": SHIFTS, "score_rope": both.score, "score_additive": additive},
        core=_core(setting, core_learn.SHIFT, m=setting.m, n=setting.n, count=len(SHIFTS)),
    )


def _core(setting: Setting, lines: str, **values: object) -> str:
    return plain(core_learn.PAIR + lines, q=setting.q, k=setting.k, speed=setting.speed, **values)


def _shifted(setting: Setting) -> tuple[compute.Turned, np.ndarray]:
    where = (tuple((setting.m + SHIFTS).tolist()), tuple((setting.n + SHIFTS).tolist()))
    arguments = (setting.q, setting.k, setting.speed, *where)
    return compute.turn_pair(*arguments), compute.additive_scores(*arguments)


def _three_scores(setting: Setting) -> tuple[float, float, float]:
    """Compute the score from both rotated vectors, from one rotated by the difference, and from complex numbers."""
    distance = setting.m - setting.n
    each = compute.turn_pair(setting.q, setting.k, setting.speed, (setting.m,), (setting.n,)).score[0]
    one = compute.turn_pair(setting.q, setting.k, setting.speed, (distance,), (0,)).score[0]
    return float(each), float(one), compute.complex_score(setting.q, setting.k, setting.speed, distance)[1]


def _sentences(setting: Setting) -> tuple[str, ...]:
    first, second, third = (f"`{decimals(score, 9)}`" for score in _three_scores(setting))
    both, additive = _shifted(setting)
    return (
        _step_sentence(setting),
        _(
            "One turn of both arrows together changes neither their lengths nor the angle between them, so only the distance "
            "m - n = {distance} counts. Three ways to compute the score agree, up to rounding: {first}, {second}, {third}."
        ).format(first=first, second=second, third=third, distance=f"`{setting.m - setting.n:,}`"),
        _(
            "Shift both by 0 to 40 tokens: the score of RoPE varies by {rope} (rounding), "
            "with an added sinusoidal code of the same speed it varies by {additive}."
        ).format(rope=f"`{rounding(np.ptp(both.score))}`", additive=f"`{np.ptp(additive):.4g}`"),
    )


def _step_sentence(setting: Setting) -> str:
    return _("One token further turns the pair by {speed} rad, which is {degrees}°, and leaves the length of q at {length}.").format(
        speed=f"`{setting.speed:.6g}`", degrees=f"`{math.degrees(setting.speed):.6g}`", length=f"`{math.hypot(*setting.q):.6g}`"
    )


def _turn_sentences(setting: Setting, positions: list[int]) -> tuple[str, ...]:
    furthest = max(positions)
    full, rest = turns(furthest * setting.speed)
    return (
        _("At position {m} q has turned by {angle} rad: full turns: {turns}, and {rest}°.").format(
            m=f"`{furthest:,}`",
            angle=f"`{furthest * setting.speed:,.6g}`",
            turns=f"`{full:,}`",
            rest=f"`{rest}`",
        ),
        _("Equal steps are equal turns: from position 0 to 10 as from 1,000 to 1,010 the pair turns by {angle} rad.").format(
            angle=f"`{10 * setting.speed:.6g}`"
        ),
    )


def _formula(setting: Setting) -> tuple[str, ...]:
    angle = setting.m * setting.speed
    turned = compute.turn_pair(setting.q, setting.k, setting.speed, (setting.m,), (setting.n,)).q[0]
    product = compute.complex_score(setting.q, setting.k, setting.speed, setting.m - setting.n)[0]
    first, second, third = (decimals(score, 6) for score in _three_scores(setting))
    start, turn, end = (complex_number(x) for x in (complex(*setting.q), complex(math.cos(angle), math.sin(angle)), complex(*turned)))
    return (
        aligned(rf"R_m\,q &= {ROTATION} q", rf"&= {_numbers(setting, setting.m)}"),
        aligned(
            r"q\,e^{\mathrm{i} m\theta} &= (q_1 + q_2\,\mathrm{i})(\cos m\theta + \mathrm{i}\sin m\theta)",
            rf"&= ({start})",
            rf"&\quad\cdot({turn})",
            rf"&= {end}",
        ),
        aligned(
            rf"\langle R_m q,\, R_n k\rangle &= {first}",
            rf"\langle R_{{m-n}}\,q,\, k\rangle &= {second}",
            rf"\mathrm{{Re}}\left(q\,\bar k\,e^{{\mathrm{{i}}(m-n)\theta}}\right) &= {third}",
            rf"q\,\bar k &= {complex_number(product)}",
        ),
    )


def _numbers(setting: Setting, position: int) -> str:
    turned = compute.turn_pair(setting.q, setting.k, setting.speed, (position,), (0,)).q[0]
    return rf"{rotation(position * setting.speed)} {column(np.array(setting.q))} \\ &= {column(turned)}"


def _code(setting: Setting, last_line: str) -> str:
    return CODE.format(speed=setting.speed, m=setting.m, n=setting.n, q=list(setting.q), k=list(setting.k), last_line=last_line)


def _words() -> PlaneWords:
    return PlaneWords(
        before=_("before"),
        after=_("after rotation"),
        first=_("first coordinate of the pair"),
        second=_("second coordinate of the pair"),
        shift=_("shift of both positions (tokens)"),
        score=_("score"),
        rope=_("RoPE"),
        additive=_("sinusoidal code, added"),
        play=_("Play"),
        pause=_("Pause"),
    )


ROTATION = r"\begin{pmatrix}\cos m\theta & -\sin m\theta\\ \sin m\theta & \cos m\theta\end{pmatrix}"
CODE = """
import torch

theta, m, n = {speed!r}, {m}, {n}  # radians per token, positions of q and k
q = torch.tensor({q}, dtype=torch.float64)
k = torch.tensor({k}, dtype=torch.float64)

def rotate(x, position):
    angle = torch.tensor(position * theta, dtype=torch.float64)
    cos, sin = angle.cos(), angle.sin()
    return torch.stack((x[0] * cos - x[1] * sin, x[0] * sin + x[1] * cos))

score = rotate(q, m) @ rotate(k, n)
{last_line}
"""
