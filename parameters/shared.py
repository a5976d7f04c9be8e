"""The parameters that pages share, which go along from page to page, and the kinds of numbers that several pages have."""

from __future__ import annotations

from typing import Any

from locales import N_
from parameters.types import SUPPORTED, Choice, Method, Number, Parameter, decades

POWERS = [2**power for power in range(8, 24)]


def whole(label: str, help: str, default: float, *, between: tuple[float, float], **more: Any) -> Number:
    """Declare a whole number."""
    return Number(label, help, default=default, low=between[0], high=between[1], **more)


def real(label: str, help: str, default: float, *, between: tuple[float, float], **more: Any) -> Number:
    """Declare a number that need not be whole."""
    return whole(label, help, default, between=between, step=0, **more)


def position(label: str, help: str, default: float, *, high: float = SUPPORTED, **more: Any) -> Number:
    """Declare a position or a distance: every whole number to 100 is a stop of its slider."""
    return whole(label, help, default, between=(0, high), scale="positions", **more)


def length(label: str, help: str, default: float, *, low: float = 1, **more: Any) -> Number:
    """Declare the length of a text, in tokens."""
    return whole(label, help, default, between=(low, SUPPORTED), scale="log", marks=POWERS, **more)


def seed(help: str) -> Number:
    """Declare a random seed."""
    return whole(N_("Random seed"), help, 0, between=(0, 9999))


SHARED: dict[str, Parameter] = {
    "base": real(
        N_("Base b"),
        N_("The number whose powers set the speeds of the pairs; 10,000 in the paper."),
        10_000,
        between=(1.01, 1e9),
        scale="log",
        marks=decades(1, 9),
    ),
    "head_dim": whole(N_("Head width d"), N_("Coordinates of one query or key; two of them form a pair."), 128, between=(2, 512), step=2),
    "rotary": real(
        N_("Share of the width that turns"),
        N_("partial_rotary_factor of a model config: 1 turns all coordinates; at least one pair always turns, and never half of one."),
        1,
        between=(0.01, 1),
        marks=[0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875],
    ),
    "layout": Choice(
        N_("Layout"),
        N_("Which coordinates form pair i: half joins i and i + P, where P is the number of pairs; interleaved joins 2i and 2i + 1."),
        options={"half": N_("half"), "interleaved": N_("interleaved")},
    ),
    "context": length(
        N_("Context length L"), N_("The longest text before any extension, in tokens; turns and sums are counted within it."), 4096
    ),
    "scaling": Method(N_("Scaling"), N_("The method of context extension whose speeds are shown.")),
}
