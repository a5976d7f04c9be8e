"""Figures of speeds and of other laws, from plain arrays: what is drawn is what was given."""

import numpy as np
import pytest

from figures import frequencies, laws, theme
from tests.figures.checks import array, assert_sound, say, sent

PAIRS = 256
SPEEDS, TURNS = np.geomspace(1, 1e-9, PAIRS), np.geomspace(600, 0.01, PAIRS)
COLORS = theme.pair_colors(PAIRS)
X = np.geomspace(1, 10_000, 900)
WAVE = np.sin(X)


def speeds(inv_freq=SPEEDS, wavelengths=2 * np.pi / SPEEDS):
    return frequencies.speeds(inv_freq, wavelengths, context=4096, say=say)


def turns(made=TURNS):
    return frequencies.turns(made, np.linspace(1, 0, PAIRS), say=say)


def sweep(base=10_000.0):
    small, own, large = (6.28 * end ** (np.arange(PAIRS) / PAIRS) for end in (100.0, base, 1e9))
    return frequencies.sweep(own, (small, large), base=base, bases=(100.0, 1e9), context=4096, say=say)


def compared(revival=(396, 0.994)):
    return laws.laws(X, (WAVE, WAVE), (WAVE, WAVE), (WAVE, WAVE), revival=revival, say=say)


FIGURES = {
    "speeds": speeds,
    "turns": turns,
    "sweep": sweep,
    "period": lambda: laws.period(np.arange(97, dtype=np.float32), WAVE[:97], WAVE[:97], length=32, base=1e4, say=say),
    "left_over": lambda: laws.left_over(X, np.abs(WAVE) + 1e-5, np.abs(WAVE), base=1e4, say=say),
    "laws": compared,
    "laws_without_revival": lambda: compared(None),
}


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_is_sound(name):
    assert_sound(FIGURES[name]())


def test_pairs_that_never_finish_a_turn_have_another_mark():
    done, undone, bars = turns().data
    assert min(done.y) >= 1 > max(undone.y)
    assert done.marker.symbol != undone.marker.symbol
    assert len(done.y) + len(undone.y) == len(bars.y) == PAIRS


def test_pairs_that_stand_still_are_crosses_within_the_axes():
    still = np.arange(PAIRS) >= 200
    inv_freq = np.where(still, 0, np.geomspace(1, 1e-5, PAIRS))
    with np.errstate(divide="ignore"):
        figures = {"speeds": speeds(inv_freq, 2 * np.pi / inv_freq), "turns": turns(4096 * inv_freq / (2 * np.pi))}
    for figure in figures.values():
        assert_sound(figure)
        crosses = [trace for trace in figure.data if trace.name == "said stands still: speed 0, off the log axis"]
        assert crosses
        for cross in crosses:
            low, high = figure.layout[(cross.yaxis or "y").replace("y", "yaxis")].range
            assert list(cross.x) == list(range(200, PAIRS))
            assert low < np.log10(cross.y[0]) < high


def test_context_is_a_line_by_value_with_its_name_by_exponent():
    layout = speeds().layout
    assert (layout.shapes[0].y0, layout.shapes[0].yref) == (4096, "y2")
    assert layout.annotations[0].y == pytest.approx(np.log10(4096))


class TestSweep:
    def test_it_shows_the_base_that_is_set_before_the_ends_of_the_sweep(self):
        small, large, own = sent(sweep(500_000.0))["data"]
        names = ["said base 100", "said base 1,000,000,000", "said your base, 500,000"]
        assert [trace["name"] for trace in (small, large, own)] == names
        np.testing.assert_allclose(array(own["y"]), 6.28 * 500_000 ** (np.arange(PAIRS) / PAIRS))
        assert own["marker"]["color"] == COLORS
        assert max(small["line"]["width"], large["line"]["width"]) < own["line"]["width"]

    @pytest.mark.parametrize("base", [1.01, 100.0, 1e9])
    def test_its_axis_holds_every_base_and_does_not_move(self, base):
        figure = sweep(base)
        assert figure.layout.yaxis.range == sweep().layout.yaxis.range
        low, high = figure.layout.yaxis.range
        for trace in figure.data:
            assert low <= np.log10(min(trace.y)) <= np.log10(max(trace.y)) <= high


def test_revival_is_named_at_its_distance():
    (note,) = compared().layout.annotations
    assert (note.text, note.x) == ("396", pytest.approx(np.log10(396)))
    assert not compared(None).layout.annotations
