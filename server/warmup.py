"""Import what is slow to import, and draw one figure, so that the first visitor finds both done.

What is imported here is frozen (app.py). What a first visit imported would not be, and every full collection of garbage would look at it:
pandas and pyarrow alone, which Streamlit imports at the first page, are 13 ms.
"""

from __future__ import annotations

import pandas
import pyarrow.compute
import pyarrow.pandas_compat
import pyarrow.vendored.version
from PIL import ImageFile

from lessons.registry import PAGES
from parameters.presets import model_settings
from parameters.settings import Settings
from server.answers import Question, answer
from server.assets import packed

__all__ = ["ImageFile", "pandas", "pyarrow", "warm_up"]


def warm_up() -> None:
    """Import all lessons, make the answer that most visits begin with, list the models, and pack the script of the figures."""
    first = next(iter(PAGES))
    answer(Question(Settings(first), None, "en", coarse=False))
    model_settings()
    packed()
