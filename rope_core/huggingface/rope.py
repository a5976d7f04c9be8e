"""What a config says about rotation: the settings of every layer, and findings about the config itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError

Level = Literal["error", "warning", "note"]
"""``error``: no settings can be derived; ``warning``: an engine may compute something other than intended; ``note``: for information."""

Basis = Literal["known", "stated", "assumed"]
"""``known``: the rules of the model's own code are known; ``stated``: the config states all that decides its settings; ``assumed``: it
does not, and a warning says what was assumed."""

LEVELS: tuple[Level, ...] = get_args(Level)
"""Most severe first."""


@dataclass(frozen=True)
class Finding:
    """One observation about a config.

    Attributes:
        level: Its severity.
        key: Path of the key concerned; unprintable characters are escaped.
        template: One sentence with named placeholders, which a user interface can translate.
        fix_template: What to do about it, with the same placeholders; empty if nothing needs to be done.
        values: The values of the placeholders.
    """

    level: Level
    key: str
    template: str
    fix_template: str = ""
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.template.format(**self.values)

    @property
    def fix(self) -> str:
        """What to do, in English."""
        return self.fix_template.format(**self.values)


class HfConfigError(RopeConfigError):
    """Raised for a config from which no settings can be derived; ``str()`` is the first error.

    Attributes:
        findings: All findings, most severe first, at least one of level ``error``.
    """

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        """Use the first error as the message."""
        first = next(finding for finding in findings if finding.level == "error")
        super().__init__(first.template, **first.values)
        self.findings = findings

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling with all findings."""
        return HfConfigError, (self.findings,)


@dataclass(frozen=True)
class EngineReading:
    """What one engine makes of a config that engines read differently.

    Attributes:
        engine: Its name, with its version where that matters.
        template: What it takes, as a sentence with named placeholders, which a user interface can translate.
        values: The values of the placeholders.
        config: The settings that follow; None if it refuses the config, or computes no table of this kind.
        source: Where that was read or run.
    """

    engine: str
    template: str
    values: Mapping[str, object]
    config: RopeConfig | None
    source: str

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.template.format(**self.values)


@dataclass(frozen=True)
class HfRope:
    """The rotary settings of a model.

    Attributes:
        layers: Settings by layer type, ``"all"`` if all layers agree; None for layers without rotation.
        layer_types: One key of ``layers`` for every layer.
        softmax_factor: Factor on the softmax scale, in addition to ``attention_factor``: DeepSeek's ``mscale_all_dim``.
        pair_axes: The position number that rotates each pair, ``"t"``, ``"h"`` or ``"w"``; None for ordinary positions.
        findings: Warnings and notes about the config.
        model_type: As the config states it.
        attention_types: The type of every layer as the model class names it, if ``layer_types`` has other names: DeepSeek-V4's two
            kinds of compressed attention have the same settings. Empty otherwise.
        latent: Whether the rotated coordinates come from a projection of their own, whose width has its own key: ``qk_rope_head_dim``.
        basis: Whether the settings are known, stated or assumed.
        windows: By key of ``layers``, how many tokens back those layers see, for those with a sliding window.
        layer_windows: The same for every layer, None for one that sees everything; empty if no layer has a window.
        engines: What engines make of this config, if they differ; the first is what ``layers`` follow.
        source_format: The name of the format, if it is not a config of transformers: ``"GGUF"``, ``"params.json of Meta"``.
        axial: Whether positions are places in an image; then every pair of ``layers`` exists once for each axis.
    """

    layers: Mapping[str, RopeConfig | None]
    layer_types: tuple[str, ...]
    softmax_factor: float = 1.0
    pair_axes: tuple[str, ...] | None = None
    findings: tuple[Finding, ...] = ()
    model_type: str | None = None
    attention_types: tuple[str, ...] = ()
    latent: bool = False
    basis: Basis = "stated"
    windows: Mapping[str, int] = field(default_factory=dict)
    layer_windows: tuple[int | None, ...] = ()
    engines: tuple[EngineReading, ...] = ()
    source_format: str | None = None
    axial: bool = False

    def reach(self, layer: str) -> int:
        """Return the longest distance that layers of a type see, in tokens: the stated length, or their sliding window if it is shorter."""
        config = self.layers[layer]
        stated = 1 if config is None else config.max_position
        return min(stated, self.windows.get(layer, stated))

    def window_of(self, config: RopeConfig) -> int | None:
        """Return the sliding window of the layers with these settings, the first of several; None if they have none."""
        return next((self.windows.get(name) for name, each in self.layers.items() if each == config), None)

    def within_window(self, config: RopeConfig) -> RopeConfig:
        """Return a plain head of this model with the window of its layers for the length, where that is shorter: scores see no farther."""
        window = self.window_of(config)
        if window is None or window >= config.max_position or config.scaling is not None:
            return config
        return replace(config, max_position=window)

    @property
    def stated_length(self) -> int | None:
        """The length that the config states, in tokens; None if nothing rotates."""
        return None if self.main is None else self.main.max_position

    @property
    def trained_length(self) -> int | None:
        """The length that a scaling method names as the trained one; None if none does, because the stated length need not be it."""
        scaling = None if self.main is None else self.main.scaling
        return None if scaling is None else scaling.original_max_position

    @property
    def main(self) -> RopeConfig | None:
        """The settings of the layers with the widest attention: full or compressed if such layers rotate, else the first that do."""
        rotated = {name: config for name, config in self.layers.items() if config is not None}
        widest = (rotated[name] for name in ("full_attention", "compress") if name in rotated)
        return next(widest, None) or next(iter(rotated.values()), None)
