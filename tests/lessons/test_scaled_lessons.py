"""Frequencies and decay of heads that turn in part or are scaled: code that gives the figure, and sentences that stay true."""

import functools
import itertools
import re
from typing import NamedTuple

import numpy as np
import pytest
import torch

from compute import scores as compute
from lessons.decay import PAGE as DECAY
from lessons.frequencies import PAGE as FREQUENCIES
from parameters.head_config import model_head
from parameters.methods import to_text
from rope_core import (
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    RopeConfig,
    YarnScaling,
    attention_factor,
    inverse_frequencies,
)
from tests.evaluate import settings_of
from tests.oracles import scores as oracle


def longrope(pairs):
    """Divisors that do not rise, one below 1: the fastest and the slowest pair stand anywhere."""
    divisors = [(0.5, 90.0, 1.0, 7.0, 300.0)[i % 5] for i in range(pairs)]
    return LongRopeScaling(short_factor=divisors, long_factor=[2.0] * pairs, original_max_position=4096, factor=16)


METHODS = {
    "none": lambda pairs: None,
    "linear": lambda pairs: LinearScaling(4),
    "ntk": lambda pairs: NtkScaling(4),
    "dynamic": lambda pairs: DynamicNtkScaling(4),
    "yarn": lambda pairs: YarnScaling(4),
    "yarn-rotation": lambda pairs: YarnScaling(40, ramp="rotation", mscale=0.7, mscale_all_dim=1.0),
    "llama3": lambda pairs: Llama3Scaling(8, low_freq_factor=1, high_freq_factor=4, original_max_position=8192),
    "llama4": lambda pairs: Llama3Scaling(16, low_freq_factor=1, high_freq_factor=1, original_max_position=8192),
    "longrope": longrope,
    "proportional": lambda pairs: ProportionalScaling(rotary_fraction=0.5, factor=8),
}
WIDTHS = [(2, 2), (4, 2), (128, 128), (192, 64), (512, 512), (512, 6)]
KINDS = ("ones", "peak", "typed")
TYPED = {"q_head": "1 -2 0.5", "k_head": "0.3 1 -1 2"}


class Head(NamedTuple):
    """A head as an address, and what the pages make of it."""

    name: str
    address: dict[str, object]
    config: RopeConfig

    def __str__(self) -> str:
        config = self.config
        return f"{self.name}-{config.head_dim}-{config.rotary_dim}-{config.layout}-{config.base:g}"


def head(name, head_dim=128, turning=None, **more):
    """Make a head with one of the methods; None where the method does not fit."""
    turning = turning or head_dim
    address = {"head_dim": head_dim, "rotary": repr(turning / head_dim), "scaling": to_text(METHODS[name](turning // 2))} | more
    config, notices = model_head(settings_of("decay", **address))
    return None if notices else Head(name, address, config)


def heads():
    for name, (head_dim, turning), layout in itertools.product(METHODS, WIDTHS, ("half", "interleaved")):
        for base, context in ((1e4, 4096), (1.01, 2), (1e9, 10_000_000)):
            made = head(name, head_dim, turning, base=base, layout=layout, context=context)
            if made:  # no second pair, or not the whole head
                yield made


HEADS = list(heads())
HALF = [each for each in HEADS if each.config.layout == "half"]
SOME = [each for each in HEADS if each.config.head_dim in (4, 128, 192) and each.config.base == 1e4]
SOME = [each for each in SOME if each.config.layout == "half" or each.name in ("none", "yarn")]


def frequencies(view, head):
    return FREQUENCIES.view(settings_of("frequencies", freq_view=view, **head.address))


def decay(view, head, kind="ones", reach=100, **more):
    length = {"tokens" if view == "spectrum" else "reach": reach}
    return DECAY.view(settings_of("decay", decay_view=view, vectors=kind, peak=70, **TYPED, **length, **head.address, **more))


def random(head, reach=100):
    return decay("random", head, reach=reach, seed=3)


def views(head):
    yield frequencies("speeds", head)
    yield frequencies("turns", head)
    for kind in KINDS:
        yield from (decay(view, head, kind) for view in ("score", "bound", "spectrum"))
    yield random(head)


def result(view):
    names = {}
    exec(view.code, names)
    return names["result"].numpy()


def said(view):
    return " ".join((*view.sentences, *view.formula, view.alt))


@functools.cache
def slow_scores(config, kind, distances):
    """Both vectors turned pair by pair at positions of their own, A included, and multiplied; nothing of phasors."""
    speeds, factor = inverse_frequencies(config).tolist(), attention_factor(config)
    if kind == "typed":
        q, k = (np.resize(np.array(values), config.head_dim) for values in ([1.0, -2.0, 0.5], [0.3, 1.0, -1.0, 2.0]))
    else:
        q = np.ones(config.head_dim)
        k = oracle.rotated(q, 70, speeds, config.rotary_dim, config.layout) if kind == "peak" else q
    turn = lambda x, position: oracle.rotated(x, position, speeds, config.rotary_dim, config.layout, factor)  # noqa: E731
    return np.array([turn(q, 1000 + distance) @ turn(k, 1000) for distance in distances])


@pytest.mark.parametrize("head", SOME, ids=str)
class TestCode:
    def test_speeds_that_are_drawn_are_its_numbers(self, head):
        view = frequencies("speeds", head)
        theta, wavelength = result(view)
        moving = theta > 0
        speeds, turns, *crosses = view.figure.data
        np.testing.assert_allclose(speeds.y, theta[moving], rtol=1e-12)
        np.testing.assert_allclose(turns.y, wavelength[moving], rtol=1e-12)
        assert [len(cross.x) for cross in crosses] == ([] if moving.all() else [np.sum(~moving)] * 2)
        np.testing.assert_allclose(view.columns["theta"], theta, rtol=1e-12)

    def test_turns_that_are_drawn_are_its_numbers(self, head):
        view = frequencies("turns", head)
        made, swept = result(view)
        done, undone, *crosses, bars = view.figure.data
        drawn = dict(zip([*done.x, *undone.x], [*done.y, *undone.y], strict=True))
        assert drawn == pytest.approx({pair: value for pair, value in enumerate(made) if value > 0}, rel=1e-12)
        assert sum(len(cross.x) for cross in crosses) == np.sum(made == 0)
        np.testing.assert_allclose(bars.y, swept, rtol=1e-12)

    @pytest.mark.parametrize("kind", KINDS)
    def test_band_and_its_lines_hold_the_scores_of_turned_vectors(self, head, kind):
        view, want = decay("score", head, kind), slow_scores(head.config, kind, tuple(range(1, 101)))
        size = np.abs(want).max() + head.config.head_dim
        np.testing.assert_allclose(result(view), want, atol=1e-11 * size)
        np.testing.assert_allclose(view.columns["highest"], want, atol=1e-11 * size)  # bins of one distance each
        np.testing.assert_allclose(view.columns["lowest"], want, atol=1e-11 * size)

    @pytest.mark.parametrize("kind", KINDS)
    def test_bound_holds_the_score_at_every_distance(self, head, kind):
        view = decay("bound", head, kind)
        want = slow_scores(head.config, kind, tuple(view.columns["distance"].astype(int).tolist()))
        upper, lower = (trace for trace in view.figure.data if trace.mode == "markers" and trace.yaxis is None)
        assert (want <= np.array(upper.y) + 1e-9 * abs(want).max()).all()
        assert (want >= np.array(lower.y) - 1e-9 * abs(want).max()).all()
        np.testing.assert_allclose(result(view), np.array(upper.y)[[0, -1]], rtol=1e-9, atol=1e-9)

    @pytest.mark.parametrize("kind", KINDS)
    def test_spectrum_is_that_of_the_scores(self, head, kind):
        view, want = decay("spectrum", head, kind, 64), slow_scores(head.config, kind, tuple(range(64)))
        transform = 2 / 64 * np.abs(np.fft.rfft(want))[1:]
        np.testing.assert_allclose(result(view), transform, atol=1e-9)
        np.testing.assert_allclose(view.columns["resolved_amplitude"][:-1], transform[:-1], atol=1e-9)
        assert (np.array(view.figure.data[0].x) > 0).all()

    def test_mean_of_random_scores_is_its_first_and_last(self, head):
        view = random(head)
        np.testing.assert_allclose(result(view), view.columns["mean"][[0, -1]], atol=1e-9)

    def test_one_random_score_is_that_of_turned_vectors(self, head):
        config = head.config
        q, k = torch.randn(
            2, compute.RANDOM_PAIRS, config.head_dim, dtype=torch.float64, generator=torch.Generator().manual_seed(3)
        ).numpy()
        speeds, factor = inverse_frequencies(config).tolist(), attention_factor(config)
        turn = lambda x, at: oracle.rotated(x, at, speeds, config.rotary_dim, config.layout, factor)  # noqa: E731
        want = [turn(one, 20) @ turn(other, 19) for one, other in zip(q, k, strict=True)]
        random = compute.random_scores(config, 100, 3)
        assert random["mean"][0] == pytest.approx(np.mean(want), abs=1e-9)
        assert random["spread"][0] == pytest.approx(np.std(want, ddof=1), abs=1e-9)


@pytest.mark.parametrize("name", METHODS)
def test_sentences_are_whole_at_every_width_base_and_length(name):
    for each in (each for each in HALF if each.name == name):
        for view in views(each):
            text = said(view)
            assert not re.search(r"\b(nan|inf)\b|`-0`|\B-0\.00\b", text), text
            assert not re.search(r"\{\w*\}", "".join((*view.sentences, view.alt))), text
            assert view.figure.to_json()


@pytest.mark.parametrize("head", HALF, ids=str)
def test_words_about_the_pairs_are_those_of_the_speeds(head):
    """Read the numbers of the sentences back and count for oneself."""
    name, _, config = head
    speeds = inverse_frequencies(config).numpy()
    moving = speeds[speeds > 0]
    one, two, three = frequencies("speeds", head).sentences
    pattern = r"Pair (\d+), the fastest, turns by `(.+?)` rad.*Pair (\d+), the slowest.*? by `(.+?)` rad"
    if config.pairs == 1:
        first, fast, last, slow = 0, *re.findall(r"only pair turns by `(.+?)` rad", one), 0, speeds[0]
    else:
        first, fast, last, slow = re.match(pattern, one).groups()
    assert (float(fast), float(slow)) == pytest.approx((moving.max(), moving.min()), rel=1e-5)
    assert (speeds[int(first)], speeds[int(last)]) == pytest.approx((moving.max(), moving.min()), rel=1e-12)
    longer = np.flatnonzero(speeds * config.trained_length < 2 * np.pi)
    if len(longer):
        count, of, pair = re.search(r"`(\d+)` of `(\d+)` pairs never.*pair (\d+) \(", two).groups()
        assert (int(count), int(of), int(pair)) == (len(longer), config.pairs, longer[0])
        assert ("all after it" in two) == (len(longer) == config.pairs - longer[0])
    else:
        assert "Every pair makes at least one turn" in two
    if config.scaling:
        plain = config.base ** (-2 * np.arange(config.pairs) / config.rotary_dim)
        divisors = plain[speeds > 0] / moving
        kept = np.sum(np.abs(divisors - 1) < 1e-9)
        assert f"`{kept}` of `{config.pairs}` pairs keep" in three
        assert ("stand still" in three) == (len(moving) < config.pairs)
        assert ("A² = " in three) == (attention_factor(config) != 1)
        assert ("longer ones have others" in three) == (name in ("dynamic", "longrope"))
    assert ("coordinates" in three) >= (config.rotary_dim < config.head_dim)


class TestSpotChecks:
    def test_yarn_of_a_known_model(self):
        text = frequencies("speeds", head("yarn", base=1e6, context=32_768)).sentences[2]
        assert "YaRN, factor 4: " in text
        assert "A = `1.13863`" in text
        assert "A² = `1.29648`" in text

    def test_longer_text_meets_new_angles_only_under_the_plain_law(self):
        assert "have not met" in frequencies("turns", head("none")).sentences[1]
        assert "have not met" not in frequencies("turns", head("yarn")).sentences[1]

    def test_part_of_a_head_adds_a_constant_and_says_so(self):
        view = decay("score", head("none", 192, 64))
        assert "Coordinates `64` to `191` do not turn: they add `128` to the score" in said(view)
        assert "the score is `192`" in view.sentences[0]
        assert "does not drop below zero" in view.sentences[1]

    def test_score_of_alike_vectors_drops_below_zero_where_the_constant_lets_it(self):
        config = RopeConfig(10, rotary_dim=8, base=100.0)
        want = slow_scores(config, "ones", tuple(range(3000)))
        assert compute.first_negative(config, 2999) == int(np.flatnonzero(want < 0)[0])

    def test_spread_of_random_scores_counts_a_and_the_rest(self):
        yarn = head("none", 128, 32, scaling=to_text(YarnScaling(16)))
        root = np.sqrt(1.2772588722239781**4 * 32 + 96)
        view = random(yarn)
        assert f"√(A⁴dᵣ + d - dᵣ) = `{root:.4f}`" in view.sentences[0]
        assert view.columns["spread"].mean() == pytest.approx(root, rel=0.1)

    def test_key_with_a_peak_scores_a_squared_there_and_not_a_cubed(self):
        view = decay("score", head("none", 64, scaling=to_text(YarnScaling(16))), "peak")
        assert f"{64 * 1.2772588722239781**2:.6g}" in view.sentences[1]
        assert view.columns["highest"].max() == pytest.approx(64 * 1.2772588722239781**2, rel=1e-12)

    def test_pairs_that_stand_still_are_no_lines(self):
        view = decay("spectrum", head("none", 64, scaling=to_text(ProportionalScaling(rotary_fraction=0.25))))
        assert len(view.figure.data[0].x) == 8
        assert "of the `8` that turn. The other `24` pairs stand still" in view.sentences[0]
