"""The shipped models: complete, sourced, and equal to ``tests/data/models.json``, which states what a config means, not its spelling."""

import json
from collections import Counter
from pathlib import Path

import pytest

from rope_core import (
    CatalogueModel,
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    ProportionalScaling,
    RopeConfig,
    YarnScaling,
    catalogue_models,
    critical_dimension,
    inverse_frequencies,
)

STATED = {row["hf_id"]: row for row in json.loads((Path(__file__).parents[1] / "data" / "models.json").read_text(encoding="utf-8"))}
METHODS = {
    "linear": LinearScaling,
    "dynamic": DynamicNtkScaling,
    "yarn": YarnScaling,
    "llama3": Llama3Scaling,
    "longrope": LongRopeScaling,
    "su": LongRopeScaling,  # what Phi-3 first called it
    "proportional": ProportionalScaling,
    "mrope": None,  # no scaling: which position number turns which pair
    "default": None,
}
KINDS = {"checkpoint config copy": "checkpoint", "transformers config class default": "class default", "litgpt config table": "other table"}
"""How the sources in the data begin, and our name for their kind."""
NUMBERS = {
    *("factor", "beta_fast", "beta_slow", "truncate", "attention_factor", "mscale", "mscale_all_dim"),
    *("low_freq_factor", "high_freq_factor"),
}
LAYERS = {
    "meta-llama/Llama-4-Scout-17B-16E-Instruct": (36, 12),
    "meta-llama/Llama-4-Maverick-17B-128E-Instruct": (36, 12),
    "HuggingFaceTB/SmolLM3-3B": (27, 9),
    "LGAI-EXAONE/EXAONE-4.0-32B": (48, 16),
    "Qwen/Qwen3.5-27B": (16, 48),
    "Qwen/Qwen3.5-35B-A3B": (10, 30),
    "Qwen/Qwen3.5-397B-A17B": (15, 45),
}
"""Layers with and without rotation."""
BASES = {
    "google/gemma-3-1b-it": (22, 4),
    "google/gemma-3-4b-it": (29, 5),
    "google/gemma-3-12b-it": (40, 8),
    "google/gemma-3-27b-it": (52, 10),
    "google/gemma-4-26B-A4B": (25, 5),
    "nvidia/Gemma-4-31B-IT-NVFP4": (50, 10),
    "answerdotai/ModernBERT-base": (14, 8),
    "XiaomiMiMo/MiMo-V2-Flash": (39, 9),
    "deepseek-ai/DeepSeek-V4-Flash": (2, 41),
    "deepseek-ai/DeepSeek-V4-Pro": (0, 61),
}
"""Layers with the local base and layers with the global one."""
MODELS = catalogue_models()
BY_ID = {model.hf_id: model for model in MODELS}
each_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)


def stated_scaling(model: CatalogueModel) -> dict:
    """Return the object that states the method of the layers with the widest attention."""
    scaling = STATED[model.hf_id].get("scaling", {})
    return scaling.get("full_attention", scaling)


def test_names_and_repositories_are_unique():
    assert len({model.name for model in MODELS}) == len(BY_ID) == len(MODELS) >= 60
    assert BY_ID.keys() == STATED.keys()


def test_nearly_all_models_are_copies_of_the_config_of_a_checkpoint():
    assert Counter(model.kind for model in MODELS) == {"checkpoint": 83, "class default": 2, "other table": 3}


@each_model
def test_entry_is_complete(model):
    assert isinstance(model, CatalogueModel)
    assert len(model.hf_id.split("/")) == 2
    assert model.year == STATED[model.hf_id]["year"]
    assert len(model.source.strip()) > 10
    (kind,) = [kind for words, kind in KINDS.items() if STATED[model.hf_id]["value_kind"].startswith(words)]
    assert model.kind == kind
    assert isinstance(model.settings["model_type"], str)
    assert model.config is model.rope.main


@each_model
def test_settings_are_what_a_config_json_may_hold_and_read_without_complaint(model):
    assert json.loads(json.dumps(model.settings)) == model.settings
    assert [finding.message for finding in model.rope.findings if finding.level == "error"] == []


@each_model
def test_shape_of_the_head_is_the_stated_one(model):
    stated, config = STATED[model.hf_id], model.config
    if stated["pairing"] == "none":
        assert config is None
        return
    turning = {rope for rope in model.rope.layers.values() if rope is not None}
    assert stated["max_position_embeddings"] == config.max_position
    assert {rope.layout for rope in turning} == {"interleaved" if stated["pairing"] == "interleaved" else "half"}
    assert (stated["head_dim"], stated["rotary_dim"]) in {(rope.head_dim, rope.rotary_dim) for rope in turning}


@each_model
def test_base_is_the_stated_one_and_others_stand_in_other_layers(model):
    stated = STATED[model.hf_id]
    turning = {rope.base for rope in model.rope.layers.values() if rope is not None}
    expected = {stated.get("local_theta"), stated.get("global_theta")} - {None} or {stated["rope_theta"]}
    if model.hf_id == "deepseek-ai/DeepSeek-V4-Pro":
        expected = {160_000}  # all of its layers are compressed ones
    assert turning == (expected if stated["pairing"] != "none" else set())
    if model.config is not None:
        assert model.config.base == max(expected)


@each_model
def test_method_of_scaling_and_its_numbers_are_the_stated_ones(model):
    if model.config is None:
        return
    stated, scaling = stated_scaling(model), model.config.scaling
    expected = METHODS[stated.get("rope_type", stated.get("type", "default"))]
    assert type(scaling) is (expected or type(None))
    if expected is None:
        return
    for key in (
        "beta_fast",
        "beta_slow",
        "truncate",
        "attention_factor",
        "mscale",
        "mscale_all_dim",
        "low_freq_factor",
        "high_freq_factor",
    ):
        if key in stated:
            assert getattr(scaling, key) == stated[key], key
    for key in ("short_factor", "long_factor"):
        if key in stated:
            assert list(getattr(scaling, key)) == stated[key]
    if "original_max_position_embeddings" in STATED[model.hf_id]:
        assert model.config.trained_length == STATED[model.hf_id]["original_max_position_embeddings"]
    if expected is ProportionalScaling:
        assert scaling.rotary_fraction == stated["partial_rotary_factor"]


@pytest.mark.parametrize("hf_id", LAYERS)
def test_layers_that_do_not_turn_are_counted(hf_id):
    rope = BY_ID[hf_id].rope
    turns = Counter(rope.layers[name] is not None for name in rope.layer_types)
    assert (turns[True], turns[False]) == LAYERS[hf_id]


@pytest.mark.parametrize("hf_id", BASES)
def test_layers_of_each_base_are_counted(hf_id):
    rope, stated = BY_ID[hf_id].rope, STATED[hf_id]
    turns = Counter(rope.layers[name].base for name in rope.layer_types)
    assert (turns[stated["local_theta"]], turns[stated["global_theta"]]) == BASES[hf_id]


def test_models_that_the_data_calls_layered_are_all_counted():
    assert {hf_id for hf_id, row in STATED.items() if row.get("nope_layers")} <= LAYERS.keys()
    assert {hf_id for hf_id, row in STATED.items() if row.get("local_theta")} == BASES.keys()


def test_sliding_layers_of_gemma_keep_the_plain_law():
    for hf_id in ("google/gemma-3-4b-it", "google/gemma-3-27b-it", "google/gemma-4-26B-A4B", "allenai/Olmo-3.1-32B-Instruct"):
        assert BY_ID[hf_id].rope.layers["sliding_attention"].scaling is None


def test_global_head_of_gemma_4_is_wider_and_turns_64_pairs():
    config = BY_ID["google/gemma-4-26B-A4B"].config
    assert (config.head_dim, config.rotary_dim) == (512, 512)
    assert int((inverse_frequencies(config) > 0).sum()) == 64


@pytest.mark.parametrize(
    ("hf_id", "axes"),
    [
        ("Qwen/Qwen2.5-VL-7B-Instruct", "t" * 16 + "h" * 24 + "w" * 24),
        ("Qwen/Qwen3-VL-32B-Instruct", "thw" * 20 + "tttt"),
        ("Qwen/Qwen3.5-27B", "thw" * 10 + "th"),
    ],
)
def test_models_of_texts_and_images_share_their_pairs_out(hf_id, axes):
    assert "".join(BY_ID[hf_id].rope.pair_axes) == axes


@pytest.mark.parametrize(
    ("hf_id", "factor"), [("deepseek-ai/DeepSeek-V3", 1.8738542), ("moonshotai/Kimi-K2.5", 2.0047397), ("openai/gpt-oss-20b", 1.0)]
)
def test_softmax_factor_is_the_one_of_latent_attention(hf_id, factor):
    assert BY_ID[hf_id].rope.softmax_factor == pytest.approx(factor, abs=1e-6)


def test_llama_2_has_the_critical_dimension_of_the_paper():
    config = BY_ID["meta-llama/Llama-2-7b-hf"].config
    assert isinstance(config, RopeConfig)
    assert critical_dimension(config.max_position, config.rotary_dim, config.base) == 92


def test_models_are_read_once_and_can_be_keys():
    assert catalogue_models() is MODELS
    assert len(set(MODELS)) == len(MODELS)
