"""One live slider and one live line of 1,000 points: the least that a live page can be."""

import numpy as np
import streamlit as st

from figures.drawing import Drawing
from ui import live

STOPS = [float(stop) for stop in range(0, 1001, 5)]


@st.fragment
def page() -> None:
    held = live.move("value")
    value = st.session_state.get("value", 10.0) if held is None else held
    live.slider("value", label="value", help="", stops=STOPS, texts=[f"{stop:g}" for stop in STOPS], value=value)
    x = np.arange(1000.0)
    live.chart(Drawing([{"type": "scatter", "x": x, "y": np.sin(x * value / 1000)}], {"height": 440}), key="line", alt="a line")


page()
