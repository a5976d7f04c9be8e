"""``parse_config``: from a config.json to the settings of every layer, with findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError
from rope_core.huggingface.axial import axial_form, axial_settings, image_side
from rope_core.huggingface.base import read_base, warn_of_unused_base
from rope_core.huggingface.basis import basis, note_layout, note_shape, refuse_other_angles, require_some_word, warn_of_growth
from rope_core.huggingface.document import read_document
from rope_core.huggingface.engines import read_engines
from rope_core.huggingface.extras import note_first_negative, pair_axes, softmax_factor
from rope_core.huggingface.formats import translate
from rope_core.huggingface.gather import gather
from rope_core.huggingface.geometry import Geometry, read_geometry
from rope_core.huggingface.head import read_head
from rope_core.huggingface.keys import likely_misspellings, report_foreign, report_misspelt
from rope_core.huggingface.layer_rope import LayerRope, Layers
from rope_core.huggingface.layer_types import ALL, layer_types, stated_count, stated_layers
from rope_core.huggingface.layers import read_layers
from rope_core.huggingface.lengths import Context, length_known
from rope_core.huggingface.other_texts import refuse_file
from rope_core.huggingface.parts import text_part
from rope_core.huggingface.rope import HfConfigError, HfRope
from rope_core.huggingface.section import Collector, Section, wording
from rope_core.huggingface.turning import never_rotates, settle_type
from rope_core.huggingface.windows import note_windows, read_windows, windows_by_type


def parse_config(source: Mapping[str, object] | str | bytes) -> HfRope:
    """Parse the rotary settings of a Hugging Face config.

    Args:
        source: The text or the bytes of a config.json, at most 1 MB, or the object itself. Multimodal models may keep their text part in
            ``text_config``. All spellings of transformers 4 and 5 are read, and those of NeoX, GPT-J, ChatGLM, MiniMax and others; so are
            ``params.json`` of Meta and Mistral, checkpoints of TensorRT-LLM, arguments of Megatron and NeMo, and metadata of GGUF, also as
            the bytes of a ``.gguf`` file, of which the beginning is enough.

    Returns:
        Settings for every layer type, and findings. A missing key gets the default of the reference implementation, with a note; where
        there is none, ``basis`` is ``"assumed"``, and a warning says what was assumed.

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
    document, form = translate(read_document(source, collector), collector)
    if form is None:
        refuse_file(document, collector)
    found = gather(text_part(document, collector), collector)
    config = found.section(collector)
    collector.misspellings.update({close: key for key, close in likely_misspellings(config).items()})
    model_type = settle_type(config)
    refuse_other_angles(model_type)
    if never_rotates(config, model_type):
        return _unrotated(config, model_type, form)
    named = layer_types(config, model_type)
    layers, types = read_layers(config, found, model_type, named)
    require_some_word(config, model_type, form, layers)
    rope = next((layer.rope for layer in layers.values() if layer is not None), None)
    axial = None if rope is None else axial_form(config, rope, model_type)
    if rope is not None and axial is not None:
        return _axial(config, rope, axial, model_type, form, len(types))
    return _text(config, layers, types, named, model_type, form)


def _unrotated(config: Section, model_type: str | None, form: str | None) -> HfRope:
    """Return a model without rotation; errors about other keys do not matter then."""
    count = stated_layers(config, model_type)
    report_misspelt(config)
    findings = config.collector.findings()
    known = basis(config.collector, model_type, form)
    return HfRope({ALL: None}, (ALL,) * count, findings=findings, model_type=model_type, basis=known, source_format=form)


def _text(
    config: Section, layers: Layers, types: tuple[str, ...], named: tuple[str, ...], model_type: str | None, form: str | None
) -> HfRope:
    """Return the settings of a model of text."""
    collector = config.collector
    geometry = read_geometry(config, model_type) if any(layers.values()) else None
    settings = _heads(config, layers, geometry, model_type)
    ropes = {name: layer.rope for name, layer in layers.items() if layer is not None}
    axes = pair_axes(config, ropes, settings, model_type)
    softmax = softmax_factor(config, settings, model_type)
    if geometry is not None:
        note_layout(config, model_type)
        warn_of_growth(config, model_type, geometry.max_position)
        note_shape(config, model_type, settings)
    report_misspelt(config)
    report_foreign(config)
    widths = read_windows(config, model_type, types if "rope" in layers else named) if geometry is not None else ()
    collector.findings()  # raises if there is an error
    joined = _joined(settings, types, complete=len(types) == (stated_count(config) or len(types)))
    attention = named if layers.keys() == {"main", "compress"} and {*layers, ALL}.isdisjoint(named) else ()
    latent = geometry is not None and geometry.latent
    windows = windows_by_type(joined[1] or named, tuple(joined[0]), widths)
    rope = HfRope(*joined, softmax, axes, (), model_type, attention, latent, windows=windows, source_format=form)
    return _finished(config, ropes, replace(rope, layer_windows=widths if len(widths) == len(joined[1]) else ()))


def _heads(config: Section, layers: Layers, geometry: Geometry | None, model_type: str | None) -> dict[str, RopeConfig | None]:
    """Return the settings of every type of layer; None for one without rotation, or after an error."""
    settings: dict[str, RopeConfig | None] = dict.fromkeys(layers)
    original = config.count("original_max_position_embeddings")
    for name, layer in layers.items():
        if geometry is not None and layer is not None:
            context = Context(geometry.max_position, original, model_type, layer.nested, length_known(config))
            settings[name] = read_head(config, layer, geometry, context)
    warn_of_unused_base(config, [layer for layer in layers.values() if layer is not None and layer.nested])
    return settings


def _finished(config: Section, ropes: Mapping[str, Section], rope: HfRope) -> HfRope:
    """Return the settings with what follows from them: readings of engines, notes about distances, the basis."""
    if rope.main is not None:
        note_windows(config, rope.windows, rope.main.max_position)
        reach = max(rope.reach(name) for name, head in rope.layers.items() if head == rope.main)
        note_first_negative(config.collector, rope.main, reach)
    findings, known = config.collector.findings(), basis(config.collector, rope.model_type, rope.source_format)
    return replace(rope, engines=read_engines(config, ropes, rope), findings=findings, basis=known)


def _axial(config: Section, rope: Section, form: str, model_type: str | None, source_format: str | None, count: int) -> HfRope:
    """Return the settings of an image encoder."""
    geometry = read_geometry(config, model_type, image_side(config, model_type))
    base = read_base(config, LayerRope(rope), model_type)
    settings = axial_settings(config, rope, form, geometry, base)
    report_misspelt(config)
    report_foreign(config)
    findings = config.collector.findings()
    layers = (ALL,) * count if ALL in settings else ()
    return HfRope(
        settings,
        layers,
        findings=findings,
        model_type=model_type,
        basis=basis(config.collector, model_type, source_format),
        source_format=source_format,
        axial=True,
    )


def _joined(
    settings: dict[str, RopeConfig | None], types: tuple[str, ...], *, complete: bool
) -> tuple[dict[str, RopeConfig | None], tuple[str, ...]]:
    """Merge layer types into "all" if they agree; drop types that no layer has, if the types of all layers are known."""
    used = {name: settings[name] for name in settings if not types or not complete or name in types}
    if len(set(used.values())) == 1:
        return {ALL: next(iter(used.values()))}, (ALL,) * len(types)
    return used, types
