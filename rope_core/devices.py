"""The device that computations run on."""

from __future__ import annotations

import torch


def best_device() -> torch.device:
    """Return the device to compute on: a CUDA GPU if there is one, else the CPU; Apple's MPS has no float64.

    Returns:
        ``cuda``, the current device if there are several, or ``cpu``.
    """
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def or_cpu(device: torch.device | None) -> torch.device:
    """Return the CPU for None, regardless of ``torch.set_default_device``."""
    return torch.device("cpu") if device is None else device
