"""Keys of a config, checked one by one, so that a config with three mistakes is told all three."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping
from typing import Any

from rope_core.errors import RopeConfigError
from rope_core.huggingface.findings import Finding, HfConfigError, Level

LONGEST_SHOWN = 60


def shown(value: object) -> str:
    """Show a value of somebody's file: short, whatever it holds."""
    printer = reprlib.Repr()
    printer.maxstring = printer.maxother = printer.maxlong = LONGEST_SHOWN
    printer.maxdict = printer.maxlist = 3
    printer.maxlevel = 2
    try:
        text = printer.repr(value)
    except Exception:  # a number of more than 4,300 digits, or an object of somebody's own
        return type(value).__name__
    return text if len(text) <= 2 * LONGEST_SHOWN else text[: 2 * LONGEST_SHOWN] + "..."


class Collector:
    """Takes findings while a config is read; nothing stops at the first."""

    def __init__(self) -> None:
        self._findings: list[Finding] = []

    def add(self, level: Level, key: str, template: str, fix: str = "", **values: Any) -> None:
        """Keep a finding, once."""
        finding = Finding(level, key, template, fix, {"key": key, **values})
        if finding not in self._findings:
            self._findings.append(finding)

    def error(self, key: str, template: str, fix: str = "", **values: Any) -> None:
        """Keep a reason why no settings can be given."""
        self.add("error", key, template, fix, **values)

    def refuse(self, key: str, error: RopeConfigError) -> None:
        """Keep what the classes of the core refuse, with values of bounded length."""
        values: dict[str, Any] = {name: value if isinstance(value, int | float) else shown(value) for name, value in error.values.items()}
        self.error(key, error.template.replace("!r}", "}"), **values)

    def findings(self) -> tuple[Finding, ...]:
        """Give all findings, the gravest first.

        Raises:
            HfConfigError: If one of them is an error.
        """
        ordered = tuple(sorted(self._findings, key=lambda finding: ("error", "warning", "note").index(finding.level)))
        if any(finding.level == "error" for finding in ordered):
            raise HfConfigError(ordered)
        return ordered

    def failed(self) -> bool:
        """Say whether an error was found."""
        return any(finding.level == "error" for finding in self._findings)


class Section:
    """One object of a config whose keys are read with their types; null counts as missing, as in transformers."""

    def __init__(self, values: Mapping[str, object], collector: Collector, where: str = "") -> None:
        self.values = values
        self.collector = collector
        self.where = where

    def __contains__(self, key: str) -> bool:
        return self.values.get(key) is not None

    def name(self, key: str) -> str:
        """Name a key by its path."""
        return f"{self.where}.{key}" if self.where else key

    def number(self, key: str) -> float | None:
        """Read a finite number; None if it is missing, or is none, which is an error."""
        value = self.values.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            fix = "write the number without quotes" if isinstance(value, str) else ""
            self.collector.error(self.name(key), "{key} must be a number, got {value}", fix, value=shown(value))
            return None
        try:
            number = float(value)
        except OverflowError:  # an integer beyond the range of a float
            number = math.inf
        if not math.isfinite(number):
            self.collector.error(self.name(key), "{key} must be a finite number, got {value}", value=shown(value))
            return None
        return number

    def count(self, key: str, *, low: int = 1, high: int = 2**53) -> int | None:
        """Read a whole number within bounds; 4096.0 is one."""
        number = self.number(key)
        if number is None:
            return None
        if number != int(number) or not low <= number <= high:
            rule = "{key} must be a whole number from {low} to {high}, got {value}"
            self.collector.error(self.name(key), rule, low=low, high=high, value=shown(self.values[key]))
            return None
        return int(number)

    def flag(self, key: str) -> bool | None:
        """Read true or false."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, bool):
            self.collector.error(self.name(key), "{key} must be true or false, got {value}", value=shown(value))
            return None
        return value

    def text(self, key: str) -> str | None:
        """Read a string."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, str):
            self.collector.error(self.name(key), "{key} must be a string, got {value}", value=shown(value))
            return None
        return value

    def items(self, key: str, longest: int) -> list[object] | None:
        """Read a list of bounded length."""
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, list | tuple) or len(value) > longest:
            rule = "{key} must be a list of at most {longest} entries, got {value}"
            self.collector.error(self.name(key), rule, longest=longest, value=shown(value))
            return None
        return list(value)
