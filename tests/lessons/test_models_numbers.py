"""The figures about models show the speeds that transformers computes: 20 configs, with tables that no code of ours has made."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from lessons.models import PAGE
from lessons.models.settings import read
from parameters.own_config import parse_text
from parameters.settings import Settings

DATA = Path(__file__).resolve().parents[1] / "data"
EXPECTED = json.loads((DATA / "config_expected.json").read_text(encoding="utf-8"))
SHORT, LONG = "short (seq_len<=4096)", "long (seq_len>4096)"
LENGTHS = {SHORT: 4096, LONG: 4097, "seq_len=49152": 49_152, "seq_len=65536": 65_536, "seq_len=131072": 131_072}
TABLES = [(name, table) for name, sample in EXPECTED.items() for table in sample]
WORDS = {"rope_layers": "rope", "full_attention layers": "full_attention"}


def shown(name, length=0, layer="all", mode="wavelengths"):
    """The view of a sample, and its rows, the one of a type of layers in detail."""
    document = parse_text((DATA / "configs" / name).read_text(encoding="utf-8")).document
    address = {"models_way": "own", "models_config": document, "models_length": str(length), "models_view": mode}
    settings, problems = Settings.read("models", address)
    assert not problems
    layers = [row.layer for row in read(settings).rows]
    settings = settings.replace(models_layer=layers.index(layer) if layer in layers else 0)
    return PAGE.view(settings), read(settings)


WINDOWS = {
    ("15_gemma3_4b_nested.json", "sliding_attention"): 1024,
    ("17_modernbert_base.json", "sliding_attention"): 64,
    ("28_deepseek_v4_flash.json", "main"): 128,
}
"""Of the layers in EXPECTED that have one."""


def line(view):
    """The strong line of a figure."""
    (strong,) = [trace for trace in view.figure.data if trace.name.startswith("<b>")]
    return np.asarray(strong.y)


def result(view):
    names = {}
    exec(view.code, names)
    return names["result"].numpy()


@pytest.mark.parametrize(("name", "table"), TABLES, ids=lambda text: text[:24])
def test_turns_are_those_of_transformers(name, table):
    expected = np.array(EXPECTED[name][table]["inv_freq"])
    length, layer = LENGTHS.get(table, 0), WORDS.get(table, table)
    view, rows = shown(name, length, layer)
    assert rows.row.layer in (layer, "all")
    np.testing.assert_allclose(line(view), 2 * math.pi / expected, rtol=1e-12)
    np.testing.assert_allclose(result(view), 2 * math.pi / expected, rtol=1e-12)
    turns, rows = shown(name, length or 4096, layer, "turns")
    if rows.row.length_dependent:
        return  # their table holds for another length
    seen = min(rows.row.length, WINDOWS.get((name, layer), math.inf))
    np.testing.assert_allclose(line(turns), seen * expected / (2 * math.pi), rtol=1e-12)
    np.testing.assert_allclose(result(turns), line(turns), rtol=1e-12)


@pytest.mark.parametrize(("name", "table"), TABLES, ids=lambda text: text[:24])
def test_ratios_are_those_to_powers_of_the_base(name, table):
    expected = np.array(EXPECTED[name][table]["inv_freq"])
    view, rows = shown(name, LENGTHS.get(table, 0), WORDS.get(table, table), "ratio")
    config = rows.row.config
    powers = [config.base ** (-2 * pair / config.rotary_dim) for pair in range(len(expected))]
    np.testing.assert_allclose(line(view), expected / powers, rtol=1e-12)
    np.testing.assert_allclose(result(view), line(view), rtol=1e-12)


def test_pairs_below_one_turn_are_counted_by_hand():
    view, rows = shown("01_llama2_7b.json")
    # 2 pi 10000 ** (i / 64) > 4096 for i > 64 log(4096 / 2 pi) / log(10000) = 45.03
    assert rows.row.unfinished == 64 - 46
    assert "no turn within the stated length of `4,096` tokens: `18` of `64`." in view.sentences[0]


# Plain law, base b, width d: 2 pi b ** (2 i / d) > L, counted on paper from i > d / 2 * log(L / 2 pi) / log(b).
@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("08_deepseek_v3_yarn.json", 32 - 23),  # 32 log(4096 / 2 pi) / log(10000) = 22.5
        ("10_gpt_oss_20b_yarn.json", 32 - 18),  # 32 log(4096 / 2 pi) / log(150000) = 17.4
        ("02_llama31_8b.json", 64 - 35),  # 64 log(8192 / 2 pi) / log(500000) = 34.98
        ("12_phi35_mini_longrope.json", 48 - 34),  # 48 log(4096 / 2 pi) / log(10000) = 33.8
    ],
)
@pytest.mark.parametrize("length", [0, 10_000_000])
def test_training_ran_at_plain_speeds_where_the_method_came_later(name, left, length):
    for mode in ("wavelengths", "turns", "ratio"):
        view, rows = shown(name, length, mode=mode)
        assert f": `{left}` of `" in " ".join(view.sentences)
        assert rows.row.unfinished == left
    turns, _ = shown(name, 0, mode="turns")
    assert (line(turns) < 1).sum() == left
    np.testing.assert_allclose(result(turns), line(turns), rtol=1e-12)


def test_method_of_the_training_counts_in_training():
    view, rows = shown("15_gemma3_4b_nested.json", layer="full_attention")
    # 2 pi 8 1e6 ** (i / 128) > 131072 for i > 128 log(131072 / 16 pi) / log(1e6) = 72.9
    assert rows.row.unfinished == 128 - 73
    assert "Counted with the method, as the config names no length without it." in view.sentences[0]
    assert "training" not in " ".join((*view.sentences, view.verdict, view.alt))


def test_layers_without_rotation_are_hollow_and_counted():
    view, _ = shown("04_llama4_scout_nested.json", layer="rope", mode="layers")
    turning, still = view.figure.data
    assert len(turning.x) == 36
    assert list(still.x) == list(range(3, 48, 4))
    assert still.marker.pattern.shape == "x"
    assert "`36` of `48` layers" in view.sentences[0]
    assert "`nope` `12`" in view.sentences[1]


@pytest.mark.parametrize("name", ["18_qwen25_vl_7b_mrope.json", "20_qwen35_27b_v5_mrope_partial.json"])
def test_axes_of_the_pairs_are_those_of_transformers(name):
    (table,) = EXPECTED[name].values()
    view, _ = shown(name, mode="layers")
    found = {trace.name: set(trace.x) for trace in view.figure.data if trace.xaxis == "x2"}
    for word, letter in (("time", "T"), ("height", "H"), ("width", "W")):
        assert found[word] == {pair for pair, axis in enumerate(table["axes"]) if axis == letter}


def test_a_row_whose_length_changes_its_speeds_says_for_which_length_they_hold():
    view, _ = shown("06_internlm25_7b_dynamic.json", 65_536)
    assert "texts of `65,536` tokens" in view.sentences[1]
    assert any("t &= 1 + s" in line for line in view.formula)
