"""Which coordinates form a pair: what the rotation in the modeling code of transformers does to a vector that tells them apart."""

import importlib
import inspect

import pytest
import torch
from transformers import CONFIG_MAPPING

from rope_core import parse_config
from rope_core.huggingface.families import family_defaults, model_types

HALVES = torch.tensor([-5.0, -6, -7, -8, 1, 2, 3, 4])
NEIGHBOURS = torch.tensor([-2.0, 1, -4, 3, -6, 5, -8, 7])
PARTNERS = ("rotate_half_llm", "rotate_half_text", "rotate_every_two", "rotate_half")
"""Functions that swap the members of each pair; the first two stand beside a ``rotate_half`` for images."""

NO_TEXT = {
    "efficientloftr",
    "lightglue",
    "musicflamingo",
    "moonshine_streaming_encoder",
    "hy_v4_vl_vision",
    "llama4_vision_model",
    "dots3_note_audio_encoder",
}
OF_DEEPSEEK = {"kimi_k25", "sarvam_mla"}
"""No attention of their own: they run that of DeepSeek-V3."""
BACKWARDS = {"nanochat"}
"""Turns clockwise, in halves."""


def code(name):
    try:
        return importlib.import_module(CONFIG_MAPPING[name].__module__.replace("configuration_", "modeling_"))
    except ImportError:
        return None


def theirs(name):
    """The layout that a model's code has; None where nothing in it can be asked."""
    module = code(name)
    functions = {key: value for key, value in vars(module or object).items() if inspect.isfunction(value)}
    interleave = functions.get("apply_rotary_pos_emb_interleave")
    if interleave is not None:
        return "interleaved" if interleaves(interleave) else None
    partner = next((functions[key] for key in PARTNERS if key in functions), None)
    if partner is None:
        return None
    swapped = partner(torch.arange(1.0, 9).view(1, 1, 1, 8)).flatten()
    return {True: "half", False: None}[torch.equal(swapped, HALVES)] or ("interleaved" if torch.equal(swapped, NEIGHBOURS) else None)


def interleaves(function):
    """Whether the pairs of the input are neighbours; the output of these functions is in halves."""
    x = torch.zeros(1, 1, 1, 8)
    x[..., 1] = 1  # turned by a quarter, it lands where its partner does: coordinate 0 of pair 0
    cos, sin = torch.zeros(1, 1, 8), torch.ones(1, 1, 8)
    return function(x, x, cos, sin)[0].flatten().nonzero().flatten().tolist() == [0]


ASKED = [name for name in sorted(CONFIG_MAPPING) if name not in NO_TEXT | BACKWARDS and family_defaults(name) and theirs(name)]


def test_most_types_can_be_asked():
    assert len(ASKED) > 120
    assert sum(theirs(name) == "interleaved" for name in ASKED) > 25


@pytest.mark.parametrize("name", ASKED)
def test_layout(name):
    rule = "interleaved" if name in model_types("interleaved") else "half"
    assert rule == theirs(name)


def test_names_of_the_rules_are_names_of_transformers_or_of_models_with_code_of_their_own():
    own = {
        "chatglm",
        "chatglm3",
        "kimi_k2",
        "kimi_linear",
        "axk2",
        "hunyuan_v1_dense",
        "glm4v",
        "ernie4_5_vl_moe",
        "glm_ocr",
        "mistral_large4",
    }
    for rule in ("interleaved", "unrotated", "full_unrotated", "skipping", "scaled_softmax", "scaled_full_only", "turned_if_stated"):
        assert model_types(rule) - set(CONFIG_MAPPING) - own == set(), rule


@pytest.mark.parametrize("name", sorted(model_types("unrotated") & set(CONFIG_MAPPING)))
def test_models_that_never_turn_have_no_rotary_module(name):
    names = [key for key in vars(code(name)) if key.endswith("RotaryEmbedding")]
    assert names == []


@pytest.mark.parametrize("name", sorted((model_types("scaled_softmax") & set(CONFIG_MAPPING)) - OF_DEEPSEEK))
def test_models_whose_softmax_is_scaled_read_mscale_all_dim(name):
    module = code(name)
    assert "mscale" in inspect.getsource(module), name


def test_every_model_whose_code_scales_the_softmax_is_in_the_rule():
    scaling = {name for name in set(CONFIG_MAPPING) - NO_TEXT if code(name) and "yarn_apply_mscale" in inspect.getsource(code(name))}
    assert len(scaling) > 15
    assert scaling <= model_types("scaled_softmax")


@pytest.mark.parametrize("model_type", ["gptj", "codegen"])
def test_a_width_that_is_left_out_is_that_of_the_config_class_and_null_is_the_whole_head(model_type):
    config = {"model_type": model_type, "n_embd": 4096, "n_head": 16, "n_positions": 2048}
    assert parse_config(config).main.rotary_dim == CONFIG_MAPPING[model_type]().rotary_dim == 64
    assert parse_config(config | {"rotary_dim": None}).main.rotary_dim == 256
