"""One way to make every method of context extension, for the tests that hold for all of them."""

from collections.abc import Callable
from typing import Any

from rope_core import (
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    Scaling,
    YarnScaling,
)

MAKERS: dict[str, Callable[..., Scaling]] = {
    "linear": lambda factor, pairs, length: LinearScaling(factor),
    "ntk": lambda factor, pairs, length: NtkScaling(factor),
    "dynamic": lambda factor, pairs, length: DynamicNtkScaling(factor),
    "yarn": lambda factor, pairs, length: YarnScaling(factor),
    "llama3": lambda factor, pairs, length: Llama3Scaling(factor, low_freq_factor=1, high_freq_factor=4, original_max_position=length),
    "longrope": lambda factor, pairs, length: LongRopeScaling(
        short_factor=[1.0] * pairs, long_factor=[1.0 + i for i in range(pairs)], original_max_position=length, factor=factor
    ),
    "proportional": lambda factor, pairs, length: ProportionalScaling(rotary_fraction=0.5, factor=factor),
}
"""The registry's names; long lists of divisors do not follow the factor, and half of the proportional pairs stand still."""

WHOLE_HEAD = {"proportional"}
"""Methods that a head with coordinates that pass through cannot have."""


def make(name: str, factor: Any = 4, *, pairs: int = 32, length: int = 2048) -> Scaling:
    """Give a method for heads of so many pairs that were trained on so many tokens."""
    return MAKERS[name](factor, pairs, length)


def methods(factor: float = 4, *, pairs: int = 32, length: int = 2048, without: set[str] = frozenset()) -> list[Scaling]:
    """Give one of each."""
    return [make(name, factor, pairs=pairs, length=length) for name in MAKERS if name not in without]


def name_of(value: object) -> str | None:
    """Name a method in the title of a test case; other values keep their own."""
    return getattr(value, "rope_type", None)
