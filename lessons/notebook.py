"""The numbers of a view as lines that call rope_core: the source of the functions that computed them, and the call."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache

from rope_core import RopeConfig

IMPORTS = """\
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import torch
from numpy import ndarray
from torch import Tensor

import rope_core as rc
"""


def notebook_code(*parts: Callable[..., object] | type, lines: str, **values: object) -> str:
    """Write lines that leave a dictionary ``columns``, with the columns of the view.

    Args:
        parts: Functions and classes that ``lines`` need, those that others use first. They may use each other, rope_core, numpy and torch.
        lines: Python that ends in an assignment to ``columns``.
        values: What ``lines`` call by name, such as ``config``; written as their ``repr``.
    """
    imported = sorted({"RopeConfig", "best_device"} | {name for value in values.values() for name in _classes(value)})
    known = f"from rope_core import {', '.join(imported)}\n"
    sources = "".join(f"\n\n{source(part)}\n" for part in parts)
    named = "".join(f"{name} = {value!r}\n" for name, value in values.items())
    return f"{IMPORTS}{known}{sources}\n{named}{textwrap.dedent(lines).strip()}\n"


@cache
def source(part: Callable[..., object] | type) -> str:
    """Return the source of a function without its decorators, or of a class with them."""
    text = textwrap.dedent(inspect.getsource(inspect.unwrap(part)))
    (node,) = ast.parse(text).body
    if isinstance(node, ast.FunctionDef):
        text = "\n".join(text.splitlines()[node.lineno - 1 :])
    return text.rstrip()


def _classes(value: object) -> set[str]:
    """Name the classes of rope_core that the ``repr`` of a value calls."""
    if isinstance(value, tuple | list):
        return {name for each in value for name in _classes(each)}
    if isinstance(value, dict):
        return {name for each in value.values() for name in _classes(each)}
    if is_dataclass(value) and type(value).__module__.startswith(RopeConfig.__module__.partition(".")[0]):
        return {type(value).__name__} | {name for field in fields(value) for name in _classes(getattr(value, field.name))}
    return set()
