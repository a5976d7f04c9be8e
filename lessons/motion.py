"""From one setting of a page to another: what the numbers that changed are set to on the way."""

from __future__ import annotations

from lessons.page import Page
from parameters import parameters_of
from parameters.settings import Settings
from parameters.types import Number, plain, write

FRAMES = 60


def frames(page: Page, before: Settings, after: Settings) -> list[dict[str, str]]:
    """Return what an address says of the numbers that differ, evenly on the way, without both ends; empty where none does.

    Only numbers that both views depend on move.
    """
    used = set(page.controls(before)) & set(page.controls(after))
    moved = {name: spec for name, spec in parameters_of(page.name).items() if isinstance(spec, Number) and name in used}
    moved = {name: spec for name, spec in moved.items() if before[name] != after[name]}
    shares = [step / FRAMES for step in range(1, FRAMES)] if moved else []
    return [{name: _between(spec, before.number(name), after.number(name), share) for name, spec in moved.items()} for share in shares]


def _between(spec: Number, start: float, end: float, share: float) -> str:
    """Write the number at a share of the way: evenly, or where the control is logarithmic, by equal factors."""
    by_factors = spec.scale == "log" and min(start, end) > 0
    value = start * (end / start) ** share if by_factors else start + (end - start) * share
    value = spec.step * round(value / spec.step) if spec.step else float(f"{value:.6g}")
    return write(plain(min(max(value, min(start, end)), max(start, end))))
