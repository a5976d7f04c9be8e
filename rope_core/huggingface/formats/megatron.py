"""Arguments of Megatron and settings of NeMo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rope_core.huggingface.section import Collector, shown, wording

MARKS = {
    *("rotary_percent", "rotary_percentage", "num_query_groups", "use_rope_scaling", "seq_len_interpolation_factor"),
    *("rotary_seq_len_interpolation_factor", "use_rotary_position_embeddings", "qk_pos_emb_head_dim", "multi_latent_attention"),
}
"""Keys that nobody else has."""
FACTORS = ("seq_len_interpolation_factor", "rotary_seq_len_interpolation_factor")
SCALED = {"rope_type": "llama3", "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
"""``RotaryEmbedding._apply_scaling`` of Megatron."""
SCALE, BASE = 8.0, 10_000.0
MLA = {"qk_pos_emb_head_dim": "qk_rope_head_dim", "qk_head_dim": "qk_nope_head_dim"}
YARN = ("original_max_position_embeddings", "beta_fast", "beta_slow", "mscale", "mscale_all_dim")


def is_megatron(document: Mapping[str, object]) -> bool:
    """Return whether a document has keys of Megatron and no model type of transformers."""
    return "model_type" not in document and "architectures" not in document and not MARKS.isdisjoint(document)


def read_megatron(document: Mapping[str, object], collector: Collector) -> Mapping[str, object]:
    """Return the keys of a model trained with Megatron or NeMo."""
    values: dict[str, Any] = {MLA.get(key, key): value for key, value in document.items()}
    if document.get("use_rotary_position_embeddings") is True:
        values.setdefault("position_embedding_type", "rope")
    if values.get("position_embedding_type") is None:
        rule = wording("{key} is missing; with settings of a rotation, rope is meant, though Megatron would take learned positions")
        collector.assume("position_embedding_type", rule, wording('write "position_embedding_type": "rope"'))
        values["position_embedding_type"] = "rope"
    if values.get("rotary_base") is None and values.get("rope_theta") is None:
        rule = wording("{key} is missing; {value:,g} is what the code of {model} takes")
        collector.note("rotary_base", rule, value=BASE, model="Megatron")
        values["rope_theta"] = BASE
    values["rope_interleave"] = values.pop("rotary_interleaved", False)
    return values | _scaling(values, collector)


def _scaling(values: dict[str, Any], collector: Collector) -> dict[str, object]:
    """Return the rope object of Megatron's methods: linear interpolation, that of Llama 3.1, YaRN for latent attention."""
    key = next((key for key in FACTORS if values.get(key) is not None), None)
    if key is not None:
        values_factor = values.pop(key)
        rule = wording("{key} = {value} is linear scaling")
        collector.note(key, rule, value=shown(values_factor))
        return {"rope_scaling": {"rope_type": "linear", "factor": values_factor}}
    if values.pop("use_rope_scaling", None) is True or values.get("rope_scaling") is True:
        factor = values.pop("rope_scaling_factor", SCALE)
        rule = wording("{key} means llama3 with a factor of {value}, and the other numbers of Llama 3.1")
        collector.note("use_rope_scaling", rule, value=shown(factor))
        return {"rope_scaling": SCALED | {"factor": factor}}
    if values.get("rope_scaling") is False:
        return {"rope_scaling": None}
    if values.get("rope_type") == "yarn" or (values.get("multi_latent_attention") is True and values.get("rope_type") is None):
        return _latent_yarn(values, collector)
    return {}


def _latent_yarn(values: dict[str, Any], collector: Collector) -> dict[str, object]:
    """Return YaRN of latent attention, which Megatron applies unless rope_type says otherwise."""
    values.pop("rope_type", None)
    factor = values.pop("rotary_scaling_factor", None)
    if factor is None:
        rule = wording("{key} is missing; Megatron would extend latent attention by a factor of its own; none is taken")
        collector.assume("rotary_scaling_factor", rule, wording("add rotary_scaling_factor"))
        return {}
    rope = {key: values[key] for key in YARN if values.get(key) is not None}
    return {"rope_scaling": {"rope_type": "yarn", "factor": factor} | rope}
