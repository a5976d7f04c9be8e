"""From pasted or uploaded text to one JSON object, or to an error that says in one sentence why not."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rope_core.errors import RopeConfigError
from rope_core.huggingface.formats.headers import is_gguf_file, is_safetensors_file, read_gguf_header, refuse_safetensors
from rope_core.huggingface.other_texts import refuse_text
from rope_core.huggingface.section import Collector, shown, wording

MAX_BYTES = 1_000_000
MAX_DEPTH = 32
MAX_VALUES = 200_000
MAX_KEYS = 1_000
"""Per object; real configs have about a hundred."""
MOST_DUPLICATES = 20
NO_TEXTS = (b"PK\x03\x04", b"\x1f\x8b", b"\x80\x02", b"\x89PNG", b"%PDF", b"BZh", b"\x28\xb5\x2f\xfd")
"""How archives, pickles, pictures and documents begin."""


def read_document(source: Mapping[str, object] | str | bytes, collector: Collector) -> Mapping[str, object]:
    """Return a config as an object, from text, bytes or an object.

    Raises:
        RopeConfigError: If it is too large, too deep, not text, not JSON, or not an object.
    """
    if isinstance(source, bytes | bytearray) and (header := _header(bytes(source), collector)) is not None:
        return header
    document = _from_text(source, collector) if isinstance(source, str | bytes | bytearray) else source
    if not isinstance(document, Mapping):
        raise _not_an_object(document)
    _check_size(document)
    return document


def _header(source: bytes, collector: Collector) -> Mapping[str, object] | None:
    """Return the metadata of a GGUF file, of whatever size; None for a text.

    Raises:
        HfConfigError: If it is a file of weights without settings, or another that is no text.
    """
    if is_gguf_file(source):
        return read_gguf_header(source)
    if is_safetensors_file(source):
        refuse_safetensors(source, collector)
    if source.startswith(NO_TEXTS):
        collector.refuse(
            wording("this is a packed file, such as weights of PyTorch, and no text"), wording("give the config.json beside it")
        )
    return None


def require_few_keys(name: str, values: Mapping[str, object]) -> None:
    """Require a bounded number of keys, because every key is inspected."""
    if len(values) > MAX_KEYS:
        raise RopeConfigError("{field} must have at most {limit:,} keys, got {value:,}", field=name, limit=MAX_KEYS, value=len(values))


def _not_an_object(document: object) -> RopeConfigError:
    """Return an error that names, in JSON terms, what was found in place of an object."""
    match document:
        case list() | tuple():
            return RopeConfigError("a config must be a JSON object in braces, got an array")
        case str():
            return RopeConfigError("a config must be a JSON object in braces, got a string")
        case int() | float() if not isinstance(document, bool):
            return RopeConfigError("a config must be a JSON object in braces, got a number")
        case None | bool():
            return RopeConfigError("a config must be a JSON object in braces, got {value}", value=shown(document))
    return RopeConfigError("a config must be a JSON object in braces, got {value}", value=type(document).__name__)


def _from_text(source: str | bytes | bytearray, collector: Collector) -> object:
    size = len(source.encode("utf-8", "replace")) if isinstance(source, str) else len(source)
    if size > MAX_BYTES:
        raise RopeConfigError("a config must be at most {limit:,} bytes, got {value:,}", limit=MAX_BYTES, value=size)
    repeated: dict[str, object] = {}

    def keep_last(pairs: list[tuple[str, object]]) -> dict[str, object]:
        kept: dict[str, object] = {}
        for key, value in pairs:
            if key in kept and (key in repeated or len(repeated) < MOST_DUPLICATES):
                repeated[key] = value
            kept[key] = value
        return kept

    document = _loads(_text(source, collector), keep_last, collector)
    for key, value in repeated.items():
        rule = wording("{key} stands in one object of the file more than once; the last value, {value}, counts")
        collector.warn(key, rule, wording("remove the other lines"), value=shown(value))
    return document


def _text(source: str | bytes | bytearray, collector: Collector) -> str:
    if isinstance(source, str):
        return source.removeprefix("\ufeff")
    raw = bytes(source)
    try:
        return raw.decode(json.detect_encoding(raw)).removeprefix("\ufeff")
    except UnicodeDecodeError:
        collector.refuse(wording("a config must be text in UTF-8, UTF-16 or UTF-32"), wording("save the file as UTF-8"))


def _loads(text: str, hook: object, collector: Collector) -> object:
    try:
        return json.loads(text, object_pairs_hook=hook)  # type: ignore[arg-type]
    except json.JSONDecodeError as error:
        refuse_text(text, error, collector)
        raise RopeConfigError(
            "a config must be JSON; line {line}, column {column}: {reason}", line=error.lineno, column=error.colno, reason=error.msg
        ) from None
    except RecursionError:
        raise RopeConfigError("a config must be nested at most {limit} deep", limit=MAX_DEPTH) from None
    except ValueError:  # Python refuses integers of more than 4,300 digits
        raise RopeConfigError("a config must hold numbers of at most 4,300 digits") from None


def _check_size(document: Mapping[str, object]) -> None:
    """Require bounded depth and number of values, without recursion: a Python mapping may even contain itself."""
    level: list[object] = [document]
    seen = 0
    for _ in range(MAX_DEPTH):
        inner: list[object] = []
        for value in level:
            if isinstance(value, Mapping):
                if not all(isinstance(key, str) for key in value):
                    raise RopeConfigError("the keys of a config must be strings, got {value}", value=shown([*value][:3]))
                inner.extend(value.values())
            elif isinstance(value, list | tuple):
                inner.extend(value)
            seen += 1
            if seen + len(inner) > MAX_VALUES:
                raise RopeConfigError("a config must hold at most {limit:,} values", limit=MAX_VALUES)
        if not inner:
            return
        level = inner
    raise RopeConfigError("a config must be nested at most {limit} deep", limit=MAX_DEPTH)
