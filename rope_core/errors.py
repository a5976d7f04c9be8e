"""The exception of the core, and the checks that raise it.

Every message is a template with named placeholders, so that a user interface can translate the sentence and keep the values.
"""

from __future__ import annotations

import math
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, TypeGuard

import torch
from torch import Tensor


class RopeConfigError(ValueError):
    """Raised for an invalid setting or argument; ``str()`` is one English sentence with field, rule and value.

    Attributes:
        template: The sentence with named placeholders, such as ``"base must be above 1, got {value}"``.
        values: The values of the placeholders.
    """

    def __init__(self, template: str, **values: object) -> None:
        """Store the template and its values separately."""
        self.template = template
        self.values = {name: _printable(value) for name, value in values.items()}
        super().__init__(template.format(**self.values))

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling: by default an exception is rebuilt from ``args``, which hold only the formatted sentence."""
        return _rebuild, (self.template, self.values)


def _rebuild(template: str, values: dict[str, object]) -> RopeConfigError:
    return RopeConfigError(template, **values)


def _printable(value: object) -> object:
    """Return a value that can be formatted: Python refuses to print integers of more than 4,300 digits."""
    try:
        repr(value)
    except ValueError:
        return f"{Decimal(int(value)):.3e}" if is_integer(value) else type(value).__name__
    return value


EXACT_INTEGERS = 2**53
"""Float64, in which angles are computed, represents every integer up to this one exactly."""

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
"""The dtypes that can be rotated; float8 has no arithmetic."""


MAX_WIDTH = 2**24
"""Coordinates of a head: a hundred thousand times those of any model, and still far from what fills a memory."""


def require_width(name: str, value: object) -> int:
    """Require a positive even integer up to ``MAX_WIDTH``, because coordinates form pairs, and return it as a plain int."""
    if not is_integer(value) or value <= 0 or value % 2:
        raise RopeConfigError("{field} must be a positive even integer, got {value!r}", field=name, value=value)
    if value > MAX_WIDTH:
        raise RopeConfigError("{field} must be at most {high}, got {value!r}", field=name, high=MAX_WIDTH, value=value)
    return _plain(value)


def require_count(name: str, value: object, *, low: int = 1, high: int | None = None) -> int:
    """Require an integer of at least ``low`` and, if given, at most ``high``; return it as a plain int.

    ``high`` is not checked under a compiler: a comparison would specialise a length that torch.export keeps dynamic.
    """
    if not is_integer(value) or value < low:
        raise RopeConfigError("{field} must be an integer of at least {low}, got {value!r}", field=name, low=low, value=value)
    if high is not None and not torch.compiler.is_compiling() and value > high:
        raise RopeConfigError("{field} must be at most {high}, got {value!r}", field=name, high=high, value=value)
    return _plain(value)


def require_number(name: str, value: object, *, above: float = -math.inf, low: float = -math.inf, high: float = math.inf) -> None:
    """Require a finite real number, strictly above ``above``, at least ``low`` and at most ``high``."""
    if isinstance(value, bool) or not isinstance(value, Real) or not _is_finite(value):
        raise RopeConfigError("{field} must be a finite number, got {value!r}", field=name, value=value)
    number = float(value)
    if number <= above:
        raise RopeConfigError("{field} must be above {above:g}, got {value!r}", field=name, above=above, value=value)
    if number < low:
        raise RopeConfigError("{field} must be at least {low:g}, got {value!r}", field=name, low=low, value=value)
    if number > high:
        raise RopeConfigError("{field} must be at most {high:g}, got {value!r}", field=name, high=high, value=value)


def require_floating(name: str, value: object) -> None:
    """Require a tensor of one of ``FLOATS``."""
    if not isinstance(value, Tensor) or value.dtype not in FLOATS:
        kind = str(value.dtype) if isinstance(value, Tensor) else type(value).__name__
        raise RopeConfigError("{field} must be a tensor of float16, bfloat16, float32 or float64, got {value}", field=name, value=kind)


def require_last_axis(name: str, value: Tensor, width: int, *, meaning: str) -> None:
    """Require that the last axis of a tensor has length ``width``; ``meaning`` names that number in the message."""
    if value.ndim == 0 or value.shape[-1] != width:
        raise RopeConfigError(
            "the last axis of {field} must be {meaning} = {width} long, got shape {shape}",
            field=name,
            meaning=meaning,
            width=width,
            shape=tuple(value.shape),
        )


def require_integers(name: str, value: object) -> None:
    """Require a tensor of integers: floats do not represent every position exactly (bfloat16 rounds 257 to 256)."""
    if not isinstance(value, Tensor) or value.is_floating_point() or value.is_complex() or value.dtype == torch.bool:
        kind = str(value.dtype) if isinstance(value, Tensor) else type(value).__name__
        raise RopeConfigError("{field} must be a tensor of integers, got {value}", field=name, value=kind)


def to_int64(name: str, value: Tensor) -> Tensor:
    """Convert integers to int64: narrow types overflow, and unsigned ones support few operations."""
    wide = value.to(torch.int64)
    if value.dtype == torch.uint64 and (wrapped := wide[wide < 0]).numel():
        raise RopeConfigError("{field} must be at most {limit}, got {value}", field=name, limit=2**63 - 1, value=int(wrapped[0]) + 2**64)
    return wide


def is_integer(value: object) -> TypeGuard[int]:
    """Return whether ``value`` is an integer of Python or numpy, or a dynamic length of torch.export; ``True`` is not one."""
    return isinstance(value, Integral | torch.SymInt) and not isinstance(value, bool)


def _plain(value: int) -> int:
    """Convert a numpy integer, which can overflow, to a Python int; a dynamic length of torch.export is left unchanged."""
    return value if isinstance(value, int | torch.SymInt) else int(value)  # type: ignore[redundant-expr]


def _is_finite(value: Real) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond the range of a float
        return False
