"""Pin the current setting as A and move on as B: both in every figure, and the difference in numbers.

A is a view that was shown, kept for the visit. Its settings are also in the link (``pin=page:name=value&...``); where a link brings them,
the page is drawn once with those settings, unseen, and then as its controls stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from figures import compare as figures
from ui import current, echo, live
from ui.columns import Columns
from ui.differences import Difference, differences, gaps
from ui.frame import ask_for_frame, lesson_name
from ui.i18n import _, language
from ui.kinds import Choice
from ui.notices import Problem, report
from ui.parameters import PARAMETERS
from ui.params import allowed, hidden_box, settings
from ui.registry import LESSONS
from ui.view import View

BOX, PINNED, SEEN = "pin", "_pinned", "_seen"
LONGEST = 2000


@dataclass(frozen=True)
class Pinned:
    """A: a view of a page with its settings, ready to be drawn beneath another.

    Attributes:
        page: The page.
        text: As the link carries it; nothing where a config is too long for one.
        settings: By name.
        view: What was shown; None where it cannot be drawn.
        language: Of its words.
        beneath: Its figure, as it is drawn beneath B.
    """

    page: str
    text: str
    settings: Mapping[str, current.Value]
    view: View | None
    language: str
    beneath: figures.Beneath | None = None


def box() -> None:
    """Draw the hidden box that carries A in the link: with the frame, on every page."""
    hidden_box(BOX, "")


def start() -> None:
    """Have an A drawn again whose drawing was ended: before any control is drawn, which would take its value from there."""
    if current.abandon():
        st.session_state.pop(PINNED, None)


def wanted() -> Mapping[str, current.Value] | None:
    """Give the settings of an A that the link names and that has yet to be drawn."""
    text, kept = st.session_state.get(BOX) or "", st.session_state.get(PINNED)
    if kept is not None and kept.text == text and (not text or kept.language == language()):
        return None
    page = text.partition(":")[0]
    if page != lesson_name():
        if text and page not in LESSONS:
            report(Problem(_("The pinned setting A"), _("as a link of this page writes it"), text, _("none")))
        if text or (kept is not None and kept.text):
            st.session_state.pop(PINNED, None)
        return None
    found = read(text)
    if isinstance(found, str):
        report(Problem(_("The pinned setting A"), _("as a link of this page writes it"), found, _("none")))
        return None
    st.session_state[PINNED] = Pinned(lesson_name(), text, found, None, language())
    return found


def read(text: str) -> dict[str, current.Value] | str:
    """Read the settings of A; where one is not allowed, give that part of the text."""
    if len(text) > LONGEST:
        return text
    found: dict[str, current.Value] = {}
    for name, value in parse_qsl(text.partition(":")[2], keep_blank_values=True):
        good = allowed(name, value)
        if good is None:
            return f"{name}={value}"
        found[name] = good
    return found


def keep(view: View) -> None:
    """Keep what is shown, so that it can be pinned; while another setting is drawn, that is A."""
    page = lesson_name()
    if current.is_other():
        wish: Pinned = st.session_state[PINNED]
        st.session_state[PINNED] = _ready(page, wish.text, settings(page), view)
    else:
        st.session_state[SEEN] = (page, view, settings(page))


def forget() -> None:
    """Have nothing to pin, where nothing can be shown."""
    st.session_state.pop(SEEN, None)


def pinned() -> Pinned | None:
    """Give A, if there is one on this page."""
    kept: Pinned | None = st.session_state.get(PINNED)
    return kept if kept is not None and kept.view is not None and kept.page == lesson_name() else None


def _ready(page: str, text: str, now: Mapping[str, current.Value], view: View) -> Pinned:
    return Pinned(page, text, now, view, language(), figures.beneath(view.figure))


def _pin() -> None:
    """Pin what was shown last, if anything was."""
    if SEEN not in st.session_state:
        return
    page, view, now = st.session_state[SEEN]
    text = f"{page}:{urlencode(current.changed(now))}"
    if len(text) > LONGEST or (now.get("models_way") == "own" and not now.get("models_config")):
        text = ""
    st.session_state[PINNED] = _ready(page, text, now, view)
    echo.put(BOX, text)
    ask_for_frame()


def _unpin() -> None:
    st.session_state.pop(PINNED, None)
    echo.put(BOX, "")
    ask_for_frame()


def pin_button() -> None:
    """Offer to pin what is shown, beside the title: as a part of the frame it costs a moving hand nothing."""
    if pinned() is None:
        help = _("Keep this setting as A, and move on: both are drawn, with the difference in numbers.")
        st.button(_("Pin as A"), key=f"{lesson_name()}.pin", on_click=_pin, icon=":material/keep:", help=help)


def chart(view: View, *, key: str) -> None:
    """Draw a figure, with A beneath where one is pinned, and offer to let go of A."""
    a = pinned()
    if a is None or a.view is None:
        live.chart(view.figure, key=key, alt=view.alt)
        return
    same = comparable(a.view, view)
    found = list(differences(a.view.drawn, view.drawn)) if same else []
    alt = " ".join([view.alt, *(_spoken(each) for each in found[:1])])
    live.chart(view.figure, key=key, alt=alt, beneath=a.beneath if same else None)
    _row(a)
    if not same:
        st.caption(_("A shows other axes or other places than this figure, so only the settings are compared."))
        return
    _cells(a.view, view, key)
    _table(found)


def gap_tables(view: View) -> list[Columns]:
    """Give B − A, number by number, where A is pinned and can be compared with what is shown."""
    a = pinned()
    return list(gaps(a.view.drawn, view.drawn)) if a is not None and a.view is not None and comparable(a.view, view) else []


def comparable(a: View, b: View) -> bool:
    """Say whether the axes of both figures mean the same.

    Where they have no names, places say what is what: then the same things must stand in the same places.
    """
    one, other = a.figure.plain_layout, b.figure.plain_layout
    if figures.meaning(one) != figures.meaning(other) or list(a.drawn)[:1] != list(b.drawn)[:1]:
        return False
    if figures.is_named(other):
        return True
    first = next(iter(b.drawn))
    return list(a.drawn[first]) == list(b.drawn[first])


def _row(a: Pinned) -> None:
    """Say what A is, where it differs from what the controls say, and offer to let it go."""
    now = settings(a.page)
    apart = [name for name in {**a.settings, **now} if a.settings.get(name) != now.get(name)]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if apart:
            st.markdown("**A:** " + "; ".join(f"{_label(name)} `{_shown(name, a.settings)}`" for name in apart))
            st.markdown("**B:** " + "; ".join(f"{_label(name)} `{_shown(name, now)}`" for name in apart))
        else:
            st.markdown(_("**A** is this setting. Move a control: that is **B**, drawn over A, which stays dotted or hollow."))
        st.button(
            _("Let go of A"),
            key=f"{lesson_name()}.unpin",
            on_click=_unpin,
            icon=":material/keep_off:",
            type="tertiary",
            help=_("Draw the current setting alone again."),
        )


def _label(name: str) -> str:
    return _(PARAMETERS[name].label)


def _shown(name: str, now: Mapping[str, current.Value]) -> str:
    """Write a value for a reader; Markdown of a link is no Markdown of ours."""
    if name not in now:
        return "–"
    spec, value = PARAMETERS[name], now[name]
    text = _(spec.options[str(value)]) if isinstance(spec, Choice) else value if isinstance(value, str) else f"{value:,.15g}"
    clean = " ".join(text.replace("`", " ").split())
    return clean[:40] + "…" if len(clean) > 40 else clean or "–"


def _cells(a: View, b: View, key: str) -> None:
    answer = figures.difference(a.figure, b.figure, _("B − A"))
    if answer is not None:
        figure, largest = answer
        alt = _("The difference B − A, cell by cell; it is at most {largest} in size.").format(largest=f"{largest:.6g}")
        live.chart(figure, key=f"{key}.difference", alt=alt)


def _table(found: list[Difference]) -> None:
    """Write the largest differences, a row a column of numbers."""
    if not found:
        st.caption(_("A and B have no place in common, so there is no difference to count."))
        return
    st.markdown("\n".join(_rows(found)))


def _rows(found: list[Difference]) -> Iterator[str]:
    yield "| " + " | ".join((_("numbers"), _("largest |A − B|").replace("|", r"\|"), _("at"), "A", "B")) + " |"
    yield "|---|---:|---|---:|---:|"
    for each in found:
        where = ", ".join(f"{name} {value:,.10g}" for name, value in each.where)
        yield f"| {_escaped(each.name)} | {each.largest:.6g} | {_escaped(where)} | {each.first:.6g} | {each.second:.6g} |"


def _escaped(text: str) -> str:
    return f"`{text.replace('`', ' ').replace('|', ' ')}`"


def _spoken(each: Difference) -> str:
    return _("Compared with A, {name} differs by at most {largest}.").format(name=each.name, largest=f"{each.largest:.6g}")
