"""Translations: English is the text in the code, ``locales/<language>.po`` holds the other languages."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from pathlib import Path

import streamlit as st
from babel import Locale, UnknownLocaleError
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALES = Path(__file__).resolve().parent.parent / "locales"


def _read(path: Path) -> gettext.GNUTranslations:
    mo = BytesIO()
    write_mo(mo, read_po(BytesIO(path.read_bytes()), locale=path.stem))
    mo.seek(0)
    return gettext.GNUTranslations(mo)


# Read once and never changed: the threads of all sessions share it. The file zh_CN.po is the language zh-CN of links and browsers.
CATALOGUES = {"en": gettext.NullTranslations()} | {path.stem.replace("_", "-"): _read(path) for path in sorted(LOCALES.glob("*.po"))}

_spoken: ContextVar[str] = ContextVar("spoken", default="")

# What each language calls itself, so that a reader finds it whatever the page speaks.
NAMES = {code: Locale.parse(code, sep="-").language_name or code for code in CATALOGUES}


def negotiate(wanted: str | None) -> str | None:
    """Give the language that we have for a code such as ``zh``, ``zh_CN``, ``zh-Hans-CN`` or ``en-GB``; None if there is none."""
    if not wanted or len(wanted) > 40:
        return None
    try:
        spoken = Locale.parse(wanted.replace("_", "-"), sep="-").language
    except (UnknownLocaleError, ValueError):
        return None
    return next((code for code in CATALOGUES if wanted == code or code.split("-")[0] == spoken), None)


def language() -> str:
    """The language of the session whose script is running; the shell has set it before anything speaks."""
    return _spoken.get() or _chosen()


@contextmanager
def one_language() -> Iterator[None]:
    """Speak one language to the end: what asks the session once saves asking for each of a hundred texts."""
    token = _spoken.set(_chosen())
    try:
        yield
    finally:
        _spoken.reset(token)


def _chosen() -> str:
    code = st.session_state.get("lang.choice")
    return code if code in CATALOGUES else "en"


def _(message: str) -> str:
    return CATALOGUES[language()].gettext(message)


def N_(message: str) -> str:
    """Mark a message of a module-level table for extraction; ``_`` translates it where it is shown."""
    return message
