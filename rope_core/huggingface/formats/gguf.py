"""Metadata of GGUF files, as llama.cpp reads them: ``llama.rope.freq_base`` and its kin."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rope_core.errors import RopeConfigError
from rope_core.huggingface.families import data
from rope_core.huggingface.layer_types import FULL, SLIDING
from rope_core.huggingface.section import Collector, printable, shown, wording
from rope_core.scaling import yarn_attention_factor

ARCHITECTURE = "general.architecture"
SIZES = {
    "context_length": "max_position_embeddings",
    "embedding_length": "hidden_size",
    "block_count": "num_hidden_layers",
    "attention.head_count": "num_attention_heads",
    "attention.key_length": "head_dim",
    "attention.key_length_mla": "head_dim",
    "attention.sliding_window": "sliding_window",
    "rope.dimension_count": "rotary_dim",
    "rope.freq_base": "rope_theta",
}
SCALING = {
    "rope.scaling.original_context_length": "original_max_position_embeddings",
    "rope.scaling.yarn_beta_fast": "beta_fast",
    "rope.scaling.yarn_beta_slow": "beta_slow",
}
BASE, SLIDING_BASE = 10_000.0, 10_000.0
FACTORS_TENSOR = "rope_freqs.weight"
"""The tensor in which the converter stores the bands of Llama 3.1."""


def is_gguf(document: Mapping[str, object]) -> bool:
    """Return whether a document has the dotted keys of GGUF metadata."""
    return ARCHITECTURE in document or any(key.endswith((".rope.freq_base", ".rope.dimension_count")) for key in document)


def read_gguf(document: Mapping[str, object], collector: Collector) -> Mapping[str, object]:
    """Return the metadata in keys of transformers.

    Raises:
        RopeConfigError: If what decides the speeds is stored in tensors, or layers with a window have a width but no base.
    """
    name = _architecture(document)
    inner = {key.removeprefix(f"{name}."): value for key, value in document.items() if key.startswith(f"{name}.")}
    values: dict[str, Any] = {theirs: inner[ours] for ours, theirs in SIZES.items() if inner.get(ours) is not None}
    if isinstance(heads := values.get("num_attention_heads"), list | tuple):  # one count a layer
        values["num_attention_heads"] = next((count for count in heads if count), None)
    if name in data("formats/gguf.toml")["never"].split():
        return values | {"position_embedding_type": "absolute"}
    values["rope_interleave"] = _layout(name, collector)
    if inner.get("rope.freq_base") is None:
        rule = wording("{key} is missing; {value:,g} is what the code of {model} takes")
        collector.note(f"{name}.rope.freq_base", rule, value=BASE, model="llama.cpp")
        values["rope_theta"] = BASE
    _require_window_base(name, inner)
    values |= _scaling(name, inner, document, collector)
    return _with_windows(name, inner, values, collector)


def _architecture(document: Mapping[str, object]) -> str:
    stated = document.get(ARCHITECTURE)
    if isinstance(stated, str):
        return stated
    ends = (".rope.", ".context_length")
    name = next((key.partition(end)[0] for key in document for end in ends if end in key), None)
    if name is None:
        raise RopeConfigError("{field} must be the name of a model, got {value}", field=ARCHITECTURE, value=shown(stated))
    return name


def _layout(name: str, collector: Collector) -> bool:
    kinds = data("formats/gguf.toml")
    if name in kinds["neighbours"].split():
        rule = wording("llama.cpp pairs neighbouring coordinates in {model}, and its files are reordered for that")
        collector.note(ARCHITECTURE, rule, model=printable(name))
        return True
    if name not in kinds["halves"].split():
        rule = wording("{key} = {value} is not known here; the halves of the head are taken as pairs")
        collector.assume(ARCHITECTURE, rule, wording("check the layout of llama.cpp"), value=shown(name))
    return False


def _require_window_base(name: str, inner: Mapping[str, object]) -> None:
    """Require the base of layers with a window, if these have a rotated width of their own: no default fits both."""
    if inner.get("rope.dimension_count_swa") is not None and inner.get("rope.freq_base_swa") is None:
        raise RopeConfigError(
            "this is GGUF metadata of {model}, whose layers with a window have settings of their own, and {missing} is missing;"
            " give the config.json of the model",
            model=printable(name),
            missing=f"{name}.rope.freq_base_swa",
        )


def _scaling(name: str, inner: Mapping[str, object], document: Mapping[str, object], collector: Collector) -> dict[str, object]:
    """Return the rope object; a factor without a type is linear, as llama.cpp has it."""
    kind, factor = inner.get("rope.scaling.type", "linear"), inner.get("rope.scaling.factor", inner.get("rope.scale_linear"))
    if kind == "longrope":
        raise RopeConfigError("the two lists of LongRoPE are tensors of a GGUF file, not metadata; give the config.json of the model")
    if kind == "yarn" and factor is not None:
        rope = {theirs: inner[ours] for ours, theirs in SCALING.items() if inner.get(ours) is not None}
        more, stretch = (
            _number(value) for value in (inner.get("rope.scaling.attn_factor", inner.get("rope.scaling.yarn_attn_factor")), factor)
        )
        if more not in (None, 1) and stretch is not None and stretch >= 1:
            rope["attention_factor"] = (more or 1) * yarn_attention_factor(stretch)
        return {"rope_scaling": {"rope_type": "yarn", "factor": factor} | rope}
    if kind == "linear" and factor not in (None, 0, 0.0, 1, 1.0):
        return {"rope_scaling": {"rope_type": "linear", "factor": factor}}
    tensors = document.get("tensors")
    hidden = isinstance(tensors, list | tuple) and FACTORS_TENSOR in tensors
    long = inner.get("context_length")
    if hidden or (name == "llama" and tensors is None and inner.get("rope.freq_base") == 500_000 and isinstance(long, int) and long > 8192):
        rule = wording(
            "plain speeds are taken; the bands of Llama 3.1 would be in the tensor {other} of the file, of which metadata says nothing"
        )
        collector.assume(f"{name}.rope.scaling.type", rule, wording("give the config.json of the model"), other=FACTORS_TENSOR)
    return {}


def _with_windows(name: str, inner: Mapping[str, object], values: dict[str, Any], collector: Collector) -> dict[str, object]:
    """Return the settings of layers with a window, if they have a base or a width of their own."""
    kinds, count, window = data("formats/gguf.toml"), values.get("num_hidden_layers"), inner.get("attention.sliding_window")
    own = {"rope_theta": inner.get("rope.freq_base_swa")}
    if own["rope_theta"] is None and window and name in kinds["period"] and name not in kinds["one_base"].split():
        own["rope_theta"] = SLIDING_BASE
        rule = wording("{key} is missing; {value:,g} is what the code of {model} takes")
        collector.note(f"{name}.rope.freq_base_swa", rule, value=SLIDING_BASE, model="llama.cpp")
    pattern = inner.get("attention.sliding_window_pattern", kinds["period"].get(name))
    types = _types(pattern, count)
    if own["rope_theta"] is None or not types:
        return values | ({"layer_types": types} if types and window else {})
    full = {"rope_theta": values.pop("rope_theta")} | dict(values.pop("rope_scaling", {}))
    key = "attention.key_length_swa"
    narrow = {"head_dim": inner[key]} if inner.get(key) is not None else {}
    width, narrow_width, head = (
        _number(each) for each in (values.get("rotary_dim"), inner.get("rope.dimension_count_swa"), values.get("head_dim"))
    )
    if width and narrow_width and head:
        del values["rotary_dim"]
        full["partial_rotary_factor"] = width / head
        own["partial_rotary_factor"] = narrow_width / (_number(narrow.get("head_dim")) or head)
    return values | {"layer_types": types, "rope_parameters": {FULL: full, SLIDING: own | narrow}}


def _types(pattern: object, count: object) -> list[str]:
    """Return the types of all layers, from a period or a list of which layers have a window."""
    if isinstance(pattern, list | tuple):
        return [SLIDING if windowed else FULL for windowed in pattern]
    if isinstance(pattern, int) and isinstance(count, int) and pattern > 0 and 0 < count <= 10_000:
        return [SLIDING if (index + 1) % pattern else FULL for index in range(count)]
    return []


def _number(value: object) -> float | None:
    """Return a number above 0; None for anything else, which the reader of the translated keys reports."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e30 else None
