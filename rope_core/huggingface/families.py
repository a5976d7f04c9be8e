"""Facts about model types that a config omits: defaults of their config class, rules of their code, and whether they rotate at all.

families.toml and turning.toml are written by scripts from the installed transformers; own_code.toml is about models whose code is their
authors'; rules.toml is about both.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import Any

from rope_core.huggingface.section import Section, wording


@lru_cache(maxsize=8)
def data(name: str) -> Mapping[str, Any]:
    """Return the content of a data file of this package."""
    return tomllib.loads(files("rope_core.huggingface").joinpath(name).read_text(encoding="utf-8"))


@lru_cache(maxsize=32)
def model_types(rule: str) -> frozenset[str]:
    """Return the names listed under a rule of rules.toml."""
    return frozenset(data("rules.toml")[rule].split())


@lru_cache(maxsize=1)
def unrotated_types() -> frozenset[str]:
    """Return the model types of transformers that rotate nothing."""
    return frozenset(data("turning.toml")["never"].split())


def family_defaults(model_type: str | None) -> Mapping[str, Any]:
    """Return the defaults of the config class of a model type; empty for a type that is not known.

    A config with a text part may carry the type of the whole model: ``gemma3`` is looked up as ``gemma3_text``.
    """
    names = () if model_type is None else (model_type, f"{model_type}_text")
    tables = (data("families.toml"), data("own_code.toml"))
    return next((table[name] for name in names for table in tables if name in table), {})


def family_rope(model_type: str | None) -> Mapping[str, object]:
    """Return the default rope object of the config class of a model type, used by configs without any rotary key."""
    rope: Mapping[str, object] = json.loads(family_defaults(model_type).get("rope", "{}"))
    return rope


def rotating_part(model_type: object) -> tuple[tuple[str, ...], str] | None:
    """Return where a model of several parts keeps the config of the part that rotates, and the type of that part."""
    found = data("turning.toml")["parts"].get(model_type) if isinstance(model_type, str) else None
    return None if found is None else (tuple(found[0].split(".")), found[1])


def is_known(model_type: str | None) -> bool:
    """Return whether the code of a model type is known: what it takes for a missing key, and whether it rotates."""
    if model_type is None:
        return False
    rules = ("rotated_if_stated", "interleaved", "full_unrotated", "skipping", "scaled_softmax", "axial_refused")
    return bool(family_defaults(model_type)) or model_type in unrotated_types() or any(model_type in model_types(rule) for rule in rules)


@lru_cache(maxsize=1)
def _by_stem() -> Mapping[str, str]:
    """Return every known type by its name without marks: ``LlamaForCausalLM`` is code of ``llama``, ``Qwen2MoeModel`` of ``qwen2_moe``."""
    names = {*data("families.toml"), *data("own_code.toml"), *unrotated_types(), *model_types("rotated_if_stated")}
    return {stem(name): name for name in sorted(names, reverse=True)}


def stem(name: str) -> str:
    """Return a name in small letters, without marks, and without what classes of transformers append to it."""
    for mark in ("For", "LMHead", "Model", "Encoder", "Decoder"):
        head, found, _ = name.partition(mark)
        name = head if found and head else name
    return "".join(character for character in name.lower() if character.isalnum())


def type_of_class(name: str) -> str | None:
    """Return the model type that a class of models belongs to, by its name; None if there is none."""
    found = _by_stem().get(stem(name))
    return found


def note_default(config: Section, key: str, value: int, model_type: str | None) -> int:
    """Return a number that is the default of the config class, with a note that the key is missing."""
    rule = wording("{key} is missing; {value:,} is what the config class of {model} takes")
    config.collector.note(key, rule, value=value, model=model_type)
    return value
