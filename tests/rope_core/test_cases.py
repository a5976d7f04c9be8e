"""Bugs of real projects, each with a number: the values of the case list, to the digits listed there."""

import math
import re

import numpy as np
import pytest
import torch

from rope_core import (
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    RopeConfig,
    RopeConfigError,
    RotaryEmbedding,
    YarnScaling,
    apply_rotation,
    attention_factor,
    cos_sin,
    inverse_frequencies,
    layout_permutation,
    rotate,
    wavelengths,
)
from rope_core.scaling import yarn_attention_factor
from tests.oracles import rotation as oracle

LAYOUTS = ["half", "interleaved"]
UP, DOWN = torch.arange(1.0, 9, dtype=torch.float64), torch.arange(8.0, 0, -1, dtype=torch.float64)


@pytest.fixture
def up(device) -> torch.Tensor:
    return UP.to(device)


@pytest.fixture
def down(device) -> torch.Tensor:
    return DOWN.to(device)


def at(x: torch.Tensor, position: int, config: RopeConfig, seq_len: int | None = None) -> torch.Tensor:
    """Rotate one vector."""
    return rotate(x.unsqueeze(0), torch.tensor([position], device=x.device), config, seq_len=seq_len).squeeze(0)


def digits(value: torch.Tensor | float) -> object:
    """Compare to the nine decimals of the case list."""
    return pytest.approx(value, rel=0, abs=1e-9)


# RC-01: the two layouts


def test_rc01_interleaved_values_at_position_7(up, down):
    config = RopeConfig(8, layout="interleaved")
    turned = at(up, 7, config)
    expected = [-0.560070943, 2.164791107, -0.282344187, 4.992021811, 4.568097917, 6.335020238, 6.943828958, 8.048803601]
    assert turned.tolist() == digits(expected)
    assert (turned @ at(down, 2, config)).item() == digits(103.361616616)


def test_rc01_half_on_reordered_vectors_is_interleaved(up, down, device):
    half, interleaved, idx = RopeConfig(8), RopeConfig(8, layout="interleaved"), layout_permutation(8, device=device)
    assert idx.tolist() == [0, 2, 4, 6, 1, 3, 5, 7]
    torch.testing.assert_close(at(up[idx], 7, half), at(up, 7, interleaved)[idx], rtol=0, atol=1e-14)
    score = (at(up[idx], 7, half) @ at(down[idx], 2, half)).item()
    assert score == pytest.approx((at(up, 7, interleaved) @ at(down, 2, interleaved)).item(), rel=0, abs=1e-12)


def test_rc01_half_on_the_same_vectors_is_something_else(up, down):
    assert (at(up, 7, RopeConfig(8)) @ at(down, 2, RopeConfig(8))).item() == digits(111.267546661)


@pytest.mark.parametrize(("width", "moved"), [(4, 0), (8, 6), (64, 60), (128, 126)])
def test_rc01_there_and_back_is_exact_and_twice_there_is_not(width, moved, device):
    row, idx = torch.arange(width, device=device), layout_permutation(width, device=device)
    assert torch.equal(row[idx][torch.argsort(idx)], row)
    assert (row[idx][idx] != row).sum().item() == moved


# RC-02: the score under a shift of both positions


@pytest.mark.parametrize(("layout", "score"), [("half", 111.267546661), ("interleaved", 103.361616616)])
@pytest.mark.parametrize("shift", [0, 10, 100, 1000])
def test_rc02_a_shift_of_both_positions_keeps_the_score(layout, score, shift, up, down):
    config = RopeConfig(8, layout=layout)
    assert (at(up, 5 + shift, config) @ at(down, shift, config)).item() == digits(score)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("position", [1, 7, 100])
def test_rc02_the_squared_norm_stays(layout, position, device):
    turned = at(torch.ones(8, dtype=torch.float64, device=device), position, RopeConfig(8, layout=layout))
    assert (turned @ turned).item() == pytest.approx(8, abs=1e-14)


def test_rc02_the_mistake_would_be_seen():
    speeds = oracle.speeds(8, 10_000)
    scores = [
        oracle.turned_by_mistake(UP.numpy(), 5 + m, speeds) @ oracle.turned_by_mistake(DOWN.numpy(), m, speeds) for m in (0, 10, 100, 1000)
    ]
    norms = [np.square(oracle.turned_by_mistake(np.ones(8), m, speeds)).sum() for m in (1, 7, 100)]
    assert scores == pytest.approx([139.410, 86.586, 140.732, 197.590], abs=5e-4)
    assert norms == pytest.approx([5.828, 4.355, 10.137], abs=5e-4)


# RC-03: the sign


def test_rc03_positive_positions_turn_counter_clockwise(device):
    right, upwards = torch.eye(2, dtype=torch.float64, device=device)
    assert at(right, 1, RopeConfig(2)).tolist() == digits([0.540302306, 0.841470985])
    assert at(upwards, 1, RopeConfig(2)).tolist() == digits([-0.841470985, 0.540302306])


def test_rc03_the_score_has_the_sign_of_query_minus_key(device):
    right, upwards = torch.eye(2, dtype=torch.float64, device=device)
    assert (at(right, 3, RopeConfig(2)) @ at(upwards, 1, RopeConfig(2))).item() == digits(0.909297427)


@pytest.mark.parametrize(
    ("query", "key", "score"), [(0, 4, -0.128500948), (10, 14, -0.128500948), (4, 0, 7.039630664), (14, 10, 7.039630664)]
)
def test_rc03_a_negative_distance_is_no_error(query, key, score, device):
    config = RopeConfig(4, layout="interleaved")
    q, k = torch.tensor([[1, 2, 3, 4], [4, 3, 2, 1]], dtype=torch.float64, device=device)
    assert (at(q, query, config) @ at(k, key, config)).item() == digits(score)


# RC-04: the exponent


@pytest.mark.parametrize(
    ("width", "base", "second", "last", "longest"),
    [
        (64, 1e4, 0.749894209, 1.333521432e-4, 47_117.24),
        (128, 1e4, 0.865964323, 1.154781985e-4, 54_410.14),
        (128, 5e5, 0.814617234, 2.455140791e-6, 2_559_195.5),
        (128, 1e6, 0.805842188, 1.240937761e-6, 5_063_255.8),
    ],
)
def test_rc04_speeds_begin_at_1_and_end_before_one_over_the_base(width, base, second, last, longest, device):
    config = RopeConfig(width, base=base)
    inv_freq = inverse_frequencies(config, device=device)
    assert inv_freq[0].item() == 1
    assert inv_freq[1].item() == digits(second)
    assert inv_freq[-1].item() == pytest.approx(last, rel=5e-10)
    assert wavelengths(config, device=device)[-1].item() == pytest.approx(longest, rel=1e-7)


# RC-05: partial rotation

PARTIAL = RopeConfig(128, rotary_dim=32)


def test_rc05_the_speeds_are_those_of_the_rotated_width():
    inv_freq = inverse_frequencies(PARTIAL)
    assert inv_freq.shape == (16,)
    assert inv_freq[:3].tolist() == digits([1, 0.562341325, 0.316227766])
    assert inv_freq[-1].item() == pytest.approx(1.778279410e-4, rel=5e-10)


@pytest.mark.parametrize(("unit", "first", "second"), [(0, 0.283662185, -0.958924275), (1, -0.946079269, 0.323935204)])
def test_rc05_the_partner_lies_half_the_rotated_width_away(unit, first, second, device):
    turned = at(torch.eye(128, dtype=torch.float64, device=device)[unit], 5, PARTIAL)
    assert turned.nonzero().flatten().tolist() == [unit, unit + 16]
    assert turned[[unit, unit + 16]].tolist() == digits([first, second])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_rc05_other_coordinates_pass_bit_for_bit(dtype, device):
    x = torch.randn(5, 128, generator=torch.Generator().manual_seed(0)).to(device, dtype)
    assert torch.equal(rotate(x, torch.arange(5, 10, device=device), PARTIAL)[:, 32:], x[:, 32:])


# RC-07: a model cast to half


@pytest.mark.parametrize("cast", [torch.nn.Module.half, torch.nn.Module.bfloat16, torch.nn.Module.float], ids=["half", "bfloat16", "float"])
def test_rc07_a_cast_model_rotates_by_exact_angles(cast, device):
    module, x = RotaryEmbedding(RopeConfig(32)), torch.eye(32, device=device)[1].expand(2048, 32)
    module(x, x)
    turned = cast(module)(x, x)[0]
    exact = [math.cos(position * 10_000 ** (-2 / 32)) for position in range(2048)]
    assert np.abs(turned[:, 1].double().cpu().numpy() - exact).max() <= 6e-8
    assert turned[1857, 1].item() == pytest.approx(0.306692810, abs=6e-8)


@pytest.mark.parametrize(("dtype", "bound"), [(torch.float32, 6e-8), (torch.float16, 2.5e-4), (torch.bfloat16, 2.0e-3)])
def test_rc07_a_table_is_rounded_once_at_the_end(dtype, bound, device):
    positions = torch.arange(2048, device=device)
    narrow, exact = (cos_sin(RopeConfig(32), positions, dtype=kind)[0].double() for kind in (dtype, torch.float64))
    assert (narrow - exact).abs().max().item() <= bound


# RC-08: positions in a float dtype

HARD_POSITIONS = [255, 256, 257, 258, 259, 513, 2047, 2048, 2049, 2050, 2051, 4097, 15_962, 65_504, 65_519, 65_520, 16_777_217]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_rc08_positions_that_are_floats_are_rejected(dtype):
    with pytest.raises(RopeConfigError, match=re.escape(f"positions must be a tensor of integers, got {dtype}")):
        cos_sin(RopeConfig(2), torch.tensor(HARD_POSITIONS).to(dtype))


@pytest.mark.parametrize("default", [torch.float32, torch.bfloat16, torch.float16])
def test_rc08_integer_positions_are_exact_whatever_the_default_dtype(default, device):
    torch.set_default_dtype(default)
    try:
        cos, sin = cos_sin(RopeConfig(2), torch.tensor(HARD_POSITIONS, device=device), dtype=torch.float64)
    finally:
        torch.set_default_dtype(torch.float32)
    assert cos.flatten().tolist() == pytest.approx([math.cos(position) for position in HARD_POSITIONS], abs=1e-14)
    assert sin.flatten().tolist() == pytest.approx([math.sin(position) for position in HARD_POSITIONS], abs=1e-14)


def test_rc08_position_15962_is_not_its_neighbour_in_bfloat16(device):
    cos = cos_sin(RopeConfig(2), torch.tensor([15_962, 15_936], device=device))[0].flatten()
    assert cos.tolist() == pytest.approx([-0.908015901, -0.267950071], abs=6e-8)


# RC-09: autocast


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("tables", [torch.float32, torch.float64])
def test_rc09_tables_are_the_same_bits_under_autocast(dtype, tables, device):
    config, positions = RopeConfig(64), torch.arange(65_536, 65_544, device=device)
    outside = cos_sin(config, positions, dtype=tables)
    with torch.autocast(device.type, dtype=dtype):
        inside = cos_sin(config, positions, dtype=tables)
        module = RotaryEmbedding(config)
        x = torch.ones(8, 64, dtype=tables, device=device)
        kept = module(x, x, offset=65_536)[0]
    assert torch.equal(inside[0], outside[0])
    assert torch.equal(inside[1], outside[1])
    assert torch.equal(kept, module(x, x, offset=65_536)[0])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("tracked", [False, True])
def test_rc09_results_keep_the_dtype_of_queries_under_autocast(dtype, layout, tracked, device):
    q = torch.randn(5, 64, generator=torch.Generator().manual_seed(0)).to(device, dtype).requires_grad_(tracked)
    before, positions = q.detach().clone(), torch.arange(5, device=device)
    outside = rotate(q, positions, RopeConfig(64, layout=layout))
    with torch.autocast(device.type, dtype=torch.bfloat16):
        turned = rotate(q, positions, RopeConfig(64, layout=layout))
    assert turned.dtype == dtype
    assert torch.equal(turned, outside)
    assert torch.equal(q.detach(), before)


# RC-10: long positions (scores: test_scores.py)


@pytest.mark.parametrize("position", [40, 2_000, 16_000, 32_768, 131_071, 1_048_575, 10_000_000, 16_777_217])
@pytest.mark.parametrize(("dtype", "bound"), [(torch.float64, 1e-8), (torch.float32, 7e-8)])
def test_rc10_angles_are_float64_at_every_position(position, dtype, bound, device):
    tables = cos_sin(RopeConfig(128), torch.tensor(position, device=device), dtype=dtype)
    for table, exact in zip(tables, oracle.exact_cos_sin(position, 128, 10_000), strict=True):
        assert np.abs(table.double().cpu().numpy() - exact).max() <= bound


# RC-11: dynamic NTK up and back

DYNAMIC = RopeConfig(64, max_position=2048, scaling=DynamicNtkScaling(2))
UP_AND_BACK = [2048, 8192, 2048, 100]


def test_rc11_the_speeds_are_restored_after_a_long_sequence(device):
    speeds = [inverse_frequencies(DYNAMIC, length, device=device) for length in UP_AND_BACK]
    assert [speed[-1].item() for speed in speeds] == pytest.approx(
        [1.333521432e-4, 1.905030617e-5, 1.333521432e-4, 1.333521432e-4], rel=5e-10
    )
    assert [speed[-1].item() ** (-64 / 62) for speed in speeds] == pytest.approx([10_000, 74_534.830318, 10_000, 10_000], abs=1e-6)
    assert torch.equal(speeds[2], speeds[0])
    assert torch.equal(speeds[3], speeds[0])


def test_rc11_one_module_goes_up_and_back(device):
    module = RotaryEmbedding(DYNAMIC)
    x = torch.randn(8192, 64, generator=torch.Generator().manual_seed(0)).to(device)
    turned = [module(x[:length], x[:length])[0] for length in UP_AND_BACK]
    assert torch.equal(turned[2], turned[0])
    assert torch.equal(turned[3], turned[0][:100])
    long = rotate(x, torch.arange(8192, device=device), DYNAMIC, seq_len=8192)
    assert torch.equal(turned[1], long)
    assert not torch.allclose(turned[1][:2048], turned[0])


# RC-13: keys cached under another base


@pytest.mark.parametrize(("key", "same_table", "mixed"), [(2047, 12.374687991, 28.596496536), (4094, 62.011424339, 15.121334160)])
def test_rc13_a_key_cached_under_a_shorter_length_no_longer_fits(key, same_table, mixed, device):
    ones = torch.ones(64, dtype=torch.float64, device=device)
    query = at(ones, 4095, DYNAMIC, seq_len=4096)
    assert (query @ at(ones, key, DYNAMIC, seq_len=4096)).item() == digits(same_table)
    assert (query @ at(ones, key, DYNAMIC, seq_len=2048)).item() == digits(mixed)


# RC-14: the attention factor of YaRN (keys of a config: tests of parse_config)

ATTENTION_FACTORS = {
    1: 1.0,
    2: 1.069314718,
    4: 1.138629436,
    8: 1.207944154,
    16: 1.277258872,
    32: 1.346573590,
    40: 1.368887945,
    64: 1.415888308,
    128: 1.485203026,
}


@pytest.mark.parametrize("seq_len", [None, 1, 100, 1_000_000])
@pytest.mark.parametrize(("factor", "expected"), ATTENTION_FACTORS.items())
def test_rc14_cos_at_position_0_is_the_attention_factor_at_every_length(factor, expected, seq_len, device):
    config = RopeConfig(64, scaling=YarnScaling(factor))
    cos, sin = cos_sin(config, torch.tensor([0], device=device), seq_len=seq_len, dtype=torch.float64)
    assert cos[0].tolist() == digits([expected] * 32)
    assert not sin.any()


@pytest.mark.parametrize(("factor", "stated"), [(64, 1.0), (128, 1.4852)])
def test_rc14_a_stated_attention_factor_is_used(factor, stated, device):
    config = RopeConfig(64, scaling=YarnScaling(factor, attention_factor=stated))
    cos, _ = cos_sin(config, torch.tensor([0], device=device), dtype=torch.float64)
    assert cos[0].tolist() == [stated] * 32


def test_rc14_a_score_grows_by_the_square(up, down):
    scaled, plain = (RopeConfig(8, scaling=YarnScaling(4, attention_factor=a)) for a in (None, 1))
    with_a, without = ((at(up, 7, config) @ at(down, 2, config)).item() for config in (scaled, plain))
    assert with_a / without == digits(1.296476993)


# RC-15: two scales of DeepSeek (their part of the softmax: tests of parse_config)


@pytest.mark.parametrize(
    ("factor", "mscale", "mscale_all_dim", "expected"),
    [(16, 1, 1, 1), (40, 0.707, 0.707, 1), (40, 1, 1, 1), (40, 1, 0.8, 1.056966257)],
)
def test_rc15_the_table_has_the_ratio_of_the_two_scales(factor, mscale, mscale_all_dim, expected):
    scaling = YarnScaling(factor, mscale=mscale, mscale_all_dim=mscale_all_dim)
    assert attention_factor(RopeConfig(64, scaling=scaling)) == digits(expected)


@pytest.mark.parametrize(
    ("factor", "scale", "softmax", "total"), [(40, 0.707, 1.589626165, 0.114721387), (40, 1, 1.873854207, 0.135233779)]
)
def test_rc15_the_softmax_takes_the_square_of_one_scale(factor, scale, softmax, total):
    assert yarn_attention_factor(factor, scale) ** 2 == digits(softmax)
    assert 192**-0.5 * yarn_attention_factor(factor, scale) ** 2 == digits(total)


# RC-16: the ends of the ramp need not be whole


def test_rc16_the_ends_of_the_ramp_are_rounded_only_where_the_config_says_so():
    raw, whole = (RopeConfig(64, base=150_000, scaling=YarnScaling(32, truncate=truncate)) for truncate in (False, True))
    assert raw.scaling.ramp_ends(raw) == digits((8.092779116, 17.398024502))
    assert whole.scaling.ramp_ends(whole) == (8, 18)
    speeds = [inverse_frequencies(config) for config in (raw, whole)]
    assert [speed[9].item() for speed in speeds] == digits([0.031705696, 0.031620752])
    assert [speed[17].item() for speed in speeds] == pytest.approx([1.293187013e-4, 2.279477958e-4], rel=5e-10)
    assert torch.equal(speeds[0][:9], speeds[1][:9])
    assert torch.equal(speeds[0][18:], speeds[1][18:])
    assert (131_071 * (speeds[0] - speeds[1]).abs()).max().item() == pytest.approx(28.9, abs=0.05)


def test_rc16_the_beta_of_a_config_is_honoured():
    narrow, wide = (RopeConfig(64, base=150_000, scaling=YarnScaling(32, beta_fast=beta)) for beta in (4, 32))
    assert narrow.scaling.ramp_ends(narrow)[0] == 13
    assert wide.scaling.ramp_ends(wide)[0] == 8


# RC-18: a stated factor and a stated trained length (what parse_config says about them: its tests)


@pytest.mark.parametrize("max_position", [40_960, 131_072])
def test_rc18_what_is_stated_counts_whatever_max_position_is(max_position):
    config = RopeConfig(128, base=1e6, max_position=max_position, scaling=YarnScaling(4, original_max_position=32_768))
    assert config.trained_length == 32_768
    assert attention_factor(config) == digits(1.138629436)
    assert config.scaling.ramp_ends(config) == (23, 40)
    assert inverse_frequencies(config)[-1].item() == pytest.approx(3.102344402e-7, rel=5e-10)


def test_rc18_a_factor_or_length_taken_from_max_position_would_be_seen():
    implicit = RopeConfig(128, base=1e6, max_position=40_960, scaling=YarnScaling(1.25, original_max_position=32_768))
    assert attention_factor(implicit) == digits(1.022314355)
    assert inverse_frequencies(implicit)[-1].item() == pytest.approx(9.927502086e-7, rel=5e-10)
    without = RopeConfig(128, base=1e6, max_position=131_072, scaling=YarnScaling(4))
    assert without.scaling.ramp_ends(without) == (30, 47)


# RC-19: the bands of Llama 3


def llama3(factor: float) -> Llama3Scaling:
    return Llama3Scaling(factor, low_freq_factor=1, high_freq_factor=4, original_max_position=8192)


@pytest.mark.parametrize(
    ("width", "factor", "first", "blended", "last"),
    [
        (64, 32, 15, [1.290547928e-3, 4.295567966e-4, 9.708287803e-5], 9.418306725e-8),
        (
            128,
            8,
            29,
            [2.166570800e-3, 1.371893600e-3, 8.567514e-4, 5.248462e-4, 3.126938e-4, 1.785078e-4],
            3.068925989e-7,
        ),
    ],
)
def test_rc19_three_bands_kept_blended_and_divided(width, factor, first, blended, last, device):
    config, plain = RopeConfig(width, base=5e5, scaling=llama3(factor)), inverse_frequencies(RopeConfig(width, base=5e5))
    speeds, end = inverse_frequencies(config, device=device).cpu(), first + len(blended)
    torch.testing.assert_close(speeds[:first], plain[:first], rtol=1e-15, atol=0)
    assert speeds[first:end].tolist() == pytest.approx(blended, rel=2e-7)
    torch.testing.assert_close(speeds[end:], plain[end:] / factor, rtol=1e-15, atol=0)
    assert speeds[-1].item() == pytest.approx(last, rel=5e-10)


def test_rc19_a_blend_linear_in_wavelength_would_be_seen():
    config, plain = RopeConfig(64, base=5e5, scaling=llama3(32)), RopeConfig(64, base=5e5)
    tokens = wavelengths(plain)[15].item()
    share = (8192 - tokens) / (8192 - 2048)
    mistake = inverse_frequencies(plain)[15].item() * (share + (1 - share) / 32)
    assert mistake == pytest.approx(1.828598e-3, rel=5e-7)
    assert inverse_frequencies(config)[15].item() == pytest.approx(1.290547928e-3, rel=5e-10)


# RC-21: the two lists of LongRoPE

TOY = LongRopeScaling(short_factor=[1, 1, 1, 1], long_factor=[1, 2, 4, 8], original_max_position=4096)


@pytest.mark.parametrize(("length", "divisor"), [(4095, 1), (4096, 1), (4097, 3)])
def test_rc21_the_long_list_begins_one_token_beyond_the_trained_length(length, divisor):
    scaling = LongRopeScaling(short_factor=[1.0] * 48, long_factor=[3.0] * 48, original_max_position=4096)
    config, plain = RopeConfig(96, max_position=131_072, scaling=scaling), RopeConfig(96)
    assert torch.equal(inverse_frequencies(config, length), inverse_frequencies(plain) / divisor)


@pytest.mark.parametrize("entries", [47, 96])
def test_rc21_a_list_of_another_length_is_a_named_error(entries):
    scaling = LongRopeScaling(short_factor=[1.0] * 48, long_factor=[1.0] * entries, original_max_position=4096)
    with pytest.raises(RopeConfigError, match=re.escape(f"long_factor must have one entry for each of the 48 pairs, got {entries}")):
        RopeConfig(96, scaling=scaling)


@pytest.mark.parametrize(("factor", "expected"), [(32, 1.190238071), (2, 1.040833000), (1, 1), (0.5, 1)])
def test_rc21_the_attention_factor_is_the_root_of_a_ratio_of_logarithms(factor, expected):
    stated = LongRopeScaling(short_factor=[1] * 4, long_factor=[1] * 4, original_max_position=4096, factor=factor)
    assert attention_factor(RopeConfig(8, scaling=stated)) == digits(expected)
    assert attention_factor(RopeConfig(8, max_position=int(4096 * factor), scaling=TOY)) == digits(expected)


def test_rc21_a_cached_key_of_the_short_list_does_not_fit_a_query_of_the_long_list(device):
    config, ones = RopeConfig(8, scaling=TOY), torch.ones(8, dtype=torch.float64, device=device)
    short, long = ({"seq_len": 4096}, {"seq_len": 4101})
    scores = [
        at(ones, 4100, config, **query) @ at(ones, 4092, config, **key) for query, key in ((short, short), (long, long), (long, short))
    ]
    assert [score.item() for score in scores] == digits([5.095952764, 5.550720934, -2.633350867])


# RC-24: layers with settings of their own (which layer has which: tests of parse_config)


def test_rc24_local_and_global_layers_turn_at_different_speeds():
    distant, local = RopeConfig(256, base=1e6, scaling=LinearScaling(8)), RopeConfig(256)
    assert inverse_frequencies(distant)[0] == 0.125
    assert inverse_frequencies(distant)[-1].item() == pytest.approx(1.392467325e-7, rel=5e-10)
    speeds = inverse_frequencies(local)
    assert speeds[0] == 1
    assert speeds[1].item() == digits(0.930572041)
    assert speeds[-1].item() == pytest.approx(1.074607828e-4, rel=5e-10)
    angles = [1024 * inverse_frequencies(config)[64].item() for config in (local, distant, RopeConfig(256, base=1e6))]
    assert angles == digits([10.24, 0.128, 1.024])


# RC-26: one object, many questions


def test_rc26_an_offset_is_not_resulted_from_the_table_of_another(device):
    module = RotaryEmbedding(RopeConfig(8))
    unit = torch.eye(8, dtype=torch.float64, device=device)[0].expand(3, 8)
    assert module(unit, unit)[0][:, 0].tolist() == digits([1, 0.540302306, -0.416146837])
    assert module(unit, unit, offset=100)[0][:, 0].tolist() == digits([0.862318872, 0.892004870, 0.101585704])
    assert module(unit, unit)[0][:, 0].tolist() == digits([1, 0.540302306, -0.416146837])


@pytest.mark.parametrize(
    ("config", "cosine"),
    [
        (RopeConfig(8), 0.995004165),
        (RopeConfig(8, base=500_000), 0.999292977),
        (RopeConfig(8, scaling=LinearScaling(4)), math.cos(0.1 / 4)),
    ],
    ids=["base 1e4", "base 5e5", "linear 4"],
)
def test_rc26_every_setting_changes_the_table(config, cosine, device):
    assert cos_sin(config, torch.arange(3, device=device), dtype=torch.float64)[0][1, 1].item() == digits(cosine)


def test_rc26_the_dtype_of_the_result_follows_the_request(device):
    module, x = RotaryEmbedding(RopeConfig(8)), torch.ones(3, 8, device=device)
    assert [module(x.to(dtype), x.to(dtype))[0].dtype for dtype in (torch.float32, torch.float64)] == [torch.float32, torch.float64]
    exact = rotate(x.double(), torch.arange(3, device=device), RopeConfig(8))
    torch.testing.assert_close(module(x.double(), x.double())[0], exact, rtol=0, atol=1e-14)


def test_rc26_shorter_after_longer_is_a_prefix(device):
    module, x = RotaryEmbedding(RopeConfig(8)), torch.ones(10, 8, dtype=torch.float64, device=device)
    two, ten, again = (module(x[:length], x[:length])[0] for length in (2, 10, 2))
    torch.testing.assert_close(two, ten[:2], rtol=0, atol=1e-14)
    assert torch.equal(again, ten[:2])


# RC-27: decoding token by token


@pytest.fixture
def tokens(device) -> tuple[torch.Tensor, torch.Tensor]:
    random = np.random.default_rng(0)
    return tuple(torch.from_numpy(random.standard_normal((10, 64))).to(device) for _ in range(2))


@pytest.mark.parametrize("chunks", [[6, 1, 1, 1, 1], [3, 1, 6], [1] * 10], ids=str)
def test_rc27_chunks_with_an_offset_are_the_full_pass(chunks, tokens):
    q, k = tokens
    module, whole, start, parts = RotaryEmbedding(RopeConfig(64)), RotaryEmbedding(RopeConfig(64))(q, k), 0, []
    for length in chunks:
        parts.append(module(q[start : start + length], k[start : start + length], offset=start))
        start += length
    decoded = [torch.cat(column) for column in zip(*parts, strict=True)]
    assert (decoded[0] @ decoded[1].T - whole[0] @ whole[1].T).abs().max().item() <= 1e-12


@pytest.mark.parametrize("offset", [lambda start: 2 * start, lambda start: 0], ids=["twice", "never"])
def test_rc27_an_offset_added_twice_or_never_would_be_seen(offset, tokens):
    q, k = tokens
    module = RotaryEmbedding(RopeConfig(64))
    whole = module(q, k)
    step = module(q[9:], k[9:], offset=offset(9))
    assert (step[0] @ whole[1].T - whole[0][9:] @ whole[1].T).abs().max().item() > 1


def test_rc27_after_eviction_the_next_position_is_the_true_index(tokens):
    q, k = tokens
    module, kept = RotaryEmbedding(RopeConfig(64)), [0, 4, 5, 6, 7, 8, 9]
    whole_q, whole_k = module(q, k)
    cache = module(q[:9], k[:9])[1][[0, 4, 5, 6, 7, 8]]  # rows 1 .. 3 are gone
    query, key = module(q[9:], k[9:], offset=9)
    scores = query @ torch.cat((cache, key)).T
    assert (scores - whole_q[9:] @ whole_k[kept].T).abs().max().item() <= 1e-12


# RC-30: which axis is the sequence


@pytest.mark.parametrize("shape", [(1, 4, 4, 8), (1, 2, 5, 8), (4, 4, 8), (5, 8)], ids=str)
def test_rc30_the_axis_before_the_last_is_the_sequence(shape, device):
    ones = torch.ones(shape, dtype=torch.float64, device=device)
    turned = RotaryEmbedding(RopeConfig(8))(ones, ones)[0]
    assert torch.equal(turned[..., 0, :], ones[..., 0, :])
    heads = turned.reshape(-1, *shape[-2:])
    assert all(torch.equal(head, heads[0]) for head in heads)
    assert not torch.allclose(turned[..., 1, :], ones[..., 1, :])


def test_rc30_heads_behind_the_sequence_are_turned_after_a_transpose(device):
    x = torch.ones(1, 4, 4, 8, dtype=torch.float64, device=device)
    turned = RotaryEmbedding(RopeConfig(8))(x.transpose(1, 2), x.transpose(1, 2))[0].transpose(1, 2)
    assert torch.equal(turned[:, 0], x[:, 0])
    assert not torch.allclose(turned[:, 1], x[:, 1])


def test_rc30_dynamic_scaling_starts_with_the_tokens_and_not_with_the_heads(device):
    config = RopeConfig(8, max_position=4, scaling=DynamicNtkScaling(2))
    x = torch.ones(1, 2, 8, 8, dtype=torch.float64, device=device)
    expected = rotate(x, torch.arange(8, device=device), config, seq_len=8)
    assert torch.equal(RotaryEmbedding(config)(x, x)[0], expected)


def test_rc30_a_wrong_last_size_names_expected_and_given_width():
    with pytest.raises(RopeConfigError, match=re.escape("the last axis of x must be head_dim = 8 long, got shape (1, 4, 8, 4)")):
        rotate(torch.ones(1, 4, 8, 4), torch.arange(8), RopeConfig(8))


# RC-32: compilers and devices (the rest: test_module.py)


def test_rc32_the_core_keeps_no_buffer_that_to_empty_could_spoil(device):
    with torch.device("meta"):
        model = torch.nn.Sequential(RotaryEmbedding(RopeConfig(8)))
    model.to_empty(device=device)
    assert list(model.buffers()) == []
    ones = torch.ones(2, 8, dtype=torch.float64, device=device)
    cos, sin = cos_sin(RopeConfig(8), torch.arange(2, device=device), dtype=torch.float64)
    assert torch.equal(model[0](ones, ones)[0], apply_rotation(ones, cos, sin, layout="half"))
    assert inverse_frequencies(RopeConfig(8)).tolist() == pytest.approx([1, 0.1, 0.01, 0.001], rel=1e-15)
