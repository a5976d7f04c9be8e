"""Write docs/accuracy.md: our numbers for real models beside those of transformers.

``python -m scripts.accuracy`` after a new version of either; a test compares the file with what this writes.
"""

from __future__ import annotations

import copy
import importlib
import json
import logging
import warnings
from pathlib import Path
from typing import Any

import torch
import transformers
from torch import Tensor
from transformers import CONFIG_MAPPING

from rope_core import HfRope, RopeConfig, attention_factor, inverse_frequencies, parse_config

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "accuracy.md"
CONFIGS = ROOT / "tests" / "data" / "configs"
MODELS = {
    "Llama 2 7B": ("01_llama2_7b", "Llama", "all"),
    "Llama 3.1 8B": ("02_llama31_8b", "Llama", "all"),
    "LLaMA-2-7B-32K": ("05_llama2_7b_32k_linear", "Llama", "all"),
    "InternLM2.5 7B": ("06_internlm25_7b_dynamic", "Llama", "all"),
    "Qwen2.5 7B with YaRN": ("07_qwen25_7b_yarn", "Qwen2", "all"),
    "DeepSeek-V3": ("08_deepseek_v3_yarn", "DeepseekV3", "all"),
    "gpt-oss 20B": ("10_gpt_oss_20b_yarn", "GptOss", "all"),
    "Phi-3.5 mini": ("12_phi35_mini_longrope", "Phi3", "all"),
    "Gemma 3 4B, global layers": ("15_gemma3_4b_nested", "Gemma3", "full_attention"),
    "GPT-NeoX 20B": ("21_gpt_neox_20b", "GPTNeoX", "all"),
    "Devstral 2 123B": ("25_devstral2_123b_v5_yarn", "Ministral3", "all"),
}
HEADER = """\
# Accuracy

Written by `python -m scripts.accuracy` with transformers {transformers} and torch {torch}.

Each config.json went through `parse_config`, and into the config and rotary classes of transformers, which compute in float32. Our number
stands above theirs. Speeds are in radians per token, up to the trained length; A multiplies cos and sin; the softmax factor multiplies the
scale of the scores. The last column is the largest relative difference over all pairs: what float32 costs there.

| model | method | first speed | middle speed | last speed | A | softmax factor | largest difference |
|---|---|---|---|---|---|---|---|
"""
ROW = "| {model} | {method} | {first} | {middle} | {last} | {a} | {softmax} | {difference} |\n"
BESIDE = "{ours:.10g}<br>{theirs:.10g}"
"""Ours above theirs."""


def theirs(file: str, prefix: str, layer: str) -> tuple[Tensor, float, float]:
    """Give the speeds, A and the softmax factor of transformers."""
    document = json.loads((CONFIGS / f"{file}.json").read_text(encoding="utf-8"))
    document = copy.deepcopy(document.get("text_config", document))
    model_type = document.pop("model_type")
    kind = CONFIG_MAPPING["llama" if model_type == "internlm2" else model_type]  # InternLM2's own code is not part of transformers
    config = kind(**document)
    module: Any = importlib.import_module(kind.__module__.replace("configuration_", "modeling_"))
    rotary = getattr(module, f"{prefix}RotaryEmbedding")(config=config)
    name = "" if layer == "all" else f"{layer}_"
    softmax = 1.0
    if prefix == "DeepseekV3":
        with torch.device("meta"):
            attention = module.DeepseekV3Attention(config, 0)
        softmax = attention.scaling * attention.qk_head_dim**0.5
    return getattr(rotary, f"{name}inv_freq").double(), float(getattr(rotary, f"{name}attention_scaling")), softmax


def row(model: str, rope: HfRope, config: RopeConfig, peer: tuple[Tensor, float, float]) -> str:
    """Write one line: ours above theirs."""
    ours = inverse_frequencies(config)
    inv_freq, factor, softmax = peer
    speeds = {
        name: BESIDE.format(ours=ours[index], theirs=inv_freq[index])
        for name, index in (("first", 0), ("middle", len(ours) // 2), ("last", -1))
    }
    return ROW.format(
        model=model,
        method=config.scaling.rope_type if config.scaling else "plain",
        a=BESIDE.format(ours=attention_factor(config), theirs=factor),
        softmax=BESIDE.format(ours=rope.softmax_factor, theirs=softmax),
        difference=f"{((inv_freq - ours).abs() / ours).max():.1e}",
        **speeds,
    )


def write() -> str:
    """Make the text of the file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rows = []
        for model, (file, prefix, layer) in MODELS.items():
            rope = parse_config((CONFIGS / f"{file}.json").read_bytes())
            config = rope.layers[layer]
            assert config is not None
            rows.append(row(model, rope, config, theirs(file, prefix, layer)))
    return HEADER.format(transformers=transformers.__version__, torch=torch.__version__.split("+")[0]) + "".join(rows)


if __name__ == "__main__":
    logging.disable()
    TARGET.write_text(write(), encoding="utf-8")
