"""The browser holds the pages to their Content-Security-Policy, and they work under it.

A refused script, style, font, image or connection is an error in the console, and every visitor fails at those.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.stage import VIEWS, Server, Visitor

ADDRESSES = {name: "/" if name == "start" else f"/{name}" for name in VIEWS}
NASTY = ["<img src=x onerror=document.title='caught'>", "<script>document.title='caught'</script>", "[x](javascript:document.title='caught')"]
FRAME_HOST = "http://127.0.0.1:65000/"


@pytest.mark.parametrize("name", VIEWS)
def test_every_page_lives_within_the_policy(ada: Visitor, name: str) -> None:
    choice, codes = VIEWS[name]
    figure = ada.open(ADDRESSES[name])
    for index in range(1, len(codes)):
        ada.view(choice, index).click()
        figure = ada.changed(figure)
    with ada.page.expect_download() as table:
        ada.page.get_by_test_id("stDownloadButton").get_by_role("button").first.click()
    assert table.value.path().stat().st_size > 100
    assert ada.noise == []


def test_the_live_chart_and_the_pictures_that_leave_it_need_no_more(ada: Visitor) -> None:
    """Its parts are modules made in the browser, its library comes from our own route, its PNG goes through a picture of an SVG."""
    figure = ada.open("/decay")
    assert ada.page.locator(".rope-chart.js-plotly-plot").count() == 1
    hand = ada.page.locator(".rope-slider input")
    if hand.count():
        hand.first.focus()
        ada.page.keyboard.press("ArrowRight")
        ada.changed(figure)
    with ada.page.expect_download() as picture:
        ada.page.locator(".js-plotly-plot").hover()
        ada.page.locator(".modebar-btn[data-title*=PNG], .modebar-btn[data-title*=png]").click()
    assert picture.value.path().read_bytes().startswith(b"\x89PNG")
    assert ada.noise == []


@pytest.mark.parametrize(
    "attempt",
    [
        "() => new Function('return 1')()",
        "() => { const script = document.createElement('script'); script.text = 'window.caught = 1'; document.body.append(script) }",
        "() => new Promise(done => { const i = new Image(); i.onerror = done; i.src = 'http://127.0.0.1:9/x.png'; document.body.append(i) })",
        "() => fetch('http://127.0.0.1:9/').catch(() => 0)",
        "() => new Promise(done => { const f = document.createElement('iframe'); f.onload = done; f.src = 'http://127.0.0.1:9/'; "
        "document.body.append(f) })",
    ],
)
def test_what_the_policy_forbids_is_heard(ada: Visitor, attempt: str) -> None:
    ada.open("/")
    try:
        ada.page.evaluate(attempt)
    except Exception as error:
        ada.noise.append(str(error))
    assert any("Content Security Policy" in sound for sound in ada.noise)
    assert ada.page.evaluate("window.caught") is None
    ada.noise.clear()


@pytest.mark.parametrize("text", NASTY)
def test_a_script_in_a_link_stays_text(ada: Visitor, text: str) -> None:
    ada.page.goto(f"{ada.server}/pair?" + "&".join(f"{name}={text}" for name in ("q", "m", "lang", "pair_view", "base", "nobody")))
    ada.settled()
    assert ada.page.title() != "caught"
    assert ada.page.locator("img[src=x], a[href^='javascript:']").count() == 0


@pytest.mark.parametrize(("frames", "shown"), [("", False), ("http://127.0.0.1:65000", True)])
def test_another_site_may_frame_the_app_where_it_is_named(
    visitor: Callable[..., Visitor], fresh_server: Callable[..., Server], frames: str, shown: bool
) -> None:
    reader = visitor(url=fresh_server(ROPE_LAB_FRAME_ANCESTORS=frames).url)
    body = f"<iframe width=1200 height=800 src='{reader.server}/?embed=true'></iframe>"
    reader.page.route(FRAME_HOST, lambda route: route.fulfill(content_type="text/html", body=body))
    reader.page.goto(FRAME_HOST)
    if shown:
        reader.page.frame_locator("iframe").locator(".js-plotly-plot .main-svg").first.wait_for()
    else:
        reader.page.wait_for_timeout(1000)
        assert reader.page.frames[1].url.startswith("chrome-error:")
        assert any("frame-ancestors" in sound for sound in reader.noise)
        reader.noise.clear()
