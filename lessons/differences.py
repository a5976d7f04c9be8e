"""How far the numbers of two settings lie apart: column by column, at the places that both have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy import ndarray

from lessons.columns import tables
from lessons.view import Columns

BINNED = ("distance", "bin")
"""Middles of bins: two bins with one middle are the same only if all before them are."""


class Difference(NamedTuple):
    """The largest difference of a column, with its place, and both numbers there."""

    name: str
    largest: float
    where: tuple[tuple[str, float], ...]
    first: float
    second: float


def differences(a: Columns, b: Columns) -> Iterator[Difference]:
    """Yield the largest difference of each column that both have; of several equal differences the first place counts."""
    for places, values in _common(a, b):
        for name in values:
            yield from _largest(name, places, a, b)


def gaps(a: Columns, b: Columns) -> Iterator[Columns]:
    """Yield B − A of the columns that both have, a table for each kind of place, at the places that both have."""
    for places, values in _common(a, b):
        found: dict[str, ndarray] = {}
        for name in values:
            rows_a, rows_b = _matched(name, places, a, b)
            if len(rows_a):
                found |= {place: np.asarray(b[place], dtype=float)[rows_b] for place in places}
                found[f"{name} B − A"] = _gap(np.asarray(a[name], dtype=float)[rows_a], np.asarray(b[name], dtype=float)[rows_b])
        if found:
            yield found


def _common(a: Columns, b: Columns) -> Iterator[tuple[list[str], list[str]]]:
    known = {tuple(places): values for places, values in tables(a)}
    for places, values in tables(b):
        shared = [name for name in values if name in known.get(tuple(places), ())]
        if shared:
            yield places, shared


def _largest(name: str, places: Sequence[str], a: Columns, b: Columns) -> Iterator[Difference]:
    rows_a, rows_b = _matched(name, places, a, b)
    if not len(rows_a):
        return
    first, second = np.asarray(a[name], dtype=float)[rows_a], np.asarray(b[name], dtype=float)[rows_b]
    sizes = np.abs(_gap(first, second))
    at = int(sizes.argmax())
    where = tuple((place, float(b[place][rows_b[at]])) for place in places) or (("row", float(at)),)
    yield Difference(name, float(sizes[at]), where, float(first[at]), float(second[at]))


def _gap(first: ndarray, second: ndarray) -> ndarray:
    """Subtract A from B; 0 also where both are infinite."""
    gap: ndarray = np.subtract(second, first, where=first != second, out=np.zeros(len(first)))
    return gap


def _matched(name: str, places: Sequence[str], a: Columns, b: Columns) -> tuple[ndarray, ndarray]:
    """Return the rows of both in which the column has numbers at the same place."""
    one, other = len(a[name]), len(b[name])
    if not places:
        rows = np.arange(one if one == other else 0)
        return rows, rows
    return _shared([_upto(a, each, one) for each in places], [_upto(b, each, other) for each in places], places)


def _upto(columns: Columns, name: str, count: int) -> ndarray:
    return np.asarray(columns[name], dtype=float)[:count]


def _shared(a: list[ndarray], b: list[ndarray], names: Sequence[str]) -> tuple[ndarray, ndarray]:
    """Return the rows of both that stand at the same place."""
    if len(a[0]) == len(b[0]) and all(np.array_equal(*pair) for pair in zip(a, b, strict=True)):
        return np.arange(len(a[0])), np.arange(len(a[0]))
    if len(a) == 1 and names[0] in BINNED and not (_is_every_whole(a[0]) and _is_every_whole(b[0])):
        count = min(len(a[0]), len(b[0]))
        rows = np.arange(int(np.append(a[0][:count] != b[0][:count], True).argmax()))
        return rows, rows
    one, other = (np.rec.fromarrays(each) if len(each) > 1 else each[0] for each in (a, b))
    _, rows_a, rows_b = np.intersect1d(one, other, return_indices=True)
    return rows_a, rows_b


def _is_every_whole(distances: ndarray) -> bool:
    """Return whether each whole distance stands alone: middles one apart are those of bins of one distance, wherever they start."""
    return bool((np.diff(distances) == 1).all()) and bool((distances % 1 == 0).all())
