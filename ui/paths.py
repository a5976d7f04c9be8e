"""Where the scripts of the pages lie."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "pages"


def path(page: str) -> Path:
    """Return the script of a page."""
    return FOLDER / f"{page}.py"
