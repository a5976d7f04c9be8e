"""Configs of several parts: the part that reads text, or the one that rotates."""

from __future__ import annotations

from collections.abc import Mapping

from rope_core.errors import RopeConfigError
from rope_core.huggingface.document import require_few_keys
from rope_core.huggingface.families import family_defaults, model_types, rotating_part, unrotated_types
from rope_core.huggingface.keys import HIDDEN, TEXT_PARTS, WIDTHS
from rope_core.huggingface.section import Collector, shown, wording

MUST_BE_OBJECTS = 6
"""So many of them, from the first, are objects wherever they stand."""


def text_part(document: Mapping[str, object], collector: Collector) -> Mapping[str, object]:
    """Return the keys of the text part of a multimodal model; they override those outside it.

    Where no text part rotates, the part that does is returned: an image encoder.

    Raises:
        RopeConfigError: If the model consists of parts, and none of them is there.
    """
    chosen = rotating_part(document.get("model_type"))
    if chosen is not None and chosen[0][0] not in TEXT_PARTS and (inner := _at(document, chosen[0])) is not None:
        return _other_part(document, ".".join(chosen[0]), inner, chosen[1], collector)
    parts = [name for name in TEXT_PARTS if isinstance(document.get(name), Mapping)]
    for other in parts[1:]:
        rule = wording("{key} and {other} are both there; the settings are those of {other}")
        collector.warn(other, rule, wording("keep the part that reads text"), other=parts[0])
    for name in TEXT_PARTS:
        part = document.get(name)
        if isinstance(part, Mapping):
            collector.note(name, "this config has several parts; the settings are those of {key}")
            apart = str(document.get("model_type")) in model_types("parts_alone")
            outer = {} if apart else {key: value for key, value in document.items() if key not in parts}
            stated = {key: value for key, value in part.items() if value is not None}
            return text_part({**outer, **_type_of(name, chosen), **stated}, collector)
        if part is not None and name.endswith("_config") and name in TEXT_PARTS[:MUST_BE_OBJECTS]:
            rule = wording("{key} must be an object, got {value}")
            collector.reject(name, rule, wording("write its keys in braces"), value=shown(part))
    require_few_keys("a config", document)
    _require_part(document, chosen)
    return document


def _at(document: Mapping[str, object], path: tuple[str, ...]) -> Mapping[str, object] | None:
    inner: object = document
    for key in path:
        inner = inner.get(key) if isinstance(inner, Mapping) else None
    return inner if isinstance(inner, Mapping) else None


def _type_of(name: str, chosen: tuple[tuple[str, ...], str] | None) -> dict[str, str]:
    """Return the type that a part has by default, which the config of the whole need not repeat."""
    return {"model_type": chosen[1]} if chosen is not None and chosen[0] == (name,) else {}


def _other_part(
    document: Mapping[str, object], path: str, inner: Mapping[str, object], kind: str, collector: Collector
) -> Mapping[str, object]:
    """Return the part of a model that rotates where its text part does not, or there is none."""
    require_few_keys(path, inner)
    text = next((name for name in TEXT_PARTS if isinstance(document.get(name), Mapping)), None)
    if text is None:
        collector.note(path, "this config has several parts; the settings are those of {key}")
    else:
        collector.note(path, "{other} never turns a query; the settings are those of {key}", other=text)
    return {"model_type": kind, **{key: value for key, value in inner.items() if value is not None}}


def _require_part(document: Mapping[str, object], chosen: tuple[tuple[str, ...], str] | None) -> None:
    """Require the part that rotates, if the config gives no sizes either that could be its."""
    model_type = document.get("model_type")
    sizes = any(document.get(key) is not None for key in (*HIDDEN, *WIDTHS))
    own = family_defaults(str(model_type)) and model_type not in model_types("parts_alone")
    if chosen is None or sizes or own or model_type in unrotated_types():
        return
    raise RopeConfigError(
        "{model} is a model of several parts, and {part}, the part that rotates, is not in this config",
        model=shown(model_type),
        part=".".join(chosen[0]),
    )
