"""The rotation of the layers of one type, before its method is read."""

from __future__ import annotations

from dataclasses import dataclass

from rope_core.huggingface.keys import BASES
from rope_core.huggingface.section import Section


@dataclass(frozen=True)
class LayerRope:
    """The rotation of the layers of one type.

    Attributes:
        rope: Their rope object, possibly empty.
        base_keys: Keys at the top of the config that may hold the base, in order of precedence.
        default_base: The base if none of them is present; None means that of the family.
        head_dim: The head width of this type, if it has its own.
        nested: Whether the object applies to this layer type only.
    """

    rope: Section
    base_keys: tuple[str, ...] = BASES
    default_base: float | None = None
    head_dim: int | None = None
    nested: bool = False


Layers = dict[str, LayerRope | None]
Read = tuple[Layers, tuple[str, ...]]
