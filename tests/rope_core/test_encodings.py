"""The sinusoidal encoding: the table of the paper, its link to the rotation, refusals."""

import math
import re

import numpy as np
import pytest
import torch

from rope_core import RopeConfigError, geometric_frequencies, sinusoidal_encoding


def paper(position: int, width: int) -> list[float]:
    """PE(pos, 2i) = sin(pos / 10000^(2i/d)), PE(pos, 2i+1) = cos(...), as printed."""
    angles = [position / 10_000 ** (2 * (j // 2) / width) for j in range(width)]
    return [math.cos(angle) if j % 2 else math.sin(angle) for j, angle in enumerate(angles)]


@pytest.mark.parametrize("width", [2, 8, 512])
def test_the_table_is_that_of_the_paper(width, device):
    positions = [0, 1, 7, 5000]
    table = sinusoidal_encoding(torch.tensor(positions, device=device), geometric_frequencies(width, 10_000, device=device))
    np.testing.assert_allclose(table.cpu().numpy(), [paper(position, width) for position in positions], rtol=0, atol=1e-11)


def test_position_0_is_zeros_and_ones():
    assert sinusoidal_encoding(torch.tensor([0]), geometric_frequencies(4, 10_000)).tolist() == [[0, 1, 0, 1]]


def test_two_codes_depend_on_the_distance_alone(device):
    inv_freq = geometric_frequencies(64, 10_000, device=device)
    table = sinusoidal_encoding(torch.tensor([5, 12, 1005, 1012], device=device), inv_freq)
    assert (table[0] @ table[1]).item() == pytest.approx((table[2] @ table[3]).item(), abs=1e-10)
    assert (table[0] @ table[1]).item() == pytest.approx((7 * inv_freq).cos().sum().item(), abs=1e-10)


def test_speeds_of_another_dtype_are_taken_as_they_are():
    inv_freq = torch.tensor([1.0, 0.1], dtype=torch.float32)
    expected = sinusoidal_encoding(torch.arange(3), inv_freq.double())
    assert torch.equal(sinusoidal_encoding(torch.arange(3), inv_freq), expected)
    assert expected.dtype == torch.float64


@pytest.mark.parametrize("positions", [torch.arange(3.0), torch.zeros(3, dtype=torch.bool), [0, 1]], ids=str)
def test_positions_that_are_no_integer_tensor_are_refused(positions):
    with pytest.raises(RopeConfigError, match=r"^positions must be a tensor of integers, got "):
        sinusoidal_encoding(positions, geometric_frequencies(4, 10_000))


@pytest.mark.parametrize("inv_freq", [torch.tensor([1, 2]), [1.0], 10_000.0], ids=str)
def test_speeds_that_are_no_floating_point_tensor_are_refused(inv_freq):
    with pytest.raises(RopeConfigError, match=r"^inv_freq must be a floating-point tensor, got "):
        sinusoidal_encoding(torch.arange(3), inv_freq)


@pytest.mark.parametrize(
    ("positions", "speeds", "named"),
    [((2, 3), (4,), "positions"), ((), (4,), "positions"), ((3,), (1, 4), "inv_freq"), ((3,), (), "inv_freq")],
)
def test_more_or_less_than_one_axis_is_refused(positions, speeds, named):
    shape = positions if named == "positions" else speeds
    with pytest.raises(RopeConfigError, match=re.escape(f"{named} must have one axis, got shape {shape}")):
        sinusoidal_encoding(torch.ones(positions, dtype=torch.int64), torch.ones(speeds))
