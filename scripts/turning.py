"""Write rope_core/huggingface/turning.toml: which model types of transformers rotate, and where the others keep a part that does.

``python -m scripts.turning`` after a new version of transformers, and after ``scripts.families``; a test compares the file with the
installed one. Each model is built without memory (on the device ``meta``) from the defaults of its config class, and searched for rotary
modules. Models that need a library which is not installed, or that cannot be built from defaults, are judged by the source of their
modeling file.
"""

from __future__ import annotations

import importlib
import inspect
import logging
import re
import textwrap
import tomllib
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import torch
import transformers
from transformers import CONFIG_MAPPING, PreTrainedConfig, PreTrainedModel

from rope_core.huggingface.keys import TEXT_PARTS

ROOM = Path(__file__).resolve().parent.parent / "rope_core" / "huggingface"
TARGET = ROOM / "turning.toml"
HEADER = """\
# Which model types of transformers {version} rotate queries and keys. Written by scripts/turning.py; families.toml has the types that do.

# No layer rotates: another position encoding, or none.
never = \"\"\"
{never}
\"\"\"

# Models of several parts: the part that rotates, where its config stands, and its type in the defaults.
[parts]
{parts}
"""
NO_ROTATION = ("PositionalEncoding", "PositionalEmbedding1D", "TimeEmbedding")
"""Ends of the names of modules with a table of frequencies that turns nothing: sines are added, or distances are."""
BY_FUNCTION = {"roformer", "gptj", "codegen", "lightglue", "EvollaModel"}
"""They rotate without a module of their own; the last one is registered under the name of its class."""
MOST_CLASSES = 3
ROTARY_WORD = re.compile(r"(?<![a-z])(rotary|rope_|inv_freq|rotate_half)|Rotary|RoPE(?!rt)|Rope[A-Z]")


def modeling(name: str) -> Any:
    """Return the modeling module of a model type; None if it has none."""
    try:
        return importlib.import_module(CONFIG_MAPPING[name].__module__.replace("configuration_", "modeling_"))
    except ImportError:
        return None


@cache
def owners(name: str) -> frozenset[str] | None:
    """Return the types of the parts of a model that own a rotary module, among them perhaps its own; None if it cannot be built."""
    kind = CONFIG_MAPPING[name]
    classes = [
        cls
        for key, cls in vars(modeling(name) or object).items()
        if inspect.isclass(cls) and issubclass(cls, PreTrainedModel) and cls.config_class is kind and not key.endswith("PreTrainedModel")
    ]
    for cls in sorted(classes, key=lambda each: (not each.__name__.endswith("Model"), len(each.__name__)))[:MOST_CLASSES]:
        try:
            with torch.device("meta"):
                return frozenset(_owners_in(cls(kind()), name))
        except Exception:  # a missing library, a default that is None: each class fails in its own way
            continue
    return None


def _owners_in(module: torch.nn.Module, owner: str) -> Iterator[str]:
    if isinstance(module, PreTrainedModel):
        owner = module.config.model_type or type(module.config).__name__
    name = type(module).__name__
    tables = any("inv_freq" in key for key, _ in module.named_buffers(recurse=False))
    if (tables or "rotary" in name.lower() or "rope" in name.lower()) and not name.endswith(NO_ROTATION):
        yield owner
    for child in module.children():
        yield from _owners_in(child, owner)


@cache
def rotates(name: str) -> bool:
    """Return whether the code of a type itself rotates, not only that of its parts."""
    if name in BY_FUNCTION or name in tomllib.loads((ROOM / "families.toml").read_text(encoding="utf-8")):
        return name not in _rule("parts_alone")
    found = owners(name)
    return found is not None and not found.isdisjoint((name, CONFIG_MAPPING[name].model_type))


@cache
def _rule(name: str) -> frozenset[str]:
    return frozenset(tomllib.loads((ROOM / "rules.toml").read_text(encoding="utf-8"))[name].split())


@cache
def part(name: str) -> tuple[str, str] | None:
    """Return the path and the type of the part that rotates; None if there is none. A part that reads text comes first."""
    try:
        config = CONFIG_MAPPING[name]()
    except Exception:  # classes that need arguments
        return None
    return next(_parts(config, ""), None)


def _parts(config: PreTrainedConfig, path: str) -> Iterator[tuple[str, str]]:
    inner = {key: value for key, value in vars(config).items() if isinstance(value, PreTrainedConfig)}
    for key in sorted(inner, key=lambda each: (TEXT_PARTS.index(each) if each in TEXT_PARTS else len(TEXT_PARTS), "vision" in each)):
        place = f"{path}.{key}" if path else key
        if inner[key].model_type in CONFIG_MAPPING and rotates(inner[key].model_type):
            yield place, inner[key].model_type
        else:
            yield from _parts(inner[key], place)


def could_rotate(name: str) -> bool:
    """Return whether the modeling file of a type that could not be built speaks of rotation."""
    file = Path(inspect.getfile(CONFIG_MAPPING[name]))
    source = file.with_name(file.name.replace("configuration_", "modeling_"))
    return source.exists() and bool(ROTARY_WORD.search(source.read_text(encoding="utf-8")))


def sweep() -> tuple[list[str], dict[str, tuple[str, str]], list[str]]:
    """Return the types that never rotate, those of which a part does, and those that nothing is known of."""
    never, parts, unknown = [], {}, []
    for name in sorted(CONFIG_MAPPING):
        if rotates(name) or name in _rule("rotated_if_stated"):
            continue
        inner, found = part(name), owners(name)
        if inner is not None:
            parts[name] = inner
        elif found is None and could_rotate(name) and _has_models(name):
            unknown.append(name)
        else:
            never.append(name)
    return never, parts, unknown


def _has_models(name: str) -> bool:
    """Return whether a class of models takes this config: some are settings of a module alone."""
    return any(getattr(cls, "config_class", None) is CONFIG_MAPPING[name] for cls in vars(modeling(name) or object).values())


def write() -> str:
    """Make the text of the file."""
    never, parts, unknown = sweep()
    if unknown:
        raise SystemExit(f"name these in rope_core/huggingface/rules.toml: {unknown}")
    rows = [f'"{name}" = ["{path}", "{kind}"]' for name, (path, kind) in parts.items()]
    names = "\n".join(textwrap.wrap(" ".join(never), 136, break_long_words=False, break_on_hyphens=False))
    return HEADER.format(version=transformers.__version__, never=names, parts="\n".join(rows))


if __name__ == "__main__":
    logging.disable()
    warnings.simplefilter("ignore")
    TARGET.write_text(write(), encoding="utf-8")
