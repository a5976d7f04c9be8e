"""Import what is slow to import, and draw one figure, so that the first visitor finds both done."""

from __future__ import annotations

import torch

import figures.clocks
import figures.plane
from figures.decay import DecayWords, score_band
from rope_core import RopeConfig, best_device, catalogue_models, inverse_frequencies, phasors, score_envelope
from ui.assets import packed

__all__ = ["figures", "warm_up"]


def warm_up() -> None:
    """Compute and draw a small decay figure on the device that the pages use, and pack the script of the charts."""
    packed()
    catalogue_models()  # the sidebar lists them
    config, device = RopeConfig(16), best_device()
    ones = torch.ones(16, dtype=torch.float64, device=device)
    edges = torch.arange(1, 66, device=device)
    low, high = score_envelope(phasors(ones, ones, config), inverse_frequencies(config, device=device), edges)
    words = DecayWords(**dict.fromkeys(DecayWords.__dataclass_fields__, ""))
    score_band(edges[:-1].double().cpu().numpy(), low.cpu().numpy(), high.cpu().numpy(), reach=65, context=32, words=words).to_json()
