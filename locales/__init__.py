"""Translations: English is the text in the code, ``locales/<language>.po`` holds the other languages. Who calls says which is spoken."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALES = Path(__file__).resolve().parent


def _read(path: Path) -> gettext.GNUTranslations:
    mo = BytesIO()
    write_mo(mo, read_po(BytesIO(path.read_bytes()), locale=path.stem))
    mo.seek(0)
    return gettext.GNUTranslations(mo)


# Read once and never changed: the threads of all sessions share it. The file zh_CN.po is the language zh-CN of links and browsers.
CATALOGUES = {"en": gettext.NullTranslations()} | {path.stem.replace("_", "-"): _read(path) for path in sorted(LOCALES.glob("*.po"))}

_spoken: ContextVar[str] = ContextVar("spoken", default="en")

# What each language calls itself, so that a reader finds it whatever the page speaks.
NAMES = {code: Locale.parse(code, sep="-").language_name or code for code in CATALOGUES}


def negotiate(wanted: str | None) -> str | None:
    """Return the language that we have for a code such as ``zh``, ``zh_CN``, ``zh-Hans-CN`` or ``en-GB``; None if there is none."""
    if not wanted or len(wanted) > 40:
        return None
    try:
        spoken = Locale.parse(wanted.replace("_", "-"), sep="-").language
    except (UnknownLocaleError, ValueError):
        return None
    return next((code for code in CATALOGUES if wanted == code or code.split("-")[0] == spoken), None)


def language() -> str:
    """Return the language that is spoken: that of ``speaking``, else English."""
    return _spoken.get()


def speak(code: str) -> None:
    """Speak a language from here on in this thread or task."""
    _spoken.set(code if code in CATALOGUES else "en")


@contextmanager
def speaking(code: str) -> Iterator[None]:
    """Speak a language for a while."""
    token = _spoken.set(code if code in CATALOGUES else "en")
    try:
        yield
    finally:
        _spoken.reset(token)


def _(message: str) -> str:
    return CATALOGUES[_spoken.get()].gettext(message)


def N_(message: str) -> str:
    """Mark a message of a module-level table for extraction; ``_`` translates it where it is shown."""
    return message
