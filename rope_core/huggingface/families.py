"""What a model type implies: defaults of its config class (families.toml), and rules of its code (rules.toml)."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=2)
def _data(name: str) -> Mapping[str, Any]:
    return tomllib.loads(files("rope_core.huggingface").joinpath(name).read_text(encoding="utf-8"))


@lru_cache(maxsize=16)
def model_types(rule: str) -> frozenset[str]:
    """Give the names that a rule of rules.toml holds for."""
    return frozenset(_data("rules.toml")[rule].split())


def family_defaults(model_type: str | None) -> Mapping[str, Any]:
    """Give what the config class of a model type takes for missing keys; nothing for a type that transformers does not know.

    A config with a text part may carry the type of the whole: ``gemma3`` then answers as ``gemma3_text``.
    """
    table = _data("families.toml")
    names = () if model_type is None else (model_type, f"{model_type}_text")
    return next((table[name] for name in names if name in table), {})


def family_rope(model_type: str | None) -> Mapping[str, object]:
    """Give the rope object that the config class of a model type takes where a config says nothing about rotation."""
    rope: Mapping[str, object] = json.loads(family_defaults(model_type).get("rope", "{}"))
    return rope
