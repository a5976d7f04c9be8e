"""Rotate queries and keys by their positions.

Shapes: B batch, S positions, D = head_dim, P = rotary_dim / 2 pairs; vectors are ``(..., S, D)``.
The rotation is counter-clockwise: ``(x_a, x_b) -> (x_a cos - x_b sin, x_a sin + x_b cos)``.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from jaxtyping import Float, Float64
from torch import Tensor
from torch.autograd.forward_ad import unpack_dual

from rope_core.config import Layout, RopeConfig, require_config, require_layout
from rope_core.devices import or_cpu
from rope_core.errors import (
    FLOATS,
    RopeConfigError,
    require_count,
    require_floating,
    require_integers,
    require_last_axis,
)
from rope_core.frequencies import attention_factor, inverse_frequencies
from rope_core.layouts import pair_halves
from rope_core.operands import MAX_DISTANCE, require_same_device

BLOCK = 2**18  # coordinates that a CPU widens at a time: 1 MiB of float32, and as much for the result, stay in cache


def cos_sin(
    config: RopeConfig, positions: Tensor, *, seq_len: int | None = None, dtype: torch.dtype = torch.float32
) -> tuple[Float[Tensor, "... P"], Float[Tensor, "... P"]]:
    """Tabulate A cos and A sin of the angle of every pair at every position.

    Args:
        config: The head.
        positions: ``(...)`` integers, of any sign, at most 10,000,000 in absolute value; floats do not represent every position exactly.
            The range is not checked: that would force a GPU synchronisation.
        seq_len: Length of the sequence, for methods that depend on it; None means the trained length.
        dtype: Dtype of the result. Angles are float64 until the last step: a float32 angle is off by up to 8e-3 rad below position 131,072.

    Returns:
        Two tensors ``(..., P)`` on the device of ``positions``, attention factor A included.

    Raises:
        RopeConfigError: If positions are not integers, or ``dtype`` is not a floating-point type of at least 16 bits.

    Source: RoFormer, arXiv 2104.09864, eq. 34; A as in YaRN, arXiv 2309.00071, section 3.4.
    """
    require_integers("positions", positions)
    if dtype not in FLOATS:
        raise RopeConfigError("dtype must be float16, bfloat16, float32 or float64, got {value}", value=dtype)
    inv_freq = inverse_frequencies(config, seq_len, device=positions.device)
    # An outer product by broadcasting: autocast would run a matmul in bfloat16, which rounds 65,537 to 65,536.
    angles = positions.to(torch.float64).unsqueeze(-1) * inv_freq  # (..., P)
    factor = attention_factor(config, seq_len)
    return (angles.cos() * factor).to(dtype), (angles.sin() * factor).to(dtype)


def apply_rotation(x: Tensor, cos: Tensor, sin: Tensor, *, layout: Layout) -> Float[Tensor, "... D"]:
    """Rotate the first 2 P coordinates of ``x`` with precomputed tables; the others pass through unchanged.

    Args:
        x: ``(..., D)`` of any floating dtype; not modified.
        cos: ``(..., P)``, broadcast to the leading axes of ``x``.
        sin: Like ``cos``.
        layout: Which coordinates form a pair.

    Returns:
        A new tensor like ``x``: same shape, dtype and device. Products are computed in the wider dtype of ``x`` and the tables
        and rounded once.

    Raises:
        RopeConfigError: If dtypes, widths, shapes or devices do not match.

    Source: RoFormer, arXiv 2104.09864, eq. 34, for interleaved pairs; GPT-NeoX for the half layout.
    """
    _check_tables(x, cos, sin, layout)
    width = 2 * cos.shape[-1]
    followed = torch.compiler.is_compiling() or is_traced() or torch._C._are_functorch_transforms_active()
    if followed or any(map(_is_tracked, (x, cos, sin))):
        return _rotate_plainly(x, cos, sin, layout)
    out = torch.empty_like(x)
    out[..., width:] = x[..., width:]
    wide = torch.promote_types(x.dtype, cos.dtype)
    cos, sin, turning, turned = cos.to(wide), sin.to(wide), x[..., :width], out[..., :width]
    if x.dtype == wide:
        _write_rotation(turning, cos, sin, turned, layout)
        return out
    size = min(turning.numel(), max(BLOCK, width)) if x.device.type == "cpu" else turning.numel()
    buffers = x.new_empty((2, size), dtype=wide)
    for narrow, cos_part, sin_part, result in _blocks(size, turning, *(table.expand(*x.shape[:-1], -1) for table in (cos, sin)), turned):
        exact, rotated = (part[: narrow.numel()].view(narrow.shape) for part in buffers)
        _write_rotation(exact.copy_(narrow), cos_part, sin_part, rotated, layout)
        result.copy_(rotated)
    return out


def rotate(x: Tensor, positions: Tensor, config: RopeConfig, *, seq_len: int | None = None) -> Float[Tensor, "... S D"]:
    """Turn every coordinate pair of ``x`` by ``position * inv_freq`` radians, counter-clockwise.

    Args:
        x: Queries or keys, ``(..., S, D)``; any floating dtype, not modified.
        positions: ``(S,)``, or ``(B, S)`` where B is the first axis of ``x``, or 1, as in transformers; integers as for ``cos_sin``, may
            be negative.
        config: Determines how fast each pair turns and which coordinates form a pair.
        seq_len: Length of the sequence, for methods that depend on it; None means the trained length.

    Returns:
        A tensor like ``x``: same shape, dtype and device.

    Raises:
        RopeConfigError: If the last axis of ``x`` is not ``head_dim`` wide, or the shape of ``positions`` does not match.

    Source: RoFormer, arXiv 2104.09864, eq. 34.
    """
    require_config(config)
    require_floating("x", x)
    require_last_axis("x", x, config.head_dim, meaning="head_dim")
    require_integers("positions", positions)
    require_same_device("positions", positions, where="x", other=x)
    _check_positions(x, positions)
    cos, sin = cos_sin(config, positions, seq_len=seq_len, dtype=table_dtype(x.dtype))
    if positions.ndim == 2:
        between = (1,) * (x.ndim - 3)
        cos, sin = (table.reshape(table.shape[0], *between, *table.shape[1:]) for table in (cos, sin))  # (B, ..., S, P)
    return apply_rotation(x, cos, sin, layout=config.layout)


def rotation_matrix(
    config: RopeConfig, position: int, *, seq_len: int | None = None, device: torch.device | None = None
) -> Float64[Tensor, "D D"]:
    """Return the rotation at one position as a matrix, so that ``matrix @ x`` rotates ``x``.

    Args:
        config: The head.
        position: An integer from -10,000,000 to 10,000,000.
        seq_len: Length of the sequence, for methods that depend on it; None means the trained length.
        device: Device of the result; the CPU if None.

    Returns:
        ``(head_dim, head_dim)`` float64: a 2 x 2 block for each pair of the layout, A included, and ones for unrotated coordinates.

    Raises:
        RopeConfigError: If ``position`` is not an integer within that range.

    Source: RoFormer, arXiv 2104.09864, eq. 15.
    """
    require_config(config)
    position = require_count("position", position, low=-MAX_DISTANCE, high=MAX_DISTANCE)
    device = or_cpu(device)
    positions = torch.full((config.head_dim,), position, device=device)
    # Row j of the identity becomes the image of unit vector j: column j of the matrix.
    return rotate(torch.eye(config.head_dim, dtype=torch.float64, device=device), positions, config, seq_len=seq_len).T.contiguous()


def table_dtype(dtype: torch.dtype) -> torch.dtype:
    """Return the dtype of tables for vectors of ``dtype``: float64 for float64, else float32, so that bfloat16 rounds only the result."""
    return torch.float64 if dtype == torch.float64 else torch.float32


def is_traced() -> bool:
    """Return whether ``torch.jit.trace`` records this call."""
    return bool(torch.jit.is_tracing())  # type: ignore[attr-defined,no-untyped-call]


def _is_tracked(value: Tensor) -> bool:
    """Return whether a gradient is required, in backward or forward mode."""
    return (value.requires_grad and torch.is_grad_enabled()) or unpack_dual(value).tangent is not None  # type: ignore[no-untyped-call]


def _write_rotation(x: Tensor, cos: Tensor, sin: Tensor, out: Tensor, layout: Layout) -> None:
    """Rotate ``(..., 2 P)``, in the dtype of the tables, into ``out`` without temporaries."""
    if layout == "interleaved" and _holds_complex(x) and _holds_complex(out):
        pairs, result = (torch.view_as_complex(y.view(*y.shape[:-1], y.shape[-1] // 2, 2)) for y in (x, out))
        torch.mul(pairs, torch.complex(cos, sin), out=result)
        return
    (a, b), (out_a, out_b) = pair_halves(x, layout), pair_halves(out, layout)
    torch.mul(a, cos, out=out_a).addcmul_(b, sin, value=-1)
    torch.mul(a, sin, out=out_b).addcmul_(b, cos)


def _holds_complex(x: Tensor) -> bool:
    """Return whether adjacent coordinates can be viewed as complex numbers without a copy."""
    even = all(step % 2 == 0 for step in (x.storage_offset(), *x.stride()[:-1]))
    return x.dtype in (torch.float32, torch.float64) and x.stride(-1) == 1 and even


def _blocks(size: int, x: Tensor, *others: Tensor) -> Iterator[tuple[Tensor, ...]]:
    """Split tensors with the same leading axes into parts of at most ``size`` coordinates of ``x``."""
    axis = next((axis for axis, length in enumerate(x.shape[:-1]) if length > 1), None)
    if x.numel() <= size or axis is None:
        yield (x, *others)
        return
    count = min(x.shape[axis], -(-x.numel() // size))
    for parts in zip(*(tensor.tensor_split(count, dim=axis) for tensor in (x, *others)), strict=True):
        yield from _blocks(size, *parts)


def _rotate_plainly(x: Tensor, cos: Tensor, sin: Tensor, layout: Layout) -> Tensor:
    """Rotate without in-place writes, which autograd and torch.func do not support and a compiler does not need."""
    width = 2 * cos.shape[-1]
    a, b = pair_halves(x[..., :width], layout)
    turned = (a * cos - b * sin, a * sin + b * cos)
    joined = torch.cat(turned, dim=-1) if layout == "half" else torch.stack(turned, dim=-1).flatten(-2)
    # Concatenated in the wider dtype: CPU autocast has no float16 torch.cat.
    return torch.cat((joined, x[..., width:].to(joined.dtype)), dim=-1).to(x.dtype)


def _check_tables(x: Tensor, cos: Tensor, sin: Tensor, layout: Layout) -> None:
    require_layout(layout)
    for name, value in (("x", x), ("cos", cos), ("sin", sin)):
        require_floating(name, value)
        require_same_device(name, value, where="x", other=x)
    if cos.shape != sin.shape:
        raise RopeConfigError("cos and sin must have one shape, got {cos} and {sin}", cos=tuple(cos.shape), sin=tuple(sin.shape))
    if cos.dtype != sin.dtype:
        raise RopeConfigError("cos and sin must have one dtype, got {cos} and {sin}", cos=cos.dtype, sin=sin.dtype)
    if cos.ndim == 0 or x.ndim == 0 or 2 * cos.shape[-1] > x.shape[-1]:
        raise RopeConfigError(
            "the last axis of x must hold two coordinates a pair, got shapes {x} and {cos}", x=tuple(x.shape), cos=tuple(cos.shape)
        )
    fits = cos.ndim <= x.ndim and all(have in (1, want) for have, want in zip(cos.shape[-2::-1], x.shape[-2::-1], strict=False))
    if not fits:
        raise RopeConfigError(
            "the leading axes of cos must broadcast to those of x, got shapes {cos} and {x}", cos=tuple(cos.shape), x=tuple(x.shape)
        )


def _check_positions(x: Tensor, positions: Tensor) -> None:
    """Require ``(S,)`` or ``(B, S)``; a head axis in place of S is the most common silent mistake."""
    shape, length = tuple(positions.shape), x.shape[-2] if x.ndim > 1 else None
    batched = positions.ndim == 2 and x.ndim >= 3 and shape in ((x.shape[0], length), (1, length))
    if not batched and shape != (length,):
        raise RopeConfigError(
            "positions must have shape (S,) or (B, S) for x of shape (B, ..., S, head_dim), got {positions} for x {x}",
            positions=shape,
            x=tuple(x.shape),
        )
