"""The app itself without ``gc.freeze``: what that line is worth."""

import gc

gc.freeze = lambda: None

from app import app  # noqa: E402

__all__ = ["app"]
