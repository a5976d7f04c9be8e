"""The tables that transformers itself computes."""

import copy
import importlib
import inspect
import warnings
from functools import cache

from transformers import CONFIG_MAPPING


def peer(kind, document):
    """Return a config of transformers, which modifies the objects that it is given."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kind(**{key: value for key, value in copy.deepcopy(document).items() if key != "model_type"})


def rotary_modules(config):
    """Yield the rotary modules of the text part in the modeling code of a config class, built from the config."""
    try:
        module = importlib.import_module(type(config).__module__.replace("configuration_", "modeling_"))
    except ImportError:
        return
    for name, kind in vars(module).items():
        own = inspect.isclass(kind) and kind.__module__ == module.__name__ and name.endswith("RotaryEmbedding")
        if own and not any(word in name for word in ("Vision", "Audio", "DiT", "SaProt")):
            try:
                yield kind(config=config)
            except (AttributeError, KeyError, TypeError):  # of another part of the model
                continue


def tables(config):
    """Return the speeds and attention factors of transformers by layer type; "" for all."""
    found = {}
    for module in rotary_modules(config):
        for name, buffer in module.named_buffers():
            if name.endswith("inv_freq") and "original" not in name:
                layer = name.removesuffix("inv_freq").rstrip("_")
                factor = getattr(module, f"{layer}_attention_scaling" if layer else "attention_scaling")
                found[layer] = (buffer.double(), factor)
    return found


@cache
def default_config(name):
    """Return the default config of a model type; None for a type without rotary embedding, or without defaults."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            config = CONFIG_MAPPING[name]()
            rope = config.rope_parameters
            return config if isinstance(rope, dict) and rope.get("rope_type") != "axial" else None
        except Exception:  # classes that need arguments fail in different ways
            return None


@cache
def default_tables(name):
    """Return the tables of a default config; empty for a type without rotary module."""
    config = default_config(name)
    return {} if config is None else tables(config)
