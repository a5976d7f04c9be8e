"""Write rope_core/huggingface/families.toml: what the config classes of transformers take for a rotary key that a config leaves out.

``python -m scripts.families`` after a new version of transformers; a test compares the file with the installed one.
"""

from __future__ import annotations

import importlib
import inspect
import json
import logging
import warnings
from collections.abc import Iterator
from pathlib import Path

import transformers
from transformers import CONFIG_MAPPING

TARGET = Path(__file__).resolve().parent.parent / "rope_core" / "huggingface" / "families.toml"
HEADER = """\
# What the config classes of transformers {version} take for a rotary key that a config leaves out, by model_type.
# Written by scripts/families.py; a type that is not listed has no rotary embedding there, or cannot be made without arguments.
"""


def families() -> Iterator[tuple[str, dict[str, float | bool]]]:
    """Give every model type that rotates text, and what its config class takes for missing keys."""
    for name in sorted(CONFIG_MAPPING):
        try:
            kind = CONFIG_MAPPING[name]
            config = kind()
            rope = config.rope_parameters
        except Exception:  # classes that need arguments, or that have no such attribute: each fails in its own way
            continue
        if isinstance(rope, dict) and rope.get("rope_type") != "axial":
            yield name, _defaults(kind, config, rope) | _deafness(kind)


def _defaults(kind: type, config: transformers.PreTrainedConfig, rope: dict) -> dict[str, float]:
    row: dict[str, float] = {}
    base = kind.default_theta
    if isinstance(base, dict) and {"global", "local"} <= base.keys():
        row["base"], row["local_base"] = base["global"], base["local"]
    elif isinstance(base, float | int):
        row["base"] = base
    if (width := _constant_head_dim(kind, config)) is not None:
        row["head_dim"] = width
    share = rope.get("partial_rotary_factor")
    if isinstance(share, float | int) and share != 1:
        row["partial_rotary_factor"] = share
    length = getattr(config, "max_position_embeddings", None)
    if isinstance(length, int):
        row["max_position"] = length
    return row


def _deafness(kind: type) -> dict[str, bool]:
    """Say whether the modeling code beside a config class makes plain tables without a look at ``partial_rotary_factor``."""
    try:
        module = importlib.import_module(kind.__module__.replace("configuration_", "modeling_"))
    except ImportError:
        return {}
    bodies = [
        inspect.getsource(cls.compute_default_rope_parameters)
        for name, cls in vars(module).items()
        if name.endswith("RotaryEmbedding") and hasattr(cls, "compute_default_rope_parameters")
    ]
    return {"ignores_share": True} if bodies and not any("partial_rotary_factor" in body for body in bodies) else {}


def _constant_head_dim(kind: type, config: transformers.PreTrainedConfig) -> int | None:
    """Give the head width that stays when the model is made twice as wide."""
    try:
        return config.head_dim if kind(hidden_size=2 * config.hidden_size).head_dim == config.head_dim else None
    except Exception:  # no such attribute, a refused width, a width for each layer: each class has its own way to say it
        return None


def write() -> str:
    """Make the text of the file."""
    lines = [HEADER.format(version=transformers.__version__)]
    for name, row in families():
        lines.append(f"[{name}]")
        lines += [f"{key} = {json.dumps(value)}" for key, value in row.items()]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    logging.disable()
    warnings.simplefilter("ignore")
    TARGET.write_text(write(), encoding="utf-8")
