"""Import what is slow to import, and draw one figure, so that the first visitor finds both done.

What is imported here is frozen (app.py). What a first visit imported would not be, and every full collection of garbage would look at it:
pandas and pyarrow alone, which Streamlit imports at the first page, are 13 ms.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pandas
import pyarrow.compute
import pyarrow.pandas_compat
import pyarrow.vendored.version
import torch
from PIL import ImageFile

from lessons.registry import PAGES
from parameters.presets import model_settings
from parameters.settings import Settings
from server.answers import Question, answer
from server.assets import packed

__all__ = ["ImageFile", "pandas", "pyarrow", "warm_up"]


def warm_up() -> None:
    """Import all lessons, make the answer that most visits begin with, list the models, and pack the script of the figures."""
    torch.set_num_threads(1)  # the cores are for several visitors: threads of one computation only wait for each other there
    first = next(iter(PAGES))
    with ThreadPoolExecutor(1) as other:
        other.submit(packed)  # works outside of Python
        answer(Question(Settings(first), None, "en", coarse=False))
        model_settings()
