"""Typed reading of the keys of a config; what is wrong with them is collected, so that a config with three mistakes gets three errors."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping
from typing import Any, NoReturn

from rope_core.errors import RopeConfigError, require_number
from rope_core.huggingface.rope import LEVELS, Finding, HfConfigError, Level

LONGEST_NAME = 100
"""Longer than any model type, rope type or layer type."""
LONGEST_SHOWN = 60
IN_JSON = {True: "true", False: "false", None: "null"}


class Shown(str):
    """Text that a template may format plainly or with ``!r``, without additional quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def shown(value: object) -> Shown:
    """Return a short, printable form of any value of a config."""
    if value is None or isinstance(value, bool):
        return Shown(IN_JSON[value])
    printer = reprlib.Repr()
    printer.maxstring = printer.maxother = printer.maxlong = LONGEST_SHOWN
    printer.maxdict = printer.maxlist = printer.maxtuple = 3
    printer.maxlevel = 2
    try:
        text = printer.repr(value)
    except Exception:  # an integer of more than 4,300 digits, or an object with a failing repr
        return Shown(type(value).__name__)
    if not text.isprintable():
        text = ascii(text)[1:-1]
    return Shown(text if len(text) <= 2 * LONGEST_SHOWN else text[: 2 * LONGEST_SHOWN] + "...")


def printable(name: str) -> str:
    """Return a key in a form fit for a sentence: short, without line breaks and lone surrogates."""
    text = name[: 2 * LONGEST_SHOWN]
    text = text if text.isprintable() else ascii(text)[1:-1]
    return text if len(text) <= 2 * LONGEST_SHOWN else text[: 2 * LONGEST_SHOWN] + "..."


def wording(template: str) -> str:
    """Mark a template for translation where it is not a literal argument of ``note``, ``warn`` or ``reject``."""
    return template


class Collector:
    """Collects findings while a config is read; nothing stops at the first error.

    Attributes:
        assumed: Whether something that decides the settings stood nowhere and was assumed; a warning says what.
        explained: Unknown keys that a finding has already named as the likely misspelling of another.
        misspellings: Keys that are missing, each with the unknown key that is probably a misspelling of it; not reported as missing.
        rejected: Keys with an error: their values are not compared with others.
    """

    def __init__(self) -> None:
        self.assumed = False
        self.explained: set[str] = set()
        self.misspellings: dict[str, str] = {}
        self.rejected: set[str] = set()
        self._findings: dict[str, Finding] = {}

    def note(self, key: str, template: str, fix: str = "", **values: Any) -> None:
        """Add something worth knowing."""
        self._add("note", key, template, fix, values)

    def warn(self, key: str, template: str, fix: str = "", **values: Any) -> None:
        """Add something that an engine may read differently."""
        self._add("warning", key, template, fix, values)

    def assume(self, key: str, template: str, fix: str = "", **values: Any) -> None:
        """Add a warning of something that had to be assumed, because neither the config nor the code of its model decides it."""
        self.assumed = True
        self._add("warning", key, template, fix, values)

    def reject(self, key: str, template: str, fix: str = "", **values: Any) -> None:
        """Add an error: no settings can be derived."""
        self.rejected.add(key)
        self._add("error", key, template, fix, values)

    def refuse(self, template: str, fix: str, **values: Any) -> NoReturn:
        """Stop at an error that is about no key, but about all that was given.

        Raises:
            HfConfigError: With everything that was found.
        """
        self.reject("", template, fix, **values)
        raise HfConfigError(self.all())

    def reject_error(self, key: str, error: RopeConfigError, fix: str, **named: str) -> None:
        """Add an error raised by the core, with values of bounded length; ``named`` replaces its names by those of the config."""
        values: dict[str, Any] = {name: _bounded(value) for name, value in error.values.items()}
        self.reject(key, error.template, fix, **(values | named))

    def all(self) -> tuple[Finding, ...]:
        """Return all findings, most severe first."""
        return tuple(sorted(self._findings.values(), key=lambda finding: LEVELS.index(finding.level)))

    def findings(self) -> tuple[Finding, ...]:
        """Return all findings, most severe first.

        Raises:
            HfConfigError: If one of them is an error.
        """
        if any(finding.level == "error" for finding in self.all()):
            raise HfConfigError(self.all())
        return self.all()

    def _add(self, level: Level, key: str, template: str, fix: str, values: Mapping[str, Any]) -> None:
        """Add a finding unless an identical one is there."""
        finding = Finding(level, printable(key), template, fix, {"key": printable(key), **values})
        self._findings.setdefault(repr(finding), finding)


def _bounded(value: object) -> object:
    if isinstance(value, float) or (isinstance(value, int) and abs(value) < 10**LONGEST_SHOWN):
        return value
    return Shown(printable(value)) if isinstance(value, str) else shown(value)


class Section:
    """One object of a config whose keys are read with their types; null counts as missing, as in transformers."""

    def __init__(
        self, values: Mapping[str, object], collector: Collector, where: str = "", places: Mapping[str, str] | None = None
    ) -> None:
        self.values = values
        self.collector = collector
        self.where = where
        self.places = places or {}

    def __contains__(self, key: str) -> bool:
        return self.values.get(key) is not None

    def name(self, key: str) -> str:
        """Return the path of a key, or the place in the file that it was read from."""
        if key in self.places:
            return self.places[key]
        return f"{self.where}.{key}" if self.where else key

    def first(self, keys: tuple[str, ...]) -> str | None:
        """Return the first of several spellings that is present."""
        return next((key for key in keys if key in self), None)

    def number(self, key: str, *, above: float = -math.inf, low: float = -math.inf, high: float = math.inf) -> float | None:
        """Read a finite number within bounds; return None if it is missing, or invalid, which is an error."""
        value = self.values.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            fix = wording("write the number without quotes") if _is_quoted_number(value) else wording("write a number")
            self.collector.reject(self.name(key), "{key} must be a number, got {value}", fix, value=shown(value))
            return None
        try:
            require_number(self.name(key), value, above=above, low=low, high=high)
        except RopeConfigError as error:
            self.collector.reject_error(self.name(key), error, wording("correct the number"))
            return None
        return float(value)

    def count(self, key: str, *, low: int = 1, high: int = 2**53) -> int | None:
        """Read an integer within bounds; 4096.0 is accepted."""
        number = self.number(key)
        if number is None:
            return None
        if number != int(number) or not low <= number <= high:
            rule = wording("{key} must be a whole number from {low:,} to {high:,}, got {value}")
            self.collector.reject(self.name(key), rule, wording("correct the number"), low=low, high=high, value=shown(self.values[key]))
            return None
        return int(number)

    def flag(self, key: str) -> bool | None:
        """Read true or false."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, bool):
            rule = wording("{key} must be true or false, got {value}")
            self.collector.reject(self.name(key), rule, wording("write true or false, without quotes"), value=shown(value))
            return None
        return value

    def text(self, key: str) -> str | None:
        """Read a short string."""
        value = self.values.get(key)
        if value is not None and not is_name(value):
            rule = wording("{key} must be a string of at most {longest} printable characters, got {value}")
            self.collector.reject(self.name(key), rule, wording("write a name in quotes"), longest=LONGEST_NAME, value=shown(value))
            return None
        return value if isinstance(value, str) else None

    def items(self, key: str, longest: int) -> list[object] | None:
        """Read a list of bounded length."""
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, list | tuple) or len(value) > longest:
            rule = wording("{key} must be a list of at most {longest} entries, got {value}")
            self.collector.reject(self.name(key), rule, wording("write a list in square brackets"), longest=longest, value=shown(value))
            return None
        return list(value)


def _is_quoted_number(value: object) -> bool:
    """Return whether a value is a string that holds a finite number."""
    try:
        return isinstance(value, str) and math.isfinite(float(value))
    except ValueError:
        return False


def is_name(value: object) -> bool:
    """Return whether a value is a short printable string."""
    return isinstance(value, str) and len(value) <= LONGEST_NAME and value.isprintable()
