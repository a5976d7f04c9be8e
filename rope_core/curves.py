"""Long score curves as matrix products: used by ``scores`` and ``bases``; arguments are not validated here.

Shapes: P pairs, N distances, R rows (all leading axes of the phasors flattened), K blocks of B distances.

``exp(1j (a + b) w) = exp(1j a w) exp(1j b w)``: with distance = block start + offset, N distances of P pairs are one real product
``(R K x 2P) @ (2P x B)`` from about ``2 sqrt(N) P`` sines instead of ``N P``. Angles are float64 throughout.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import torch
from jaxtyping import Complex128, Float64
from torch import Tensor

CHUNK_DISTANCES = 2**18  # distances in memory at a time, for each row of a stream
CHUNK_NUMBERS = 2**22  # float64 numbers in the largest intermediate array: 32 MiB
SHORTEST_BLOCK = 256  # below that, overhead dominates the product


def unit_phasors(angles: Float64[Tensor, ...]) -> Complex128[Tensor, ...]:
    """Return ``exp(1j * angle)``."""
    return torch.complex(angles.cos(), angles.sin())


def offset_table(inv_freq: Float64[Tensor, "*bases P"], block: int) -> Float64[Tensor, "*bases 2*P B"]:
    """Tabulate ``(cos, -sin)`` of every pair at offsets 0 .. block - 1: the right factor, one block of distances wide."""
    offsets = torch.arange(block, dtype=torch.float64, device=inv_freq.device)
    angles = inv_freq.unsqueeze(-1) * offsets  # (..., P, B)
    return torch.stack((angles.cos(), -angles.sin()), dim=-2).flatten(-3, -2)  # (..., 2P, B)


def block_phasors(
    phasors: Complex128[Tensor, "*rows P"], inv_freq: Float64[Tensor, "*bases P"], starts: Float64[Tensor, " K"]
) -> Float64[Tensor, "... K 2*P"]:
    """Rotate the phasors to the start of each block: the left factor, with real and imaginary parts in the order of ``offset_table``."""
    turned = phasors.unsqueeze(-2) * unit_phasors(starts.unsqueeze(-1) * inv_freq.unsqueeze(-2))  # (..., K, P)
    return torch.view_as_real(turned).flatten(-2)  # (..., K, 2P)


def curve(phasors: Complex128[Tensor, "R P"], inv_freq: Float64[Tensor, " P"], start: int, length: int) -> Float64[Tensor, "R N"]:
    """Evaluate the score of every row at ``length`` distances from ``start`` on."""
    block = min(length, max(SHORTEST_BLOCK, math.isqrt(length)))
    return _curve(phasors, inv_freq, offset_table(inv_freq, block), start, length)


def stream(
    phasors: Complex128[Tensor, "R P"], inv_freq: Float64[Tensor, " P"], start: int, stop: int
) -> Iterator[tuple[int, int, Float64[Tensor, "R n"]]]:
    """Yield the curve at the distances ``start .. stop - 1`` in pieces ``(first, one past the last, curve)``."""
    table = offset_table(inv_freq, max(SHORTEST_BLOCK, math.isqrt(min(stop - start, CHUNK_DISTANCES))))
    for first in range(start, stop, CHUNK_DISTANCES):
        last = min(stop, first + CHUNK_DISTANCES)
        yield first, last, _curve(phasors, inv_freq, table, first, last - first)


def _curve(phasors: Tensor, inv_freq: Tensor, table: Tensor, start: int, length: int) -> Tensor:
    block = table.shape[-1]
    # Exact integers until they are multiplied by the speed: the angle is rounded once, as in a direct evaluation.
    starts = torch.arange(start, start + length, block, dtype=torch.float64, device=inv_freq.device)  # (K,)
    rows = max(1, CHUNK_NUMBERS // (len(starts) * table.shape[0]))
    pieces = [(block_phasors(some, inv_freq, starts) @ table).flatten(-2)[:, :length] for some in torch.split(phasors, rows)]  # (r, N)
    return pieces[0] if len(pieces) == 1 else torch.cat(pieces)
