"""Where the core computes."""

from __future__ import annotations

import torch


def best_device() -> torch.device:
    """Say where to compute: on a GPU of CUDA where there is one, else on the CPU; Apple's MPS has no float64.

    Returns:
        ``cuda``, which is the current one of several, or ``cpu``.
    """
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def or_cpu(device: torch.device | None) -> torch.device:
    """Give the CPU for None, whatever ``torch.set_default_device`` says."""
    return torch.device("cpu") if device is None else device
