"""axe-core, the usual checker of accessibility, finds nothing serious on any page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.stage import PATHS, Visitor

# What Streamlit draws and no other widget, label or style of ours would mend: rule and where, with the reason.
EXCUSED = {
    ("list", "[data-testid=stSidebarNavItems]"): "each section of the navigation is a div between list and items; its links are named",
    ("listitem", "[data-testid=stSidebarNavItems] li"): "the items of these sections",
    ("color-contrast", "label[disabled] *"): "WCAG 1.4.3 leaves out what cannot be moved, but this attribute is no state that axe knows",
}
SAMPLE = ("start", "decay", "attention")
"""A page of clocks, of a line, of a heat map."""
STATES = (
    "/?lang=en&lock=position,start_view",
    "/decay?lang=zh-CN&pin=decay:base%3D100",
    "/?lang=en&step=1",
    "/frequencies?lang=zh-CN&present=1&step=1",
    "/pair?lang=en&embed=true",
)


def violations(reader: Visitor) -> list[tuple[str, str, str]]:
    """Return what axe finds grave, or amiss in the order of headings: the rule, the place, and what it says about it."""
    found = Axe().run(reader.page, options={"resultTypes": ["violations"]}).response["violations"]
    grave = [rule for rule in found if rule["impact"] in ("serious", "critical") or rule["id"] == "heading-order"]
    return [(rule["id"], node["target"][-1], f"{node['html'][:200]}: {node['failureSummary']}") for rule in grave for node in rule["nodes"]]


def is_excused(reader: Visitor, rule: str, place: str) -> bool:
    part = reader.page.locator(place).first
    return any(part.evaluate("(part, selector) => part.matches(selector)", where) for name, where in EXCUSED if name == rule)


def assert_sound(reader: Visitor, link: str) -> None:
    reader.turn(link)
    grave = [each for each in violations(reader) if not is_excused(reader, *each[:2])]
    assert not grave, f"{link}: {grave}"


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.exhaustive)])
def test_axe_finds_nothing_grave_on_a_page_of_clocks_a_line_and_a_heat_map(visitor: Callable[..., Visitor], scheme: str) -> None:
    reader = visitor(color_scheme=scheme, reduced_motion="reduce")
    for page in SAMPLE:
        assert_sound(reader, f"{PATHS[page]}?lang=en")


@pytest.mark.exhaustive
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave_on_any_page(visitor: Callable[..., Visitor], scheme: str) -> None:
    reader = visitor(color_scheme=scheme, reduced_motion="reduce")
    for path in PATHS.values():
        assert_sound(reader, f"{path}?lang=zh-CN")


@pytest.mark.parametrize("scheme", ["dark", pytest.param("light", marks=pytest.mark.exhaustive)])
def test_axe_finds_nothing_grave_where_a_page_is_locked_pinned_asked_presented_or_embedded(
    visitor: Callable[..., Visitor], scheme: str
) -> None:
    reader = visitor(color_scheme=scheme, reduced_motion="reduce")
    for link in STATES:
        assert_sound(reader, link)
