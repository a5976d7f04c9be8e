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
from typing import Any

import transformers
from transformers import CONFIG_MAPPING

TARGET = Path(__file__).resolve().parent.parent / "rope_core" / "huggingface" / "families.toml"
AXIAL = {"dinov3_vit": "halves", "eomt_dinov3": "halves", "sapiens2": "halves", "llama4_vision_model": "halves", "efficientloftr": "halves"}
"""Image encoders whose config does not call them axial."""
OTHER_WIDTHS = {
    "qwen2_vl_vision": lambda config: config.embed_dim // config.num_heads,
    "efficientloftr": lambda config: config.hidden_size,  # before it is split into heads
    **dict.fromkeys(
        ("sam2_video", "sam3_tracker_video", "edgetam_video"),
        lambda config: (
            config.memory_attention_hidden_size // (config.memory_attention_downsample_rate * config.memory_attention_num_attention_heads)
        ),
    ),
}
"""Types whose rotated heads have other sizes than hidden_size and num_attention_heads state."""
FORMS = {"thirds": "spatial_dim = 2 * ((dim // 3) // 2)", "alternating": "torch.cat([inv_freq[0::2], inv_freq[1::2]])"}
"""By a line of the code that computes the table."""
HEADER = """\
# What the config classes of transformers {version} take for a rotary key that a config leaves out, by model_type.
# Written by scripts/families.py; a type that is not listed has no rotary embedding there, or cannot be made without arguments.
"""


def families() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every model type that rotates, and what its config class takes for missing keys."""
    for name in sorted(CONFIG_MAPPING):
        try:
            kind = CONFIG_MAPPING[name]
            config = kind()
            width = getattr(config, "rotary_dim", None)
            rope = getattr(config, "rope_parameters", None)
        except Exception:  # classes that need arguments, or that have no such attribute: each fails in its own way
            continue
        if name in AXIAL or (isinstance(rope, dict) and rope.get("rope_type") == "axial"):
            yield name, _axial(name, config, rope or {"rope_theta": config.rope_theta})
        elif isinstance(rope, dict):
            yield name, _bases(kind, rope) | _shape(kind, config) | _rotation(rope) | _layers(config) | _window(config) | _deafness(kind)
        elif isinstance(width, int):  # GPT-J and CodeGen count the coordinates that turn, and fix the base in their code
            yield name, {"rotary_dim": width}


def _axial(name: str, config: transformers.PreTrainedConfig, rope: dict[str, Any]) -> dict[str, Any]:
    """Return how the pairs of an image encoder are divided among the axes, and its sizes."""
    row = {"axial": AXIAL.get(name) or _form(config), "base": rope["rope_theta"]}
    if name in OTHER_WIDTHS:
        return row | {"head_dim": OTHER_WIDTHS[name](config)} | _patches(config)
    return row | _shape(type(config), config) | _patches(config)


def _form(config: transformers.PreTrainedConfig) -> str:
    """Return the form of an axial table: the modeling file beside a config class has one formula."""
    source = inspect.getsource(importlib.import_module(type(config).__module__.replace("configuration_", "modeling_")))
    return next((form for form, formula in FORMS.items() if formula in source), "halves")


def _patches(config: transformers.PreTrainedConfig) -> dict[str, int]:
    """Return the number of patches along the side of an image, if the defaults fix it."""
    image, patch = (getattr(config, key, None) for key in ("image_size", "patch_size"))
    image, patch = (size[0] if isinstance(size, list | tuple) else size for size in (image, patch))
    return {"max_position": image // patch} if isinstance(image, int) and isinstance(patch, int) else {}


def _window(config: transformers.PreTrainedConfig) -> dict[str, int | bool]:
    """Return the width of the sliding window; 0 if a class knows the key, and has no window by default."""
    if "sliding_window" not in config.to_dict():
        return {}
    switched = hasattr(config, "use_sliding_window")
    width = _global(config, "sliding_window") if getattr(config, "use_sliding_window", True) else 0
    return {"sliding_window": width if isinstance(width, int) else 0} | ({"window_switch": True} if switched else {})


def _bases(kind: Any, rope: dict[str, Any]) -> dict[str, Any]:
    base = rope.get("rope_theta", kind.default_theta)
    if isinstance(base, dict) and {"global", "local"} <= base.keys():
        return {"base": base["global"], "local_base": base["local"]}
    return {"base": base} if isinstance(base, float | int) else {}


def _shape(kind: type, config: transformers.PreTrainedConfig) -> dict[str, Any]:
    names = {
        "hidden_size": "hidden_size",
        "num_attention_heads": "num_attention_heads",
        "num_hidden_layers": "num_hidden_layers",
        "max_position_embeddings": "max_position",
    }
    row = {ours: value for theirs, ours in names.items() if isinstance(value := _global(config, theirs), int)}
    width = _constant_head_dim(kind, config)
    return row if width is None else {"head_dim": width} | row


def _rotation(rope: dict[str, Any]) -> dict[str, Any]:
    """Give the share that turns; where a class has more to say than that, all that it says, as JSON."""
    if rope.get("rope_type", "default") == "default" and not any(value is None or isinstance(value, dict) for value in rope.values()):
        share = rope.get("partial_rotary_factor")
        return {"partial_rotary_factor": share} if isinstance(share, float | int) and share != 1 else {}
    return {"rope": json.dumps(rope, sort_keys=True)}


def _layers(config: transformers.PreTrainedConfig) -> dict[str, int]:
    """Give the rhythm of the layers that see everything, and their own head width."""
    types = list(getattr(config, "layer_types", None) or ())
    row = {}
    for every in range(2, 9):
        if types == ["sliding_attention" if (index + 1) % every else "full_attention" for index in range(len(types))] != []:
            row["sliding_pattern"] = every
            break
    overrides = config.to_dict().get("per_layer_config") or {}
    widths = {types[int(index)]: each["head_dim"] for index, each in overrides.items() if "head_dim" in each}
    return row | ({"full_head_dim": widths["full_attention"]} if "full_attention" in widths else {})


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
        width = _global(config, "head_dim")
        return width if _global(kind(hidden_size=2 * config.hidden_size), "head_dim") == width else None
    except Exception:  # no such attribute, a refused width: each class has its own way to say it
        return None


def _global(config: transformers.PreTrainedConfig, name: str) -> Any:
    """Give a value of the whole model; a config that also has values for single layers refuses to name it otherwise."""
    try:
        return getattr(config, name, None)
    except RuntimeError:
        return config.to_dict().get(config.attribute_map.get(name, name))


def write() -> str:
    """Make the text of the file."""
    lines = [HEADER.format(version=transformers.__version__)]
    for name, row in families():
        lines.append(f"[{name}]")
        lines += [f"{key} = '{value}'" if key == "rope" else f"{key} = {json.dumps(value)}" for key, value in row.items()]
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    logging.disable()
    warnings.simplefilter("ignore")
    TARGET.write_text(write(), encoding="utf-8")
