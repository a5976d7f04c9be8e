"""What stands around the figure works in a browser: configs, presenting, sharing, files, and a browser that cannot load the live figure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.stage import Visitor

CONFIGS = Path(__file__).resolve().parents[1] / "data/configs"


def paste(reader: Visitor, text: str) -> None:
    runs = reader.measure("stage.runs()")
    reader.page.locator("textarea").fill(text)
    reader.page.locator("textarea").press("Control+Enter")
    reader.ran(runs)


def test_a_config_is_pasted_refused_uploaded_and_discarded(ada: Visitor) -> None:
    ada.open("/models?lang=en&models_way=own")
    paste(ada, (CONFIGS / "07_qwen25_7b_yarn.json").read_text())
    assert "YaRN" in ada.look()["verdict"][0]
    assert "models_config" in ada.address()
    before = ada.look()["verdict"]
    paste(ada, "{nonsense")
    assert ada.look()["verdict"] == before, "what cannot be read changes nothing"
    expect(ada.page.get_by_text("This config cannot be read.")).to_be_visible()
    runs = ada.measure("stage.runs()")
    ada.page.locator("input[type=file]").set_input_files(CONFIGS / "12_phi35_mini_longrope.json")
    ada.ran(runs)
    ada.settled()
    assert "LongRoPE" in ada.look()["verdict"][0]
    runs = ada.measure("stage.runs()")
    ada.page.get_by_role("button", name="Discard this config").locator("visible=true").first.click()
    ada.ran(runs)
    assert "models_config" not in ada.address()


def test_a_config_too_long_for_an_address_stays_in_the_visit_and_is_dragged_too(ada: Visitor) -> None:
    ada.open("/models?lang=en&models_way=own")
    document = json.loads((CONFIGS / "12_phi35_mini_longrope.json").read_text())
    for name in ("short_factor", "long_factor"):
        document["rope_scaling"][name] = [value + 1 / 3 for value in document["rope_scaling"][name]] * 4
    paste(ada, json.dumps(document | {"hidden_size": 4 * document["hidden_size"]}))
    assert re.fullmatch("visit:[0-9a-f]+", ada.address()["models_config"])
    before = [ada.measure("stage.drawn()"), ada.figure()]
    ada.drag("models_length", 0.5, 0.6, 0.7)
    ada.until("stage.drawn() > arg[0] && stage.figure() !== arg[1]", before)
    ada.page.mouse.up()
    ada.settled()


def test_presenting_goes_through_the_questions_by_keys_and_ends_by_escape(ada: Visitor) -> None:
    ada.open("/?lang=en&present=1")
    assert ada.shown("h1") == ["What is RoPE, in one moving picture?"]
    assert ada.shown("[data-testid=stSidebar], .st-key-controls, .rope-sentences") == []
    for key, step in (("ArrowRight", "1-question"), ("PageDown", "1-answer"), ("ArrowLeft", "1-question")):
        runs = ada.measure("stage.runs()")
        ada.page.keyboard.press(key)
        ada.ran(runs)
        assert ada.address()["step"] == step
    bottom = ada.measure("document.querySelector('.st-key-presented-figure').getBoundingClientRect().bottom")
    assert bottom <= 800
    runs = ada.measure("stage.runs()")
    ada.page.keyboard.press("Escape")
    ada.ran(runs)
    assert "present" not in ada.address()
    expect(ada.page.locator(".st-key-controls")).to_be_visible()


@pytest.mark.parametrize(("width", "height", "share"), [(1920, 1080, 0.5), (1024, 768, 0.4)])
def test_presented_clocks_fill_the_screen_above_one_large_slider_with_its_value(
    ada: Visitor, width: int, height: int, share: float
) -> None:
    ada.page.set_viewport_size({"width": width, "height": height})
    ada.open("/?lang=en&present=1")
    boxes = ".rope-figure .scatterlayer .trace path, .rope-figure .annotation-text"
    sides = "(all => ['left', 'top', 'right', 'bottom'].map((side, i) => Math[i < 2 ? 'min' : 'max'](...all.map(box => box[side]))))"
    left, top, right, bottom = ada.measure(f"{sides}([...document.querySelectorAll('{boxes}')].map(each => each.getBoundingClientRect()))")
    assert (right - left) * (bottom - top) >= share * width * height
    slider, value = (ada.page.locator(f".rope-live .rope-{part}").bounding_box() for part in ("range", "value"))
    assert slider
    assert value
    assert slider["width"] >= width / 2
    assert bottom <= slider["y"]
    assert value["x"] + value["width"] <= width
    assert value["y"] + value["height"] <= height
    ada.drag("position", 0.2, 0.5)
    ada.until("document.querySelector('.rope-live .rope-value').value !== '12'")
    ada.page.mouse.up()
    ada.settled()
    ada.page.set_viewport_size({"width": 1280, "height": 800})


def test_the_link_of_the_share_dialog_opens_the_same_page(ada: Visitor, bob: Visitor) -> None:
    ada.open("/pair?lang=zh-CN&m=12&pair_view=shift")
    look = ada.look()
    ada.button("share").first.click()
    code = ada.page.locator("[role=dialog] code").first
    expect(code).to_contain_text("/pair?")
    bob.open(code.inner_text())
    assert bob.look() == look
    ada.page.keyboard.press("Escape")


def test_figure_is_downloaded_as_png_and_svg(ada: Visitor) -> None:
    ada.open("/decay?lang=en")
    for title, suffix in (("Download the figure as PNG", ".png"), ("Download the figure as SVG", ".svg")):
        with ada.page.expect_download() as download:
            ada.page.locator(f".modebar-btn[aria-label='{title}'], .modebar-btn[data-title='{title}']").first.click(force=True)
        assert download.value.suggested_filename == f"rope-lab-decay{suffix}"


def test_an_embedded_page_has_its_figure_and_no_way_to_other_pages(ada: Visitor) -> None:
    ada.open("/pair?lang=en&embed=true")
    assert ada.shown("[data-testid=stSidebar], [data-testid=stPageLink], .st-key-share, .st-key-present") == []
    before = ada.figure()
    ada.step(before, "m")
    assert ada.address()["m"] == "8"


def test_a_browser_that_cannot_load_plotly_has_the_charts_and_sliders_of_streamlit(visitor: Callable[..., Visitor]) -> None:
    reader = visitor()
    reader.page.route("**/plotly-*.min.js", lambda route: route.abort())
    reader.page.goto(reader.server + "/decay?lang=en", wait_until="commit")
    expect(reader.page.get_by_test_id("stPlotlyChart")).to_be_visible()
    expect(reader.page.get_by_test_id("stSlider").first).to_be_visible()
    reader.noise.clear()


def test_presented_on_a_telephone_the_figure_and_the_slider_have_its_width(phone: Visitor) -> None:
    phone.open("/decay?lang=en&present=1")
    for part in (".rope-figure", ".rope-live .rope-range"):
        assert phone.page.locator(part).first.evaluate("part => part.getBoundingClientRect().width") > 300, part


def test_a_factor_that_follows_from_the_lengths_is_said_to_do_so(ada: Visitor) -> None:
    ada.open("/extension?lang=en&method=yarn")
    expect(ada.field("stated_factor")).to_have_value("auto (8)")
    ada.drag("target", 0.4, 0.9)
    expect(ada.field("stated_factor")).to_have_value("auto")
    ada.page.mouse.up()
    expect(ada.field("stated_factor")).to_have_value(re.compile(r"auto \(\d"))
    ada.type("stated_factor", "3")
    expect(ada.field("stated_factor")).to_have_value("3")


def test_a_file_that_is_no_config_is_named(ada: Visitor, tmp_path: Path) -> None:
    ada.open("/models?lang=en&models_way=own")
    path = tmp_path / "pytorch_model.gguf"
    path.write_bytes(b"GGUF\x03\x00\x00\x00")
    runs = ada.measure("stage.runs()")
    ada.page.locator("input[type=file]").set_input_files(path)
    ada.ran(runs)
    expect(ada.page.get_by_text("this GGUF file is cut off")).to_be_visible()
