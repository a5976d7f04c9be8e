"""The page about models: every model of the catalogue, configs of one's own, broken ones, and the way to other pages."""

import functools
import json
from pathlib import Path

import numpy as np
import pytest
import streamlit as st

from rope_core import HfConfigError, inverse_frequencies, parse_config
from tests.visit import alt, figure, look, message, move, open_page, run, value
from ui.model_choice import by_slug
from ui.pasted import TEXT, read

CONFIGS = sorted((Path(__file__).resolve().parents[1] / "data/configs").glob("*.json"))
COMBINATIONS = [
    "deepseek-v3,gpt-oss-20b,gemma-4-26b-a4b,phi-3.5-mini-instruct",
    "llama-4-scout-17b-16e-instruct,qwen2.5-vl-7b-instruct,qwen3.5-27b,gemma-3-4b-it",
    "internlm2_5-7b-chat,exaone-4.0-32b,modernbert-base",
]
NOTHING_TURNS = [name for name, model in by_slug().items() if model.config is None]
BROKEN = {
    "no json": ("{head_dim: 64}", "JSON"),
    "cut off": ('{"head_dim": 64', "JSON"),
    "a list": ("[1, 2]", "object"),
    "a string": ('"text"', "object"),
    "no width": ('{"max_position_embeddings": 2048}', "head_dim"),
    "odd width": ('{"head_dim": 7}', "even"),
    "text for a number": ('{"head_dim": "64"}', "number"),
    "infinite": ('{"head_dim": 64, "rope_theta": 1e999}', "finite"),
    "unknown method": ('{"head_dim": 64, "rope_scaling": {"rope_type": "magic"}}', "magic"),
    "method without factor": ('{"head_dim": 64, "rope_scaling": {"rope_type": "linear"}}', "factor"),
    "too deep": ("[" * 5000, "deep"),
    "too large": ('{"a": "' + "x" * 1_000_001 + '"}', "bytes"),
}


def paste(at, text):
    at.text_area(key=TEXT).set_value(text)
    return run(at)


@functools.cache
def opened():
    """A page with a config of one's own to paste; tests paste over what the others left."""
    return open_page("models", models_way="own")


def said(at):
    """The lines of findings, and what stands in small print."""
    return [element.value for element in (*at.markdown, *at.caption)]


def findings(at):
    return [element.value for element in at.markdown if element.value.startswith(":") and "material" in element.value]


class TestCatalogue:
    def test_every_model_opens_in_every_view_with_its_name(self, subtests):
        at = open_page("models")
        for name, model in by_slug().items():
            with subtests.test(model=name):
                move(at, models_names=name)
                for view in ("layers", "wavelengths"):
                    move(at, models_view=view)
                    assert model.name in alt(at) or name in NOTHING_TURNS
                    assert not at.warning
                    assert any(model.name in text for text in said(at))

    @pytest.mark.parametrize("names", COMBINATIONS)
    def test_four_models_stand_side_by_side_in_every_view_and_each_row_in_detail(self, names):
        at = open_page("models", models_names=names)
        rows = len(at.selectbox(key="models_layer.pick").options)
        for view in ("wavelengths", "turns", "layers", "ratio"):
            move(at, models_view=view)
            assert len(figure(at)["data"]) >= names.count(",") + 1
        for row in range(1, rows):
            before = look(at)
            move(at, models_layer=str(row))
            assert look(at) != before
            assert not at.warning

    def test_choosing_in_the_list_writes_the_link(self):
        at = open_page("models")
        at.multiselect(key="models_names.picks").set_value(["qwen3-8b", "gpt-oss-20b"])
        run(at)
        assert value(at, "models_names") == "qwen3-8b,gpt-oss-20b"
        assert look(at) == look(open_page("models", models_names="qwen3-8b,gpt-oss-20b"))

    def test_no_model_at_all_shows_one(self):
        at = open_page("models", models_names="")
        assert "Gemma 3 4B" in alt(at)
        assert any("No model is chosen: Gemma 3 4B is shown as an example." in text for text in said(at))
        assert not any("No model is chosen" in text for text in said(move(at, models_names="qwen3-8b")))

    @pytest.mark.parametrize("given", ["no-such-model", "<b>x</b>", "a,b,c,d,e,f", "x" * 5000, "`qwen3-8b`"])
    def test_link_with_other_names_gives_one_notice_and_the_usual_models(self, given):
        at = open_page("models", models_names=given)
        (notice,) = at.warning
        assert "Models must be up to 4 models of the catalogue" in notice.value
        assert len(notice.value) < 300
        assert look(at) == look(open_page("models"))

    @pytest.mark.parametrize("given", ["x", "-1", "1e3", "9" * 500, "²"])
    def test_link_with_another_row_gives_one_notice(self, given):
        at = open_page("models", models_layer=given)
        assert len(at.warning) == 1
        assert look(at) == look(open_page("models"))

    def test_row_of_a_model_that_was_taken_away_is_no_mistake(self):
        at = open_page("models", models_layer="2", models_names="qwen3-8b")
        assert not at.warning


class TestOwn:
    def test_example_stands_there_before_anything_is_pasted(self):
        at = open_page("models", models_way="own")
        assert any("Nothing is pasted yet" in text for text in said(at))
        assert len(figure(at)["data"]) == 2

    @pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
    def test_pasted_text_and_its_link_show_the_same_numbers(self, path):
        at = paste(opened(), path.read_text(encoding="utf-8"))
        rope = parse_config(path.read_text(encoding="utf-8"))
        assert len(findings(at)) == len(rope.findings)
        slow = inverse_frequencies(rope.main)[-1].item()
        drawn = np.concatenate([trace["y"] for trace in figure(at)["data"]])
        assert np.isclose(drawn, 2 * np.pi / slow, rtol=1e-12).any()
        link = value(at, "models_config")
        assert json.loads(link)
        assert look(open_page("models", models_way="own", models_config=link)) == look(at)

    @pytest.mark.parametrize("kind", BROKEN)
    def test_broken_text_is_told_in_sentences_and_the_last_config_stays(self, kind):
        at = paste(opened(), CONFIGS[0].read_text(encoding="utf-8"))
        before, link = look(at), value(at, "models_config")
        text, word = BROKEN[kind]
        paste(at, text)
        assert look(at) == before
        assert value(at, "models_config") == link
        errors = [line for line in findings(at) if "**Error**" in line]
        assert errors
        assert any(word in line for line in errors)
        assert all(len(line) < 500 for line in errors)
        assert any("The last config that could be read is still shown." in text for text in said(at))
        paste(at, CONFIGS[1].read_text(encoding="utf-8"))
        assert not [line for line in findings(at) if "**Error**" in line]

    def test_emptied_box_and_the_button_forget_the_config(self):
        for press in (False, True):
            at = paste(opened(), CONFIGS[0].read_text(encoding="utf-8"))
            assert "Shown: the text that was pasted." in said(at)
            if press:
                at.button(key="models.discard").click()
                run(at)
            else:
                paste(at, "")
            assert any("Nothing is pasted yet" in text for text in said(at))
            assert (value(at, "models_config"), at.text_area(key=TEXT).value) == ("", "")

    def test_file_empties_the_box_and_text_empties_the_upload(self):
        at = paste(opened(), CONFIGS[0].read_text(encoding="utf-8"))
        at.get("file_uploader")[0].upload(CONFIGS[1].name, CONFIGS[1].read_bytes(), "application/json")
        run(at)
        assert f"Shown: the file `{CONFIGS[1].name}`." in said(at)
        assert at.text_area(key=TEXT).value == ""
        before = at.get("file_uploader")[0].key
        paste(at, '{"head_dim": 7}')
        assert f"Shown: the file `{CONFIGS[1].name}`." in said(at)
        assert at.get("file_uploader")[0].key == before
        paste(at, CONFIGS[0].read_text(encoding="utf-8"))
        assert "Shown: the text that was pasted." in said(at)
        assert at.get("file_uploader")[0].key != before

    def test_config_that_cannot_be_read_is_not_said_to_have_nothing_to_note(self):
        at = paste(opened(), "{")
        assert not any("Nothing to note" in text for text in said(at))

    def test_all_mistakes_are_told_at_once(self):
        text = '{"head_dim": 64, "rope_scaling": {"rope_type": "yarn", "factor": "4", "beta_fast": "x", "beta_slow": true, "truncate": 1}}'
        with pytest.raises(HfConfigError) as caught:
            parse_config(text)
        errors = [finding.key for finding in caught.value.findings if finding.level == "error"]
        assert len(errors) >= 3
        at = paste(opened(), text)
        lines = [line for line in findings(at) if "**Error**" in line]
        assert len(lines) == len(errors)
        assert all(f"`{key}`" in line for key, line in zip(errors, lines, strict=True))

    def test_text_of_a_file_is_shown_as_code_or_not_at_all(self):
        evil = "<img src=x onerror=alert(1)>`**b**[a](http://b.c)"
        config = {"head_dim": 8, evil: 1, "rope_tetha": evil, "layer_types": [evil, "b"], "rope_parameters": {evil: {}, "b": {"x": evil}}}
        at = paste(opened(), json.dumps(config))
        for text in said(at):
            outside = "".join(text.split("`")[::2])
            assert "<img" not in outside
            assert "http" not in outside
        assert "<img" not in json.dumps(message(at), default=np.ndarray.tolist)

    @pytest.mark.parametrize("given", ["x", "{}", "[1]", '{"head_dim":7}', "{" * 3000, "x" * 10_000, '{"head_dim":1e999}'])
    def test_broken_link_gives_one_notice_and_the_example(self, given):
        at = open_page("models", models_way="own", models_config=given)
        (notice,) = at.warning
        assert notice.value.startswith("Your own config: `")
        assert len(notice.value) < 300
        assert look(at) == look(open_page("models", models_way="own"))

    def test_config_that_no_link_can_hold_is_offered_as_a_file(self, monkeypatch):
        divisors = [1 + index / 7 for index in range(128)]
        method = {"rope_type": "longrope", "short_factor": divisors, "long_factor": divisors, "original_max_position_embeddings": 64}
        config = {"head_dim": 256, "max_position_embeddings": 640, "rope_theta": 7.0, "rope_scaling": method}
        offered = []
        at = opened()
        with monkeypatch.context() as patch:
            patch.setattr(st, "download_button", lambda label, data, **more: offered.append(data))
            paste(at, json.dumps(config))
        assert value(at, "models_config") == ""
        assert any("The link leaves your config out" in text for text in said(at))
        assert parse_config(offered[0]).main.base == 7


def test_reading_is_kept_in_the_session_alone():
    one, other = open_page("models", models_way="own"), open_page("models", models_way="own")
    paste(one, CONFIGS[0].read_text(encoding="utf-8"))
    run(other)
    assert any("Nothing is pasted yet" in text for text in said(other))
    assert read(CONFIGS[0].read_text(encoding="utf-8"), "text").rope.main.base == 10_000
