"""Rotate a pair: q and k turn by their positions, and three ways to write the score agree."""

from __future__ import annotations

import math

import numpy as np

from compute.pair import SHIFTS, PairSettings, plane_columns, position_columns, shift_columns, three_scores, turn_pair
from compute.speeds import speeds
from figures.plane import plane, several, shift_both
from lessons.notebook import computed
from lessons.pair.text import code, formula, positions_formula, score_text, sentences, shift_formula, step_sentence, turn_sentences
from lessons.view import View
from lessons.wording import point, turns
from locales import _
from parameters.head_config import plain_head
from parameters.settings import Settings


def view(settings: Settings) -> View:
    """Show q and k in their plane, q at several positions, or both tokens shifted together."""
    if settings["speed"] == "own":
        speed = math.radians(settings.number("degrees"))
    else:
        speed = float(speeds(plain_head(settings))[settings.whole("pair")])
    pair = PairSettings(settings.vector("q"), settings.vector("k"), settings.whole("m"), settings.whole("n"), speed)
    match settings["pair_view"]:
        case "positions":
            return _positions_view(pair, tuple(map(int, settings.vector("at"))))
        case "shift":
            return _shift_view(pair, settings.whole("shift"))
        case _:
            return _plane_view(pair)


def _plane_view(pair: PairSettings) -> View:
    numbers = computed(plane_columns, *pair)
    q, k, q_after, k_after = numbers["columns"].values()
    return View(
        figure=plane(q, k, q_after, k_after, say=_),
        alt=_("q turns by {q}° to {q_end}, k by {k}° to {k_end}; their score is {score}.").format(
            q=turns(pair.m * pair.speed)[1],
            q_end=point(q_after),
            k=turns(pair.n * pair.speed)[1],
            k_end=point(k_after),
            score=score_text(pair, three_scores(pair)[0], 6),
        ),
        sentences=sentences(pair),
        formula=formula(pair),
        code=code(pair, "result = torch.stack((rotate(q, m), rotate(k, n)))  # the solid arrows"),
        **numbers,
    )


def _positions_view(pair: PairSettings, positions: tuple[int, ...]) -> View:
    numbers = computed(position_columns, pair.q, pair.speed, positions)
    titles = [f"m = {position:,}<br>{turns(position * pair.speed)[1]}°" for position in positions]
    vectors = np.stack([*numbers["columns"].values()][1:], axis=-1)
    return View(
        figure=several(vectors, np.array(pair.q), titles=titles, say=_),
        alt=_("q at several positions: {titles}.").format(titles="; ".join(title.replace("<br>", ", ") for title in titles)),
        sentences=(step_sentence(pair), *turn_sentences(pair, positions)),
        formula=positions_formula(pair, positions[-1]),
        code=code(pair, f"result = torch.stack([rotate(q, position) for position in {list(positions)}])"),
        **numbers,
    )


def _shift_view(pair: PairSettings, shift: int) -> View:
    numbers = computed(shift_columns, *pair)
    shifts, rope, additive = numbers["columns"].values()
    turned = turn_pair(pair.q, pair.k, pair.speed, (pair.m + shift,), (pair.n + shift,))
    template = _("Shifted by {shift}, q stands at {m} and k at {n}: the score of RoPE is {rope}, with the added code it is {additive}.")
    m, n, now, other = (
        f"`{pair.m + shift:,}`",
        f"`{pair.n + shift:,}`",
        *(score_text(pair, row[shift], 6, shift=shift) for row in (rope, additive)),
    )
    shifted = template.format(shift=f"`{shift}`", m=m, n=n, rope=f"`{now}`", additive=f"`{other}`")
    all_shifts = _(
        "Over shifts from 0 to 100 the score of RoPE stays at {score}; with an added sinusoidal code it runs from {low} to {high}."
    ).format(score=score_text(pair, rope[0], 6, shift=SHIFTS - 1), low=f"{additive.min():.4g}", high=f"{additive.max():.4g}")
    return View(
        figure=shift_both(shift, shifts, turned.q[0], turned.k[0], rope, additive, say=_),
        alt=f"{shifted.replace('`', '')} {all_shifts}",
        sentences=(shifted, *sentences(pair)),
        formula=shift_formula(pair, shift, float(rope[shift])),
        code=code(
            pair,
            f"scores = [rotate(q, m + shift) @ rotate(k, n + shift) for shift in range({SHIFTS})]\n"
            "result = torch.stack(scores)  # the flat line",
        ),
        **numbers,
    )
