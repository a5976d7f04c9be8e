"""The ASGI application: ``uvicorn app:app --lifespan on`` serves it, ``streamlit run app.py`` develops on it.

The main script is ``ui/shell.py``, not this file: beside a main script Streamlit would take ``pages/`` for pages of its own.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware

from ui.assets import plotly_route
from ui.garbage import collect_for_ever, freeze
from ui.origin import OwnPages
from ui.security import KnownHosts, SecurityHeaders
from ui.settings import read_environment
from ui.streams import WholeFirstRuns
from ui.turns import TakeTurns

ROOT = Path(__file__).resolve().parent


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Do once, before the first visitor, what every visitor would wait for."""
    from ui.warmup import warm_up

    warm_up()
    freeze()
    collector = asyncio.create_task(collect_for_ever())
    yield
    collector.cancel()


read_environment(os.environ)
GUARDS = [Middleware(SecurityHeaders), Middleware(KnownHosts), Middleware(OwnPages), Middleware(WholeFirstRuns), Middleware(TakeTurns)]
app = st.App(ROOT / "ui/shell.py", lifespan=lifespan, routes=[plotly_route()], middleware=GUARDS)
