"""What is found while a config is read, so that a config with three mistakes is told all three."""

from __future__ import annotations

import reprlib
from typing import Any

from rope_core.errors import RopeConfigError
from rope_core.huggingface.findings import LEVELS, Finding, HfConfigError, Level

LONGEST_SHOWN = 60
IN_JSON = {True: "true", False: "false", None: "null"}


class Shown(str):
    """Text that a template may show as it is or with ``!r``: quotes of its own it has already."""

    __slots__ = ()
    __repr__ = str.__str__


def shown(value: object) -> Shown:
    """Show a value of somebody's file: short, whatever it holds."""
    if value is None or isinstance(value, bool):
        return Shown(IN_JSON[value])
    printer = reprlib.Repr()
    printer.maxstring = printer.maxother = printer.maxlong = LONGEST_SHOWN
    printer.maxdict = printer.maxlist = printer.maxtuple = 3
    printer.maxlevel = 2
    try:
        text = printer.repr(value)
    except Exception:  # a number of more than 4,300 digits, or an object of somebody's own
        return Shown(type(value).__name__)
    if not text.isprintable():
        text = ascii(text)[1:-1]
    return Shown(text if len(text) <= 2 * LONGEST_SHOWN else text[: 2 * LONGEST_SHOWN] + "...")


def printable(name: str) -> str:
    """Give the name of a key as it can stand in a sentence: short, without line breaks and halves of characters."""
    text = name[: 2 * LONGEST_SHOWN]
    text = text if text.isprintable() else ascii(text)[1:-1]
    return text if len(text) <= 2 * LONGEST_SHOWN else text[: 2 * LONGEST_SHOWN] + "..."


def wording(template: str) -> str:
    """Mark words that are not told where they stand, so that translators find them; ```tell`` and ``deny`` are found by themselves."""
    return template


class Collector:
    """Takes findings; nothing stops at the first.

    Attributes:
        explained: Keys that a finding has named as the likely spelling of another one.
        meant: What keys that no engine reads are likely spellings of, with these keys: nothing else is told about what is missing there.
        refused: Keys that an error is about: nothing is compared with their values.
    """

    def __init__(self) -> None:
        self.explained: set[str] = set()
        self.meant: dict[str, str] = {}
        self.refused: set[str] = set()
        self._findings: dict[str, Finding] = {}

    def tell(self, level: Level, key: str, template: str, fix: str = "", **values: Any) -> None:
        """Keep a finding, once."""
        finding = Finding(level, printable(key), template, fix, {"key": printable(key), **values})
        self._findings.setdefault(repr(finding), finding)
        if level == "error":
            self.refused.add(key)

    def deny(self, key: str, template: str, fix: str = "", **values: Any) -> None:
        """Keep a reason why no settings can be given."""
        self.tell("error", key, template, fix, **values)

    def pass_on(self, key: str, error: RopeConfigError, fix: str, **named: str) -> None:
        """Keep what the core refuses, with values of bounded length; ``named`` replaces its names by those of the config."""
        values: dict[str, Any] = {name: _bounded(value) for name, value in error.values.items()}
        self.tell("error", key, error.template, fix, **(values | named))

    def all(self) -> tuple[Finding, ...]:
        """Give all findings, the gravest first."""
        return tuple(sorted(self._findings.values(), key=lambda finding: LEVELS.index(finding.level)))

    def findings(self) -> tuple[Finding, ...]:
        """Give all findings, the gravest first.

        Raises:
            HfConfigError: If one of them is an error.
        """
        if any(finding.level == "error" for finding in self.all()):
            raise HfConfigError(self.all())
        return self.all()


def _bounded(value: object) -> object:
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**LONGEST_SHOWN):
        return value
    return Shown(printable(value)) if isinstance(value, str) else shown(value)
