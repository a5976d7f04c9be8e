"""Settings of models in other formats than config.json of transformers, translated to its keys with their own layout and defaults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rope_core.huggingface.formats.gguf import is_gguf, read_gguf
from rope_core.huggingface.formats.megatron import is_megatron, read_megatron
from rope_core.huggingface.formats.params_json import is_meta, is_mistral, read_meta, read_mistral
from rope_core.huggingface.formats.tensorrt import is_tensorrt, read_tensorrt
from rope_core.huggingface.section import Collector, wording

Document = Mapping[str, object]


class Format(NamedTuple):
    """A format.

    Attributes:
        name: As the note calls it.
        fits: Whether a document is in this format.
        read: Returns the document in keys of transformers.
    """

    name: str
    fits: Callable[[Document], bool]
    read: Callable[[Document, Collector], Document]


FORMATS = (
    Format("GGUF", is_gguf, read_gguf),
    Format("params.json of Mistral", is_mistral, read_mistral),
    Format("params.json of Meta", is_meta, read_meta),
    Format("TensorRT-LLM", is_tensorrt, read_tensorrt),
    Format("Megatron or NeMo", is_megatron, read_megatron),
)
"""In this order: Mistral's keys contain Meta's."""


def translate(document: Document, collector: Collector) -> tuple[Document, str | None]:
    """Return a document in keys of transformers, and the name of its format; None for a config.json of transformers."""
    found = next((each for each in FORMATS if each.fits(document)), None)
    if found is None:
        if document.get("rope_traditional") is not None:
            return document, "MLX"
        return document, None
    rule = wording("this is no config.json of transformers but {format}; it is read with the layout and defaults of that")
    collector.note("", rule, format=found.name)
    return found.read(document, collector), found.name
