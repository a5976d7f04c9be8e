"""A view with all that a file of it has to say: what notebook, page and CSV are written from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from urllib.parse import urlencode

import streamlit as st

from rope_core import __version__
from ui import current
from ui.i18n import CATALOGUES, language
from ui.kinds import Choice
from ui.parameters import PARAMETERS
from ui.params import settings
from ui.registry import LESSONS
from ui.view import View


@dataclass(frozen=True, kw_only=True)
class Away:
    """A view with all that a file says about it.

    Attributes:
        name: The page, as files are named.
        view: What it shows.
        used: What it is set to, by name.
        url: Of the page.
        language: Code of the language that it speaks.
    """

    name: str
    view: View
    used: Mapping[str, current.Value]
    url: str
    language: str

    @property
    def say(self) -> Callable[[str], str]:
        """Give the translation of a message."""
        return CATALOGUES[self.language].gettext

    @property
    def title(self) -> str:
        """The question of the page."""
        return self.say(LESSONS[self.name].question)

    @property
    def maker(self) -> str:
        """Who wrote a file, with the version."""
        return f"RoPE Lab {__version__}"

    @property
    def link(self) -> str:
        """The address that opens the page as it is set."""
        return f"{self.url}?{urlencode({'lang': self.language} | current.changed(self.used))}"

    @cached_property
    def settings(self) -> tuple[tuple[str, str, str, str], ...]:
        """Of each parameter its name in the link, its value there, its label, and its value in words."""
        return tuple(self._rows())

    def _rows(self) -> Iterator[tuple[str, str, str, str]]:
        _ = self.say
        for name, value in self.used.items():
            spec, text = PARAMETERS[name], current.as_text(value)
            words = _(spec.options[text]) if isinstance(spec, Choice) else text if isinstance(value, str) else f"{value:,.15g}"
            yield name, text, _(spec.label), words


def take(view: View, name: str) -> Away:
    """Collect what files say of a view, as the page is set."""
    url = (st.context.url or "").partition("?")[0]
    return Away(name=name, view=view, used=settings(name), url=url, language=language())
