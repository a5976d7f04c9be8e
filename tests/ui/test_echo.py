"""Whose word counts for a control: what was set here, until a browser has heard of it, but what a reader did since."""

import pytest
import streamlit as st

from ui import echo


@pytest.fixture(autouse=True)
def state(monkeypatch):
    kept = {"m": 7, echo.BOX: "0"}
    monkeypatch.setattr(st, "session_state", kept)
    monkeypatch.setattr(st, "text_input", lambda *given, **named: None)
    return kept


def drawn():
    """A run to its end."""
    echo.start()
    echo.draw()


def hear(state, *, heard, **sent):
    """A message: what the controls hold, then the callback that Streamlit calls where the number is another one."""
    known = state[echo.BOX]
    state |= sent | {echo.BOX: f"{heard}"}
    if state[echo.BOX] != known:
        echo.hear()


@pytest.mark.parametrize(("heard", "said", "kept"), [(0, 7, 42), (0, 9, 9), (1, 7, 7), (1, 42, 42), (1, 9, 9)])
def test_a_box_keeps_what_it_was_set_to_until_the_browser_has_heard_of_it(state, heard, said, kept):
    echo.put("m", 42)
    drawn()
    hear(state, m=said, heard=heard)
    assert state["m"] == kept
    drawn()
    hear(state, m=kept, heard=1)
    assert state["m"] == kept


@pytest.mark.parametrize("heard", range(8))
def test_of_many_settings_the_browser_may_have_heard_of_some(state, heard):
    """It says what it held after the last of which it has heard; what it held before that it says because a reader wants it."""
    for number in range(1, 9):
        echo.put("m", 10 * number)
        drawn()
        hear(state, m=7, heard=0)
    assert state["m"] == 80
    drawn()
    hear(state, m=10 * heard or 7, heard=heard)
    assert state["m"] == 80
    if heard:
        drawn()
        hear(state, m=10 * (heard - 1) or 7, heard=heard)
        assert state["m"] == (10 * (heard - 1) or 7)


def test_a_run_that_is_ended_before_it_drew_the_box_changes_nothing(state):
    echo.put("m", 42)
    for _ in range(3):
        hear(state, m=7, heard=0)
        echo.start()
        assert state["m"] == 42


def test_a_setting_that_goes_back_is_one(state):
    echo.put("m", 42)
    drawn()
    hear(state, m=7, heard=0)
    echo.put("m", 7)
    drawn()
    hear(state, m=42, heard=1)
    assert state["m"] == 7


def test_an_emptied_box_is_one_too(state):
    state["m"] = None
    echo.put("m", 42)
    drawn()
    hear(state, m=None, heard=0)
    assert state["m"] == 42
    drawn()
    hear(state, m=None, heard=1)
    assert state["m"] is None


def test_a_follower_is_set_where_it_shows_something_else_and_is_not_listened_to_until_it_has_heard(state):
    echo.mirror("m", 7)
    assert echo.SETTINGS not in state
    echo.mirror("m", 42)
    drawn()
    hear(state, m=9, heard=0)
    assert not echo.is_late("m")
    drawn()
    hear(state, m=7, heard=0)
    assert echo.is_late("m")
    assert state["m"] == 42, "or it would count as moved when the browser says 42"
    assert not echo.is_late("m")
    drawn()
    hear(state, m=7, heard=1)
    assert not echo.is_late("m")


def test_callbacks_find_boxes_as_they_were_set_whichever_is_called_first(state):
    echo.put("n", 42)
    echo.mirror("m", 8)
    drawn()
    state |= {"n": 7, "m": 7, echo.BOX: "0"}
    state[echo.SETTINGS]["n"] = state[echo.SETTINGS]["n"]._replace(before=((1, 7),))
    assert echo.is_late("m")
    assert state["n"] == 42


def test_a_run_knows_whether_it_was_asked_for_before_a_setting_was_heard_of(state):
    echo.put("m", 42)
    echo.start()
    assert echo.came_late("m")
    echo.draw()
    hear(state, m=42, heard=1)
    echo.start()
    assert not echo.came_late("m")
    assert not echo.came_late("n")


def test_long_texts_are_known_again_and_not_kept(state):
    state["m"] = "a" * 1_000_000
    echo.put("m", "")
    drawn()
    assert "aaaa" not in repr(state[echo.SETTINGS])
    hear(state, m="a" * 1_000_000, heard=0)
    assert state["m"] == ""


def test_what_was_held_before_is_forgotten_after_a_while(state):
    for number in range(100):
        echo.put("m", number)
    assert len(state[echo.SETTINGS]["m"].before) == echo.MOST


@pytest.mark.parametrize("said", [None, "", "x", "-1", "1e9", "9" * 30, "٣", "0"])
def test_a_browser_can_send_anything(state, said):
    echo.put("m", 42)
    drawn()
    state |= {"m": 7, echo.BOX: said}
    echo.hear()
    assert state["m"] == (42 if said == "0" else 7)
