"""The PyTorch lines of every view are run: they compute the numbers of the figure that stands above them."""

import math

import numpy as np
import pytest

from lessons.registry import PAGES
from parameters import PARAMETERS
from tests.views import traces, view_of, views

DEFAULTS = {name: PARAMETERS[name].default for name in ("reach", "tokens")}
TYPED = {"vectors": "typed", "layout": "interleaved", "q_head": "1 -2 0.5 3 4", "k_head": "0.3, 1, 1"}
OTHER = {"base": "500000", "head_dim": "64"}


def result(view):
    """Return what the PyTorch lines of a view compute."""
    names = {}
    exec(view.code, names)
    return names["result"].numpy()


def close(tolerance=1e-9):
    return {"rtol": tolerance, "atol": tolerance}


def turned(trace):
    """The angle at which a clock hand stands; it is drawn to a thousandth of its length."""
    return math.atan2(trace["y"][1] - trace["y"][0], trace["x"][1] - trace["x"][0])


def arrow(trace):
    return [trace["x"][1] - trace["x"][0], trace["y"][1] - trace["y"][0]]


def bins(middles):
    """The edges of bins of whole distances that begin at 1 and stand at their middles."""
    edges = [1]
    for middle in middles:
        edges.append(round(2 * middle) - edges[-1] + 1)
    return np.array(edges)


class TestCode:
    @pytest.mark.parametrize("link", [{}, OTHER, {"head_dim": "2", "position": "0"}, {"head_dim": "512", "position": "9999999"}])
    def test_clock_hands_stand_at_its_angles(self, link):
        view = view_of("start", **link)
        (angles,), hands = result(view), traces(view)[1:]
        assert len(angles) == len(hands)
        for angle, hand in zip(angles, hands, strict=True):
            assert math.remainder(turned(hand) - angle, 2 * math.pi) == pytest.approx(0, abs=2e-3)

    @pytest.mark.parametrize("link", [{}, OTHER | {"position": "5000", "gap": "700"}])
    def test_hands_of_two_tokens_stand_at_its_angles(self, link):
        view = view_of("start", start_view="two", **link)
        hands = [trace for trace in traces(view) if trace.get("name")]
        for trace, angles in zip(hands, result(view), strict=True):
            assert len(angles) == len(trace["x"]) // 3
            for index, angle in enumerate(angles):
                hand = {axis: trace[axis][3 * index : 3 * index + 2] for axis in ("x", "y")}
                assert math.remainder(turned(hand) - angle, 2 * math.pi) == pytest.approx(0, abs=2e-3)

    @pytest.mark.parametrize(
        "link",
        [{}, OTHER | {"m": "1000003", "n": "77", "pair": "31"}, {"speed": "own", "degrees": "33.3", "q": "1e-3, -7", "k": "0 2", "m": "0"}],
    )
    def test_solid_arrows_end_where_it_says(self, link):
        view = view_of("pair", **link)
        solid = [arrow(trace) for trace in traces(view) if trace.get("line", {}).get("dash") == "solid"]
        np.testing.assert_allclose(result(view), solid, **close())

    @pytest.mark.parametrize(
        "link", [{}, {"at": "3", "speed": "own", "degrees": "90"}, OTHER | {"at": "0 1 2 3 4 5 6 9999999", "q": "2 1"}]
    )
    def test_query_at_each_position_ends_where_it_says(self, link):
        view = view_of("pair", pair_view="positions", **link)
        solid = [arrow(trace) for trace in traces(view) if trace.get("name") and trace["line"]["dash"] == "solid"]
        np.testing.assert_allclose(result(view), solid, **close())

    @pytest.mark.parametrize("link", [{}, OTHER | {"m": "5", "n": "4000", "q": "3 4"}, {"speed": "own", "degrees": "0.5"}])
    def test_flat_line_of_both_shifted_has_its_scores(self, link):
        view = view_of("pair", pair_view="shift", **link)
        flat = next(trace for trace in traces(view) if trace["mode"] == "lines" and trace["line"].get("dash") is None)
        np.testing.assert_allclose(result(view), flat["y"], **close())
        assert np.ptp(flat["y"]) < 1e-9

    @pytest.mark.parametrize(
        "link",
        [
            {},
            OTHER | {"reach": "20000"},
            TYPED | {"reach": "3000"},
            TYPED | {"layout": "half", "head_dim": "6"},
            {"vectors": "peak", "peak": "500"},
        ],
    )
    def test_band_runs_from_the_lowest_to_the_highest_of_its_scores_in_every_bin(self, link):
        view = view_of("decay", **link)
        scores, (high, low) = result(view), traces(view)
        edges = bins(high["x"])
        assert edges[-1] == int(link.get("reach", DEFAULTS["reach"])) + 1
        assert len(scores) == int(link.get("reach", DEFAULTS["reach"]))
        np.testing.assert_allclose(np.maximum.reduceat(scores, edges[:-1] - 1), high["y"], **close())
        np.testing.assert_allclose(np.minimum.reduceat(scores, edges[:-1] - 1), low["y"], **close())

    @pytest.mark.parametrize("link", [{}, OTHER | {"seed": "7", "reach": "50"}, {"layout": "interleaved", "head_dim": "10"}])
    def test_mean_of_random_scores_is_its_at_the_first_and_the_last_distance(self, link):
        view = view_of("decay", decay_view="random", **link)
        mean = next(trace for trace in traces(view) if "markers" in trace["mode"])
        assert (mean["x"][0], mean["x"][-1]) == (1, int(link.get("reach", DEFAULTS["reach"])))
        np.testing.assert_allclose(result(view), mean["y"][[0, -1]], **close())

    @pytest.mark.parametrize("link", [{}, OTHER, TYPED, {"vectors": "peak", "peak": "9", "reach": "100000"}])
    def test_bound_is_its_at_the_first_and_the_last_distance(self, link):
        view = view_of("decay", decay_view="bound", **link)
        bound = next(trace for trace in traces(view) if trace["mode"] == "markers")
        assert (bound["x"][0], bound["x"][-1]) == (1, int(link.get("reach", DEFAULTS["reach"])))
        np.testing.assert_allclose(result(view), bound["y"][[0, -1]], **close())

    @pytest.mark.parametrize("link", [{}, OTHER | {"tokens": "1000"}, TYPED | {"tokens": "30000"}, {"vectors": "peak", "tokens": "17"}])
    def test_grey_line_of_the_spectrum_shows_the_largest_of_its_amplitudes_around_each_point(self, link):
        view = view_of("decay", decay_view="spectrum", **link)
        amplitudes = result(view)
        grey = next(trace for trace in traces(view) if trace["type"] == "scatter")
        step = 2 * math.pi / int(link.get("tokens", DEFAULTS["tokens"]))
        middles = np.rint(grey["x"] / step).astype(int) - 1
        assert len(amplitudes) == int(link.get("tokens", DEFAULTS["tokens"])) // 2
        assert grey["y"].max() == pytest.approx(amplitudes.max(), rel=1e-9)
        for before, middle, after, drawn in zip([-1, *middles], middles, [*middles[1:], len(amplitudes)], grey["y"], strict=False):
            near = amplitudes[before + 1 : after]
            assert near.min() - 1e-9 <= amplitudes[middle] <= drawn + 1e-9
            assert np.abs(near - drawn).min() < 1e-9


@pytest.mark.parametrize("page", PAGES)
def test_every_view_has_code_that_runs(page, subtests):
    for settings in views(page):
        with subtests.test(settings=settings.write()):
            assert np.isfinite(result(PAGES[page].view(settings))).all()
