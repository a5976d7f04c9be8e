"""What stands under the sentences: what was found in the configs, the pages that can show a row, the numbers, and files of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType

from compute import models as compute
from compute.models import names_trained_length
from compute.speeds import speeds
from lessons.decay import PAGE as DECAY
from lessons.extension import PAGE as EXTENSION
from lessons.extension.opening import extension_values
from lessons.frequencies import PAGE as FREQUENCIES
from lessons.models import findings
from lessons.models.settings import MOST_KINDS, Model, ModelsSettings, Row
from lessons.models.state import NOTHING, Pasted
from lessons.models.table import as_markdown, table
from lessons.view import Code, Download, Fold, Line, Offer, Part, Prose, Table
from locales import _
from parameters.presets import obstacle, shared_settings
from parameters.problems import quoted
from parameters.settings import Settings
from parameters.types import Value
from rope_core import Finding, HfRope, RopeConfig, RopeConfigError, to_huggingface


def parts(settings: Settings, shown: ModelsSettings, pasted: Pasted = NOTHING) -> tuple[Part, ...]:
    """Return all parts, in order."""
    own = settings["models_way"] == "own"
    extra = pasted.findings if own and pasted.about(settings) else None
    found = findings_parts(shown.models, extra, opened=own)
    assumed = any(model.rope.basis == "assumed" for model in shown.models)
    numbers = _("The numbers of every kind of layers (assumed in part)") if assumed else _("The numbers of every kind of layers")
    return (
        *(() if own and pasted.refused else found),  # a refusal stands alone
        *_engines(shown.row),
        *_other_pages(shown.row),
        Fold(key="numbers", title=numbers, parts=partial(_numbers, shown), opened=True),
        Fold(
            key="files",
            title=_("Copy or download: Markdown, JSON for transformers 5 and 4, tables of cos and sin"),
            parts=partial(_files, shown),
        ),
    )


def findings_parts(models: Sequence[Model], extra: Sequence[Finding] | None = None, *, opened: bool = False) -> tuple[Part, ...]:
    """Return what was found in the configs, behind a count of it, open where something may go wrong.

    Args:
        models: On the page.
        extra: What was found in the text that the first of them was read from; None where its numbers are all there is.
        opened: Whether notes are open, too.
    """
    found = [model.rope.findings for model in models]
    found[0] = found[0] if extra is None else tuple(extra)
    together = [finding for each in found for finding in each]
    if not together:
        return (Prose(kind="caption", text=_("Nothing to note about these configs.")),)

    def lines() -> tuple[Part, ...]:
        several = len(models) > 1
        listed = [findings.parts(each, about=f"{model.name}:" if several else "") for model, each in zip(models, found, strict=True)]
        return tuple(part for each in listed for part in each)

    grave = any(finding.level != "note" for finding in together)
    return (Fold(key="findings", title=findings.counts(together), parts=lines, opened=grave or opened),)


@lru_cache(maxsize=256)
def elsewhere(config: RopeConfig) -> Mapping[str, Mapping[str, Value]]:
    """Return the parameters that open a head on each page that can show it, by the name of the page."""
    shared, extension = shared_settings(config), extension_values(config)
    pages = {} if extension is None else {"extension": extension}
    if shared is not None:
        pages["frequencies"] = shared | {"freq_view": "speeds"}
        pages["decay"] = shared | {"decay_view": "score", "vectors": "ones"}
    return MappingProxyType(pages)


def _other_pages(row: Row) -> tuple[Part, ...]:
    """Offer the pages that can show a row, with all of its values."""
    if row.config is None:
        return (Prose(kind="caption", text=_("Nothing turns in these layers, so no other page has anything to show of them.")),)
    config = row.model.rope.within_window(row.config)
    offers = elsewhere(config)
    pages = (EXTENSION, FREQUENCIES, DECAY)
    buttons = tuple(
        Offer(
            key=f"open.{page.name}",
            label=_("Open in {page}").format(page=_(page.title)),
            values=offers.get(page.name, {}),
            page=page.name,
            help=_("Sets that page, and what the pages share, to these layers, and turns to it."),
            icon=page.icon,
            enabled=page.name in offers,
            model=row.model.name if row.model.slug != "own" else "",
        )
        for page in pages
    )
    missing = [_(page.title) for page in pages if page.name not in offers]
    notes = _taken_for_trained(config, offers)
    if config != row.config:
        text = _("These pages take the sliding window of {window} tokens for the context length, as no score sees farther.")
        notes = (*notes, Prose(kind="caption", text=text.format(window=f"{config.max_position:,}")))
    if not missing:
        return (Line(parts=buttons), *notes)
    reason = obstacle(config) or _("some value of its method lies outside of what they can be set to")
    text = _("Not offered: {pages}. Why: {reason}.").format(pages=_(", ").join(missing), reason=reason)
    return (Line(parts=buttons), *notes, Prose(kind="caption", text=text))


def _taken_for_trained(config: RopeConfig, offers: Mapping[str, Mapping[str, Value]]) -> tuple[Part, ...]:
    """Say which trained length the page about context extension takes, where the config names none and it is not the stated one."""
    length = offers[EXTENSION.name]["context"] if EXTENSION.name in offers else config.max_position
    if names_trained_length(config) or length == config.max_position:
        return ()
    text = _("{page} takes {length} tokens, the stated {stated} over the factor, for the trained length; the config names none.")
    return (Prose(kind="caption", text=text.format(page=_(EXTENSION.title), length=f"{length:,}", stated=f"{config.max_position:,}")),)


def _engines(row: Row) -> tuple[Part, ...]:
    """Put side by side what engines make of a config that they read differently."""
    readings = row.model.rope.engines
    if not readings or row.config != row.model.rope.main:
        return ()
    columns = {
        _("Engine"): [reading.engine for reading in readings],
        _("What it takes"): [findings.sentence(reading.template, reading.values) for reading in readings],
        _("Speed of the last pair (rad per token)"): [_last(reading.config, row.length) for reading in readings],
        _("Seen in"): [quoted(reading.source, 120) for reading in readings],
    }
    return (Prose(text=_("Engines read this config differently; the numbers here are those of the first.")), Table(columns=columns))


def _last(config: RopeConfig | None, length: int) -> str:
    return "–" if config is None else f"{speeds(config, length)[-1]:.6g}"


def _numbers(shown: ModelsSettings) -> tuple[Part, ...]:
    numbers = Table(columns=table(shown), alt=_("The numbers of every kind of layers"))
    if all(len(model.rope.layers) <= MOST_KINDS for model in shown.models):
        return (numbers,)
    return numbers, Prose(kind="caption", text=_("Of each config the first {count} types of layers are shown.").format(count=MOST_KINDS))


def _files(shown: ModelsSettings) -> tuple[Part, ...]:
    row = shown.row
    name = f"**{row.model.name}**"
    written: list[Part] = [
        Prose(text=_("The table as Markdown")),
        Code(text=as_markdown(table(shown, lambda each: each.label)), language="markdown"),
    ]
    for version, key in ((5, "rope_parameters"), (4, "rope_scaling")):
        heading = _("{key} of {model} as transformers {version} reads it").format(key=f"`{key}`", model=name, version=version)
        written += [Prose(text=heading), _huggingface(row.model.rope, version)]
    return (*written, *_tables(row))


def _huggingface(rope: HfRope, version: int) -> Part:
    try:
        return Code(text=json.dumps(to_huggingface(rope, version=version), indent=2), language="json")
    except RopeConfigError as error:
        return Prose(kind="info", text=findings.sentence(error.template, error.values) + _("."))


def _tables(row: Row) -> tuple[Part, ...]:
    config = row.config
    if config is None:
        return ()
    settings = {"layer": row.layer, "length": row.length} | _document(row)
    text = _("{row}: {inv} in float64, {cos} and {sin} in float32 at positions 0 to {last}, A included").format(
        row=row.markdown, inv="`inv_freq`", cos="`cos`", sin="`sin`", last=f"`{compute.positions(config) - 1:,}`"
    )
    file = Download(
        key="tables",
        label=_("Tables (npz)"),
        file_name=f"rope-lab-{row.model.slug}.npz",
        mime="application/octet-stream",
        content=lambda: compute.tables(config, row.length, settings),
        help=_("Arrays for NumPy, with the settings that they were computed with."),
    )
    return Prose(text=text), file


def _document(row: Row) -> dict[str, object]:
    """Write the settings of a row as a config states them; nothing where transformers has no words."""
    try:
        return to_huggingface(row.config) if row.config else {}
    except RopeConfigError:
        return {}
