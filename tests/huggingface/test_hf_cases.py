"""Bugs of real config readers, each with a number: the values of the case list, to the digits listed there."""

import math

import pytest
import torch

from rope_core import HfConfigError, attention_factor, inverse_frequencies, parse_config, rotate
from tests.huggingface.stock import short, yarn


def only(config):
    return parse_config(config).layers["all"]


def speeds(config):
    return inverse_frequencies(only(config)).tolist()


def reported(config):
    return {(finding.level, finding.key) for finding in parse_config(config).findings}


def digits(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9)


# RC-05: the rotated width, and its exponents

PARTIAL = {
    "factor": {"partial_rotary_factor": 0.25},
    "count": {"rotary_dim": 32},
    "inside": {"rope_theta": ..., "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.25}},
    "rotary_pct": {"rotary_pct": 0.25},
}


@pytest.mark.parametrize("spelling", PARTIAL)
def test_rc05_a_rotated_share_has_the_whole_range_of_speeds(spelling):
    config = only(short(head_dim=128, **PARTIAL[spelling]))
    inv_freq = inverse_frequencies(config).tolist()
    assert len(inv_freq) == 16
    assert inv_freq[:3] == digits([1, 0.562341325, 0.316227766])
    assert inv_freq[-1] == pytest.approx(1.778279410e-4, rel=1e-9)
    assert (config.head_dim, config.rotary_dim) == (128, 32)


@pytest.mark.parametrize("spelling", PARTIAL)
def test_rc05_only_the_rotated_share_of_a_vector_changes(spelling):
    config = only(short(head_dim=128, **PARTIAL[spelling]))
    for unit, partner, expected in ((0, 16, [0.283662185, -0.958924275]), (1, 17, [-0.946079269, 0.323935204])):
        turned = rotate(torch.eye(128, dtype=torch.float64)[unit : unit + 1], torch.tensor([5]), config)[0]
        assert turned.nonzero().flatten().tolist() == [unit, partner]
        assert turned[[unit, partner]].tolist() == digits(expected)
    x = torch.randn(1, 128, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    assert torch.equal(rotate(x, torch.tensor([5]), config)[:, 32:], x[:, 32:])


# RC-14: the attention factor


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        *((1, 1), (2, 1.069314718), (4, 1.138629436), (8, 1.207944154), (16, 1.277258872)),
        *((32, 1.346573590), (40, 1.368887945), (64, 1.415888308), (128, 1.485203026)),
    ],
)
def test_rc14_the_factor_determines_the_attention_factor(factor, expected):
    assert attention_factor(only(yarn(factor=factor))) == digits(expected)


@pytest.mark.parametrize(("factor", "stated"), [(64, 1.0), (128, 1.4852)])
def test_rc14_a_stated_attention_factor_is_used(factor, stated):
    assert attention_factor(only(yarn(factor=factor, attention_factor=stated))) == stated


def test_rc14_another_spelling_is_reported_and_not_followed():
    config = yarn(attn_factor=2.0)
    assert attention_factor(only(config)) == digits(1.138629436)
    (finding,) = parse_config(config).findings
    assert (finding.level, finding.key, finding.fix) == ("warning", "rope_scaling.attn_factor", "write attention_factor if that is meant")


# RC-15: mscale, in the tables and in the softmax


def latent(factor, mscale, all_dim):
    scaling = yarn(factor=factor, mscale=mscale, mscale_all_dim=all_dim)["rope_scaling"]
    return {
        "model_type": "deepseek_v3",
        "rope_theta": 1e4,
        "qk_rope_head_dim": 64,
        "qk_nope_head_dim": 128,
        "max_position_embeddings": 16,
        "rope_scaling": scaling,
    }


@pytest.mark.parametrize(("numbers", "expected"), [((16, 1, 1), 1), ((40, 0.707, 0.707), 1), ((40, 1, 1), 1), ((40, 1, 0.8), 1.056966257)])
def test_rc15_the_tables_contain_the_ratio(numbers, expected):
    assert attention_factor(only(latent(*numbers))) == digits(expected)


@pytest.mark.parametrize(
    ("numbers", "multiplier", "scale"),
    [((40, 0.707, 0.707), 1.589626165, 0.114721387), ((40, 1, 1), 1.873854207, 0.135233779)],
)
def test_rc15_the_softmax_scale_contains_the_square(numbers, multiplier, scale):
    rope = parse_config(latent(*numbers))
    assert rope.softmax_factor == digits(multiplier)
    assert rope.softmax_factor * rope.layers["all"].head_dim ** -0.5 == digits(scale)
    assert ("note", "mscale_all_dim") in reported(latent(*numbers))


def test_rc15_the_softmax_scale_of_fully_rotated_heads_is_unchanged():
    assert parse_config(yarn(factor=40, mscale=1.0, mscale_all_dim=1.0) | {"model_type": "ministral3"}).softmax_factor == 1


# RC-18: the factor that a user wrote


def qwen(stated, **keys):
    rope = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32_768} | keys
    rope = {key: value for key, value in rope.items() if value is not ...}
    return {"head_dim": 128, "rope_theta": 1e6, "max_position_embeddings": stated, "rope_scaling": rope}


def test_rc18_the_stated_length_changes_nothing():
    assert speeds(qwen(40_960)) == speeds(qwen(131_072))
    assert speeds(qwen(40_960))[-1] == pytest.approx(3.102344402e-7, rel=1e-9)
    config = only(qwen(40_960))
    assert attention_factor(config) == digits(1.138629436)
    assert config.scaling.ramp_ends(config) == (23, 40)


def test_rc18_a_factor_that_disagrees_with_the_lengths_is_reported():
    assert ("warning", "rope_scaling.factor") in reported(qwen(40_960))
    assert "40,960 / 32,768 = 1.25" in parse_config(qwen(40_960)).findings[0].message
    assert {level for level, _ in reported(qwen(131_072))} <= {"note"}


def test_rc18_a_missing_original_length_is_a_warning():
    config = qwen(131_072, original_max_position_embeddings=...)
    assert ("warning", "rope_scaling.original_max_position_embeddings") in reported(config)
    assert only(config).scaling.ramp_ends(only(config)) == (30, 47)


# RC-22: the base


@pytest.mark.parametrize("config", [short(rope_theta=...), short(rope_theta=None)])
def test_rc22_a_missing_base_is_ten_thousand_with_a_warning_that_it_is_assumed(config):
    assert only(config).base == 10_000
    assert reported(config) == {("warning", "rope_theta")}
    assert parse_config(config).basis == "assumed"


def test_rc22_integers_and_floats_give_the_same_bits():
    assert speeds(short(rope_theta=500_000)) == speeds(short(rope_theta=500_000.0)) == speeds(short(rope_theta=5e5))


@pytest.mark.parametrize("base", ["1e6", 1, 0.5, 0, -10_000, math.nan, math.inf, True, {}])
@pytest.mark.parametrize("inside", [False, True])
def test_rc22_an_invalid_base_is_an_error(base, inside):
    config = short(rope_theta=..., rope_parameters={"rope_theta": base}) if inside else short(rope_theta=base)
    with pytest.raises(HfConfigError) as caught:
        parse_config(config)
    (finding,) = caught.value.findings
    assert finding.key == ("rope_parameters.rope_theta" if inside else "rope_theta")


def test_rc22_a_number_beyond_float64_is_an_error():
    with pytest.raises(HfConfigError, match="rope_theta must be a finite number"):
        parse_config('{"head_dim": 64, "rope_theta": 1e400}')


def test_rc22_the_inner_base_is_used_and_a_conflict_is_a_warning():
    config = short(rope_parameters={"rope_theta": 5e5})
    assert only(config).base == 5e5
    assert reported(config) == {("warning", "rope_parameters.rope_theta")}
    assert reported(short(rope_parameters={"rope_theta": 10_000})) == set()


# RC-24: one base for sliding layers, another for full attention

FLAT = {
    "model_type": "gemma3_text",
    "head_dim": 256,
    "num_hidden_layers": 12,
    "max_position_embeddings": 64,
    "rope_theta": 1e6,
    "rope_local_base_freq": 1e4,
    "rope_scaling": {"rope_type": "linear", "factor": 8.0},
    "sliding_window_pattern": 6,
}
NESTED = {
    "head_dim": 256,
    "max_position_embeddings": 64,
    "layer_types": (["sliding_attention"] * 5 + ["full_attention"]) * 2,
    "rope_parameters": {
        "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
        "full_attention": {"rope_type": "linear", "rope_theta": 1e6, "factor": 8.0},
    },
}


@pytest.mark.parametrize("config", [FLAT, NESTED], ids=["flat", "nested"])
@pytest.mark.parametrize("index", [0, 4, 5, 6, 11])
def test_rc24_every_layer_has_its_own_base(config, index):
    rope = parse_config(config)
    inv_freq = inverse_frequencies(rope.layers[rope.layer_types[index]])
    if index in (5, 11):
        assert (inv_freq[0].item(), inv_freq[-1].item()) == (0.125, pytest.approx(1.392467325e-7, rel=1e-9))
        assert inv_freq[64].item() * 1024 == digits(0.128)
    else:
        assert inv_freq[:2].tolist() == digits([1, 0.930572041])
        assert inv_freq[-1].item() == pytest.approx(1.074607828e-4, rel=1e-9)
        assert inv_freq[64].item() * 1024 == digits(10.24)
