"""Every page draws what it says, and its controls move the figure."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.stage import VIEWS, Visitor

ADDRESSES = {name: "/" if name == "start" else f"/{name}" for name in VIEWS}
# Everything that a reader sees or hears as words: neither code nor formulas, whose TeX has braces of its own, nor Streamlit's header.
WORDS = """() => {
    const page = document.querySelector('[data-testid=stApp]').cloneNode(true);
    page.querySelectorAll('.katex, pre, code, header, [data-testid=stIconMaterial], [class*=st-key-hidden-]')
        .forEach(part => part.remove());
    return [...page.querySelectorAll('p, li, h1, h2, h3, label, text')].map(part => part.textContent)
        .concat(document.querySelector('.rope-chart').ariaLabel);
}"""
# Words that Chinese texts write as they are.
NAMES = {
    # Models, methods, and keys of their configs.
    *("Apertus", "CodeLlama", "DeepSeek", "EXAONE", "Gemma", "InternLM", "Kimi", "LLaMA", "MiniCPM", "Mistral", "Olmo", "Qwen", "mini"),
    *("LongRoPE", "YaRN", "aware", "parts", "transformers", "JSON", "json", "config", "Markdown", "HTML", "Jupyter"),
    *("attention", "embeddings", "factor", "freq", "full", "high", "original", "position", "sliding"),
    "info",  # the name of an icon
    "softmax",
    "flatten",
    "RoPE",
    "RoFormer",
    "PyTorch",
    "English",
    "Language",
    "float",
    "token",
    "half",
    "interleaved",
    "ALiBi",
    "arXiv",
    "Llama",
}


def _check_what_is_shown(visitor: Visitor, lang: str) -> None:
    page = visitor.page
    assert page.locator(".js-plotly-plot").count() == 1
    assert page.locator(".js-plotly-plot .trace path, .js-plotly-plot .barlayer path, .js-plotly-plot .hm image").count() > 0
    assert page.locator(".katex").count() > 0
    assert page.locator(".katex-error").count() == 0
    assert page.get_by_test_id("stException").count() == 0
    assert page.get_by_test_id("stAlertContentError").count() == 0
    assert page.get_by_test_id("stAlertContentWarning").count() == 0
    words = visitor.measure(WORDS)
    assert not [text for text in words if re.search(r"[{}$\\]|undefined|NaN", text)]
    if lang == "zh-CN" and "/glossary" not in page.url:  # which has every term in both languages
        assert not [text for text in words if set(re.findall(r"[A-Za-z]{4,}", text)) - NAMES]
    assert page.locator(".js-plotly-plot text").count() > 0
    assert re.search(r"\d", page.locator(".rope-chart").get_attribute("aria-label"))


@pytest.mark.parametrize("lang", ["en", "zh-CN"])
@pytest.mark.parametrize("name", VIEWS)
def test_every_view_draws_its_figure_and_speaks_one_clean_language(ada: Visitor, name: str, lang: str) -> None:
    choice, codes = VIEWS[name]
    figure = ada.open(f"{ADDRESSES[name]}?lang={lang}")
    _check_what_is_shown(ada, lang)
    for index in range(1, len(codes)):
        ada.view(choice, index).click()
        figure = ada.changed(figure)
        ada.wait_for_address(**{choice: codes[index], "lang": lang})
        _check_what_is_shown(ada, lang)


def test_each_view_has_a_link_of_its_own(ada: Visitor) -> None:
    figures = []
    for name, (choice, codes) in VIEWS.items():
        for index, code in enumerate(codes[1:], start=1):
            figures.append(ada.open(f"{ADDRESSES[name]}?{choice}={code}"))
            assert ada.view(choice, index).get_attribute("aria-checked") == "true"
    assert len(set(figures)) == len(figures)


@pytest.mark.parametrize(
    ("link", "name", "typed"),
    [("/", "position", "777"), ("/?start_view=two", "gap", "31"), ("/pair", "m", "123"), ("/decay", "reach", "3000")],
)
def test_slider_box_address_and_figure_agree(ada: Visitor, link: str, name: str, typed: str) -> None:
    figure = ada.open(link)
    first = ada.box(name).input_value()
    ada.slider(name).focus()
    ada.page.keyboard.press("ArrowRight")
    figure = ada.changed(figure)
    moved = ada.wait_for_another(name, first)
    assert float(moved) > float(first)
    expect(ada.slider(name)).to_have_attribute("aria-valuetext", f"{int(moved):,}")
    ada.page.wait_for_function("([name, value]) => +new URLSearchParams(location.search).get(name) === value", arg=[name, float(moved)])

    ada.set_box(name, typed)
    ada.changed(figure)
    expect(ada.slider(name)).to_have_attribute("aria-valuetext", f"{int(typed):,}")
    ada.page.wait_for_function("([name, value]) => +new URLSearchParams(location.search).get(name) === value", arg=[name, float(typed)])


def test_a_shared_control_in_the_sidebar_changes_the_figure(ada: Visitor) -> None:
    figure = ada.open("/decay")
    ada.slider("base").focus()
    ada.page.keyboard.press("ArrowRight")
    figure = ada.changed(figure)
    ada.wait_for_boxes(base="20000")
    ada.set_box("head_dim", "64")
    ada.changed(figure)
    ada.page.wait_for_function("+new URLSearchParams(location.search).get('head_dim') === 64")


@pytest.mark.parametrize("name", VIEWS)
def test_each_button_under_try_this_changes_the_figure(ada: Visitor, name: str) -> None:
    figure = ada.open(ADDRESSES[name])
    buttons = ada.page.locator(f"[class*=st-key-{name}-try] button")
    assert 2 <= buttons.count() <= 4
    for index in range(buttons.count()):
        buttons.nth(index).click()
        figure = ada.changed(figure)
    assert ada.asked_for()


@pytest.mark.parametrize("name", VIEWS)
def test_the_numbers_of_the_figure_can_be_taken_home(ada: Visitor, name: str) -> None:
    ada.open(ADDRESSES[name])
    with ada.page.expect_download() as download:
        ada.page.get_by_test_id("stDownloadButton").get_by_role("button", name="CSV").click()
    assert download.value.suggested_filename == f"rope-lab-{name}.csv"
    header, *rows = [line for line in download.value.path().read_text().splitlines() if not line.startswith("#")]
    assert rows
    assert all(len([float(cell or 0) for cell in row.split(",")]) == len(header.split(",")) for row in rows)


def test_two_visitors_keep_their_own_values(visitor: Callable[..., Visitor]) -> None:
    ada, bob = visitor(), visitor()
    before = ada.open("/pair?m=11")
    bob.open("/pair?m=11")
    bob.set_box("m", "40")
    bob.changed(before)
    ada.set_box("q", "1, 1")
    ada.changed(before)
    ada.wait_for_boxes(m="11", q="1, 1")
    bob.wait_for_boxes(m="40", q="1.5, 0.5")
