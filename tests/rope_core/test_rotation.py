"""The rotation: values of the oracles, its laws, inputs and results, and errors.

Shapes: B batch, H heads, S positions, D head dimension, P pairs.
"""

import math
import random
import re

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.autograd import forward_ad

from rope_core import (
    SCALINGS,
    LinearScaling,
    RopeConfig,
    RopeConfigError,
    apply_rotation,
    attention_factor,
    cos_sin,
    inverse_frequencies,
    layout_permutation,
    rotate,
    rotation,
    rotation_matrix,
)
from tests.methods import MAKERS, WHOLE_HEAD, make
from tests.oracles import rotation as oracle

LAYOUTS = ["half", "interleaved"]
DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
# Half of the last place of each dtype, for values of size up to 4.
ROUNDING = {torch.float16: 2e-3, torch.bfloat16: 1.6e-2, torch.float32: 5e-7, torch.float64: 1e-14}


@st.composite
def configs(draw) -> RopeConfig:
    rotary_dim = 2 * draw(st.integers(2, 16))
    name, length = draw(st.none() | st.sampled_from(list(MAKERS))), draw(st.integers(2, 10_000))
    state = random.getstate()  # the checker of types looks at one item of a list, and hypothesis wants to own all chance
    scaling = None if name is None else make(name, draw(st.floats(1, 64)), pairs=rotary_dim // 2, length=length)
    random.setstate(state)
    return RopeConfig(
        rotary_dim + (0 if name in WHOLE_HEAD else 2 * draw(st.integers(0, 4))),
        rotary_dim=rotary_dim,
        base=draw(st.floats(1.01, 1e9)),
        layout=draw(st.sampled_from(LAYOUTS)),
        max_position=draw(st.integers(1, 10_000)),
        scaling=scaling,
    )


positions_up_to_a_million = st.integers(-1_000_000, 1_000_000)
lengths = st.none() | st.integers(1, 1_000_000)


def vectors(*shape: int, dtype: torch.dtype = torch.float64, device: torch.device | None = None, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)).to(device, dtype)


def at(x: torch.Tensor, position: int, config: RopeConfig, seq_len: int | None = None) -> torch.Tensor:
    """Rotate one vector."""
    return rotate(x.unsqueeze(0), torch.tensor([position], device=x.device), config, seq_len=seq_len).squeeze(0)


def grown(x: torch.Tensor, config: RopeConfig, times: int = 1) -> torch.Tensor:
    """Multiply the rotated coordinates by the attention factor, once for each rotation."""
    out = x.clone()
    out[..., : config.rotary_dim] *= attention_factor(config) ** times
    return out


# Values


@given(configs(), st.lists(positions_up_to_a_million, min_size=1, max_size=4), lengths)
def test_rotate_multiplies_every_pair_by_a_complex_number(device, config, positions, seq_len):
    x = vectors(len(positions), config.head_dim, device=device)
    inv_freq = inverse_frequencies(config, seq_len).tolist()
    expected = oracle.turned_rows(grown(x, config).cpu().numpy(), positions, inv_freq, config.layout)
    actual = rotate(x, torch.tensor(positions, device=device), config, seq_len=seq_len).cpu()
    torch.testing.assert_close(actual, torch.from_numpy(expected), rtol=0, atol=1e-9)


@given(configs(), positions_up_to_a_million, lengths)
def test_the_matrix_is_block_diagonal_over_the_pairs(device, config, position, seq_len):
    expected = oracle.matrix(position, inverse_frequencies(config, seq_len).tolist(), config.head_dim, config.layout)
    actual = rotation_matrix(config, position, seq_len=seq_len, device=device).cpu()
    torch.testing.assert_close(actual, grown(torch.from_numpy(expected).T, config).T, rtol=0, atol=1e-9)


@pytest.mark.parametrize("position", [0, 1, 1_000, 131_072, 1_048_576, 10_000_000, -10_000_000])
@pytest.mark.parametrize(("width", "base"), [(64, 1.01), (128, 10_000), (128, 5e5), (64, 1e9)])
def test_tables_agree_with_fifty_digits_up_to_ten_million(position, width, base, device):
    cos, sin = cos_sin(RopeConfig(width, base=base), torch.tensor(position, device=device), dtype=torch.float64)
    exact_cos, exact_sin = oracle.exact_cos_sin(position, width, base)
    assert np.abs(cos.cpu().numpy() - exact_cos).max() <= 1e-8
    assert np.abs(sin.cpu().numpy() - exact_sin).max() <= 1e-8


@pytest.mark.parametrize("position", [131_072, 10_000_000])
def test_float32_tables_are_the_float64_ones_rounded_once(position, device):
    config, positions = RopeConfig(128), torch.tensor([position], device=device)
    for narrow, wide in zip(cos_sin(config, positions), cos_sin(config, positions, dtype=torch.float64), strict=True):
        assert torch.equal(narrow, wide.float())


def test_the_rotation_is_counter_clockwise(device):
    turned = at(torch.tensor([1.0, 0.0], dtype=torch.float64, device=device), 1, RopeConfig(2))
    assert turned.tolist() == pytest.approx([0.5403023058681398, 0.8414709848078965], abs=1e-15)


@pytest.mark.parametrize(("layout", "touched"), [("half", [1, 5]), ("interleaved", [2, 3])])
def test_the_layout_says_which_coordinates_are_pair_1(layout, touched, device):
    config = RopeConfig(10, rotary_dim=8, layout=layout)
    changed = (rotation_matrix(config, 3, device=device).cpu() - torch.eye(10, dtype=torch.float64)).abs().sum(0) > 0
    only_pair_1 = torch.tensor([0.0, 0.3, 0.0, 0.0], device=device)
    turned = apply_rotation(torch.ones(10, device=device), only_pair_1.cos(), only_pair_1.sin(), layout=layout)
    assert (turned != 1).nonzero().flatten().tolist() == touched
    assert changed.nonzero().flatten().tolist() == list(range(8))


# Laws


@given(configs(), positions_up_to_a_million, lengths)
def test_the_norm_is_kept_but_for_the_attention_factor(device, config, position, seq_len):
    x = vectors(config.head_dim, device=device)
    torch.testing.assert_close(at(x, position, config, seq_len).norm(), grown(x, config).norm(), rtol=1e-14, atol=0)


@given(configs(), lengths)
def test_position_0_turns_nothing(device, config, seq_len):
    x = vectors(config.head_dim, device=device)
    assert torch.equal(at(x, 0, config, seq_len), grown(x, config))
    assert torch.equal(rotation_matrix(config, 0, seq_len=seq_len), grown(torch.eye(config.head_dim, dtype=torch.float64), config))


@given(configs(), positions_up_to_a_million, positions_up_to_a_million, lengths)
def test_two_rotations_are_the_rotation_by_their_sum(device, config, m, n, seq_len):
    x = vectors(config.head_dim, device=device)
    torch.testing.assert_close(
        at(at(x, m, config, seq_len), n, config, seq_len), grown(at(x, m + n, config, seq_len), config), rtol=0, atol=5e-9
    )


@given(configs(), positions_up_to_a_million, lengths)
def test_the_opposite_position_turns_back(device, config, position, seq_len):
    x = vectors(config.head_dim, device=device)
    torch.testing.assert_close(at(at(x, position, config, seq_len), -position, config, seq_len), grown(x, config, 2), rtol=0, atol=1e-14)


@given(configs(), positions_up_to_a_million, positions_up_to_a_million, positions_up_to_a_million, lengths)
def test_a_score_depends_on_the_distance_alone(device, config, m, n, shift, seq_len):
    q, k = vectors(2, config.head_dim, device=device)
    here = at(q, m, config, seq_len) @ at(k, n, config, seq_len)
    there = at(q, m + shift, config, seq_len) @ at(k, n + shift, config, seq_len)
    torch.testing.assert_close(here, there, rtol=0, atol=5e-8)


@given(configs(), positions_up_to_a_million)
def test_the_matrix_times_a_vector_is_the_rotated_vector(device, config, position):
    x = vectors(config.head_dim, device=device)
    torch.testing.assert_close(rotation_matrix(config, position, device=device) @ x, at(x, position, config), rtol=0, atol=1e-14)


@given(configs(), positions_up_to_a_million)
def test_the_matrix_is_orthogonal_with_determinant_1_but_for_the_attention_factor(config, position):
    matrix = rotation_matrix(config, position)
    torch.testing.assert_close(matrix @ matrix.T, grown(torch.eye(config.head_dim, dtype=torch.float64), config, 2), rtol=0, atol=1e-14)
    assert torch.linalg.det(matrix).item() == pytest.approx(attention_factor(config) ** config.rotary_dim, rel=1e-12)


@given(configs(), positions_up_to_a_million)
def test_the_layouts_are_one_operation_up_to_a_permutation(device, config, position):
    idx = layout_permutation(config.rotary_dim, device=device)
    half, interleaved = (
        RopeConfig(config.rotary_dim, base=config.base, layout=layout, max_position=config.max_position, scaling=config.scaling)
        for layout in LAYOUTS
    )
    x = vectors(config.rotary_dim, device=device)
    torch.testing.assert_close(at(x[idx], position, half), at(x, position, interleaved)[idx], rtol=0, atol=1e-14)


@pytest.mark.parametrize("width", [2, 4, 6, 8, 64, 128])
def test_the_inverse_permutation_is_argsort(width, device):
    idx = layout_permutation(width, device=device)
    assert torch.equal(torch.arange(width, device=device)[idx][idx.argsort()], torch.arange(width, device=device))


def test_the_permutation_lists_evens_then_odds(device):
    assert layout_permutation(8, device=device).tolist() == [0, 2, 4, 6, 1, 3, 5, 7]


# What goes in and comes out


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("tracked", [False, True])
def test_the_result_has_the_dtype_of_the_input_and_is_rounded_once(dtype, layout, tracked, device):
    config, positions = RopeConfig(16, rotary_dim=12, layout=layout), torch.arange(1000, 1005, device=device)
    x = vectors(5, 16, dtype=dtype, device=device).requires_grad_(tracked)
    turned = rotate(x, positions, config)
    assert turned.dtype == dtype
    exact = rotate(x.detach().double(), positions, config)
    torch.testing.assert_close(turned.detach().double(), exact, rtol=0, atol=ROUNDING[dtype])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_narrow_inputs_lose_no_more_than_the_rounding_of_the_result(dtype, device):
    config, positions = RopeConfig(64), torch.arange(4096, 4160, device=device)
    x = vectors(64, 64, dtype=dtype, device=device)
    exact = rotate(x.double(), positions, config).to(dtype)
    assert (rotate(x, positions, config) == exact).double().mean().item() > 0.999


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("tables", [torch.float32, torch.float64])
@pytest.mark.parametrize("tracked", [False, True])
def test_no_input_is_modified(dtype, layout, tables, tracked, device):
    config = RopeConfig(16, rotary_dim=12, layout=layout)
    cos, sin = cos_sin(config, torch.arange(5, device=device), dtype=tables)
    x = vectors(2, 5, 16, dtype=dtype, device=device).requires_grad_(tracked)
    before = [tensor.detach().clone() for tensor in (x, cos, sin)]
    turned = apply_rotation(x, cos, sin, layout=layout)
    assert turned.data_ptr() != x.data_ptr()
    assert all(torch.equal(tensor, copy) for tensor, copy in zip((x, cos, sin), before, strict=True))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_what_does_not_turn_passes_bit_for_bit(layout, dtype, device):
    x = vectors(5, 16, dtype=dtype, device=device)
    turned = rotate(x, torch.arange(5, device=device), RopeConfig(16, rotary_dim=12, layout=layout))
    assert torch.equal(turned[:, 12:], x[:, 12:])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_path_of_gradients_gives_the_same_values(dtype, layout, device):
    config, positions = RopeConfig(16, rotary_dim=12, layout=layout), torch.arange(100, 105, device=device)
    x = vectors(2, 3, 5, 16, dtype=dtype, device=device)
    tracked = rotate(x.clone().requires_grad_(), positions, config)
    assert tracked.requires_grad
    torch.testing.assert_close(tracked.detach().double(), rotate(x, positions, config).double(), rtol=0, atol=2 * ROUNDING[dtype])


@pytest.mark.parametrize("layout", LAYOUTS)
def test_gradients_are_those_of_finite_differences(layout, device):
    config, positions = RopeConfig(8, rotary_dim=6, layout=layout), torch.tensor([0, 3, 1000], device=device)
    x = vectors(2, 3, 8, device=device).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: rotate(x, positions, config), (x,))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_tables_may_be_learned(layout, device):
    x, cos, sin = vectors(3, 8, device=device), *vectors(2, 3, 3, device=device).unbind()
    inputs = (x.requires_grad_(), cos.clone().requires_grad_(), sin.clone().requires_grad_())
    assert torch.autograd.gradcheck(lambda x, cos, sin: apply_rotation(x, cos, sin, layout=layout), inputs)


def test_the_gradient_is_the_rotation_backwards(device):
    config, positions = RopeConfig(8), torch.arange(5, device=device)
    x, weight = vectors(5, 8, device=device).requires_grad_(), vectors(5, 8, device=device, seed=1)
    (rotate(x, positions, config) * weight).sum().backward()
    torch.testing.assert_close(x.grad, rotate(weight, -positions, config))


def test_no_grad_and_inference_mode_give_untracked_results(device):
    x, positions, config = vectors(5, 8, device=device).requires_grad_(), torch.arange(5, device=device), RopeConfig(8)
    expected = rotate(x, positions, config).detach()
    for mode in (torch.no_grad, torch.inference_mode):
        with mode():
            turned = rotate(x, positions, config)
            assert not turned.requires_grad
            torch.testing.assert_close(turned, expected)


@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")  # torch's own import behind jvp
@pytest.mark.parametrize("layout", LAYOUTS)
def test_vmap_and_jvp_agree_with_the_plain_call(layout, device):
    config, positions = RopeConfig(8, layout=layout), torch.arange(5, device=device)
    x = vectors(3, 5, 8, device=device)
    expected = rotate(x, positions, config)
    torch.testing.assert_close(torch.func.vmap(lambda row: rotate(row, positions, config))(x), expected)
    # The rotation is linear: its derivative in the direction of x is the rotation of x.
    torch.testing.assert_close(torch.func.jvp(lambda x: rotate(x, positions, config), (x,), (x,))[1], expected)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("tracked", [False, True])
@pytest.mark.parametrize(
    "seen",
    [
        lambda x: x.transpose(1, 2),
        lambda x: x.flip(0),
        lambda x: x.transpose(-1, -2).contiguous().transpose(-1, -2),
        lambda x: torch.cat((x, x), dim=-1)[..., ::2],
        lambda x: x[:1].expand(4, -1, -1, -1),
        lambda x: x[..., :1].expand(-1, -1, -1, 12),
    ],
    ids=["transposed", "flipped", "columns first", "strided", "expanded batch", "expanded coordinates"],
)
def test_the_memory_layout_of_the_input_does_not_matter(layout, tracked, seen, device):
    config = RopeConfig(12, rotary_dim=8, layout=layout)
    x = seen(vectors(2, 5, 5, 12, device=device))
    positions = torch.arange(5, device=device)
    torch.testing.assert_close(
        rotate(x.detach().requires_grad_(tracked), positions, config).detach(), rotate(x.contiguous(), positions, config)
    )


@pytest.mark.parametrize("shape", [(5, 8), (3, 5, 8), (2, 3, 5, 8), (2, 3, 4, 5, 8)], ids=str)
def test_positions_of_a_row_serve_every_leading_axis(shape, device):
    config, positions = RopeConfig(8), torch.tensor([7, 0, 3, 3, -2], device=device)
    x = vectors(*shape, device=device)
    turned = rotate(x, positions, config)
    assert turned.shape == shape
    rows, expected = turned.reshape(-1, 5, 8), x.reshape(-1, 5, 8)
    torch.testing.assert_close(rows, torch.stack([rotate(row, positions, config) for row in expected]))


@pytest.mark.parametrize("shape", [(2, 5, 8), (2, 3, 5, 8), (2, 3, 4, 5, 8)], ids=str)
def test_positions_of_a_batch_belong_to_its_first_axis(shape, device):
    config, positions = RopeConfig(8), torch.tensor([[0, 1, 2, 3, 4], [9, 8, 7, 6, 5]], device=device)
    x = vectors(*shape, device=device)
    expected = torch.stack([rotate(x[b], positions[b], config) for b in range(2)])
    torch.testing.assert_close(rotate(x, positions, config), expected)


def test_a_batch_as_long_as_its_sequence_is_not_confused_with_it(device):
    config, positions = RopeConfig(8), torch.arange(16, device=device).reshape(4, 4)
    x = torch.ones(4, 4, 4, 8, dtype=torch.float64, device=device)
    turned = rotate(x, positions, config)
    torch.testing.assert_close(turned[1, 0], rotate(x[1, 0], torch.arange(4, 8, device=device), config))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
@pytest.mark.parametrize("tracked", [False, True])
@pytest.mark.parametrize("shape", [(0, 8), (2, 0, 8), (0, 3, 5, 8)], ids=str)
def test_an_empty_sequence_has_an_empty_result(layout, dtype, tracked, shape, device):
    x = torch.zeros(shape, dtype=dtype, device=device).requires_grad_(tracked)
    assert rotate(x, torch.arange(shape[-2], device=device), RopeConfig(8, layout=layout)).shape == shape


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(16,), (7, 16), (3, 7, 16), (2, 3, 7, 16), (1, 40, 1, 16)], ids=str)
@pytest.mark.parametrize("block", [1, 16, 50, 10_000])
def test_vectors_widened_block_by_block_are_rounded_once(layout, shape, block, device, monkeypatch):
    monkeypatch.setattr(rotation, "BLOCK", block)
    x = vectors(*shape, dtype=torch.bfloat16, device=device)
    cos, sin = cos_sin(RopeConfig(12), torch.arange(math.prod(shape[-2:-1]), device=device).reshape(shape[-2:-1]))
    expected = apply_rotation(x.float(), cos, sin, layout=layout).bfloat16()
    assert torch.equal(apply_rotation(x, cos, sin, layout=layout), expected)


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("width", [8, 9, 11])
def test_interleaved_pairs_that_cannot_be_viewed_as_complex_rotate_the_same_way(start, width, device):
    """Rows of odd width, and rows that start between two pairs."""
    x = vectors(5, 12, dtype=torch.float32, device=device)[:, start : start + width]
    tables = cos_sin(RopeConfig(8), torch.arange(5, device=device))
    for seen in (x, x.contiguous()):
        turned = apply_rotation(seen, *tables, layout="interleaved")
        expected = torch.stack((seen[:, :8:2], seen[:, 1:8:2]), dim=-1)
        expected = torch.view_as_real(torch.view_as_complex(expected) * torch.complex(*tables)).flatten(-2)
        torch.testing.assert_close(turned, torch.cat((expected, seen[:, 8:]), dim=-1))


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64])
def test_every_integer_dtype_of_positions_gives_the_same_tables(dtype, device):
    positions = torch.tensor([0, 1, 100], device=device)
    assert torch.equal(cos_sin(RopeConfig(8), positions.to(dtype))[0], cos_sin(RopeConfig(8), positions)[0])


@pytest.mark.parametrize("shape", [(), (5,), (2, 5), (2, 3, 5), (0,)], ids=str)
def test_tables_have_an_axis_of_pairs_behind_those_of_positions(shape, device):
    cos, sin = cos_sin(RopeConfig(8, rotary_dim=6), torch.ones(shape, dtype=torch.int64, device=device))
    assert cos.shape == sin.shape == (*shape, 3)


@pytest.mark.parametrize("dtype", DTYPES)
def test_tables_have_the_dtype_that_is_asked_for(dtype, device):
    cos, sin = cos_sin(RopeConfig(8), torch.arange(5, device=device), dtype=dtype)
    assert (cos.dtype, sin.dtype) == (dtype, dtype)


def test_tables_are_float32_if_nothing_is_asked_for():
    assert cos_sin(RopeConfig(8), torch.arange(5))[0].dtype == torch.float32


def test_float64_vectors_are_turned_by_float64_tables(device):
    x = torch.tensor([[1.0, 0.0]], dtype=torch.float64, device=device)
    exact_cos, exact_sin = oracle.exact_cos_sin(12_345, 2, 10_000)
    turned = rotate(x, torch.tensor([12_345], device=device), RopeConfig(2))
    assert turned[0].tolist() == pytest.approx([exact_cos[0], exact_sin[0]], abs=1e-12)


@pytest.mark.parametrize("number", [7, np.int64(7), np.uint8(7)], ids=repr)
def test_a_position_of_numpy_is_a_position(number):
    assert torch.equal(rotation_matrix(RopeConfig(8), number), rotation_matrix(RopeConfig(8), 7))


@pytest.mark.parametrize("position", [10_000_000, -10_000_000])
def test_a_position_at_the_end_of_the_supported_range_is_accepted(position):
    assert torch.isfinite(rotation_matrix(RopeConfig(8), position)).all()


def test_the_length_reaches_the_scaling_method(device):
    config = RopeConfig(8, max_position=4, scaling=SCALINGS["dynamic"](2))
    x, positions = vectors(5, 8, device=device), torch.arange(5, device=device)
    short, long = rotate(x, positions, config), rotate(x, positions, config, seq_len=100)
    assert not torch.allclose(short, long)
    expected = oracle.turned_rows(x.cpu().numpy(), range(5), oracle.dynamic_speeds(8, 10_000, 2, 4, 100), "half")
    torch.testing.assert_close(long.cpu(), torch.from_numpy(expected))


# Refusals


def refusal(sentence: str) -> object:
    return pytest.raises(RopeConfigError, match="^" + re.escape(sentence) + "$")


ROW, POSITIONS, CONFIG = torch.ones(5, 8), torch.arange(5), RopeConfig(8)


@pytest.mark.parametrize(
    ("positions", "got"),
    [
        (POSITIONS.float(), "torch.float32"),
        (POSITIONS.double(), "torch.float64"),
        (POSITIONS.half(), "torch.float16"),
        (POSITIONS.bfloat16(), "torch.bfloat16"),
        (POSITIONS.bool(), "torch.bool"),
        (POSITIONS.to(torch.complex64), "torch.complex64"),
        ([0, 1, 2, 3, 4], "list"),
        (np.arange(5), "ndarray"),
        (3, "int"),
        (None, "NoneType"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
@pytest.mark.parametrize("call", [lambda p: rotate(ROW, p, CONFIG), lambda p: cos_sin(CONFIG, p)], ids=["rotate", "cos_sin"])
def test_positions_that_are_no_integer_tensor_are_rejected(call, positions, got):
    with refusal(f"positions must be a tensor of integers, got {got}"):
        call(positions)


@pytest.mark.parametrize(
    ("x", "positions"),
    [
        ((5, 8), (4,)),
        ((5, 8), (6,)),
        ((5, 8), (1,)),
        ((5, 8), ()),
        ((5, 8), (1, 5)),
        ((2, 5, 8), (5, 2)),
        ((2, 3, 5, 8), (3, 5)),
        ((2, 3, 5, 8), (2, 3, 5)),
        ((2, 5, 3, 8), (5,)),
        ((8,), (1,)),
        ((8,), ()),
    ],
    ids=str,
)
def test_positions_of_another_shape_are_rejected(x, positions):
    with refusal(f"positions must have shape (S,) or (B, S) for x of shape (B, ..., S, head_dim), got {positions} for x {x}"):
        rotate(torch.ones(x), torch.ones(positions, dtype=torch.int64), CONFIG)


@pytest.mark.parametrize("shape", [(5, 7), (5, 9), (8, 5), (5, 0)], ids=str)
def test_a_last_axis_that_is_not_the_head_is_rejected_with_both_widths(shape):
    with refusal(f"the last axis of x must be head_dim = 8 long, got shape {shape}"):
        rotate(torch.ones(shape), torch.arange(shape[0]), CONFIG)


def test_a_number_is_not_a_vector():
    with refusal("the last axis of x must be head_dim = 8 long, got shape ()"):
        rotate(torch.tensor(1.0), POSITIONS, CONFIG)


@pytest.mark.parametrize(
    ("x", "got"),
    [(ROW.int(), "torch.int32"), (ROW.bool(), "torch.bool"), (ROW.to(torch.complex64), "torch.complex64"), (ROW.tolist(), "list")],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_vectors_that_are_not_floating_point_are_rejected(x, got):
    with refusal(f"x must be a tensor of float16, bfloat16, float32 or float64, got {got}"):
        rotate(x, POSITIONS, CONFIG)
    with refusal(f"x must be a tensor of float16, bfloat16, float32 or float64, got {got}"):
        apply_rotation(x, *cos_sin(CONFIG, POSITIONS), layout="half")


@pytest.mark.parametrize("dtype", [torch.int64, torch.bool, torch.complex64, "float32", None, float], ids=str)
def test_tables_of_a_dtype_that_is_not_floating_point_are_rejected(dtype):
    with refusal(f"dtype must be float16, bfloat16, float32 or float64, got {dtype}"):
        cos_sin(CONFIG, POSITIONS, dtype=dtype)


@pytest.mark.parametrize(("name", "number"), [("cos", 0), ("sin", 1)])
def test_tables_that_are_not_floating_point_are_rejected(name, number):
    tables = list(cos_sin(CONFIG, POSITIONS))
    tables[number] = tables[number].long()
    with refusal(f"{name} must be a tensor of float16, bfloat16, float32 or float64, got torch.int64"):
        apply_rotation(ROW, *tables, layout="half")


@pytest.mark.parametrize("shape", [(5, 3), (4, 4), (4,), (1, 5, 4)], ids=str)
def test_tables_of_two_shapes_are_rejected(shape):
    with refusal(f"cos and sin must have one shape, got (5, 4) and {shape}"):
        apply_rotation(ROW, torch.ones(5, 4), torch.ones(shape), layout="half")


def test_tables_of_two_dtypes_are_rejected():
    with refusal("cos and sin must have one dtype, got torch.float32 and torch.float64"):
        apply_rotation(ROW, torch.ones(5, 4), torch.ones(5, 4, dtype=torch.float64), layout="half")


def test_tables_as_wide_as_the_vectors_are_accepted():
    assert apply_rotation(ROW, torch.ones(5, 4), torch.zeros(5, 4), layout="half").equal(ROW)


@pytest.mark.parametrize("shape", [(5, 5), (5, 8), ()], ids=str)
def test_tables_too_wide_for_the_vectors_are_rejected(shape):
    with refusal(f"the last axis of x must hold two coordinates a pair, got shapes (5, 8) and {shape}"):
        apply_rotation(ROW, torch.ones(shape), torch.ones(shape), layout="half")


@pytest.mark.parametrize("shape", [(4,), (1, 4), (5, 4), (3, 5, 4), (1, 1, 5, 4), (2, 1, 1, 4)], ids=str)
def test_tables_that_broadcast_are_accepted(shape):
    x = torch.ones(2, 3, 5, 8)
    assert apply_rotation(x, torch.ones(shape), torch.zeros(shape), layout="half").equal(x)


@pytest.mark.parametrize("shape", [(3, 4), (2, 5, 4), (1, 2, 3, 5, 4), (6, 4)], ids=str)
def test_tables_that_do_not_broadcast_are_rejected(shape):
    with refusal(f"the leading axes of cos must broadcast to those of x, got shapes {shape} and (2, 3, 5, 8)"):
        apply_rotation(torch.ones(2, 3, 5, 8), torch.ones(shape), torch.ones(shape), layout="half")


def test_tables_do_not_broadcast_the_vectors():
    with refusal("the leading axes of cos must broadcast to those of x, got shapes (5, 4) and (1, 8)"):
        apply_rotation(torch.ones(1, 8), torch.ones(5, 4), torch.ones(5, 4), layout="half")


@pytest.mark.parametrize("layout", ["neox", None, True], ids=repr)
def test_a_layout_that_is_not_known_is_rejected(layout):
    with refusal(f'layout must be "half" or "interleaved", got {layout!r}'):
        apply_rotation(ROW, *cos_sin(CONFIG, POSITIONS), layout=layout)


@pytest.mark.parametrize("position", [1.0, "1", True, None, torch.tensor(1)], ids=repr)
def test_a_position_that_is_not_an_integer_is_rejected(position):
    with refusal(f"position must be an integer of at least -10000000, got {position!r}"):
        rotation_matrix(CONFIG, position)


def test_a_position_before_the_supported_range_is_rejected():
    with refusal("position must be an integer of at least -10000000, got -10000001"):
        rotation_matrix(CONFIG, -10_000_001)


def test_a_position_after_the_supported_range_is_rejected():
    with refusal("position must be at most 10000000, got 10000001"):
        rotation_matrix(CONFIG, 10_000_001)


@pytest.mark.parametrize("seq_len", [0, 2.0, True], ids=repr)
@pytest.mark.parametrize(
    "call",
    [
        lambda seq_len: rotate(ROW, POSITIONS, CONFIG, seq_len=seq_len),
        lambda seq_len: cos_sin(CONFIG, POSITIONS, seq_len=seq_len),
        lambda seq_len: rotation_matrix(CONFIG, 1, seq_len=seq_len),
    ],
    ids=["rotate", "cos_sin", "rotation_matrix"],
)
def test_a_length_that_is_not_a_positive_integer_is_rejected(call, seq_len):
    with refusal(f"seq_len must be an integer of at least 1, got {seq_len!r}"):
        call(seq_len)


@pytest.mark.parametrize("width", [0, -2, 7, 8.0, True, None], ids=repr)
def test_a_permutation_of_a_width_that_is_not_a_positive_even_integer_is_rejected(width):
    with refusal(f"rotary_dim must be a positive even integer, got {width!r}"):
        layout_permutation(width)


@pytest.mark.parametrize("far", ["x", "tables"])
def test_tensors_on_two_devices_are_named_and_not_mixed(far):
    other = torch.device("meta")
    x, tables = ROW, cos_sin(CONFIG, POSITIONS)
    x, tables = (x.to(other), tables) if far == "x" else (x, [table.to(other) for table in tables])
    with refusal(f"cos must lie on the device of x, {x.device}, got {tables[0].device}"):
        apply_rotation(x, *tables, layout="half")


def test_linear_scaling_of_positions_is_not_hidden_in_the_tables():
    slow, fast = RopeConfig(8, scaling=LinearScaling(4)), RopeConfig(8)
    torch.testing.assert_close(
        cos_sin(slow, torch.tensor([8]), dtype=torch.float64)[0], cos_sin(fast, torch.tensor([2]), dtype=torch.float64)[0]
    )


@pytest.mark.parametrize("call", [lambda n: cos_sin(CONFIG, POSITIONS, seq_len=n), lambda n: RopeConfig(8, max_position=n)])
def test_a_length_beyond_float64_is_rejected(call):
    with pytest.raises(RopeConfigError, match=f"must be at most 9007199254740992, got {10**400}$"):
        call(10**400)


@pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")  # torch's own import behind jvp
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("learned", ["x", "tables"])
def test_forward_derivatives_are_the_rotated_tangents(layout, learned):
    x, tables = vectors(5, 8), cos_sin(RopeConfig(8, rotary_dim=6), POSITIONS, dtype=torch.float64)
    with forward_ad.dual_level():
        if learned == "x":
            turned = apply_rotation(forward_ad.make_dual(x, vectors(5, 8, seed=1)), *tables, layout=layout)
            right = apply_rotation(vectors(5, 8, seed=1), *tables, layout=layout)
        else:
            turned = apply_rotation(x, *(forward_ad.make_dual(table, table) for table in tables), layout=layout)
            right = torch.cat((apply_rotation(x, *tables, layout=layout)[:, :6], torch.zeros(5, 2, dtype=torch.float64)), dim=-1)
        torch.testing.assert_close(forward_ad.unpack_dual(turned).tangent, right)


@pytest.mark.parametrize("far", ["x", "positions"])
def test_positions_on_another_device_are_rejected(far):
    x, positions = (ROW.to("meta"), POSITIONS) if far == "x" else (ROW, POSITIONS.to("meta"))
    with refusal(f"positions must lie on the device of x, {x.device}, got {positions.device}"):
        rotate(x, positions, CONFIG)


@pytest.mark.parametrize("dtype", [torch.float8_e4m3fn, torch.float8_e5m2])
def test_vectors_and_tables_of_float8_are_rejected(dtype):
    with refusal(f"x must be a tensor of float16, bfloat16, float32 or float64, got {dtype}"):
        rotate(ROW.to(dtype), POSITIONS, CONFIG)
    with refusal(f"dtype must be float16, bfloat16, float32 or float64, got {dtype}"):
        cos_sin(CONFIG, POSITIONS, dtype=dtype)
