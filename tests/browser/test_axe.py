"""axe-core, the usual checker of accessibility, finds nothing serious on any page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.stage import Visitor
from lessons.registry import LESSONS

# What Streamlit draws and no other widget, label or style of ours would mend: rule and where, with the reason.
EXCUSED = {
    ("list", "[data-testid=stSidebarNavItems]"): "each section of the navigation is a div between list and items; its links are named",
    ("listitem", "[data-testid=stSidebarNavItems] li"): "the items of these sections",
    ("color-contrast", "label[disabled] *"): "WCAG 1.4.3 leaves out what cannot be moved, but this attribute is no state that axe knows",
}
LOOKS = {"light": "en", "dark": "zh-CN"}
STATES = {
    "light": ("?lock=position", "decay?pin=decay:", "?present=1&step=1"),
    "dark": ("?lock=position", "?step=1", "?embed=true"),
}


def violations(reader: Visitor) -> list[tuple[str, str, str]]:
    """What axe finds grave, or amiss in the order of headings: the rule, the place, and what it says about it."""
    found = Axe().run(reader.page, options={"resultTypes": ["violations"]}).response["violations"]
    grave = [rule for rule in found if rule["impact"] in ("serious", "critical") or rule["id"] == "heading-order"]
    return [(rule["id"], node["target"][-1], f"{node['html'][:200]}: {node['failureSummary']}") for rule in grave for node in rule["nodes"]]


def excuses(reader: Visitor, rule: str, place: str) -> set[tuple[str, str]]:
    """Which excuses hold for a violation."""
    part = reader.page.locator(place).first
    return {excuse for excuse in EXCUSED if excuse[0] == rule and part.evaluate("(part, selector) => part.matches(selector)", excuse[1])}


@pytest.mark.parametrize("scheme", LOOKS)
def test_axe_finds_nothing_grave_on_any_page(visitor: Callable[..., Visitor], scheme: str) -> None:
    reader, used = visitor(color_scheme=scheme, reduced_motion="reduce"), set()
    for name in LESSONS:
        reader.open(f"/{'' if name == 'start' else name}?lang={LOOKS[scheme]}")
        for rule, place, why in violations(reader):
            excused = excuses(reader, rule, place)
            assert excused, f"{name}: {rule}: {why}"
            used |= excused
    assert used == set(EXCUSED), "an excuse that nothing needs hides what comes next"


@pytest.mark.parametrize("scheme", LOOKS)
def test_axe_finds_nothing_grave_in_what_can_be_opened(visitor: Callable[..., Visitor], scheme: str) -> None:
    reader = visitor(color_scheme=scheme, reduced_motion="reduce")
    for name in ("start", "attention", "bases", "extension", "models"):
        reader.open(f"/{'' if name == 'start' else name}?lang={LOOKS[scheme]}")
        folds = reader.page.locator("[data-testid=stMain] [data-testid=stExpander] summary")
        for index in range(folds.count()):
            folds.nth(index).click()
            reader.settled()
        reader.page.locator(".rope-ask").click()
        expect(reader.page.locator(".js-plotly-plot")).to_be_visible()
        grave = [each for each in violations(reader) if not excuses(reader, *each[:2])]
        assert not grave, f"{name}: {grave}"


@pytest.mark.parametrize("scheme", STATES)
def test_axe_finds_nothing_grave_where_a_page_is_locked_pinned_asked_presented_or_embedded(
    visitor: Callable[..., Visitor], scheme: str
) -> None:
    reader = visitor(color_scheme=scheme, reduced_motion="reduce")
    for link in STATES[scheme]:
        reader.open(f"/{link}&lang={LOOKS[scheme]}")
        grave = [each for each in violations(reader) if not excuses(reader, *each[:2])]
        assert not grave, f"{link}: {grave}"
