"""Sliding windows: how far back the layers of each type see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rope_core.huggingface.families import family_defaults, model_types
from rope_core.huggingface.layer_types import ALL, FULL, MODERNBERT
from rope_core.huggingface.rope import HfRope
from rope_core.huggingface.section import Section, wording

LOCAL = ("sliding", "local", "swa", "chunked")
"""Words in the names of types of layers that see a window only."""
HALF_WINDOW, SHORTEST = "local_attention", 1
"""ModernBERT states the window of both directions together."""
CHUNK, ROTATED = "attention_chunk_size", "rope"


def read_windows(config: Section, model_type: str | None, named: Sequence[str]) -> tuple[int | None, ...]:
    """Return how many tokens back each layer sees, None for everything; empty if no layer has a window.

    ``named`` are the types of the layers; one entry is returned, for all of them, if the number of layers is not known. A window of all
    layers must be stated: what a class takes without the key says little about the checkpoints of its family.
    """
    width = _width(config, model_type) or 0
    if width < SHORTEST:
        return ()
    kinds = tuple(named) or (ALL,)
    if _in_chunks(config, model_type):
        return tuple(width if kind == ROTATED else None for kind in kinds) if ROTATED in kinds else ()
    if len(set(kinds)) > 1 or kinds[0] not in (ALL, FULL):
        found = tuple(width if any(word in kind for word in LOCAL) else None for kind in kinds)
        return found if any(found) else ()
    if not _applies_to_all(config, model_type):
        return ()
    first = config.count("max_window_layers", low=0) or 0
    return tuple(width if index >= first else None for index in range(len(kinds)))


def windows_by_type(types: Sequence[str], layers: Sequence[str], widths: tuple[int | None, ...]) -> dict[str, int]:
    """Return the windows by type, for the types of which no layer sees everything."""
    if not widths:
        return {}
    if len(widths) != len(types):  # the number of layers is not known
        return {name: width for name in layers if (width := widths[0]) is not None}
    found = {name: [width for kind, width in zip(types, widths, strict=True) if kind == name] for name in layers}
    return {name: max(filter(None, each)) for name, each in found.items() if each and None not in each}


def note_windows(config: Section, windows: Mapping[str, int], length: int) -> None:
    """Note the windows that are shorter than the stated length, because distances end there."""
    for name, width in windows.items():
        if width < length:
            rule = wording("layers see {value:,} tokens back at most, so distances end there, not at {longer:,}")
            if name != ALL:
                rule = wording("layers of type {name} see {value:,} tokens back at most, so their distances end there, not at {longer:,}")
            config.collector.note("sliding_window", rule, name=name, value=width, longer=length)


def _width(config: Section, model_type: str | None) -> int | None:
    """Read the width of a window; None or 0 if there is none."""
    known = family_defaults(model_type)
    if model_type in MODERNBERT:
        return max(SHORTEST, (config.count(HALF_WINDOW) or 128) // 2)
    if _in_chunks(config, model_type):
        return config.count(CHUNK)
    if "sliding_window" in config.values:
        return None if config.values["sliding_window"] in (None, 0, False) else _stated(config)
    width = known.get("sliding_window")
    return None if width is None else int(width)


def _stated(config: Section) -> int | None:
    """Read a window, or the first that a list states: Mistral writes one for each of a group of layers."""
    value = config.values["sliding_window"]
    if isinstance(value, list | tuple):
        return next((each for each in value if isinstance(each, int) and not isinstance(each, bool) and each > 0), None)
    return config.count("sliding_window", low=-1)


def _applies_to_all(config: Section, model_type: str | None) -> bool:
    """Return whether a window that no list of types assigns is that of all layers."""
    switch = config.values.get("use_sliding_window")
    if switch is False:
        return False
    known = family_defaults(model_type)
    if known.get("window_switch"):
        return switch is True
    return "sliding_window" in config and (not known or "sliding_window" in known)


def window_keys(rope: HfRope) -> dict[str, Any]:
    """Return the key of a config for the windows of a model; nothing where it has none."""
    return {CHUNK if name == ROTATED else "sliding_window": width for name, width in rope.windows.items()}


def _in_chunks(config: Section, model_type: str | None) -> bool:
    """Return whether layers that rotate see one chunk of the text: in Llama 4, and where a config without a type says so."""
    return model_type in model_types("skipping") or (model_type is None and CHUNK in config.values)
