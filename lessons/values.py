"""What a parameter is set to, in words."""

from __future__ import annotations

from lessons.page import Page
from locales import _
from parameters import parameters_of
from parameters.settings import Settings
from parameters.types import Choice, Names, Row, readable


def in_words(page: Page, settings: Settings, name: str) -> str:
    """Write a value as its control shows it, in the language that is spoken."""
    spec, value = parameters_of(page.name)[name], settings[name]
    match spec:
        case Choice():
            return _(spec.options[str(value)])
        case Names():
            options = spec.options()
            return ", ".join(options[each] for each in str(value).split(",") if each)
        case Row():
            labels = page.labels(settings).get(name, ())
            row = settings.whole(name)
            return labels[row if row < len(labels) else 0] if labels else readable(row)
        case _:
            return value if isinstance(value, str) else readable(value)
