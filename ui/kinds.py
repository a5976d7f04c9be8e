"""Kinds of parameters: a number, a choice, a row of numbers, a method, a text of links. ``ui/parameters.py`` says which there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SUPPORTED = 10_000_000  # positions and distances; beyond, the float64 angle itself is no longer exact enough


@dataclass(frozen=True, kw_only=True)
class Number:
    """``low <= value <= high`` and a multiple of ``step`` (0: any real number); the slider has ``stops`` and the value itself."""

    label: str
    help: str
    default: float
    low: float
    high: float
    stops: Sequence[float]
    step: int = 1

    def accepts(self, value: float, high: float) -> bool:
        """Say whether a value is allowed, where ``high`` may lower the upper bound."""
        return self.low <= value <= high and not (self.step and value % self.step)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One of a few codes, each with the words that readers see; the first is the default."""

    label: str
    help: str
    options: dict[str, str]

    @property
    def default(self) -> str:
        """The first code."""
        return next(iter(self.options))


@dataclass(frozen=True, kw_only=True)
class Vector:
    """Numbers typed with commas or spaces between them."""

    label: str
    help: str
    default: str
    shortest: int
    longest: int
    low: float
    high: float
    whole: bool = False

    def parse(self, text: str) -> list[float] | None:
        """Read the numbers; None if the text is not what this parameter may be."""
        words = text.replace(",", " ").replace("，", " ").split() if len(text) <= 30 * self.longest else []
        if not self.shortest <= len(words) <= self.longest:
            return None
        try:
            values = [float(word) for word in words]
        except ValueError:
            return None
        ok = all(self.low <= value <= self.high and not (self.whole and value % 1) for value in values)
        return [value + 0.0 for value in values] if ok else None  # no minus zero


@dataclass(frozen=True, kw_only=True)
class Method:
    """A method of context extension, as ``ui/methods.py`` writes it; nothing is typed into it but in the address, and empty is none."""

    label: str
    help: str
    default: str = ""


@dataclass(frozen=True, kw_only=True)
class Carried:
    """Text that a page writes into the link while a reader moves other controls; that page says what may stand in it."""

    label: str
    help: str
    default: str = ""


def decades(low: int, high: int) -> list[float]:
    return [float(digit * 10**power) for power in range(low, high + 1) for digit in (1, 2, 5) if digit * 10**power <= 10**high]


POSITIONS = [*range(65), 80, 100, 128, 200, 256, 512, 1000, *decades(3, 7)[1:]]
