"""Whose word counts for a box: what was set here, until a browser has heard of it, but what a reader did since."""

import pytest
import streamlit as st

from ui import echo


@pytest.fixture(autouse=True)
def state(monkeypatch):
    kept = {"m": 7, echo.BOX: "0"}
    monkeypatch.setattr(st, "session_state", kept)
    return kept


def drawn(state):
    """A run to its end."""
    echo.start()
    state[echo.BOX] = f"{state.get(echo.COUNT, 0)}"
    state.pop(echo.HEARD, None)


def hear(state, **sent):
    """A message: what the controls hold, then Streamlit's callbacks."""
    heard = sent.pop("heard")
    state |= sent | {echo.BOX: f"{heard}"}
    if heard != state.get(echo.COUNT, 0):
        echo._restore()


@pytest.mark.parametrize(("heard", "said", "kept"), [(0, 7, 42), (0, 9, 9), (1, 7, 7), (1, 42, 42), (1, 9, 9)])
def test_a_box_keeps_what_it_was_set_to_until_the_browser_has_heard_of_it(state, heard, said, kept):
    echo.put("m", 42)
    drawn(state)
    hear(state, m=said, heard=heard)
    assert state["m"] == kept
    drawn(state)
    hear(state, m=kept, heard=1)
    assert state["m"] == kept


@pytest.mark.parametrize("heard", [0, 1])
def test_of_two_settings_the_browser_may_have_heard_of_one(state, heard):
    echo.put("m", 42)
    drawn(state)
    hear(state, m=(7, 42)[heard], heard=heard)
    echo.put("m", 43)
    drawn(state)
    for said in (7, 42) if heard == 0 else (42,):
        hear(state, m=said, heard=heard)
        assert state["m"] == 43
        drawn(state)
    hear(state, m=42, heard=2)
    assert state["m"] == 42


def test_a_run_that_is_ended_before_it_drew_the_box_changes_nothing(state):
    echo.put("m", 42)
    for _ in range(2):
        hear(state, m=7, heard=0)
        echo.start()
        assert state["m"] == 42


def test_a_setting_that_goes_back_is_one(state):
    echo.put("m", 42)
    drawn(state)
    hear(state, m=7, heard=0)
    echo.put("m", 7)
    drawn(state)
    hear(state, m=42, heard=1)
    assert state["m"] == 7


def test_a_follower_is_set_where_it_shows_something_else_and_says_nothing_until_it_has_heard(state):
    echo.mirror("m", 7)
    assert echo.SETTINGS not in state
    echo.mirror("m", 42)
    drawn(state)
    hear(state, m=7, heard=0)
    assert echo.is_late("m", 7)
    assert not echo.is_late("m", 9)
    assert state["m"] == 7, "the run that draws it sets it anew"


def test_what_was_not_heard_counts_for_one_message(state):
    echo.put("m", 42)
    drawn(state)
    hear(state, m=7, heard=0)
    drawn(state)
    hear(state, m=42, heard=1)
    assert not echo.is_late("m", 7)


@pytest.mark.parametrize("said", [None, "", "x", "-1", "1e9", "9" * 30, "٣"])
def test_a_browser_can_send_anything(state, said):
    echo.put("m", 42)
    drawn(state)
    state |= {"m": 7, echo.BOX: said}
    echo._restore()
    assert state["m"] in (7, 42)
