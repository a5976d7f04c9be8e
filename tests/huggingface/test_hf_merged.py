"""The keys written for every catalogue model, merged into its own config: transformers must load them and compute our tables."""

import copy
import json
import math
import warnings

import pytest
import torch
from transformers import CONFIG_MAPPING
from transformers.models.gptj.modeling_gptj import create_sinusoidal_positions

from rope_core import RopeConfigError, attention_factor, catalogue_models, inverse_frequencies, parse_config, to_huggingface
from tests.huggingface.live_tables import peer, tables

pytestmark = pytest.mark.usefixtures("near_search")

NO_CLASS = {
    "Baichuan 7B": "only code of its authors",
    "ChatGLM2/3-6B": "only code of its authors",
    "GLM-4-9B-chat": "only code of its authors, under chatglm",
    "InternLM2 7B": "only code of its authors",
    "InternLM2.5 7B": "only code of its authors",
    "Kimi K2": "only code of its authors, a copy of deepseek_v3",
    "MiMo 7B": "only code of its authors",
    "MiniCPM 2B-128k": "only code of its authors",
    "MiniMax-M1": "only code of its authors",
    "MiniMax-M3": "transformers has only minimax_m3_vl",
    "Nemotron Super 49B v1": "only code of its authors",
    "Phi-1.5": "first published as phi-msft, before transformers had a class",
    "Phi-3.5-vision": "only code of its authors",
    "Qwen 1.8B": "only code of its authors",
}
NO_MODULE = {"GPT-J-6B": "tables without a module, tested below", "Nemotron 3 Nano 30B-A3B": "no rotation"}
NOT_IN_4 = {"Gemma 4 26B-A4B", "Gemma 4 31B (NVFP4)"}
"""Released with transformers 5: their class does not read ``rope_scaling``."""
REPLACED = {
    *("rope_theta", "rope_scaling", "rope_parameters", "rope_local_base_freq", "global_rope_theta", "local_rope_theta"),
    *("swa_rope_theta", "compress_rope_theta", "rotary_emb_base", "rope_ratio"),
}
"""Keys about speeds: without them, only the written keys determine the tables."""
MODELS = {model.name: model for model in catalogue_models()}
each_version = pytest.mark.parametrize("version", [5, 4])


def each(names):
    """Parametrize over models, in every version that can express them."""
    cases = [(name, version) for name in names for version in (5, 4) if version == 5 or name not in NOT_IN_4]
    return pytest.mark.parametrize(("name", "version"), cases)


def text_settings(model):
    """Return the keys of the text part, with its own type if it has one."""
    inner = model.settings.get("text_config")
    return dict(inner) if inner else {key: value for key, value in model.settings.items() if key != "model_type"}


def written(model, version):
    return json.loads(json.dumps(to_huggingface(model.rope, version=version)))


def merged(model, version, *, replaced=REPLACED):
    kept = {key: value for key, value in text_settings(model).items() if key not in replaced}
    return kept | {key: value for key, value in written(model, version).items() if key != "model_type"}


def loaded(model, text):
    """Return the text part of the config that the class of a model builds from a document."""
    kind, text = CONFIG_MAPPING[model.settings["model_type"]], copy.deepcopy(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if "text_config" in getattr(kind, "sub_configs", {}):
            return kind(text_config=text).text_config
        return kind(**{key: value for key, value in text.items() if key != "model_type"})


def used(model, config, label):
    """Return our settings for a label of transformers; None if no layer uses that table."""
    if label == "main" and "sliding_attention" not in config.layer_types:
        return None
    return model.rope.layers.get(label, model.rope.main)


def test_entries_without_a_class_are_those_named_here():
    assert {name for name, model in MODELS.items() if model.settings["model_type"] not in CONFIG_MAPPING} == set(NO_CLASS)


@pytest.mark.parametrize("replaced", [REPLACED, set()], ids=["replaced", "added"])
@each(name for name in MODELS if name not in NO_CLASS | NO_MODULE)
def test_transformers_computes_our_tables(name, version, replaced):
    model = MODELS[name]
    config = loaded(model, merged(model, version, replaced=replaced))
    theirs = tables(config)
    assert theirs
    for label, (inv_freq, factor) in theirs.items():
        ours = used(model, config, label)
        if ours is not None:
            torch.testing.assert_close(inv_freq, inverse_frequencies(ours), rtol=1e-6, atol=0)
            assert factor == pytest.approx(attention_factor(ours), rel=1e-6)


@each(name for name in MODELS if name not in NO_CLASS)
def test_layers_stay_as_the_model_states_them(name, version):
    model = MODELS[name]
    own = text_settings(model)
    if own.get("sliding_window_pattern") == "LLLG":
        own["sliding_window_pattern"] = 4  # the class of EXAONE 4 documents the string, but fails on it
    before, after = loaded(model, own), loaded(model, merged(model, version))
    for key in ("num_hidden_layers", "layer_types", "no_rope_layers", "per_layer_config", "qk_rope_head_dim", "rotary_dim"):
        stated = key == "num_hidden_layers" and not model.rope.layer_types
        assert stated or before.to_dict().get(key) == after.to_dict().get(key), key


@each(name for name, model in MODELS.items() if "nope" in model.rope.layers)
def test_layers_without_rotation_are_written_as_such(name, version):
    model = MODELS[name]
    config = loaded(model, merged(model, version))
    assert config.no_rope_layers == [int(model.rope.layers[layer] is not None) for layer in model.rope.layer_types]


@each_version
def test_gpt_j_computes_our_table_without_a_module(version):
    model = MODELS["GPT-J-6B"]
    table = create_sinusoidal_positions(2, loaded(model, merged(model, version)).rotary_dim)
    torch.testing.assert_close(table[1, :32].double(), inverse_frequencies(model.config).sin(), rtol=1e-6, atol=0)


PARTIAL = [
    *("bamba", "glm", "glm4", "gpt_neox", "gpt_neox_japanese", "nemotron", "persimmon", "phi", "qwen3_5_moe_text", "qwen3_5_text"),
    *("qwen3_next", "recurrent_gemma", "stablelm"),
]
"""Families whose class rotates part of the head by default."""
OVERWRITES_IN_4 = {"bamba"}
"""Its class overwrites a share outside the rope object, where version 4 has it, by its own half."""


@each_version
@pytest.mark.parametrize("share", [1.0, 0.25])
@pytest.mark.parametrize("model_type", PARTIAL)
def test_a_share_other_than_the_default_of_the_class_is_stated(model_type, share, version):
    size = {"num_hidden_layers": 4, "hidden_size": 512, "num_attention_heads": 8, "head_dim": 64, "max_position_embeddings": 2048}
    rope = {"rope_theta": 1e4, "rope_type": "default", "partial_rotary_factor": share}
    ours = parse_config(size | {"model_type": model_type, "rope_parameters": rope})
    document = json.loads(json.dumps(to_huggingface(ours, version=version)))
    config = peer(CONFIG_MAPPING[model_type], size | document)
    [(inv_freq, _)] = tables(config).values()
    assert ours.main.rotary_dim == 64 * share
    if version == 4 and model_type in OVERWRITES_IN_4:
        assert len(inv_freq) == 16
        return
    torch.testing.assert_close(inv_freq, inverse_frequencies(ours.main), rtol=1e-6, atol=0)


@each_version
@pytest.mark.parametrize("width", [32, 64, 128])
@pytest.mark.parametrize("model_type", ["gptj", "codegen"])
def test_families_that_state_a_width_read_ours(model_type, width, version):
    size = {"model_type": model_type, "n_embd": 1024, "n_head": 8, "n_positions": 2048, "n_layer": 2}
    ours = parse_config(size | {"rotary_dim": width})
    document = to_huggingface(ours, version=version)
    assert peer(CONFIG_MAPPING[model_type], size | document).rotary_dim == width
    assert parse_config(document).main == ours.main


@each_version
@pytest.mark.parametrize("model_type", ["hy_v4", "mistral_large4_text", "axk1", "youtu"])
def test_latent_heads_keep_their_widths_and_the_scale_of_their_softmax(model_type, version):
    size = {"model_type": model_type, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "num_hidden_layers": 2}
    yarn = {"rope_type": "yarn", "factor": 40, "original_max_position_embeddings": 4096, "mscale": 1.0, "mscale_all_dim": 1.0}
    ours = parse_config(size | {"max_position_embeddings": 163_840, "rope_theta": 1e4, "rope_scaling": yarn})
    assert ours.softmax_factor == pytest.approx((0.1 * math.log(40) + 1) ** 2)
    document = to_huggingface(ours, version=version)
    config = peer(CONFIG_MAPPING[model_type], size | json.loads(json.dumps(document)))
    [(inv_freq, _)] = tables(config).values()
    torch.testing.assert_close(inv_freq, inverse_frequencies(ours.main), rtol=1e-6, atol=0)
    assert parse_config(document).layers == ours.layers


@each(MODELS)
def test_every_model_is_parsed_back(name, version):
    model = MODELS[name]
    back = parse_config(written(model, version))
    for key in ("layers", "layer_types", "softmax_factor", "pair_axes"):
        assert getattr(back, key) == getattr(model.rope, key)
    again, ours = ({(each.key, each.template) for each in rope.findings if each.level != "note"} for rope in (back, model.rope))
    assert again <= ours


@pytest.mark.parametrize("name", sorted(NOT_IN_4))
def test_version_4_cannot_express_layers_with_two_widths(name):
    with pytest.raises(RopeConfigError, match="no place for layers that differ"):
        to_huggingface(MODELS[name].rope, version=4)


@each(MODELS)
def test_none_of_our_own_names_is_written(name, version):
    document = written(MODELS[name], version)
    names = {*document.get("layer_types", ()), *document.get("rope_parameters", ())}
    assert not names & {"all", "rope", "nope", "scaled", "unscaled"}
    assert not {"main", "compress"} & set(document.get("layer_types", ()))
