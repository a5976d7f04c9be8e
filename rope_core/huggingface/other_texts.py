"""Texts and files that are no config at all: each is named for what it is, with what to do."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from rope_core.huggingface.keys import HEADS, HIDDEN, TEXT_PARTS, WIDTHS
from rope_core.huggingface.mending import mend
from rope_core.huggingface.section import Collector, printable, wording


class Text(NamedTuple):
    """A kind of text that is not JSON.

    Attributes:
        form: How it begins, perhaps to its end.
        rule: What it is.
        fix: What to do.
    """

    form: re.Pattern[str]
    rule: str
    fix: str


DOTS = re.compile(r"[{,]\s*(?:\.\.\.|…)|(?:\.\.\.|…)\s*\}")
TEXTS = (
    Text(re.compile(r"\Z"), wording("there is no text"), wording("paste the text of a config.json")),
    Text(
        re.compile(r"<(?:!doctype|html|head|body|\?xml|!--)", re.IGNORECASE),
        wording("this is a web page, not the file that it shows"),
        wording("open the raw file, or download it, and give that"),
    ),
    Text(
        re.compile(r"version https://git-lfs"),
        wording("this is a pointer of Git LFS, which stands for a file that is kept elsewhere"),
        wording("run git lfs pull, or download the file, and give that"),
    ),
    Text(
        re.compile(r"(?:https?://|www\.|huggingface\.co/|hf\.co/)\S+\Z"),
        wording("this is an address, and nothing is loaded from it here"),
        wording("open it, and paste the text of the config.json"),
    ),
    Text(
        re.compile(r"(?:[A-Za-z]:[\\/]|[~.]{0,2}/)?[\w.@ \\/-]+\.(?:json|jsonc|txt|yaml|yml|gguf|safetensors|md)\Z"),
        wording("this is the name of a file, and not what is in it"),
        wording("paste the text of the file, or upload it"),
    ),
    Text(
        re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}\Z"),
        wording("this is the name of a model, {name}, and nothing is loaded here"),
        wording("paste the text of its config.json, or choose the model from the catalogue"),
    ),
    Text(
        re.compile(r"(?:\$ )?(?:-{1,2}[a-z]|(?:vllm|llama-\w+|python3?|sglang|torchrun|docker|export|curl|wget) )"),
        wording("this is a command line, or a part of one"),
        wording("give the config.json of the model, with the settings of the command in its rope_scaling"),
    ),
)
"""In this order: an address looks like the name of a file, too."""
YAML = re.compile(r"(?:(?:---|[ \t]*#[^\n]*|[ \t]*)\n)*[ \t]*[A-Za-z_][\w.-]{0,99}:(?:[ \t]|\n|\Z)")
NO_SIZES = (*HIDDEN, *WIDTHS, *HEADS, *TEXT_PARTS, "model_type", "qk_rope_head_dim")
ROPE_KEYS = {
    *("rope_type", "type", "factor", "original_max_position_embeddings", "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "truncate"),
    *("attention_factor", "low_freq_factor", "high_freq_factor", "short_factor", "long_factor", "rope_theta", "mrope_section", "alpha"),
    *("partial_rotary_factor", "finetuned", "mrope_interleaved"),
}
GIVE_CONFIG = wording("give the config.json of the model, which has the width of its heads")
FILES = (
    ("weight_map", wording("this is an index of safetensors files, which says where each weight is"), GIVE_CONFIG),
    ("peft_type", wording("this is the adapter_config.json of an adapter"), wording("give the config.json of its base model")),
    ("tokenizer_class", wording("this is the config of a tokenizer"), GIVE_CONFIG),
    ("chat_template", wording("this is the config of a tokenizer"), GIVE_CONFIG),
    ("added_tokens", wording("this is the file of a tokenizer"), GIVE_CONFIG),
    ("image_processor_type", wording("this is the config of a preprocessor of images"), GIVE_CONFIG),
    ("feature_extractor_type", wording("this is the config of a preprocessor of sounds"), GIVE_CONFIG),
    ("log_history", wording("this is the state of a training, not the config of a model"), GIVE_CONFIG),
    ("_diffusers_version", wording("this is a config of diffusers, which has no keys for rotation that are known here"), GIVE_CONFIG),
)
"""Keys that only one kind of file has, with what it is."""
SAMPLING = {"do_sample", "temperature", "top_p", "top_k", "eos_token_id", "bos_token_id", "pad_token_id", "max_new_tokens", "max_length"}


def refuse_text(text: str, error: json.JSONDecodeError, collector: Collector) -> None:
    """Name what a text is that is not JSON; return if nothing better is known than what Python says.

    Raises:
        HfConfigError: With what it is, and what to do.
    """
    start = text.strip()
    found = next((each for each in TEXTS if each.form.match(start)), None)
    if found is not None:
        collector.refuse(found.rule, found.fix, name=printable(start))
    if (mended := mend(text)) is not None:
        (rule, fix, _), line = next(iter(mended.kinds.items()))
        collector.refuse(rule, fix, line=line)
    if dots := DOTS.search(text):
        rule = wording("three dots stand for keys that were left out, in line {line}")
        collector.refuse(rule, wording("give the whole config.json"), line=text.count("\n", 0, dots.end()) + 1)
    if YAML.match(text):
        collector.refuse(wording("this is YAML, not JSON"), wording("give the config.json of the model, with these settings in it"))
    if start.startswith("{") and (error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")):
        collector.refuse(wording("the text ends before its last brace is closed"), wording("copy the whole file"))


def refuse_file(document: Mapping[str, object], collector: Collector) -> None:
    """Name what a JSON object is that is another file than a config.json, or a part of one.

    Raises:
        HfConfigError: With what it is, and what to do.
    """
    if not document or any(document.get(key) is not None for key in NO_SIZES):
        return
    found = next((each for each in FILES if each[0] in document), None)
    if found is not None:
        collector.refuse(found[1], found[2])
    if rope_object(document) is not None:
        rule = wording("these are the settings of a method alone, without the head that they are for")
        collector.refuse(rule, wording("put them under rope_scaling into the config.json that they belong to"))
    if len(SAMPLING & document.keys()) >= 2:
        collector.refuse(wording("this is a generation_config.json, which says how to sample"), GIVE_CONFIG)


def rope_object(document: Mapping[str, object]) -> Mapping[str, object] | None:
    """Return the rope object of a document that is nothing else: the object itself, or one key with it."""
    inner = document.get("rope_scaling", document.get("rope_parameters")) if len(document) == 1 else document
    if not isinstance(inner, Mapping) or not inner.keys() & {"rope_type", "type", "factor"} or not inner.keys() <= ROPE_KEYS:
        return None
    return inner
