"""transformers as the reference: it reads the same file and must compute the same tables."""

import json
import math
import tomllib

import pytest
import torch
from transformers import CONFIG_MAPPING, Gemma3TextConfig, LlamaConfig
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
from transformers.models.gemma3.modeling_gemma3 import Gemma3RotaryEmbedding
from transformers.models.llama.modeling_llama import LlamaRotaryEmbedding

from rope_core import HfConfigError, LongRopeScaling, RopeConfig, attention_factor, inverse_frequencies, parse_config
from rope_core.huggingface import families
from scripts import families as writer
from tests.huggingface.live_tables import default_config, default_tables, peer, tables
from tests.huggingface.stock import SAMPLES, parsed

pytestmark = pytest.mark.usefixtures("near_search")

OTHERWISE = {
    "deepseek_v4": "its own layer types leave the plain table unused",
    "dots3_note_audio_encoder": "no text",
    "musicflamingo": "audio",
    "ernie4_5_vl_moe_text": "transformers reorders the speeds, where we reorder the axes",
    "glm4_moe": "a default head of 21 coordinates, which cannot turn in pairs",
    "glm4v_moe_text": "a default head of 21 coordinates, which cannot turn in pairs",
    "qwen3_omni_moe_text": "a default head of 73 coordinates, which cannot turn in pairs",
    "granitemoehybrid": "a rotary class that its own default never uses",
    "lara_mini": "a rotary class for another type of layer",
    "zamba2": "use_mem_rope is off by default",
    "blt": "no attention of its own",
}
NO_MODULE = {
    *("codegen", "gptj"),  # tables without a module
    *("cohere_compass_text", "exaone", "granite4_vision_text", "internlm3", "iquestcoder", "sarvam_mla", "sarvam_moe"),
    *("higgs_audio_v2", "pe_audio_encoder", "pe_audio_video_encoder", "pocket_tts_audio_tokenizer"),  # audio
    *("pocket_tts_audio_tokenizer_decoder", "pocket_tts_audio_tokenizer_encoder"),
}
"""Types with rotary defaults and without a rotary module of their own."""
ROWS = tomllib.loads(writer.TARGET.read_text(encoding="utf-8"))
LIVE = sorted({name for name, row in ROWS.items() if "axial" not in row} - OTHERWISE.keys() - NO_MODULE)
"""Models of text; test_hf_sweep.py has those of images."""


def test_every_type_with_a_rotary_module_is_compared():
    text = [name for name in sorted(CONFIG_MAPPING) if name not in OTHERWISE and "axial" not in ROWS.get(name, {})]
    assert [name for name in text if default_tables(name)] == LIVE
    assert len(LIVE) > 150


def compare(theirs, rope):
    assert theirs
    for layer, (inv_freq, factor) in theirs.items():
        ours = rope.layers.get(layer, rope.main)
        torch.testing.assert_close(inverse_frequencies(ours), inv_freq, rtol=2e-6, atol=0)
        assert attention_factor(ours) == pytest.approx(factor, rel=1e-12)


@pytest.mark.parametrize("name", LIVE)
def test_a_config_saved_by_transformers_5_has_the_tables_of_its_class(name):
    compare(default_tables(name), parse_config(json.dumps(default_config(name).to_dict(), default=str)))


@pytest.mark.parametrize("name", LIVE)
def test_a_config_without_keys_has_the_tables_of_its_class(name):
    compare(default_tables(name), parse_config({"model_type": name}))


FROM_FILE = [name for name in SAMPLES if name not in {"06_internlm25_7b_dynamic.json", "22_gptj_6b.json", "28_deepseek_v4_flash.json"}]


@pytest.mark.parametrize("name", FROM_FILE)
def test_a_sample_has_the_tables_of_its_class(name):
    """Except InternLM2, which has no class in transformers, GPT-J, which has no rotary module, and DeepSeek-V4 (below)."""
    document = SAMPLES[name].get("text_config", SAMPLES[name])
    if name.startswith("18"):
        document = document | {"model_type": "qwen2_5_vl_text"}
    compare(tables(peer(CONFIG_MAPPING[document["model_type"]], document)), parsed(name))


def test_the_sample_of_deepseek_v4_has_the_tables_of_its_class():
    theirs = tables(peer(CONFIG_MAPPING["deepseek_v4"], SAMPLES["28_deepseek_v4_flash.json"]))
    compare(theirs, parsed("28_deepseek_v4_flash.json"))


LAYERED = ["gemma3_text", "gemma3n_text", "gemma4_text", "cohere2", "modernbert", "mimo_v2_flash", "olmo3", "t5gemma2_text"]


@pytest.mark.parametrize("name", LAYERED)
def test_default_layer_types_are_those_of_the_class(name):
    rope, config = parse_config({"model_type": name}), default_config(name)
    if "all" not in rope.layers:
        assert list(rope.layer_types) == config.layer_types
    assert len(rope.layer_types) == config.num_hidden_layers


def test_families_toml_is_what_the_script_writes():
    assert writer.TARGET.read_text() == writer.write()
    assert families.family_defaults("gemma3_text")["local_base"] == 10_000


# Where we deliberately differ from transformers (variants.md, section 8)


def llama(**keys):
    return {"hidden_size": 512, "num_attention_heads": 4, "max_position_embeddings": 64, "rope_theta": 1e4} | keys


def reported(config):
    return {(finding.level, finding.key) for finding in parse_config(config).findings}


TURNS_MISSING = {("note", "rope_scaling.beta_fast"), ("note", "rope_scaling.beta_slow")}


def errors(config):
    with pytest.raises(HfConfigError) as caught:
        parse_config(config)
    return caught.value.findings


def test_w1_su_is_read_as_longrope():
    config = llama(rope_scaling={"type": "su", "short_factor": [1.0] * 64, "long_factor": [2.0] * 64}, original_max_position_embeddings=16)
    with pytest.raises(KeyError, match="original_max_position_embeddings"):
        peer(CONFIG_MAPPING["phi3"], config)
    ours, plain = parse_config(config).main, inverse_frequencies(RopeConfig(128))
    assert ours.scaling == LongRopeScaling(short_factor=(1.0,) * 64, long_factor=(2.0,) * 64, original_max_position=16)
    torch.testing.assert_close(inverse_frequencies(ours, 16), plain, rtol=1e-15, atol=0)
    torch.testing.assert_close(inverse_frequencies(ours, 17), plain / 2, rtol=1e-15, atol=0)
    assert attention_factor(ours) == pytest.approx(math.sqrt(1.5), rel=1e-15)  # 1 + ln 4 / ln 16
    assert ("warning", "rope_scaling.type") in reported(config)


def test_w2_the_old_spelling_is_read_in_gemma_3():
    config = {"head_dim": 64, "num_hidden_layers": 6, "max_position_embeddings": 64, "rope_theta": 1e6}
    config |= {"rope_local_base_freq": 1e4, "rope_scaling": {"type": "linear", "factor": 8.0}}
    theirs = peer(Gemma3TextConfig, config)
    assert theirs.rope_parameters["full_attention"]["rope_type"] == "default"
    assert Gemma3RotaryEmbedding(theirs).full_attention_inv_freq[0] == 1  # not 1/8
    assert inverse_frequencies(parse_config(config | {"model_type": "gemma3_text"}).layers["full_attention"])[0] == 1 / 8
    assert reported(config | {"model_type": "gemma3_text"}) == {("warning", "rope_scaling.type"), ("note", "sliding_window_pattern")}


def test_w3_truncate_is_read_in_the_settings_of_one_layer_type():
    yarn = {"rope_type": "yarn", "factor": 32.0, "original_max_position_embeddings": 4096, "rope_theta": 150_000.0, "truncate": False}
    config = {"head_dim": 64, "num_hidden_layers": 2, "layer_types": ["full_attention", "sliding_attention"]}
    config |= {"max_position_embeddings": 131_072, "rope_parameters": {"full_attention": yarn, "sliding_attention": {"rope_theta": 1e4}}}
    theirs, _ = ROPE_INIT_FUNCTIONS["yarn"](peer(Gemma3TextConfig, config), torch.device("cpu"), layer_type="full_attention")
    ours = parse_config(config).layers["full_attention"]
    assert ours.scaling.truncate is False
    truncated = inverse_frequencies(parse_config(json.loads(json.dumps(config).replace("false", "true"))).layers["full_attention"])
    torch.testing.assert_close(theirs.double(), truncated, rtol=1e-6, atol=0)
    assert not torch.allclose(theirs.double(), inverse_frequencies(ours), rtol=1e-2)
    assert ("warning", "rope_parameters.full_attention.truncate") in reported(config)


def test_w4_llama_rotates_the_stated_share_of_the_head():
    config = llama(partial_rotary_factor=0.5)
    assert len(LlamaRotaryEmbedding(peer(LlamaConfig, config)).inv_freq) == 64
    assert parse_config(config | {"model_type": "llama"}).main.pairs == 32
    assert reported(config | {"model_type": "llama"}) == {("warning", "partial_rotary_factor"), ("note", "num_hidden_layers")}


def test_w5_an_unknown_method_is_an_error():
    config = llama(rope_scaling={"rope_type": "yarm", "factor": 2.0})
    theirs = peer(LlamaConfig, config)  # only a line in the log
    with pytest.raises(KeyError, match="yarm"):
        LlamaRotaryEmbedding(theirs)
    assert [(finding.key, finding.fix) for finding in errors(config)] == [("rope_scaling.rope_type", "did you mean yarn?")]


def test_w6_linear_without_a_factor_is_an_error():
    config = llama(rope_scaling={"rope_type": "linear"})
    with pytest.raises(KeyError, match="factor"):
        peer(LlamaConfig, config)
    assert [finding.message for finding in errors(config)] == ["rope_scaling.factor is missing; rope_type linear needs it"]


def test_w7_yarn_without_a_trained_length_uses_the_stated_one():
    config = llama(rope_scaling={"rope_type": "yarn", "factor": 4.0})
    theirs, _ = ROPE_INIT_FUNCTIONS["yarn"](peer(LlamaConfig, config), torch.device("cpu"))
    torch.testing.assert_close(theirs.double(), inverse_frequencies(parse_config(config).main), rtol=1e-6, atol=0)
    assert reported(config) == {("warning", "rope_scaling.original_max_position_embeddings"), *TURNS_MISSING}


def test_w8_mscale_all_dim_of_0_counts_as_missing():
    rope = {"rope_type": "yarn", "factor": 64.0, "original_max_position_embeddings": 1, "mscale": 1.0, "mscale_all_dim": 0.0}
    config = llama(rope_scaling=rope)
    _, factor = ROPE_INIT_FUNCTIONS["yarn"](peer(LlamaConfig, config), torch.device("cpu"))
    assert attention_factor(parse_config(config).main) == pytest.approx(factor, rel=1e-12) == pytest.approx(1.4158883083)
    assert reported(config) == {("note", "rope_scaling.mscale_all_dim"), *TURNS_MISSING}
