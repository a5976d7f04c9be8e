"""Lists with one base, or one rotated share, for each layer: Step 3.5, Granite with sliding windows."""

from __future__ import annotations

from typing import Any

from rope_core.huggingface.gather import Gathered
from rope_core.huggingface.layer_rope import LayerRope, Layers, Read
from rope_core.huggingface.layer_types import ALL, FULL, MOST_LAYERS, MOST_TYPES, compare_length, stated_count
from rope_core.huggingface.section import Section, shown, wording

UNROTATED = "nope"


def read_per_layer(config: Section, found: Gathered, rope: Section, types: tuple[str, ...]) -> Read | None:
    """Return the settings by type of layer, and the type of every layer; None if a config has no such lists, or after an error."""
    bases = _numbers(config, found.bases_key, found.bases)
    shares = _numbers(config, "partial_rotary_factors", found.shares)
    lists = [entries for entries in (bases, shares) if entries]
    if not lists:
        return None
    count = min(len(types) or MOST_LAYERS, *map(len, lists))
    rows = [(bases[index] if bases else None, shares[index] if shares else None) for index in range(count)]
    kinds = (types or (ALL,) * count)[:count]
    names = _names(rows, kinds)
    if len(set(names)) > MOST_TYPES:
        rule = wording("{key} must give at most {limit} different settings of layers, got {value}")
        key = found.bases_key or "partial_rotary_factors"
        config.collector.reject(key, rule, wording("keep those that layers have"), limit=MOST_TYPES, value=len(set(names)))
        return None
    scaled = _scaled_types(config, found, kinds)
    layers: Layers = {}
    for name, (base, share), kind in zip(names, rows, kinds, strict=True):
        if name not in layers:
            layers[name] = None if base == 0 else _layer(rope, base, share, scaled is None or kind in scaled)
    return layers, names


def _numbers(config: Section, key: str, entries: object) -> list[float] | None:
    """Return a list of numbers, one for each layer; a list may go on for layers that predict further tokens."""
    if entries is None:
        return None
    values = Section({key: entries}, config.collector).items(key, MOST_LAYERS)
    if values is None:
        return None
    if not all(isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e300 for value in values):
        rule = wording("{key} must be a list of numbers, got {value}")
        config.collector.reject(key, rule, wording("write a number for every layer"), value=shown(values))
        return None
    further = config.count("num_nextn_predict_layers", low=0) or 0
    count = stated_count(config) or 0
    if count and len(values) != count + further:
        compare_length(config, key, len(values), count)
    if key == "layer_rope_theta":
        config.collector.note(key, "in {key}, 0 means that a layer does not turn")
    return [float(value) for value in values]  # type: ignore[arg-type]  # just checked


def _names(rows: list[tuple[float | None, float | None]], kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Name the settings of each layer: by its type if that decides them, else by the base."""
    by_kind = {kind: {row for row, each in zip(rows, kinds, strict=True) if each == kind} for kind in set(kinds)}
    if len(set(kinds)) > 1 and all(len(found) == 1 for found in by_kind.values()):
        return kinds
    rotated = {row for row in rows if row[0] != 0}
    if len(rotated) == 1:
        return tuple(ALL if len(set(rows)) == 1 else "rope" if row[0] != 0 else UNROTATED for row in rows)
    return tuple(UNROTATED if base == 0 else _label(base, share) for base, share in rows)


def _label(base: float | None, share: float | None) -> str:
    parts = {"rope_theta": base, "partial_rotary_factor": share}
    return ", ".join(f"{key} {value:g}" for key, value in parts.items() if value is not None)


def _scaled_types(config: Section, found: Gathered, kinds: tuple[str, ...]) -> set[object] | None:
    """Return the types that the scaling reaches; None for all. A list named ``rope_theta`` is Step's, which scales full attention."""
    stated = config.items("yarn_only_types", MOST_TYPES)
    if stated is not None:
        return {name for name in stated if isinstance(name, str)}
    return {FULL} if found.bases_key == "rope_theta" and FULL in kinds else None


def _layer(rope: Section, base: float | None, share: float | None, scaled: bool) -> LayerRope:
    own: dict[str, Any] = {} if base is None else {"rope_theta": base}
    own |= {} if share is None else {"partial_rotary_factor": share}
    return LayerRope(Section({**(rope.values if scaled else {}), **own}, rope.collector, rope.where), nested=True)
