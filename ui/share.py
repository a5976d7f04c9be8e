"""The Share button: a link to the page as it is set, its QR code, a line that shows it in another page, and controls to lock or hide.

All of it is made when someone opens the dialog. While that is open nothing else can be moved, so the link stays right.
"""

from __future__ import annotations

import html
import os
from collections.abc import Mapping
from io import BytesIO
from urllib.parse import urlencode

import segno
import streamlit as st

from ui import boxes, frame, live, locks
from ui.i18n import _
from ui.parameters import PARAMETERS, SHARED
from ui.params import is_idle
from ui.registry import LESSONS
from ui.security import FRAMES, ancestors

LONGEST = 4096
"""Characters of an address; longer ones are cut off on their way by some programs."""


def share_button() -> bool:
    """Draw the button, and say whether it was pressed; a page that is shown within another one has none."""
    help = _("A link to this page as it is set, a QR code, and a line for a course page.")
    # The hand may have moved the live slider a moment ago: the value goes into its box now.
    return not frame.is_embedded() and st.button(_("Share"), key="share", icon=":material/share:", help=help, on_click=live.settle)


def share_dialog() -> None:
    """Open the dialog, when everything else is drawn."""
    st.dialog(_("Share this page as it is set"), width="large", icon=":material/share:")(_content)()


def _content() -> None:
    left, right = st.columns([3, 2], gap="medium")
    with left:
        place = st.container()  # the link stands above what it is made of
        held = _held_controls()
    address = st.context.url or ""
    settings = boxes.address() | locks.elsewhere(boxes.names()) | dict.fromkeys(locks.NAMES, "") | held
    link = write(address, settings)
    with place:
        _link(link)
    with right:
        _picture(link)
    st.subheader(_("In another page"))
    title = f"RoPE Lab: {_(LESSONS[frame.lesson_name()].question)}"
    _code(iframe(write(address, settings | {"embed": "true"}), title), language="html")
    st.caption(_frames(ancestors(os.environ)))


def _link(link: str) -> None:
    """Show the link, and say where it is too long."""
    st.markdown(_("Whoever opens this link sees the same figure, in the same language."))
    if len(link) > LONGEST:
        warning = _("The link has {count} characters, and some programs cut off what is beyond {limit}.")
        st.warning(warning.format(count=f"{len(link):,}", limit=f"{LONGEST:,}"))
    _code(link)


def _code(text: str, language: str | None = None) -> None:
    """Show text to copy; a long one scrolls."""
    st.code(text, language=language, wrap_lines=True, height=150 if len(text) > 500 else "content")


def _picture(link: str) -> None:
    """Show the QR code, and say where there is none."""
    code = qr_code(link)
    if code:
        st.image(code, width="stretch", alt=_("QR code of the link"))
    else:
        st.caption(_("The link is too long for a QR code."))


def _held_controls() -> dict[str, str]:
    """Draw the choice of controls to lock and to hide, and give what the link says of them."""
    lesson = LESSONS[frame.lesson_name()]
    here = [name for name in boxes.names() if name not in SHARED or not is_idle(lesson, name)]
    words = {
        locks.LOCK: (_("Lock"), _("Shown, but nobody can move them."), locks.locked()),
        locks.HIDE: (_("Hide"), _("Not shown; their values still count."), locks.hidden()),
    }
    chosen = {}
    for name, (label, help, now) in words.items():
        picked = st.multiselect(
            label,
            here,
            [each for each in now if each in here],
            format_func=lambda each: _(PARAMETERS[each].label),
            key=f"share.{name}",
            help=help,
            placeholder=_("Choose controls"),
            select_all=False,  # Streamlit's word for it is English
        )
        chosen[name] = [*picked, *(each for each in now if each not in here)]
    one_knob = _("Lock all but {control}").format(control=_(PARAMETERS[lesson.hero].label))
    others = [name for name in here if name != lesson.hero]
    help = _("Makes an exercise with one knob: all that is not hidden stays as it is now.")
    st.button(one_knob, key="share.one", type="tertiary", icon=":material/lock:", help=help, on_click=_lock, args=(others,))
    st.caption(_("For exercises. Locks keep no secret: whoever edits the link can take them out."))
    return locks.write(chosen)


def _lock(names: list[str]) -> None:
    """Choose these controls to lock, but for those that are chosen to be hidden."""
    st.session_state[f"share.{locks.LOCK}"] = [name for name in names if name not in st.session_state[f"share.{locks.HIDE}"]]


def write(address: str, settings: Mapping[str, str]) -> str:
    """Write a link; what is empty by default is left out. Commas and colons may stand in an address as they are."""
    query = urlencode({name: value for name, value in settings.items() if value or name not in locks.NAMES}, safe=",:")
    return f"{address}?{query}" if query else address


def iframe(link: str, title: str) -> str:
    """Write the line of HTML that shows a link within another page."""
    source, title = html.escape(link), html.escape(title)
    return f'<iframe src="{source}" title="{title}" width="100%" height="900" style="border:0" allow="fullscreen" loading="lazy"></iframe>'


def qr_code(link: str) -> str | None:
    """Draw a link as SVG, black on white with its quiet zone in either theme; None where it is too long for any code.

    The lowest level of correction gives the largest squares, which is what counts at the back of a hall.
    """
    try:
        code = segno.make(link, error="l", micro=False)
    except segno.DataOverflowError:
        return None
    drawing = BytesIO()
    code.save(drawing, kind="svg", border=4, dark="#000", light="#fff", xmldecl=False, omitsize=True)
    return drawing.getvalue().decode()


def _frames(sources: str) -> str:
    """Say which other sites may show a page, and what to set where none may."""
    if sources in ("'self'", "'none'"):
        return _("This server lets no other site show its pages. Whoever runs it names the site in {variable}.").format(
            variable=f"`{FRAMES}`"
        )
    return _("This server lets these sites show its pages: {sites}.").format(sites=f"`{sources}`")
