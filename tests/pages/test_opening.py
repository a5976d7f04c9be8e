"""The first page of a visit plays once, and only where nobody asked for a setting of it."""

from urllib.parse import parse_qsl

import pytest

from tests.visit import go, message, move, open_page


def motion(at):
    return message(at)["motion"]


def test_start_moves_from_position_0_to_where_it_stands_when_a_visit_opens_with_it():
    way = motion(open_page("start"))
    positions = [int(frame["position"]) for frame in way["frames"]]
    assert dict(parse_qsl(way["before"]))["position"] == "0"
    assert positions == sorted(positions)
    assert set(positions) >= set(range(1, 12))
    assert way["opening"]


@pytest.mark.parametrize(
    "query", [{"position": "40"}, {"start_view": "two"}, {"step": "1"}, {"present": "1"}, {"pin": "start:base=500"}], ids=str
)
def test_it_stands_at_once_for_a_link_that_asks_for_something(query):
    assert motion(open_page("start", **query)) is None


def test_it_stands_at_once_in_a_frame_of_another_page():
    assert motion(open_page("start", browser={"is_embedded": True})) is None


def test_it_plays_once_in_a_visit():
    at = open_page("start")
    assert motion(move(at, base=500)) is None
    assert motion(go(open_page("pair"), "start")) is None


def test_other_pages_stand_at_once():
    assert motion(open_page("pair")) is None
