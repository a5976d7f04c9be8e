"""Pictures made in the browser, and the page as one file, opened from the disk without any network."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.browser.stage import Visitor

PAPER = (255, 255, 255)


@pytest.fixture
def ada(visitor: Callable[..., Visitor]) -> Visitor:
    return visitor(color_scheme="dark", accept_downloads=True)


def picture(reader: Visitor, kind: str, folder: Path) -> Path:
    with reader.page.expect_download() as download:
        reader.page.locator(".js-plotly-plot").hover()
        reader.page.locator(f".modebar-btn[data-title*={kind.upper()}]").click()
    assert download.value.suggested_filename == f"rope-lab-decay.{kind}"
    target = folder / download.value.suggested_filename
    download.value.save_as(target)
    return target


def test_png_is_dark_on_white_in_the_dark_theme_and_twice_as_large_as_on_screen(ada: Visitor, tmp_path: Path) -> None:
    ada.open("/decay?reach=20000")
    size = ada.measure("() => { const {width, height} = document.querySelector('.js-plotly-plot')._fullLayout; return [width, height]; }")
    image = Image.open(picture(ada, "png", tmp_path)).convert("RGB")
    assert list(image.size) == [2 * side for side in size]
    colors = {color for _, color in image.getcolors(image.width * image.height)}
    assert image.getpixel((2, 2)) == PAPER
    assert min(sum(color) for color in colors) < 250, "text must be dark"


def test_svg_is_well_formed_and_carries_the_title_of_the_axis(ada: Visitor, tmp_path: Path) -> None:
    ada.open("/decay?reach=20000")
    tree = ET.parse(picture(ada, "svg", tmp_path)).getroot()
    assert tree.tag == "{http://www.w3.org/2000/svg}svg"
    assert "distance m - n (tokens, log axis)" in "".join(tree.itertext())
    assert "rgb(255, 255, 255)" in ET.tostring(tree, encoding="unicode")


def test_picture_keeps_the_zoom(ada: Visitor, tmp_path: Path) -> None:
    ada.open("/decay?reach=20000")
    whole = picture(ada, "svg", tmp_path).read_text()
    ada.page.evaluate("Plotly.relayout(document.querySelector('.js-plotly-plot'), {'yaxis.range': [-1, 1]})")
    assert picture(ada, "svg", tmp_path).read_text() != whole


@pytest.mark.parametrize("link", ["/decay?lang=zh-CN&vectors=peak", "/?lang=en", "/attention?lang=en"])
def test_page_opens_from_the_disk_without_a_network(ada: Visitor, browser: Browser, tmp_path: Path, link: str) -> None:
    ada.open(link)
    sentence = ada.shown("[data-testid=stMarkdown] li")[0]
    with ada.page.expect_download() as download:
        ada.page.locator("[class*='away-html'] button").locator("visible=true").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    context = browser.new_context()
    asked: list[str] = []
    context.route(lambda url: not url.startswith("file:"), lambda route: (asked.append(route.request.url), route.abort()))
    page, noise = context.new_page(), []
    page.on("console", lambda message: noise.append(message.text))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.goto(file.as_uri())
    page.locator("#figure .main-svg").first.wait_for()
    assert page.evaluate("document.querySelector('#figure').data.length") > 0
    assert sentence in page.locator("ul li").first.inner_text()
    assert page.locator("math").first.bounding_box()["height"] > 20
    assert page.locator("tbody tr").count() > 3
    assert page.locator("h1").inner_text() == page.title()
    assert page.locator("footer a").get_attribute("href").startswith(ada.server)
    page.screenshot(path=tmp_path / "page.png", full_page=True)
    context.close()
    assert (asked, noise) == ([], [])
