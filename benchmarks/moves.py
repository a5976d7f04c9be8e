"""What people in a class do: drag the page's slider, press a button, set a number, go to another page."""

from __future__ import annotations

import random

from benchmarks.client import Answer, Visitor
from parameters.types import Choice
from ui.parameters import PARAMETERS

SHORTER = {"frequencies": "freq", "extension": "ext"}
PLAIN = ("select_slider", "buttons")


async def random_move(visitor: Visitor, rng: random.Random) -> Answer:
    """Make one move: mostly a step of a drag or its end, now and then another control or another page."""
    dice = rng.random()
    plain = [key for key, control in visitor.controls.items() if control.kind in PLAIN and len(control.values) > 1]
    if dice < 0.1:
        return await visitor.go(rng.choice(list(visitor.pages)))
    if dice < 0.25 and plain:
        key = rng.choice(plain)
        return await visitor.set(key, [rng.choice(visitor.controls[key].values)])
    key = visitor.hero()
    if key is None:
        return await visitor.again()
    return await visitor.drag(key, rng.choice(visitor.controls[key].values), rest=dice > 0.8)


def views(page: str) -> tuple[str, tuple[str, ...]]:
    """Name the parameter that chooses the view of a page, and its codes."""
    name = f"{SHORTER.get(page, page)}_view"
    spec = PARAMETERS[name]
    assert isinstance(spec, Choice)
    return name, tuple(spec.options)
