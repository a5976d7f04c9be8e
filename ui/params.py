"""Everything a reader can set: declared once, drawn as widgets, carried by the link, checked on the way in.

``PARAMETERS`` says what each parameter may be. A page draws ``number("m")``, ``choice("vectors")`` or ``vector("q")`` and gets an allowed
value, always; ``method("scaling")`` gives a method of context extension or None. In each case one box owns the value and is bound to the
address (``?m=12``), so that reloads, shared links, the back button and page switches are Streamlit's work; a slider or a row of buttons
follows the box and writes into it. The box keeps whatever it was given; what is not allowed is replaced by the default and named in the
one notice that the shell shows.

Rule: a name is drawn by the shell or by exactly one page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from typing import TypeVar

import streamlit as st
from streamlit.errors import StreamlitAPIException

from rope_core import RopeConfigError, Scaling
from ui import boxes, current, echo, live, locks
from ui.frame import ask_for_frame, lesson_name
from ui.i18n import _
from ui.kinds import Carried, Choice, Method, Number, Vector
from ui.methods import from_text
from ui.notices import Problem, refuse, report
from ui.parameters import PARAMETERS, SHARED
from ui.registry import LESSONS, Lesson

S = TypeVar("S")
GREYING = {choice for lesson in LESSONS.values() for codes in lesson.idle_while.values() for choice in codes}
"""Choices that decide which shared parameters a page depends on."""


def number(name: str, *, high: float | None = None, disabled: bool = False) -> float:
    """Draw slider and box of a number, and give its value.

    Args:
        name: A ``Number`` of ``PARAMETERS``; also the key of the box and the parameter in the address.
        high: An upper bound that depends on another parameter, such as the last pair.
        disabled: Show the value without letting it change.
    """
    spec = _spec(name, Number)
    high = spec.high if high is None else min(spec.high, high)
    default = float(min(spec.default, high))
    disabled, hidden = disabled or locks.is_held(name), locks.is_hidden(name)
    raw = st.query_params.get(name, "0")  # before the box is drawn: it drops what it cannot read
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key=f"hidden-{name}" if hidden else None):
        place = st.container(width="stretch")
        typed = _number_box(name, default, disabled=disabled)
    value = typed + 0.0 if typed is not None and spec.accepts(typed, high) else default  # no minus zero
    with place:
        if name == hero() and name not in SHARED and not hidden:
            hero_slider(name, value, high)
        elif not hidden:
            _native_slider(name, value, high, disabled=disabled)
    if not _is_finite(raw) or value != typed:
        rules = {0: _("a number from {low} to {high}"), 1: _("a whole number from {low} to {high}")}
        rule = rules.get(spec.step, _("a multiple of {step} from {low} to {high}"))
        rule = rule.format(low=_readable(spec.low), high=_readable(high), step=spec.step)
        report(Problem(_(spec.label), rule, f"{typed:.15g}" if _is_finite(raw) and typed is not None else raw, _readable(value)))
    return current.use(name, _held(name, value, high), accepts=lambda other: spec.accepts(other, high))


def _number_box(name: str, default: float, *, disabled: bool) -> float | None:
    """Draw the box of a number, and give what it holds, allowed or not."""
    spec = _spec(name, Number)
    boxes.note(name, default)
    locks.set_box(name, default)
    # No min, max or int: the box would answer in English, read 1e3 as 1, and swap 40 for the default when a bound shrinks.
    typed = st.number_input(
        _(spec.label),
        value=default,
        step=float(spec.step or 1),
        format="%.15g",
        key=name,
        bind="query-params",
        persist_state="session",  # a control that a view does not draw keeps its value
        label_visibility="collapsed",
        width=156,
        disabled=disabled,
    )
    return locks.keep(name, typed, default)


def hero() -> str | None:
    """Name the parameter that the page's figure follows while a hand moves it."""
    return LESSONS[lesson_name()].hero if "_lesson" in st.session_state else None


def hero_slider(name: str, value: float, high: float) -> None:
    """Draw the live slider of a number; Streamlit's own where the browser has no live components."""
    spec = _spec(name, Number)
    stops = _stops(spec, value, high)
    disabled = locks.is_held(name)
    if live.is_off() or len(stops) == 1:
        _native_slider(name, value, high, disabled=disabled)
    else:
        texts = [_readable(stop) for stop in stops]
        live.slider(name, label=_(spec.label), help=_(spec.help), stops=stops, texts=texts, value=value, disabled=disabled)


def _native_slider(name: str, value: float, high: float, *, disabled: bool) -> None:
    spec, slider = _spec(name, Number), f"{name}.slider"
    echo.mirror(slider, value)
    stops = _stops(spec, value, high)
    if len(stops) == 1:
        st.markdown(f"{_(spec.label)}: {_readable(value)}")
        return
    st.select_slider(
        _(spec.label),
        stops,
        value,
        format_func=_readable,
        key=slider,
        help=_(spec.help),
        on_change=follow,
        args=(name, slider),
        disabled=disabled,
    )


def _stops(spec: Number, value: float, high: float) -> list[float]:
    return sorted({_plain(stop) for stop in (spec.low, value, high, *spec.stops) if spec.low <= stop <= high})


def _held(name: str, value: float, high: float) -> float:
    """Give the value that a hand holds a live slider at, where it holds it and the value is allowed."""
    held = live.move(name)
    return held if held is not None and _spec(name, Number).accepts(held, high) else value


def whole(name: str, *, high: float | None = None) -> int:
    """Draw a number that counts something."""
    return int(number(name, high=high))


def choice(name: str, *, disabled: bool = False) -> str:
    """Draw a row of buttons for a ``Choice``, and give its code."""
    spec, buttons = _spec(name, Choice), f"{name}.buttons"
    value = hidden_box(name, spec.default)
    code = value if value in spec.options else spec.default
    if not locks.is_hidden(name):
        echo.mirror(buttons, code)
        st.segmented_control(
            _(spec.label),
            list(spec.options),
            required=True,
            format_func=lambda option: _(spec.options[option]),
            key=buttons,
            help=_(spec.help),
            on_change=follow,
            args=(name, buttons),
            disabled=disabled or locks.is_held(name),
        )
    if code != value:
        rule = _("one of {options}").format(options=", ".join(spec.options))
        report(Problem(_(spec.label), rule, value, code))
    return current.use(name, code)


def vector(name: str) -> list[float]:
    """Draw a box for several numbers, and give them."""
    spec = _spec(name, Vector)
    text = _typed(spec, name, help=_("{help} ({rule}).").format(help=_(spec.help).rstrip(".。"), rule=_vector_rule(spec)))
    values = spec.parse(text)
    if values is None:
        report(Problem(_(spec.label), _vector_rule(spec), text, spec.default))
        text, values = spec.default, spec.parse(spec.default) or []
    given = current.use(name, text)
    return values if given == text else spec.parse(given) or []


def search(name: str) -> str:
    """Draw a box that takes any text, and give what stands in it; empty until somebody looks for something."""
    spec = _spec(name, Carried)
    return current.use(name, _typed(spec, name, help=_(spec.help)))


def method(name: str, *, disabled: bool = False) -> Scaling | None:
    """Draw the hidden box of a ``Method``, and give what it holds; None where that is nothing, or nothing that is allowed."""
    text = hidden_box(name, _spec(name, Method).default, disabled=disabled)
    try:
        return from_text(text)
    except RopeConfigError as error:
        refuse(_(PARAMETERS[name].label), error)
        return None


def settings(page: str) -> dict[str, float | str]:
    """Give what a page is set to, once it has run: the shared parameters that count there, then its own."""
    used, lesson = current.used(), LESSONS[page]
    own = {name: value for name, value in used.items() if name not in SHARED}
    return {name: used[name] for name in SHARED if name in used and not is_idle(lesson, name)} | own


def is_idle(lesson: Lesson, name: str) -> bool:
    """Say whether nothing on a page, as it is set, depends on a shared parameter."""
    return name not in lesson.uses or _is_idle(lesson.idle_while.get(name, {}))


def _is_idle(choices: Mapping[str, tuple[str, ...]]) -> bool:
    return bool(choices) and all(peek(other) in codes for other, codes in choices.items())


def shared(name: str) -> float:
    """Give a shared number, always an allowed one: what a hand holds it at, else what its box holds."""
    spec = _spec(name, Number)
    return current.use(name, _held(name, resting(name), spec.high))


def resting(name: str) -> float:
    """Give what the box of a shared number holds, where it is allowed, else the default."""
    spec = _spec(name, Number)
    value = locks.keep(name, st.session_state[name], spec.default)
    return float(value if value is not None and spec.accepts(value, spec.high) else spec.default)


def shared_choice(name: str) -> str:
    """Give the code of a shared choice, always an allowed one."""
    spec = _spec(name, Choice)
    code = locks.keep(name, st.session_state[name], spec.default)
    return current.use(name, str(code) if code in spec.options else spec.default)


def shared_method(name: str) -> Scaling | None:
    """Give a shared method, always an allowed one."""
    text = str(locks.keep(name, st.session_state[name], "") or "")
    try:
        from_text(text)
    except RopeConfigError:  # named when its box was drawn
        text = ""
    return from_text(current.use(name, text))


def assign(**values: float | str) -> None:
    """Set several parameters at once, but none that the link holds: the ``on_click`` of a "try this" button."""
    ask_for_frame()
    put(values)


def put(values: Mapping[str, float | str]) -> None:
    """Set parameters, before the run that draws them."""
    live.forget(values)
    for name, new in values.items():
        if locks.is_held(name):
            continue
        echo.put(name, new if isinstance(new, str) else _plain(new))
        if name in PARAMETERS and new == PARAMETERS[name].default and name not in st.query_params:
            continue  # an address leaves defaults out
        # A box on screen is bound, and Streamlit writes its address; one that this button brings in is not yet.
        with suppress(StreamlitAPIException):
            st.query_params[name] = new if isinstance(new, str) else f"{new:.15g}"


def leave_for(page: str, settings: Mapping[str, float | str]) -> None:
    """Set several parameters and turn to another page: the ``on_click`` of a button; the page that runs next turns."""
    assign(**settings)
    st.session_state["_leaving"] = (page, dict(settings))


def leave() -> None:
    """Turn to the page that a button asked for, if one did."""
    page, settings = st.session_state.pop("_leaving", (None, {}))
    if page:
        st.switch_page(LESSONS[page].path, query_params=_unwritten(settings))


def _unwritten(settings: Mapping[str, float | str]) -> dict[str, str]:
    """Write for the address what Streamlit does not: values that are no defaults, of boxes that it has not drawn yet.

    It refuses to be given others, and adds those itself.
    """
    given: dict[str, str] = {}
    for name, value in settings.items():
        if value != PARAMETERS[name].default:
            with suppress(StreamlitAPIException):
                st.query_params[name] = text = value if isinstance(value, str) else f"{value:.15g}"
                given[name] = text
    return given


def hidden_box(name: str, default: str, *, disabled: bool = False) -> str:
    """Draw the box that owns a code. The shell hides it: the words on the buttons are translated, what the link carries is not."""
    with st.container(key=f"hidden-{name}"):
        return _text_box(name, name, default, disabled=disabled)


def _typed(spec: Vector | Carried, name: str, *, help: str) -> str:
    """Draw the box that readers type a text into, unless the link hides it."""
    return hidden_box(name, spec.default) if locks.is_hidden(name) else _text_box(name, _(spec.label), spec.default, help=help)


def _text_box(name: str, label: str, default: str, *, help: str | None = None, disabled: bool = False) -> str:
    """Draw the box that owns a text, and give what it holds, allowed or not."""
    boxes.note(name, default)
    locks.set_box(name, default)
    disabled = disabled or locks.is_held(name)
    text = st.text_input(label, default, key=name, bind="query-params", persist_state="session", help=help, disabled=disabled)
    return locks.keep(name, text, default) or ""


def follow(name: str, follower: str) -> None:
    """Write what a follower was moved to into the box that owns the value."""
    if echo.is_late(follower):
        return
    echo.put(name, st.session_state[follower])
    if name in GREYING:
        ask_for_frame()


def peek(name: str) -> str:
    """Give the code of a choice that the page has yet to draw."""
    code = locks.keep(name, st.session_state.get(name) or st.query_params.get(name), _spec(name, Choice).default)
    return code if code in _spec(name, Choice).options else _spec(name, Choice).default


def peek_number(name: str, *, high: float | None = None) -> float:
    """Give a number whose box has yet to be drawn, where it is allowed, else the default."""
    spec = _spec(name, Number)
    high = spec.high if high is None else min(spec.high, high)
    given = st.session_state.get(name)
    given = st.query_params.get(name) if given is None else given
    with suppress(TypeError, ValueError):
        value = float(locks.keep(name, given, spec.default))
        if spec.accepts(value, high):
            return value
    return float(min(spec.default, high))


def peek_method(name: str) -> Scaling | None:
    """Give a method whose box has yet to be drawn."""
    with suppress(RopeConfigError):
        text = locks.keep(name, st.session_state.get(name) or st.query_params.get(name), "")
        return from_text(text or _spec(name, Method).default)
    return None


def allowed(name: str, text: str) -> float | str | None:
    """Read a value as links carry it; None where no page would take it."""
    spec = PARAMETERS.get(name)
    if isinstance(spec, Number):
        value = float(text) if _is_finite(text) else math.nan
        return _plain(value) if spec.accepts(value, spec.high) else None
    if isinstance(spec, Choice):
        return text if text in spec.options else None
    if isinstance(spec, Vector):
        return text if spec.parse(text) is not None else None
    if isinstance(spec, Method):
        with suppress(RopeConfigError):
            from_text(text)
            return text
        return None
    return text if spec else None  # what a page carries, it reads itself


def _spec(name: str, kind: type[S]) -> S:
    spec = PARAMETERS[name]
    assert isinstance(spec, kind), f"{name} is a {type(spec).__name__}"
    return spec


def _vector_rule(spec: Vector) -> str:
    if spec.shortest == spec.longest:
        many = _("{count} numbers")
    else:
        many = _("{shortest} to {longest} whole numbers") if spec.whole else _("{shortest} to {longest} numbers")
    between = _("from {low} to {high}")
    return " ".join((many, between)).format(
        count=spec.shortest, shortest=spec.shortest, longest=spec.longest, low=_readable(spec.low), high=_readable(spec.high)
    )


def _plain(value: float) -> float:
    """Give whole numbers as integers: the address then says 500000, not 500000.0."""
    return int(value) if value == int(value) else float(value)


def _readable(value: float) -> str:
    return f"{value:,.15g}"


def _is_finite(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False
