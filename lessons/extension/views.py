"""The views of the page about context extension."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from lessons.extension.angles import unseen_view
from lessons.extension.attention import attention_view
from lessons.extension.bands import bands_view
from lessons.extension.curve import curve_view
from lessons.extension.decode import decode_view
from lessons.extension.parts import page_parts
from lessons.extension.ratio import ratio_view
from lessons.extension.settings import ExtensionSettings, read_extension
from lessons.extension.wording import factor_line, problem_sentence
from lessons.view import View
from parameters.settings import Settings

VIEWS: dict[str, Callable[[ExtensionSettings], View]] = {
    "ratio": ratio_view,
    "unseen": unseen_view,
    "bands": bands_view,
    "attention": attention_view,
    "curve": curve_view,
    "decode": decode_view,
}


def view(settings: Settings) -> View:
    """Show the chosen view, with the factor above it and the way to other pages below."""
    s = read_extension(settings)
    shown, problem = VIEWS[settings.text("ext_view")](s), problem_sentence(s)
    parts = (*shown.parts, *page_parts(settings, s))
    return replace(shown, verdict=factor_line(s), notices=(problem,) if problem else (), parts=parts)
