"""What stands around a figure, drawn: texts, tables, buttons, files, folds."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from lessons.glossary.entries import without_links
from lessons.models.state import Pasted
from lessons.registry import PAGES
from lessons.view import Code, Download, Fold, Line, Offer, Part, Prose, Table
from ui import visit
from ui.paths import path


def draw(parts: Iterable[Part]) -> None:
    """Draw parts under each other."""
    for part in parts:
        _draw(part)


def _draw(part: Part) -> None:
    match part:
        case Prose():
            _prose(part)
        case Code():
            if part.caption:
                st.caption(part.caption)
            st.code(part.text.strip(), language=part.language, wrap_lines=True, height=240 if part.text.count("\n") > 14 else "content")
        case Table():
            st.table(dict(part.columns), hide_index=True, border="horizontal", alt=part.alt or ", ".join(part.columns))
        case Offer():
            _offer(part)
        case Download():
            st.download_button(
                part.label,
                part.content,
                file_name=part.file_name,
                mime=part.mime,
                key=part.key,
                help=part.help,
                on_click="ignore",
                icon=":material/download:",
            )
        case Line():
            _line(part)
        case Fold():
            fold = st.expander(part.title, expanded=part.opened, key=part.key, on_change="rerun")
            if fold.open:
                with fold:
                    draw(part.parts())


def _prose(part: Prose) -> None:
    text = without_links(part.text) if st.context.is_embedded else part.text  # a frame leads nowhere
    match part.kind:
        case "heading":
            st.subheader(text)
        case "caption":
            st.caption(text)
        case "info":
            st.info(text)
        case "warning":
            st.warning(text)
        case "error":
            st.error(text)
        case _:
            st.markdown(text)


def _offer(part: Offer) -> None:
    """Draw a button that sets parameters; where it leads to another page, that page is set to them and nothing else is."""
    disabled = not part.enabled or visit.locks().block(part.values)
    label, key, help, icon = part.label, f"offer.{part.key}", part.help or None, part.icon
    if not part.page:
        st.button(label, key=key, help=help, icon=icon, disabled=disabled, on_click=_set, args=(part,))
    elif not st.context.is_embedded and st.button(label, key=key, help=help, icon=icon, disabled=disabled):  # a frame leads nowhere
        if part.model is not None:
            visit.update(model=part.model or None)
        st.switch_page(path(PAGES[part.page].name), query_params=visit.address_of(part.values))


def _set(part: Offer) -> None:
    """Set what an offer says; where that is another config, what was said of the last text is over."""
    if "models_config" in part.values or "models_way" in part.values:
        visit.update(pasted=Pasted())
    visit.change(**part.values)


def _line(line: Line) -> None:
    if line.weights:
        for place, part in zip(st.columns(line.weights, vertical_alignment="center"), line.parts, strict=True):
            with place:
                _draw(part)
    else:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            draw(line.parts)
