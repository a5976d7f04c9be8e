"""Cached calls: keyed by everything that matters, read-only, and computed on the device that was asked for."""

import inspect

import numpy as np
import pytest
import torch

from compute import laws, pair, scores, speeds
from compute.store import STORE
from rope_core import LinearScaling, NtkScaling, RopeConfig

CONFIG = RopeConfig(8, base=100.0)
Q, K = tuple(np.linspace(-1, 2, 8).tolist()), tuple(np.linspace(3, -0.5, 8).tolist())
HEAD = {"config": CONFIG, "q": Q, "k": K}
PAIR = {"q": (1.0, 2.0), "k": (3.0, -1.0), "speed": 0.3}
POSITIONS = PAIR | {"q_positions": (1, 5, 9), "k_positions": (2, 2, 7)}
OTHER_PAIR = {"q": (2.0, 2.0), "k": (3.0, 1.0), "speed": 0.4}
OTHER_POSITIONS = OTHER_PAIR | {"q_positions": (2, 5, 9), "k_positions": (3, 2, 7)}
TYPED = {"config": CONFIG, "kind": "typed", "peak": 9, "q_typed": (1.0,), "k_typed": (2.0,)}
OTHER_HEADS = {"config": RopeConfig(8, base=101.0)}
CALLS = {
    "turn_pair": (pair.turn_pair, POSITIONS, OTHER_POSITIONS),
    "complex_score": (pair.complex_score, PAIR | {"distance": 5}, OTHER_PAIR | {"distance": 6}),
    "additive_scores": (pair.additive_scores, POSITIONS, OTHER_POSITIONS),
    "head_vectors": (scores.head_vectors, TYPED | {"kind": "peak"}, {"kind": "typed", "peak": 10, **OTHER_HEADS}),
    "score_band": (scores.score_band, HEAD | {"reach": 500}, {"q": K, "k": Q, "reach": 501, **OTHER_HEADS}),
    "first_negative": (scores.first_negative, {"config": RopeConfig(128), "reach": 8192}, {"reach": 1706, "config": RopeConfig(64)}),
    "random_scores": (scores.random_scores, {"config": CONFIG, "reach": 500, "seed": 0}, {"reach": 501, "seed": 1, **OTHER_HEADS}),
    "bounds": (scores.bounds, HEAD | {"reach": 500}, {"q": K, "k": Q, "reach": 501, **OTHER_HEADS}),
    "spectrum": (scores.spectrum, HEAD | {"tokens": 500}, {"q": K, "k": Q, "tokens": 502, **OTHER_HEADS}),
    "mean_cosines": (laws.mean_cosines, {"config": CONFIG, "equal_speed": 0.5, "tokens": 50}, {"equal_speed": 0.6, **OTHER_HEADS}),
    "laws": (laws.laws, {"config": CONFIG}, OTHER_HEADS),
    "speeds": (speeds.speeds, {"config": CONFIG}, OTHER_HEADS),
    "wavelengths": (speeds.wavelengths, {"config": CONFIG}, OTHER_HEADS),
    "ratios": (speeds.ratios, {"config": RopeConfig(8, scaling=NtkScaling(2))}, {"config": RopeConfig(8, scaling=LinearScaling(2))}),
    "coverage": (speeds.coverage, {"config": CONFIG, "length": 50}, {"length": 40, **OTHER_HEADS}),
    "wavelengths_of_bases": (speeds.wavelengths_of_bases, {"head_dim": 8, "bases": (2.0, 3.0)}, {"head_dim": 10, "bases": (2.0, 4.0)}),
}  # fmt: skip


def call(name, **changes):
    function, arguments, _ = CALLS[name]
    return function(**arguments | changes)


def arrays(answer):
    if isinstance(answer, dict):
        return [array for part in answer.values() for array in arrays(part)]
    if isinstance(answer, tuple):
        return [array for part in answer for array in arrays(part)]
    return [np.atleast_1d(np.asarray(np.nan if answer is None else answer))]


def numbers(answer):
    """All numbers of an answer in one row."""
    return np.concatenate([array.astype(complex).ravel() for array in arrays(answer)])


def same(one, other):
    return len(numbers(one)) == len(numbers(other)) and np.array_equal(numbers(one), numbers(other), equal_nan=True)


def use(name, device, monkeypatch, asked):
    """Have the function of a call, and those that it calls in its module, ask for a device."""
    module = inspect.unwrap(CALLS[name][0]).__globals__
    monkeypatch.setitem(module, "best_device", lambda: asked.append(name) or device)
    STORE.clear()


@pytest.mark.parametrize("name", CALLS)
class TestEveryCall:
    def test_second_call_gives_the_same_answer(self, name):
        assert call(name) is call(name)

    def test_nobody_can_write_into_an_answer(self, name):
        answer = call(name)
        parts = answer.values() if isinstance(answer, dict) else answer if isinstance(answer, tuple) else (answer,)
        assert not any(part.flags.writeable for part in parts if isinstance(part, np.ndarray))

    def test_every_setting_that_matters_changes_the_answer(self, name):
        answer = call(name)
        for changed, new in CALLS[name][2].items():
            assert not same(answer, call(name, **{changed: new})), changed

    def test_numbers_agree_on_both_devices_to_1e_9(self, name, device, monkeypatch):
        if device.type == "cpu":
            pytest.skip("compares the CPU with another device: run with --device cuda")
        answers = []
        for where in (torch.device("cpu"), device):
            use(name, where, monkeypatch, [])
            answers.append(numbers(call(name)))
        np.testing.assert_allclose(answers[1], answers[0], rtol=1e-9, atol=1e-9)

    def test_device_is_asked_for_and_not_taken_from_elsewhere(self, name, monkeypatch):
        asked = []
        use(name, torch.device("cpu"), monkeypatch, asked)
        call(name)
        assert asked


def test_two_scaling_methods_with_one_factor_do_not_share_an_answer():
    ones = (1.0,) * 16
    bands = [scores.score_band(RopeConfig(16, scaling=method(2.0)), ones, ones, 100) for method in (LinearScaling, NtkScaling)]
    assert bands[0].at_end != bands[1].at_end


@pytest.mark.parametrize("name", ["score_band", "bounds", "spectrum", "random_scores"])
def test_layout_of_a_head_changes_the_answer(name):
    assert not same(call(name), call(name, config=RopeConfig(8, base=100.0, layout="interleaved")))


@pytest.mark.parametrize("changed", [{"q_typed": (3.0,)}, {"k_typed": (3.0,)}])
def test_typed_numbers_change_the_vectors(changed):
    assert scores.head_vectors(**TYPED) != scores.head_vectors(**TYPED | changed)


def test_shorter_call_after_a_longer_one_is_its_beginning():
    ten = pair.turn_pair((1.0, 0.0), (1.0, 0.0), 1.0, tuple(range(10)), (0,) * 10)
    three = pair.turn_pair((1.0, 0.0), (1.0, 0.0), 1.0, (0, 1, 2), (0,) * 3)
    later = pair.turn_pair((1.0, 0.0), (1.0, 0.0), 1.0, (100, 101, 102), (0,) * 3)
    np.testing.assert_array_equal(three.q, ten.q[:3])
    assert three.q[:, 0] == pytest.approx([1, 0.540302306, -0.416146837], abs=1e-9)
    assert later.q[:, 0] == pytest.approx([0.862318872, 0.892004870, 0.101585704], abs=1e-9)
