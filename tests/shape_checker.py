"""The type checker of the tests: shapes and dtypes of arrays, and everything that is returned.

Plain annotations of arguments are left to mypy: a public function validates those itself, takes numpy's numbers beside Python's,
and answers a wrong one with RopeConfigError. A checker in front of it would answer instead.
"""

from collections.abc import Callable
from typing import get_args

from beartype import beartype
from jaxtyping import AbstractArray


def check_shapes(function: Callable[..., object]) -> Callable[..., object]:
    """Let beartype see the jaxtyping hints of the arguments, and every hint of the answer."""
    function.__annotations__ = {name: hint for name, hint in function.__annotations__.items() if name == "return" or _names_array(hint)}
    return beartype(function)


def _names_array(hint: object) -> bool:
    return (isinstance(hint, type) and issubclass(hint, AbstractArray)) or any(_names_array(part) for part in get_args(hint))
