"""The colours, measured with formulas of our own: WCAG contrast, OKLab distances, and what colour-blind readers see.

sRGB and contrast: WCAG 2.2. OKLab: B. Ottosson, 2020. Colour blindness: Machado, Oliveira and Fernandes, 2009, full severity, linear light.
"""

import itertools
import re

import numpy as np
import plotly.io as pio
import pytest

from figures import theme

WHITE, DARK = "#ffffff", "#171614"
MEANINGS = {"q": theme.Q, "k": theme.K, "score": theme.SCORE, "reference": theme.REFERENCE, "A": theme.A}
SEEN_BY = {
    "everyone": np.eye(3),
    "protanopes": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopes": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopes": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
TO_LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]
EASY = 0.08  # four times a difference that is just seen


def light(color):
    """Linear light of ``#rrggbb`` or ``rgb(r, g, b)``."""
    if color.startswith("#"):
        channels = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    else:
        channels = [int(number) for number in re.findall(r"\d+", color)]
    value = np.array(channels) / 255
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


def contrast(one, other):
    low, high = sorted(float(light(color) @ [0.2126, 0.7152, 0.0722]) for color in (one, other))
    return (high + 0.05) / (low + 0.05)


def lab(color, reader="everyone"):
    seen = np.clip(np.array(SEEN_BY[reader]) @ light(color), 0, 1)
    return np.array(TO_LAB) @ np.cbrt(np.array(TO_CONES) @ seen)


def distance(one, other, reader="everyone"):
    return float(np.linalg.norm(lab(one, reader) - lab(other, reader)))


class TestMeasures:
    def test_contrast_of_black_on_white_is_21(self):
        assert contrast("#000000", WHITE) == pytest.approx(21)

    def test_contrast_is_that_of_a_published_example(self):
        assert contrast("#767676", WHITE) == pytest.approx(4.54, abs=0.005)

    def test_white_is_light_without_colour(self):
        np.testing.assert_allclose(lab(WHITE), [1, 0, 0], atol=1e-6)

    def test_red_and_green_of_one_lightness_are_alike_to_a_deuteranope_only(self):
        assert distance("#b04a3c", "#5e7a36") > 3 * distance("#b04a3c", "#5e7a36", "deuteranopes")


class TestColours:
    @pytest.mark.parametrize("ground", [WHITE, DARK])
    @pytest.mark.parametrize("color", [*MEANINGS.values(), *theme.PAIR_SCALE, *theme.pair_colors(37)])
    def test_every_colour_reads_on_both_grounds(self, color, ground):
        assert contrast(color, ground) >= 3

    @pytest.mark.parametrize("reader", SEEN_BY)
    def test_colours_of_meanings_are_told_apart_by_every_reader(self, reader):
        # Green score and grey reference are alike to a deuteranope: those two always differ in dash or marker too (test_figures.py).
        pairs = [pair for pair in itertools.combinations(MEANINGS, 2) if pair != ("score", "reference")]
        assert min(distance(MEANINGS[one], MEANINGS[other], reader) for one, other in pairs) >= EASY

    def test_no_colour_is_one_that_streamlits_theme_replaces(self):
        reserved = {f"#{number:06x}" for number in range(1, 0x31)}
        assert not reserved & {color.lower() for color in (*MEANINGS.values(), *theme.PAIR_SCALE)}

    def test_template_brings_the_colours_and_no_builtin_template_is_named(self):
        drawn = tuple(color for name, color in MEANINGS.items() if name != "A")  # which stands in no figure by itself
        assert pio.templates[theme.TEMPLATE].layout.colorway == drawn
        assert theme.draw([]).layout.template.layout.colorway == drawn


class TestPairScale:
    def test_steps_look_even(self):
        steps = [distance(one, other) for one, other in itertools.pairwise(theme.PAIR_SCALE)]
        assert max(steps) / min(steps) < 1.15

    @pytest.mark.parametrize("reader", SEEN_BY)
    def test_colours_move_away_from_that_of_the_fastest_pair_for_every_reader(self, reader):
        away = [distance(theme.PAIR_SCALE[0], color, reader) for color in theme.PAIR_SCALE]
        assert away == sorted(away)
        assert away[-1] > 2 * EASY

    def test_scale_has_no_colour_of_another_meaning(self):
        assert not set(MEANINGS.values()) & set(theme.PAIR_SCALE)

    @pytest.mark.parametrize("count", [1, 2, 3, 64, 256])
    def test_there_is_one_colour_a_pair_from_end_to_end_of_the_scale(self, count):
        colors = theme.pair_colors(count)
        assert len(colors) == count
        np.testing.assert_allclose(light(colors[0]), light(theme.PAIR_SCALE[0]))
        if count > 1:
            np.testing.assert_allclose(light(colors[-1]), light(theme.PAIR_SCALE[-1]))

    def test_middle_pair_has_the_middle_colour(self):
        assert theme.pair_colors(3)[1] == "rgb({}, {}, {})".format(*bytes.fromhex(theme.PAIR_SCALE[5][1:]))
