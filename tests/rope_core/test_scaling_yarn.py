"""YaRN: the ramp over the index of the pair, the attention factor, and valid and invalid settings."""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from rope_core import (
    LinearScaling,
    NtkScaling,
    RopeConfig,
    RopeConfigError,
    YarnScaling,
    attention_factor,
    cos_sin,
    inverse_frequencies,
    phasors,
    rotate,
)
from rope_core.scaling.yarn import yarn_attention_factor
from tests.oracles import scaling as oracle

widths = st.integers(1, 128).map(lambda pairs: 2 * pairs)
bases = st.floats(1.5, 1e9)
factors = st.floats(1, 128)
lengths = st.integers(256, 1_000_000)


def close(actual: torch.Tensor, expected: list[float], rel: float = 1e-9) -> None:
    """Compare speeds; the ends of an unrounded ramp contain the rounding errors of two logarithms."""
    torch.testing.assert_close(actual, torch.tensor(expected, dtype=torch.float64), rtol=rel, atol=0)


def ratios(config: RopeConfig) -> torch.Tensor:
    return inverse_frequencies(config) / inverse_frequencies(RopeConfig(config.head_dim, base=config.base))


def refusal(sentence: str) -> object:
    return pytest.raises(RopeConfigError, match="^" + re.escape(sentence) + "$")


# Values


@given(widths, bases, lengths, factors, st.floats(0.25, 8), st.floats(0, 64), st.booleans())
def test_speeds_are_those_of_the_slow_walk_along_the_ramp(width, base, length, factor, beta_slow, more, truncate):
    settings = {"beta_fast": beta_slow + more, "beta_slow": beta_slow, "truncate": truncate}
    config = RopeConfig(width, base=base, scaling=YarnScaling(factor, original_max_position=length, **settings))
    close(inverse_frequencies(config), oracle.yarn(width, base, length, factor, **settings))


@pytest.mark.parametrize("factor", [4, 16])
def test_llama_2_has_the_published_ends_of_the_ramp(factor):
    config = RopeConfig(128, max_position=4096, scaling=YarnScaling(factor))
    assert config.scaling.ramp_ends(config) == (20, 46)


def test_llama_2_by_four_has_the_published_ratios():
    ratio = ratios(RopeConfig(128, max_position=4096, scaling=YarnScaling(4)))
    assert [ratio[i].item() for i in (0, 20, 21, 30, 40, 46, 63)] == pytest.approx([1, 1, 0.97115, 0.71154, 0.42308, 0.25, 0.25], abs=5e-6)


@pytest.mark.parametrize(("pair", "engines", "paper"), [(25, 0.820, 0.572), (33, 0.531, 0.203)])
def test_the_index_ramp_keeps_more_than_the_ramp_of_the_paper(pair, engines, paper):
    index, rotation = (RopeConfig(128, scaling=YarnScaling(16, ramp=ramp)) for ramp in ("index", "rotation"))
    assert ratios(index)[pair].item() == pytest.approx(engines, abs=5e-4)
    assert ratios(rotation)[pair].item() == pytest.approx(paper, abs=5e-4)


def test_one_scale_for_all_pairs_is_not_yarn():
    ratio = ratios(RopeConfig(128, scaling=YarnScaling(4)))
    assert len(set(ratio.tolist())) > 20
    assert not torch.allclose(inverse_frequencies(RopeConfig(128, scaling=YarnScaling(4))), inverse_frequencies(RopeConfig(128)) / 4)


def test_kimi_k2_steps_between_pairs_19_and_20():
    config = RopeConfig(64, base=50_000, scaling=YarnScaling(32, original_max_position=4096, beta_fast=1, beta_slow=1))
    assert config.scaling.ramp_ends(config) == (19, 20)
    kept = config.scaling.kept(config)
    assert kept.tolist() == [1.0] * 20 + [0.0] * 12


# Exact parts and limits


@given(widths, bases, lengths, factors, st.booleans())
def test_kept_and_divided_pairs_are_exact_to_the_bit(width, base, length, factor, truncate):
    config = RopeConfig(width, base=base, scaling=YarnScaling(factor, original_max_position=length, truncate=truncate))
    kept, speeds, plain = config.scaling.kept(config), inverse_frequencies(config), inverse_frequencies(RopeConfig(width, base=base))
    assert torch.equal(speeds[kept == 1], plain[kept == 1])
    assert torch.equal(speeds[kept == 0], (plain / factor)[kept == 0])


@given(widths, bases, lengths, st.sampled_from(["index", "rotation"]), st.booleans())
def test_the_share_that_stays_never_rises_towards_slow_pairs(width, base, length, ramp, truncate):
    config = RopeConfig(width, base=base, scaling=YarnScaling(4, original_max_position=length, ramp=ramp, truncate=truncate))
    kept = config.scaling.kept(config)
    assert ((kept >= 0) & (kept <= 1)).all()
    assert (kept.diff() <= 0).all()


@given(widths, bases, lengths, st.sampled_from(["index", "rotation"]), st.booleans())
def test_factor_1_is_plain_rope_to_the_bit(width, base, length, ramp, truncate):
    config = RopeConfig(width, base=base, scaling=YarnScaling(1, original_max_position=length, ramp=ramp, truncate=truncate))
    assert torch.equal(inverse_frequencies(config), inverse_frequencies(RopeConfig(width, base=base)))
    assert attention_factor(config) == 1


def test_a_huge_beta_slow_divides_every_pair_but_the_first_like_linear_scaling():
    config = RopeConfig(128, scaling=YarnScaling(4, beta_fast=2**53, beta_slow=600))
    linear = inverse_frequencies(RopeConfig(128, scaling=LinearScaling(4)))
    assert torch.equal(inverse_frequencies(config)[2:], linear[2:])


def test_yarn_is_neither_linear_nor_ntk_between():
    yarn, linear, ntk = (inverse_frequencies(RopeConfig(128, scaling=method(4))) for method in (YarnScaling, LinearScaling, NtkScaling))
    assert torch.equal(yarn[:21], inverse_frequencies(RopeConfig(128))[:21])
    assert torch.equal(yarn[46:], linear[46:])
    assert (yarn[1:21] > ntk[1:21]).all()


@pytest.mark.parametrize(("beta", "last_kept"), [(32, 20), (4, 35)])
def test_the_beta_of_a_config_moves_the_ramp(beta, last_kept):
    config = RopeConfig(128, scaling=YarnScaling(4, beta_fast=beta))
    assert config.scaling.ramp_ends(config)[0] == last_kept == math.floor(oracle.correction_index(beta, 128, 10_000, 4096))


def test_the_second_end_is_bounded_by_the_coordinates_and_not_by_the_pairs():
    config = RopeConfig(128, max_position=10**9, scaling=YarnScaling(4))
    low, high = config.scaling.ramp_ends(config)
    assert (low, high) == (107, 127)
    shallow = RopeConfig(128, base=10_000, max_position=60_000, scaling=YarnScaling(4, beta_slow=0.5))
    assert shallow.scaling.ramp_ends(shallow) == (39, 69)
    assert 0 < shallow.scaling.kept(shallow)[63] < 0.25


# The trained length


def test_the_trained_length_is_max_position_unless_the_method_states_one():
    own, stated = RopeConfig(128, max_position=32_768, scaling=YarnScaling(4)), YarnScaling(4, original_max_position=32_768)
    assert torch.equal(inverse_frequencies(own), inverse_frequencies(RopeConfig(128, max_position=131_072, scaling=stated)))
    longer = RopeConfig(128, max_position=131_072, scaling=YarnScaling(4))
    assert not torch.equal(inverse_frequencies(own), inverse_frequencies(longer))


def test_neither_speeds_nor_attention_factor_depend_on_the_length_of_the_sequence(device):
    config = RopeConfig(128, scaling=YarnScaling(4))
    for seq_len in (1, 4096, 4097, 16_384, 10_000_000):
        assert torch.equal(inverse_frequencies(config, seq_len), inverse_frequencies(config))
        assert attention_factor(config, seq_len) == attention_factor(config)


# The attention factor


@pytest.mark.parametrize(("factor", "expected"), [(4, 1.13863), (16, 1.27726), (32, 1.34657), (40, 1.36889), (64, 1.41589)])
def test_the_attention_factor_grows_with_the_logarithm_of_the_factor(factor, expected):
    assert attention_factor(RopeConfig(128, scaling=YarnScaling(factor))) == pytest.approx(expected, abs=5e-6)


@given(factors, st.none() | st.floats(0.1, 10), st.none() | st.floats(0, 4), st.none() | st.floats(0, 4))
def test_the_attention_factor_follows_the_first_rule_that_applies(factor, stated, mscale, mscale_all_dim):
    settings = {"attention_factor": stated, "mscale": mscale, "mscale_all_dim": mscale_all_dim}
    assert attention_factor(RopeConfig(8, scaling=YarnScaling(factor, **settings))) == pytest.approx(
        oracle.yarn_attention_factor(factor, **settings), rel=1e-14
    )


@pytest.mark.parametrize(("mscale", "mscale_all_dim"), [(1, 0.0), (0.0, 1), (1, None), (None, 1), (0, 0)])
def test_one_scale_alone_or_0_counts_as_missing(mscale, mscale_all_dim):
    scaling = YarnScaling(64, mscale=mscale, mscale_all_dim=mscale_all_dim)
    assert attention_factor(RopeConfig(128, scaling=scaling)) == yarn_attention_factor(64) == pytest.approx(1.41589, abs=5e-6)


@pytest.mark.parametrize("factor", [0.5, 1])
def test_a_factor_up_to_1_has_attention_factor_1(factor):
    assert yarn_attention_factor(factor, 3.0) == 1


@pytest.mark.parametrize("position", [0, 1, 5, 4096, 100_000])
def test_the_attention_factor_is_in_the_tables_at_every_position(position, device):
    config = RopeConfig(128, scaling=YarnScaling(4))
    cos, sin = cos_sin(config, torch.tensor([position], device=device), dtype=torch.float64)
    torch.testing.assert_close((cos**2 + sin**2).sqrt(), torch.full_like(cos, 0.1 * math.log(4) + 1), rtol=1e-14, atol=0)


def test_scores_of_rotated_coordinates_alone_grow_by_the_square_of_the_attention_factor(device):
    with_a, without = (RopeConfig(12, rotary_dim=8, scaling=YarnScaling(4, attention_factor=a)) for a in (None, 1.0))
    q, k = torch.randn(2, 12, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).to(device)
    torch.testing.assert_close(phasors(q, k, with_a), phasors(q, k, without) * (0.1 * math.log(4) + 1) ** 2)
    turned = rotate(q.expand(3, -1), torch.tensor([0, 5, 9], device=device), with_a)
    assert torch.equal(turned[:, 8:], q[8:].expand(3, -1))


# Degenerate but legal


@pytest.mark.parametrize("truncate", [True, False])
@pytest.mark.parametrize("beta", [1, 32])
def test_equal_betas_make_a_step_and_no_division_by_zero(beta, truncate):
    config = RopeConfig(128, scaling=YarnScaling(4, beta_fast=beta, beta_slow=beta, truncate=truncate))
    at = oracle.correction_index(beta, 128, 10_000, 4096)
    assert config.scaling.kept(config).tolist() == [1.0 if i < at else 0.0 for i in range(64)]


def test_where_pair_0_makes_fewer_turns_than_beta_slow_the_ramp_of_engines_keeps_every_pair():
    config = RopeConfig(64, scaling=YarnScaling(4, original_max_position=6))
    low, high = config.scaling.ramp_ends(config)
    assert (low, high) == (0, 0.001)  # 6 tokens: index -0.16 rounds up to 0
    assert config.scaling.kept(config).tolist() == [1.0] + [0.0] * 31
    shorter = RopeConfig(64, scaling=YarnScaling(4, original_max_position=1))
    assert shorter.scaling.ramp_ends(shorter) == (0, -6)
    assert shorter.scaling.kept(shorter).tolist() == [1.0] * 32
    by_turns = RopeConfig(64, scaling=YarnScaling(4, original_max_position=1, ramp="rotation"))
    assert by_turns.scaling.kept(by_turns).tolist() == [0.0] * 32


def test_where_even_the_last_pair_turns_far_too_often_the_ramp_of_engines_divides_every_pair():
    config = RopeConfig(64, base=np.nextafter(1, 2), scaling=YarnScaling(4))
    low, high = config.scaling.ramp_ends(config)
    assert low > 10**16 > high == 63
    assert config.scaling.kept(config).tolist() == [0.0] * 32
    by_turns = RopeConfig(64, base=np.nextafter(1, 2), scaling=YarnScaling(4, ramp="rotation"))
    assert by_turns.scaling.kept(by_turns).tolist() == [1.0] * 32


@pytest.mark.parametrize("ramp", ["index", "rotation"])
@pytest.mark.parametrize("truncate", [True, False])
@pytest.mark.parametrize("base", [np.nextafter(1, 2), 1.001, 1e308])
@pytest.mark.parametrize("length", [1, 6, 2**53])
@pytest.mark.parametrize("beta", [5e-324, 1e-300, 1, 2**53])
@pytest.mark.parametrize("head_dim", [2, 4, 1024])
def test_every_legal_extreme_gives_speeds_between_plain_and_divided(ramp, truncate, base, length, beta, head_dim):
    scaling = YarnScaling(4, original_max_position=length, beta_fast=beta, beta_slow=min(beta, 1), truncate=truncate, ramp=ramp)
    speeds = inverse_frequencies(RopeConfig(head_dim, base=base, scaling=scaling))
    plain = inverse_frequencies(RopeConfig(head_dim, base=base))
    assert ((plain / 4 <= speeds) & (speeds <= plain)).all()


def test_a_head_of_one_pair_keeps_it(device):
    config = RopeConfig(2, scaling=YarnScaling(4))
    assert inverse_frequencies(config).tolist() == [1.0]
    assert attention_factor(config) == 0.1 * math.log(4) + 1


# Settings


def test_the_settings_of_the_paper_are_the_defaults():
    assert YarnScaling(4) == YarnScaling(
        4, original_max_position=None, beta_fast=32, beta_slow=1, truncate=True, ramp="index", attention_factor=None
    )


def test_numbers_of_numpy_make_the_same_settings():
    numpy = YarnScaling(
        np.float32(4),
        original_max_position=np.int32(4096),
        beta_fast=np.int64(16),
        beta_slow=np.float64(1),
        attention_factor=np.float64(1.25),
        mscale=np.float32(1),
        mscale_all_dim=Fraction(1, 2),
    )
    plain = YarnScaling(
        4.0, original_max_position=4096, beta_fast=16.0, beta_slow=1.0, attention_factor=1.25, mscale=1.0, mscale_all_dim=0.5
    )
    assert numpy == plain
    assert hash(numpy) == hash(plain)
    assert repr(numpy) == repr(plain)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"beta_fast": 0}, "beta_fast must be above 0, got 0"),
        ({"beta_slow": -1}, "beta_slow must be above 0, got -1"),
        ({"beta_fast": "32"}, "beta_fast must be a finite number, got '32'"),
        ({"beta_slow": None}, "beta_slow must be a finite number, got None"),
        ({"beta_fast": 1e16}, "beta_fast must be at most 9.0072e+15, got 1e+16"),
        ({"beta_fast": 1, "beta_slow": 2}, "beta_fast must be at least beta_slow = 2, got 1"),
        ({"beta_fast": 0.25, "beta_slow": Fraction(1, 2)}, "beta_fast must be at least beta_slow = 0.5, got 0.25"),
        ({"truncate": 1}, "truncate must be True or False, got 1"),
        ({"truncate": None}, "truncate must be True or False, got None"),
        ({"ramp": "turns"}, 'ramp must be "index" or "rotation", got \'turns\''),
        ({"ramp": None}, 'ramp must be "index" or "rotation", got None'),
        ({"attention_factor": 0}, "attention_factor must be above 0, got 0"),
        ({"attention_factor": float("nan")}, "attention_factor must be a finite number, got nan"),
        ({"attention_factor": 1e7}, "attention_factor must be at most 1e+06, got 10000000.0"),
        ({"mscale": -0.5}, "mscale must be at least 0, got -0.5"),
        ({"mscale_all_dim": True}, "mscale_all_dim must be a finite number, got True"),
        ({"original_max_position": 0}, "original_max_position must be an integer of at least 1, got 0"),
        ({"original_max_position": 4096.0}, "original_max_position must be an integer of at least 1, got 4096.0"),
        ({"original_max_position": 2**53 + 1}, "original_max_position must be at most 9007199254740992, got 9007199254740993"),
    ],
    ids=lambda value: None if isinstance(value, dict) else value,
)
@pytest.mark.usefixtures("unchecked_shapes")
def test_an_invalid_setting_is_rejected(settings, sentence):
    with refusal(sentence):
        YarnScaling(4, **settings)
