"""A view with its settings: what the files are written from, each when someone asks for it, in a thread that knows no session."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from exports.link import write_link
from lessons.page import Page, in_words
from lessons.view import View
from locales import _, speaking
from parameters import parameters_of
from parameters.settings import Settings
from parameters.types import write
from rope_core import __version__


class Row(NamedTuple):
    """A parameter: its name and value as the link has them, its label, and its value in words."""

    name: str
    text: str
    label: str
    words: str


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """A view with all that a file says about it.

    Attributes:
        page: The page.
        view: What it shows, in the language of the file.
        settings: What it is set to.
        url: Where the page is, without a query.
        language: Code of the language.
    """

    page: Page
    view: View
    settings: Settings
    url: str
    language: str

    @property
    def title(self) -> str:
        """The question of the page."""
        with speaking(self.language):
            return _(self.page.question)

    @property
    def maker(self) -> str:
        """The program that wrote the file, with its version."""
        return f"RoPE Lab {__version__}"

    @property
    def link(self) -> str:
        """The address that opens the page as it is set."""
        return write_link(self.url, {"lang": self.language} | self.settings.write())

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The choice of the view, and the parameters that this view depends on."""
        specs = parameters_of(self.page.name)
        with speaking(self.language):
            return tuple(
                Row(name, write(self.settings[name]), _(specs[name].label), in_words(self.page, self.settings, name))
                for name in (self.page.choice, *self.page.controls(self.settings))
            )
