"""What stands under a figure, one at a time: the formula, the PyTorch lines, the numbers, files to download."""

from __future__ import annotations

import streamlit as st

from exports.csv_file import write_csv
from exports.notebook import write_notebook
from exports.page import write_page
from exports.snapshot import Snapshot
from exports.table import tables
from lessons.compare import Compared
from lessons.glossary.entries import symbols_line
from locales import N_, _
from ui import parts

KEY = "below"
TABS = {"formula": N_("Formula"), "code": N_("PyTorch"), "data": N_("Data"), "files": N_("Download")}


def draw(snapshot: Snapshot, compared: Compared | None, *, files: bool) -> None:
    """Draw the row of names, and what is open; files only if asked to, and nothing that the view does not have."""
    view = snapshot.view
    there = {"formula": view.formula, "code": view.code, "data": view.columns, "files": files}
    names = [name for name in TABS if there[name]]
    if not names:
        return
    opened = st.segmented_control(
        _("Under the figure"),
        names,
        default=names[0],
        required=True,
        format_func=lambda name: _(TABS[name]),
        key=KEY if len(names) == len(TABS) else f"{KEY}.{'.'.join(names)}",  # what was open may be hidden
        label_visibility="collapsed",
        persist_state="session",
    )
    if opened == "code":
        st.code(view.code.strip(), language="python", wrap_lines=True)
    elif opened == "data":
        parts.draw(tables(view.columns))
        for gaps in () if compared is None else compared.gaps:
            parts.draw(tables(gaps, _("B − A, rounded to six digits; of many rows or columns some, evenly chosen.")))
    elif opened == "files":
        _files(snapshot)
    else:
        lines = "\n\n".join(f"$$\n{line}\n$$" for line in view.formula)
        symbols = symbols_line(snapshot.page.name, view.formula, linked=not st.context.is_embedded)
        st.markdown(f"{lines}\n\n{symbols}")  # in one: each element is a message


def _files(snapshot: Snapshot) -> None:
    """Offer the files, in one row; each is written when someone asks for it."""
    offers = (
        (_("CSV"), write_csv, "csv", "text/csv", _("The numbers of the figure, with settings and units in the header.")),
        (_("HTML page"), write_page, "html", "text/html", _("This page as one file that needs no network.")),
        (
            _("Notebook"),
            write_notebook,
            "ipynb",
            "application/x-ipynb+json",
            _("A Jupyter notebook that computes the numbers again with rope_core and compares them."),
        ),
    )
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for label, write, kind, mime, help in offers:
            st.download_button(
                label,
                lambda write=write: write(snapshot),  # type: ignore[misc]
                file_name=f"rope-lab-{snapshot.page.name}.{kind}",
                mime=mime,
                key=f"download.{kind}",
                on_click="ignore",
                icon=":material/download:",
                help=help,
            )
        st.caption(_("The figure as PNG or SVG: the buttons at its upper right corner."), width="content")
