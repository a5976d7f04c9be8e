"""A config of one's own in a real browser: pasted, uploaded, broken, sent as a link, and opened on other pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.stage import Visitor

CONFIGS = Path(__file__).resolve().parents[1] / "data/configs"
# Pairs, and tokens of one turn in the last one: 2 pi over the last speed that transformers computes.
HEADLINES = {
    "01_llama2_7b.json": ("64 pairs", "54,410.1"),
    "02_llama31_8b.json": ("64 pairs", "20,473,564.1"),
    "10_gpt_oss_20b_yarn.json": ("32 pairs", "20,781,086.7"),
    "15_gemma3_4b_nested.json": ("128 pairs", "45,122,676.8"),
    "21_gpt_neox_20b.json": ("12 pairs", "29,164.0"),
}


def paste(someone: Visitor, text: str) -> None:
    box = someone.page.locator(".st-key-models-text textarea")
    box.fill(text)
    box.blur()


def sentences(someone: Visitor) -> str:
    return " ".join(someone.shown("[data-testid=stMain] li"))


def small_print(someone: Visitor) -> str:
    return " ".join(someone.shown("[data-testid=stCaptionContainer]"))


@pytest.mark.parametrize("name", HEADLINES)
def test_pasted_config_shows_its_numbers_and_its_link_shows_the_same_to_somebody_else(visitor: Callable[..., Visitor], name: str) -> None:
    ada = visitor()
    figure = ada.open("/models?models_way=own")
    paste(ada, (CONFIGS / name).read_text(encoding="utf-8"))
    figure = ada.changed(figure)
    assert all(number in sentences(ada) for number in HEADLINES[name])
    ada.page.wait_for_function("new URLSearchParams(location.search).get('models_config')")
    (link,) = ada.asked_for()["models_config"]
    assert json.loads(link)["head_dim"] > 0
    bob = visitor()
    assert bob.open(ada.page.url.replace(ada.server, "")) == figure
    assert sentences(bob) == sentences(ada)
    assert not bob.page.locator(".st-key-models-text textarea").input_value()


def test_expected_numbers_are_those_of_the_other_source() -> None:
    expected = json.loads((CONFIGS.parent / "config_expected.json").read_text(encoding="utf-8"))
    for name, (pairs, tokens) in HEADLINES.items():
        table = next(iter(expected[name].values()))["inv_freq"]
        assert pairs == f"{len(table)} pairs"
        assert tokens == f"{2 * 3.141592653589793 / table[-1]:,.1f}"


def test_broken_file_is_told_in_a_sentence_and_the_page_goes_on(ada: Visitor, tmp_path: Path) -> None:
    figure = ada.open("/models?models_way=own")
    upload = ada.page.locator(".st-key-models-file input[type=file]")
    upload.set_input_files(CONFIGS / "01_llama2_7b.json")
    figure = ada.changed(figure)
    broken = tmp_path / "broken.json"
    broken.write_text('{"head_dim": 64,, <img src=x>', encoding="utf-8")
    upload.set_input_files(broken)
    expect(ada.page.get_by_text("This config cannot be read.")).to_be_visible()
    assert ada.settled() == figure
    assert "a config must be JSON; line 1, column 17" in " ".join(ada.shown("[data-testid=stMarkdown]"))
    assert "The last config that could be read is still shown." in small_print(ada)
    ada.view("models_view", 1).click()
    ada.changed(figure)
    upload.set_input_files(CONFIGS / "21_gpt_neox_20b.json")
    expect(ada.page.get_by_text("This config cannot be read.")).to_have_count(0)
    ada.settled()  # the sentence leaves before the new ones come
    assert "12" in sentences(ada)


def test_broken_numbers_in_a_link_are_named_once_and_the_page_goes_on(ada: Visitor) -> None:
    ada.open('/models?models_way=own&models_config={"head_dim":7}<b>')
    (notice,) = ada.shown("[data-testid=stAlert]")
    assert re.match(r"Your own config: .+; using none\.", notice.strip())
    assert "Nothing is pasted yet" in small_print(ada)


def test_one_click_opens_a_model_on_another_page_with_all_its_values(ada: Visitor) -> None:
    figure = ada.open("/models?models_names=gpt-oss-20b")
    ada.page.get_by_role("button", name="Open in Context extension").click()
    figure = ada.changed(figure)
    assert ada.page.url.startswith(ada.server + "/extension")
    ada.wait_for_boxes(base="150000", head_dim="64", context="4096", target="131072")
    ada.go("Models")
    figure = ada.changed(figure)
    ada.page.get_by_role("button", name="Open in Frequencies").click()
    ada.changed(figure)
    assert ada.page.url.startswith(ada.server + "/frequencies")
    assert "YaRN, factor 32" in " ".join(ada.shown("[data-testid=stSidebar] [data-testid=stMarkdown]"))
