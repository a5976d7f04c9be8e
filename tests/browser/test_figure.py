"""The figure in a browser: its buttons, its legend, files made of it, two settings in it, and a browser that cannot draw it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Locator, expect

from tests.browser.conftest import Enter
from tests.browser.stage import Visitor, traces

RANGE = "stage.ranges()[0][1]"
INK = """['.xtick text', '.ygrid'].map(name => getComputedStyle(document.querySelector(`.rope-figure ${name}`)))
    .map((style, index) => index ? style.stroke : style.fill)"""


def tool(reader: Visitor, title: str) -> Locator:
    """Return a button of the figure, which shows itself under the mouse."""
    reader.page.locator(".rope-figure").first.hover()
    return reader.page.locator(f'.modebar-btn[data-title="{title}"]').first


def picture(reader: Visitor, kind: str, folder: Path) -> Path:
    with reader.page.expect_download() as download:
        tool(reader, f"Download the figure as {kind.upper()}").click()
    assert download.value.suggested_filename == f"rope-lab-decay.{kind}"
    target = folder / download.value.suggested_filename
    download.value.save_as(target)
    return target


def test_buttons_of_the_figure_speak_the_language_of_the_page_and_none_sends_it_away(ada: Visitor) -> None:
    ada.turn("/decay?lang=zh-CN")
    titles = ada.measure("[...document.querySelectorAll('.modebar-btn')].map(button => button.ariaLabel)")
    assert titles == ["框选缩放", "平移", "放大", "缩小", "自动缩放", "还原坐标轴", "下载 PNG 图片", "下载 SVG 图片", "全屏"]


def test_zoom_is_changed_and_undone_by_keys(ada: Visitor) -> None:
    ada.turn("/decay?lang=en")
    whole = ada.measure(RANGE)
    tool(ada, "Zoom in").focus()
    ada.page.keyboard.press("Enter")
    ada.until(f"{RANGE}[1] < arg[1]", whole)
    tool(ada, "Reset axes").focus()
    ada.page.keyboard.press("Enter")
    ada.until(f"String({RANGE}) === String(arg)", whole)


def test_the_keyboard_hides_a_trace_in_the_legend_and_it_stays_hidden(ada: Visitor) -> None:
    ada.turn("/decay?lang=en")
    entry = ada.page.get_by_role("button", name="minimum per bin", exact=True)
    expect(entry).to_have_attribute("aria-pressed", "true")
    for key, pressed in (("Enter", "false"), (" ", "true"), ("Enter", "false")):
        entry.focus()
        ada.page.keyboard.press(key)
        expect(entry).to_have_attribute("aria-pressed", pressed)
        expect(entry).to_be_focused()
        assert entry.evaluate("part => getComputedStyle(part).outlineStyle") == "solid"
    ada.step(ada.figure(), "base")
    expect(entry).to_have_attribute("aria-pressed", "false")


def test_pictures_are_dark_on_white_in_the_dark_theme_and_keep_the_zoom(visitor: Enter, tmp_path: Path) -> None:
    reader = visitor(color_scheme="dark", accept_downloads=True)
    reader.open("/decay?lang=en&reach=20000")
    size = reader.measure("[stage.layout().width, stage.layout().height]")
    image = Image.open(picture(reader, "png", tmp_path)).convert("RGB")
    assert list(image.size) == [2 * side for side in size]
    assert image.getpixel((2, 2)) == (255, 255, 255)
    colours = image.getcolors(image.width * image.height) or []
    assert min(sum(colour) for _, colour in colours) < 250, "text must be dark"
    whole = picture(reader, "svg", tmp_path).read_text()
    tree = ET.fromstring(whole)
    assert tree.tag == "{http://www.w3.org/2000/svg}svg"
    assert "distance m - n (tokens, log axis)" in "".join(tree.itertext())
    assert "rgb(255, 255, 255)" in whole
    reader.measure("Plotly.relayout(document.querySelector('.rope-figure'), {'yaxis.range': [-1, 1]}).then(() => 1)")
    assert picture(reader, "svg", tmp_path).read_text() != whole


def test_a_change_of_theme_recolours_text_and_grid_without_a_run(ada: Visitor) -> None:
    ada.page.emulate_media(color_scheme="light")
    figure = ada.turn("/decay?lang=en")
    light, runs = ada.measure(INK), ada.measure("stage.runs()")
    ada.page.emulate_media(color_scheme="dark")
    ada.until(f"{INK}.every((ink, index) => ink !== arg[index])", light)
    assert ada.measure(INK)[0] == ada.measure("getComputedStyle(document.querySelector('[data-testid=stMain]')).color")
    assert ada.settled() == figure
    ada.page.emulate_media(color_scheme="light")
    ada.until(f"JSON.stringify({INK}) === JSON.stringify(arg)", light)
    assert ada.measure("stage.runs()") == runs


@pytest.mark.parametrize("has_full_screen", [True, False])
def test_the_figure_fills_the_screen_or_where_there_is_no_full_screen_the_page(visitor: Enter, has_full_screen: bool) -> None:
    reader = visitor()
    if not has_full_screen:
        reader.page.add_init_script("delete Element.prototype.requestFullscreen")
    reader.open("/decay?lang=en")
    figure = reader.page.locator(".rope-figure").first
    before = figure.bounding_box()
    for expected in ({"x": 0, "y": 0, "width": 1280, "height": 800}, before):
        tool(reader, "Full screen").click()
        reader.until("stage.layout().width === arg.width && stage.layout().height === arg.height", expected)
        assert figure.bounding_box() == expected


def test_a_page_opens_from_the_disk_without_a_network(visitor: Enter, browser: Browser, tmp_path: Path) -> None:
    reader = visitor(accept_downloads=True)
    reader.open("/decay?lang=zh-CN&vectors=peak")
    sentence = reader.shown(".rope-sentences li")[0]
    reader.page.locator(".st-key-below [role=radio]").last.click()
    with reader.page.expect_download() as download:
        reader.button("download.html").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    context, asked, noise = browser.new_context(), [], []
    context.route(lambda url: not url.startswith("file:"), lambda route: (asked.append(route.request.url), route.abort()))
    page = context.new_page()
    page.on("console", lambda message: noise.append(message.text))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.goto(file.as_uri())
    page.locator("#figure .main-svg").first.wait_for()
    assert page.evaluate("document.querySelector('#figure').data.length") > 0
    assert sentence in page.locator("ul li").first.inner_text()
    assert page.locator("math").first.bounding_box()["height"] > 20
    assert page.locator("tbody tr").count() > 3
    assert page.locator("h1").inner_text() == page.title()
    assert page.locator("footer a").get_attribute("href").startswith(reader.server)
    context.close()
    assert (asked, noise) == ([], [])


def test_a_and_b_are_drawn_together_through_a_drag_and_the_link_brings_both(ada: Visitor, bob: Visitor) -> None:
    alone = ada.open("/decay?lang=en")
    ada.measure("Plotly.relayout(document.querySelector('.rope-figure'), {'yaxis.range': [-5, 50]}).then(() => 1)")
    ada.page.locator(".rope-figure .legendtoggle").last.click()
    ada.until("stage.hidden().length === 1")
    (hidden,) = ada.measure("stage.hidden()")
    ada.button("pin").click()
    ada.wait_for_address(pin="decay:")
    ada.settled()
    assert ada.measure("[stage.ranges()[1][1], stage.hidden()]") == [[-5, 50], [f"B: {hidden}"]]
    before = ada.measure("[stage.drawn(), stage.text('.rope-compared')]")
    ada.drag("base", 0.45, 0.6)
    ada.until("stage.drawn() > arg[0] && String(stage.text('.rope-compared')) !== String(arg[1])", before)
    ada.page.mouse.up()
    both = ada.settled()
    assert [trace["name"][:6] for trace in traces(both)] == ["B: max", "B: min", "A: max", "A: min"]
    assert "Base b" in " ".join(ada.shown(".rope-compared p"))
    assert ada.shown(".rope-compared table")
    bob.turn(ada.link())
    assert [(each["x"], each["y"]) for each in traces(bob.figure())] == [(each["x"], each["y"]) for each in traces(both)]
    assert {**bob.look(), "figure": ""} == {**ada.look(), "figure": ""}  # zoom and hidden traces are hers
    bob.button("unpin").click()
    bob.wait_for_address(pin=None)
    bob.turn("/decay?lang=en")
    assert bob.settled() == alone


def test_cells_of_a_and_b_get_a_figure_of_their_difference(ada: Visitor) -> None:
    ada.turn("/attention?lang=en&pin=attention%3A")
    ada.type("base", "500")
    ada.page.locator("[role=figure][aria-label*='B − A']").wait_for()
    scale = "document.querySelectorAll('.js-plotly-plot')[1]?._fullLayout.coloraxis"
    ada.until(f"{scale}?.cmax > 0")
    low, high = ada.measure(f"[{scale}.cmin, {scale}.cmax]")
    assert low == -high < 0
    ada.settled()
    drawn = ada.measure("[stage.drawn(), stage.figure()]")
    ada.drag("base", 0.2, 0.5)
    ada.until("stage.drawn() > arg[0] && JSON.parse(stage.figure())[1].alt !== JSON.parse(arg[1])[1].alt", drawn)
    ada.page.mouse.up()


@pytest.mark.parametrize(("link", "name", "answer"), [("/", "position", "refusal"), ("/frequencies", "base", "silence")])
def test_a_browser_without_plotly_gets_the_chart_and_the_sliders_of_streamlit(visitor: Enter, link: str, name: str, answer: str) -> None:
    reader = visitor()
    refuse: Callable[[Any], None] = lambda route: route.abort() if answer == "refusal" else None  # noqa: E731
    reader.page.route("**/plotly-*.min.js", refuse)
    if answer == "silence":
        hurry = "(own => window.setTimeout = (act, time) => own(act, time === 15_000 ? 50 : time))(setTimeout)"
        reader.page.add_init_script(hurry)
    reader.open(link + "?lang=en")
    assert reader.page.locator(".rope-live, .rope-number").count() == 0
    before = reader.shown(".stMarkdown li")
    slider = reader.page.locator(f".st-key-w-{name} [role=slider], .st-key-w-{name} input[type=range]").first
    slider.focus()
    runs = reader.measure("stage.runs()")
    reader.page.keyboard.press("ArrowRight")
    reader.ran(runs)
    assert float(reader.address()[name]) > 0
    assert reader.shown(".stMarkdown li") != before
    assert reader.page.get_by_test_id("stException").count() == 0
    assert all("plotly-" in sound for sound in reader.noise), reader.noise
    reader.noise.clear()


@pytest.mark.parametrize(
    ("link", "changed"),
    [
        ("/?lang=en&start_view=two", "position=9"),  # a legend that is gone
        ("/head?lang=en&head_dim=128", "head_dim=8"),  # planes in other places
        ("/head?lang=en&head_view=matrices", "head_dim=8"),  # a colour bar that is gone
        ("/pair?lang=en", "pair_view=positions"),  # axes that are hidden
    ],
)
def test_nothing_of_the_figure_before_shapes_the_next_one(ada: Visitor, bob: Visitor, link: str, changed: str) -> None:
    path = link.partition("?")[0]
    ada.open(link)
    assert ada.turn(f"{path}?lang=en&{changed}") == bob.open(f"{path}?lang=en&{changed}")
    ada.measure("window.dispatchEvent(new Event('resize'))")  # the same figure once more
    assert ada.settled() == bob.figure()
