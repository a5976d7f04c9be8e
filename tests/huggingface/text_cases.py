"""Texts and files that people give in place of a config, each with a part of the sentence that names it."""

import json
import struct

from tests.huggingface.stock import SHORT

TEXT = json.dumps(SHORT)
LINES = json.dumps(SHORT, indent=2)

NAMED = {
    "nothing": (" \n", "there is no text"),
    "address": ("https://huggingface.co/Qwen/Qwen3-8B/blob/main/config.json", "this is an address"),
    "address without https": ("huggingface.co/Qwen/Qwen3-8B", "this is an address"),
    "name": ("Qwen/Qwen3-8B", "the name of a model, Qwen/Qwen3-8B,"),
    "file": ("~/models/llama/config.json", "the name of a file"),
    "file of Windows": (r"C:\Users\me\model\config.json", "the name of a file"),
    "LFS": ("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935\nsize 132\n", "a pointer of Git LFS"),
    "page": ("<!DOCTYPE html>\n<html><body></body></html>", "a web page"),
    "XML": ("<?xml version='1.0'?><Error><Code>AccessDenied</Code></Error>", "a web page"),
    "YAML": ("# overrides\nrope_scaling:\n  type: yarn\n  factor: 4.0\n", "this is YAML"),
    "YAML after a line": ("---\nmodel_type: llama\nhead_dim: 128\n", "this is YAML"),
    "flag": ("--rope-scaling yarn --rope-scale 4 --yarn-orig-ctx 32768", "a command line"),
    "command": ("vllm serve Qwen/Qwen3-8B --hf-overrides '{\"rope_scaling\": {}}'", "a command line"),
    "prompt": ("$ llama-server -m model.gguf -c 131072", "a command line"),
    "dots": ('{"head_dim": 128, ...}', "three dots stand for keys that were left out, in line 1"),
    "dots in a line": ('{\n "head_dim": 128,\n ...\n}', "in line 3"),
    "cut off": (LINES[: len(LINES) // 2], "ends before its last brace"),
    "fence": (f"```json\n{LINES}\n```", "inside a code fence, from line 1"),
    "comment": (LINES.replace(",", ", // why", 1), "JSON has no comments, and line 2 has one"),
    "comma": (LINES.replace("\n}", ",\n}"), "before the closing brace or bracket of line 5"),
    "Python": (repr(SHORT), "a Python dict"),
    "curly quotes": ("{“head_dim”: 64}", "curly quotes stand in line 1"),
    "keys alone": (TEXT[1:-1], "keys without the braces"),
    "class": (f"LlamaConfig {LINES}", "a name stands before the brace"),
    "variable": (f"config = {TEXT}", "a name stands before the brace"),
}
FILES = {
    "index": ({"metadata": {"total_size": 1}, "weight_map": {"a": "b"}}, "an index of safetensors"),
    "adapter": ({"peft_type": "LORA", "r": 8, "base_model_name_or_path": "a/b"}, "adapter_config.json"),
    "sampling": ({"do_sample": True, "temperature": 0.6, "eos_token_id": 2}, "generation_config.json"),
    "tokenizer": ({"tokenizer_class": "LlamaTokenizer", "model_max_length": 8192}, "config of a tokenizer"),
    "tokens": ({"version": "1.0", "added_tokens": [], "model": {"type": "BPE"}}, "file of a tokenizer"),
    "images": ({"image_processor_type": "CLIPImageProcessor", "size": 224}, "a preprocessor of images"),
    "sounds": ({"feature_extractor_type": "WhisperFeatureExtractor", "sampling_rate": 16000}, "a preprocessor of sounds"),
    "training": ({"log_history": [], "epoch": 1.0}, "state of a training"),
    "diffusers": ({"_class_name": "FluxPipeline", "_diffusers_version": "0.30"}, "a config of diffusers"),
    "rope object": ({"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768}, "settings of a method alone"),
    "rope_scaling": ({"rope_scaling": {"type": "linear", "factor": 2.0}}, "settings of a method alone"),
}
MENDED = ("fence", "comment", "comma", "Python", "curly quotes", "keys alone", "class", "variable")
"""Names of those above that are read."""
PACKED = (b"PK\x03\x04", b"\x1f\x8b\x08", b"\x80\x02}q", b"\x89PNG\r\n", b"%PDF-1.7")


def safetensors(*names: str) -> bytes:
    """Write a safetensors file by its specification."""
    header = json.dumps({name: {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]} for name in names}).encode()
    return struct.pack("<Q", len(header)) + header


def gguf_file(metadata, tensors=()):
    """Write a GGUF file of version 3 by its specification, without data of tensors."""

    def text(value):
        return struct.pack("<Q", len(value.encode())) + value.encode()

    def entry(key, value):
        match value:
            case str():
                return text(key) + struct.pack("<I", 8) + text(value)
            case float():
                return text(key) + struct.pack("<If", 6, value)
            case list():
                return text(key) + struct.pack("<IIQ", 9, 8, len(value)) + b"".join(map(text, value))
        return text(key) + struct.pack("<II", 4, value)

    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    shapes = b"".join(text(name) + struct.pack("<IQIQ", 1, 64, 0, 0) for name in tensors)
    return head + b"".join(entry(key, value) for key, value in metadata.items()) + shapes


LLAMA = {
    "general.architecture": "llama",
    "tokenizer.ggml.tokens": ["a"] * 5_000,
    "llama.context_length": 8192,
    "llama.embedding_length": 4096,
    "llama.block_count": 32,
    "llama.attention.head_count": 32,
    "llama.rope.dimension_count": 128,
    "llama.rope.freq_base": 500_000.0,
}


ALL = [
    *(text for text, _ in NAMED.values()),
    *(document for document, _ in FILES.values()),
    PACKED[0],
    safetensors("x"),
    safetensors("x.1.y"),
]
ALL += ["\ufeff" + TEXT, '{"head_dim": "\xe9"}'.encode("latin-1")]
