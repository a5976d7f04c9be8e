"""Visit the app as a reader does, without a browser: open pages, move controls, look at what is drawn.

Every run goes through ``checked``: AppTest raises nothing when a script fails. Where a page completes its address, this does it as the
browser would; and after each run the address must say what the visit is set to.
"""

from __future__ import annotations

import functools
import gc
import hashlib
import json
import logging
import math
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from streamlit.testing.v1 import AppTest

from lessons.registry import PAGES
from locales import CATALOGUES, negotiate, speaking
from parameters import PARAMETERS
from parameters.types import Method, Names, Number, write

SHELL = Path(__file__).resolve().parents[1] / "ui/shell.py"
Value = float | str
WRONG = ":material/cancel:"
"""The sign of a wrong answer, which is no failure."""
FORMULA = re.compile(r"\$\$\n(.*?)\n\$\$", re.DOTALL)

# AppTest calls Streamlit outside a script, and Streamlit says so each time.
logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").disabled = True


def open_page(name: str, lang: str = "en", /, *, browser: Mapping[str, Any] | None = None, **query: str | list[str]) -> AppTest:
    """Open a page in a fresh session, through a link that carries ``query``; ``lang=""`` leaves the language out of the link."""
    at = AppTest.from_file(SHELL, default_timeout=120)
    at.context = dict(browser or {})
    _freeze()
    return go(at, name, **({"lang": lang} if lang else {}), **query)


@functools.cache
def _freeze() -> None:
    """Do as the app does once it is warm: Streamlit collects garbage after every run, and would look at all of torch each time."""
    gc.collect()
    gc.freeze()


def go(at: AppTest, name: str, /, **query: str | list[str]) -> AppTest:
    """Turn to another page of the session by a link, which says nothing but ``query``."""
    at.switch_page(f"../pages/{name}.py")
    at.query_params = {each: text for each, text in at.query_params.items() if each.startswith("embed")} | query
    return run(at, name)


def edit(at: AppTest, /, **query: str | list[str]) -> AppTest:
    """Have another address for the same page, as Back, Forward and whoever edits it do."""
    at.query_params = dict(query)
    return run(at)


def run(at: AppTest, name: str | None = None) -> AppTest:
    """Run the page, after a control was moved; AppTest writes options as the page last wrote them."""
    with speaking(language(at)):
        at.run()
    return checked(at, name)


def checked(at: AppTest, name: str | None = None) -> AppTest:
    """See that the page ran to its end within its frame, and that the address of the browser says what it is set to."""
    at._page_hash = ""  # where a button led, the next run goes on
    assert not at.exception, [error.message for error in at.exception]
    failures = [error.value for error in at.error if error.icon != WRONG]
    assert not failures, failures
    questions = {_in(at, PAGES[each].question) for each in ([name] if name else PAGES)}
    assert [title.value in questions for title in at.title] == [True] or address(at).get("present") == "1"
    replace = message(at)["replace"]
    if replace is not None:
        embed = {each: text for each, text in at.query_params.items() if each.startswith("embed")}
        at.query_params = embed | dict(parse_qsl(replace, keep_blank_values=True))
    assert {each: text[-1] if isinstance(text, list) else text for each, text in at.query_params.items()} == address(at) | embedded(at)
    return at


def embedded(at: AppTest) -> dict[str, str]:
    return {each: text for each, text in at.query_params.items() if each.startswith("embed")}


def language(at: AppTest) -> str:
    """Return the language that the page speaks."""
    return negotiate(address(at).get("lang")) or negotiate(at.context.get("locale")) or "en"


def _in(at: AppTest, text: str) -> str:
    """Say a text in the language that the page speaks."""
    return CATALOGUES[language(at)].gettext(text)


def address(at: AppTest) -> dict[str, str]:
    """Return what the visit has its page set to."""
    return dict(at.session_state["visit"].address) if "visit" in at.session_state else {}


# Controls.


def component(at: AppTest, key: str) -> Any:
    """Return a component, the figure or a number."""
    (found,) = [each for each in at.get("bidi_component") if each.key == key]
    return found


def numbers(at: AppTest) -> dict[str, dict[str, Any]]:
    """Return what the control of each number shows; the one that the page is about stands under the figure."""
    found = [json.loads(each.proto.json) for each in at.get("bidi_component") if each.key.startswith("number.")]
    live = message(at)["number"]
    return {each["name"]: each for each in [*found, *([live] if live else [])]}


def controls(at: AppTest) -> dict[str, Any]:
    """Return the controls of parameters by their names, in the order in which they stand on the page."""
    live, found = message(at)["number"], {}
    for element in at._tree:
        kind, _dot, name = (getattr(element, "key", None) or "").partition(".")
        if (kind in ("w", "number") and name in PARAMETERS) or (kind, name) == ("scaling", "remove"):
            found[kind if kind == "scaling" else name] = element
        elif element.type == "text_area":
            found["models_config"] = element
        elif name == "figure" and live:
            found[live["name"]] = element
    return found


def drawn(at: AppTest) -> list[str]:
    """Return the parameters whose controls stand on the page, in their order."""
    return list(controls(at))


def disabled(at: AppTest, name: str) -> bool:
    found = numbers(at).get(name)
    return bool(found["disabled"] if found else controls(at)[name].proto.disabled)


def value(at: AppTest, name: str) -> Any:
    """Return what a control shows."""
    found = numbers(at).get(name)
    return found["value"] if found else controls(at)[name].value


def move(at: AppTest, /, **settings: Value) -> AppTest:
    """Set parameters one after the other, each by its control."""
    for name, new in settings.items():
        spec = PARAMETERS[name]
        if isinstance(spec, Number):
            release(at, name, write(new))
        elif isinstance(spec, Method):
            assert not new, "a method can only be removed"
            press(at, "scaling.remove")
        else:
            controls(at)[name].set_value(str(new).split(",") if isinstance(spec, Names) else new)
            run(at)
    return at


def press(at: AppTest, key: str) -> AppTest:
    at.button(key=key).click()
    return run(at)


def release(at: AppTest, name: str, text: object, **message: object) -> AppTest:
    """Release the slider of a number, or type a text into its field."""
    found = [each for each in at.get("bidi_component") if each.key == f"number.{name}"]
    here = (found or [_figure(at)])[0]
    serial = (numbers(at).get(name) or {"seen": 0})["seen"] + 1
    return trigger(at, here, released={"text": text, "serial": serial, "name": name} | message)


def trigger(at: AppTest, element: Any, **events: object) -> AppTest:
    """Run the page with events of a component."""
    return send(at, triggered(element, **events))


def triggered(element: Any, **events: object) -> WidgetState:
    """Return events of a component in the words of the protocol; AppTest knows no components."""
    told = [{"event": event, "value": sent} for event, sent in events.items()]
    return WidgetState(id=_make_trigger_id(element.proto.id, "events"), json_trigger_value=json.dumps(told))


def send(at: AppTest, *states: WidgetState) -> AppTest:
    """Run the page with whatever a browser may send for some controls."""
    return checked(raw(at, *states))


def raw(at: AppTest, *states: WidgetState) -> AppTest:
    """Do the same without a look at what comes of it."""
    with speaking(language(at)):
        held = {each.id: each for each in at._tree.get_widget_states().widgets}
        return at._run(WidgetStates(widgets=list((held | {each.id: each for each in states}).values())))


# What is shown.


def _figure(at: AppTest) -> Any:
    (found,) = [each for each in at.get("bidi_component") if each.key.endswith(".figure")]
    return found


def message(at: AppTest) -> dict[str, Any]:
    """Return what the component of the figure gets, ``view`` read as well."""
    message = read(_figure(at).proto.bytes)
    return message | {"view": read(message["view"].tobytes())}


def read(data: bytes) -> dict[str, Any]:
    """Read a message as figure.js does: JSON behind its length, then the arrays that it names."""
    length = int.from_bytes(data[:4], "little")
    arrays = -(-(4 + length) // 8) * 8

    def revive(part: dict[str, Any]) -> Any:
        if not part.keys() >= {"at", "dtype", "shape"}:
            return part
        cells = np.frombuffer(data, "<" + part["dtype"], math.prod(part["shape"]), arrays + part["at"]).reshape(part["shape"])
        return np.where(cells == part["nothing"], np.nan, part["low"] + cells * part["step"]) if "step" in part else cells

    message: dict[str, Any] = json.loads(data[4 : 4 + length], object_hook=revive)
    return message


def view(at: AppTest) -> dict[str, Any]:
    """Return what is shown of the view: figures, verdict, sentences, how it compares with A."""
    shown: dict[str, Any] = message(at)["view"]
    return shown


def look(at: AppTest) -> str:
    """Return what is shown of the view in one short word to compare: no diff of two long texts when a test fails."""
    return hashlib.sha256(json.dumps(view(at), sort_keys=True, default=np.ndarray.tolist).encode()).hexdigest()


def figure(at: AppTest) -> dict[str, Any]:
    """Return the figure, its arrays as numpy."""
    drawn: dict[str, Any] = view(at)["figures"][0]["figure"]
    return drawn


def alt(at: AppTest) -> str:
    said: str = view(at)["figures"][0]["alt"]
    return said


def sentences(at: AppTest) -> list[str]:
    """Return what stands beside the figure, as HTML."""
    said: list[str] = view(at)["sentences"]
    return said


def formulas(at: AppTest) -> list[str]:
    """Return the lines of TeX on the page."""
    return [line for element in at.markdown for line in FORMULA.findall(element.value)]


def prose(at: AppTest) -> list[str]:
    """Return the words on the page, without formulas, and those beside the figure as they are read."""
    written = [*at.title, *at.header, *at.subheader, *at.markdown, *at.info, *at.success, *at.caption]
    return [FORMULA.sub("", element.value) for element in written] + [re.sub("<[^>]*>", " ", text) for text in sentences(at)]


def notices(at: AppTest) -> list[str]:
    """Return the lines of the one notice, if there is one."""
    assert len(at.warning) <= 1
    return [line.removeprefix("- ") for notice in at.warning for line in notice.value.splitlines()]


def texts(part: Any) -> Iterable[str]:
    """Yield every text in a figure; "top center" says where one stands."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, inner in part.items():
            if key not in ("textposition", "uirevision"):
                yield from texts(inner)
    elif isinstance(part, list):
        for inner in part:
            yield from texts(inner)
