"""One slider and one line of 1,000 points."""

import numpy as np
import plotly.graph_objects as go
import streamlit as st

value = st.slider("value", 0, 1000, 12, key="value")
x = np.arange(1000.0)
st.plotly_chart(go.Figure([{"type": "scatter", "x": x, "y": np.sin(x * value / 1000)}], {"height": 440, "template": "none"}), key="line")
