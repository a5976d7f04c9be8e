"""What stands on the page about models around its figure: the findings, what the link cannot carry, the table."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from lessons.models_setting import EXAMPLE, MOST_KINDS, Model, Row, Setting
from lessons.models_table import table
from rope_core import CatalogueModel
from ui import findings, locks
from ui.i18n import _
from ui.model_choice import by_slug
from ui.notices import quoted
from ui.pasted import LONGEST_LINK, Reading, discard, failures


def state(reading: Reading | None) -> None:
    """Say which config is shown, what is wrong with the one that was given last, and what the link leaves out."""
    if wrong := failures():
        st.markdown(_("**This config cannot be read.**") + " " + findings.counts(wrong))
        findings.show(wrong)
        kept = _("The last config that could be read is still shown.") if reading else ""
        st.caption(kept or _("Until one can be read, an example is shown."))
    if reading is None:
        if not wrong:
            name = by_slug()[EXAMPLE].name
            st.caption(_("Nothing is pasted yet: {model} is shown as an example. What you paste stays in this visit.").format(model=name))
        return
    origin = {
        "link": _("These numbers came with the link. The text that they were read from did not, nor did what was found in it."),
        "file": _("Shown: the file {name}.").format(name=quoted(reading.file)),
        "text": _("Shown: the text that was pasted."),
    }
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(origin[reading.source], width="content")
        st.button(
            _("Discard this config"),
            key="models.discard",
            type="tertiary",
            help=_("Empties the box and forgets the config; the example is shown again."),
            on_click=discard,
            args=("models_config",),
            disabled=locks.is_held("models_config"),
        )
    if not reading.link and reading.source != "link":
        st.caption(
            _(
                "The link leaves your config out: its numbers would take more than {limit} characters, or cannot be written as a config."
            ).format(limit=f"`{LONGEST_LINK:,}`")
        )
        if reading.document:
            st.download_button(
                _("Your config as a file (JSON)"),
                reading.document,
                file_name="rope-lab-config.json",
                mime="application/json",
                help=_("The numbers that were read, as transformers 5 writes them: paste them wherever the link is opened."),
                on_click="ignore",
                icon=":material/download:",
            )


def chosen(models: Sequence[CatalogueModel]) -> Sequence[CatalogueModel]:
    """Give the models that are chosen; where there are none, say that what is shown is an example."""
    if not models:
        st.caption(_("No model is chosen: {model} is shown as an example.").format(model=by_slug()[EXAMPLE].name))
    return models


def found(models: tuple[Model, ...], *, of_own: bool) -> None:
    """Show what was found in the configs, with a count; in a box that is open where something may go wrong."""
    everything = [finding for model in models for finding in model.findings]
    if not everything:
        if not (of_own and failures()):  # what cannot be read has been noted above
            st.caption(_("Nothing to note about these configs."))
        return
    grave = any(finding.level != "note" for finding in everything)
    with st.expander(findings.counts(everything), expanded=grave or of_own, icon=":material/fact_check:"):
        for model in models:
            findings.show(model.findings, about=f"{model.name}:" if len(models) > 1 else "")


def numbers(setting: Setting) -> None:
    """Show the table of all rows."""
    st.header(_("The numbers of every kind of layers"))
    columns = table(setting)
    heads = [next(iter(columns)), *map(_heading, setting.rows)]
    for place, head in enumerate(heads):
        heads[place] = head + "*" * heads[:place].count(head)  # two types of layers may begin with the same characters
    st.table(dict(zip(heads, columns.values(), strict=True)), hide_index=True, border="horizontal")
    if any(len(model.rope.layers) > MOST_KINDS for model in setting.models):
        st.caption(_("Of each config the first {count} types of layers are shown.").format(count=MOST_KINDS))


def _heading(row: Row) -> str:
    """Name a row above its column, which is Markdown."""
    return row.model.name if row.layer == "all" else f"{row.model.name} {quoted(row.layer)}"
