"""A random walk: whatever is done in quick turn, a fresh page that is opened from the address shows the same."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Error

from locales import NAMES
from tests.browser.stage import PATHS, Look, Visitor

SOON = 3000
"""Milliseconds for a control that may go away while it is looked for."""
TYPED = ("0", "1", "7", "64", "500,000", "1e6", "12.5", "-3", "1000000", "many", "1, 2", "")
KEYS = ("ArrowRight", "ArrowLeft", "ArrowUp", "PageUp", "PageDown", "Home", "End")
# What there is to act upon: numbers, rows of buttons with their length, lists, boxes for texts, buttons by their key.
THERE = """(() => {
    const seen = part => part.getClientRects().length > 0;
    const names = (selector, pattern) => [...document.querySelectorAll(selector)].filter(seen)
        .map(part => part.closest('[class*=st-key-]').className.match(pattern)?.[1]).filter(Boolean);
    return {
        numbers: [...document.querySelectorAll('.rope-range:enabled')].filter(seen).map(part => part.id.slice(5)),
        rows: names('[role=radiogroup]', /st-key-(?:w-)?([a-z_]+)/),
        lists: names('.stSelectbox input', /st-key-w-(\\S+)/),
        boxes: names('.stTextInput input', /st-key-w-(\\S+)/),
        buttons: ['pin', 'unpin', 'scaling-remove', 'step-next', 'step-again', 'step-free', 'present', 'present-leave']
            .filter(key => document.querySelector(`.st-key-${key} button`)),
    };
})()"""
PAUSE = (
    "[...document.querySelectorAll('.rope-number')].filter(part => part.ropeNumber?.timer).forEach(part => part.ropeNumber.play.click())"
)
Act = Callable[[Visitor, Random, dict[str, list[str]]], str]


def press_keys(reader: Visitor, chance: Random, there: dict[str, list[str]]) -> str:
    name, keys = chance.choice(there["numbers"]), chance.choices(KEYS, k=chance.randint(1, 4))
    reader.press(name, *keys)
    return f"{keys} on {name}"


def drag(reader: Visitor, chance: Random, there: dict[str, list[str]]) -> str:
    name, shares = chance.choice(there["numbers"]), [chance.random() for _ in range(chance.randint(1, 4))]
    reader.drag(name, *shares)
    reader.page.mouse.up()
    return f"drag of {name} to {shares}"


def click_twice(reader: Visitor, chance: Random, there: dict[str, list[str]]) -> str:
    name = chance.choice(there["numbers"])
    for share in (one := [chance.random(), chance.random()]):
        reader.drag(name, share)
        reader.page.mouse.up()
    return f"clicks on {name} at {one}"


def type_number(reader: Visitor, chance: Random, there: dict[str, list[str]]) -> str:
    name, text = chance.choice(there["numbers"] + there["boxes"]), chance.choice(TYPED)
    reader.type(name, text)
    return f"{text!r} into {name}"


def play(reader: Visitor, chance: Random, there: dict[str, list[str]]) -> str:
    reader.page.locator(".rope-play:visible").click()
    reader.page.wait_for_timeout(chance.randint(0, 300))
    return "play"


def choose(reader: Visitor, chance: Random, there: dict[str, list[str]]) -> str:
    name = chance.choice([name for name in there["rows"] if name != "below"])
    options = reader.option(name, 0).locator("xpath=..").get_by_role("radio")
    option = options.nth(chance.randrange(options.count()))
    option.click()
    return f"{name}: {option.inner_text()}"


def pick(reader: Visitor, chance: Random, there: dict[str, list[str]]) -> str:
    name = chance.choice(there["lists"])
    reader.page.locator(f".st-key-w-{name} input").click()
    reader.page.get_by_role("option").first.wait_for()
    for _ in range(chance.randint(0, 6)):
        reader.page.keyboard.press("ArrowDown")
    reader.page.keyboard.press("Enter")
    return f"{name} from its list"


def push(reader: Visitor, chance: Random, there: dict[str, list[str]]) -> str:
    key = chance.choice(there["buttons"])
    reader.button(key).first.click()
    return f"button {key}"


def speak(reader: Visitor, chance: Random, there: dict[str, list[str]]) -> str:
    name = chance.choice([*NAMES.values()])
    reader.pick("lang", name)
    return name


def go_back(reader: Visitor, chance: Random, there: dict[str, list[str]]) -> str:
    way = chance.choice(("back", "back", "forward"))
    reader.measure(f"history.{way}()")
    reader.page.wait_for_timeout(50)  # the browser goes there by itself
    return way


def reload(reader: Visitor, chance: Random, there: dict[str, list[str]]) -> str:
    reader.page.reload(wait_until="commit")
    reader.settled()
    return "reload"


def turn_page(reader: Visitor, chance: Random, there: dict[str, list[str]]) -> str:
    links = reader.page.get_by_test_id("stSidebarNavLink")
    link = links.nth(chance.randrange(links.count()))
    link.click()
    return f"page {link.inner_text()}"


ACTS: dict[Act, int] = {
    press_keys: 4,
    drag: 4,
    click_twice: 2,
    type_number: 4,
    play: 1,
    choose: 6,
    pick: 2,
    push: 2,
    speak: 1,
    go_back: 4,
    reload: 1,
    turn_page: 1,
}
"""What is done, and how often."""


def act(reader: Visitor, chance: Random) -> str:
    """Do something that the page offers at this moment; what goes away meanwhile is left alone."""
    [doing] = chance.choices([*ACTS], [*ACTS.values()])
    try:
        return doing(reader, chance, reader.measure(THERE))
    except (Error, IndexError, ValueError) as error:
        if "waited in vain" in str(error):
            raise
        return f"no {doing.__name__}: {str(error)[:60]!r}"


def comparable(look: Look) -> Look:
    """Return what an address decides: which of several models with the same settings was chosen, a visit knows alone."""
    return look | {"choices": [choice for choice in look["choices"] if choice[0] != "model"]}


LONG = [pytest.param(page, seed, 25, marks=pytest.mark.exhaustive) for page in PATHS for seed in range(4)]


@pytest.mark.parametrize(("page", "seed", "bursts"), [("attention", 1, 6), ("pair", 2, 6), *LONG])
def test_a_fresh_page_shows_what_a_walk_has_come_to(visitor: Callable[..., Visitor], page: str, seed: int, bursts: int) -> None:
    walker, fresh, chance = visitor(), visitor(), Random(f"{page} {seed}")
    walker.page.set_default_timeout(SOON)
    walker.open(f"{PATHS[page]}?lang=en")
    done: list[str] = []
    for _ in range(bursts):
        for _ in range(5):
            done.append(act(walker, chance))
            walker.page.wait_for_timeout(chance.choice((0, 30, 100, 200)))
        walker.measure(PAUSE)
        walker.settled()
        seen = comparable(walker.look())
        fresh.open(walker.link())
        expected: dict[str, Any] = comparable(fresh.look())
        wrong = {name: (seen[name], expected[name]) for name in seen if seen[name] != expected[name]}
        assert not wrong, (walker.link(), done[-12:], str(wrong)[:3000])
