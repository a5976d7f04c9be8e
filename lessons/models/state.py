"""Where the config comes from that is shown, why another one cannot be read, and what the link leaves out.

Settings hold the numbers of a config alone. What else the text held, and what its file was called, a visit may remember as ``Pasted``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from lessons.models import findings
from lessons.models.settings import EXAMPLE, chosen_names
from lessons.view import Download, Line, Offer, Part, Prose
from locales import _
from parameters.models import by_slug
from parameters.own_config import LONGEST_LINK, complete, parse_text
from parameters.problems import quoted
from parameters.settings import Settings
from parameters.types import Value
from rope_core import Finding, HfRope, RopeConfigError


@dataclass(frozen=True, kw_only=True)
class Pasted:
    """What a visit remembers of the texts that it was given.

    Attributes:
        document: What settings hold of the last text that could be read; for settings that hold another document nothing is remembered.
        findings: What was found in that text.
        file: Name of its file; empty where it was pasted.
        refused: What is wrong with the text that was given last; empty where it could be read.
        fragment: The rope object that this text was and nothing else, as JSON.
        rope: What the text that could be read says, with what settings do not hold of it.
    """

    document: str = ""
    findings: tuple[Finding, ...] = ()
    file: str = ""
    refused: tuple[Finding, ...] = ()
    fragment: str = ""
    rope: HfRope | None = None

    def about(self, settings: Settings) -> bool:
        """Return whether the settings hold the config that is remembered."""
        return bool(self.document) and settings.text("models_config") == self.document


NOTHING = Pasted()


def before(settings: Settings, pasted: Pasted = NOTHING) -> tuple[Part, ...]:
    """Return what stands above the figure: where the config comes from, or that an example is shown."""
    if settings["models_way"] == "own":
        return (*_refused(settings, pasted), *_own(settings, pasted))
    if chosen_names(settings, "models_names"):
        return ()
    return (_caption(_("No model is chosen: {model} is shown as an example.").format(model=by_slug()[EXAMPLE].name)),)


def _refused(settings: Settings, pasted: Pasted) -> tuple[Part, ...]:
    wrong = pasted.refused
    if not wrong:
        return ()
    remains = settings["models_config"]
    return (
        Prose(text=_("**This config cannot be read.**") + " " + findings.counts(wrong)),
        *findings.parts(wrong),
        *_named_model(wrong),
        *_completed(settings, pasted.fragment),
        _caption(_("The last config that could be read is still shown.") if remains else _("Until one can be read, an example is shown.")),
    )


def _named_model(wrong: Sequence[Finding]) -> tuple[Part, ...]:
    """Offer the model of the catalogue that was named in place of a config."""
    name = str(wrong[0].values.get("name", "")).lower()
    found = next((slug for slug in by_slug() if {slug, slug.removeprefix("meta-")} & set(re.split(r"[/?#]", name))), None)
    if found is None:
        return ()
    model = by_slug()[found].name
    values: dict[str, Value] = {"models_way": "catalogue", "models_names": found, "models_layer": 0}
    label, help = _("Show {model}").format(model=model), _("Takes its config from the catalogue.")
    return (Offer(key="named", label=label, values=values, help=help),)


def _completed(settings: Settings, fragment: str) -> tuple[Part, ...]:
    """Offer to put a rope object into the config of a model that the reader picks."""
    if not fragment:
        return ()
    slugs = chosen_names(settings, "models_beside") or chosen_names(settings, "models_names")
    offers = []
    for slug in slugs:
        try:
            parsed = complete(by_slug()[slug].settings, fragment)
        except RopeConfigError:
            continue
        if parsed.fits_link:
            label = _("Put it into the config of {model}").format(model=by_slug()[slug].name)
            offers.append(Offer(key=f"into.{slug}", label=label, values={"models_config": parsed.document, "models_layer": 0}))
    return (_caption(_("Which model is it for? Pick it under Beside it.")), Line(parts=tuple(offers)))


def _own(settings: Settings, pasted: Pasted) -> tuple[Part, ...]:
    document = settings.text("models_config")
    if not document and pasted.refused:
        return ()
    if not document:
        name = by_slug()[EXAMPLE].name
        text = _("Nothing is pasted yet: {model} is shown as an example. What you paste stays in this visit.")
        return (_caption(text.format(model=name)),)
    discard = Offer(
        key="discard",
        label=_("Discard this config"),
        values={"models_config": ""},
        help=_("Empties the box and forgets the config; the example is shown again."),
    )
    return (Line(parts=(_caption(_origin(settings, pasted)), discard)), *_left_out(document))


def _origin(settings: Settings, pasted: Pasted) -> str:
    if not pasted.about(settings):
        return _("These numbers came with the link. The text that they were read from did not, nor did what was found in it.")
    return _("Shown: the file {name}.").format(name=quoted(pasted.file)) if pasted.file else _("Shown: the text that was pasted.")


def _left_out(document: str) -> tuple[Part, ...]:
    """Say what no link can carry, and offer it as a file."""
    parsed = parse_text(document)
    if parsed.fits_link:
        return ()
    text = _("The link leaves your config out: its numbers would take more than {limit} characters, or cannot be written as a config.")
    caption = _caption(text.format(limit=f"`{LONGEST_LINK:,}`"))
    if not parsed.only_numbers:
        return (caption,)
    file = Download(
        key="config",
        label=_("Your config as a file (JSON)"),
        file_name="rope-lab-config.json",
        mime="application/json",
        content=parsed.document.encode,
        help=_("The numbers that were read, as transformers 5 writes them: paste them wherever the link is opened."),
    )
    return (caption, file)


def _caption(text: str) -> Prose:
    return Prose(kind="caption", text=text)
