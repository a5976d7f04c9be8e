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

from server.assets import plotly_route
from server.garbage import collect_forever, freeze
from server.limits import RunLimiter
from server.options import read_environment
from server.origin import SameOrigin
from server.reconnect import ResumeRuns
from server.security import KnownHosts, SecurityHeaders
from server.views import view_route

ROOT = Path(__file__).resolve().parent


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Do once, before the first visitor, what every visitor would wait for."""
    from server.warmup import warm_up

    warm_up()
    freeze()
    collector = asyncio.create_task(collect_forever())
    yield
    collector.cancel()


read_environment(os.environ)
GUARDS = [Middleware(SecurityHeaders), Middleware(KnownHosts), Middleware(SameOrigin), Middleware(ResumeRuns), Middleware(RunLimiter)]
app = st.App(ROOT / "ui/shell.py", lifespan=lifespan, routes=[plotly_route(), view_route()], middleware=GUARDS)
