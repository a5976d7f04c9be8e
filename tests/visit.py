"""Visit the app as a reader does, without a browser: open pages, move controls, look at what is drawn.

Every run goes through ``checked``: AppTest raises nothing when a script fails, and shows nothing where there is no frame.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import json
import logging
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest

from ui.i18n import CATALOGUES
from ui.kinds import Carried, Choice, Method, Number, Vector
from ui.parameters import PARAMETERS, SHARED
from ui.registry import LESSONS

SHELL = Path(__file__).resolve().parents[1] / "ui/shell.py"
Value = float | str
FORMULA = re.compile(r"^\$\$\n(.*?)\n\$\$$", re.MULTILINE | re.DOTALL)

# AppTest calls Streamlit outside a script, and Streamlit says so each time.
logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").disabled = True


def open_page(name: str, lang: str = "en", /, *, browser: dict[str, str] | None = None, **query: str | list[str]) -> AppTest:
    """Open a page in a fresh session, through a link that carries ``query``; ``lang=""`` leaves the language out of the link."""
    at = AppTest.from_file(SHELL, default_timeout=60)
    at.query_params |= {"lang": lang} | query if lang else query
    at.context = browser or {}
    go(at, name)
    _freeze()
    return at


@functools.cache
def _freeze() -> None:
    """As the app does once it is warm: Streamlit collects garbage after every run, and would look at all of torch each time."""
    gc.collect()
    gc.freeze()


def go(at: AppTest, name: str) -> AppTest:
    """Turn to another page of the same session."""
    at.switch_page(f"../pages/{name}.py").run()
    return checked(at, name)


def run(at: AppTest) -> AppTest:
    """Run the page again, after a control was moved."""
    at.run()
    return checked(at)


def checked(at: AppTest, name: str | None = None) -> AppTest:
    """See that the page ran to its end within its frame."""
    assert not at.exception, [error.message for error in at.exception]
    assert not at.error, [error.value for error in at.error]
    lesson_names = [name] if name else list(LESSONS)
    assert len(at.title) == 1
    assert at.title[0].value in {in_language(at, LESSONS[each].question) for each in lesson_names}
    return at


def in_language(at: AppTest, message: str) -> str:
    """Say a message in the language that the page speaks."""
    return CATALOGUES[at.selectbox(key="lang.choice").value].gettext(message)


# Controls.


def drawn(at: AppTest) -> list[str]:
    """Names of the parameters whose controls stand on the page, the frame's included."""
    boxes = {box.key for box in (*at.number_input, *at.text_input)}
    return [name for name in PARAMETERS if name in boxes]


def disabled(at: AppTest, name: str) -> bool:
    """Whether the control cannot be moved; its parts agree about that."""
    spec = PARAMETERS[name]
    parts = [at.number_input(key=name)] if isinstance(spec, Number) else []
    parts += [slider for slider in at.select_slider if slider.key == f"{name}.slider"]
    parts += [buttons for buttons in at.get("button_group") if buttons.key == f"{name}.buttons"]
    parts += [at.text_input(key=name)] if isinstance(spec, Vector | Method | Carried) or not parts else []
    states = {part.proto.disabled for part in parts} | {each.disabled for each in live_sliders(at) if each.name == name}
    assert len(states) == 1, f"parts of {name} disagree"
    return states.pop()


def value(at: AppTest, name: str) -> Value:
    """What the box that owns the parameter holds."""
    box = at.number_input if isinstance(PARAMETERS[name], Number) else at.text_input
    return box(key=name).value


def move(at: AppTest, /, **settings: Value) -> AppTest:
    """Set parameters one after the other, each where a reader would: a number in its box, a choice by its button.

    A method has no control but the address, which writes into its box.
    """
    for name, new in settings.items():
        spec = PARAMETERS[name]
        if value(at, name) == new:
            continue
        if isinstance(spec, Number):
            at.number_input(key=name).set_value(float(new))
        elif isinstance(spec, Choice):
            buttons(at, name).set_value(new)
        else:
            at.text_input(key=name).set_value(new)
        run(at)
    return at


def buttons(at: AppTest, name: str) -> Any:
    return next(group for group in at.get("button_group") if group.key == f"{name}.buttons")


@dataclass(frozen=True)
class LiveSlider:
    """The slider of a page's hero: a component, which AppTest cannot move, so that a resting hand is a number in the box."""

    at: AppTest
    name: str
    key: str
    label: str
    help: str
    ask: str
    stops: list[float]
    texts: list[str]
    index: int
    disabled: bool
    hold: int

    @property
    def value(self) -> float:
        return self.stops[self.index]

    @property
    def options(self) -> list[str]:
        return self.texts

    def set_value(self, new: float) -> None:
        self.at.number_input(key=self.name).set_value(float(new))


def live_sliders(at: AppTest) -> list[LiveSlider]:
    """The live sliders of the page: one where its hero is drawn, else none."""
    sliders = [each for each in at.get("bidi_component") if each.proto.component_name == "rope-lab-slider"]
    return [LiveSlider(at, each.key.removesuffix(".live"), each.key, **json.loads(each.proto.json)) for each in sliders]


def send(at: AppTest, element: Any, **state: Any) -> AppTest:
    """Run the page with the state that a browser would send for one control, in the words of the protocol.

    AppTest knows no components, and for lists asks for values that only the page knows.
    """
    states = at._tree.get_widget_states()
    others = [each for each in states.widgets if each.id != element.proto.id]
    at._run(WidgetStates(widgets=[*others, WidgetState(id=element.proto.id, **state)]))
    return checked(at)


def drag(at: AppTest, message: object) -> AppTest:
    """Have the live slider of the page say something."""
    [slider] = [each for each in at.get("bidi_component") if each.proto.component_name == "rope-lab-slider"]
    message = {"hold": live_sliders(at)[0].hold} | message if isinstance(message, dict) else message
    return send(at, slider, json_value=json.dumps({"move": message}))


def sliders(at: AppTest) -> list[Any]:
    """All sliders, Streamlit's own and the live one."""
    return [*at.select_slider, *live_sliders(at)]


def slider(at: AppTest, name: str) -> Any:
    """The slider beside the box of a number."""
    return next(each for each in sliders(at) if each.key in (f"{name}.slider", f"{name}.live"))


def stops(at: AppTest, name: str) -> list[float]:
    """The numbers on which a slider stops."""
    return [float(option.replace(",", "")) for option in slider(at, name).options]


def choices(at: AppTest) -> list[str]:
    """The choices of the page itself, not those of the frame."""
    return [name for name in drawn(at) if isinstance(PARAMETERS[name], Choice) and name not in SHARED]


class Sight(NamedTuple):
    """What was seen in one view of a page, as it opens."""

    choices: dict[str, str]
    drawn: list[str]
    idle: list[str]
    look: str


@functools.cache
def views(name: str) -> tuple[Sight, ...]:
    """Every combination of choices that a page offers, found by walking through them in one session."""
    at = open_page(name)
    found: dict[tuple[tuple[str, str], ...], Sight] = {}
    waiting: list[dict[str, str]] = [{}]
    while waiting:
        show(at, waiting.pop())
        here = {choice: str(value(at, choice)) for choice in choices(at)}
        if tuple(here.items()) not in found:
            names = drawn(at)
            found[tuple(here.items())] = Sight(here, names, [each for each in names if disabled(at, each)], look(at))
            waiting += [here | {choice: option} for choice in here for option in PARAMETERS[choice].options if option != here[choice]]
    return tuple(found.values())


def show(at: AppTest, view: dict[str, str]) -> AppTest:
    """Go to a view of the page, where its choices are offered."""
    for choice, option in view.items():
        if choice in drawn(at):
            move(at, **{choice: option})
    return at


# What is shown.


def message(at: AppTest) -> dict[str, Any]:
    """What the chart of the page gets: its figure, its message in words, and perhaps its frames."""
    return read(sent(at))


def messages(at: AppTest) -> list[dict[str, Any]]:
    """What each chart gets: two matrices to compare stand side by side."""
    return [read(each.proto.bytes) for each in _charts(at)]


def sent(at: AppTest) -> bytes:
    """What the only chart gets, as it travels."""
    (chart,) = _charts(at)
    data: bytes = chart.proto.bytes
    return data


def _charts(at: AppTest) -> list[Any]:
    return [each for each in at.get("bidi_component") if each.proto.component_name == "rope-lab-chart"]


def read(data: bytes) -> dict[str, Any]:
    """What chart.js makes of a message: JSON behind its length, then the arrays it names."""
    length = int.from_bytes(data[:4], "little")
    arrays = -(-(4 + length) // 8) * 8

    def revive(part: dict[str, Any]) -> Any:
        if not part.keys() >= {"at", "dtype", "shape"}:
            return part
        cells = np.frombuffer(data, "<" + part["dtype"], math.prod(part["shape"]), arrays + part["at"]).reshape(part["shape"])
        return np.where(cells == part["nothing"], np.nan, part["low"] + cells * part["step"]) if "step" in part else cells

    message: dict[str, Any] = json.loads(data[4 : 4 + length], object_hook=revive)
    return message


def formulas(at: AppTest) -> list[str]:
    """The lines of TeX on the page."""
    return [line for element in at.markdown for line in FORMULA.findall(element.value)]


def prose(at: AppTest) -> list[str]:
    """The words on the page, without formulas."""
    said = [element.value for element in (*at.title, *at.header, *at.subheader, *at.markdown, *at.info, *at.caption)]
    return [FORMULA.sub("", text) for text in said]


def look(at: AppTest) -> str:
    """What the figure looks like, in one short word to compare: no diff of two long texts when a test fails."""
    shown = message(at)
    return hashlib.sha256(json.dumps([shown["figure"], shown["framesId"]], sort_keys=True, default=np.ndarray.tolist).encode()).hexdigest()


def figure(at: AppTest) -> dict[str, Any]:
    """The figure with its arrays as numpy; its frames where they came along."""
    shown = message(at)
    drawn: dict[str, Any] = shown["figure"] | {"frames": shown.get("frames", [])}
    return drawn


def alt(at: AppTest) -> str:
    said: str = message(at)["alt"]
    return said


def texts(part: Any) -> Iterable[str]:
    """Every text in a figure; "top center" says where one stands."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, inner in part.items():
            if key != "textposition":
                yield from texts(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from texts(inner)
