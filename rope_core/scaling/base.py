"""The interface of a method of context extension, and of the head that it applies to."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, runtime_checkable

import torch
from torch import Tensor

MAX_FACTOR = 1e6
"""Factors in use end at 128; far beyond this one, speeds would leave the range of float64."""


class Head(Protocol):
    """The settings of a head that a method may read; ``RopeConfig`` is one."""

    @property
    def head_dim(self) -> int:
        """Full width of a query or key."""

    @property
    def rotary_dim(self) -> int:
        """Width that is rotated."""

    @property
    def base(self) -> float:
        """The base of the geometric law."""

    @property
    def max_position(self) -> int:
        """The length that the config states, in tokens."""


@runtime_checkable  # the tests check the types of results
class Scaling(Protocol):
    """A method: frozen settings that change the speeds of the pairs, and perhaps scale the rotated vectors.

    Attributes:
        rope_type: Its name in Hugging Face configs, or our own if they have none.
        length_dependent: Whether sequences beyond the trained length change the speeds.
    """

    rope_type: ClassVar[str]
    length_dependent: ClassVar[bool]
    __dataclass_fields__: ClassVar[dict[str, Any]]  # each method is a dataclass

    @property
    def original_max_position(self) -> int | None:
        """The length that the pairs were trained on, if the method states one in addition to ``max_position``."""

    def check(self, head: Head) -> None:
        """Raise RopeConfigError if the method cannot be used with this head."""

    def inverse_frequencies(self, head: Head, seq_len: int | None, *, device: torch.device | None) -> Tensor:
        """Return ``(P,)`` float64 radians per token for a sequence of ``seq_len`` tokens; None means the trained length."""

    def attention_factor_for(self, head: Head, seq_len: int | None) -> float:
        """Return A, which multiplies cos and sin, for a sequence of ``seq_len`` tokens."""
