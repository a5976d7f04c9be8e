"""The parameters of the glossary, as in ``ui/parameters.py``."""

from __future__ import annotations

from ui.i18n import N_
from ui.kinds import Carried, Choice

GLOSSARY: dict[str, Choice | Carried] = {
    "glossary_view": Choice(
        label=N_("View"),
        help=N_("Where the symbols stand in a picture of the speeds, or of the wavelengths."),
        options={"speeds": N_("Speeds"), "lengths": N_("Wavelengths")},
    ),
    "term": Carried(
        label=N_("Search the glossary"),
        help=N_("A symbol, a word in any language of the app, or a name from a config; the figure marks what is found."),
    ),
}
