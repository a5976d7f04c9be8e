"""A page that breaks says so, and nothing of what it knows."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def test_no_word_of_an_exception_reaches_the_page() -> None:
    at = AppTest.from_string("raise ValueError('a secret')", default_timeout=60).run()
    (error,) = at.exception
    assert "a secret" not in f"{error.proto}"
    assert not error.proto.stack_trace
