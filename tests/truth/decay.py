"""Claims of the page Distance decay: scores come from oracles."""

import math
from itertools import pairwise

import numpy as np

from tests.oracles import scores as oracle
from tests.truth.heads import TAU, head_of
from tests.truth.learn import always
from tests.truth.sentences import claim, says, value

claim(
    "decay", "Every distance was counted.", "the line between them only guides the eye.", "nothing decays.", "sees them as one slow drift."
)(always)
claim("decay", "With many pairs of different speeds the bound tends to get smaller with distance, but nothing makes it fall steadily")(
    always
)
claim("decay", "to each score, at every distance the same.", "at distance 0 it is (P + 1) / 2", "These are your own q and k")(always)
claim("decay", "they add a number of its own to each score, at every distance the same.", "RoPE does not force a head to look close by.")(
    always
)


def vectors(settings):
    """Return q and k of full width, as the address says."""
    head = head_of(settings)
    if settings["vectors"] == "typed":
        return [np.resize(np.array(settings.vector(name), dtype=float), head.width) for name in ("q_head", "k_head")]
    q = np.ones(head.width)
    far = settings.whole("peak") if settings["vectors"] == "peak" else 0
    return [q, oracle.rotated(q, far, head.speeds(), head.turning, settings.text("layout"))]


def score_curve(settings, stop):
    """Return the score at distances 0 .. ``stop`` - 1, the constant, and the most that the pairs can add."""
    head, (q, k) = head_of(settings), vectors(settings)
    places = [oracle.pair_of(i, head.turning, settings.text("layout")) for i in range(head.pairs)]
    z = np.array([head.factor**2 * complex(q[a], q[b]) * complex(k[a], -k[b]) for a, b in places])
    constant = float(q[head.turning :] @ k[head.turning :])
    return oracle.curve(z[None], np.array(head.speeds()), np.arange(stop))[0] + constant, constant, float(np.abs(z).sum())


def near(text, exact, size):
    return abs(value(text) - exact) <= 6e-6 * abs(exact) + 1e-9 * size + 1e-12


@claim(
    "decay",
    "At distance 0, which a log axis cannot show, the score is {zero}. From 1 to {reach} it lies between {low} and "
    "{high}; at {again} it is {end}.",
)
def decay_range(settings, zero, reach, low, high, again, end):
    curve, constant, most = score_curve(settings, int(value(reach)) + 1)
    for text, exact in ((zero, curve[0]), (low, curve[1:].min()), (high, curve[1:].max()), (end, curve[-1])):
        assert near(text, exact, most + abs(constant))


@claim("decay", "so all pairs agree at distance {peak} and the score is highest there: {score}.")
def decay_peak(settings, peak, score):
    curve, _constant, most = score_curve(settings, int(value(peak)) + 200)
    assert value(peak) == settings.whole("peak")
    assert near(score, curve.max(), most)
    assert curve[int(value(peak))] >= curve.max() - 1e-9 * most


@claim("decay", "so the score is highest at distance 0. It need not fall steadily, and does not drop below zero as far as this axis goes.")
def decay_no_zero(settings):
    curve, _, most = score_curve(settings, settings.whole("reach") + 1)
    assert curve[0] >= curve.max() - 1e-9 * most
    assert curve.min() >= -1e-9 * most


@claim("decay", "so the score is highest at distance 0. It need not fall steadily, and first drops below zero at distance {distance}.")
def decay_zero(settings, distance):
    curve, _, most = score_curve(settings, settings.whole("reach") + 1)
    at = int(value(distance))
    assert curve[0] >= curve.max() - 1e-9 * most
    assert curve[at] < 1e-9 * most
    assert curve[:at].min() >= -1e-9 * most


@claim("decay", "The middle panel draws the same score on an axis of its own: from distance 1 to {reach} it lies between {low} and {high}.")
def decay_middle_panel(settings, reach, low, high):
    curve, _, most = score_curve(settings, settings.whole("reach") + 1)
    assert value(reach) == settings.whole("reach")
    assert near(low, curve[1:].min(), most)
    assert near(high, curve[1:].max(), most)


@claim("decay", "do not turn: they add {constant} to the score, at every distance.")
def decay_constant(settings, constant):
    _, exact, most = score_curve(settings, 1)
    assert near(constant, exact, most)


@claim("decay", "Whatever the distance, no score of these q and k is larger in size than {ceiling}.")
def decay_ceiling(settings, ceiling):
    curve, constant, most = score_curve(settings, settings.whole("reach") + 1)
    assert np.abs(curve).max() <= value(ceiling) * (1 + 6e-6) + 1e-9
    assert near(ceiling, abs(constant) + most, most)


def score_bound(settings, distance):
    head, (q, k) = head_of(settings), vectors(settings)
    places = [oracle.pair_of(i, head.turning, settings.text("layout")) for i in range(head.pairs)]
    z = [head.factor**2 * complex(q[a], q[b]) * complex(k[a], -k[b]) for a, b in places] + [0]
    return max(abs(b - a) for a, b in pairwise(z)) * sum(oracle.partial_sums(head.speeds(), distance))


@claim(
    "decay",
    "the score is at most {first} away at distance 1 and {last} at {reach}, where it is {end}.",
    "The bound is {first} at distance 1 and {last} at {reach}, where the score is {end}.",
)
def decay_bound(settings, first, last, reach, end):
    curve, constant, most = score_curve(settings, int(value(reach)) + 1)
    for distance, text in ((1, first), (int(value(reach)), last)):
        exact = score_bound(settings, distance)
        assert near(text, exact, most * len(curve))
        assert abs(curve[distance] - constant) <= exact + 1e-9 * most
    assert near(end, curve[-1], most + abs(constant))


claim("decay", "The score lies within {first} of {constant} at distance 1")(always)


@claim("decay", "the expected score is 0 and its standard deviation {sign:text} = {root}, at every distance: nothing decays.")
def decay_random(settings, sign, root):
    head = head_of(settings)
    assert says(root, math.sqrt(head.factor**4 * head.turning + head.width - head.turning))


@claim(
    "decay",
    "In these {count} draws the mean lies up to {errors} standard errors away from 0, the largest of {places} deviations, one a distance.",
)
def decay_draws(_settings, view, count, errors, places):
    mean, spread = view.columns["mean"], view.columns["spread"]
    assert int(places) == len(mean)
    assert says(errors, float((np.abs(mean) / (spread / math.sqrt(int(count)))).max()))


claim("decay", "draws A makes the scores so small that float64 cannot tell")(always)


@claim("decay", "one a pair, {pairs} in all: the coloured lines are its exact spectrum.")
def decay_lines(settings, pairs):
    head = head_of(settings)
    assert int(pairs) == head.pairs == sum(speed > 0 for speed in head.speeds())


@claim("decay", "the exact spectrum of the {turning} that turn. The other {count} pairs stand still and add the same at every distance.")
def decay_still_lines(settings, turning, count):
    speeds = head_of(settings).speeds()
    assert (int(turning), int(count)) == (sum(speed > 0 for speed in speeds), sum(speed == 0 for speed in speeds))


@claim(
    "decay",
    "The {count} coordinates that do not turn add a constant, which is no line.",
    "So do the {count} coordinates outside of the pairs.",
)
def decay_no_line(settings, count):
    head = head_of(settings)
    assert int(count) == head.width - head.turning


@claim("decay", "Every pair that turns comes round at least once in {tokens} tokens.")
def decay_comes_round(settings, tokens):
    assert all(speed * value(tokens) >= TAU * (1 - 1e-12) for speed in head_of(settings).speeds() if speed)


@claim("decay", "Pairs that turn less than once in {tokens} tokens: {count}.")
def decay_drift(settings, tokens, count):
    assert int(count) == sum(0 < speed * value(tokens) < TAU for speed in head_of(settings).speeds()) > 0


@claim("decay", "{merged} of the {gaps} steps from one speed to the next are smaller.")
def decay_merged(settings, merged, gaps):
    speeds = sorted(speed for speed in head_of(settings).speeds() if speed)
    steps = [b - a for a, b in pairwise(speeds)]
    width = TAU / settings.whole("tokens")
    assert int(gaps) == len(steps)
    assert abs(int(merged) - sum(step < width for step in steps)) <= sum(abs(step / width - 1) < 1e-9 for step in steps)
