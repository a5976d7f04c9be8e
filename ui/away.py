"""What a reader takes along from a page: its numbers, the page itself, and a notebook that computes it again.

Everything is written when someone asks for it, in a thread of its own that knows no session: ``Away`` holds what such a file has to say.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from itertools import zip_longest

import streamlit as st

from ui.columns import Columns, column
from ui.i18n import _
from ui.notebook import write_notebook
from ui.page_file import write_page
from ui.taken import Away


def files(shown: Callable[[], Away | None], *, name: str) -> None:
    """Offer the files, in one row; each is of the view that is ``shown`` when someone asks for it."""

    def made(write: Callable[[Away], bytes]) -> Callable[[], bytes]:
        return lambda: write(taken) if (taken := shown()) else b""

    offers = (
        (_("CSV"), write_csv, "csv", "text/csv", _("The numbers of the figure, with settings and units in the header.")),
        (_("HTML page"), write_page, "html", "text/html", _("This page as one file that needs no network.")),
        (
            _("Notebook"),
            lambda taken: write_notebook(taken, number_lines(taken.view.drawn)),
            "ipynb",
            "application/x-ipynb+json",
            _("A Jupyter notebook that computes the numbers again with rope_core and compares them."),
        ),
    )
    st.header(_("Take it along"))
    with st.container(horizontal=True, gap="small"):
        for label, write, kind, mime, help in offers:
            st.download_button(
                label,
                made(write),
                file_name=f"rope-lab-{name}.{kind}",
                mime=mime,
                key=f"{name}.away.{kind}",
                on_click="ignore",
                icon=":material/download:",
                help=help,
            )
    st.caption(_("The figure as PNG or SVG: the buttons at its upper right corner."))


def write_csv(taken: Away) -> bytes:
    """Write the numbers under lines that begin with # and say what they are."""
    return "\n".join([*(f"# {line}" for line in header(taken)), number_lines(taken.view.drawn)]).encode()


def header(taken: Away) -> Iterator[str]:
    """Say what the numbers are: page, link, settings, layout, and the unit of each column."""
    _ = taken.say
    yield f"{taken.maker}: {taken.title}"
    yield _("link: {link}").format(link=taken.link)
    for name, text, label, words in taken.settings:
        yield _one_line(f"{name} = {text} ({label}{'' if words == text else f': {words}'})")
    if "layout" not in [name for name, *rest in taken.settings]:
        yield _("layout = any (no number here depends on which coordinates form a pair)")
    for name in taken.view.drawn:
        yield _("column {name}: {unit}").format(name=name, unit=_(column(name).unit))


def _one_line(text: str) -> str:
    return " ".join(text.split())


def number_lines(columns: Columns) -> str:
    """Write columns with every digit that a float64 needs to come back the same."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    texts = ([repr(float(value)) for value in each] for each in columns.values())
    writer.writerows(zip_longest(*texts, fillvalue=""))  # curves on axes of their own differ in length
    return text.getvalue()
