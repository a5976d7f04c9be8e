"""A short config to modify, and the samples of real models."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rope_core import HfRope, parse_config
from rope_core.huggingface import extras

DATA = Path(__file__).resolve().parents[1] / "data"
EXPECTED: dict[str, dict[str, Any]] = json.loads((DATA / "config_expected.json").read_text())
SAMPLES: dict[str, dict[str, Any]] = {name: json.loads((DATA / "configs" / name).read_text()) for name in EXPECTED}

SHORT = {"head_dim": 64, "max_position_embeddings": 16, "rope_theta": 10000.0}
"""A config without findings: too short for the sum of the cosines to fall below 0."""

WHOLE_SEARCH = extras.LONGEST_SEARCH


def short(**changes: Any) -> dict[str, Any]:
    """Return the short config with changes; ``...`` removes a key."""
    return {key: value for key, value in (SHORT | changes).items() if value is not ...}


def scaled(method: Any, **keys: Any) -> dict[str, Any]:
    """Return the short config with a rope object; ``...`` removes a key."""
    rope = {"rope_type": method, "factor": 4.0} | keys
    return short(rope_scaling={key: value for key, value in rope.items() if value is not ...})


def yarn(**keys: Any) -> dict[str, Any]:
    return scaled("yarn", **({"original_max_position_embeddings": 4, "beta_fast": 32, "beta_slow": 1} | keys))


def llama3(**keys: Any) -> dict[str, Any]:
    return scaled("llama3", **({"low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 4} | keys))


def longrope(**keys: Any) -> dict[str, Any]:
    lists = {"short_factor": [1.0] * 32, "long_factor": [2.0] * 32, "original_max_position_embeddings": 4}
    return scaled("longrope", **(lists | keys))


def _without(keys: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not ...}


def gguf(name: str, **keys: Any) -> dict[str, Any]:
    """Return GGUF metadata of an architecture."""
    usual = {"context_length": 16, "embedding_length": 512, "attention.head_count": 8, "block_count": 2, "rope.freq_base": 1e4}
    return {"general.architecture": name} | {f"{name}.{key}": value for key, value in _without(usual | keys).items()}


def params(**keys: Any) -> dict[str, Any]:
    """Return a params.json as Meta writes it."""
    return _without({"dim": 512, "n_layers": 2, "n_heads": 8, "norm_eps": 1e-5, "multiple_of": 256} | keys)


def tensorrt(**keys: Any) -> dict[str, Any]:
    """Return a config of TensorRT-LLM."""
    sizes = {"num_hidden_layers": 2, "num_attention_heads": 8, "hidden_size": 512, "head_size": 64, "max_position_embeddings": 16}
    return _without({"architecture": "LlamaForCausalLM", "dtype": "float16"} | sizes | keys)


def megatron(**keys: Any) -> dict[str, Any]:
    """Return arguments of Megatron."""
    usual = {"position_embedding_type": "rope", "rotary_base": 10000, "max_position_embeddings": 16, "num_query_groups": 8}
    return _without({"num_layers": 2, "hidden_size": 512, "num_attention_heads": 8} | usual | keys)


@cache
def parsed(name: str) -> HfRope:
    """Parse a sample once, because the search within a long context is slow; ``near_search`` does not apply."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extras, "LONGEST_SEARCH", WHOLE_SEARCH)
        return parse_config(SAMPLES[name])
