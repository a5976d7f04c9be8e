"""The reader's own config: pasted or uploaded, read at once, kept in the visit and nowhere else.

What cannot be read changes nothing: the last config that could be read stays, beside the reasons.
"""

from __future__ import annotations

from dataclasses import replace

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from lessons.models.findings import refusal
from lessons.models.state import Pasted
from locales import _
from parameters.own_config import fragment, parse_text
from parameters.settings import Settings
from rope_core import RopeConfigError
from ui import visit

TEXT = "config.text"
FILES = ["json", "jsonc", "json5", "txt", "md", "yaml", "yml", "py", "html", "gguf", "safetensors"]
"""Also those that hold no config: what they are is said in place of it."""


def draw(name: str, settings: Settings, *, disabled: bool) -> None:
    """Draw the box to paste into, and the upload."""
    now = visit.visit()
    if not now.pasted.refused and (now.pasted.file or not now.pasted.about(settings)):
        st.session_state[TEXT] = ""  # what it held is not what is shown
    st.text_area(
        _("Paste a config.json"),
        key=TEXT,
        height=100,
        persist_state="session",
        placeholder='{"head_dim": 128, "max_position_embeddings": 131072, "rope_theta": 500000, ...}',
        help=_("It is read as soon as you leave the box, and kept in this visit only."),
        on_change=_take_text,
        args=(name,),
        disabled=disabled,
    )
    key = f"config.file.{now.uploads}"  # a new key is the only way to empty it
    st.file_uploader(
        _("or upload one, at most 1 MB"),
        type=FILES,
        key=key,
        help=_("The config.json of a model, or a params.json; of a .gguf file the first 1,000,000 bytes are enough."),
        max_upload_size=1,
        on_change=_take_file,
        args=(name, key),
        disabled=disabled,
    )


def _take_text(name: str) -> None:
    given = st.session_state[TEXT]
    if given.strip():
        _take(name, given, "")
    else:
        visit.update(pasted=Pasted())
        visit.change(**{name: ""})


def _take_file(name: str, key: str) -> None:
    file = st.session_state[key]
    if isinstance(file, UploadedFile):  # else it was taken away, or the server has forgotten it: server/uploads.py
        _take(name, file.getvalue(), file.name)


def _take(name: str, given: str | bytes, file: str) -> None:
    """Set the page to what was given; after a failure keep what there was, and note the reasons."""
    now = visit.visit()
    try:
        parsed = parse_text(given)
    except RopeConfigError as error:
        visit.update(pasted=replace(now.pasted, refused=refusal(error), fragment=fragment(given)))
        return
    found = Pasted(document=parsed.document, findings=parsed.rope.findings, file=file, rope=parsed.rope)
    visit.update(pasted=found, uploads=now.uploads + 1)
    visit.change(models_layer=0, **{name: visit.keep_config(parsed.document, fits_link=parsed.fits_link)})
