"""Parse the rotary settings of a model from its Hugging Face ``config.json``, and write them."""

from __future__ import annotations

from rope_core.huggingface.parse import parse_config
from rope_core.huggingface.rope import Finding, HfConfigError, HfRope, Level
from rope_core.huggingface.write import to_huggingface

__all__ = ["Finding", "HfConfigError", "HfRope", "Level", "parse_config", "to_huggingface"]
