"""Claims of the page Base and context."""

import math
from itertools import pairwise

import numpy as np

from rope_core import ProportionalScaling, catalogue_models
from tests.oracles import scores as oracle
from tests.truth.frequencies import open_pairs
from tests.truth.heads import cosines, plain_of
from tests.truth.learn import always
from tests.truth.sentences import claim, says, value

claim(
    "bases",
    "bases. Base {base} with {width} rotated coordinates:",
    "The sum is divided by d/2, so only distance 0, which is not drawn, reaches 1.",
)(always)
claim(
    "bases",
    "This is the criterion of one paper",
    "at any distance of the context.",
    "Lowest sum in each bin of distances",
    "they are two",
    "no axis holds both.",
    "It speaks of averages",
)(always)
claim(
    "bases",
    "It is not the last word: larger bases may fail",
    "none below {limit}.",
    "Each diamond is a model, or several alike",
    "Only the coordinates that turn are summed",
)(always)
claim("bases", "the smallest passing base is known here for up to {longest} tokens.", "The context is longer than that.")(always)
claim("bases", "where at most half of the head turns, the others keep the whole sum from ever being negative.", "than a sliding window.")(
    always
)


def first_negative(base, width, limit):
    return oracle.first_negative(oracle.speeds(width, base), limit)


NEAR = 4096
"""Distances that are recomputed; farther ones are held against published numbers in tests/rope_core."""


@claim("bases", "Base {base}: no negative sum at any distance below {limit}, so it passes for {context} token{s:text}.")
def base_passes(settings, base, limit, context, s):
    assert value(limit) >= value(context) == settings.whole("context")
    assert first_negative(settings.number("base"), settings.whole("head_dim"), min(NEAR, int(value(limit)))) is None


@claim("bases", "Base {base}: the sum is first negative at distance {first}, so it {word:text} for {context} token{s:text}.")
def base_verdict(settings, base, first, word, context, s):
    at = int(value(first))
    assert word == ("fails" if at < settings.whole("context") else "passes")
    found = first_negative(settings.number("base"), settings.whole("head_dim"), NEAR)
    assert found == at if at < NEAR else found is None


@claim("bases", "For {context:text} the base decides nothing: no pair turns by more than 1 rad, and every cosine is positive.")
def base_decides_nothing(settings, context):
    assert settings.whole("context") <= 2
    assert all(first_negative(base, settings.whole("head_dim"), settings.whole("context")) is None for base in (1.01, 2, 100, 1e9))


@claim("bases", "With 2 rotated coordinates the base decides nothing: pair 0 turns by 1 rad at every base, and cos 2 is negative.")
def base_of_one_pair(settings):
    assert settings.whole("head_dim") == 2
    assert {first_negative(base, 2, 9) for base in (1.01, 100, 1e9)} == {2}


@claim("bases", "Searching up from 1.01 in steps of 0.02%, the first base that passes for {context} token{s:text} is {base}.")
def base_smallest(settings, context, base, s):
    width, length = settings.whole("head_dim"), settings.whole("context")
    assert value(context) == length
    if length <= NEAR:
        assert first_negative(value(base), width, length) is None
        lower = np.geomspace(1.01, (value(base) - 0.01) * (1 - 2e-4), 40)  # it is shown rounded up
        assert all(first_negative(each, width, length) is not None for each in lower)


@claim("bases", "No base that was tried from 1.01 to {highest} passes for {context} token{s:text} with {width} rotated coordinates.")
def base_none(settings, highest, context, width, s):
    assert all(first_negative(base, settings.whole("head_dim"), 100_000) is not None for base in np.geomspace(1.01, 2e9, 9)[:6])


@claim("bases", "some bases up to about {failing} still fail.")
def base_failing(settings, failing):
    length = settings.whole("context")
    if length <= NEAR:
        near = np.geomspace(value(failing) - 0.51, value(failing) + 0.51, 9)
        assert any(first_negative(base, settings.whole("head_dim"), length) is not None for base in near)
        assert all(
            first_negative(base, settings.whole("head_dim"), length) is None for base in np.geomspace(value(failing) * 1.001, 2e9, 12)
        )


@claim("bases", "Every larger one that was tried passes too.", "Larger ones fail again, up to the largest that was tried, 2,000,000,000.")
def base_larger(settings, view):
    width, length = settings.whole("head_dim"), settings.whole("context")
    if length <= NEAR and "Every larger one" in " ".join(view.sentences):
        assert all(first_negative(base, width, length) is None for base in np.geomspace(600, 2e9, 12))


@claim("bases", "No model of the list turns {width} coordinates.")
def base_no_model(settings, width):
    assert int(width) == settings.whole("head_dim")
    turning = (model.config for model in catalogue_models() if model.config and not isinstance(model.config.scaling, ProportionalScaling))
    assert all(config.rotary_dim != int(width) for config in turning)


@claim("bases", "models here that turn {width} coordinates, {early} have a negative sum within their length:")
def base_models(settings, width, early):
    assert int(width) == settings.whole("head_dim")  # the count itself: tests/lessons/test_bases_lesson.py


@claim(
    "bases",
    "Near base {base} it is lowest at distance {span:text}: {number}.",
    "In the row nearest to your base, {base}, it is lowest at distance {span:text}: {number}.",
)
def base_lowest(settings, view, base, span, number):
    width = settings.whole("head_dim")
    bases = np.unique(view.columns["base"])
    nearest = bases[np.abs(np.log(bases) - math.log(settings.number("base"))).argmin()]
    low, high = (int(value(end)) for end in (*span.strip("`").split(" – "), span.strip("`").split(" – ")[0])[:2])
    low, high = min(low, high), max(low, high)
    if high < 20_000:
        sums = cosines(tuple(oracle.speeds(width, nearest)), 20_000) / (width // 2)
        assert says(number, sums[low : high + 1].min())
        assert sums[1:].min() >= sums[low : high + 1].min() - 1e-6


@claim("bases", "Every distance up to {reach} was computed, and each cell shows the lowest sum of its bin, so no negative one is lost.")
def base_cells(settings, view, reach):
    assert view.columns["distance_below"].max() == value(reach) + 1


def first_negative_columns(view):
    bases, start, lowest = (view.columns[name] for name in ("base", "distance_from", "lowest_mean_cosine"))
    return [
        min((at for at, low in zip(start[bases == base], lowest[bases == base], strict=True) if low < 0), default=math.inf)
        for base in np.unique(bases)
    ]


@claim("bases", "From one row to the next the first negative bin never comes earlier")
def base_not_jagged(_settings, view):
    rows = first_negative_columns(view)
    assert all(b >= a for a, b in pairwise(rows))


@claim("bases", "yet the first negative bin comes earlier {back} times in {steps}: the edge is jagged.")
def base_jagged(_settings, view, back, steps):
    rows = first_negative_columns(view)
    assert (int(back), int(steps)) == (sum(b < a for a, b in pairwise(rows)), len(rows) - 1)


def round_coordinates(settings):
    head = plain_of(settings)
    return head.width - 2 * len(open_pairs(head.plain, head.length)), head


@claim(
    "bases",
    "In {context} steps of one token {here} of {width} coordinates belong to pairs that come round at least once. "
    "Those of the other {rest} meet a part of their circle only: longer texts bring angles that are new.",
)
def base_come_round(settings, context, here, width, rest):
    count, head = round_coordinates(settings)
    assert (value(context), int(here), int(width), int(rest)) == (head.length, count, head.width, head.width - count)


@claim("bases", "In {context} steps of one token all {width} coordinates belong to pairs that come round at least once.")
def base_all_round(settings, context, width):
    count, head = round_coordinates(settings)
    assert (value(context), int(width)) == (head.length, count)


@claim("bases", "{here} of {width} coordinates come round at least once.")
def base_round_alt(settings, here, width):
    assert int(here) == round_coordinates(settings)[0]


@claim("bases", "A larger base never raises this number, {here}, while")
def base_never_raises(settings, view, here):
    count, _ = round_coordinates(settings)
    assert int(here) == count
    assert (np.diff(view.columns["critical_dimension"]) <= 0).all()
