"""Configs of real models: the speeds of every layer, from an independent evaluation of the formulas."""

import json

import pytest

from rope_core import attention_factor, inverse_frequencies, parse_config
from tests.huggingface.stock import DATA, EXPECTED, SAMPLES, parsed

LAYER_OF = {
    "rope_layers": "rope",
    "full_attention layers": "full_attention",
    "short (seq_len<=4096)": "all",
    "long (seq_len>4096)": "all",
}
LENGTH_OF = {"long (seq_len>4096)": 4097} | {f"seq_len={length}": length for length in (32_768, 49_152, 65_536, 131_072)}
TABLES = [(name, table) for name, tables in EXPECTED.items() for table in tables]
INTERLEAVED = {"04_llama4_scout_nested.json", "08_deepseek_v3_yarn.json", "22_gptj_6b.json", "28_deepseek_v4_flash.json"}
WIDTHS = {
    "08_deepseek_v3_yarn.json": 192,
    "10_gpt_oss_20b_yarn.json": 64,
    "12_phi35_mini_longrope.json": 96,
    "15_gemma3_4b_nested.json": 256,
    "17_modernbert_base.json": 64,
    "20_qwen35_27b_v5_mrope_partial.json": 256,
    "21_gpt_neox_20b.json": 96,
    "22_gptj_6b.json": 256,
    "28_deepseek_v4_flash.json": 512,
}


def layer(rope, table):
    name = LAYER_OF.get(table, "all" if table.startswith("seq_len") else table)
    return rope.layers[name]


def test_every_sample_is_listed():
    assert len(SAMPLES) == 20
    assert len(TABLES) == 29
    assert sorted(path.name for path in (DATA / "configs").iterdir()) == sorted(SAMPLES)


@pytest.mark.parametrize(("name", "table"), TABLES)
def test_speeds_and_attention_factor_are_the_expected_ones(name, table):
    config = layer(parsed(name), table)
    expected = EXPECTED[name][table]
    length = LENGTH_OF.get(table)
    assert inverse_frequencies(config, length).tolist() == pytest.approx(expected["inv_freq"], rel=1e-10, abs=0)
    assert attention_factor(config, length) == pytest.approx(expected["attention_factor"], rel=1e-9)


@pytest.mark.usefixtures("near_search")
@pytest.mark.parametrize("name", SAMPLES)
def test_text_bytes_and_object_are_parsed_alike(name):
    text = (DATA / "configs" / name).read_text()
    rope = parse_config(text)
    assert rope == parse_config(text.encode()) == parse_config(json.loads(text)) == parse_config(text.encode("utf-16"))


@pytest.mark.parametrize("name", SAMPLES)
def test_layout_and_head_width_are_the_expected_ones(name):
    rotated = [config for config in parsed(name).layers.values() if config]
    assert {config.layout for config in rotated} == {"interleaved" if name in INTERLEAVED else "half"}
    assert {config.head_dim for config in rotated} == {WIDTHS.get(name, 128)}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_softmax_factor_is_the_expected_one(name):
    expected = [table["softmax_factor"] for table in EXPECTED[name].values() if "softmax_factor" in table]
    assert parsed(name).softmax_factor == pytest.approx(expected[0] if expected else 1, rel=1e-9)
    assert bool(expected) == (name == "08_deepseek_v3_yarn.json")


@pytest.mark.parametrize("name", SAMPLES)
def test_the_axes_of_the_pairs_are_the_expected_ones(name):
    expected = [table["axes"] for table in EXPECTED[name].values() if "axes" in table]
    axes = parsed(name).pair_axes
    assert (None if axes is None else "".join(axes).upper()) == (expected[0] if expected else None)
    assert bool(expected) == name.startswith(("18", "20"))


@pytest.mark.parametrize("name", ["15_gemma3_4b_nested.json", "17_modernbert_base.json"])
def test_layer_types_that_the_config_omits_are_those_of_the_code(name):
    assert list(parsed(name).layer_types) == EXPECTED[name]["sliding_attention"]["layer_types"]


def test_layers_without_rotation_are_those_of_no_rope_layers():
    name = "04_llama4_scout_nested.json"
    rope = parsed(name)
    assert [int(each == "rope") for each in rope.layer_types] == EXPECTED[name]["rope_layers"]["no_rope_layers"]
    assert rope.layers["nope"] is None


def test_layers_of_linear_attention_are_not_rotated():
    stated = SAMPLES["20_qwen35_27b_v5_mrope_partial.json"]["text_config"]["layer_types"]
    rope = parsed("20_qwen35_27b_v5_mrope_partial.json")
    assert list(rope.layer_types) == stated
    assert rope.layers["linear_attention"] is None


def test_compressed_layers_of_deepseek_v4_are_those_with_a_ratio():
    config = SAMPLES["28_deepseek_v4_flash.json"]
    expected = ["compress" if ratio else "main" for ratio in config["compress_ratios"]][: config["num_hidden_layers"]]
    assert list(parsed("28_deepseek_v4_flash.json").layer_types) == expected
    assert expected.count("main") == 2


@pytest.mark.parametrize("name", SAMPLES)
def test_every_layer_has_an_entry(name):
    rope = parsed(name)
    assert set(rope.layer_types) <= set(rope.layers)
    config = SAMPLES[name].get("text_config", SAMPLES[name])
    assert len(rope.layer_types) == config.get("num_hidden_layers", 0)
    if len(rope.layers) == 1:
        assert set(rope.layers) == {"all"}


@pytest.mark.parametrize("name", SAMPLES)
def test_no_sample_has_a_warning(name):
    assert [finding for finding in parsed(name).findings if finding.level != "note"] == []


@pytest.mark.parametrize("name", SAMPLES)
def test_every_finding_of_a_sample_is_a_sentence(name):
    for finding in parsed(name).findings:
        assert finding.message == finding.template.format(**finding.values)
        assert len(finding.message) < 400


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("01_llama2_7b.json", "rope_theta"),
        ("04_llama4_scout_nested.json", "text_config"),
        ("06_internlm25_7b_dynamic.json", "rope_scaling.rope_type"),
        ("08_deepseek_v3_yarn.json", "mscale_all_dim"),
        ("25_devstral2_123b_v5_yarn.json", "rope_parameters.mscale_all_dim"),
        ("28_deepseek_v4_flash.json", "rope_scaling"),
    ],
)
def test_a_peculiarity_of_a_sample_is_noted(name, key):
    assert key in [finding.key for finding in parsed(name).findings]
