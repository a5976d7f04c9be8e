"""What holds for every figure: nothing in it can go wrong in a browser."""

import base64
import json
import re

import numpy as np
import plotly.graph_objects as go

from figures import theme


def say(text):
    """Translate so that it shows where a text ended up."""
    return f"said {text}"


def sent(drawing):
    """Return a figure as it goes to the browser."""
    return json.loads(drawing.to_json())


def array(part):
    """Read numbers as they are sent."""
    return np.frombuffer(base64.b64decode(part["bdata"]), part["dtype"]) if isinstance(part, dict) else np.array(part, float)


def texts(part):
    """Yield all texts of a part of a figure."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, inner in part.items():
            if key not in ("bdata", "template"):
                yield from texts(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from texts(inner)


def assert_sound(drawing):
    """See that a figure has the one template, fits a screen, can be sent, and has a word for everything that is shown."""
    figure = sent(drawing)
    assert isinstance(drawing.figure, go.Figure)
    assert drawing.layout.template.layout.colorway[0] == theme.Q
    assert 300 <= drawing.layout.height <= 440
    assert "frames" not in figure or not figure["frames"]
    assert not {"sliders", "updatemenus"} & figure["layout"].keys()
    assert len(drawing.to_json()) < 500_000
    assert not [text for text in texts(figure) if re.search(r"\$|\\|[\x00-\x1f]|(?<!%)\{\w*\}", text)]
    assert {trace["type"] for trace in figure["data"]} <= {"scatter", "bar"}, "none is drawn by WebGL"
    for name, axis in figure["layout"].items():
        if re.fullmatch(r"[xy]axis\d*", name) and axis.get("visible", True):
            assert axis["title"].get("text") or axis.get("showticklabels") is False
    for trace in figure["data"]:
        assert trace.get("name") or trace.get("hoverinfo") == "skip" or trace.get("showlegend") is False
        assert not trace.get("name", "").startswith("trace")
        long = [trace[axis] for axis in "xy" if len(array(trace[axis])) > 64]
        assert all(isinstance(part, dict) and part["dtype"] in ("f4", "f8") for part in long), "long traces travel as binary floats"
    assert_told_apart(figure["data"])


def assert_told_apart(traces):
    """See that no two entries of the legend differ in colour alone."""
    looks = [
        (
            trace["type"],
            trace.get("mode"),
            trace.get("line", {}).get("dash"),
            trace.get("line", {}).get("width"),
            trace.get("marker", {}).get("symbol"),
            "fill" in trace,
        )
        for trace in traces
        if trace.get("name") and trace.get("showlegend", True)
    ]
    assert len(set(looks)) == len(looks)
