"""Kinds of parameters: a number, a choice, a row of numbers, a method, names from a list, a text. Each reads what a link says of it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

import numpy as np

SUPPORTED = 10_000_000  # positions and distances; beyond, the float64 angle itself is no longer exact enough
Value = float | str
Scale = Literal["linear", "log", "positions"]
STOPS = 320
"""Stops of a slider, about: so many that it looks continuous."""
WORD = re.compile(r"\w[\w'’-]*")
GROUPED = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?", re.ASCII)


@dataclass(frozen=True)
class Named:
    """What every parameter has: the name of its control, and what it is."""

    label: str
    help: str


@dataclass(frozen=True, kw_only=True)
class Number(Named):
    """A number with ``low <= value <= high`` that is a multiple of ``step``.

    Attributes:
        default: Value where a link gives none.
        low, high: Smallest and largest value.
        step: 1 for whole numbers, 2 for even ones, 0 for any real number.
        scale: How the slider is divided: evenly, by powers, or every whole number to 100 and then by powers.
        marks: Values that the slider stops at besides.
        limit: A lower upper bound that follows from parameters before this one.
    """

    default: float
    low: float
    high: float
    step: int = 1
    scale: Scale = "linear"
    marks: Sequence[float] = ()
    limit: Callable[[Mapping[str, Value]], float] | None = None

    def highest(self, values: Mapping[str, Value]) -> float:
        """Return the upper bound beside other parameters."""
        return self.high if self.limit is None else max(self.low, min(self.high, self.limit(values)))

    def accepts(self, value: float, high: float | None = None) -> bool:
        """Return whether a value is allowed, where ``high`` may lower the upper bound."""
        return self.low <= value <= (self.high if high is None else high) and not (self.step and value % self.step)

    def parse(self, text: str, high: float | None = None) -> float | None:
        """Read ``500000``, ``1e6`` or ``500,000``; None where it is no number that is allowed."""
        try:
            value = float(text.replace(",", "") if GROUPED.fullmatch(text.strip()) else text)
        except ValueError:
            return None
        return plain(value) if math.isfinite(value) and self.accepts(value, high) else None

    def stops(self, high: float) -> tuple[float, ...]:
        """Return the values of the slider, in order."""
        return _stops_to(self.scale, self.low, self.high, self.step, tuple(self.marks), high)


@dataclass(frozen=True, kw_only=True)
class Choice(Named):
    """One of a few codes, each with the words that readers see; the first is the default."""

    options: Mapping[str, str]

    @property
    def default(self) -> str:
        """The first code."""
        return next(iter(self.options))


@dataclass(frozen=True, kw_only=True)
class Vector(Named):
    """Numbers typed with commas or spaces between them."""

    default: str
    shortest: int
    longest: int
    low: float
    high: float
    whole: bool = False

    def parse(self, text: str) -> tuple[float, ...] | None:
        """Read the numbers; None if the text is not what this parameter may be."""
        words = text.replace(",", " ").replace("，", " ").split() if len(text) <= 30 * self.longest else []
        if not self.shortest <= len(words) <= self.longest:
            return None
        try:
            values = [float(word) for word in words]
        except ValueError:
            return None
        allowed = all(self.low <= value <= self.high and not (self.whole and value % 1) for value in values)
        return tuple(value + 0.0 for value in values) if allowed else None  # no minus zero


@dataclass(frozen=True, kw_only=True)
class Words(Named):
    """Words typed with spaces between them; what is no letter, digit, apostrophe or hyphen parts words too."""

    default: str
    shortest: int = 2
    longest: int = 64

    def parse(self, text: str) -> tuple[str, ...] | None:
        """Read the words, a long one cut; None if there are too few or too many."""
        words = tuple(word[:24] for word in WORD.findall(text)) if len(text) <= 30 * self.longest else ()
        return words if self.shortest <= len(words) <= self.longest else None


@dataclass(frozen=True, kw_only=True)
class Method(Named):
    """A method of context extension as ``parameters/methods.py`` writes it; empty is none."""

    default: str = ""


@dataclass(frozen=True, kw_only=True)
class Names(Named):
    """Up to ``most`` names of a list with commas between them; ``options`` returns each name of a link with the words that readers see."""

    options: Callable[[], Mapping[str, str]]
    most: int
    default: str = ""

    def parse(self, text: str) -> tuple[str, ...] | None:
        """Read the names; None if one is unknown, or there are too many."""
        if len(text) > 1000:
            return None
        names = tuple(dict.fromkeys(word.strip().lower() for word in text.split(",") if word.strip()))
        return names if len(names) <= self.most and all(name in self.options() for name in names) else None


@dataclass(frozen=True, kw_only=True)
class Row(Named):
    """One of the rows that a page shows, by its number; a row that is no longer there counts as the first."""

    default: int = 0

    def parse(self, text: str) -> int | None:
        """Read the number of a row."""
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else None


@dataclass(frozen=True, kw_only=True)
class Config(Named):
    """A model's config.json, as far as its rotation goes; empty is none."""

    default: str = ""


@dataclass(frozen=True, kw_only=True)
class Text(Named):
    """Any text, such as what a reader searches for; only its first ``longest`` characters count."""

    default: str = ""
    longest: int = 80


Parameter = Number | Choice | Vector | Words | Method | Names | Row | Config | Text


def plain(value: float) -> float:
    """Return whole numbers as integers, so that a link says 500000 and not 500000.0, and zero without a sign."""
    return int(value) if value == int(value) else float(value)


def write(value: Value) -> str:
    """Write a value for a link: with every digit that brings it back bit for bit, and no more."""
    return value if isinstance(value, str) else repr(plain(value))


def readable(value: float) -> str:
    """Write a number for a reader: with commas, and no digit that is not there."""
    return f"{value:,.15g}"


def decades(low: int, high: int) -> list[float]:
    """Return 1, 2 and 5 times the powers of ten from ``low`` to ``high``."""
    return [float(digit * 10**power) for power in range(low, high + 1) for digit in (1, 2, 5) if digit * 10**power <= 10**high]


@lru_cache(maxsize=512)
def _stops_to(scale: Scale, low: float, high: float, step: int, marks: tuple[float, ...], highest: float) -> tuple[float, ...]:
    """Return stops and marks up to the highest value, which is the last."""
    inside = [stop for stop in (*_stops(scale, low, high, step), *marks, highest) if low <= stop <= highest]
    return tuple(sorted({plain(stop) for stop in inside}))


@cache
def _stops(scale: Scale, low: float, high: float, step: int) -> tuple[float, ...]:
    if scale == "linear":
        width = (high - low) / STOPS
        power = 10 ** math.floor(math.log10(width))
        even = max(step, power * max(digit for digit in (1, 2, 5) if digit * power <= width))
        even = step * round(even / step) if step else even
        return (*np.round(np.arange(low, high, even), 12).tolist(), high)
    if scale == "positions":
        return (*range(int(low), 101), *_powers(100, high, 1))
    return _powers(low, high, step)


def _powers(low: float, high: float, step: int) -> tuple[float, ...]:
    """Return values that are even on a log axis, with two digits, or three where two are too few."""
    values = np.geomspace(low, high, STOPS)
    digits = 2 if values[1] / values[0] > 1.03 else 3
    rounded = [float(f"{value:.{digits}g}") for value in values.tolist()]
    return (low, *(step * round(value / step) if step else value for value in rounded), high)
