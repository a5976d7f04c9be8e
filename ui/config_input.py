"""The reader's own config: pasted or uploaded, read at once, kept in the visit and nowhere else.

What cannot be read changes nothing: the last config that could be read stays, beside the reasons.
"""

from __future__ import annotations

import streamlit as st

from lessons.models.findings import parts as finding_parts
from lessons.models.findings import refusal
from locales import _
from parameters.own_config import LONGEST_LINK, parse_text
from parameters.settings import Settings
from rope_core import HfConfigError, RopeConfigError
from ui import parts, visit

TEXT = "config.text"


def draw(name: str, *, disabled: bool) -> None:
    """Draw the box to paste into, the upload, and the way to discard what was read."""
    st.text_area(
        _("Paste a config.json"),
        key=TEXT,
        height=120,
        persist_state="session",
        placeholder='{"head_dim": 128, "max_position_embeddings": 131072, "rope_theta": 500000, ...}',
        help=_("It is read as soon as you leave the box, and kept in this visit only."),
        on_change=_take_text,
        args=(name,),
        disabled=disabled,
    )
    key = f"config.file.{visit.visit().uploads}"
    st.file_uploader(
        _("or upload one, at most 1 MB"),
        type="json",
        key=key,
        help=_("A JSON file as models are published with; it is read at once, and kept in this visit only."),
        max_upload_size=1,
        on_change=_take_file,
        args=(name, key),
        disabled=disabled,
    )
    if name in visit.visit().address:
        st.button(
            _("Discard this config"),
            key="config.discard",
            type="tertiary",
            help=_("Empties the box and forgets the config; the example is shown again."),
            on_click=_discard,
            args=(name,),
            disabled=disabled,
        )


def _take_text(name: str) -> None:
    given = st.session_state[TEXT]
    if not given.strip():
        _discard(name)
    elif _take(name, given):
        _clear_upload()  # one box shows what is read, not both


def _take_file(name: str, key: str) -> None:
    file = st.session_state[key]
    if file is not None and _take(name, file.getvalue()):
        st.session_state[TEXT] = ""


def _take(name: str, given: str | bytes) -> bool:
    """Set the page to what was read, and return whether it was; after a failure keep what there was, and note the reasons."""
    try:
        parsed = parse_text(given)
    except RopeConfigError as error:
        reasons = error.findings if isinstance(error, HfConfigError) else (refusal(error),)
        visit.update(findings=(visit.visit().findings[0], tuple(reasons)))
        return False
    visit.update(findings=(tuple(parsed.rope.findings), ()))
    # Numbers for which transformers has no words travel as the text that they were read from.
    document = parsed.document or (given if isinstance(given, str) else given.decode("utf-8-sig"))
    visit.change(**{name: visit.keep_config(document, fits_link=parsed.fits_link), "models_layer": 0})
    return True


def _discard(name: str) -> None:
    visit.update(findings=((), ()))
    st.session_state[TEXT] = ""
    visit.change(**{name: ""})
    _clear_upload()


def _clear_upload() -> None:
    """Empty the upload: a new key is the only way."""
    visit.update(uploads=visit.visit().uploads + 1)


def state(settings: Settings) -> None:
    """Say what is wrong with the config that was given last, and what the link leaves out."""
    if settings["models_way"] != "own":
        return
    _found, wrong = visit.visit().findings
    if wrong:
        kept = _("The last config that could be read is still shown.") if settings["models_config"] else ""
        st.error(_("**This config cannot be read.**") + " " + (kept or _("Until one can be read, an example is shown.")))
        parts.draw(finding_parts(wrong))
    if visit.is_kept_config(visit.visit().address):
        limit = _("The link leaves your config out: its numbers would take more than {limit} characters, or cannot be written as a config.")
        st.caption(limit.format(limit=f"`{LONGEST_LINK:,}`"))
