"""Rotary embedding as a layer for PyTorch models.

Shapes: S positions, D = head_dim; queries and keys are ``(..., S, D)``, the sequence on the axis before the last.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from rope_core.config import RopeConfig, require_config
from rope_core.errors import RopeConfigError, require_count, require_floating, require_last_axis
from rope_core.frequencies import inverse_frequencies
from rope_core.operands import MAX_DISTANCE, require_same_device
from rope_core.rotation import apply_rotation, cos_sin, is_traced, rotate, table_dtype

LONGEST_TABLE = 2**17  # rows cached from position 0 on: 64 MiB of float32 for 64 pairs; a longer call caches only its own rows


class RotaryEmbedding(nn.Module):
    """Rotate queries and keys, with a table of cos and sin that grows with the sequence.

    The table is a cache, not a buffer: it is not in ``state_dict``, ``.half()`` and ``.to(dtype)`` never round it, a call on another device
    rebuilds it there, and a module built on the meta device needs no re-initialisation. Methods whose speeds depend on the length get
    separate rows for each length; keys that a caller has cached at a shorter length then no longer match new queries.

    Args:
        config: The head.
    """

    def __init__(self, config: RopeConfig) -> None:
        """Store the config; the table is built by the first call."""
        super().__init__()
        require_config(config)
        self.config = config
        self._kept: tuple[tuple[object, ...], tuple[Tensor, Tensor]] | None = None  # cache key and table

    def _load_from_state_dict(self, state_dict: dict[str, Any], prefix: str, *args: Any) -> None:
        """Accept the ``inv_freq`` that older checkpoints hold, if it is the table of this config, and keep none of it.

        A checkpoint holds it before scaling, or after, in the dtype of its weights; loading reports another one as an error.
        """
        saved = state_dict.pop(f"{prefix}inv_freq", None)
        super()._load_from_state_dict(state_dict, prefix, *args)
        if isinstance(saved, Tensor) and not saved.is_meta and not self._has_speeds(saved):
            errors: list[str] = args[-1]
            errors.append(f"{prefix}inv_freq is not the table of {self.config}: it is of another base, width or method")

    def _has_speeds(self, saved: Tensor) -> bool:
        """Return whether a saved table is ours, but for the rounding of its dtype and of tables computed in float32."""
        limits = torch.finfo(saved.dtype if saved.is_floating_point() else torch.float32)
        for config in (self.config, replace(self.config, scaling=None)):
            speeds = inverse_frequencies(config, device=saved.device)
            if saved.shape == speeds.shape:
                near = torch.isclose(saved.double(), speeds, rtol=max(limits.eps, 2e-6), atol=limits.tiny * limits.eps)
                if near.all():
                    return True
        return False

    def forward(
        self, q: Tensor, k: Tensor, positions: Tensor | None = None, *, offset: int | Tensor = 0
    ) -> tuple[Float[Tensor, "... S D"], Float[Tensor, "... S D"]]:
        """Rotate queries and keys of the same tokens.

        Args:
            q: ``(..., S, head_dim)`` of any floating dtype; not modified.
            k: ``(..., S, head_dim)``; the number of heads may differ from that of ``q``.
            positions: ``(S,)``, ``(B, S)`` or ``(1, S)`` integers; None means ``offset, offset + 1, ...``.
            offset: Tokens before this call, such as the length of a key cache; ``offset + S`` is the length of the sequence,
                up to 10,000,000. A tensor of one integer, so that ``torch.jit.trace`` does not fix it, is read from its device.

        Returns:
            Two tensors like ``q`` and ``k``: same shapes, dtypes and devices.

        Raises:
            RopeConfigError: If shapes or devices do not match each other, ``head_dim`` or ``positions``, or the sequence is too long.
        """
        if is_traced():
            return self._traced(q, k, positions, offset)
        for name, x in (("q", q), ("k", k)):
            require_floating(name, x)
            require_last_axis(name, x, self.config.head_dim, meaning="head_dim")
        if q.ndim < 2 or k.ndim < 2 or q.shape[-2] != k.shape[-2]:
            raise RopeConfigError(
                "q and k must be (..., S, head_dim) with one S, got shapes {q} and {k}", q=tuple(q.shape), k=tuple(k.shape)
            )
        require_same_device("k", k, where="q", other=q)
        offset = require_count("offset", offset.item() if isinstance(offset, Tensor) and offset.numel() == 1 else offset, low=0)
        seq_len = require_count("offset + S", offset + q.shape[-2], low=0, high=MAX_DISTANCE)
        if positions is None and torch.compiler.is_compiling():
            positions = torch.arange(offset, seq_len, device=q.device)  # a table cached between calls would break the graph
        if positions is not None:
            seq_len = max(seq_len, 1)  # an empty sequence is allowed
            return tuple(rotate(x, positions, self.config, seq_len=seq_len) for x in (q, k))  # type: ignore[return-value]
        cos, sin = self._cos_sin(offset, seq_len, q.device, table_dtype(torch.promote_types(q.dtype, k.dtype)))
        return (
            apply_rotation(q, cos, sin, layout=self.config.layout),
            apply_rotation(k, cos, sin, layout=self.config.layout),
        )

    def _traced(self, q: Tensor, k: Tensor, positions: Tensor | None, offset: int | Tensor) -> tuple[Tensor, Tensor]:
        """Rotate for ``torch.jit.trace``, to which sizes are tensors: another length or offset later finds no table of this one."""
        if self.config.scaling is not None and self.config.scaling.length_dependent:
            raise RopeConfigError("scaling must not depend on the length under torch.jit.trace, got {value}", value=self.config.scaling)
        if positions is None:
            positions = torch.arange(q.shape[-2], device=q.device) + offset
        return rotate(q, positions, self.config), rotate(k, positions, self.config)

    def _cos_sin(self, offset: int, seq_len: int, device: torch.device, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """Return the rows for positions ``offset`` .. ``seq_len`` - 1."""
        scaling = self.config.scaling
        own_speeds = scaling is not None and scaling.length_dependent and seq_len > self.config.trained_length
        from_zero = not own_speeds and seq_len <= LONGEST_TABLE
        # A table built in inference mode cannot be saved for a backward pass, so the mode is part of the key.
        key = (self.config, device, dtype, torch.is_inference_mode_enabled(), None if from_zero else (offset, seq_len))
        first = 0 if from_zero else offset
        kept = self._kept  # read once: another thread may replace it
        if kept is None or kept[0] != key or kept[1][0].shape[0] < seq_len - first:
            last = 1 << (int(seq_len) - 1).bit_length() if from_zero else seq_len  # doubling: decoding rebuilds rarely
            positions = torch.arange(first, last, device=device)
            kept = (key, cos_sin(self.config, positions, seq_len=seq_len if own_speeds else None, dtype=dtype))
            self._kept = kept
        cos, sin = kept[1]
        return cos[offset - first : seq_len - first], sin[offset - first : seq_len - first]  # (S, P)
