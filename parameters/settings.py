"""What a page is set to: read from an address and checked once, written back bit for bit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Self

from parameters import parameters_of
from parameters.locks import NO_LOCKS, Locks
from parameters.methods import from_text
from parameters.own_config import read_config
from parameters.problems import Problem, rule
from parameters.types import Choice, Config, Method, Number, Parameter, Text, Value, Vector, Words, plain, readable, write
from rope_core import RopeConfigError, Scaling


@dataclass(frozen=True)
class Settings:
    """The values of all parameters of a page; hashable.

    Attributes:
        page: Its name.
        changed: Name and value of those that differ from their defaults, in the order of the page's table.
    """

    page: str
    changed: tuple[tuple[str, Value], ...] = ()

    @classmethod
    def read(cls, page: str, address: Mapping[str, str], locks: Locks = NO_LOCKS) -> tuple[Self, tuple[Problem, ...]]:
        """Read and check an address; what it does not give has its default, and so has what is not allowed.

        Args:
            page: Name of the page.
            address: Texts by name, as links and controls give them; other names are left alone.
            locks: Parameters whose values the link of the visit holds.

        Returns:
            The settings, and what was not allowed.
        """
        values: dict[str, Value] = {}
        changed: list[tuple[str, Value]] = []
        problems: list[Problem] = []
        for name, spec in parameters_of(page).items():
            text = locks.value(name, address.get(name))
            high = spec.highest(values) if isinstance(spec, Number) else None
            default = _default(spec, high)
            values[name] = default
            if text is not None:
                try:
                    value = _parse(spec, text, high)
                except RopeConfigError as error:
                    problems.append(Problem(spec.label, text, "", error=error))
                    continue
                if value is None:
                    is_lowered = isinstance(spec, Number) and spec.parse(text) is not None  # others leave it no room
                    value = plain(high) if is_lowered and high is not None else default
                    used = value if isinstance(value, str) else readable(value)
                    problems.append(Problem(spec.label, text, used, rule(spec, high), is_lowered=is_lowered))
                if value != default:
                    values[name] = value
                    changed.append((name, value))
        return cls(page, tuple(changed)), tuple(problems)

    def write(self) -> dict[str, str]:
        """Write the values that differ from their defaults for an address; ``read`` gives the same settings back."""
        return {name: write(value) for name, value in self.changed}

    def replace(self, **values: Value) -> Self:
        """Return settings with other values.

        Raises:
            ValueError: If one is not allowed.
        """
        settings, problems = self.read(self.page, self.write() | {name: write(value) for name, value in values.items()})
        if problems or not values.keys() <= parameters_of(self.page).keys():
            raise ValueError(f"{self.page} cannot be set to {values}: {[problem.sentence for problem in problems]}")
        return settings

    @cached_property
    def _values(self) -> dict[str, Value]:
        values: dict[str, Value] = {}
        given = dict(self.changed)
        for name, spec in parameters_of(self.page).items():
            high = spec.highest(values) if isinstance(spec, Number) else None
            values[name] = given.get(name, _default(spec, high))
        return values

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def number(self, name: str) -> float:
        """Return a number."""
        value = self[name]
        assert not isinstance(value, str), f"{name} is a text"
        return float(value)

    def whole(self, name: str) -> int:
        """Return a number that counts something."""
        return int(self.number(name))

    def text(self, name: str) -> str:
        """Return the code of a choice, or a text."""
        value = self[name]
        assert isinstance(value, str), f"{name} is a number"
        return value

    def vector(self, name: str) -> tuple[float, ...]:
        """Return the numbers of a row of numbers."""
        spec = parameters_of(self.page)[name]
        assert isinstance(spec, Vector), f"{name} is no row of numbers"
        return spec.parse(self.text(name)) or ()

    def words(self, name: str) -> tuple[str, ...]:
        """Return the words of a text."""
        spec = parameters_of(self.page)[name]
        assert isinstance(spec, Words), f"{name} is no row of words"
        return spec.parse(self.text(name)) or ()

    def scaling(self) -> Scaling | None:
        """Return the shared method of context extension."""
        return from_text(self.text("scaling"))

    def high(self, name: str) -> float:
        """Return the upper bound of a number beside the others."""
        spec = parameters_of(self.page)[name]
        assert isinstance(spec, Number), f"{name} is no number"
        return spec.highest(self._values)


def _default(spec: Parameter, high: float | None) -> Value:
    return min(spec.default, high) if isinstance(spec, Number) and high is not None else spec.default


def _parse(spec: Parameter, text: str, high: float | None) -> Value | None:
    """Read a text; None where it is not allowed.

    Raises:
        RopeConfigError: If the core says why.
    """
    match spec:
        case Number():
            return spec.parse(text, high)
        case Choice():
            return text if text in spec.options else None
        case Method():
            from_text(text)
            return text
        case Config():
            if text:
                read_config(text)
            return text
        case Text():
            return text[: spec.longest]
        case Vector() | Words():
            return text if spec.parse(text) is not None else None
        case _:
            parsed = spec.parse(text)
            return ",".join(parsed) if isinstance(parsed, tuple) else parsed
