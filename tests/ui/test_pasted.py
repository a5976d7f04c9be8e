"""A pasted config: read or refused in a sentence, and small enough for a link or left out of it."""

import ast
import json
from pathlib import Path

import pytest

import rope_core.huggingface
from rope_core import Finding, RopeConfigError, parse_config
from ui import findings
from ui.i18n import CATALOGUES
from ui.model_choice import by_slug, read_slugs, slug
from ui.pasted import LONGEST_LINK, read

CONFIGS = sorted((Path(__file__).resolve().parents[1] / "data/configs").glob("*.json"))
PLAIN = {"head_dim": 64, "max_position_embeddings": 2048, "rope_theta": 10_000}


def numbers(rope):
    return dict(rope.layers), rope.layer_types, rope.softmax_factor, rope.pair_axes


class TestRead:
    @pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
    def test_link_gives_back_every_number_and_fits(self, path):
        reading = read(path.read_text(encoding="utf-8"), "text")
        assert reading.link == reading.document
        assert 0 < len(reading.link) <= LONGEST_LINK
        assert numbers(parse_config(reading.link)) == numbers(parse_config(path.read_text(encoding="utf-8")))

    def test_link_holds_no_key_of_the_file_that_is_not_about_rotation(self):
        reading = read(json.dumps(PLAIN | {"_name_or_path": "/home/ada/secret", "architectures": ["Secret"]}), "text")
        assert "ecret" not in reading.link + reading.document

    def test_numbers_that_are_too_long_for_a_link_are_left_out_and_stay_in_the_file(self):
        divisors = [1 + index / 7 for index in range(128)]
        method = {"rope_type": "longrope", "short_factor": divisors, "long_factor": divisors, "original_max_position_embeddings": 64}
        reading = read(json.dumps(PLAIN | {"head_dim": 256, "rope_scaling": method}), "text")
        assert reading.link == ""
        assert numbers(parse_config(reading.document)) == numbers(reading.rope)

    def test_settings_at_the_end_of_the_range_of_floats_are_refused(self):
        with pytest.raises(RopeConfigError):
            read(json.dumps(PLAIN | {"rope_scaling": {"rope_type": "linear", "factor": 5e-324}}), "text")

    @pytest.mark.parametrize("given", ["", "{", "[]", "null", b"\xff\xfe\x00", '{"head_dim": 7}', '{"head_dim": "64"}', "[" * 100_000])
    def test_what_is_no_config_is_refused_in_a_sentence(self, given):
        with pytest.raises(RopeConfigError) as caught:
            read(given, "text")
        assert len(str(caught.value)) < 400


class TestFindings:
    def test_every_template_that_a_finding_can_have_is_translated(self):
        room = Path(rope_core.huggingface.__file__).parent
        nodes = [node for path in room.glob("*.py") for node in ast.walk(ast.parse(path.read_text()))]
        constants = [node.value for node in nodes if isinstance(node, ast.Constant)]
        templates = {text for text in constants if isinstance(text, str) and "{key}" in text}
        assert len(templates) > 40
        assert [text for text in templates if CATALOGUES["zh-CN"].gettext(text) == text] == []

    def test_values_are_shown_as_code_and_cannot_end_it(self):
        finding = Finding("error", "`<b>`", "{key} must be a number, got {value}", "", {"key": "`<b>`", "value": "'`[a](http://b.c)` <i>'"})
        said = findings.sentence(finding.template, finding.values)
        assert said == "`<b>` must be a number, got `'[a](http://b.c) <i>'`"

    def test_text_in_the_place_of_a_number_is_shown_as_it_is(self):
        assert findings.sentence("{key} = {value:,g}", {"key": "a", "value": "x"}) == "`a` = `x`"
        assert findings.sentence("got {value!r}", {"value": "x"}) == "got `x`"
        assert findings.sentence("got {value:,}", {"value": 1000}) == "got 1,000"

    def test_findings_are_counted_by_level(self):
        some = [Finding(level, "", "") for level in ("error", "note", "note")]
        assert findings.counts(some) == "Errors: 1 · Warnings: 0 · Notes: 2"


class TestShown:
    @pytest.fixture
    def lines(self, monkeypatch):
        said = []
        monkeypatch.setattr(findings.st, "markdown", said.append)
        monkeypatch.setattr(findings.st, "caption", said.append)
        return said

    def test_key_stands_once(self, lines):
        findings.show([Finding("error", "rope_theta", "{field} must be positive", "", {"field": "rope_theta"})])
        findings.show([Finding("note", "rope_theta", "a note of something else")])
        assert [line.count("`rope_theta`") for line in lines] == [1, 1]

    def test_many_are_cut_and_counted(self, lines):
        findings.show([Finding("warning", f"k{index}", "no") for index in range(300)])
        assert len(lines) == findings.MOST + 1 <= 12
        assert lines[-1].startswith(str(300 - findings.MOST))

    def test_in_chinese_a_question_ends_once_and_the_reason_of_bad_json_is_chinese(self, lines, monkeypatch):
        chinese = CATALOGUES["zh-CN"].gettext
        monkeypatch.setattr(findings, "_", chinese)
        findings.show([Finding("warning", "a", "no", "did you mean {close}?", {"close": "yarn"})])
        assert lines[0].endswith("？")
        assert not any("？。" in line or "：是否" in line for line in lines)
        for text in ("{", "{,}", "[1", '{"a" 1}', '{"a": 1} x', '"a', '"\\x"', '"\\u12"', '"\n"'):
            with pytest.raises(RopeConfigError) as caught:
                read(text, "text")
            said = findings.sentence(caught.value.template, caught.value.values)
            assert not any(word in said for word in ("Expecting", "Extra", "Invalid", "Unterminated")), said


class TestSlugs:
    def test_every_model_has_a_name_of_its_own_that_a_link_can_hold(self):
        from rope_core import catalogue_models

        assert len(by_slug()) == len(catalogue_models())
        assert all(slug(model).replace(".", "").replace("-", "").replace("_", "").isalnum() for model in catalogue_models())

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("qwen3-8b", ["qwen3-8b"]),
            (" Qwen3-8B , gpt-oss-20b,", ["qwen3-8b", "gpt-oss-20b"]),
            ("qwen3-8b,qwen3-8b", ["qwen3-8b"]),
            ("", []),
            ("qwen3-8b,no-such-model", None),
            ("<script>", None),
            (",".join(list(by_slug())[:5]), None),
            ("x" * 100_000, None),
        ],
    )
    def test_names_of_a_link_are_read(self, text, expected):
        assert read_slugs(text, 4) == expected
