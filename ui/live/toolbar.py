"""The words of the buttons of a figure."""

from __future__ import annotations

from ui.i18n import N_, _

# English as plotly.js says it, which is how it looks a word up; the last one is ours.
WORDS = (
    N_("Zoom"),
    N_("Pan"),
    N_("Zoom in"),
    N_("Zoom out"),
    N_("Autoscale"),
    N_("Reset axes"),
    N_("Double-click to zoom back out"),
    N_("Double-click on legend to isolate one trace"),
    N_("Full screen"),
)


def toolbar_words() -> dict[str, str]:
    """Give the dictionary with which plotly.js speaks the language of the page."""
    return {word: _(word) for word in WORDS}
