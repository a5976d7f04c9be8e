"""The ASGI application: ``uvicorn app:app --lifespan on`` serves it, ``streamlit run app.py`` develops on it.

The main script is ``ui/shell.py``, not this file: beside a main script Streamlit would take ``pages/`` for pages of its own.
"""

from __future__ import annotations

import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from server.assets import plotly_route
from server.junk import JunkFilter, limit_log
from server.limits import RunLimiter
from server.lost import lost_routes
from server.options import read_environment
from server.origin import SameOrigin
from server.reconnect import ResumeRuns
from server.requests import RequestRules
from server.security import SecurityHeaders, trusted_hosts
from server.uploads import UploadLimiter
from server.views import view_route
from server.warmup import warm_up

ROOT = Path(__file__).resolve().parent


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Do once, before the first visitor, what every visitor would wait for."""
    import_module("ui.page")  # and all that it needs; a run would import it
    warm_up()
    limit_log()
    gc.collect()
    gc.freeze()  # no later collection looks at the modules, torch's among them
    yield


read_environment(os.environ)
GUARDS = [
    Middleware(SecurityHeaders),
    Middleware(TrustedHostMiddleware, allowed_hosts=trusted_hosts(), www_redirect=False),
    Middleware(SameOrigin),
    Middleware(RequestRules),
    Middleware(UploadLimiter),
    Middleware(JunkFilter),
    Middleware(ResumeRuns),
    Middleware(RunLimiter),
]
app = st.App(ROOT / "ui/shell.py", lifespan=lifespan, routes=[plotly_route(), view_route(), *lost_routes()], middleware=GUARDS)
