"""The store of shared answers: bounded in bytes and entries, keyed by all arguments, closed to writers."""

import ast
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from compute.store import FEW, LEAST, MOST, STORE, cached, one_at_a_time, size
from rope_core import LinearScaling, NtkScaling, RopeConfig

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _empty():
    STORE.clear()
    yield
    STORE.clear()


@pytest.fixture
def counted():
    """Return a cached function that notes each time it really runs."""
    runs = []

    @cached
    def answer(*args, **kwargs):
        runs.append((args, kwargs))
        return np.arange(1000.0), {"part": [np.ones(3)]}

    return answer, runs


def test_an_answer_is_computed_once_for_the_same_arguments_and_anew_for_others(counted):
    answer, runs = counted
    for head in (RopeConfig(8), RopeConfig(8), RopeConfig(8, base=20.0), RopeConfig(8, layout="interleaved")):
        answer(head, 3)
    assert len(runs) == 3


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        (RopeConfig(16, scaling=LinearScaling(2.0)), RopeConfig(16, scaling=NtkScaling(2.0))),
        ((1.0, 2.0), (1.0, 2.0, 2.0)),
    ],
)
def test_arguments_that_differ_in_type_or_method_do_not_share_an_answer(counted, one, other):
    answer, runs = counted
    answer(one)
    answer(other)
    assert len(runs) == 2


def test_two_functions_do_not_share_an_answer():
    @cached
    def first(number):
        return number

    @cached
    def second(number):
        return -number

    assert (first(1), second(1)) == (1, -1)


def test_no_array_of_an_answer_can_be_written_into(counted):
    answer, _ = counted
    array, parts = answer()
    for each in (array, parts["part"][0]):
        with pytest.raises(ValueError, match="read-only"):
            each[0] = 7


def test_bytes_of_all_answers_stay_below_the_bound():
    block = cached(lambda number: np.zeros(MOST // 80))  # a tenth of the store each
    for number in range(30):
        block(number)
        assert STORE.currsize <= MOST
    assert 8 <= len(STORE) <= 10
    assert sum(array.nbytes for array in STORE.values()) <= MOST


def test_small_answers_are_bounded_in_number():
    small = cached(lambda number: number)
    for number in range(2 * MOST // LEAST):
        small(number)
    assert len(STORE) == MOST // LEAST


def test_an_answer_larger_than_the_store_is_given_and_not_kept():
    huge = cached(lambda: np.zeros(MOST // 8 + 1))
    assert huge().nbytes > MOST
    assert len(STORE) == 0


def test_size_counts_arrays_wherever_they_stand():
    array = np.zeros(100_000)
    for answer, arrays in ((array, 1), ((array, array), 2), ({"a": array, "b": [array]}, 2)):
        assert arrays * array.nbytes <= size(answer) <= arrays * array.nbytes + 1000
    assert size(1.0) == size(None) == LEAST


def in_threads(call, count=8):
    found = []
    threads = [threading.Thread(target=lambda number=number: found.append(call(number))) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def test_many_threads_get_the_same_answer_and_it_is_computed_once():
    runs = []

    @cached
    def slow(number):
        runs.append(number)
        time.sleep(0.05)
        return np.arange(1000.0)

    assert [answer.sum() for answer in in_threads(lambda _number: slow(5))] == [499_500.0] * 8
    assert runs == [5]


def test_large_ones_run_one_at_a_time_in_one_thread_and_their_errors_arrive():
    inside, threads = [], set()

    @cached
    @one_at_a_time()
    def large(number):
        inside.append(number)
        threads.add(threading.get_ident())
        time.sleep(0.01)
        assert inside == [number]
        inside.clear()
        return number

    assert sorted(in_threads(large)) == list(range(8))
    assert len(threads) == 1
    with pytest.raises(ZeroDivisionError):
        cached(one_at_a_time()(lambda: 1 / 0))()


def test_a_large_one_that_calls_another_says_so_instead_of_waiting_for_itself():
    inner = one_at_a_time()(lambda: 5)
    assert inner() == 5
    with pytest.raises(RuntimeError, match="was called by a function that does"):
        one_at_a_time()(lambda: inner() + 1)()


def test_few_numbers_wait_for_nobody():
    thread = one_at_a_time(lambda count: count)(lambda _count: threading.current_thread().name)
    assert thread(FEW) == threading.current_thread().name
    assert thread(FEW + 1).startswith("large")


def test_streamlit_keeps_no_second_copy():
    calls = [
        (path.name, ast.unparse(decorator))
        for room in ("compute", "lessons", "exports", "server", "ui", "pages")
        for path in (ROOT / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for decorator in getattr(node, "decorator_list", [])
    ]
    assert sum(text == "cached" for _, text in calls) >= 30
    assert not [call for call in calls if "cache_data" in call[1] or "cache_resource" in call[1]]
