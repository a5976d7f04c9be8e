"""What a link holds: read, written, and never more than parameters that exist."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parameters import locks
from ui.parameters import PARAMETERS

names = st.lists(st.sampled_from(sorted(PARAMETERS)), unique=True)


@given(names, names)
def test_what_is_written_is_read_back(lock, hide):
    held = locks.read(locks.write({"lock": lock, "hide": hide}))
    assert set(held.values) == {*lock, *hide}
    assert held.hidden == set(hide)
    assert held.strangers == ()


@given(st.text(), st.text())
def test_any_text_holds_parameters_that_exist_and_names_the_rest(lock, hide):
    held = locks.read({"lock": lock, "hide": hide})
    assert set(held.values) <= set(PARAMETERS)
    assert held.hidden <= set(held.values)
    assert not set(held.strangers) & set(PARAMETERS)


@pytest.mark.parametrize("written", ["m,n", "m, n", " m ,, n,", "m\N{FULLWIDTH COMMA}n", "m,n,m"])
def test_names_stand_between_commas(written):
    assert list(locks.read({"lock": written}).values) == ["m", "n"]


def test_what_is_both_locked_and_hidden_is_hidden():
    held = locks.read({"lock": "m,n", "hide": "n"})
    assert set(held.values) == {"m", "n"}
    assert held.hidden == {"n"}


@pytest.mark.parametrize(
    ("given_text", "value"),
    [("33", 33), ("5e2", 500), ("-1", -1), ("abc", None), ("nan", None), ("inf", None), ("", None)],
)
def test_held_number_has_the_value_of_the_link_or_none_that_can_be_read(given_text, value):
    assert locks.read({"lock": "m", "m": given_text}).values == {"m": value}


def test_held_text_is_the_text_of_the_link_whatever_it_is():
    assert locks.read({"lock": "q,k", "q": "<b>1</b>"}).values == {"q": "<b>1</b>", "k": None}


def test_nothing_is_held_by_a_link_without_names():
    assert locks.read({"m": "33", "lock": "", "hide": " , "})[:3] == ({}, frozenset(), ())
