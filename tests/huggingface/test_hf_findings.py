"""Every kind of finding once, with level, key, sentence and fix; and several mistakes at once."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from babel.messages.extract import extract_from_dir

import rope_core.huggingface
from rope_core import HfConfigError, RopeConfigError, parse_config
from rope_core.huggingface.mending import mended_text
from tests.huggingface.finding_cases import CASES
from tests.huggingface.stock import DATA, SHORT, llama3, longrope, scaled, short, yarn
from tests.huggingface.text_cases import ALL as OTHER_TEXTS

IN_TEXT_ONLY = {
    "{key} stands in one object of the file more than once; the last value, {value}, counts",
    "remove the other lines",
    "give the whole config.json, and nothing else",
}
"""Findings about text only, see test_hf_documents.py."""


def findings(config):
    """Return all findings, with or without settings."""
    try:
        return parse_config(config).findings
    except HfConfigError as error:
        return error.findings


def lines_of(config):
    rows = [(finding.level, finding.key, finding.message, finding.fix) for finding in findings(config)]
    return [" | ".join(part for part in row if part) for row in rows]


def expected_lines():
    blocks = (DATA / "findings.txt").read_text().removeprefix("== ").split("\n== ")
    return {name: lines for name, *lines in (block.strip().splitlines() for block in blocks)}


EXPECTED_LINES = expected_lines()


@pytest.mark.parametrize("name", CASES)
def test_every_case_has_its_expected_findings(name):
    assert lines_of(CASES[name]) == EXPECTED_LINES[name]


def test_cases_and_expectations_have_the_same_names():
    assert list(CASES) == list(EXPECTED_LINES)


def test_the_unchanged_configs_have_no_finding():
    proportional = scaled("proportional", partial_rotary_factor=1.0)
    for config in (SHORT, yarn(), llama3(), longrope(), scaled("linear"), proportional, scaled("default", factor=...)):
        assert lines_of(config) == []


def readings(config):
    """Return the sentences about engines."""
    try:
        return {reading.template for reading in parse_config(config).engines}
    except HfConfigError:
        return set()


def test_every_template_in_the_code_occurs_in_a_case():
    keywords = {"note": (2,), "warn": (2,), "reject": (2,), "assume": (2,), "wording": None}
    folder = Path(rope_core.huggingface.__file__).parent
    texts = {row[2] for row in extract_from_dir(folder, [("**.py", "python")], keywords=keywords)}
    seen = {text for config in CASES.values() for finding in findings(config) for text in (finding.template, finding.fix_template)}
    seen |= set().union(*map(readings, CASES.values()))
    seen |= {text for source in OTHER_TEXTS for finding in findings(source) for text in (finding.template, finding.fix_template)}
    seen |= {note.template for source in OTHER_TEXTS if isinstance(source, str) for note in mended_text(source)[1]}
    assert texts - seen - IN_TEXT_ONLY == set()
    assert len(texts) > 70


TRIPLES = {
    "three invalid": (short(head_dim=65, rope_theta=0, max_position_embeddings=0), ["head_dim", "max_position_embeddings", "rope_theta"]),
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


def test_every_error_and_warning_says_what_to_do():
    reported = [finding for config in CASES.values() for finding in findings(config) if finding.level != "note"]
    assert [finding.message for finding in reported if not finding.fix] == []
    assert findings("{")[0].fix


@pytest.mark.parametrize("name", TRIPLES)
def test_three_mistakes_are_three_findings(name):
    config, keys = TRIPLES[name]
    assert sorted(finding.key for finding in findings(config) if finding.level != "note") == keys
    if "warnings" not in name or "error" in name:
        with pytest.raises(HfConfigError):
            parse_config(config)


def test_the_most_severe_come_first():
    levels = [finding.level for finding in findings(yarn(factor="4", bta_fast=3, beta_slow=0))]
    assert levels == sorted(levels, key=["error", "warning", "note"].index)
    assert set(levels) == {"error", "warning", "note"}


def test_an_error_is_a_rope_config_error_that_a_user_interface_can_translate():
    with pytest.raises(RopeConfigError) as caught:
        parse_config(short(rope_theta="1e6"))
    assert caught.value.template == "{key} must be a number, got {value}"
    assert caught.value.values == {"key": "rope_theta", "value": "'1e6'"}


def test_an_error_of_the_core_keeps_its_translatable_template():
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


def test_one_mistake_in_two_layers_is_reported_once():
    config = short(model_type="modernbert", num_hidden_layers=4, head_dim=65)
    assert [finding.key for finding in findings(config) if finding.level == "error"] == ["head_dim"]


@pytest.mark.parametrize("length", [17, 4096, 10_000_000])
def test_the_first_negative_distance_is_only_a_note(length):
    levels = {finding.level for finding in findings(short(max_position_embeddings=length)) if "cosines" in finding.template}
    assert levels == (set() if length == 17 else {"note"})


@pytest.mark.parametrize(("share", "base"), [(1.0, 1e4), (0.75, 1e4), (0.5, 1e4), (0.25, 1e4), (0.75, 1.2)])
def test_unrotated_coordinates_count_in_the_sum_of_cosines(share, base):
    cosines = np.cos(np.outer(np.arange(4096), base ** (-np.arange(0, 128 * share, 2) / (128 * share)))).sum(1) + 64 * (1 - share)
    found = findings(short(head_dim=128, partial_rotary_factor=share, rope_theta=base, max_position_embeddings=4096))
    distances = [each.values["distance"] for each in found if "cosines" in each.template]
    assert distances == ([int(np.argmax(cosines < 0))] if (cosines < 0).any() else [])
    assert bool(distances) == (share == 1 or base < 2)


class TestEachMistakeOnce:
    """Mistakes that were once reported twice, not at all, or about the wrong key."""

    def keys(self, **config):
        return [(each.level, each.key) for each in findings(config) if each.level != "note"]

    def test_a_stated_width_is_read_despite_a_similar_key(self):
        assert self.keys(**SHORT, rope_head_dim=64) == [("warning", "rope_head_dim")]
        both = {"qk_rope_head_dim": 32, "qk_nope_head_dim": 32, "rope_head_dim": 32}
        assert self.keys(**SHORT, **both) == [("warning", "rope_head_dim")]
        assert parse_config(SHORT | both).main.rotary_dim == 32

    def test_two_misspellings_of_one_key_are_two_findings(self):
        assert self.keys(**SHORT, rope_thet=5e5, rope_theeta=1e6) == [("warning", "rope_thet"), ("warning", "rope_theeta")]

    def test_an_invalid_outer_base_is_not_compared(self):
        nested = {"layer_types": ["a"], "rope_parameters": {"a": {"rope_theta": 1e6, "rope_type": "default"}}}
        assert self.keys(**short(rope_theta="5e5", **nested)) == [("error", "rope_theta")]

    def test_the_share_that_disagrees_is_named(self):
        shares = short(partial_rotary_factor=0.5, rotary_pct=0.5, rope_pct=0.25)
        assert any("= 0.5 and rope_pct = 0.25 disagree" in line for line in lines_of(shares))
        assert self.keys(**shares | {"partial_rotary_factor": "x"}) == [("error", "partial_rotary_factor")]

    def test_a_misspelt_size_does_not_hide_one_that_is_missing(self):
        assert len(self.keys(max_position_embeddings=16, rope_theta=1e4, hiden_size=512)) == 2

    def test_a_misspelt_rotated_width_is_not_replaced_by_a_default(self):
        sizes = {"model_type": "gptj", "n_embd": 1024, "n_head": 16, "n_positions": 16, "n_layer": 2}
        assert self.keys(**sizes, rotary_dm=32) == [("error", "rotary_dim")]

    def test_the_old_name_of_longrope_next_to_the_new_one_is_allowed(self):
        assert self.keys(**longrope(type="su")) == []
