"""A link to a page as it is set: as an address, as a line of HTML for another page, as a QR code."""

from __future__ import annotations

import html
from collections.abc import Mapping
from io import BytesIO
from urllib.parse import urlencode

import segno

from parameters.locks import NAMES

LONGEST = 4096
"""Characters of an address; longer ones are cut off on their way by some programs."""


def write_link(address: str, settings: Mapping[str, str]) -> str:
    """Write a link, without ``lock`` and ``hide`` where they are empty. Commas and colons may stand in an address as they are."""
    query = urlencode({name: value for name, value in settings.items() if value or name not in NAMES}, safe=",:")
    return f"{address}?{query}" if query else address


def iframe(link: str, title: str) -> str:
    """Write the line of HTML that shows a link within another page."""
    source, title = html.escape(link), html.escape(title)
    return f'<iframe src="{source}" title="{title}" width="100%" height="900" style="border:0" allow="fullscreen" loading="lazy"></iframe>'


def qr_code(link: str) -> str | None:
    """Draw a link as SVG, black on white with its quiet zone in either theme; None where it is too long for any code.

    The lowest level of correction gives the largest squares, which is what counts at the back of a hall.
    """
    try:
        code = segno.make(link, error="l", micro=False)
    except segno.DataOverflowError:
        return None
    drawing = BytesIO()
    code.save(drawing, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, omitsize=True)
    return drawing.getvalue().decode()
