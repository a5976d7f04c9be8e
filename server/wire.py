"""How figures travel: JSON, and behind it the arrays as they lie in memory.

Bytes: the length of the JSON as an unsigned 32-bit number, the JSON, zeros up to a multiple of eight, the arrays, each at a multiple of
eight. In the JSON an array is ``{"at": first byte, "dtype": "f8", "shape": [3, 4]}``. figure.js reads it.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy import ndarray

ALIGNED = 8
SENT = {"f4", "f8", "i1", "i2", "i4", "u1", "u2", "u4"}
"""Types that are typed arrays in a browser."""
LARGE = 4_000
"""Cells from which on a matrix is sent in a byte a cell during a drag: a channel of a colour has no more, and nobody who drags reads
numbers off single cells.
"""
STEPS, NOTHING = 254, 255
COMPACT = (",", ":")


def encode(message: Mapping[str, Any], *, coarse: bool = False) -> bytes:
    """Write a message.

    Args:
        message: JSON values and arrays.
        coarse: Send the cells of large matrices as one of 255 steps between the least and the greatest; the error is half a step.
    """
    writer = _Writer(coarse)
    head = writer.encode(message)
    if "NaN" in head or "Infinity" in head:  # of which JSON knows nothing
        head = json.dumps(json.loads(head, parse_constant=lambda _: None), separators=COMPACT)
    start = struct.pack("<I", len(head)) + head.encode()
    return start + bytes(-len(start) % ALIGNED) + bytes(writer.blob)


class _Writer(json.JSONEncoder):
    """Writes JSON, and puts the arrays that it meets into ``blob``."""

    def __init__(self, coarse: bool) -> None:
        super().__init__(separators=COMPACT)
        self.coarse, self.blob = coarse, bytearray()

    def default(self, obj: Any) -> Any:
        """Return the value of a number, and of an array the place where it lies."""
        if isinstance(obj, np.generic):
            return obj.item()
        if not isinstance(obj, ndarray):
            return super().default(obj)
        if self.coarse and obj.ndim == 2 and obj.size > LARGE and obj.dtype.kind == "f":
            return _steps(obj, self.blob)
        array = _typed(obj)
        return _put(array, self.blob) if array.dtype.str[1:] in SENT else array.tolist()


def _typed(array: ndarray) -> ndarray:
    """Return whole numbers of 64 bits, which a browser's arrays do not have, in 32 if they fit."""
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size and np.abs(array).max() < 2**31:
        return array.astype(np.int32)
    return array


def _put(array: ndarray, blob: bytearray) -> dict[str, Any]:
    """Append an array, and return the place where it lies."""
    array = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
    place = {"at": len(blob), "dtype": array.dtype.str[1:], "shape": list(array.shape)}
    blob += array.tobytes()
    blob += bytes(-len(blob) % ALIGNED)
    return place


def _steps(cells: ndarray, blob: bytearray) -> dict[str, Any]:
    """Append cells as steps between the least and the greatest, and return how to read them."""
    known = np.isfinite(cells)
    low, high = (float(end(cells[known])) if known.any() else 0.0 for end in (np.min, np.max))
    step = (high - low) / STEPS or 1.0
    with np.errstate(invalid="ignore"):
        numbers = np.where(known, np.rint((cells - low) / step), NOTHING)
    return _put(numbers.astype(np.uint8), blob) | {"low": low, "step": step, "nothing": NOTHING}
