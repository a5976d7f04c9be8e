"""Round trips: written settings are parsed back as the same settings, here and by transformers."""

import json
import math
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rope_core import (
    HfRope,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    RopeConfig,
    RopeConfigError,
    YarnScaling,
    attention_factor,
    inverse_frequencies,
    parse_config,
    to_huggingface,
)
from tests.huggingface.stock import SAMPLES, parsed
from tests.methods import MAKERS, WHOLE_HEAD, make, name_of

WRITABLE = [name for name in MAKERS if name != "ntk"]


def again(rope: RopeConfig | HfRope, version: int) -> HfRope:
    """Write settings, pass them through JSON, and parse them."""
    return parse_config(json.dumps(to_huggingface(rope, version=version)))


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("rotary_dim", [64, 16, 2, 62])
def test_plain_settings_are_parsed_back(version, layout, rotary_dim):
    config = RopeConfig(64, base=12_345.678, rotary_dim=rotary_dim, layout=layout, max_position=16)
    assert again(config, version).layers == {"all": config}


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("name", WRITABLE)
@pytest.mark.parametrize("rotary_dim", [64, 24])
def test_every_method_is_parsed_back(version, name, rotary_dim):
    width = 24 if name in WHOLE_HEAD and rotary_dim == 24 else 64
    config = RopeConfig(width, rotary_dim=rotary_dim, max_position=32, scaling=make(name, 4, pairs=rotary_dim // 2, length=8))
    assert again(config, version).layers == {"all": config}


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("head_dim", range(4, 258, 2))
def test_every_width_is_parsed_back(version, head_dim):
    for rotary_dim in range(2, head_dim + 1, 2):
        written = to_huggingface(RopeConfig(head_dim, rotary_dim=rotary_dim, max_position=1), version=version)
        share = written.get("partial_rotary_factor", written.get("rope_parameters", {}).get("partial_rotary_factor", 1.0))
        assert int(head_dim * share) == rotary_dim


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize(("factor", "width"), [(4, 128), (1.5, 16), (1000, 4)])
def test_ntk_scaling_is_parsed_back_as_its_larger_base(version, factor, width):
    config = RopeConfig(128, rotary_dim=width, max_position=16, scaling=NtkScaling(factor))
    (back,) = again(config, version).layers.values()
    assert back.scaling is None
    assert inverse_frequencies(back).tolist() == pytest.approx(inverse_frequencies(config).tolist(), rel=1e-12)


def test_the_rotation_ramp_of_yarn_is_parsed_back_as_llama3():
    config = RopeConfig(128, max_position=32_768, scaling=YarnScaling(4, original_max_position=8192, ramp="rotation", attention_factor=1))
    (back,) = again(config, 5).layers.values()
    assert isinstance(back.scaling, Llama3Scaling)
    assert inverse_frequencies(back).tolist() == pytest.approx(inverse_frequencies(config).tolist(), rel=1e-12)
    assert attention_factor(back) == 1


def drawn_head(draw: Any) -> RopeConfig:
    """Draw outside a composite strategy: the tests' type checker samples list entries at random, which strategies must not do."""
    head_dim = 2 * draw(st.integers(2, 64))
    rotary_dim = 2 * draw(st.integers(2, head_dim // 2))
    number = st.floats(1, 1e4, allow_nan=False)
    length = draw(st.integers(2, 10**6))
    name = draw(st.sampled_from(["none", *WRITABLE]))
    if name == "none":
        scaling = None
    elif name == "yarn":
        slow = draw(st.floats(1e-3, 100))
        optional = st.none() | st.floats(1e-3, 100)
        scaling = YarnScaling(
            draw(number),
            original_max_position=draw(st.none() | st.just(length)),
            beta_fast=slow + draw(st.floats(0, 100)),
            beta_slow=slow,
            truncate=draw(st.booleans()),
            attention_factor=draw(optional),
            mscale=draw(optional),
            mscale_all_dim=draw(optional),
        )
    elif name == "longrope":
        lists = st.lists(st.floats(0.5, 100), min_size=rotary_dim // 2, max_size=rotary_dim // 2)
        optional = st.none() | st.floats(1e-3, 100)
        scaling = LongRopeScaling(
            short_factor=draw(lists),
            long_factor=draw(lists),
            original_max_position=length,
            factor=draw(optional),
            attention_factor=draw(optional),
        )
    elif name == "proportional":
        rotary_dim, scaling = head_dim, ProportionalScaling(rotary_fraction=draw(st.floats(0, 1)), factor=draw(number))
    else:
        scaling = make(name, draw(number), pairs=rotary_dim // 2, length=length)
    base, layout = draw(st.floats(1.001, 1e12)), draw(st.sampled_from(["half", "interleaved"]))
    return RopeConfig(head_dim, base=base, rotary_dim=rotary_dim, layout=layout, max_position=draw(st.integers(1, 256)), scaling=scaling)


@settings(max_examples=300)
@given(st.data(), st.sampled_from([4, 5]))
def test_any_settings_are_parsed_back(data, version):
    config = drawn_head(data.draw)
    rope = again(config, version)
    assert rope.layers == {"all": config}
    assert rope.softmax_factor == 1


@pytest.mark.usefixtures("near_search")
@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("name", SAMPLES)
def test_whole_models_are_parsed_back(name, version):
    assert_same(again(parsed(name), version), parsed(name))


def assert_same(back, rope):
    assert back.layers == rope.layers
    assert back.layer_types == rope.layer_types
    assert back.softmax_factor == rope.softmax_factor
    assert back.pair_axes == rope.pair_axes


SMALL = {"head_dim": 64, "max_position_embeddings": 16, "num_hidden_layers": 4}
LINEAR = {"rope_type": "linear", "factor": 4.0}
YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4}
LATENT = {"qk_rope_head_dim": 32, "qk_nope_head_dim": 64, "layer_types": ["linear_attention", "full_attention"] * 2}
BOTH = ["sliding_attention", "full_attention"] * 2
DIFFERING = {
    "scaling for some layers": {"model_type": "molmo2_text", "rope_scaling": LINEAR, "rope_scaling_layers": [1, 3]},
    "latent heads beside linear attention": {"model_type": "bailing_hybrid", "rope_scaling": YARN | {"mscale_all_dim": 1.0}} | LATENT,
    "layers without rotation": {"model_type": "smollm3", "rope_scaling": YARN, "no_rope_layers": [0, 1, 1, 0]},
    "full attention without rotation": {"model_type": "cohere2", "layer_types": BOTH, "rope_theta": 5e4},
    "two bases and a scaling": {"model_type": "gemma3_text", "layer_types": BOTH, "rope_scaling": LINEAR},
    "one base and a scaling": {"model_type": "olmo3", "layer_types": BOTH, "rope_scaling": YARN},
    "two global bases": {"model_type": "modernbert", "layer_types": BOTH},
    "a second base under its own key": {"model_type": "mimo_v2_flash", "hybrid_layer_pattern": [0, 1, 1, 0], "swa_rope_theta": 5e3},
    "compressed attention": {"model_type": "deepseek_v4", "compress_ratios": [0, 4, 128, 0], "rope_scaling": YARN},
    "only compressed attention": {"model_type": "deepseek_v4", "compress_ratios": [4, 128, 4, 4], "compress_rope_theta": 5e4},
    "no rotation, by model type": {"model_type": "bert"},
    "no rotation, by position encoding": {"alibi": True},
}
"""Layers that differ, in the spelling of version 4."""


@pytest.mark.parametrize("version", [4, 5])
@pytest.mark.parametrize("case", DIFFERING)
def test_layers_that_differ_are_parsed_back(case, version):
    rope = parse_config(SMALL | DIFFERING[case])
    assert len(rope.layer_types) == 4
    assert_same(again(rope, version), rope)


FAR, NEAR = RopeConfig(64, base=1e6, max_position=16), RopeConfig(64, max_position=16)


@pytest.mark.parametrize(
    ("full", "sliding", "model_type"),
    [
        (FAR, NEAR, None),
        (FAR, NEAR, "gemma4_text"),
        (FAR, NEAR, "olmo3"),
        (replace(FAR, scaling=LinearScaling(2)), NEAR, "modernbert"),
        (replace(FAR, scaling=LinearScaling(2)), NEAR, "mimo_v2_flash"),
        (FAR, replace(NEAR, scaling=LinearScaling(2)), "gemma3_text"),
        (FAR, replace(NEAR, head_dim=32, rotary_dim=32), "gemma3_text"),
        (FAR, None, "gemma3_text"),
    ],
)
def test_version_4_cannot_express_what_the_class_of_a_model_does_not_read(full, sliding, model_type):
    rope = HfRope({"full_attention": full, "sliding_attention": sliding}, tuple(BOTH), model_type=model_type)
    with pytest.raises(RopeConfigError, match="no place for layers that differ"):
        to_huggingface(rope, version=4)
    assert_same(again(rope, 5), rope)


@pytest.mark.parametrize("axes", ["hwhwhwhwtt", "ththththth", "wwwhhhtttt"])
def test_only_axes_that_mrope_section_can_state_are_written(axes):
    config = RopeConfig(20, max_position=1)
    rope = HfRope({"all": config}, ("all",), pair_axes=tuple(axes), model_type="ernie4_5_vl_moe_text")
    if axes == "hwhwhwhwtt":
        assert again(rope, 5).pair_axes == tuple(axes)
    else:
        with pytest.raises(RopeConfigError, match="pair_axes must be an order that mrope_section can state"):
            to_huggingface(rope)


@pytest.mark.parametrize(
    ("rope", "version", "sentence"),
    [
        (RopeConfig(64), 3, "version must be 4 or 5, got 3"),
        ({"head_dim": 64}, 5, "rope must be a RopeConfig or an HfRope, got dict"),
        (None, 5, "rope must be a RopeConfig or an HfRope, got NoneType"),
        (RopeConfig(64, base=1e300, rotary_dim=4, scaling=NtkScaling(1e6)), 5, "the base of NTK scaling must stay within"),
        (RopeConfig(64, scaling=YarnScaling(4, ramp="rotation")), 5, "YaRN by turns can be written only as llama3"),
        (HfRope({"a": RopeConfig(64), "b": RopeConfig(64, max_position=1)}, ("a", "b")), 5, "one length and one layout"),
        (HfRope({"a": RopeConfig(64), "b": RopeConfig(64, layout="interleaved")}, ("a", "b")), 5, "one length and one layout"),
    ],
)
def test_what_cannot_be_written_is_an_error(rope, version, sentence):
    with pytest.raises(RopeConfigError, match=sentence):
        to_huggingface(rope, version=version)


@pytest.mark.parametrize("scaling", [None, *(make(name, 4, pairs=32, length=512) for name in MAKERS)], ids=name_of)
@pytest.mark.parametrize("seq_len", [None, 4096])
def test_transformers_computes_the_same_from_written_settings(scaling, seq_len):
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
    from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

    config = RopeConfig(64, max_position=2048, scaling=scaling)
    peer = LlamaConfig(hidden_size=256, num_attention_heads=4, **to_huggingface(config))
    rope_type = peer.rope_parameters["rope_type"]
    if rope_type == "default":
        rotary = LlamaRotaryEmbedding(peer)
        theirs, factor = rotary.inv_freq, rotary.attention_scaling
    else:
        theirs, factor = ROPE_INIT_FUNCTIONS[rope_type](peer, torch.device("cpu"), seq_len=seq_len)
    torch.testing.assert_close(theirs.double(), inverse_frequencies(config, seq_len), rtol=1e-6, atol=0)
    assert factor == pytest.approx(attention_factor(config, seq_len), rel=1e-12)
    assert math.isfinite(factor)
