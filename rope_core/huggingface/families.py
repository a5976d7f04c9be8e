"""Facts about model types that a config omits: defaults of their config class (families.toml), and rules of their code (rules.toml)."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from rope_core.huggingface.section import Section, wording


@lru_cache(maxsize=2)
def _data(name: str) -> Mapping[str, Any]:
    return tomllib.loads(files("rope_core.huggingface").joinpath(name).read_text(encoding="utf-8"))


@lru_cache(maxsize=16)
def model_types(rule: str) -> frozenset[str]:
    """Return the names listed under a rule of rules.toml."""
    return frozenset(_data("rules.toml")[rule].split())


def family_defaults(model_type: str | None) -> Mapping[str, Any]:
    """Return the defaults of the config class of a model type; empty for a type that transformers does not know.

    A config with a text part may carry the type of the whole model: ``gemma3`` is looked up as ``gemma3_text``.
    """
    table = _data("families.toml")
    names = () if model_type is None else (model_type, f"{model_type}_text")
    return next((table[name] for name in names if name in table), {})


def family_rope(model_type: str | None) -> Mapping[str, object]:
    """Return the default rope object of the config class of a model type, used by configs without any rotary key."""
    rope: Mapping[str, object] = json.loads(family_defaults(model_type).get("rope", "{}"))
    return rope


def note_default(config: Section, key: str, value: int, model_type: str | None) -> int:
    """Return a number that is the default of the config class, with a note that the key is missing."""
    rule = wording("{key} is missing; {value:,} is what the config class of {model} takes")
    config.collector.note(key, rule, value=value, model=model_type)
    return value
