"""Image encoders: every pair rotates once by its row and once by its column, or also by time."""

from __future__ import annotations

from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError
from rope_core.huggingface.families import family_defaults
from rope_core.huggingface.geometry import Geometry
from rope_core.huggingface.layer_types import ALL
from rope_core.huggingface.section import Section, shown, wording
from rope_core.scaling import LinearScaling

ROWS, COLUMNS = "rows", "columns"
METHODS = (None, "default", "axial")
USUAL_SIDE = 64
"""Patches along the side of an image, where a config does not say."""


def axial_form(config: Section, rope: Section, model_type: str | None) -> str | None:
    """Return how an image encoder divides its pairs among the axes; None for a model of text.

    ``halves``: rows and columns have the same speeds; ``thirds``: so has time; ``alternating``: rows have every other speed.
    """
    known = family_defaults(model_type).get("axial")
    if known is None and rope.values.get("rope_type") == "axial" and "patch_size" in config:
        rule = wording("{key} = {value} of a model that is not known: rows and columns are taken to have the same speeds")
        config.collector.assume(rope.name("rope_type"), rule, wording("add model_type"), value="axial")
        return "halves"
    return None if known is None else str(known)


def axial_settings(config: Section, rope: Section, form: str, geometry: Geometry, base: float | None) -> dict[str, RopeConfig | None]:
    """Return the settings for each axis, or for all of them if they agree; None after an error."""
    method = rope.text("rope_type") or rope.text("type")
    if method not in METHODS:
        rule = wording("{key} = {value} is not read by image encoders, which know axial alone")
        config.collector.reject(rope.name("rope_type"), rule, wording('write "rope_type": "axial"'), value=shown(method))
    width = geometry.head_dim
    if width is None or base is None or method not in METHODS:
        return {ALL: None}
    each = 2 * (width // 3 // 2) if form == "thirds" else width // 2
    axes = 3 if form == "thirds" else 2
    if each < 2 or each % 2:
        rule = wording("{key} = {width} cannot be divided into pairs for {axes} axes")
        config.collector.reject("head_dim", rule, wording("correct the number"), width=width, axes=axes)
        return {ALL: None}
    try:
        plain = RopeConfig(width, base=base, rotary_dim=each, layout=geometry.layout, max_position=geometry.max_position)
        if form != "alternating":
            _note(config, form, each // 2)
            return {ALL: plain}
        columns = RopeConfig(
            width,
            base=base,
            rotary_dim=each,
            layout=geometry.layout,
            max_position=geometry.max_position,
            scaling=LinearScaling(base ** (1 / each)),
        )
    except RopeConfigError as error:
        config.collector.reject_error(rope.name("rope_theta"), error, wording("correct one of the numbers"))
        return {ALL: None}
    rule = wording(
        "an image encoder: {pairs} pairs rotate by row and {pairs} by column; rows have every other speed of one law, columns those between"
    )
    config.collector.note("model_type", rule, pairs=each // 2)
    return {ROWS: plain, COLUMNS: columns}


def image_side(config: Section, model_type: str | None) -> int:
    """Return the number of patches along the side of an image, the longest distance there; with a note if the config does not say."""
    image, patch = (_side(config, key) for key in ("image_size", "patch_size"))
    if image and patch and image >= patch:
        return image // patch
    default = family_defaults(model_type).get("max_position")
    if default is not None:
        return int(default)
    rule = wording("the config fixes no size of images; {value:,} patches along a side are taken")
    config.collector.note("image_size", rule, value=USUAL_SIDE)
    return USUAL_SIDE


def _side(config: Section, key: str) -> int | None:
    """Read a size, the first number of a list; other values do not matter, because only counts of turns need it."""
    value = config.values.get(key)
    first = value[0] if isinstance(value, list | tuple) and value else value
    return first if isinstance(first, int) and not isinstance(first, bool) and 0 < first < 2**31 else None


def _note(config: Section, form: str, pairs: int) -> None:
    rule = wording("an image encoder: {pairs} pairs rotate by row and {pairs} by column, with the same speeds")
    if form == "thirds":
        rule = wording("an encoder of videos: {pairs} pairs rotate by time, {pairs} by row and {pairs} by column, with the same speeds")
    config.collector.note("model_type", rule, pairs=pairs)
