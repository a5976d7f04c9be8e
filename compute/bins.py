"""Distances for a log axis."""

from __future__ import annotations

import numpy as np
from numpy import ndarray


def log_bins(reach: int, *, bins: int = 1000) -> ndarray:
    """Return integer edges from 1 to ``reach`` + 1, even on a log axis, at least one apart."""
    return np.unique(np.rint(np.geomspace(1, reach + 1, bins + 1)).astype(np.int64))


def log_integers(reach: int, points: int) -> ndarray:
    """Return distinct integers from 1 to ``reach``, even on a log axis where integers allow it."""
    return np.unique(np.rint(np.geomspace(1, reach, points)).astype(np.int64))
