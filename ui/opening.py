"""The first page of a visit plays once: its figure moves from where a page begins to its settings, and shows what there is to play."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from lessons.motion import frames
from lessons.page import Page
from parameters.settings import Settings
from ui import visit


def motion(page: Page, settings: Settings, extras: Mapping[str, str]) -> dict[str, Any] | None:
    """Return how the figure comes to its settings; None where it stands at once.

    It moves where a visit opens with a page as it is: a link that says settings, a question or a comparison is about what it names, a frame
    in another page is part of a text, and a presenter plays the figure herself. The browser leaves it out under reduced motion.
    """
    now = visit.visit()
    is_plain = not settings.changed and not any(now.address.get(name) for name in ("step", "pin", "present"))
    if not (now.opened and is_plain and page.opening) or st.context.is_embedded:
        return None
    before = settings.replace(**page.opening)
    return {"before": urlencode(before.write() | dict(extras)), "frames": frames(page, before, settings), "opening": True}
