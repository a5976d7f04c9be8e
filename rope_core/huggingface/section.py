"""Keys of one object of a config, each read with its type."""

from __future__ import annotations

import math
from collections.abc import Mapping

from rope_core.errors import RopeConfigError, require_number
from rope_core.huggingface.collector import Collector, shown, wording

LONGEST_NAME = 100
"""Longer than any model type, rope type or layer type."""


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

    def first(self, keys: tuple[str, ...]) -> str | None:
        """Give the first of several spellings that is there."""
        return next((key for key in keys if key in self), None)

    def number(self, key: str, *, above: float = -math.inf, low: float = -math.inf, high: float = math.inf) -> float | None:
        """Read a finite number within bounds; None if it is missing, or is none, which is an error."""
        value = self.values.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            fix = wording("write the number without quotes") if _is_quoted_number(value) else wording("write a number")
            self.collector.deny(self.name(key), "{key} must be a number, got {value}", fix, value=shown(value))
            return None
        try:
            require_number(self.name(key), value, above=above, low=low, high=high)
        except RopeConfigError as error:
            self.collector.pass_on(self.name(key), error, wording("correct the number"))
            return None
        return float(value)

    def count(self, key: str, *, low: int = 1, high: int = 2**53) -> int | None:
        """Read a whole number within bounds; 4096.0 is one."""
        number = self.number(key)
        if number is None:
            return None
        if number != int(number) or not low <= number <= high:
            rule = wording("{key} must be a whole number from {low:,} to {high:,}, got {value}")
            self.collector.deny(self.name(key), rule, wording("correct the number"), low=low, high=high, value=shown(self.values[key]))
            return None
        return int(number)

    def flag(self, key: str) -> bool | None:
        """Read true or false."""
        value = self.values.get(key)
        if value is not None and not isinstance(value, bool):
            rule = wording("{key} must be true or false, got {value}")
            self.collector.deny(self.name(key), rule, wording("write true or false, without quotes"), value=shown(value))
            return None
        return value

    def text(self, key: str) -> str | None:
        """Read a short string."""
        value = self.values.get(key)
        if value is not None and not is_name(value):
            rule = wording("{key} must be a string of at most {longest} printable characters, got {value}")
            self.collector.deny(self.name(key), rule, wording("write a name in quotes"), longest=LONGEST_NAME, value=shown(value))
            return None
        return value if isinstance(value, str) else None

    def items(self, key: str, longest: int) -> list[object] | None:
        """Read a list of bounded length."""
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, list | tuple) or len(value) > longest:
            rule = wording("{key} must be a list of at most {longest} entries, got {value}")
            self.collector.deny(self.name(key), rule, wording("write a list in square brackets"), longest=longest, value=shown(value))
            return None
        return list(value)


def _is_quoted_number(value: object) -> bool:
    """Say whether a string holds a number and nothing else."""
    try:
        return isinstance(value, str) and math.isfinite(float(value))
    except ValueError:
        return False


def is_name(value: object) -> bool:
    """Say whether a value is a string that can stand in a sentence whole."""
    return isinstance(value, str) and len(value) <= LONGEST_NAME and value.isprintable()
