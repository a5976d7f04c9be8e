"""The questions of each page, predict and then see, and where a reader is in them: ``lessons/<page>/questions.toml``, read and checked.

In an address ``step`` is empty while the reader explores freely, ``2-question`` while the second question is open and ``2-answer`` after it
was answered; written by hand, ``step=2`` is enough. ``end`` is the last slide of a presentation. ``done`` holds the steps that were
answered, page by page, and marks those that were answered wrongly: ``start-12x3.pair-3``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from lessons.conceal import HIDEABLE
from locales import N_, _
from parameters import PARAMETERS, TABLES, parameters_of
from parameters.locks import Locks
from parameters.problems import Problem
from parameters.settings import Settings
from parameters.types import Value, write

LESSONS = Path(__file__).resolve().parent
MOST = 9  # a link names the steps of a page by one digit each
LONGEST = 200
"""Characters of ``done``."""
Stage = Literal["question", "answer"]
Values = Mapping[str, Value]
Done = dict[str, dict[int, bool]]
"""For each page the steps that were answered, and whether rightly."""


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
        start: The values of all parameters that the figure depends on while the question is open.
        answer: Those that the answer changes.
        hide: What would tell the answer while the question is open: parts of a view as ``lessons/conceal.py`` names them, and parameters
            whose controls would.
        options: What there is to choose from.
        right: Index of the right one.
        wrong: What to say of each option that is wrong; empty where nothing is.
        guess: The number that is asked for instead.
    """

    id: str
    question: str
    sentence: str
    start: Values
    answer: Values
    hide: tuple[str, ...]
    options: tuple[str, ...] = ()
    right: int = 0
    wrong: tuple[str, ...] = ()
    guess: Guess | None = None

    def is_right(self, given: float) -> bool:
        """Return whether an index of an option, or a number, answers the question."""
        return self.guess.low <= given <= self.guess.high if self.guess else given == self.right

    def why_wrong(self, given: float) -> str:
        """Return what to say of a wrong answer, in English; empty if nothing is."""
        if self.guess:
            return N_("That is too low.") if given < self.guess.low else N_("That is too high.")
        return self.wrong[int(given)] if self.wrong else ""

    def values(self, stage: Stage) -> dict[str, Value]:
        """Return what the question starts from, or what its answer shows."""
        return {**self.start, **(self.answer if stage == "answer" else {})}


class Spot(NamedTuple):
    """A step of a page, counted from 1, and whether its answer is shown; step 0 is free exploration."""

    number: int
    stage: Stage = "question"

    def __str__(self) -> str:
        return f"{self.number}-{self.stage}" if self.number else "" if self.stage == "question" else "end"

    @property
    def is_open(self) -> bool:
        """Whether a question waits for its answer."""
        return self.number > 0 and self.stage == "question"


FREE, END = Spot(0), Spot(0, "answer")
"""Free exploration, and what stands after the last answer when a page is presented."""


def read_spot(text: str, count: int) -> Spot | None:
    """Read ``2``, ``2-question``, ``2-answer`` or ``end``, where there are ``count`` steps; None if it is something else."""
    if not text:
        return FREE
    if text == str(END) and count:
        return END
    found = re.fullmatch(rf"([1-9])(?:-({'|'.join(get_args(Stage))}))?", text, re.ASCII)
    if not found or int(found[1]) > count:
        return None
    return Spot(int(found[1]), "answer" if found[2] == "answer" else "question")


def wrong_spot(text: str, count: int) -> Problem:
    """Return what is wrong with a text that ``read_spot`` cannot read."""
    return Problem(N_("Step"), text, "", _("a number from 1 to {count}").format(count=count))


def read_done(text: str) -> Done | None:
    """Read which steps of which pages were answered; None if the text says anything else."""
    if len(text) > LONGEST:
        return None
    done: Done = {}
    for part in text.split(".") if text else ():
        page, _dash, digits = part.partition("-")
        if page not in TABLES or not re.fullmatch(f"([1-{MOST}]x?)+", digits, re.ASCII):
            return None
        done.setdefault(page, {}).update((int(digit[0]), len(digit) == 1) for digit in re.findall(".x?", digits))
        if max(done[page]) > len(steps_of(page)):
            return None
    return done


def write_done(done: Done) -> str:
    """Write what ``read_done`` reads."""
    digits = {page: "".join(f"{step}{'' if right else 'x'}" for step, right in sorted(steps.items())) for page, steps in done.items()}
    return ".".join(f"{page}-{digits[page]}" for page in TABLES if digits.get(page))


def locks_of(locks: Locks, step: Step, stage: Stage) -> Locks:
    """Return the locks while a question is asked or answered: it sets what the link holds without a value."""
    values = step.values(stage)
    free = {name: write(values[name]) for name, given in locks.values.items() if given is None and name in values}
    return replace(locks, values={**locks.values, **free})


def fixed(locks: Locks, step: Step) -> tuple[str, ...]:
    """Name the parameters that a question or its answer must set, and that the link fixes at another value."""
    values = [step.values(stage) for stage in get_args(Stage)]
    held = [name for name, given in locks.values.items() if given is not None]
    return tuple(name for name in held if any(name in each and locks.block({name: each[name]}) for each in values))


@cache
def steps_of(page: str) -> tuple[Step, ...]:
    """Return the steps of a page; a page without a file has none.

    Raises:
        ValueError: With the step and what is wrong with it.
    """
    file = LESSONS / page / "questions.toml"
    return read(page, file.read_text(encoding="utf-8")) if file.exists() else ()


def read(page: str, text: str) -> tuple[Step, ...]:
    """Read a file of steps: a table ``start`` of values for all of them, and the steps.

    Raises:
        ValueError: With the step and what is wrong with it.
    """
    rows = tomllib.loads(text)
    if set(rows) != {"start", "step"}:
        raise ValueError(f"a file of steps has the tables start and step, got {sorted(rows)}")
    steps = tuple(_step(page, row, rows["start"]) for row in rows["step"])
    if not 1 <= len(steps) <= MOST or len({step.id for step in steps}) < len(steps):
        raise ValueError(f"a page has 1 to {MOST} steps with ids of their own, got {[step.id for step in steps]}")
    return steps


def _step(page: str, row: dict[str, Any], start: Values) -> Step:
    try:
        guess = _guess(**row.pop("number")) if "number" in row else None
        own, answer = row.pop("start", {}), MappingProxyType(row.pop("answer"))
        lists: dict[str, Any] = {name: tuple(row.pop(name)) for name in ("hide", "options", "wrong") if name in row}
        step = Step(**row, **lists, start=MappingProxyType({**start, **own}), answer=answer, guess=guess)
    except (KeyError, TypeError) as error:
        raise ValueError(f"step {row.get('id')!r}: {error}") from error
    if bool(step.options) == bool(guess):
        raise ValueError(f"step {step.id!r} needs options or a number")
    if step.options and not (len(set(step.options)) == len(step.options) >= 2 and 0 <= step.right < len(step.options)):
        raise ValueError(f"step {step.id!r} needs two or more different options, of which right counts one from 0")
    if step.wrong and [bool(text) for text in step.wrong] != [option != step.right for option in range(len(step.options))]:
        raise ValueError(f"step {step.id!r} says something of every wrong option, and an empty text of the right one, or nothing at all")
    if unknown := [name for name in step.hide if name not in HIDEABLE and name not in parameters_of(page)]:
        raise ValueError(f"step {step.id!r} cannot hide {unknown}")
    for stage in (step.start, {**step.start, **step.answer}):
        _check(page, step, stage)
    return step


def _guess(*, value: float, low: float, high: float, label: str = "", parameter: str = "") -> Guess:
    """Read a number that is asked for; one to set has the label of its parameter."""
    if not low <= value <= high or bool(label) == bool(parameter):
        raise ValueError(f"a number lies from low to high and has a label or a parameter, got {value!r}, {low!r}, {high!r}")
    return Guess(label=label or PARAMETERS[parameter].label, value=value, low=low, high=high)


def _check(page: str, step: Step, values: Values) -> None:
    """Check the values of a step together, as a link that gives them all."""
    try:
        settings = Settings(page).replace(**values)
    except (ValueError, TypeError) as error:
        raise ValueError(f"step {step.id!r}: {error}") from error
    for name, value in values.items():
        if isinstance(value, bool) or settings[name] != value:
            raise ValueError(f"step {step.id!r}: {name} cannot be {value!r}")
