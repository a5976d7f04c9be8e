"""A pasted config: read or refused in a sentence, and small enough for a link or left out of it."""

import ast
import json
from pathlib import Path
from urllib.parse import quote

import pytest

import rope_core.huggingface
from lessons.models import findings
from locales import CATALOGUES, speaking
from parameters import own_config
from parameters.models import MODELS, by_slug, slug
from parameters.own_config import LONGEST_LINK, parse_text, read_config, stated_layers
from parameters.settings import Settings
from rope_core import Finding, RopeConfigError, parse_config
from tests.huggingface.text_cases import LLAMA, MENDED, NAMED, gguf_file

CONFIGS = sorted((Path(__file__).resolve().parents[1] / "data/configs").glob("*.json"))
PLAIN = {"head_dim": 64, "max_position_embeddings": 2048, "rope_theta": 10_000}


def numbers(rope):
    return dict(rope.layers), rope.layer_types, rope.softmax_factor, rope.pair_axes


class TestRead:
    @pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
    def test_link_gives_back_every_number_and_fits(self, path):
        parsed = parse_text(path.read_text(encoding="utf-8"))
        assert parsed.fits_link
        assert 0 < len(quote(parsed.document)) <= LONGEST_LINK
        assert numbers(parse_config(parsed.document)) == numbers(parse_config(path.read_text(encoding="utf-8")))
        assert parse_text(path.read_bytes()) == parsed

    @pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
    def test_settings_hold_the_document_and_write_it_as_it_is(self, path):
        document = parse_text(path.read_text(encoding="utf-8")).document
        settings, problems = Settings.read("models", {"models_way": "own", "models_config": document})
        assert not problems
        assert Settings.read("models", settings.write())[0] == settings
        assert settings["models_config"] == document

    def test_link_holds_no_key_of_the_file_that_is_not_about_rotation(self):
        parsed = parse_text(json.dumps(PLAIN | {"_name_or_path": "/home/ada/secret", "architectures": ["Secret"]}))
        assert parsed.only_numbers
        assert "ecret" not in parsed.document

    def test_numbers_that_are_too_long_for_a_link_are_left_out_and_stay_in_the_file(self):
        divisors = [1 + index / 7 for index in range(128)]
        method = {"rope_type": "longrope", "short_factor": divisors, "long_factor": divisors, "original_max_position_embeddings": 64}
        parsed = parse_text(json.dumps(PLAIN | {"head_dim": 256, "rope_scaling": method}))
        assert parsed.only_numbers
        assert not parsed.fits_link
        assert numbers(parse_config(parsed.document)) == numbers(parsed.rope)

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
    def test_text_for_which_transformers_has_no_words_stays_as_it_is_and_in_the_visit(self, encoding, monkeypatch):
        def refuse(rope):
            raise RopeConfigError("no words")

        monkeypatch.setattr(own_config, "to_huggingface", refuse)
        text = json.dumps(PLAIN | {"rope_theta": 1234.5, "comment": encoding})
        parsed = parse_text(text.encode(encoding))
        assert not parsed.fits_link
        assert numbers(parse_text(parsed.document).rope) == numbers(parse_config(text))

    @pytest.mark.parametrize("types", [["full_attention"] * 2, ["full_attention", "sliding_attention"]])
    def test_number_of_layers_that_is_not_that_of_their_names_comes_back(self, types):
        theta = {kind: {"rope_theta": 7.0 + place} for place, kind in enumerate(types)}
        parsed = parse_text(json.dumps(PLAIN | {"num_hidden_layers": 4, "layer_types": types, "rope_parameters": theta}))
        assert parsed.only_numbers
        assert stated_layers(parsed.rope) == stated_layers(parse_text(parsed.document).rope) == 4

    def test_settings_at_the_end_of_the_range_of_floats_are_refused(self):
        with pytest.raises(RopeConfigError):
            parse_text(json.dumps(PLAIN | {"rope_scaling": {"rope_type": "linear", "factor": 5e-324}}))

    @pytest.mark.parametrize("name", MENDED)
    def test_text_that_needs_no_guess_is_read_with_a_note(self, name):
        text = NAMED[name][0]
        for given in (text, text.encode(), text.encode("utf-16")):
            parsed = parse_text(given)
            assert parsed.only_numbers
            assert parsed.rope.findings[-1].level == "note"
            assert parsed.rope.findings[-1].message.startswith("read ")

    def test_gguf_file_becomes_numbers_for_a_link(self):
        parsed = parse_text(gguf_file(LLAMA) + bytes(10_000))
        assert parsed.only_numbers
        assert numbers(parse_config(parsed.document)) == numbers(parsed.rope)
        assert parsed.rope.source_format == "GGUF"

    @pytest.mark.parametrize("given", ["", "{", "[]", "null", b"\xff\xfe\x00", '{"head_dim": 7}', '{"head_dim": "64"}', "[" * 100_000])
    def test_what_is_no_config_is_refused_in_a_sentence(self, given):
        with pytest.raises(RopeConfigError) as caught:
            parse_text(given)
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
    def lines(self, some):
        return [part.text for part in findings.parts(some)]

    def test_key_stands_once(self):
        (one,) = self.lines([Finding("error", "rope_theta", "{field} must be positive", "", {"field": "rope_theta"})])
        (other,) = self.lines([Finding("note", "rope_theta", "a note of something else")])
        assert [line.count("`rope_theta`") for line in (one, other)] == [1, 1]

    def test_many_are_cut_and_counted(self):
        lines = self.lines([Finding("warning", f"k{index}", "no") for index in range(300)])
        assert len(lines) == findings.MOST + 1 <= 12
        assert lines[-1].startswith(str(300 - findings.MOST))

    def test_in_chinese_a_question_ends_once_and_the_reason_of_bad_json_is_chinese(self):
        with speaking("zh-CN"):
            (line,) = self.lines([Finding("warning", "a", "no", "did you mean {close}?", {"close": "yarn"})])
            assert line.endswith("？")
            assert not any(mark in line for mark in ("？。", "：是否"))
            for text in ("{", "{,}", "[1", '{"a" 1}', '{"a": 1} x', '"a', '"\\x"', '"\\u12"', '"\n"'):
                with pytest.raises(RopeConfigError) as caught:
                    parse_text(text)
                (refusal,) = findings.refusal(caught.value)
                said = findings.sentence(refusal.template, refusal.values)
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
        names = MODELS["models_names"].parse(text)
        assert names == (None if expected is None else tuple(expected))


@pytest.mark.parametrize("layers", [{}, {"num_hidden_layers": 3}, {"layer_types": ["sliding_attention"] * 3, "num_hidden_layers": 4}])
def test_a_sliding_window_comes_back_with_the_link_where_layers_are_counted(layers):
    text = json.dumps(
        {"model_type": "mistral", "head_dim": 64, "max_position_embeddings": 8192, "rope_theta": 10_000, "sliding_window": 512} | layers
    )
    parsed = parse_text(text)
    assert parsed.rope.windows == {"all": 512}
    assert parsed.only_numbers
    assert read_config(parsed.document).windows == {"all": 512}
