"""What a link holds: read, written, and never more than parameters that exist."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parameters import PARAMETERS
from parameters.locks import NO_LOCKS, read_locks, write_locks
from parameters.settings import Settings

names = st.lists(st.sampled_from(sorted(PARAMETERS)), unique=True)


@given(names, names)
def test_what_is_written_is_read_back(lock, hide):
    held = read_locks(write_locks(lock, hide))
    assert set(held.values) == {*lock, *hide}
    assert held.hidden == set(hide)
    assert set(held.shown) == set(lock) - set(hide)
    assert held.unknown == ()
    assert held.texts == write_locks(lock, hide)


@given(st.text(), st.text())
def test_any_text_holds_parameters_that_exist_and_names_the_rest(lock, hide):
    held = read_locks({"lock": lock, "hide": hide})
    assert set(held.values) <= set(PARAMETERS)
    assert held.hidden <= set(held.values)
    assert not set(held.unknown) & set(PARAMETERS)


@pytest.mark.parametrize("written", ["m,n", "m, n", " m ,, n,", "m\N{FULLWIDTH COMMA}n", "m,n,m"])
def test_names_stand_between_commas(written):
    assert list(read_locks({"lock": written}).values) == ["m", "n"]


def test_what_is_both_locked_and_hidden_is_hidden():
    held = read_locks({"lock": "m,n", "hide": "n"})
    assert list(held.values) == ["m", "n"]
    assert held.hidden == {"n"}
    assert held.shown == ("m",)
    assert [held.is_held(name) for name in ("m", "n", "q")] == [True, True, False]
    assert [held.is_hidden(name) for name in ("m", "n", "q")] == [False, True, False]


@pytest.mark.parametrize(
    ("text", "value"), [("33", 33), ("5e2", 500), ("-1", 7), ("abc", 7), ("nan", 7), ("inf", 7), ("", 7)], ids=lambda each: f"{each!r}"
)
def test_held_number_has_the_value_of_the_link_or_else_its_default(text, value):
    held = read_locks({"lock": "m", "m": text})
    assert held.values == {"m": text}
    assert held.given == {"m": text}
    assert Settings.read("pair", {"m": "12"}, held)[0]["m"] == value


def test_held_text_is_the_text_of_the_link_whatever_it_is():
    held = read_locks({"lock": "q,k", "q": "<b>1</b>"})
    assert held.values == {"q": "<b>1</b>", "k": None}
    assert held.given == {"q": "<b>1</b>"}
    assert (held.value("q", "1 2"), held.value("k", "1 2"), held.value("m", "5")) == ("<b>1</b>", None, "5")


def test_nothing_is_held_by_a_link_without_names():
    assert read_locks({"m": "33", "lock": "", "hide": ""}) == NO_LOCKS
    assert read_locks({"lock": "", "hide": " , "}).values == {}


@pytest.mark.parametrize(
    ("link", "values", "blocked"),
    [
        ({"lock": "m"}, {"n": 5}, False),
        ({"lock": "m"}, {"m": 5}, True),
        ({"lock": "m", "m": "5"}, {"m": 5, "n": 1}, False),
        ({"lock": "m", "m": "5e0"}, {"m": 5}, False),
        ({"hide": "m", "m": "6"}, {"m": 5}, True),
        ({"lock": "m"}, {"m": PARAMETERS["m"].default}, False),
        ({"lock": "speed"}, {"speed": "own"}, True),
        ({"lock": "speed", "speed": "own"}, {"speed": "own"}, False),
        ({}, {"m": 5}, False),
    ],
)
def test_values_that_would_change_what_is_held_are_blocked(link, values, blocked):
    assert read_locks(link).block(values) is blocked
