"""The bare live page behind the same server."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st

from server.assets import plotly_route


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Import what the page needs, and leave it out of every collection."""
    import plotly.graph_objects
    import torch

    _ = plotly, torch
    gc.collect()
    gc.freeze()
    yield


app = st.App(Path(__file__).with_name("live_page.py"), lifespan=lifespan, routes=[plotly_route()])
