"""Checkpoints and engines of TensorRT-LLM."""

from __future__ import annotations

from collections.abc import Mapping

from rope_core.errors import RopeConfigError
from rope_core.huggingface.section import Collector, shown, wording

MARKS = ("head_size", "position_embedding_type", "rotary_base", "rotary_scaling", "mapping", "logits_dtype", "rotary_embedding_dim")
INTERLEAVED, HALVES = ("rope_gptj", "chatglm"), ("rope_gpt_neox", "mrope", "yarn")
LEARNED = "learned_absolute"
"""What PretrainedConfig takes without a position_embedding_type."""
BASE = 10_000.0


def is_tensorrt(document: Mapping[str, object]) -> bool:
    """Return whether a document names one architecture, as TensorRT-LLM does, and has keys of its own."""
    if isinstance(inner := document.get("pretrained_config"), Mapping):
        return is_tensorrt(inner)
    return isinstance(document.get("architecture"), str) and "model_type" not in document and any(key in document for key in MARKS)


def read_tensorrt(document: Mapping[str, object], collector: Collector) -> Mapping[str, object]:
    """Return the keys of a checkpoint; an engine keeps them under ``pretrained_config``.

    Raises:
        RopeConfigError: If the speeds are those of LongRoPE, which are not among these keys.
    """
    inner = document.get("pretrained_config")
    values = dict(inner if isinstance(inner, Mapping) else document)
    kind = values.get("position_embedding_type")
    if kind is None:
        rule = wording("{key} is missing; {value} is what TensorRT-LLM takes")
        collector.note("position_embedding_type", rule, value=LEARNED)
        return values | {"position_embedding_type": LEARNED}
    if kind == "long_rope":
        raise RopeConfigError("the two lists of LongRoPE are not in this file of TensorRT-LLM; give the config.json of the model")
    if kind in INTERLEAVED:
        values["rope_interleave"] = True
    elif kind in HALVES:
        values["rope_interleave"] = False
    elif isinstance(kind, str) and kind.startswith("rope"):
        rule = wording("{key} = {value} does not say which coordinates form a pair; the halves of the head are taken")
        collector.assume("position_embedding_type", rule, wording("write rope_gptj or rope_gpt_neox"), value=shown(kind))
    if values.get("rotary_base") is None and kind in (*INTERLEAVED, *HALVES):
        rule = wording("{key} is missing; {value:,g} is what the code of {model} takes")
        collector.note("rotary_base", rule, value=BASE, model="TensorRT-LLM")
        values["rope_theta"] = BASE
    return values
