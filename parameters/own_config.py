"""A config of the reader's own: read, checked for what pages can show, and written as the numbers that a link carries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from urllib.parse import quote

from rope_core import HfRope, RopeConfigError, inverse_frequencies, parse_config, to_huggingface
from rope_core.huggingface.formats.headers import is_gguf_file, read_gguf_header
from rope_core.huggingface.mending import mended_text
from rope_core.huggingface.other_texts import rope_object
from rope_core.operands import MAX_SPEED

LONGEST_LINK = 4096
"""Characters of an address that a config may take; longer addresses are cut off on their way by some programs."""
OTHER_COUNT = "{key} has {value} entries for {count} layers"
"""How the core says that a config names more or fewer layers than it counts."""


@dataclass(frozen=True)
class ParsedConfig:
    """A config that could be read.

    Attributes:
        rope: What it says.
        document: What settings hold of it: its numbers as transformers 5 writes them; the text itself where transformers has no words for
            them, or they would not come back the same.
        only_numbers: Whether that is numbers alone, and no text of the reader's.
    """

    rope: HfRope
    document: str
    only_numbers: bool

    @property
    def fits_link(self) -> bool:
        """Whether a link can carry the document; if not, it stays in the visit."""
        return self.only_numbers and len(quote(self.document)) <= LONGEST_LINK


@lru_cache(maxsize=64)
def parse_text(given: str | bytes) -> ParsedConfig:
    """Read a config, and write its numbers.

    Raises:
        RopeConfigError: If no settings can be given, or no page could show them.
    """
    text, notes = mended_text(_as_text(given))
    rope = parse_config(text)
    _require_speeds(rope)
    rope = replace(rope, findings=(*rope.findings, *notes))
    try:
        document = json.dumps(_with_count(to_huggingface(rope), rope), separators=(",", ":"))
        same = _numbers(parse_config(document)) == _numbers(rope)
    except RopeConfigError:  # transformers has no words for it
        document, same = "", False
    return ParsedConfig(rope, document if same else text, same)


def fragment(given: str | bytes) -> str:
    """Return the rope object that a text is and nothing else, as JSON; empty if it is more, or other.

    The argument of a command line counts as one, if it holds one object.
    """
    try:
        text = _as_text(given)
    except (RopeConfigError, UnicodeDecodeError):
        return ""
    inner = text[text.find("{") : text.rfind("}") + 1] if text.lstrip().startswith("-") else text
    try:
        document = json.loads(mended_text(inner)[0])
    except (ValueError, RecursionError):
        return ""
    found = rope_object(document) if isinstance(document, dict) else None
    return "" if found is None else json.dumps(found)


def complete(settings: Mapping[str, Any], rope: str) -> ParsedConfig:
    """Read the config of a model with another rope object.

    Raises:
        RopeConfigError: If they do not fit.
    """
    part = settings.get("text_config", settings)
    base = part.get("rope_parameters", {}).get("rope_theta")
    outer = {key: value for key, value in {**settings, **part}.items() if key not in ("text_config", "rope_parameters", "rope_scaling")}
    return parse_text(json.dumps(outer | ({} if base is None else {"rope_theta": base}) | {"rope_scaling": json.loads(rope)}))


def _as_text(given: str | bytes) -> str:
    """Return what was given as text: of a GGUF file, its metadata.

    Raises:
        RopeConfigError: If it is neither a text nor such a file.
    """
    if isinstance(given, str):
        return given
    if is_gguf_file(given):
        return json.dumps(read_gguf_header(given))
    try:
        return given.decode(json.detect_encoding(given))
    except UnicodeDecodeError:
        parse_config(given)  # says what it is
        raise


def read_config(text: str) -> HfRope:
    """Read the document that settings hold.

    Raises:
        RopeConfigError: If it is none.
    """
    return parse_text(text).rope


def stated_layers(rope: HfRope) -> int:
    """Return the number of layers that a config states, which may be another one than it names types for."""
    counts = [finding.values["count"] for finding in rope.findings if finding.template == OTHER_COUNT]
    return int(str(counts[0])) if counts else len(rope.layer_types)


def _with_count(keys: dict[str, Any], rope: HfRope) -> dict[str, Any]:
    """Add the number of layers that a config states where it names another one, and names for layers that are all alike.

    Without the model type, names say which layers have a sliding window.
    """
    stated, named = stated_layers(rope), len(rope.layer_types)
    if "all" in rope.windows and named:
        keys = {"layer_types": ["sliding_attention"] * named} | keys
    return keys if stated == named else {"layer_types": ["full_attention"] * named} | keys | {"num_hidden_layers": stated}


def _require_speeds(rope: HfRope) -> None:
    """Require speeds that figures can show, in short texts and in the longest."""
    for config in filter(None, rope.layers.values()):
        for length in (config.trained_length, config.max_position):
            try:
                inv_freq = inverse_frequencies(config, length)
            except (ArithmeticError, ValueError) as error:  # settings at the end of the range of float64
                raise RopeConfigError("a config must give every pair a speed, got {value!r}", value=config.scaling) from error
            if not inv_freq.isfinite().all() or inv_freq.max() > MAX_SPEED:
                raise RopeConfigError(
                    "a config must give speeds up to {limit:g} rad per token, got {value:g}", limit=MAX_SPEED, value=inv_freq.max().item()
                )


def _numbers(rope: HfRope) -> tuple[object, ...]:
    return dict(rope.layers), rope.layer_types, rope.softmax_factor, rope.pair_axes, dict(rope.windows)
