"""Checks of the tensors that scores, bases and spectra are computed from.

Shapes: D = head_dim, P = rotary_dim / 2 pairs.
"""

from __future__ import annotations

import torch
from torch import Tensor

from rope_core.config import RopeConfig, require_config
from rope_core.errors import RopeConfigError, require_dense, require_floating, require_integers, require_last_axis, to_int64

MAX_DISTANCE = 10_000_000
"""The supported range in tokens: the error of cos is at most 5e-10 there, and larger beyond."""
MAX_SPEED = 1_000_000
"""In radians per token, of either sign: far above pi, beyond which speeds alias at integer distances."""


def require_dtype(name: str, value: object, dtype: torch.dtype) -> None:
    """Require a tensor of one dtype: a silent cast would hide an earlier loss of precision."""
    if not isinstance(value, Tensor) or value.dtype != dtype:
        kind = str(value.dtype) if isinstance(value, Tensor) else type(value).__name__
        raise RopeConfigError("{field} must be a {dtype} tensor, got {value}", field=name, dtype=dtype, value=kind)
    require_dense(name, value)


def require_numbers(name: str, value: Tensor) -> None:
    """Require a tensor that has data, unlike a meta tensor."""
    if value.is_meta:
        raise RopeConfigError("{field} must hold numbers, got a meta tensor", field=name)


def require_finite(name: str, value: Tensor) -> None:
    """Require numbers other than inf and nan."""
    require_numbers(name, value)
    finite = value.isfinite()
    if not finite.all():
        raise RopeConfigError("{field} must hold finite numbers only, got {value}", field=name, value=value[~finite][0].item())


def require_same_device(name: str, value: Tensor, *, where: str, other: Tensor) -> None:
    """Require that ``value`` is on the device of ``other``, which the message calls ``where``."""
    if value.device != other.device:
        raise RopeConfigError(
            "{field} must lie on the device of {where}, {want}, got {value}",
            field=name,
            where=where,
            want=other.device,
            value=value.device,
        )


def require_at_most(name: str, value: int, limit: int = MAX_DISTANCE) -> None:
    """Require an integer up to ``limit``."""
    if value > limit:
        raise RopeConfigError("{field} must be at most {limit}, got {value}", field=name, limit=limit, value=value)


def require_vectors(q: Tensor, k: Tensor, config: RopeConfig) -> None:
    """Require finite ``(..., D)`` queries and keys on one device whose leading axes broadcast."""
    require_config(config)
    for name, x in (("q", q), ("k", k)):
        require_floating(name, x)
        require_last_axis(name, x, config.head_dim, meaning="head_dim")
    require_same_device("k", k, where="q", other=q)
    require_finite("q", q)
    require_finite("k", k)
    if any(a != b and 1 not in (a, b) for a, b in zip(reversed(q.shape), reversed(k.shape), strict=False)):
        raise RopeConfigError("the leading axes of q and k must broadcast, got shapes {q} and {k}", q=tuple(q.shape), k=tuple(k.shape))


def require_moderate(inv_freq: Tensor) -> None:
    """Require finite speeds of at most ``MAX_SPEED``, of any shape, so that no angle within the supported range is infinite."""
    require_finite("inv_freq", inv_freq)
    fast = inv_freq[inv_freq.abs() > MAX_SPEED]
    if len(fast):
        raise RopeConfigError("inv_freq must be from -{limit} to {limit}, got {value}", limit=MAX_SPEED, value=fast[0].item())


def require_speeds(inv_freq: Tensor) -> None:
    """Require ``(P,)`` float64 speeds within bounds, at least one pair."""
    require_dtype("inv_freq", inv_freq, torch.float64)
    if inv_freq.ndim != 1 or len(inv_freq) == 0:
        raise RopeConfigError("inv_freq must have shape (P,) with at least one pair, got shape {value}", value=tuple(inv_freq.shape))
    require_moderate(inv_freq)


def require_phasors(phasors: Tensor, inv_freq: Tensor) -> None:
    """Require ``(..., P)`` complex128 of a finite sum, and ``(P,)`` speeds on the same device."""
    require_speeds(inv_freq)
    require_dtype("phasors", phasors, torch.complex128)
    require_last_axis("phasors", phasors, len(inv_freq), meaning="the number of pairs")
    require_same_device("phasors", phasors, where="inv_freq", other=inv_freq)
    require_finite("phasors", phasors)
    require_finite("sum |phasors|", phasors.abs().sum(-1))


def require_edges(edges: Tensor) -> Tensor:
    """Require ``(bins + 1,)`` integers, strictly increasing, from 0 or more to at most one past the supported range; return int64."""
    require_integers("edges", edges)
    require_numbers("edges", edges)
    edges = to_int64("edges", edges)
    if edges.ndim != 1 or len(edges) < 2:
        raise RopeConfigError("edges must have shape (bins + 1,) with at least one bin, got shape {value}", value=tuple(edges.shape))
    falls = (edges[1:] <= edges[:-1]).nonzero()
    if len(falls):
        at = int(falls[0])
        raise RopeConfigError("edges must be strictly increasing, got {value} after {last}", value=int(edges[at + 1]), last=int(edges[at]))
    low, high = int(edges[0]), int(edges[-1])
    if low < 0 or high > MAX_DISTANCE + 1:
        raise RopeConfigError("edges must be from 0 to {limit}, got {value}", limit=MAX_DISTANCE + 1, value=low if low < 0 else high)
    return edges


def require_distances(distances: Tensor, inv_freq: Tensor) -> Tensor:
    """Require ``(n,)`` integers of any sign within the supported range, on the device of the speeds; return int64."""
    require_integers("distances", distances)
    if distances.ndim != 1:
        raise RopeConfigError("distances must have shape (n,), got shape {value}", value=tuple(distances.shape))
    require_same_device("distances", distances, where="inv_freq", other=inv_freq)
    distances = to_int64("distances", distances)
    far = distances[(distances > MAX_DISTANCE) | (distances < -MAX_DISTANCE)]
    if len(far):
        raise RopeConfigError("distances must be from -{limit} to {limit}, got {value}", limit=MAX_DISTANCE, value=int(far[0]))
    return distances
