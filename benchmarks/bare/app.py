"""A bare page behind the same server as the app, with torch imported and the same care for the garbage collector."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import plotly.graph_objects
import streamlit as st
import torch

__all__ = ["app", "plotly", "torch"]


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Leave the imports out of every collection, as the app does."""
    gc.collect()
    gc.freeze()
    yield


app = st.App(Path(__file__).with_name("page.py"), lifespan=lifespan)
