"""The questions of each page, predict and then see: one file a page, ``lessons/steps/<page>.toml``, read once and checked here."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rope_core import RopeConfigError
from ui.kinds import Carried, Choice, Number, Vector
from ui.methods import from_text
from ui.parameters import PARAMETERS

FOLDER = Path(__file__).resolve().parent.parent / "lessons/steps"
MOST = 9  # the link names the steps of a page by one digit each
Settings = Mapping[str, float | str]


@dataclass(frozen=True, kw_only=True)
class Guess:
    """A number that answers a question.

    Attributes:
        label: What is asked for.
        value: The number itself.
        low: The smallest number that counts as right.
        high: The largest.
    """

    label: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True)
class Step:
    """One question: a choice between ``options``, or a ``guess``.

    Attributes:
        id: A short name, for tests and for those who edit the file.
        question: What is asked.
        sentence: What explains the answer.
        start: All settings that the figure depends on while the question is open.
        answer: Those that the commitment changes.
        options: What there is to choose from.
        right: Index of the right one.
        guess: The number that is asked for instead.
    """

    id: str
    question: str
    sentence: str
    start: Settings
    answer: Settings
    options: tuple[str, ...] = ()
    right: int = 0
    guess: Guess | None = None

    def is_right(self, given: float) -> bool:
        """Say whether an index of an option, or a number, answers the question."""
        return self.guess.low <= given <= self.guess.high if self.guess else given == self.right


@cache
def steps_of(page: str) -> tuple[Step, ...]:
    """Read the steps of a page; a page without a file has none.

    Raises:
        ValueError: With the step and what is wrong with it.
    """
    file = FOLDER / f"{page}.toml"
    return read(file.read_text(encoding="utf-8")) if file.exists() else ()


def read(text: str) -> tuple[Step, ...]:
    """Read a file of steps: a table ``start`` of settings for all of them, and the steps."""
    rows = tomllib.loads(text)
    if set(rows) != {"start", "step"}:
        raise ValueError(f"a file of steps has the tables start and step, got {sorted(rows)}")
    steps = tuple(_step(row, rows["start"]) for row in rows["step"])
    if not 1 <= len(steps) <= MOST or len({step.id for step in steps}) < len(steps):
        raise ValueError(f"a page has 1 to {MOST} steps with ids of their own, got {[step.id for step in steps]}")
    return steps


def _step(row: dict[str, Any], start: dict[str, float | str]) -> Step:
    try:
        guess = _guess(**row.pop("number")) if "number" in row else None
        own, answer, options = row.pop("start", {}), row.pop("answer"), tuple(row.pop("options", ()))
        settings = {kind: MappingProxyType(given) for kind, given in (("start", start | own), ("answer", answer))}
        step = Step(**row, **settings, options=options, guess=guess)
    except (KeyError, TypeError) as error:
        raise ValueError(f"step {row.get('id')!r}: {error}") from error
    if bool(step.options) == bool(guess):
        raise ValueError(f"step {step.id!r} needs options or a number")
    if step.options and not (len(set(step.options)) == len(step.options) >= 2 and 0 <= step.right < len(step.options)):
        raise ValueError(f"step {step.id!r} needs two or more different options, of which right counts one from 0")
    for name, value in (step.start | step.answer).items():
        if not is_allowed(name, value):
            raise ValueError(f"step {step.id!r}: {name} cannot be {value!r}")
    return step


def _guess(*, value: float, low: float, high: float, label: str = "", parameter: str = "") -> Guess:
    """Read a number that is asked for; one to set has the label of its parameter."""
    if not low <= value <= high or bool(label) == bool(parameter):
        raise ValueError(f"a number lies from low to high and has a label or a parameter, got {value!r}, {low!r}, {high!r}")
    return Guess(label=label or PARAMETERS[parameter].label, value=value, low=low, high=high)


def is_allowed(name: str, value: object) -> bool:
    """Say whether a parameter may have a value."""
    match PARAMETERS.get(name):
        case Number() as spec:
            return isinstance(value, int | float) and not isinstance(value, bool) and spec.accepts(value, spec.high)
        case Choice() as spec:
            return value in spec.options
        case Vector() as spec:
            return isinstance(value, str) and spec.parse(value) is not None
        case Carried():
            return isinstance(value, str)
        case None:
            return False
        case _:
            return isinstance(value, str) and _is_method(value)


def _is_method(text: str) -> bool:
    try:
        from_text(text)
    except RopeConfigError:
        return False
    return True
