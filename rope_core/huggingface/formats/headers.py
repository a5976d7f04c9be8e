"""The headers of ``.gguf`` and ``.safetensors`` files, whose tensors are not looked at."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from typing import Any

from rope_core.errors import RopeConfigError
from rope_core.huggingface.section import Collector, wording

GGUF, SAFETENSORS_LIMIT = b"GGUF", 100_000_000
MOST_ENTRIES, LONGEST_STRING, LONGEST_LIST = 100_000, 10_000_000, 100_000_000
MOST_SHOWN = 4096
"""Longer lists, such as vocabularies, are passed over."""
NUMBERS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
STRING, LIST = 8, 9
CUT_OFF = "this GGUF file is cut off before its settings of rotation"


class _Ended(Exception):
    """Raised where the bytes end within the header, as they do in the first megabyte of a file."""


class _Reader:
    """Reads values one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    def number(self, form: str) -> Any:
        size = struct.calcsize(form)
        if self.place + size > len(self.data):
            raise _Ended
        (value,) = struct.unpack_from(form, self.data, self.place)
        self.place += size
        return value

    def text(self) -> str:
        size = self.number("<Q")
        if size > LONGEST_STRING or self.place + size > len(self.data):
            raise _Ended
        self.place += size
        return self.data[self.place - size : self.place].decode("utf-8", "replace")

    def value(self, kind: int) -> Any:
        if kind == STRING:
            return self.text()
        if kind == LIST:
            return self._list()
        if kind not in NUMBERS:
            raise RopeConfigError("this GGUF file has a value of a type that is not known: {value}", value=kind)
        return self.number(NUMBERS[kind])

    def _list(self) -> list[Any] | None:
        kind, count = self.number("<I"), self.number("<Q")
        if count > LONGEST_LIST or kind == LIST:
            raise RopeConfigError("this GGUF file has a value of a type that is not known: {value}", value=kind)
        if kind in NUMBERS and count > MOST_SHOWN:
            self.place += count * struct.calcsize(NUMBERS[kind])
            return None
        read: Callable[[], Any] = self.text if kind == STRING else lambda: self.value(kind)
        if count > len(self.data) - self.place:
            raise _Ended
        values = [read() for _ in range(count)]
        return values if count <= MOST_SHOWN else None


def is_gguf_file(data: bytes) -> bool:
    """Return whether bytes are the beginning of a GGUF file."""
    return data[:4] == GGUF


def read_gguf_header(data: bytes) -> dict[str, Any]:
    """Return the metadata of a GGUF file, and the names of its tensors under ``tensors`` if they are within the bytes.

    Raises:
        RopeConfigError: If it is no GGUF file of version 2 or 3, or ends before the settings of rotation.
    """
    reader, found = _Reader(data), {}
    reader.place = len(GGUF)
    try:
        version = reader.number("<I")
        if version not in (2, 3):
            raise RopeConfigError("a GGUF file must be of version 2 or 3, got {value}", value=version)
        tensors, entries = reader.number("<Q"), reader.number("<Q")
        for _ in range(min(entries, MOST_ENTRIES)):
            key = reader.text()
            found[key] = reader.value(reader.number("<I"))
        found["tensors"] = [_tensor_name(reader) for _ in range(min(tensors, MOST_ENTRIES))]
    except _Ended:
        if not any(".rope." in key or key.endswith(".context_length") for key in found):
            raise RopeConfigError(CUT_OFF) from None
    return {key: value for key, value in found.items() if value is not None and not key.startswith("tokenizer.")}


def _tensor_name(reader: _Reader) -> str:
    name = reader.text()
    for _ in range(min(reader.number("<I"), 8)):
        reader.number("<Q")
    reader.number("<I")
    reader.number("<Q")
    return name


def is_safetensors_file(data: bytes) -> bool:
    """Return whether bytes are the beginning of a safetensors file: the length of a JSON object, and the object."""
    if len(data) < 10 or data[8:9] != b"{":
        return False
    size: int = struct.unpack_from("<Q", data)[0]
    return 2 <= size <= SAFETENSORS_LIMIT


def refuse_safetensors(data: bytes, collector: Collector) -> None:
    """Refuse a safetensors file, which holds weights and no settings; the names of these show how many layers there are.

    Raises:
        HfConfigError: In any case.
    """
    (size,) = struct.unpack_from("<Q", data)
    try:
        names = list(json.loads(data[8 : 8 + size]))
    except (ValueError, RecursionError):
        names = []
    layers = {next((part for part in name.split(".") if part.isascii() and part.isdigit()), "") for name in names} - {""}
    fix = wording("give the config.json beside it")
    if layers:
        rule = wording("a safetensors file holds weights, here of {value} layers, and no settings of rotation")
        collector.refuse(rule, fix, value=len(layers))
    collector.refuse(wording("a safetensors file holds weights and no settings of rotation"), fix)
