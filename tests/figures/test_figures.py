"""Every figure, from plain arrays: what is drawn is what was given, and nothing in it can go wrong in a browser."""

import base64
import json
import re

import numpy as np
import plotly.graph_objects as go
import pytest

from figures import clocks, decay, plane, theme

FRAMES, HANDS, MANY = 61, 8, 1000
X = np.linspace(1, 8192, MANY)
WAVE = np.sin(X / 300) * 50


def words(kind):
    """Words that show where they ended up."""
    return kind(**{name: f"word {name}" for name in kind.__dataclass_fields__})


def turning(frames, hands, start=0.0):
    return start + np.arange(frames)[:, None] * np.geomspace(1, 1e-4, hands)


def shifted(vector):
    angle = np.arange(41.0)
    return np.stack([vector * np.cos(angle), vector * np.sin(angle)], -1)


LABELS = [f"pair {i}<br>θ<sub>{i}</sub> = 1" for i in range(HANDS)]
FIGURES = {
    "clocks": lambda: clocks.clocks(
        list(range(FRAMES)), turning(FRAMES, HANDS), labels=LABELS, colors=theme.pair_colors(HANDS), words=words(clocks.ClockWords)
    ),
    "two_hands": lambda: clocks.two_hands(
        list(range(FRAMES)), turning(FRAMES, HANDS), turning(FRAMES, HANDS, -3.0), labels=LABELS, words=words(clocks.ClockWords)
    ),
    "plane": lambda: plane.plane(
        np.array([1.5, 0.5]), np.array([0.5, 1.2]), np.array([-0.5, 1.5]), np.array([-1.2, 0.5]), words(plane.PlaneWords)
    ),
    "several": lambda: plane.several(
        shifted(1.5)[:5], np.array([1.5, 0.0]), titles=[f"m = {i}<br>{i}.0°" for i in range(5)], words=words(plane.PlaneWords)
    ),
    "shift_both": lambda: plane.shift_both(
        np.arange(41.0), shifted(1.5), shifted(0.7), np.full(41, 1.25), np.sin(np.arange(41.0)), words(plane.PlaneWords)
    ),
    "score_band": lambda: decay.score_band(X, WAVE - 5, WAVE + 5, reach=int(X[-1]), context=4096, words=words(decay.DecayWords)),
    "ensemble": lambda: decay.ensemble(X, WAVE / 50, np.full(MANY, 11.3), words(decay.DecayWords)),
    "bounds": lambda: decay.bounds(X, WAVE - 5, WAVE + 5, X[::3], 90 + WAVE[::3], 30 + WAVE[::3] / 3, words(decay.DecayWords)),
    "spectrum": lambda: decay.spectrum(
        np.geomspace(1, 1e-4, 64),
        np.full(64, 2.0),
        np.geomspace(1e-3, 3, MANY),
        np.abs(WAVE) + 1,
        theme.pair_colors(64),
        words(decay.DecayWords),
    ),
}
ANIMATED = ("clocks", "two_hands", "shift_both")
SCORES = {
    "shift_both": ("yaxis2",),
    "score_band": ("yaxis",),
    "ensemble": ("yaxis",),
    "bounds": ("yaxis", "yaxis2"),
    "spectrum": ("yaxis",),
}


class Once(dict):
    """Makes what is asked for, once: a figure that cannot be drawn fails its own tests alone."""

    def __init__(self, make):
        super().__init__()
        self.make = make

    def __missing__(self, name):
        self[name] = self.make(name)
        return self[name]


@pytest.fixture(scope="module")
def drawn():
    """Every figure."""
    return Once(lambda name: FIGURES[name]())


@pytest.fixture(scope="module")
def sent(drawn):
    """Every figure as it goes to the browser."""
    return Once(lambda name: json.loads(drawn[name].to_json()))


def texts(part):
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, inner in part.items():
            if key != "bdata":
                yield from texts(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from texts(inner)


def array(part):
    return np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"]) if isinstance(part, dict) else np.array(part, float)


def axes(trace):
    return [f"{axis}axis{trace.get(f'{axis}axis', axis)[1:]}" for axis in "xy"]


@pytest.mark.parametrize("name", FIGURES)
class TestEveryFigure:
    def test_it_is_a_plotly_figure_with_the_one_template_and_a_fixed_height(self, drawn, name):
        figure = drawn[name]
        assert isinstance(figure.figure, go.Figure)
        assert figure.layout.template.layout.colorway[0] == theme.Q
        assert 300 <= figure.layout.height <= 640

    def test_no_text_is_tex(self, sent, name):
        assert not [text for text in texts(sent[name]) if "$" in text or "\\" in text or re.search(r"[\x00-\x1f]", text)]

    def test_no_place_in_a_text_was_left_empty(self, sent, name):
        assert not [text for text in texts(sent[name]) if re.search(r"\{\w*\}", text)]

    def test_it_is_small_enough_to_be_sent_at_every_change(self, drawn, name):
        assert len(drawn[name].to_json()) < 500_000

    def test_long_traces_travel_as_binary_floats(self, sent, name):
        long = [part for trace in sent[name]["data"] for axis in "xy" if len(array(part := trace[axis])) > 64]
        assert all(isinstance(part, dict) and part["dtype"] in ("f4", "f8") for part in long)

    def test_it_has_a_word_for_every_axis_that_is_shown(self, sent, name):
        layout = sent[name]["layout"]
        shown = [layout[axis] for axis in layout if re.fullmatch(r"[xy]axis\d*", axis) and layout[axis].get("visible", True)]
        for axis in shown:
            assert axis["title"].get("text") or axis.get("showticklabels") is False

    def test_every_trace_has_a_name_in_the_legend_or_nothing_to_point_at(self, sent, name):
        named = {trace["name"] for trace in sent[name]["data"] if trace.get("name")}
        for trace in sent[name]["data"]:
            unnamed_on_purpose = trace.get("hoverinfo") == "skip" or trace.get("showlegend") is False
            assert trace.get("name") or unnamed_on_purpose
        assert all(not label.startswith("trace") for label in named)

    def test_no_two_entries_of_the_legend_differ_in_colour_alone(self, sent, name):
        looks = []
        for trace in sent[name]["data"]:
            if trace.get("name") and trace.get("showlegend", True):
                line, marker = trace.get("line", {}), trace.get("marker", {})
                filled = "fill" in trace
                looks.append(
                    (
                        trace["type"],
                        trace.get("mode"),
                        line.get("dash"),
                        line.get("width"),
                        marker.get("symbol"),
                        filled,
                        tuple(trace.get("text", ())),
                    )
                )
        assert len(set(looks)) == len(looks)

    def test_no_trace_is_drawn_by_webgl(self, sent, name):
        assert {trace["type"] for trace in sent[name]["data"]} <= {"scatter", "bar"}

    def test_zero_is_marked_on_every_axis_of_scores(self, sent, name):
        for axis in SCORES.get(name, ()):
            layout = sent[name]["layout"][axis]
            assert layout["zeroline"] is True
            assert layout.get("rangemode") == "tozero" or layout["range"][0] <= 0 <= layout["range"][1]


@pytest.mark.parametrize("name", ANIMATED)
class TestAnimation:
    def test_frames_have_names_of_their_own_which_are_the_steps_of_the_slider(self, sent, name):
        names = [frame["name"] for frame in sent[name]["frames"]]
        (slider,) = sent[name]["layout"]["sliders"]
        assert len(set(names)) == len(names) >= 41
        assert [step["args"][0] for step in slider["steps"]] == [[each] for each in names]
        assert [step["label"] for step in slider["steps"]] == names

    def test_lines_move_without_redrawing_the_page(self, sent, name):
        layout = sent[name]["layout"]
        animate = [*layout["updatemenus"][0]["buttons"], *layout["sliders"][0]["steps"]]
        assert {item["method"] for item in animate} == {"animate"}
        assert [item["args"][1]["frame"]["redraw"] for item in animate] == [False] * len(animate)

    def test_it_waits_to_be_started_and_can_be_stopped(self, sent, name):
        play, pause = sent[name]["layout"]["updatemenus"][0]["buttons"]
        assert (play["args"][0], play["args"][1]["fromcurrent"]) == (None, True)
        assert (pause["args"][0], pause["args"][1]["mode"]) == ([None], "immediate")
        assert "word play" in play["label"]
        assert "word pause" in pause["label"]

    def test_first_frame_is_the_figure_itself(self, sent, name):
        first, base = sent[name]["frames"][0], sent[name]["data"]
        for index, moved in zip(first["traces"], first["data"], strict=True):
            for axis in "xy":
                assert list(array(moved[axis])) == pytest.approx(list(array(base[index][axis])), nan_ok=True)

    def test_frames_move_the_same_traces_and_say_of_what_type_they_are(self, sent, name):
        frames, count = sent[name]["frames"], len(sent[name]["data"])
        assert {tuple(frame["traces"]) for frame in frames} == {tuple(frames[0]["traces"])}
        assert all(0 <= index < count for index in frames[0]["traces"])
        assert {trace["type"] for frame in frames for trace in frame["data"]} == {"scatter"}

    def test_axes_of_what_moves_hold_still(self, sent, name):
        layout, frames = sent[name]["layout"], sent[name]["frames"]
        moving = {axis for index in frames[0]["traces"] for axis in axes(sent[name]["data"][index])}
        # An axis whose scale hangs on another one needs no range of its own.
        assert [axis for axis in sorted(moving) if "range" not in layout[axis] and "scaleanchor" not in layout[axis]] == []

    def test_nothing_leaves_the_axes_while_it_moves(self, sent, name):
        layout, data = sent[name]["layout"], sent[name]["data"]
        for frame in sent[name]["frames"]:
            for index, moved in zip(frame["traces"], frame["data"], strict=True):
                for axis, letter in zip(axes(data[index]), "xy", strict=True):
                    if "range" in layout[axis]:
                        values, (low, high) = array(moved[letter]), layout[axis]["range"]
                        values = values[~np.isnan(values)]
                        assert low <= values.min()
                        assert values.max() <= high

    def test_current_value_is_shown_with_its_word(self, sent, name):
        prefix = sent[name]["layout"]["sliders"][0]["currentvalue"]["prefix"]
        assert re.match("word (position|shift)", prefix)


class TestClocks:
    def test_hands_point_counter_clockwise_from_the_right_and_are_one_long(self, sent):
        for hand, angle in zip(sent["clocks"]["frames"][7]["data"], turning(FRAMES, HANDS)[7], strict=True):
            x, y = (array(hand[axis]) for axis in "xy")
            assert [x[1] - x[0], y[1] - y[0]] == pytest.approx([np.cos(angle), np.sin(angle)], abs=1e-3)

    def test_each_hand_has_the_colour_of_its_pair(self, sent):
        assert [hand["line"]["color"] for hand in sent["clocks"]["data"][1:]] == theme.pair_colors(HANDS)

    def test_colours_of_some_pairs_are_those_of_the_whole_head(self):
        assert clocks.clock_colors([0, 3, 63], 64) == [theme.pair_colors(64)[i] for i in (0, 3, 63)]

    def test_labels_stand_below_their_clocks(self, drawn):
        assert [note.text for note in drawn["clocks"].layout.annotations] == LABELS

    def test_angle_between_two_hands_stays(self, sent):
        between = []
        for frame in sent["two_hands"]["frames"]:
            q, k = ([array(trace[axis])[1] - array(trace[axis])[0] for axis in "xy"] for trace in frame["data"])
            between.append(np.arctan2(*q[::-1]) - np.arctan2(*k[::-1]))
        assert np.cos(between) == pytest.approx(np.full(FRAMES, np.cos(3.0)), abs=3e-3)

    @pytest.mark.parametrize("hands", [1, 2, 3, 5, 8])
    def test_any_number_of_clocks_fits_its_axes(self, hands):
        figure = clocks.clocks(
            [0, 1], turning(2, hands), labels=LABELS[:hands], colors=theme.pair_colors(hands), words=words(clocks.ClockWords)
        )
        faces = figure.data[0]
        (left, right), (low, high) = figure.layout.xaxis.range, figure.layout.yaxis.range
        assert left <= np.nanmin(faces.x) <= np.nanmax(faces.x) <= right
        assert low <= np.nanmin(faces.y) <= np.nanmax(faces.y) <= high


class TestPlane:
    def test_vectors_are_dashed_before_and_solid_after(self, sent):
        looks = [(trace["name"], trace["line"]["dash"], trace["line"]["color"]) for trace in sent["plane"]["data"]]
        assert looks == [
            ("q word before", "dash", theme.Q),
            ("k word before", "dash", theme.K),
            ("q word after", "solid", theme.Q),
            ("k word after", "solid", theme.K),
        ]

    def test_arrows_go_from_the_origin_to_the_numbers_given(self, sent):
        ends = [(array(trace["x"]).tolist(), array(trace["y"]).tolist()) for trace in sent["plane"]["data"]]
        assert ends == [([0, 1.5], [0, 0.5]), ([0, 0.5], [0, 1.2]), ([0, -0.5], [0, 1.5]), ([0, -1.2], [0, 0.5])]

    def test_one_unit_is_as_long_in_both_directions(self, drawn):
        for name in ("plane", "several", "clocks", "shift_both"):
            layout = drawn[name].layout
            assert "y" in (layout.xaxis.scaleanchor or "") or "x" in (layout.yaxis.scaleanchor or "")

    def test_vectors_of_no_length_still_have_axes(self):
        zero = np.zeros(2)
        figure = plane.plane(zero, zero, zero, zero, words(plane.PlaneWords))
        low, high = figure.layout.yaxis.range
        assert low < 0 < high

    @pytest.mark.parametrize("count", [1, 2, 5, 6, 8])
    def test_every_position_has_a_plot_of_its_own_with_its_title(self, count):
        titles = [f"m = {i}" for i in range(count)]
        figure = plane.several(shifted(1.0)[:count], np.array([1.0, 0.0]), titles=titles, words=words(plane.PlaneWords))
        centres = [(trace.x[0], trace.y[0]) for trace in figure.data if trace.name == "q word after"]
        assert len(set(centres)) == count
        assert [note.text for note in figure.layout.annotations] == titles
        assert sum(trace.showlegend is not False for trace in figure.data) == 2

    def test_flat_line_is_drawn_flat(self, sent):
        flat = next(trace for trace in sent["shift_both"]["data"] if trace.get("name") == "word rope")
        assert set(array(flat["y"])) == {1.25}


class TestDecay:
    def test_numbers_are_drawn_as_they_are(self, sent):
        high, low = sent["score_band"]["data"]
        np.testing.assert_array_equal(array(high["y"]), WAVE + 5)
        np.testing.assert_array_equal(array(low["y"]), WAVE - 5)
        np.testing.assert_array_equal(array(low["x"]), X)
        assert low["fill"] == "tonexty"

    @pytest.mark.parametrize("name", ["score_band", "ensemble", "bounds", "spectrum"])
    def test_distance_and_speed_stand_on_log_axes(self, drawn, name):
        assert drawn[name].layout.xaxis.type == "log"

    def test_context_is_marked_where_it_is_by_value_and_named_by_its_power_of_ten(self, drawn):
        layout = drawn["score_band"].layout
        assert (layout.shapes[0].x0, layout.shapes[0].x1) == (4096, 4096)
        assert layout.annotations[0].x == pytest.approx(np.log10(4096))
        assert layout.annotations[0].text == "word context"

    @pytest.mark.parametrize("context", [8193, 10_000_000])
    def test_context_beyond_the_axis_is_named_at_its_end(self, context):
        figure = decay.score_band(X, WAVE, WAVE, reach=int(X[-1]), context=context, words=words(decay.DecayWords))
        assert not figure.layout.shapes
        assert [(note.x, note.xref, note.text) for note in figure.layout.annotations] == [(1, "paper", "word context →")]

    def test_context_at_the_end_of_the_axis_is_marked_although_the_last_bin_has_its_middle_before_it(self):
        figure = decay.score_band(X, WAVE, WAVE, reach=int(X[-1]) + 40, context=int(X[-1]) + 40, words=words(decay.DecayWords))
        assert figure.layout.shapes[0].x0 == int(X[-1]) + 40
        assert 10 ** figure.layout.xaxis.range[1] > int(X[-1]) + 40

    def test_band_of_one_standard_deviation_lies_around_the_mean(self, sent):
        upper, lower, mean = (array(trace["y"]) for trace in sent["ensemble"]["data"])
        np.testing.assert_allclose(upper - mean, 11.3)
        np.testing.assert_allclose(mean - lower, 11.3)

    def test_bound_stands_on_both_sides_of_zero_in_score_units_and_the_relative_curve_on_an_axis_of_its_own(self, sent):
        *band, upper, lower, relative = sent["bounds"]["data"]
        np.testing.assert_array_equal(array(upper["y"]), -array(lower["y"]))
        assert {trace.get("yaxis", "y") for trace in (*band, upper, lower)} == {"y"}
        assert relative["yaxis"] == "y2"
        assert "rangemode" in sent["bounds"]["layout"]["yaxis2"]

    def test_bounds_are_points_because_nothing_is_known_between_them(self, sent):
        assert {trace["mode"] for trace in sent["bounds"]["data"][2:]} == {"markers"}

    def test_each_line_of_the_spectrum_has_the_colour_of_its_pair(self, sent):
        assert sent["spectrum"]["data"][0]["marker"]["color"] == theme.pair_colors(64)

    def test_lines_of_the_spectrum_are_equally_wide_on_the_log_axis(self, sent):
        bars = sent["spectrum"]["data"][0]
        ratios = array(bars["width"]) / array(bars["x"])
        np.testing.assert_allclose(ratios, ratios[0])

    def test_scores_that_are_all_zero_still_have_an_axis(self):
        flat = np.zeros(MANY)
        low, high = decay.score_band(X, flat, flat, reach=int(X[-1]), context=1, words=words(decay.DecayWords)).layout.yaxis.range
        assert low < 0 < high
