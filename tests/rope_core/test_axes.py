"""Positions with several axes: which axis rotates which pair, the positions of image patches, and equal positions on all axes.

Shapes: P pairs, S tokens.
"""

import re

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rope_core import (
    LinearScaling,
    RopeConfig,
    RopeConfigError,
    apply_rotation,
    axial_frequencies,
    axis_angles,
    cos_sin,
    image_positions,
    inverse_frequencies,
    mrope_axes,
    rotate,
)
from tests.oracles import scaling as oracle

SPEEDS = inverse_frequencies(RopeConfig(8))


def refusal(sentence: str) -> object:
    return pytest.raises(RopeConfigError, match="^" + re.escape(sentence) + "$")


# Sections


def test_whole_sections_give_the_fastest_pairs_to_time():
    assert mrope_axes([16, 24, 24]) == ("t",) * 16 + ("h",) * 24 + ("w",) * 24


@pytest.mark.parametrize(
    ("section", "axes"),
    [([24, 20, 20], "thw" * 20 + "tttt"), ([11, 11, 10], "thw" * 10 + "th"), ([3, 0, 1], "ttwt"), ([4, 0, 0], "tttt"), ([1, 1, 0], "th")],
)
def test_interleaved_sections_alternate(section, axes):
    assert mrope_axes(section, interleaved=True) == tuple(axes)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_interleaved_sections_keep_their_sizes_or_are_rejected(time, height, width):
    section = [time, height, width]
    dealt = oracle.dealt(section)
    if sum(section) and [dealt.count(axis) for axis in "thw"] == section:
        assert list(mrope_axes(section, interleaved=True)) == dealt
        return
    with pytest.raises(RopeConfigError, match="mrope_section"):
        mrope_axes(section, interleaved=True)


def test_interleaved_sections_need_enough_pairs_of_time():
    with refusal("mrope_section [1, 2, 2] cannot be interleaved: time has too few pairs"):
        mrope_axes([1, 2, 2], interleaved=True)


def test_numpy_counts_do_not_overflow():
    assert mrope_axes([np.uint8(200), np.uint8(100), np.uint8(100)], interleaved=True) == mrope_axes([200, 100, 100], interleaved=True)


@pytest.mark.parametrize(
    "section", [[16, 24], [16, 24, 24, 0], [16, -1, 24], [16, 24.0, 24], [True, 1, 1], "thw", None, 64, [0, 0, 0], [1, 1, 4097]]
)
@pytest.mark.usefixtures("unchecked_shapes")
def test_what_is_not_three_counts_is_rejected(section):
    with refusal(f"mrope_section must be three counts of pairs, not all 0, got {section!r}"):
        mrope_axes(section)


# Images


def test_patches_are_numbered_row_by_row_at_constant_time():
    assert image_positions(7, 2, 3).tolist() == [[7] * 6, [7, 7, 7, 8, 8, 8], [7, 8, 9, 7, 8, 9]]


@given(st.integers(0, 1000), st.integers(1, 12), st.integers(1, 12))
def test_every_patch_has_its_own_place_below_the_next_text_position(start, height, width):
    positions = image_positions(start, height, width)
    assert positions.shape == (3, height * width)
    assert len({tuple(column) for column in positions.T.tolist()}) == height * width
    assert (positions.min(), positions.max() + 1) == (start, start + max(height, width))


def test_patches_are_on_the_requested_device():
    with torch.device("meta"):
        assert image_positions(0, 2, 2).device.type == "cpu"
    assert image_positions(0, 2, 2, device=torch.device("meta")).is_meta


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ((-1, 2, 2), "start must be an integer of at least 0, got -1"),
        ((10_000_001, 2, 2), "start must be at most 10000000, got 10000001"),
        ((0, 0, 2), "height must be an integer of at least 1, got 0"),
        ((0, 2, 1.5), "width must be an integer of at least 1, got 1.5"),
        ((0, 2, 4097), "width must be at most 4096, got 4097"),
    ],
)
@pytest.mark.usefixtures("unchecked_shapes")
def test_an_invalid_image_is_rejected(call, sentence):
    with refusal(sentence):
        image_positions(*call)


# Angles


@pytest.mark.parametrize("axes", [mrope_axes([16, 8, 8]), mrope_axes([12, 10, 10], interleaved=True)])
@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("scaling", [None, LinearScaling(4)], ids=["plain", "linear"])
def test_equal_positions_are_ordinary_rope_bit_for_bit(axes, layout, scaling, device):
    config, positions = RopeConfig(64, layout=layout, scaling=scaling), torch.tensor([0, 1, 77, 1_000_003], device=device)
    angles = axis_angles(inverse_frequencies(config, device=device), dict.fromkeys("thw", positions), axes)
    for table, ordinary in zip((angles.cos(), angles.sin()), cos_sin(config, positions, dtype=torch.float64), strict=True):
        assert torch.equal(table, ordinary)
    x = torch.randn(4, 64, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).to(device)
    assert torch.equal(apply_rotation(x, angles.cos(), angles.sin(), layout=layout), rotate(x, positions, config))


def test_every_pair_turns_by_the_position_of_its_axis(device):
    positions = {"t": [5, 5], "h": [6, 7], "w": [8, 9]}
    angles = axis_angles(SPEEDS.to(device), {axis: torch.tensor(row, device=device) for axis, row in positions.items()}, "thwt")
    expected = [
        [row["thwt"[i]] * 10_000 ** (-i / 4) for i in range(4)] for row in ({a: p[s] for a, p in positions.items()} for s in (0, 1))
    ]
    torch.testing.assert_close(angles.cpu(), torch.tensor(expected, dtype=torch.float64), rtol=1e-14, atol=0)


def test_a_patch_and_its_neighbour_below_differ_in_the_pairs_of_height_alone():
    angles = axis_angles(SPEEDS, dict(zip("thw", image_positions(100, 3, 4), strict=True)), ("t", "h", "w", "h"))
    assert (angles[4] != angles[0]).tolist() == [False, True, False, True]
    assert (angles[1] != angles[0]).tolist() == [False, False, True, False]


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int16, torch.int32, torch.int64])
def test_positions_may_be_integers_of_any_width_and_shape(dtype):
    positions = torch.tensor([[[250]], [[3]]], dtype=dtype)
    angles = axis_angles(SPEEDS, {"h": positions, "w": positions}, "hhww")
    assert angles.shape == (2, 1, 1, 4)
    assert angles[:, 0, 0, 0].tolist() == [250, 3]


NUMBERS = torch.arange(3)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        ((SPEEDS, {"t": NUMBERS}, "ttt"), "pair_axes must name one axis for each of the 4 pairs, got 3"),
        ((SPEEDS, {"t": NUMBERS, "w": NUMBERS}, "thww"), "positions must have the axis 'h', got ['t', 'w']"),
        ((SPEEDS, {"t": NUMBERS.float()}, "tttt"), "positions['t'] must be a tensor of integers, got torch.float32"),
        ((SPEEDS, {"t": [0, 1]}, "tttt"), "positions['t'] must be a tensor of integers, got list"),
        ((SPEEDS, {"t": NUMBERS, "h": NUMBERS[:2]}, "thtt"), "positions of all axes must have one shape, got [(2,), (3,)]"),
        ((SPEEDS, NUMBERS.expand(3, 3), "thww"), "positions must be a mapping of axes to tensors, got Tensor"),
        ((SPEEDS, {"t": NUMBERS.to("meta")}, "tttt"), "positions['t'] must lie on the device of inv_freq, cpu, got meta"),
        ((SPEEDS.float(), {"t": NUMBERS}, "tttt"), "inv_freq must be a torch.float64 tensor, got torch.float32"),
        ((SPEEDS[0], {"t": NUMBERS}, "t"), "inv_freq must have shape (P,) with at least one pair, got shape ()"),
        ((SPEEDS[:0], {"t": NUMBERS}, ""), "inv_freq must have shape (P,) with at least one pair, got shape (0,)"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
@pytest.mark.usefixtures("unchecked_shapes")
def test_axes_that_do_not_match_are_rejected(call, sentence):
    with refusal(sentence):
        axis_angles(*call)


# Two axes of a picture


@pytest.mark.parametrize("width", [4, 64, 80])
def test_split_gives_columns_and_then_rows_the_same_speeds(width):
    speeds, axes = axial_frequencies(width, 100.0)
    half = [100 ** (-4 * j / width) for j in range(width // 4)]
    torch.testing.assert_close(speeds, torch.tensor(half + half, dtype=torch.float64), rtol=1e-14, atol=0)
    assert axes == ("w",) * (width // 4) + ("h",) * (width // 4)


@pytest.mark.parametrize("width", [2, 6, 64])
def test_alternate_gives_even_pairs_to_rows(width):
    speeds, axes = axial_frequencies(width, 10_000.0, order="alternate")
    assert torch.equal(speeds, inverse_frequencies(RopeConfig(width)))
    assert axes == tuple("hw"[i % 2] for i in range(width // 2))


def test_an_image_can_be_rotated_with_the_core(device):
    speeds, axes = axial_frequencies(8, 100.0, device=device)
    _, rows, columns = image_positions(0, 2, 2, device=device)
    angles = axis_angles(speeds, {"h": rows, "w": columns}, axes)
    assert (angles[0] == 0).all()
    assert angles[1].tolist() == pytest.approx([1, 0.1, 0, 0], abs=1e-15)
    assert angles[2].tolist() == pytest.approx([0, 0, 1, 0.1], abs=1e-15)


def test_speeds_are_on_the_requested_device():
    with torch.device("meta"):
        assert axial_frequencies(8, 100.0)[0].device.type == "cpu"
    assert axial_frequencies(8, 100.0, device=torch.device("meta"))[0].is_meta


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: axial_frequencies(8, 100.0, order="rows"), 'order must be "split" or "alternate", got \'rows\''),
        (lambda: axial_frequencies(8, 100.0, order=None), 'order must be "split" or "alternate", got None'),
        (lambda: axial_frequencies(6, 100.0), "rotary_dim must be a positive multiple of 4 to be split over two axes, got 6"),
        (lambda: axial_frequencies(0, 100.0), "rotary_dim must be a positive multiple of 4 to be split over two axes, got 0"),
        (lambda: axial_frequencies(8.0, 100.0), "rotary_dim must be a positive multiple of 4 to be split over two axes, got 8.0"),
        (lambda: axial_frequencies(7, 100.0, order="alternate"), "rotary_dim must be a positive even integer, got 7"),
        (lambda: axial_frequencies(8, 1.0), "base must be above 1, got 1.0"),
    ],
)
@pytest.mark.usefixtures("unchecked_shapes")
def test_an_argument_outside_its_range_is_rejected(call, sentence):
    with refusal(sentence):
        call()
