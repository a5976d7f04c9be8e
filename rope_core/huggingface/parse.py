"""``parse_config``: from a config.json to settings for every layer, with findings."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from rope_core.axes import mrope_axes
from rope_core.bases import first_negative
from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError
from rope_core.frequencies import inverse_frequencies
from rope_core.huggingface.collector import Collector, Section, shown
from rope_core.huggingface.document import read_document, text_part
from rope_core.huggingface.families import family_defaults, model_types
from rope_core.huggingface.geometry import INTERLEAVE_FLAGS, LENGTHS, SHARES, Geometry, read_geometry, rotated_width
from rope_core.huggingface.layers import ALL, LayerRope, read_layers
from rope_core.huggingface.methods import Context, read_method
from rope_core.huggingface.rope import HfRope
from rope_core.scaling import ProportionalScaling, YarnScaling, yarn_magnitude

DEFAULT_BASE = 10_000.0
LONGEST_SEARCH = 1_048_576
INTERLEAVED_SECTIONS = ("qwen3_vl", "qwen3_5", "qwen3_omni", "qwen3_next_vl")
TOP_KEYS = {
    *("rope_theta", "rope_scaling", "rope_parameters", "rope_local_base_freq", "rope_ratio", "rope_base", "rotary_base", "rotary_emb_base"),
    *("rotary_dim", "rotary_value", "rotary_emb_scale_base", "rope_type", "rope_version", "rope_dim", "rotary_embedding", "rope_emb"),
    *("head_dim", "hidden_size", "num_attention_heads", "original_max_position_embeddings", *LENGTHS, *SHARES, *INTERLEAVE_FLAGS),
}


def parse_config(source: Mapping[str, object] | str | bytes) -> HfRope:
    """Read what a Hugging Face config says about rotary embedding.

    Args:
        source: The text or the bytes of a config.json, at most 1 MB, or the object itself. Models of text and images may keep the text part
            in ``text_config``. All spellings of transformers 4 and 5 are read, and their kin of NeoX, GPT-J, ChatGLM, MiniMax and others.

    Returns:
        Settings for every type of layer, and what else there is to know. A missing key gets the value that the reference implementation
        takes, and a note says so.

    Raises:
        RopeConfigError: If the source is no config, or no settings can be given. In the second case it is an ``HfConfigError``, whose
            ``findings`` name every mistake, not only the first.

    Source: transformers 5.24.0, ``modeling_rope_utils`` and the config classes.
    """
    collector = Collector()
    document = text_part(read_document(source, collector), collector)
    config = Section(document, collector)
    model_type = config.text("model_type")
    _report_misspelt(config)
    layers, types = read_layers(config, model_type)
    settings: dict[str, RopeConfig | None] = dict.fromkeys(layers)
    geometry = read_geometry(config, model_type) if any(layers.values()) else None
    if geometry is not None:
        original = config.count("original_max_position_embeddings")
        for name, layer in layers.items():
            if layer is not None:
                context = Context(geometry.max_position, original, model_type, layer.nested)
                settings[name] = _settings(config, layer, geometry, context)
    axes = _pair_axes(config, layers, settings, model_type)
    softmax = _softmax_factor(config, settings, model_type)
    collector.findings()  # stops here if there is an error
    _note_first_negative(collector, HfRope(settings, types))
    return HfRope(*_joined(settings, types), softmax, axes, collector.findings(), model_type)


def _settings(config: Section, layer: LayerRope, geometry: Geometry, context: Context) -> RopeConfig | None:
    """Make the settings of one type of layer; None after an error."""
    name, scaling = read_method(layer.rope, context)
    head_dim = layer.head_dim or geometry.head_dim
    base = _base(config, layer, context.model_type)
    if name == "proportional":
        width: int | None = head_dim
    else:
        width = rotated_width(layer.rope, config, geometry, head_dim, context.model_type)
    if base is None or width is None or config.collector.failed():
        return None
    _report_ignored_share(config, layer, width, head_dim, name, context.model_type)
    try:
        return RopeConfig(
            head_dim, base=base, rotary_dim=width, layout=geometry.layout, max_position=geometry.max_position, scaling=scaling
        )
    except RopeConfigError as error:
        config.collector.refuse(str(error.values.get("field", "rope_scaling")), error)
        return None


def _base(config: Section, layer: LayerRope, model_type: str | None) -> float | None:
    """Find the base where transformers looks for it: inside the rope object, then beside it, then in the config class."""
    inner = layer.rope.number("rope_theta")
    key = next((key for key in layer.base_keys if key in config), None)
    outer = None if key is None else config.number(key)
    if "rope_ratio" in config and key is None:
        ratio = config.number("rope_ratio")
        key, outer = "rope_ratio", None if ratio is None else DEFAULT_BASE * ratio
        if ratio is not None:
            config.collector.add("note", "rope_ratio", "{key} = {value:g} makes the base 10,000 times that", value=ratio)
    if inner is not None and outer is not None and inner != outer:
        config.collector.add(
            "warning",
            layer.rope.name("rope_theta"),
            "{key} = {value:g} and the {other} outside, {otherwise:g}, disagree; the inner one counts",
            "keep one of them",
            value=inner,
            other=key,
            otherwise=outer,
        )
    if inner is None and outer is None:
        return None if config.collector.failed() else _default_base(config, layer, model_type)
    base, name = (outer, key) if inner is None else (inner, layer.rope.name("rope_theta"))
    if base is None or base <= 1:
        config.collector.error(str(name), "{key} must give a base above 1, got {value:g}", value=base)
        return None
    return base


def _default_base(config: Section, layer: LayerRope, model_type: str | None) -> float:
    known = family_defaults(model_type)
    value = layer.default_base or (known or {}).get("base") or DEFAULT_BASE
    if known is None:
        config.collector.add(
            "note", layer.base_keys[0], "{key} is missing; {value:,g}, the usual default of engines, is taken", value=value
        )
    else:
        config.collector.add(
            "note",
            layer.base_keys[0],
            "{key} is missing; {value:,g} is what the config class of {model} takes",
            value=value,
            model=model_type,
        )
    return float(value)


def _report_ignored_share(config: Section, layer: LayerRope, width: int, head_dim: int, name: str, model_type: str | None) -> None:
    ignores = (family_defaults(model_type) or {}).get("ignores_share", False)
    if width < head_dim and name == "default" and ignores and "qk_rope_head_dim" not in config:
        config.collector.add(
            "warning",
            "partial_rotary_factor",
            "{key} is not read by the class of {model} in transformers 5, which turns the whole head; it is followed here",
            model=model_type,
        )


def _pair_axes(
    config: Section, layers: Mapping[str, LayerRope | None], settings: Mapping[str, RopeConfig | None], model_type: str | None
) -> tuple[str, ...] | None:
    for name, layer in layers.items():
        if layer is None or "mrope_section" not in layer.rope:
            continue
        flags = [layer.rope.flag(key) for key in ("mrope_interleaved", "interleaved") if key in layer.rope]
        interleaved = flags[0] if flags else (model_type or "").startswith(INTERLEAVED_SECTIONS)
        try:
            axes = mrope_axes(layer.rope.items("mrope_section", 3) or [], interleaved=bool(interleaved))  # type: ignore[arg-type]
        except RopeConfigError as error:
            config.collector.refuse(layer.rope.name("mrope_section"), error)
            return None
        rotated = settings[name]
        if rotated is not None and len(axes) != rotated.pairs:
            config.collector.error(
                layer.rope.name("mrope_section"),
                "{key} must add up to the {pairs} pairs, got {value}",
                pairs=rotated.pairs,
                value=len(axes),
            )
        return axes
    return None


def _softmax_factor(config: Section, settings: Mapping[str, RopeConfig | None], model_type: str | None) -> float:
    """Give m squared of DeepSeek: its scores hold coordinates that do not turn, so the softmax takes what cos and sin cannot."""
    latent = model_type in model_types("scaled_softmax") or (model_type is None and "qk_rope_head_dim" in config)
    for rotated in settings.values():
        scaling = rotated.scaling if rotated else None
        if latent and isinstance(scaling, YarnScaling) and scaling.mscale_all_dim:
            factor = yarn_magnitude(scaling.factor, scaling.mscale_all_dim) ** 2
            config.collector.add(
                "note",
                "mscale_all_dim",
                "{key} = {value:g} multiplies the softmax scale by {factor:.9g}, outside of cos and sin",
                value=scaling.mscale_all_dim,
                factor=factor,
            )
            return factor
    return 1.0


def _joined(settings: dict[str, RopeConfig | None], types: tuple[str, ...]) -> tuple[dict[str, RopeConfig | None], tuple[str, ...]]:
    """Call all layers "all" where they agree; drop types that no layer has."""
    used = {name: settings[name] for name in settings if not types or name in types}
    if len(set(used.values())) == 1:
        return {ALL: next(iter(used.values()))}, (ALL,) * len(types)
    return used, types


def _note_first_negative(collector: Collector, rope: HfRope) -> None:
    main = rope.main
    if main is None or isinstance(main.scaling, ProportionalScaling):
        return
    reach = min(main.max_position, LONGEST_SEARCH)
    distance = first_negative(inverse_frequencies(main, main.max_position), reach)
    if distance is not None:
        collector.add(
            "note",
            "rope_theta",
            "the sum of the cosines of all pairs that turn is first below 0 at distance {distance:,}, inside the context of {context:,}"
            " tokens; many models live with that",
            distance=distance,
            context=main.max_position,
        )


def _report_misspelt(config: Section) -> None:
    """Name keys that look like rotary settings and that no engine reads."""
    for key, value in config.values.items():
        if key in TOP_KEYS or value is None or len(key) > 60:
            continue
        close = difflib.get_close_matches(key, TOP_KEYS, n=1, cutoff=0.6 if key.startswith(("rope", "rotary", "partial_rot")) else 0.92)
        if close:
            config.collector.add(
                "warning",
                key,
                "{key} = {value} is not a key that engines read",
                "did you mean {close}?",
                value=shown(value),
                close=close[0],
            )
