"""Long counts: one at a time, those of a visitor who has none in line first, then short ones; what nobody waits for is dropped."""

import threading
import time
from contextvars import copy_context

import pytest

from compute import turns
from compute.turns import ASKER, Asker, Dropped, in_turn


class Line:
    """Counts that wait behind one that has begun."""

    def __init__(self):
        self.go_on, self.made, self.dropped = threading.Event(), [], []
        self.threads = []
        begun = threading.Event()
        self.start(Asker("first"), "first", 0, lambda: (begun.set(), self.go_on.wait(30)))
        assert begun.wait(30)

    def start(self, asker, name, numbers, work=lambda: None):
        def ask():
            ASKER.set(asker)
            try:
                in_turn(lambda: (work(), self.made.append(name)), numbers)
            except Dropped:
                self.dropped.append(name)

        thread = threading.Thread(target=copy_context().run, args=(ask,))
        thread.start()
        self.threads.append(thread)

    def add(self, asker, name, numbers):
        """Let somebody ask, and wait until the count is in line."""
        length = len(turns._LINE)
        self.start(asker, name, numbers)
        deadline = time.monotonic() + 30
        while len(turns._LINE) == length and self.threads[-1].is_alive():
            assert time.monotonic() < deadline
            time.sleep(0.001)

    def finish(self):
        self.go_on.set()
        for thread in self.threads:
            thread.join(30)
        assert not turns._LINE
        return self.made[1:]


def test_the_short_one_passes_those_that_wait():
    line = Line()
    for number in range(40):
        line.add(Asker(number), f"long {number}", 1e9)
    line.add(Asker("small"), "short", 2e6)
    assert line.finish() == ["short", *(f"long {number}" for number in range(40))]


def test_a_visitor_who_asks_for_many_waits_behind_others_but_for_the_first():
    line = Line()
    for number in range(3):
        line.add(Asker("greedy"), f"greedy {number}", 2e6)
    line.add(Asker("other"), "other", 1e9)
    assert line.finish() == ["greedy 0", "other", "greedy 1", "greedy 2"]


def test_what_nobody_waits_for_when_its_turn_comes_or_when_it_is_asked_for_is_not_made():
    line, there = Line(), threading.Event()
    there.set()
    line.add(Asker("leaves", there.is_set), "left", 1)
    line.add(Asker("stays"), "stayed", 2)
    there.clear()
    line.add(Asker("late", there.is_set), "late", 3)
    assert line.finish() == ["stayed"]
    assert sorted(line.dropped) == ["late", "left"]


def test_an_error_arrives_where_the_count_was_asked_for_and_the_line_goes_on():
    with pytest.raises(ZeroDivisionError):
        in_turn(lambda: 1 / 0, 1)
    assert in_turn(lambda: 5, 1) == 5
