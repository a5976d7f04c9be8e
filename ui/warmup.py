"""Import what is slow to import, and draw one figure, so that the first visitor finds both done.

What is imported here is frozen (app.py). What a first visit imported would not be, and every run of every visitor would end with a look at
it for garbage: pandas and pyarrow alone, which Streamlit imports at the first page, are 13 ms a run.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module

import pandas
import pyarrow.compute
import pyarrow.pandas_compat
import pyarrow.vendored.version
import torch
from PIL import ImageFile

from figures.decay import DecayWords, score_band
from rope_core import RopeConfig, best_device, catalogue_models, inverse_frequencies, phasors, score_envelope
from ui.assets import packed
from ui.registry import PAGES_FOLDER

__all__ = ["ImageFile", "pandas", "pyarrow", "warm_up"]


def warm_up() -> None:
    """Import all lessons, compute and draw a small decay figure on the device that the pages use, and pack the script of the charts."""
    for module in pkgutil.iter_modules([PAGES_FOLDER.with_name("lessons")]):  # by path, as the pages: this room knows neither
        import_module(f"lessons.{module.name}")
    packed()
    catalogue_models()  # the sidebar lists them
    config, device = RopeConfig(16), best_device()
    ones = torch.ones(16, dtype=torch.float64, device=device)
    edges = torch.arange(1, 66, device=device)
    low, high = score_envelope(phasors(ones, ones, config), inverse_frequencies(config, device=device), edges)
    words = DecayWords(**dict.fromkeys(DecayWords.__dataclass_fields__, ""))
    score_band(edges[:-1].double().cpu().numpy(), low.cpu().numpy(), high.cpu().numpy(), reach=65, context=32, words=words).to_json()
