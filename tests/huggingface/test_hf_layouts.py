"""Which coordinates form a pair: how the modeling code of transformers rotates a vector with distinct entries."""

import importlib
import inspect
from pathlib import Path

import pytest
import torch
from transformers import CONFIG_MAPPING

from rope_core import parse_config
from rope_core.huggingface.families import family_defaults, model_types

HALVES = torch.tensor([-5.0, -6, -7, -8, 1, 2, 3, 4])
NEIGHBOURS = torch.tensor([-2.0, 1, -4, 3, -6, 5, -8, 7])
PARTNERS = ("rotate_half_llm", "rotate_half_text", "rotate_every_two", "rotate_half")
"""Functions that swap the members of each pair; the first two are defined in addition to a ``rotate_half`` for images."""
AXIAL_PARTNERS = ("rotate_pairwise", "rotate_half")

NO_TEXT = {
    "lightglue",
    "musicflamingo",
    "moonshine_streaming_encoder",
    "hy_v4_vl_vision",
    "vjepa2",  # tiles the cosines over pairs of neighbours
    "dots3_note_audio_encoder",
}
OF_DEEPSEEK = {"kimi_k25", "sarvam_mla"}
"""They use the attention of DeepSeek-V3."""
BACKWARDS = {"nanochat"}
"""Rotates clockwise, in the half layout."""


def code(name):
    try:
        return importlib.import_module(CONFIG_MAPPING[name].__module__.replace("configuration_", "modeling_"))
    except ImportError:
        return None


def source(name):
    """Return the text of the modeling code of a type, which need not be imported; empty if it has none."""
    kind = CONFIG_MAPPING[name]
    file = Path(inspect.getfile(kind)).with_name(kind.__module__.rpartition(".")[2].replace("configuration_", "modeling_") + ".py")
    return file.read_text(encoding="utf-8") if file.exists() else ""


def theirs(name):
    """Return the layout of a model's code; None if it has no known function."""
    module = code(name)
    functions = {key: value for key, value in vars(module or object).items() if inspect.isfunction(value)}
    interleave, axial = functions.get("apply_rotary_pos_emb_interleave"), "axial" in family_defaults(name)
    if interleave is not None and not axial:
        return "interleaved" if interleaves(interleave) else None
    partner = next((functions[key] for key in (AXIAL_PARTNERS if axial else PARTNERS) if key in functions), None)
    if partner is None:
        return None
    swapped = partner(torch.arange(1.0, 9).view(1, 1, 1, 8)).flatten()
    return {True: "half", False: None}[torch.equal(swapped, HALVES)] or ("interleaved" if torch.equal(swapped, NEIGHBOURS) else None)


def interleaves(function):
    """Return whether the input is interleaved; the output of these functions is in the half layout."""
    x = torch.zeros(1, 1, 1, 8)
    x[..., 1] = 1  # after a quarter turn, only its partner is set: coordinate 0 of pair 0
    cos, sin = torch.zeros(1, 1, 8), torch.ones(1, 1, 8)
    return function(x, x, cos, sin)[0].flatten().nonzero().flatten().tolist() == [0]


@pytest.fixture(scope="module")
def layouts():
    """Return the layout of every type whose code has a known function."""
    named = {name: theirs(name) for name in sorted(CONFIG_MAPPING) if name not in NO_TEXT | BACKWARDS and family_defaults(name)}
    return {name: layout for name, layout in named.items() if layout}


def test_most_types_have_a_known_function(layouts):
    assert len(layouts) > 120
    assert list(layouts.values()).count("interleaved") > 25


def test_the_layout_of_every_type_is_that_of_its_code(layouts):
    assert {name: "interleaved" if name in model_types("interleaved") else "half" for name in layouts} == layouts


def test_names_in_the_rules_are_types_of_transformers_or_of_models_with_their_own_code():
    own = {
        "chatglm",
        "chatglm3",
        "kimi_k2",
        "kimi_linear",
        "axk2",
        "hunyuan_v1_dense",
        "glm4v",
        "ernie4_5_vl_moe",
        "ernie4_5_moe_vl",
        "glm_ocr",
        "mistral_large4",
    }
    for rule in ("interleaved", "full_unrotated", "skipping", "scaled_softmax", "scaled_full_only", "rotated_if_stated"):
        assert model_types(rule) - set(CONFIG_MAPPING) - own == set(), rule


@pytest.mark.parametrize("name", sorted((model_types("scaled_softmax") & set(CONFIG_MAPPING)) - OF_DEEPSEEK))
def test_types_with_a_scaled_softmax_read_mscale(name):
    assert "mscale" in source(name)


def test_every_type_whose_code_scales_the_softmax_is_in_the_rule():
    scaling = {name for name in set(CONFIG_MAPPING) - NO_TEXT if "yarn_apply_mscale" in source(name)}
    assert len(scaling) > 15
    assert scaling <= model_types("scaled_softmax")


@pytest.mark.parametrize("model_type", ["gptj", "codegen"])
def test_a_missing_width_is_that_of_the_config_class_and_null_is_the_whole_head(model_type):
    config = {"model_type": model_type, "n_embd": 4096, "n_head": 16, "n_positions": 2048}
    assert parse_config(config).main.rotary_dim == CONFIG_MAPPING[model_type]().rotary_dim == 64
    assert parse_config(config | {"rotary_dim": None}).main.rotary_dim == 256
