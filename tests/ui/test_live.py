"""The server's side of the live chart and slider: what is sent, what is believed, what happens without them."""

import json

import plotly.graph_objects as go
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.visit import open_page, read, run
from ui import live
from parameters import locks
from server.assets import script_path

LINE = {"type": "scatter", "x": [0, 1], "y": [0, 1]}


def figure(**layout):
    return go.Figure([LINE], {"height": 300, **layout})


def chart_app():
    from json import loads

    import streamlit as st

    from figures.drawing import Drawing
    from ui import live

    parts = loads(st.session_state["figure"])
    live.chart(Drawing(parts["data"], parts["layout"], parts.get("frames", ())), key="picture", alt="a line")


def message(at):
    """What the browser gets."""
    [chart] = [each for each in at.get("bidi_component") if each.proto.component_name == "rope-lab-chart"]
    return read(chart.proto.bytes)


def opened(**layout):
    at = AppTest.from_function(chart_app)
    at.session_state["figure"] = figure(**layout).to_json()
    at.run()
    assert not at.exception
    return at


def with_frames(*values):
    frames = [{"name": str(value), "data": [{"y": [0, value]}]} for value in values]
    return go.Figure([LINE], {"height": 300}, frames).to_json()


class TestChart:
    def test_sends_the_figure_and_its_message_in_words(self):
        sent = message(opened())
        assert sent["figure"]["data"] == [LINE]
        assert sent["alt"] == "a line"
        assert sent["plotly"] == script_path()
        assert "frames" not in sent["figure"]

    def test_sends_frames_only_where_the_browser_has_others(self):
        at = AppTest.from_function(chart_app)
        at.session_state["figure"] = with_frames(1, 2)
        first = message(at.run())
        assert [frame["name"] for frame in first["frames"]] == ["1", "2"]
        again = message(at.run())
        assert "frames" not in again
        assert again["framesId"] == first["framesId"]
        at.session_state["figure"] = with_frames(1, 3)
        other = message(at.run())
        assert other["framesId"] != first["framesId"]
        assert [frame["name"] for frame in other["frames"]] == ["1", "3"]

    def test_zoom_is_kept_while_the_axes_mean_the_same(self):
        one, same, other = (
            message(opened(xaxis={"title": {"text": title}, "range": extent}))["figure"]["layout"]["uirevision"]
            for title, extent in (("pair", [0, 1]), ("pair", [0, 2]), ("token", [0, 1]))
        )
        assert one == same != other

    def test_a_log_axis_means_something_else(self):
        kinds = [message(opened(yaxis={"type": kind}))["figure"]["layout"]["uirevision"] for kind in ("log", "linear")]
        assert kinds[0] != kinds[1]

    def test_without_the_component_the_standard_chart_is_shown(self):
        at = AppTest.from_function(chart_app)
        at.session_state["figure"] = figure().to_json()
        at.session_state[live.STANDARD] = True
        at.run()
        assert not at.get("bidi_component")
        assert at.get("plotly_chart")[0].proto.alt == "a line"

    def test_the_standard_chart_holds_a_too(self):
        at = open_page("decay")
        at.button(key="decay.pin").click()
        at.session_state[live.STANDARD] = True
        run(at)
        drawn = len(json.loads(at.get("plotly_chart")[0].proto.spec)["data"])
        at.button(key="decay.unpin").click()
        assert drawn > len(json.loads(run(at).get("plotly_chart")[0].proto.spec)["data"])


class TestMoves:
    @pytest.fixture(autouse=True)
    def state(self, monkeypatch):
        kept = {}
        monkeypatch.setattr(st, "session_state", kept)
        return kept

    def send(self, state, sent):
        state["m.live"] = {"move": {"hold": 0} | sent if isinstance(sent, dict) else sent}
        live._take("m")

    def test_a_moving_hand_holds_the_value_and_leaves_the_box_alone(self, state):
        self.send(state, {"value": 12, "step": 3, "rest": False})
        assert live.move("m") == 12
        assert live.move("n") is None
        assert live.step() == 3
        assert "m" not in state

    def test_a_resting_hand_writes_into_the_box(self, state):
        self.send(state, {"value": 12, "step": 3, "rest": False})
        self.send(state, {"value": 13, "step": 4, "rest": True})
        assert live.move("m") is None
        assert state["m"] == 13
        assert live.step() == 4

    def test_a_hand_that_has_not_come_to_rest_can_be_taken_at_its_word(self, state):
        self.send(state, {"value": 12.5, "step": 3, "rest": False})
        live.settle()
        assert state["m"] == 12.5
        assert live.move("m") is None
        state["m"] = 1
        live.settle()
        assert state["m"] == 1

    def test_the_frame_follows_a_shared_number_that_is_another_one(self, state):
        state |= {"base": 500, "base.live": {"move": {"value": 500, "step": 1, "rest": True, "hold": 0}}}
        live._take("base")
        assert "_wanted" not in state
        state["base.live"] = {"move": {"value": 501, "step": 2, "rest": True, "hold": 0}}
        live._take("base")
        assert state["base"] == 501
        assert state["_wanted"]

    def test_another_control_finds_the_hand_at_rest(self, state):
        state["m"] = 7
        self.send(state, {"value": 42, "step": 1, "rest": False})
        live.settle()
        assert live.move("m") is None
        assert state["m"] == 42
        self.send(state, {"value": 42, "step": 2, "rest": True})
        assert state["m"] == 42

    def test_a_box_that_was_typed_into_wins_over_a_hand_that_moved_before(self, state):
        state["m"] = 7
        self.send(state, {"value": 42, "step": 1, "rest": False})
        state["m"] = 9
        live.settle()
        self.send(state, {"value": 42, "step": 2, "rest": True})
        assert live.move("m") is None
        assert state["m"] == 9

    def test_a_button_that_sets_the_number_wins_over_a_hand_that_moved_before(self, state):
        state |= {"m": 7, live.SLIDER: "m"}
        self.send(state, {"value": 42, "step": 1, "rest": False})
        live.forget({"m": 1000})
        state["m"] = 1000
        self.send(state, {"value": 42, "step": 2, "rest": True})
        assert live.move("m") is None
        assert state["m"] == 1000
        self.send(state, {"value": 43, "step": 3, "rest": True, "hold": 1})
        assert state["m"] == 43

    def test_a_button_that_sets_another_number_leaves_the_hand_alone(self, state):
        state |= {"m": 7, live.SLIDER: "m"}
        live.forget({"n": 1000})
        self.send(state, {"value": 42, "step": 2, "rest": True})
        assert state["m"] == 42

    @pytest.mark.parametrize("rest", [True, False])
    @pytest.mark.parametrize("way", ["lock", "hide"])
    def test_no_hand_moves_what_the_link_holds(self, state, way, rest):
        locks.start({way: "m", "m": "33"})
        self.send(state, {"value": 12, "step": 3, "rest": rest})
        assert live.move("m") is None
        assert state["m"] == 33

    @pytest.mark.parametrize(
        "sent",
        [
            *(None, 3, "12", [], {}, {"value": 12}, {"step": 1}, {"value": "12", "step": 1}, {"value": True, "step": 1}),
            *({"value": 12, "step": "1"}, {"value": 12, "step": 1.5}, {"value": float("nan"), "step": 1, "rest": True}),
            *({"value": float("inf"), "step": 1, "rest": True}, {"value": 10**400, "step": 1, "rest": True}, {"value": [12], "step": 1}),
        ],
    )
    def test_a_browser_can_send_anything(self, state, sent):
        self.send(state, sent)
        assert live.move("m") is None
        assert "m" not in state
