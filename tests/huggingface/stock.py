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


@cache
def parsed(name: str) -> HfRope:
    """Parse a sample once, because the search within a long context is slow; ``near_search`` does not apply."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(extras, "LONGEST_SEARCH", WHOLE_SEARCH)
        return parse_config(SAMPLES[name])
