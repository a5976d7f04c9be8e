"""Methods of context extension as a link carries them, and as a sentence names them."""

from __future__ import annotations

import json
import math
from dataclasses import MISSING, fields
from typing import Any, NoReturn

from locales import N_, _
from rope_core import SCALINGS, ProportionalScaling, RopeConfigError, Scaling

LONGEST = 8192
"""Characters of a text that is read: two lists of 256 divisors fit, a bomb does not."""

NAMES = {
    "linear": N_("position interpolation"),
    "ntk": N_("NTK-aware"),
    "dynamic": N_("dynamic NTK"),
    "yarn": N_("YaRN"),
    "llama3": N_("Llama 3 scaling"),
    "longrope": N_("LongRoPE"),
    "proportional": N_("proportional rotation"),
}


BY_LENGTH = {"dynamic", "yarn", "llama3", "longrope"}
"""Methods whose speeds, or A, depend on the trained length."""


def to_text(scaling: Scaling | None) -> str:
    """Write a method as compact JSON: its ``rope_type``, and the fields that differ from their defaults; nothing for none."""
    if scaling is None:
        return ""
    given = [(field, getattr(scaling, field.name)) for field in fields(scaling)]
    changed = {field.name: _plain(value) for field, value in given if value != field.default}
    return json.dumps({"rope_type": scaling.rope_type} | changed, separators=(",", ":"))


def from_text(text: str) -> Scaling | None:
    """Read what ``to_text`` wrote, or a reader typed into the address.

    Raises:
        RopeConfigError: With one sentence, whatever the text is.
    """
    if not text.strip():
        return None
    given = _object(text)
    kind = given.pop("rope_type", None)
    if not isinstance(kind, str) or kind not in SCALINGS:
        raise RopeConfigError("rope_type must be one of {names}, got {value!r}", names=", ".join(SCALINGS), value=kind)
    known = {field.name: field.default is MISSING for field in fields(SCALINGS[kind])}
    for name in given:
        if name not in known:
            raise RopeConfigError("{method} has no setting {value!r}; it has {names}", method=kind, value=name, names=", ".join(known))
    for name, required in known.items():
        if required and name not in given:
            raise RopeConfigError("{method} needs a value of {field}", method=kind, field=name)
    return SCALINGS[kind](**given)


def method_name(scaling: Scaling) -> str:
    """Name the method in words."""
    return _(NAMES[scaling.rope_type])


def describe(scaling: Scaling) -> str:
    """Name the method and how far it stretches, such as "YaRN, factor 4"."""
    if isinstance(scaling, ProportionalScaling):
        share = _("{method}, share {share}").format(method=method_name(scaling), share=f"{scaling.rotary_fraction:.6g}")
        return share if scaling.factor == 1 else _("{method}, factor {factor}").format(method=share, factor=f"{scaling.factor:.6g}")
    factor, name = getattr(scaling, "factor", None), method_name(scaling)
    return name if factor is None else _("{method}, factor {factor}").format(method=name, factor=f"{factor:.6g}")


def _object(text: str) -> dict[str, Any]:
    if len(text) > LONGEST:
        raise RopeConfigError("scaling must have at most {limit} characters, got {value}", limit=LONGEST, value=len(text))
    try:
        given = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise RopeConfigError(
            'scaling must be JSON such as {{"rope_type": "yarn", "factor": 4}}, without NaN and Infinity, got {value!r}', value=text
        ) from error
    if not isinstance(given, dict):
        raise RopeConfigError("scaling must be a JSON object, got {value!r}", value=given)
    return given


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _plain(value: Any) -> Any:
    """Write 4, not 4.0; both are read as the same number."""
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    whole = isinstance(value, float) and math.isfinite(value) and value == int(value) and abs(value) < 2**53
    return int(value) if whole else value
