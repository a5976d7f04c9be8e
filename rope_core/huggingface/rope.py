"""What a config says about rotation, layer by layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rope_core.config import RopeConfig
from rope_core.huggingface.findings import Finding


@dataclass(frozen=True)
class HfRope:
    """The rotary settings of a model.

    Attributes:
        layers: Settings by the type of layer, ``"all"`` where all layers agree; None where nothing turns.
        layer_types: One key of ``layers`` for every layer.
        softmax_factor: What the softmax scale is multiplied by, beside ``attention_factor``: DeepSeek's ``mscale_all_dim``.
        pair_axes: The position number that turns each pair, ``"t"``, ``"h"`` or ``"w"``; None for ordinary positions.
        findings: What else there is to know.
        model_type: As the config states it.
        attention_types: The type of every layer as the class of the model names it, where ``layer_types`` has other names: DeepSeek-V4's
            two kinds of compressed attention turn alike. Empty otherwise.
        latent: Whether what turns comes from a projection of its own, whose width has a key of its own: ``qk_rope_head_dim``.
    """

    layers: Mapping[str, RopeConfig | None]
    layer_types: tuple[str, ...]
    softmax_factor: float = 1.0
    pair_axes: tuple[str, ...] | None = None
    findings: tuple[Finding, ...] = ()
    model_type: str | None = None
    attention_types: tuple[str, ...] = ()
    latent: bool = False

    @property
    def main(self) -> RopeConfig | None:
        """The settings of the layers that see farthest: full or compressed attention where such layers turn, else the first that turn."""
        turning = {name: config for name, config in self.layers.items() if config is not None}
        far = (turning[name] for name in ("full_attention", "compress") if name in turning)
        return next(far, None) or next(iter(turning.values()), None)
