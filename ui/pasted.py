"""A config of the reader's own: pasted or uploaded, read at once, kept in this session and nowhere else.

The link carries the numbers that were read, as ``to_huggingface`` writes them, and never the text. What cannot be read changes nothing:
the last config that could be read stays, beside the reasons.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from urllib.parse import quote

import streamlit as st

from rope_core import Finding, HfConfigError, HfRope, RopeConfigError, inverse_frequencies, parse_config, to_huggingface
from rope_core.operands import MAX_SPEED
from ui import current, echo, locks
from ui.findings import refusal
from ui.i18n import _
from ui.notices import refuse
from ui.parameters import PARAMETERS
from ui.params import hidden_box

LONGEST_LINK = 4096
"""Characters of an address that a config may take; longer addresses are cut off on their way by some programs."""
TEXT, FILE = "models.text", "models.file"
KEPT, FAILED = "_models.kept", "_models.failed"
ROUND = "_models.round"
"""Counts the uploads that were cleared: a new key is the only way to empty that box."""


@dataclass(frozen=True)
class Reading:
    """A config that could be read.

    Attributes:
        rope: What it says.
        link: The numbers as the link carries them; nothing where they are too long for one, or would not come back the same.
        document: The same, at any length.
        source: ``"text"``, ``"file"`` or ``"link"``.
        file: Name of the file.
    """

    rope: HfRope
    link: str
    document: str
    source: str
    file: str = ""


def read(given: str | bytes, source: str) -> Reading:
    """Read a config, and write its numbers for the link.

    Raises:
        RopeConfigError: If no settings can be given, or no page could show them.
    """
    rope = parse_config(given)
    _require_speeds(rope)
    try:
        document = json.dumps(to_huggingface(rope), separators=(",", ":"))
        fits = len(quote(document)) <= LONGEST_LINK and _same(parse_config(document), rope)
    except RopeConfigError:  # transformers has no words for it
        document, fits = "", False
    return Reading(rope, document if fits else "", document, source)


def own_config(name: str) -> Reading | None:
    """Draw the box, the upload and the hidden box of the link, and give the config that was read last; None before the first."""
    text = hidden_box(name, "")
    if not locks.is_hidden(name):
        _ways_in(name)
    text = current.use(name, text)
    kept: Reading | None = st.session_state.get(KEPT)
    if kept is not None and kept.link == text:
        return kept
    if not text:
        return None
    reading = _from_link(name, text)
    if reading is not None and not current.is_other():
        st.session_state[KEPT] = reading
    return reading


def _ways_in(name: str) -> None:
    """Draw the box to paste into, and the upload."""
    held = locks.is_held(name)
    left, right = st.columns([3, 2])
    upload = _upload()
    with left:
        st.text_area(
            _("Paste a config.json"),
            key=TEXT,
            height=180,
            persist_state="session",
            placeholder='{"head_dim": 128, "max_position_embeddings": 131072, "rope_theta": 500000, ...}',
            help=_("It is read as soon as you leave the box, and kept in this visit only."),
            on_change=_take_text,
            args=(name,),
            disabled=held,
        )
    with right, st.container(key=FILE):
        st.file_uploader(
            _("or upload one, at most 1 MB"),
            type="json",
            key=upload,
            help=_("A JSON file as models are published with; it is read at once, and kept in this visit only."),
            max_upload_size=1,
            on_change=_take_file,
            args=(name, upload),
            disabled=held,
        )


def failures() -> tuple[Finding, ...]:
    """Give all that is wrong with the config that was given last; nothing where it could be read."""
    return st.session_state.get(FAILED, ())


def discard(name: str) -> None:
    """Forget the config that was read last, and empty its boxes."""
    st.session_state[FAILED] = ()
    st.session_state.pop(KEPT, None)
    echo.put(TEXT, "")
    echo.put(name, "")
    _empty_upload()


def _from_link(name: str, text: str) -> Reading | None:
    """Read numbers that a link brought; one notice if they are none."""
    try:
        if len(text) > LONGEST_LINK:
            raise RopeConfigError(
                "a config in a link must have at most {limit} characters, got {value}", limit=LONGEST_LINK, value=len(text)
            )
        reading = read(text, "link")
    except RopeConfigError as error:
        refuse(_(PARAMETERS[name].label), error)
        return None
    return Reading(reading.rope, text, reading.document, "link")  # however the link spells them


def _take_text(name: str) -> None:
    """Read what was typed; an emptied box takes back what it held."""
    echo.hear()  # a browser may say what the box held before it was emptied
    given, kept = st.session_state[TEXT], st.session_state.get(KEPT)
    if given.strip():
        if _take(name, given, "text"):
            _empty_upload()  # one box shows what is read, not both
    elif kept is not None and kept.source == "text":
        discard(name)
    else:
        st.session_state[FAILED] = ()


def _take_file(name: str, key: str) -> None:
    file = st.session_state[key]
    if key != _upload():  # one that was emptied, and has not heard of it
        return
    if file is not None and _take(name, file.getvalue(), "file", file.name):
        echo.put(TEXT, "")


def _upload() -> str:
    return f"{FILE}.{st.session_state.get(ROUND, 0)}"


def _empty_upload() -> None:
    st.session_state[ROUND] = st.session_state.get(ROUND, 0) + 1


def _take(name: str, given: str | bytes, source: str, file: str = "") -> bool:
    """Keep what was read, and say whether it was; after a failure keep what there was, and the reasons."""
    try:
        reading = replace(read(given, source), file=file)
    except RopeConfigError as error:
        st.session_state[FAILED] = error.findings if isinstance(error, HfConfigError) else (refusal(error),)
        return False
    st.session_state[FAILED] = ()
    st.session_state[KEPT] = reading
    echo.put(name, reading.link)
    return True


def _require_speeds(rope: HfRope) -> None:
    """Require speeds that figures can show, in short texts and in the longest."""
    for config in filter(None, rope.layers.values()):
        for length in (config.trained_length, config.max_position):
            try:
                inv_freq = inverse_frequencies(config, length)
            except (ArithmeticError, ValueError) as error:  # settings at the end of the range of float64
                raise RopeConfigError("a config must give every pair a speed, got {value!r}", value=config.scaling) from error
            if not inv_freq.isfinite().all() or inv_freq.max() > MAX_SPEED:
                raise RopeConfigError(
                    "a config must give speeds up to {limit:g} rad per token, got {value:g}", limit=MAX_SPEED, value=inv_freq.max().item()
                )


def _same(one: HfRope, other: HfRope) -> bool:
    return _numbers(one) == _numbers(other)


def _numbers(rope: HfRope) -> tuple[object, ...]:
    return dict(rope.layers), rope.layer_types, rope.softmax_factor, rope.pair_axes
