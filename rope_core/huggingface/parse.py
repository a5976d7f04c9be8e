"""``parse_config``: from a config.json to the settings of every layer, with findings."""

from __future__ import annotations

from collections.abc import Mapping

from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError
from rope_core.huggingface.document import read_document, text_part
from rope_core.huggingface.extras import note_first_negative, pair_axes, softmax_factor
from rope_core.huggingface.families import family_defaults
from rope_core.huggingface.geometry import Geometry, read_geometry, rotary_width
from rope_core.huggingface.keys import likely_misspellings, report_misspelt
from rope_core.huggingface.layer_types import ALL, layer_types, stated_count
from rope_core.huggingface.layers import LayerRope, read_layers
from rope_core.huggingface.lengths import Context, length_known
from rope_core.huggingface.methods import read_method
from rope_core.huggingface.rope import HfConfigError, HfRope
from rope_core.huggingface.section import Collector, Section, shown, wording
from rope_core.huggingface.windows import sliding_windows
from rope_core.scaling import LongRopeScaling, Scaling

DEFAULT_BASE = 10_000.0


def parse_config(source: Mapping[str, object] | str | bytes) -> HfRope:
    """Parse the rotary settings of a Hugging Face config.

    Args:
        source: The text or the bytes of a config.json, at most 1 MB, or the object itself. Multimodal models may keep their text part in
            ``text_config``. All spellings of transformers 4 and 5 are read, and those of NeoX, GPT-J, ChatGLM, MiniMax and others.

    Returns:
        Settings for every layer type, and findings. A missing key gets the default of the reference implementation, with a note.

    Raises:
        RopeConfigError: If the source is not a config, or no settings can be derived; always an ``HfConfigError``, whose ``findings``
            include every error, not only the first.

    Source: transformers 5.24.0, ``modeling_rope_utils`` and the config classes.
    """
    collector = Collector()
    try:
        return _parsed(source, collector)
    except HfConfigError:
        raise
    except RopeConfigError as error:  # an error after which reading cannot continue
        collector.reject_error("", error, wording("give the whole config.json, and nothing else"))
        raise HfConfigError(collector.all()) from None


def _parsed(source: Mapping[str, object] | str | bytes, collector: Collector) -> HfRope:
    """Parse a config step by step; findings go to the collector."""
    config = Section(text_part(read_document(source, collector), collector), collector)
    collector.misspellings.update({close: key for key, close in likely_misspellings(config).items()})
    model_type = config.text("model_type")
    named = layer_types(config, model_type)
    layers, types = read_layers(config, model_type, named)
    settings: dict[str, RopeConfig | None] = dict.fromkeys(layers)
    geometry = read_geometry(config, model_type) if any(layers.values()) else None
    original = config.count("original_max_position_embeddings")
    for name, layer in layers.items():
        if geometry is not None and layer is not None:
            context = Context(geometry.max_position, original, model_type, layer.nested, length_known(config))
            settings[name] = _settings(config, layer, geometry, context)
    _warn_of_unused_base(config, [layer for layer in layers.values() if layer is not None and layer.nested])
    ropes = {name: layer.rope for name, layer in layers.items() if layer is not None}
    axes = pair_axes(config, ropes, settings, model_type)
    softmax = softmax_factor(config, settings, model_type)
    report_misspelt(config)
    collector.findings()  # raises if there is an error
    rope = HfRope(*_joined(settings, types, complete=len(types) == (stated_count(config) or len(types))), softmax, axes, (), model_type)
    note_first_negative(collector, rope.main)
    attention = named if layers.keys() == {"main", "compress"} and {*layers, ALL}.isdisjoint(named) else ()
    latent = geometry is not None and geometry.latent
    windows = sliding_windows(config, model_type, named, rope.layers)
    return HfRope(rope.layers, rope.layer_types, softmax, axes, collector.findings(), model_type, attention, latent, windows)


def _settings(config: Section, layer: LayerRope, geometry: Geometry, context: Context) -> RopeConfig | None:
    """Return the settings of one layer type; None after an error."""
    name, scaling = read_method(layer.rope, context)
    head_dim = layer.head_dim or geometry.head_dim
    base = _base(config, layer, context.model_type)
    width = head_dim
    if name != "proportional":
        width = rotary_width(layer.rope, config, geometry, head_dim, context.model_type)
    if head_dim is None or width is None:
        return None
    _warn_of_ignored_share(config, layer, width < head_dim and name == "default", context.model_type)
    if not _lists_fit(layer.rope, scaling, width // 2):
        return None
    try:  # a rejected base must not hide other errors
        return RopeConfig(
            head_dim,
            base=base or DEFAULT_BASE,
            rotary_dim=width,
            layout=geometry.layout,
            max_position=geometry.max_position,
            scaling=scaling,
        )
    except RopeConfigError as error:
        key = layer.rope.name("rope_type") if scaling else "head_dim"
        config.collector.reject_error(key, error, wording("correct one of the numbers"), field=str(error.values.get("field", key)))
        return None


def _lists_fit(rope: Section, scaling: Scaling | None, pairs: int) -> bool:
    """Return whether both lists of LongRoPE have one entry per pair; each that has not is an error."""
    if not isinstance(scaling, LongRopeScaling):
        return True
    lengths = {"short_factor": len(scaling.short_factor), "long_factor": len(scaling.long_factor)}
    for key, length in lengths.items():
        if length != pairs:
            rule = wording("{key} must have one entry for each of the {pairs} pairs, got {value}")
            rope.collector.reject(rope.name(key), rule, wording("make the list as long as that"), pairs=pairs, value=length)
    return set(lengths.values()) == {pairs}


def _base(config: Section, layer: LayerRope, model_type: str | None) -> float | None:
    """Return the base, looked up as in transformers: in the rope object, then outside it, then in the config class."""
    inner, outer_key = layer.rope.number("rope_theta"), config.first(layer.base_keys)
    outer = None if outer_key is None else config.number(outer_key)
    if "rope_ratio" in config and outer_key is None:
        outer_key, outer = "rope_ratio", _base_of_ratio(config)
    if inner is not None and outer is not None and inner != outer and not layer.nested:
        rule = wording("{key} = {value:g} and the {other} outside, {otherwise:g}, disagree; the inner one counts")
        path, fix = layer.rope.name("rope_theta"), wording("keep one of them")
        config.collector.warn(path, rule, fix, value=inner, other=outer_key, otherwise=outer)
    if outer_key is None and "rope_theta" not in layer.rope:
        return _default_base(config, layer, model_type)
    base, name = (outer, outer_key) if inner is None else (inner, layer.rope.name("rope_theta"))
    if base is not None and base <= 1:
        rule = wording("{key} must give a base above 1, got {value:g}")
        config.collector.reject(str(name), rule, wording("correct the number"), value=base)
        return None
    return base


def _warn_of_unused_base(config: Section, nested: list[LayerRope]) -> None:
    """Warn of a base outside the settings of single layer types if none of these has it."""
    for key in dict.fromkeys(filter(None, (config.first(layer.base_keys) for layer in nested))):
        if key in config.collector.rejected:
            continue
        inside = {layer.rope.name("rope_theta"): layer.rope.values.get("rope_theta") for layer in nested if key in layer.base_keys}
        outside = config.values[key]
        if inside and None not in inside.values() and outside not in inside.values():
            path, value = next(iter(inside.items()))
            rule = wording("{key} = {value} and the {other} outside, {otherwise}, disagree; the inner one counts")
            fix = wording("keep one of them")
            config.collector.warn(path, rule, fix, value=shown(value), other=key, otherwise=shown(outside))


def _base_of_ratio(config: Section) -> float | None:
    ratio = config.number("rope_ratio", above=0, high=1e300)
    if ratio is None:
        return None
    config.collector.note("rope_ratio", "{key} = {value:g} makes the base 10,000 times that", value=ratio)
    return DEFAULT_BASE * ratio


def _default_base(config: Section, layer: LayerRope, model_type: str | None) -> float:
    known = family_defaults(model_type)
    value = float(layer.default_base or known.get("base") or DEFAULT_BASE)
    if known and (layer.default_base or known.get("base")):
        rule = wording("{key} is missing; {value:,g} is what the config class of {model} takes")
        config.collector.note(layer.base_keys[0], rule, value=value, model=model_type)
    else:
        rule = wording("{key} is missing; {value:,g}, the usual default of engines, is taken")
        config.collector.note(layer.base_keys[0], rule, value=value)
    return value


def _warn_of_ignored_share(config: Section, layer: LayerRope, plain_share: bool, model_type: str | None) -> None:
    """Warn of a share that the model class does not read: some classes ignore it in their plain tables."""
    stated = config.first(("partial_rotary_factor",)) or ("partial_rotary_factor" if "partial_rotary_factor" in layer.rope else None)
    if plain_share and stated and family_defaults(model_type).get("ignores_share"):
        rule = wording("{key} is not read by the class of {model} in transformers 5, which turns the whole head; it is followed here")
        config.collector.warn("partial_rotary_factor", rule, wording("check that the engine reads it"), model=model_type)


def _joined(
    settings: dict[str, RopeConfig | None], types: tuple[str, ...], *, complete: bool
) -> tuple[dict[str, RopeConfig | None], tuple[str, ...]]:
    """Merge layer types into "all" if they agree; drop types that no layer has, if the types of all layers are known."""
    used = {name: settings[name] for name in settings if not types or not complete or name in types}
    if len(set(used.values())) == 1:
        return {ALL: next(iter(used.values()))}, (ALL,) * len(types)
    return used, types
