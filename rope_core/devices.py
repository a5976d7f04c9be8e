"""Where the core computes."""

from __future__ import annotations

import torch


def best_device() -> torch.device:
    """Give the first CUDA device where there is one, else the CPU; Apple's MPS has no float64."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def or_cpu(device: torch.device | None) -> torch.device:
    """Give the CPU for None, whatever ``torch.set_default_device`` says."""
    return torch.device("cpu") if device is None else device
