"""Sentences taken apart: patterns with numbers, what claims there are, and which words state a fact."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

NUMBER = r"-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?"
FACT = re.compile(
    r"\b(?:fastest|slowest|all|every|none|never|first|last|at most|at least|as high|same|only|lowest|highest|largest|smallest|nothing|any"
    r"|always|whatever|exactly|most|nearest|best|worst|cannot|agree|alike|up to|larger|longer|shortest|longest|no)\b",
    re.IGNORECASE,
)
"""Words that a sentence states a fact with."""


class Claim(NamedTuple):
    """A sentence that states a fact, and what holds its numbers against a recomputation."""

    pages: tuple[str, ...]
    pattern: re.Pattern[str]
    holds: Callable[..., Any]


CLAIMS: list[Claim] = []


def claim(pages: str, *templates: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register what checks a sentence; in templates ``{name}`` is a number and ``{name:text}`` any text, also none.

    The function gets the settings, the view if it names it, and what stands at the names.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        CLAIMS.extend(Claim(tuple(pages.split()), pattern_of(template), function) for template in templates)
        return function

    return register


def pattern_of(template: str) -> re.Pattern[str]:
    """Turn a template into a pattern; backticks around numbers may be there or not."""
    parts = re.split(r"(\{\w+(?::\w+)?\})", template)
    return re.compile("".join(map(_part, parts)))


def _part(part: str) -> str:
    if not part.startswith("{"):
        return re.escape(part)
    name, _, kind = part[1:-1].partition(":")
    return rf"(?P<{name}>.*?)" if kind else rf"`?(?P<{name}>{NUMBER})`?"


def found(page: str, text: str) -> Iterator[tuple[Claim, re.Match[str]]]:
    """Yield the claims that stand in a text."""
    for each in CLAIMS:
        if page in each.pages:
            for match in each.pattern.finditer(text):
                yield each, match


def unclaimed(page: str, text: str) -> list[str]:
    """Return the sentences of a text that state a fact which no claim knows."""
    spans = [match.span() for _, match in found(page, text)]
    return [
        sentence[0]
        for sentence in re.finditer(r"\S.*?(?:[.:;?](?=\s|$)|$)", text)
        if FACT.search(sentence[0]) and not any(start < sentence.end() and end > sentence.start() for start, end in spans)
    ]


def value(text: str) -> float:
    """Return a number as it is written."""
    return float(text.replace(",", ""))


def says(text: str, exact: float, slack: float = 0.51) -> bool:
    """Return whether a written number is an exact one, rounded to its last digit."""
    mantissa, _, exponent = text.replace(",", "").partition("e")
    unit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return abs(value(text) - exact) <= slack * unit + 1e-9 * abs(exact) * ("." in mantissa)
