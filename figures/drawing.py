"""A figure as plotly.js takes it: plain dictionaries, of which Plotly's own object is made only if someone asks for it.

Building ``go.Figure``, copying it and writing it out again was half of a step of a slider, checks or not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import plotly.graph_objects as go


class Drawing:
    """Traces and layout; whatever else ``go.Figure`` can do is asked of one that is made then.

    Attributes:
        traces: As plotly.js wants them, without the shorthand of plotly.py; nobody writes into them.
        plain_layout: The same of the layout.
    """

    def __init__(self, traces: Sequence[Mapping[str, Any]], layout: Mapping[str, Any]) -> None:
        self.traces, self.plain_layout = traces, layout

    @cached_property
    def figure(self) -> go.Figure:
        """Plotly's object, made without its checks: a test holds every figure of every page against the checked one."""
        return go.Figure(list(self.traces), self.plain_layout, _validate=False)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copying and pickling ask before anything is set
            raise AttributeError(name)
        return getattr(self.figure, name)
