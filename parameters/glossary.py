"""The parameters of the glossary."""

from __future__ import annotations

from locales import N_
from parameters.types import Choice, Parameter, Text

GLOSSARY: dict[str, Parameter] = {
    "glossary_view": Choice(
        label=N_("View"),
        help=N_("Where the symbols stand in a picture of the speeds, or of the wavelengths."),
        options={"speeds": N_("Speeds"), "lengths": N_("Wavelengths")},
    ),
    "term": Text(
        label=N_("Search the glossary"),
        help=N_("A symbol, a word in any language of the app, or a name from a config; the figure marks what is found."),
    ),
}
