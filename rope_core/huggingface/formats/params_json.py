"""``params.json``, as Meta publishes it with Llama, and Mistral with its models: other keys, and pairs of neighbouring coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rope_core.huggingface.section import Collector, shown, wording

SIZES = {"dim": "hidden_size", "n_layers": "num_hidden_layers", "n_heads": "num_attention_heads"}
YARN = {"beta": "beta_fast", "alpha": "beta_slow"} | {key: key for key in ("factor", "original_max_position_embeddings")}
META_ONLY = ("multiple_of", "ffn_dim_multiplier", "use_scaled_rope")
MISTRAL_ONLY = ("hidden_dim", "head_dim")
SCALED = {"rope_type": "llama3", "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
"""``apply_scaling`` of llama-models, with a factor of 8."""
LLAMA_3_2 = (2048, 3072)
"""Widths of the models that transformers scales by 32 where Meta's code says 8."""
LLAMA_31_LENGTH, SERVED_LENGTH = 131_072, 2048
MISTRAL_LENGTH, MISTRAL_BASE, FIRST_BASE = 128_000, 1e6, 10_000.0


def is_meta(document: Mapping[str, object]) -> bool:
    """Return whether a document has the sizes of a ``params.json`` and not those of transformers."""
    return SIZES.keys() <= document.keys() and "hidden_size" not in document and any(key in document for key in (*META_ONLY, "norm_eps"))


def is_mistral(document: Mapping[str, object]) -> bool:
    """Return whether a ``params.json`` has the keys that Mistral's code requires and Meta's does not know."""
    return is_meta({**document, "norm_eps": 0}) and all(key in document for key in MISTRAL_ONLY) and "multiple_of" not in document


def read_meta(document: Mapping[str, object], collector: Collector) -> Mapping[str, object]:
    """Return the keys of Llama, by the code of llama-models."""
    values = _renamed(document)
    scaled = document.get("use_scaled_rope") is True
    if document.get("rope_theta") is None:
        rule = wording("{key} is missing; {value:,g} is taken, which the code of Llama 1 and 2 fixes; that of Llama 3 would take 500,000")
        collector.assume("rope_theta", rule, wording("add rope_theta"), value=FIRST_BASE)
        values["rope_theta"] = FIRST_BASE
    if scaled:
        values["rope_scaling"] = SCALED | {"factor": _scale(document, collector)}
    if document.get("max_seq_len") is None:
        length = LLAMA_31_LENGTH if scaled else SERVED_LENGTH
        rule = wording("{key} is given when the model is started, not in params.json; {value:,} tokens are taken")
        collector.note("max_seq_len", rule, value=length)
        values["max_position_embeddings"] = length
    return values


def _scale(document: Mapping[str, object], collector: Collector) -> object:
    """Return the factor of ``use_scaled_rope``, which newer code states and older fixes."""
    stated = document.get("rope_scaling_factor")
    if stated is not None:
        return stated
    if document.get("dim") in LLAMA_3_2:
        rule = wording(
            "{key} means llama3 with a factor of 32 here, as transformers states it for Llama 3.2 of this width; Meta's code fixes 8"
        )
        collector.assume("use_scaled_rope", rule, wording("check which one the engine takes"))
        return 32.0
    collector.note("use_scaled_rope", wording("{key} means llama3 with a factor of 8, fixed in the code of Meta"))
    return 8.0


def read_mistral(document: Mapping[str, object], collector: Collector) -> Mapping[str, object]:
    """Return the keys of a model of Mistral, by the code of mistral-inference, and that of vLLM for YaRN."""
    values = _renamed(document)
    if document.get("rope_theta") is None:
        rule = wording("{key} is missing; {value:,g} is what the code of {model} takes")
        collector.note("rope_theta", rule, value=MISTRAL_BASE, model="Mistral")
        values["rope_theta"] = MISTRAL_BASE
    if document.get("max_seq_len") is None and document.get("max_position_embeddings") is None:
        rule = wording("{key} is missing; {value:,} is what the code of {model} takes")
        collector.note("max_position_embeddings", rule, value=MISTRAL_LENGTH, model="Mistral")
        values["max_position_embeddings"] = MISTRAL_LENGTH
    yarn = document.get("yarn")
    if isinstance(yarn, Mapping):
        values["rope_scaling"] = _yarn(yarn)
    elif yarn is not None:
        rule = wording("{key} must be an object or null, got {value}")
        collector.reject("yarn", rule, wording("write its keys in braces"), value=shown(yarn))
    return values


def _yarn(yarn: Mapping[str, object]) -> dict[str, Any]:
    """Return YaRN in the words of transformers: beta and alpha are beta_fast and beta_slow; without apply_scale, A is 1."""
    keys = {
        "factor": "factor",
        "original_max_position_embeddings": "original_max_position_embeddings",
        "beta": "beta_fast",
        "alpha": "beta_slow",
    }
    rope: dict[str, Any] = {"rope_type": "yarn"} | {theirs: yarn[ours] for ours, theirs in keys.items() if ours in yarn}
    return rope | ({"attention_factor": 1.0} if yarn.get("apply_scale") is False else {})


def _renamed(document: Mapping[str, object]) -> dict[str, object]:
    """Return a document with the sizes that transformers knows, and its layout: both codes rotate pairs of neighbours."""
    values = {
        SIZES.get(key, key): value for key, value in document.items() if key not in ("yarn", "use_scaled_rope", "rope_scaling_factor")
    }
    return values | {"rope_interleave": True}
