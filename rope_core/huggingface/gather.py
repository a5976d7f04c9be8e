"""Rotary settings that stand elsewhere than transformers has them: in objects of attention settings, at the top of a config, in lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rope_core.huggingface.keys import OBJECTS
from rope_core.huggingface.section import Collector, Section, shown, wording

GROK_METHODS = ("original", "yarn", "yarn_linear")
"""Names of methods in Grok 2 that SGLang computes in the form of YaRN or not at all."""
HYMBA_FACTOR = 2
"""Fixed in modeling_hymba.py."""


@dataclass
class Gathered:
    """A config with its rotary settings at the usual places.

    Attributes:
        values: The keys.
        places: Where keys were read from, if not from the top.
        bases: One base for each layer, 0 for a layer without rotation; None if the config has one base.
        bases_key: The key of that list.
        shares: One rotated share for each layer, if the config has a list of them.
    """

    values: dict[str, object]
    places: dict[str, str] = field(default_factory=dict)
    bases: object = None
    bases_key: str = ""
    shares: object = None

    def section(self, collector: Collector) -> Section:
        """Return the keys for typed reading."""
        return Section(self.values, collector, places=self.places)

    def put(self, key: str, value: object, place: str) -> None:
        """Add a key that stands elsewhere, unless the usual place has it."""
        if self.values.get(key) is None and value is not None:
            self.values[key] = value
            self.places[key] = place


def gather(document: Mapping[str, object], collector: Collector) -> Gathered:
    """Bring rotary settings to the usual places."""
    found = Gathered(dict(document))
    _from_attention(found)
    _from_internlm(found, collector)
    _from_top(found, collector)
    for key in ("layer_rope_theta", "rope_theta"):
        if isinstance(found.values.get(key), list | tuple):
            found.bases, found.bases_key = found.values[key], key
            found.values = {name: value for name, value in found.values.items() if name != key}
    found.shares = found.values.get("partial_rotary_factors")
    return found


def _from_attention(found: Gathered) -> None:
    """Read ``attn_config`` of MPT and DBRX, which states a base even where it does not rotate."""
    inner = found.values.get("attn_config")
    if not isinstance(inner, Mapping):
        return
    if inner.get("alibi") is True:
        found.put("alibi", True, "attn_config.alibi")
    if inner.get("rope") is False:
        found.put("use_rope", False, "attn_config.rope")
        return
    found.put("rope_theta", inner.get("rope_theta"), "attn_config.rope_theta")
    if inner.get("rope") is True:
        found.put("position_embedding_type", "rope", "attn_config.rope")
        scaling = inner.get("rope_hf_config")
        if isinstance(scaling, Mapping) and scaling.get("type") not in (None, "no_scaling"):
            found.put("rope_scaling", dict(scaling), "attn_config.rope_hf_config")


def _from_internlm(found: Gathered, collector: Collector) -> None:
    """Read ``rotary`` of InternLM: a base, and perhaps dynamic NTK, whose factor is 1 unless it is stated."""
    inner = found.values.get("rotary")
    if not isinstance(inner, Mapping):
        return
    found.put("rope_theta", inner.get("base"), "rotary.base")
    kind = inner.get("type")
    if isinstance(kind, str) and kind not in ("origin", "default"):
        found.put("rope_scaling", {"rope_type": kind, "factor": inner.get("scaling_factor", 1.0)}, "rotary")
        collector.note("rotary.type", "{key} = {value} is read by the code of its authors alone", value=shown(kind))


def _from_top(found: Gathered, collector: Collector) -> None:
    """Read a method whose settings stand at the top of a config, as in Grok 2 and Hymba."""
    kind = found.values.get("rope_type")
    if not isinstance(kind, str) or any(isinstance(found.values.get(key), Mapping) and found.values[key] for key in OBJECTS):
        return
    if kind in GROK_METHODS and found.values.get("scaling_factor") is not None:
        collector.note("rope_type", "{key} = {value} and its settings stand outside a rope object", value=shown(kind))
        keys = {"scaling_factor": "factor", "beta_fast": "beta_fast", "beta_slow": "beta_slow"}
        rope: dict[str, Any] = {theirs: found.values[ours] for ours, theirs in keys.items() if found.values.get(ours) is not None}
        found.values["rope_scaling"] = {"rope_type": "grok" if kind == "original" else "yarn", "attention_factor": 1.0} | rope
        found.places["rope_scaling"] = "rope_type"
    elif kind in ("ntk", "dynamic_ntk") and isinstance(found.values.get("orig_max_position_embeddings"), int):
        collector.note("rope_type", "{key} = {value} and its settings stand outside a rope object", value=shown(kind))
        _hymba(found, kind)
    elif kind != "default":
        rule = wording("{key} = {value} stands outside a rope object, where engines pass over it")
        collector.warn("rope_type", rule, wording("write it into rope_scaling"), value=shown(kind))


def _hymba(found: Gathered, kind: str) -> None:
    """Read the two methods of Hymba: a fixed larger base, or one that grows with the length."""
    stated, trained = found.values.get("max_position_embeddings"), found.values["orig_max_position_embeddings"]
    if kind == "dynamic_ntk":
        found.values |= {"rope_scaling": {"rope_type": "dynamic", "factor": HYMBA_FACTOR}, "max_position_embeddings": trained}
    elif isinstance(stated, int) and isinstance(trained, int) and stated >= trained > 0:
        alpha = HYMBA_FACTOR * stated / trained - (HYMBA_FACTOR - 1)
        found.values["rope_scaling"] = {"rope_type": "ntk_alpha", "alpha": alpha}
    found.places["rope_scaling"] = "rope_type"
