"""Positions with more than one axis: an image or a video, where pairs are divided among time, height and width.

Shapes: P pairs, A axes, S tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import torch
from jaxtyping import Float64, Int64
from torch import Tensor

from rope_core.devices import or_cpu
from rope_core.errors import RopeConfigError, is_integer, require_count, require_integers, require_width
from rope_core.laws import geometric_frequencies
from rope_core.operands import MAX_DISTANCE, require_same_device, require_speeds

MROPE_AXES = ("t", "h", "w")
"""Time, height and width, in the order of ``mrope_section``."""

AxialOrder = Literal["split", "alternate"]
"""``split``: columns take the first half of the pairs and rows the second, with the same speeds; ``alternate``: even pairs take rows."""


def mrope_axes(section: Sequence[int], *, interleaved: bool = False) -> tuple[str, ...]:
    """Return which of the three position numbers rotates each pair.

    Args:
        section: Pairs of time, height and width.
        interleaved: Assign the pairs in turn, t h w t h w ..., until height and width have theirs; False keeps each section contiguous,
            so that all the fastest pairs belong to time.

    Returns:
        One of ``"t"``, ``"h"``, ``"w"`` for each of ``sum(section)`` pairs, fastest pair first.

    Raises:
        RopeConfigError: If the section is not three counts, or its interleaved pairs do not fit into their sum.

    Source: Qwen2-VL, arXiv 2409.12191; interleaved as in Qwen3-VL.
    """
    section = _plain_section(section)
    if not interleaved:
        return tuple(axis for axis, count in zip(MROPE_AXES, section, strict=True) for _ in range(count))
    axes = ["t"] * sum(section)
    for offset, axis in ((1, "h"), (2, "w")):
        places = range(offset, 3 * section[offset], 3)
        if places and places[-1] >= len(axes):
            raise RopeConfigError("mrope_section {value!r} cannot be interleaved: time has too few pairs", value=list(section))
        for place in places:
            axes[place] = axis
    return tuple(axes)


def image_positions(start: int, height: int, width: int, *, device: torch.device | None = None) -> Int64[Tensor, "3 S"]:
    """Return the positions of the patches of an image that begins at position ``start`` of a text.

    Args:
        start: Position of the first patch; the text continues at ``start + max(height, width)``.
        height: Rows, after merging.
        width: Columns, after merging.
        device: Device of the result; the CPU if None.

    Returns:
        ``(3, height * width)``: time, which is constant, row and column, in row-major order. A text token has one number in all three.

    Raises:
        RopeConfigError: If an argument is not an integer within the supported range.

    Source: Qwen2-VL, arXiv 2409.12191.
    """
    start = require_count("start", start, low=0, high=MAX_DISTANCE)
    height, width = (require_count(name, value, high=4096) for name, value in (("height", height), ("width", width)))
    rows, columns = torch.meshgrid(torch.arange(height, device=or_cpu(device)), torch.arange(width, device=or_cpu(device)), indexing="ij")
    return start + torch.stack((torch.zeros_like(rows), rows, columns)).flatten(1)


def axial_frequencies(
    rotary_dim: int, base: float, *, order: AxialOrder = "split", device: torch.device | None = None
) -> tuple[Float64[Tensor, " P"], tuple[str, ...]]:
    """Return the speeds of a head that rotates by rows and columns, and the axis of each pair.

    Args:
        rotary_dim: Rotated width; for ``split`` a multiple of 4.
        base: Above 1; 100 in RoPE-ViT for ``split``, 10,000 in Pixtral for ``alternate``.
        order: How pairs are divided between the two axes.
        device: Device of the speeds; the CPU if None.

    Returns:
        ``(P,)`` radians per patch, and ``"h"`` or ``"w"`` for each pair.

    Raises:
        RopeConfigError: If an argument is outside its range.

    Source: RoPE-ViT, arXiv 2403.13298 (axial); Pixtral 12B, arXiv 2410.07073, whose vectors store row pairs before column pairs.
    """
    _require_order(order)
    if order == "alternate":
        speeds = geometric_frequencies(rotary_dim, base, device=device)
        return speeds, tuple("hw"[pair % 2] for pair in range(len(speeds)))
    if not is_integer(rotary_dim) or rotary_dim <= 0 or rotary_dim % 4:
        raise RopeConfigError("rotary_dim must be a positive multiple of 4 to be split over two axes, got {value!r}", value=rotary_dim)
    half = geometric_frequencies(require_width("rotary_dim", rotary_dim) // 2, base, device=device)
    return torch.cat((half, half)), ("w",) * len(half) + ("h",) * len(half)


def axis_angles(inv_freq: Tensor, positions: Mapping[str, Tensor], pair_axes: Sequence[str]) -> Float64[Tensor, "... P"]:
    """Return the angle of every pair, each from the position on its own axis.

    Equal positions on all axes give the angles of ordinary RoPE.

    Args:
        inv_freq: ``(P,)`` float64 radians per step.
        positions: For every axis in ``pair_axes`` a tensor ``(...)`` of integers, all of one shape and on the same device as the speeds.
        pair_axes: The axis of each pair.

    Returns:
        ``(..., P)`` radians; their cos and sin go into ``apply_rotation``.

    Raises:
        RopeConfigError: If an axis has no positions, positions are not integers, or the numbers of pairs, shapes or devices differ.
    """
    require_speeds(inv_freq)
    if not isinstance(positions, Mapping):
        raise RopeConfigError("positions must be a mapping of axes to tensors, got {value}", value=type(positions).__name__)
    if len(pair_axes) != len(inv_freq):
        raise RopeConfigError(
            "pair_axes must name one axis for each of the {pairs} pairs, got {value}", pairs=len(inv_freq), value=len(pair_axes)
        )
    for axis in dict.fromkeys(pair_axes):
        if axis not in positions:
            raise RopeConfigError("positions must have the axis {axis!r}, got {value}", axis=axis, value=list(positions))
        require_integers(f"positions[{axis!r}]", positions[axis])
        require_same_device(f"positions[{axis!r}]", positions[axis], where="inv_freq", other=inv_freq)
    shapes = {tuple(positions[axis].shape) for axis in pair_axes}
    if len(shapes) != 1:
        raise RopeConfigError("positions of all axes must have one shape, got {value}", value=sorted(shapes))
    return torch.stack([positions[axis].to(torch.float64) for axis in pair_axes], dim=-1) * inv_freq


def _require_order(order: object) -> None:
    if not isinstance(order, str) or order not in get_args(AxialOrder):
        raise RopeConfigError('order must be "split" or "alternate", got {value!r}', value=order)


def _plain_section(section: object) -> tuple[int, ...]:
    """Require three counts, not all 0, and return them as Python integers: numpy integers can overflow."""
    if isinstance(section, Sequence) and len(section) == 3 and all(is_integer(count) and 0 <= count <= 4096 for count in section):
        plain = tuple(map(int, section))
        if any(plain):
            return plain
    raise RopeConfigError("mrope_section must be three counts of pairs, not all 0, got {value!r}", value=section)
