"""The device that computations run on."""

import pytest
import torch

from rope_core import (
    RopeConfig,
    alibi_slopes,
    best_device,
    constant_frequencies,
    geometric_frequencies,
    inverse_frequencies,
    layout_permutation,
    linear_frequencies,
    rotation_matrix,
    wavelengths,
)
from tests.methods import methods


@pytest.mark.parametrize(("available", "kind"), [(True, "cuda"), (False, "cpu")])
def test_the_best_device_is_cuda_where_there_is_one(monkeypatch, available, kind):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: available)
    assert best_device() == torch.device(kind)


@pytest.mark.parametrize(
    "call",
    [
        lambda device: geometric_frequencies(8, 100.0, device=device),
        lambda device: linear_frequencies(8, 0.1, device=device),
        lambda device: constant_frequencies(8, 0.1, device=device),
        *(
            lambda device, scaling=scaling: inverse_frequencies(RopeConfig(8, scaling=scaling), device=device)
            for scaling in methods(pairs=4)
        ),
        lambda device: wavelengths(RopeConfig(8), device=device),
        lambda device: rotation_matrix(RopeConfig(8), 3, device=device),
        lambda device: layout_permutation(8, device=device),
    ],
)
def test_no_device_means_the_cpu_whatever_the_default_is(call):
    right = call(None)
    with torch.device("meta"):
        assert torch.equal(call(None), right)
    assert call(torch.device("meta")).is_meta


def test_slopes_are_on_the_cpu_whatever_the_default_is():
    with torch.device("meta"):
        assert alibi_slopes(6).device.type == "cpu"
