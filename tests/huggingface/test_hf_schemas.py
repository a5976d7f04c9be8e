"""Spellings that do not occur in the samples, and the numbers that they stand for."""

import pytest
import torch

from rope_core import (
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    RopeConfig,
    YarnScaling,
    attention_factor,
    inverse_frequencies,
    parse_config,
)
from tests.huggingface.stock import longrope, scaled, short, yarn


def only(config):
    return parse_config(config).layers["all"]


def by_layer(config):
    """Return the settings of every layer."""
    rope = parse_config(config)
    return [rope.layers[name] for name in rope.layer_types]


@pytest.mark.parametrize("key", ["head_dim", "kv_channels", "attention_head_dim"])
def test_every_spelling_of_the_head_width_is_read(key):
    assert only(short(head_dim=...) | {key: 80}).head_dim == 80


@pytest.mark.parametrize(
    "names", [("hidden_size", "num_attention_heads"), ("n_embd", "n_head"), ("d_model", "n_heads"), ("dim", "num_heads")]
)
def test_the_head_width_is_computed_from_the_model_width(names):
    assert only(short(head_dim=...) | dict(zip(names, (800, 10), strict=True))).head_dim == 80


@pytest.mark.parametrize("key", ["n_positions", "seq_length", "max_seq_len", "n_ctx", "model_max_length", "max_trained_positions"])
def test_every_spelling_of_the_length_is_read(key):
    assert only(short(max_position_embeddings=...) | {key: 12}).max_position == 12


def test_the_trained_length_overrides_that_of_a_server():
    assert only(short(max_trained_positions=8)).max_position == 8


@pytest.mark.parametrize("key", ["rope_theta", "rotary_emb_base", "rope_base", "rotary_base"])
def test_every_spelling_of_the_base_is_read(key):
    assert only(short(rope_theta=...) | {key: 777}).base == 777


def test_the_base_of_chatglm_is_read_from_its_ratio():
    config = only(short(rope_theta=..., head_dim=..., kv_channels=128, rope_ratio=500, model_type="chatglm"))
    assert (config.base, config.rotary_dim, config.head_dim, config.layout) == (5e6, 64, 128, "interleaved")


@pytest.mark.parametrize("key", ["partial_rotary_factor", "rotary_pct", "rotary_emb_fraction", "rope_pct", "rope_percentage"])
def test_every_spelling_of_the_share_is_read(key):
    assert only(short() | {key: 0.25}).rotary_dim == 16


def test_a_share_is_rounded_down_as_in_engines():
    assert only(short(head_dim=100, partial_rotary_factor=0.129)).rotary_dim == 12


@pytest.mark.parametrize("key", ["rope_interleave", "rotary_emb_interleaved", "rotary_interleaved", "rope_interleaved"])
def test_every_spelling_of_the_layout_is_read(key):
    assert only(short() | {key: True}).layout == "interleaved"
    assert only(short(model_type="gptj") | {key: False}).layout == "half"


def test_latent_attention_rotates_its_own_projection_for_any_share():
    config = only(short(head_dim=512, qk_rope_head_dim=64, partial_rotary_factor=0.125, rope_parameters={"partial_rotary_factor": 0.125}))
    assert (config.head_dim, config.rotary_dim) == (512, 64)
    config = only(short(qk_nope_head_dim=128, qk_rope_head_dim=64, rope_parameters={"partial_rotary_factor": 1.0}))
    assert (config.head_dim, config.rotary_dim) == (192, 64)


def test_the_outer_trained_length_is_used_as_in_transformers():
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    document = yarn(factor=2.0) | {"original_max_position_embeddings": 8}
    theirs, _ = ROPE_INIT_FUNCTIONS["yarn"](LlamaConfig(**yarn(factor=2.0), original_max_position_embeddings=8), torch.device("cpu"))
    assert only(document).trained_length == 8
    torch.testing.assert_close(theirs.double(), inverse_frequencies(only(document)), rtol=1e-6, atol=0)


def test_a_factor_of_null_is_the_ratio_of_the_lengths():
    assert only(yarn(factor=None)).scaling == YarnScaling(4.0, original_max_position=4)


def test_alpha_of_hunyuan_raises_the_base():
    config = only(scaled("dynamic", alpha=1000.0, factor=1.0) | {"model_type": "hunyuan_v1_dense"})
    assert config.scaling == NtkScaling(1000.0)
    assert inverse_frequencies(config).tolist() == pytest.approx(
        inverse_frequencies(RopeConfig(64, base=1e4 * 1000 ** (64 / 62))).tolist(), rel=1e-12
    )


def test_other_models_do_not_read_alpha():
    rope = parse_config(scaled("dynamic", alpha=1000.0) | {"model_type": "llama"})
    assert rope.main.scaling.rope_type == "dynamic"
    assert ("warning", "rope_scaling.alpha") in [(finding.level, finding.key) for finding in rope.findings]


def test_phi_moe_states_its_attention_factor():
    config = only(longrope(short_mscale=1.243, long_mscale=1.243) | {"model_type": "phimoe"})
    assert attention_factor(config) == 1.243
    assert isinstance(config.scaling, LongRopeScaling)


def test_yarn_in_phi_3_is_longrope():
    assert (
        only(longrope() | {"model_type": "phi3", "rope_scaling": longrope()["rope_scaling"] | {"rope_type": "yarn"}}).scaling
        == only(longrope()).scaling
    )


def test_null_counts_as_missing():
    config = short(rope_scaling=None, rope_parameters=None, layer_types=None, text_config=None, head_dim=64, rotary_dim=None)
    assert parse_config(config) == parse_config(short())


def test_empty_objects_are_ignored():
    assert parse_config(short(rope_scaling={}, rope_parameters={})) == parse_config(short())


# Layers


def test_1_in_no_rope_layers_means_rotated():
    assert [config is not None for config in by_layer(short(no_rope_layers=[1, 1, 0], num_hidden_layers=3))] == [True, True, False]


def test_base_0_means_a_layer_without_rotation():
    config = short(layer_rope_theta=[1e4, 0, 1e4], num_hidden_layers=3)
    assert [config is not None for config in by_layer(config)] == [True, False, True]


def test_every_fourth_layer_of_smollm_3_is_not_rotated():
    assert [config is not None for config in by_layer(short(model_type="smollm3", num_hidden_layers=5))] == [True] * 3 + [False, True]


def test_scaling_can_be_limited_to_some_layers():
    config = scaled("linear") | {"model_type": "molmo2_text", "rope_scaling_layers": [1], "num_hidden_layers": 2}
    assert [config.scaling is not None for config in by_layer(config)] == [False, True]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"sliding_window": 8}, ["turns", "turns", "turns", None]),
        ({"sliding_window": None}, ["turns"] * 4),
        ({"layer_types": ["full_attention", "sliding_attention"] * 2}, [None, "turns"] * 2),
    ],
)
def test_full_attention_of_exaone_4_is_rotated_only_without_sliding_layers(keys, expected):
    config = short(model_type="exaone4", num_hidden_layers=4, **keys)
    assert ["turns" if each else None for each in by_layer(config)] == expected


def test_1_in_a_hybrid_pattern_means_sliding():
    config = short(model_type="mimo_v2_flash", hybrid_layer_pattern=[0, 1, 1], swa_rope_theta=1e3, partial_rotary_factor=0.5)
    assert [each.base for each in by_layer(config)] == [1e4, 1e3, 1e3]


def test_a_pattern_of_letters_is_repeated():
    config = short(model_type="exaone4", num_hidden_layers=4, sliding_window=4, sliding_window_pattern="LG")
    assert [each is not None for each in by_layer(config)] == [True, False] * 2


def test_null_for_a_layer_type_means_no_rotation():
    config = short(layer_types=["a", "b"], rope_parameters={"a": {"rope_theta": 100.0}, "b": None})
    assert [each and each.base for each in by_layer(config)] == [100.0, None]


def test_scalars_next_to_the_settings_of_layer_types_are_a_warning():
    rope = parse_config(short(layer_types=["a", "b"], rope_parameters={"a": {"rope_theta": 100.0}, "b": {}, "rope_theta": 50.0}))
    assert (rope.layers["a"].base, rope.layers["b"].base) == (100.0, 1e4)
    assert [finding.key for finding in rope.findings if finding.level == "warning"] == ["rope_parameters.rope_theta"]


@pytest.mark.parametrize(
    "wide",
    [
        {"rope_parameters": {"full_attention": {"head_dim": 128}, "sliding_attention": {"rope_theta": 1e3}}},
        {"global_head_dim": 128},
        {"per_layer_config": {"01": {"head_dim": 128}}},
        {"model_type": "gemma4_text", "global_head_dim": 128},
    ],
    ids=["inside", "global_head_dim", "per_layer_config", "gemma 4"],
)
def test_some_layers_can_have_wider_heads(wide):
    ropes = {"rope_parameters": {"full_attention": {}, "sliding_attention": {"rope_theta": 1e3}}}
    config = short(layer_types=["sliding_attention", "full_attention"]) | ropes | wide
    assert [each.head_dim for each in by_layer(config)] == [64, 128]


def test_proportional_rotation_keeps_the_whole_head():
    config = short(layer_types=["full_attention"], rope_parameters={"full_attention": scaled("proportional")["rope_scaling"]})
    config["rope_parameters"]["full_attention"]["partial_rotary_factor"] = 0.25
    assert only(config).scaling == ProportionalScaling(rotary_fraction=0.25, factor=4.0)
    assert only(config).rotary_dim == 64


@pytest.mark.parametrize(
    "config",
    [
        short(model_type="bert"),
        short(position_embedding_type="absolute"),
        short(model_type="esm"),
        short(alibi=True),
        short(model_type="zamba2", use_mem_rope=False),
    ],
)
def test_models_without_rotation_have_no_settings(config):
    rope = parse_config(config | {"num_hidden_layers": 2})
    assert rope.layers == {"all": None}
    assert rope.layer_types == ("all", "all")
    assert rope.main is None


@pytest.mark.parametrize("kind", ["rope", "rotary", "mrope"])
def test_rotary_position_types_are_rotated(kind):
    assert only(short(model_type="esm", position_embedding_type=kind)).pairs == 32


# Axes


def test_sections_are_contiguous_or_interleaved():
    section = [12, 10, 10]
    plain = parse_config(short(rope_scaling={"type": "mrope", "mrope_section": section}))
    interleaved = parse_config(short(model_type="qwen3_vl_text", rope_scaling={"rope_type": "default", "mrope_section": section}))
    assert "".join(plain.pair_axes) == "t" * 12 + "h" * 10 + "w" * 10
    assert "".join(interleaved.pair_axes) == "thw" * 10 + "tt"


def test_sections_of_ernie_are_those_of_its_own_tables():
    from transformers import CONFIG_MAPPING
    from transformers.models.ernie4_5_vl_moe.modeling_ernie4_5_vl_moe import Ernie4_5_VLMoeTextRotaryEmbedding

    parameters = {"rope_type": "default", "rope_theta": 5e5, "mrope_section": [22, 22, 20]}
    peer = CONFIG_MAPPING["ernie4_5_vl_moe_text"](hidden_size=512, num_attention_heads=4, rope_parameters=dict(parameters))
    rope = parse_config(
        {"model_type": "ernie4_5_vl_moe_text", "head_dim": 128, "max_position_embeddings": 16, "rope_parameters": parameters}
    )
    speeds, axes = inverse_frequencies(rope.main), rope.pair_axes
    reordered = [speeds[pair] for axis in "hwt" for pair in range(64) if axes[pair] == axis]
    theirs = Ernie4_5_VLMoeTextRotaryEmbedding(peer).inv_freq.double()
    torch.testing.assert_close(torch.stack(reordered), theirs, rtol=1e-6, atol=0)


# Text parts that omit the defaults of their class


def test_a_text_part_with_few_keys_has_the_defaults_of_its_class():
    rope = parse_config({"model_type": "llava", "text_config": {"model_type": "llama", "max_position_embeddings": 16}})
    assert (rope.main.head_dim, rope.main.base, len(rope.layer_types)) == (128, 1e4, 32)
    assert {finding.level for finding in rope.findings} == {"note"}


def test_nearly_all_settings_of_gemma_3_are_defaults_of_its_class():
    text = {"model_type": "gemma3_text", "num_hidden_layers": 34, "rope_scaling": {"factor": 8.0, "rope_type": "linear"}}
    rope = parse_config({"model_type": "gemma3", "text_config": text})
    full, sliding = rope.layers["full_attention"], rope.layers["sliding_attention"]
    assert (full.base, full.head_dim, full.scaling.factor) == (1e6, 256, 8)
    assert (sliding.base, sliding.head_dim, sliding.scaling) == (1e4, 256, None)
    assert [index for index, name in enumerate(rope.layer_types) if name == "full_attention"] == [5, 11, 17, 23, 29]
