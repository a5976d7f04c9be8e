"""What a reader takes along from the page about models: other pages set to a row, JSON for both versions, tables, Markdown."""

from __future__ import annotations

import json

import streamlit as st

from lessons.models_elsewhere import elsewhere
from lessons.models_setting import Row, Setting
from lessons.models_table import as_markdown, table
from rope_core import HfRope, RopeConfigError, to_huggingface
from ui import compute_models as compute
from ui import locks
from ui.findings import sentence
from ui.frame import is_embedded
from ui.i18n import _
from ui.params import leave_for
from ui.registry import LESSONS

PAGES = ("extension", "frequencies", "decay")
OPEN = "models.away"


def open_elsewhere(row: Row) -> None:
    """Offer the pages that can show a row, with all of its values; one click sets them and turns the page."""
    if is_embedded():  # a frame in another page leads nowhere
        return
    if row.config is None:
        st.caption(_("Nothing turns in these layers, so no other page has anything to show of them."))
        return
    offers = elsewhere(row.config)
    with st.container(horizontal=True):
        for name in PAGES:
            lesson = LESSONS[name]
            st.button(
                _("Open in {page}").format(page=_(lesson.title)),
                key=f"models.open.{name}",
                icon=lesson.icon,
                help=_("Sets that page, and what the pages share, to these layers, and turns to it."),
                disabled=name not in offers or locks.blocks(offers[name]),
                on_click=leave_for,
                args=(name, offers.get(name, {})),
            )
    if missing := [_(LESSONS[name].title) for name in PAGES if name not in offers]:
        st.caption(_("Some value lies outside of what these pages can be set to: {pages}.").format(pages=_(", ").join(missing)))


def take_along(setting: Setting) -> None:
    """Offer the numbers in forms that other programs read; they are written when someone opens the box."""
    box = st.expander(_("Take it along: Markdown, JSON for transformers 5 and 4, tables of cos and sin"), key=OPEN, on_change="rerun")
    if not box.open:
        return
    row = setting.row
    with box:
        st.markdown(_("The table as Markdown"))
        st.code(as_markdown(table(setting)), language="markdown", height=240, wrap_lines=True)
        for version, name in ((5, "rope_parameters"), (4, "rope_scaling")):
            st.markdown(
                _("{key} of {model} as transformers {version} reads it").format(
                    key=f"`{name}`", model=f"**{row.model.name}**", version=version
                )
            )
            _huggingface(row.model.rope, version)
        if row.config is not None:
            _tables(row)


def _huggingface(rope: HfRope, version: int) -> None:
    try:
        st.code(json.dumps(to_huggingface(rope, version=version), indent=2), language="json", height=240, wrap_lines=True)
    except RopeConfigError as error:
        st.info(sentence(error.template, error.values) + _("."))


def _tables(row: Row) -> None:
    config = row.config
    assert config is not None
    settings = {"layer": row.layer, "length": row.length} | to_document(row)
    positions = compute.positions(config)
    st.markdown(
        _("{row}: {inv} in float64, {cos} and {sin} in float32 at positions 0 to {last}, A included").format(
            row=row.said, inv="`inv_freq`", cos="`cos`", sin="`sin`", last=f"`{positions - 1:,}`"
        )
    )
    st.download_button(
        _("Tables (npz)"),
        lambda: compute.tables(config, row.length, settings),
        file_name=f"rope-lab-{row.model.slug}.npz",
        mime="application/octet-stream",
        help=_("Arrays for NumPy, with the settings that they were computed with."),
        on_click="ignore",
        icon=":material/download:",
    )


def to_document(row: Row) -> dict[str, object]:
    """Write the settings of a row as a config states them; nothing where transformers has no words."""
    try:
        return to_huggingface(row.config) if row.config else {}
    except RopeConfigError:
        return {}
