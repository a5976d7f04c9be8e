"""Sliding windows: how far back the layers of a type attend, so that no score sees a longer distance."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from rope_core.errors import EXACT_INTEGERS
from rope_core.huggingface.layer_types import ALL, SLIDING
from rope_core.huggingface.rope import HfRope
from rope_core.huggingface.section import Section

ON_EVERY_LAYER = ("mistral", "mixtral", "phi3", "phi3_v", "starcoder2")
"""Model types whose ``sliding_window`` holds for every layer; others name the layers that have it."""


def sliding_windows(config: Section, model_type: str | None, named: Sequence[str], layers: Collection[str]) -> dict[str, int]:
    """Return the window of each layer type that has one, in tokens: a query sees its own key and those fewer than so many before it.

    Args:
        config: The config.
        model_type: As it states it.
        named: The type of every layer, before types that agree were joined.
        layers: The types, after that.
    """
    window = config.values.get("sliding_window")
    if not isinstance(window, int) or isinstance(window, bool) or not 1 <= window <= EXACT_INTEGERS:
        return {}
    if SLIDING in layers:
        return {SLIDING: window}
    everywhere = set(named) == {SLIDING} or (model_type in ON_EVERY_LAYER and set(named) <= {ALL})
    return {ALL: window} if everywhere and ALL in layers else {}


def window_keys(rope: HfRope) -> dict[str, Any]:
    """Return the key of a config for the window of a model; nothing where it has none. Which layers have it, its other keys say."""
    return {"sliding_window": next(iter(rope.windows.values()))} if rope.windows else {}
