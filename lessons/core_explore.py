"""What the pages of the section Explore show, as lines that call rope_core."""

from __future__ import annotations

from lessons.core_lines import BINS

SPEED = """
columns = {"pair": np.arange(config.pairs), "theta": rc.inverse_frequencies(config)}
"""
WAVELENGTH = """
columns = {"pair": np.arange(config.pairs), "wavelength": rc.wavelengths(config)}
"""

FIRST = """
from rope_core.bases import first_negatives  # many bases at once

bases, limit = np.geomspace(1.01, 1e9, 400), $limit$
found = first_negatives(torch.stack([rc.geometric_frequencies($width$, base) for base in bases.tolist()]), limit)
columns = {"base": bases, "first_negative_or_limit": torch.where(found < 0, limit, found), "negative_found": found >= 0}
"""
HEAT = (
    BINS
    + """
bases, edges, pairs = np.geomspace(1.01, 1e9, 120), bins($reach$, 400), $width$ // 2
ones = torch.ones(pairs, dtype=torch.complex128)
laws = [rc.geometric_frequencies($width$, base) for base in bases.tolist()]
lowest = torch.stack([rc.score_envelope(ones, law, torch.from_numpy(edges))[0] for law in laws]) / pairs
column, row = (x.ravel() for x in np.meshgrid(np.arange(len(edges) - 1), np.arange(len(bases))))
columns = {
    "distance_from": edges[column],
    "distance_below": edges[column + 1],
    "base": bases[row],
    "lowest_mean_cosine": lowest.float().flatten(),  # as it is drawn
}
"""
)
CRITICAL = """
bases = np.geomspace(1.01, 1e9, 400)
counts = np.array([rc.critical_dimension($context$, $width$, base) for base in bases.tolist()])
columns = {"base": bases, "critical_dimension": counts, "share_percent": 100 * counts / $width$}
"""
