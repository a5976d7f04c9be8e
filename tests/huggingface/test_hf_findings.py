"""Every kind of finding, once: level, key, sentence and what to do; and several mistakes at once."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from babel.messages.extract import extract_from_dir

import rope_core.huggingface
from rope_core import HfConfigError, RopeConfigError, parse_config
from tests.huggingface.stock import DATA, SHORT, llama3, longrope, scaled, short, yarn

CASES = {
    "text part": {"text_config": SHORT},
    "text part is no object": short(text_config=3),
    "number as text": short(rope_theta="1e6"),
    "no number": short(rope_theta=True),
    "not finite": short(rope_theta=float("inf")),
    "not whole": short(max_position_embeddings=16.5),
    "flag": yarn(truncate="no", factor=4.0),
    "no string": scaled(7),
    "no list": longrope(short_factor=1.0),
    "base below 1": short(rope_theta=0.5),
    "bases disagree": short(rope_parameters={"rope_theta": 5e5}),
    "ratio": short(rope_theta=..., rope_ratio=500),
    "base missing": short(rope_theta=...),
    "base of the family": short(rope_theta=..., model_type="olmo2", rope_scaling={"rope_type": "default"}),
    "rope of the family": short(rope_theta=..., model_type="cwm"),
    "ignored share": short(model_type="llama", partial_rotary_factor=0.5),
    "length missing": short(max_position_embeddings=...),
    "length of the family": short(max_position_embeddings=..., model_type="nomic_bert"),
    "no width": short(head_dim=...),
    "width misspelt": short(head_dim=..., hidden_size=512, num_attention_head=8),
    "no multiple": short(head_dim=..., hidden_size=1000, num_attention_heads=31),
    "too few": short(head_dim=..., hidden_size=4, num_attention_heads=8),
    "latent": short(head_dim=..., qk_rope_head_dim=64, qk_nope_head_dim=128),
    "shares disagree": short(rotary_pct=0.5, rope_pct=0.25),
    "inner share disagrees": short(partial_rotary_factor=0.5, rope_parameters={"partial_rotary_factor": 0.25, "rope_theta": 1e4}),
    "share outside": short(partial_rotary_factor=2.0),
    "rotary_dim disagrees": short(partial_rotary_factor=0.5, rotary_dim=16),
    "rotary_dim too wide": short(rotary_dim=128),
    "odd": short(head_dim=65),
    "chatglm": short(head_dim=..., kv_channels=64, model_type="chatglm"),
    "share of the family": short(model_type="stablelm"),
    "rope no object": short(rope_scaling=[1]),
    "two objects": short(rope_scaling={"type": "linear", "factor": 2.0}, rope_parameters={"type": "linear", "factor": 4.0}),
    "unrotated with key": short(model_type="bert"),
    "unrotated": short(model_type="bert", rope_theta=...),
    "position type": short(position_embedding_type="alibi"),
    "position type missing": short(model_type="esm"),
    "alibi": short(alibi=True),
    "key beside layers": short(rope_parameters={"full_attention": {}, "factor": 2.0}),
    "too many types": short(rope_parameters={f"kind {i}": {} for i in range(17)}),
    "no types": short(num_hidden_layers=2, rope_parameters={"a": {"rope_theta": 2.0}, "b": {}}),
    "type without entry": short(layer_types=["a", "b"], rope_parameters={"a": {}}),
    "types no names": short(layer_types=["a", 1]),
    "types short": short(layer_types=["a", "b"], num_hidden_layers=3),
    "olmo3": scaled("linear") | {"model_type": "olmo3", "num_hidden_layers": 4},
    "full unrotated": short(model_type="cohere2", num_hidden_layers=4, sliding_window=4),
    "compressed": yarn() | {"model_type": "deepseek_v4", "num_hidden_layers": 2},
    "legacy key": short(
        model_type="gemma3_text", num_hidden_layers=6, rope_scaling={"type": "linear", "factor": 8.0}, rope_local_base_freq=1e4
    ),
    "no rope layers": short(no_rope_layers=[1, 0]),
    "no rope layers wrong": short(no_rope_layers=[1, 2]),
    "rope layer interval": short(model_type="smollm3", num_hidden_layers=4),
    "layer bases": short(layer_rope_theta=[1e4, 0], num_hidden_layers=2),
    "scaling layers wrong": short(rope_scaling_layers=["a"]),
    "types disagree": scaled("linear", type="dynamic"),
    "su": longrope(rope_type="su"),
    "unknown type": scaled("yarm"),
    "missing": scaled("linear", factor=...),
    "missing, misspelt": scaled("linear", factor=..., fact0r=2),
    "unread": scaled("linear", mscale=1.0),
    "unread, misspelt": yarn(attn_factor=1.2),
    "lengths disagree": yarn() | {"original_max_position_embeddings": 8},
    "trained length missing": yarn(original_max_position_embeddings=...),
    "factor disagrees": yarn(factor=2.0),
    "alpha": scaled("dynamic", alpha=100.0) | {"model_type": "hunyuan_v1_dense"},
    "dynamic": scaled("dynamic"),
    "factor null": yarn(factor=None),
    "turns 0": yarn(beta_fast=0),
    "attention beside mscale": yarn(attention_factor=1.0, mscale=1.0),
    "mscale 0": yarn(mscale=1.0, mscale_all_dim=0.0),
    "truncate nested": short(rope_parameters={"full_attention": yarn(truncate=False)["rope_scaling"]}),
    "truncate nested, default": short(rope_parameters={"full_attention": yarn(truncate=True)["rope_scaling"]}),
    "magnitudes differ": longrope(short_mscale=1.1, long_mscale=1.2) | {"model_type": "phimoe"},
    "list of wrong length": longrope(long_factor=[1.0] * 31),
    "entry": longrope(long_factor=[0.0] * 32),
    "factor below 1": scaled("linear", factor=0.5),
    "turns out of order": yarn(beta_fast=1, beta_slow=2),
    "single pair": scaled("dynamic") | {"head_dim": 2},
    "sections": short(rope_scaling={"type": "mrope", "mrope_section": [16, 24, 24]}),
    "sections wrong": short(rope_scaling={"type": "mrope", "mrope_section": [16, "a", 24]}),
    "ernie sections": short(model_type="ernie4_5_vl_moe_text", rope_scaling={"type": "default", "mrope_section": [3, 4, 2]}),
    "softmax": short(qk_rope_head_dim=32) | {"rope_scaling": yarn(mscale=1.0, mscale_all_dim=1.0)["rope_scaling"]},
    "first negative": short(max_position_embeddings=4096),
    "misspelt": short(rope_thet=5e5),
    "two text parts": {"text_config": SHORT, "llm_config": SHORT | {"head_dim": 32}},
    "method without a name": short(rope_scaling={"factor": 4.0}),
    "unknown type, numbers wrong": scaled("yarm", factor="4", beta_fast=-1, bets_slow=2),
    "trained longer than stated": llama3(original_max_position_embeddings=10**6),
    "mscale without latent attention": yarn(mscale=1.0, mscale_all_dim=1.0),
    "base beside those of layers": short(
        rope_theta=5e5, layer_types=["a", "b"], rope_parameters={"a": {"rope_theta": 1e6}, "b": {"rope_theta": 1e4}}
    ),
    "base and lists wrong": longrope(short_factor=[1.0] * 31, long_factor=[1.0] * 33) | {"rope_theta": 0},
}
"""What is found in each stands in tests/data/findings.txt, a line a finding: level, key, sentence, and what to do."""

ELSEWHERE = {
    "{key} stands in one object of the file more than once; the last value, {value}, counts",
    "remove the other lines",
}
"""Found in text alone: test_hf_documents.py."""


def findings(config):
    """What is found, whether or not there are settings."""
    try:
        return parse_config(config).findings
    except HfConfigError as error:
        return error.findings


def told(config):
    rows = [(finding.level, finding.key, finding.message, finding.fix) for finding in findings(config)]
    return [" | ".join(part for part in row if part) for row in rows]


def expected_lines():
    blocks = (DATA / "findings.txt").read_text().removeprefix("== ").split("\n== ")
    return {name: lines for name, *lines in (block.strip().splitlines() for block in blocks)}


EXPECTED_LINES = expected_lines()


@pytest.mark.parametrize("name", CASES)
def test_finding(name):
    assert told(CASES[name]) == EXPECTED_LINES[name]


def test_every_case_is_expected_and_every_expectation_a_case():
    assert list(CASES) == list(EXPECTED_LINES)


def test_the_config_that_is_changed_has_no_finding():
    for config in (SHORT, yarn(), llama3(), longrope(), scaled("linear"), scaled("proportional"), scaled("default", factor=...)):
        assert told(config) == []


def test_every_template_of_the_code_is_among_the_cases():
    keywords = {"tell": (3,), "deny": (2,), "wording": None}
    folder = Path(rope_core.huggingface.__file__).parent
    texts = {row[2] for row in extract_from_dir(folder, [("**.py", "python")], keywords=keywords)}
    seen = {text for config in CASES.values() for finding in findings(config) for text in (finding.template, finding.fix_template)}
    assert texts - seen - ELSEWHERE == set()
    assert len(texts) > 70


TRIPLES = {
    "three refused": (short(head_dim=65, rope_theta=0, max_position_embeddings=0), ["head_dim", "max_position_embeddings", "rope_theta"]),
    "three numbers of YaRN": (
        yarn(factor=0.5, beta_fast=-1, attention_factor=0),
        ["rope_scaling.attention_factor", "rope_scaling.beta_fast", "rope_scaling.factor"],
    ),
    "three missing": (
        llama3(factor=..., low_freq_factor=..., high_freq_factor=...),
        ["rope_scaling.factor", "rope_scaling.high_freq_factor", "rope_scaling.low_freq_factor"],
    ),
    "three types": (
        short(head_dim="64", rope_theta="1e4", rope_scaling=8),
        ["head_dim", "rope_scaling", "rope_theta"],
    ),
    "a misspelt key, a wrong number, a missing one": (
        llama3(low_freq_factor=..., high_freq_factor=-1, lo_freq_factor=1) | {"rope_thet": 5e5},
        ["rope_scaling.high_freq_factor", "rope_scaling.low_freq_factor", "rope_thet"],
    ),
    "both lists and a type of layer": (
        longrope(short_factor=[1.0], long_factor=[1.0, 2.0]) | {"layer_types": [1]},
        ["layer_types", "rope_scaling.long_factor", "rope_scaling.short_factor"],
    ),
    "an order, a width, a base": (
        yarn(beta_fast=1, beta_slow=2) | {"head_dim": 63, "rope_theta": -1},
        ["head_dim", "rope_scaling.beta_fast", "rope_theta"],
    ),
    "unknown method, wrong flag, share": (
        short(rope_scaling={"rope_type": "yarm"}, rope_interleave=3, partial_rotary_factor=2),
        ["partial_rotary_factor", "rope_interleave", "rope_scaling.rope_type"],
    ),
    "three warnings": (
        yarn(attn_factor=1.2, original_max_position_embeddings=...) | {"rotary_pct": 0.5, "rope_pct": 0.25},
        ["rope_scaling.attn_factor", "rope_scaling.original_max_position_embeddings", "rotary_pct"],
    ),
    "three warnings about what disagrees": (
        yarn(type="linear", factor=2.0) | {"rope_parameters": {"factor": 3.0}},
        ["rope_scaling", "rope_scaling.factor", "rope_scaling.type"],
    ),
    "two warnings and an error": (
        yarn(factor="4", bta_fast=3) | {"rope_tetha": 2},
        ["rope_scaling.bta_fast", "rope_scaling.factor", "rope_tetha"],
    ),
}


@pytest.mark.parametrize("name", TRIPLES)
def test_three_mistakes_are_three_findings(name):
    config, keys = TRIPLES[name]
    assert sorted(finding.key for finding in findings(config) if finding.level != "note") == keys
    if "warnings" not in name or "error" in name:
        with pytest.raises(HfConfigError):
            parse_config(config)


def test_the_gravest_come_first():
    levels = [finding.level for finding in findings(yarn(factor="4", bta_fast=3, beta_slow=0))]
    assert levels == sorted(levels, key=["error", "warning", "note"].index)
    assert set(levels) == {"error", "warning", "note"}


def test_an_error_is_a_rope_config_error_that_a_user_interface_can_translate():
    with pytest.raises(RopeConfigError) as caught:
        parse_config(short(rope_theta="1e6"))
    assert caught.value.template == "{key} must be a number, got {value}"
    assert caught.value.values == {"key": "rope_theta", "value": "'1e6'"}


def test_what_the_core_refuses_keeps_the_template_that_is_translated():
    with pytest.raises(HfConfigError) as caught:
        parse_config(scaled("linear", factor=0.5))
    assert caught.value.findings[0].template == "{field} must be at least {low:g}, got {value!r}"


def test_an_error_survives_pickling():
    with pytest.raises(HfConfigError) as caught:
        parse_config(short(rope_theta="1e6", head_dim=0))
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is HfConfigError
    assert str(again) == str(caught.value)
    assert again.findings == caught.value.findings


def test_one_mistake_in_two_layers_is_told_once():
    config = short(model_type="modernbert", num_hidden_layers=4, head_dim=65)
    assert [finding.key for finding in findings(config) if finding.level == "error"] == ["head_dim"]


@pytest.mark.parametrize("length", [17, 4096, 10_000_000])
def test_the_first_negative_distance_is_no_warning(length):
    levels = {finding.level for finding in findings(short(max_position_embeddings=length)) if "cosines" in finding.template}
    assert levels == (set() if length == 17 else {"note"})


@pytest.mark.parametrize(("share", "base"), [(1.0, 1e4), (0.75, 1e4), (0.5, 1e4), (0.25, 1e4), (0.75, 1.2)])
def test_coordinates_that_stand_still_count_in_the_sum_of_cosines(share, base):
    cosines = np.cos(np.outer(np.arange(4096), base ** (-np.arange(0, 128 * share, 2) / (128 * share)))).sum(1) + 64 * (1 - share)
    told = findings(short(head_dim=128, partial_rotary_factor=share, rope_theta=base, max_position_embeddings=4096))
    distances = [each.values["distance"] for each in told if "cosines" in each.template]
    assert distances == ([int(np.argmax(cosines < 0))] if (cosines < 0).any() else [])
    assert bool(distances) == (share == 1 or base < 2)
