"""The numbers of a view, and lines that compute them with rope_core: the source of the function that did, and of all that it uses."""

from __future__ import annotations

import builtins
import dis
import inspect
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from types import CodeType
from typing import Any, ParamSpec, TypedDict

import rope_core
from lessons.view import Columns

P = ParamSpec("P")
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
KNOWN = {*vars(builtins), "__annotations__", "math", "dataclass", "replace", "NamedTuple", "np", "torch", "rc"}
"""Names that are defined there, and that functions look up."""


class Numbers(TypedDict):
    """What a view has of its numbers."""

    columns: Columns
    notebook_code: str


def computed(function: Callable[P, Columns], *args: P.args, **kwargs: P.kwargs) -> Numbers:
    """Return the columns that a function gives, and lines that call it with the same values, by name."""
    given = inspect.signature(function).bind(*args, **kwargs).arguments
    needed = dict.fromkeys((*_sources(function), *(part for value in given.values() for part in _classes(value))))
    defined = sorted(needed, key=lambda part: (not part.startswith("from "), part.startswith("\n")))  # imports, constants, functions
    values = "".join(f"{name} = {value!r}\n" for name, value in given.items())
    call = ", ".join(f"{name}={name}" if name in kwargs else name for name in given)
    code = f"{IMPORTS}{''.join(defined)}\n\n{values}columns = {function.__name__}({call})\n"
    return {"columns": function(*args, **kwargs), "notebook_code": code}


def _classes(value: object) -> Iterator[str]:
    """Yield the lines that define the classes whose names the ``repr`` of a value calls."""
    if isinstance(value, tuple | list):
        for each in value:
            yield from _classes(each)
    elif isinstance(value, dict):
        yield from _classes([*value.values()])
    elif is_dataclass(value) and not isinstance(value, type):
        yield from _sources(type(value))
        yield from _classes([getattr(value, field.name) for field in fields(value)])


@cache
def _sources(part: Any) -> tuple[str, ...]:
    """Return the lines that define a function, without its decorators, or a class, after those of all that it uses."""
    name, home = part.__name__, part.__module__
    if home.startswith("rope_core"):
        return (f"from {'rope_core' if hasattr(rope_core, name) else home} import {name}\n",)
    text = inspect.getsource(inspect.unwrap(part))
    text = text if isinstance(part, type) else text[f"\n{text}".index("\ndef ") :]
    used = dict.fromkeys(each for each in _names(compile(text, name, "exec")) if each not in {*KNOWN, name})
    needed = dict.fromkeys(line for each in used for line in _definition(each, getattr(sys.modules[home], each)))
    return (*needed, f"\n\n{text}")


def _definition(name: str, value: object) -> tuple[str, ...]:
    return _sources(value) if callable(value) else (f"{name} = {value!r}\n",)


def _names(code: CodeType) -> Iterator[str]:
    """Yield the names of a module that code looks up."""
    for line in dis.get_instructions(code):
        if line.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield line.argval
        elif isinstance(line.argval, CodeType):
            yield from _names(line.argval)
