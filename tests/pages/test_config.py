"""A config of the reader's own: pasted, uploaded, refused, discarded, too long for a link; and the way from models to other pages."""

import functools
import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from lessons.registry import PAGES
from parameters.own_config import parse_text
from parameters.settings import Settings
from rope_core import HfConfigError, inverse_frequencies, parse_config
from tests.visit import address, drawn, edit, figure, go, look, message, move, notices, open_page, press, prose, run, send, value

CONFIGS = sorted((Path(__file__).resolve().parents[1] / "data/configs").glob("*.json"))
ONE, OTHER = (CONFIGS[place].read_text(encoding="utf-8") for place in (0, 1))
BOX = "config.text"
DIVISORS = [1 + index / 7 for index in range(128)]
TOO_LONG = json.dumps(
    {
        "head_dim": 256,
        "max_position_embeddings": 640,
        "rope_theta": 7.0,
        "rope_scaling": {
            "rope_type": "longrope",
            "short_factor": DIVISORS,
            "long_factor": DIVISORS,
            "original_max_position_embeddings": 64,
        },
    }
)
"""A config whose numbers no link can hold."""
PLAIN_MISTRAL = '{"head_dim": 128, "max_position_embeddings": 32768, "rope_theta": 1000000}'
EXAMPLE = "Nothing is pasted yet: Gemma 3 4B is shown as an example. What you paste stays in this visit."


def paste(at, text):
    at.text_area(key=BOX).set_value(text)
    return run(at)


def upload(at, path):
    at.get("file_uploader")[0].upload(path.name, path.read_bytes(), "application/json")
    return run(at)


@functools.cache
def opened():
    """A page with a config of one's own to paste; tests paste over what the others left."""
    return open_page("models", models_way="own")


def errors(at):
    return [text.value for text in at.markdown if "**Error**" in text.value]


class TestPasting:
    @pytest.mark.parametrize("path", CONFIGS[::5], ids=lambda path: path.stem)
    def test_pasted_text_its_file_and_its_link_show_the_same_numbers(self, path):
        text = path.read_text(encoding="utf-8")
        at = paste(opened(), text)
        slow = inverse_frequencies(parse_config(text).main)[-1].item()
        lines = np.concatenate([trace["y"] for trace in figure(at)["data"]])
        assert np.isclose(lines, 2 * np.pi / slow, rtol=1e-12).any()
        link = address(at)["models_config"]
        assert link == parse_text(text).document
        assert look(open_page("models", models_way="own", models_config=link)) == look(at)
        assert look(upload(open_page("models", models_way="own"), path)) == look(at)

    def test_what_was_found_in_the_text_and_is_not_in_the_link_is_shown(self):
        at = paste(opened(), '{"head_dim": 64, "rope_tetha": 7}')
        assert any("rope_tetha" in text for text in prose(at))
        assert "Shown: the text that was pasted." in prose(at)
        fresh = open_page("models", models_way="own", models_config=address(at)["models_config"])
        assert not any("rope_tetha" in text for text in prose(fresh))
        assert any(text.startswith("These numbers came with the link.") for text in prose(fresh))

    def test_broken_text_is_refused_in_sentences_and_the_last_config_stays(self):
        at = paste(opened(), ONE)
        before, link = look(at), address(at)
        for broken in ("{head_dim: 64}", '{"head_dim": 7}', "[1, 2]", "[" * 5000, '{"a": "' + "x" * 1_000_001 + '"}'):
            paste(at, broken)
            assert errors(at)
            assert all(len(line) < 500 for line in errors(at))
            assert (look(at), address(at)) == (before, link)
            assert "The last config that could be read is still shown." in prose(at)
            assert at.text_area(key=BOX).value == broken
        paste(at, OTHER)
        assert not errors(at)
        assert look(at) != before

    def test_all_mistakes_are_named_at_once(self):
        text = '{"head_dim": 64, "rope_scaling": {"rope_type": "yarn", "factor": "4", "beta_fast": "x", "beta_slow": true, "truncate": 1}}'
        with pytest.raises(HfConfigError) as caught:
            parse_config(text)
        keys = [finding.key for finding in caught.value.findings if finding.level == "error"]
        lines = errors(paste(opened(), text))
        assert len(lines) == len(keys) >= 3
        assert all(f"`{key}`" in line for key, line in zip(keys, lines, strict=True))

    def test_refusals_are_in_the_language_of_the_page(self):
        at = paste(open_page("models", "zh-CN", models_way="own"), "{")
        assert not errors(at)
        assert any("**错误**" in text.value for text in at.markdown)

    def test_emptied_box_and_the_button_forget_the_config(self):
        for forget in (lambda at: press(at, "offer.discard"), lambda at: paste(at, "")):
            at = paste(opened(), ONE)
            assert "Shown: the text that was pasted." in prose(at)
            forget(at)
            assert EXAMPLE in prose(at)
            assert ("models_config" in address(at), at.text_area(key=BOX).value) == (False, "")
            assert look(at) == look(open_page("models", models_way="own"))

    def test_an_address_with_another_config_empties_the_box(self):
        at = paste(opened(), ONE)
        edit(at, lang="en", models_way="own", models_config=parse_text(OTHER).document)
        assert at.text_area(key=BOX).value == ""
        assert any(text.startswith("These numbers came with the link.") for text in prose(at))
        edit(at, lang="en", models_way="own")
        assert EXAMPLE in prose(at)

    def test_file_empties_the_box_and_text_empties_the_upload(self):
        at = paste(opened(), ONE)
        before = at.get("file_uploader")[0].key
        upload(at, CONFIGS[1])
        assert f"Shown: the file `{CONFIGS[1].name}`." in prose(at)
        assert at.text_area(key=BOX).value == ""
        paste(at, '{"head_dim": 7}')
        assert address(at)["models_config"] == parse_text(OTHER).document
        paste(at, ONE)
        assert "Shown: the text that was pasted." in prose(at)
        assert at.get("file_uploader")[0].key != before

    def test_text_of_a_file_is_shown_as_code_or_not_at_all(self):
        evil = "<img src=x onerror=alert(1)>`**b**[a](http://b.c)"
        config = {"head_dim": 8, evil: 1, "rope_tetha": evil, "layer_types": [evil, "b"], "rope_parameters": {evil: {}, "b": {"x": evil}}}
        at = paste(opened(), json.dumps(config))
        for text in prose(at):
            outside = "".join(text.split("`")[::2])
            assert "<img" not in outside
            assert "http" not in outside
        assert "<img" not in json.dumps(message(at)["view"], default=np.ndarray.tolist)

    def test_another_visit_does_not_see_it(self):
        one, other = open_page("models", models_way="own"), open_page("models", models_way="own")
        paste(one, ONE)
        assert EXAMPLE in prose(run(other))

    def test_it_is_still_there_after_another_page(self):
        at = paste(open_page("models", models_way="own"), ONE)
        before = look(at)
        go(go(at, "start"), "models")
        assert look(at) == before
        assert "Shown: the text that was pasted." in prose(at)

    def test_a_row_of_the_catalogue_does_not_stay_in_the_address(self):
        at = move(open_page("models"), models_layer=2)
        row = at.selectbox(key="w.models_layer").proto.id
        move(at, models_way="own")
        send(at, WidgetState(id=row, string_value="Llama 3.1 8B"))
        paste(at, ONE)
        assert "models_layer" not in address(at)
        assert not notices(at)

    def test_rope_object_alone_goes_into_the_config_of_a_model_that_is_picked(self):
        at = open_page("models", models_way="own", models_beside="qwen3-8b")
        paste(at, '{"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}')
        assert errors(at)
        press(at, "offer.into.qwen3-8b")
        assert not errors(at)
        main = parse_config(address(at)["models_config"]).main
        assert (main.base, main.scaling.factor, main.scaling.rope_type) == (1_000_000, 4, "yarn")

    @pytest.mark.parametrize(
        ("text", "slug"),
        [("https://huggingface.co/Qwen/Qwen3-8B/blob/main/config.json", "qwen3-8b"), ("meta-llama/Llama-3.1-8B", "meta-llama-3.1-8b")],
    )
    def test_name_of_a_model_offers_it(self, text, slug):
        at = paste(open_page("models", models_way="own"), text)
        press(at, "offer.named")
        assert not errors(at)
        assert (address(at)["models_names"], "models_way" in address(at)) == (slug, False)

    def test_model_that_was_opened_from_here_is_named_there_and_a_config_of_ones_own_is_not(self):
        at = press(open_page("models", models_names="llama-3.2-1b"), "offer.open.frequencies")
        assert at.selectbox(key="w.model").value == "Llama 3.2 1B"
        at = paste(open_page("models", models_way="own"), PLAIN_MISTRAL)
        press(at, "offer.open.frequencies")
        assert at.selectbox(key="w.model").value is None


class TestLink:
    @pytest.mark.parametrize("given", ["x", "{}", "[1]", '{"head_dim":7}', "{" * 3000, "x" * 10_000, '{"head_dim":1e999}'])
    def test_broken_link_gives_one_notice_and_the_example(self, given):
        at = open_page("models", models_way="own", models_config=given)
        (notice,) = notices(at)
        assert notice.startswith("Your own config: `")
        assert len(notice) < 300
        assert look(at) == look(open_page("models", models_way="own"))

    def test_config_that_no_link_can_hold_stays_in_the_visit(self):
        at = paste(open_page("models", models_way="own"), TOO_LONG)
        assert len(address(at)["models_config"]) < 30
        assert any("The link leaves your config out" in text for text in prose(at))
        assert "config" in {button.key for button in at.get("download_button")}
        sent = message(at)
        assert "models_config" not in sent["query"]
        assert parse_config(sent["body"]).main.base == 7
        before = look(at)
        assert look(go(go(at, "start"), "models")) == before
        assert look(edit(at, **address(at))) == before
        assert at.button(key="pin").proto.disabled
        fresh = open_page("models", **{name: text for name, text in address(at).items() if name != "lang"})
        assert not notices(fresh)
        assert look(fresh) == look(open_page("models", models_way="own"))

    def test_config_that_a_link_holds_is_asked_for_by_the_link(self):
        sent = message(paste(opened(), ONE))
        assert sent["body"] == ""
        assert "models_config=" in sent["query"]


class TestWayOn:
    @pytest.mark.parametrize("page", ["extension", "frequencies", "decay"])
    def test_button_opens_the_page_with_the_same_speeds_and_nothing_that_was_set_there(self, page):
        at = move(open_page(page), base=777, head_dim=4)
        go(at, "models")
        move(at, models_names="gpt-oss-20b")
        press(at, f"offer.open.{page}")
        assert at.title[0].value == PAGES[page].question
        assert not notices(at)
        assert (value(at, "base"), value(at, "head_dim")) == (150_000, 64)
        settings, problems = Settings.read(page, address(at))
        assert not problems
        if page == "extension":
            assert (settings["method"], settings["truncate"], settings["target"]) == ("yarn", "off", 131_072)
        else:
            assert settings.scaling().rope_type == "yarn"
        assert look(at) == look(open_page(page, **settings.write()))
        go(at, "models")
        assert value(at, "models_names") == ["gpt-oss-20b"]

    def test_what_is_done_and_what_is_locked_goes_along(self):
        at = open_page("models", models_names="qwen3-8b", done="start-1", lock="models_view")
        press(at, "offer.open.frequencies")
        assert {name: address(at)[name] for name in ("lang", "done", "lock")} == {"lang": "en", "done": "start-1", "lock": "models_view"}

    def test_method_of_the_page_about_extension_becomes_the_shared_one(self):
        at = press(open_page("extension", method="yarn"), "offer.use")
        assert json.loads(address(at)["scaling"]) == {"rope_type": "yarn", "factor": 8, "original_max_position": 4096}
        go(at, "frequencies")
        assert not notices(at)
        assert "scaling" in drawn(at)
        assert look(at) != look(open_page("frequencies"))
        assert value(go(at, "extension"), "method") == "yarn"
