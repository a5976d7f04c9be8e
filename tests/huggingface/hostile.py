"""Texts of any length that are meant to take long."""

import json
from collections.abc import Callable

from tests.huggingface.stock import short


def _repeated(part: str, before: str = "", after: str = "") -> Callable[[int], str]:
    return lambda size: before + part * ((size - len(before) - len(after)) // len(part)) + after


def _config(**lists: Callable[[int], object]) -> Callable[[int], str]:
    return lambda size: json.dumps(short(**{name: made(size) for name, made in lists.items()}))


HOSTILE: dict[str, Callable[[int], str]] = {
    "braces": _repeated("{"),
    "objects": _repeated('{"a":'),
    "brackets": _repeated("["),
    "quotes": _repeated('"'),
    "backslashes": _repeated("\\", '{"a": "'),
    "string without an end": _repeated("x", '{"a": "'),
    "blanks": _repeated(" ", "{", "x"),
    "blank lines": _repeated("\n", "{", "x"),
    "blank lines of YAML": _repeated(" \n", "", "x"),
    "lines of YAML": _repeated("# x\n", "", "?"),
    "comments without an end": _repeated("/*", "{"),
    "comments": _repeated("//\n", "{", "}"),
    "commas": _repeated(",", "{", "}"),
    "commas and blanks": _repeated(",  ", "{", "x"),
    "fences": _repeated("```\n"),
    "backticks": _repeated("`"),
    "single quotes": _repeated("'", "{"),
    "curly quotes": _repeated("“", "{"),
    "dots": _repeated("...", "{"),
    "names": _repeated("a/", "", "a"),
    "file names": _repeated("a.json "),
    "words": _repeated("None ", "{", "}"),
    "numbers": _repeated("1,", '{"a": [', "1]}"),
    "digits": _repeated("1", '{"rope_theta": ', "}"),
    "strings": _repeated('"x",', '{"a": [', '"x"]}'),
    "one key again": _repeated('"rope_theta":1,', "{", '"a":1}'),
    "long key": lambda size: json.dumps({"rope_" + "x" * (size - 20): 1}),
    "types of layers": _config(layer_types=lambda size: ["full_attention"] * (size // 18)),
    "other types of layers": _config(layer_types=lambda size: [f"type{index}" for index in range(size // 12)]),
    "layers without rotation": _config(no_rope_layers=lambda size: [index % 2 for index in range(size // 3)]),
    "bases of layers": _config(layer_rope_theta=lambda size: [10_000] * (size // 7)),
    "divisors": _config(
        rope_scaling=lambda size: {"rope_type": "longrope", "short_factor": [1.5] * (size // 10), "long_factor": [1.5] * (size // 10)}
    ),
    "text part in text part": _repeated('{"text_config":', "", "1"),
}


def keys(count: int) -> str:
    """Write as many keys as a config may have, each nearly a known one."""
    return json.dumps(short(**{f"rope_thet_{index}": 1 for index in range(count)}))
