"""The Share button: a link to the page as it is set, its QR code, a line that shows it in another page, and controls to lock or hide,
and a question of one's own.

All of it is made when someone opens the dialog. While that is open nothing else can be moved, so the link stays right.
"""

from __future__ import annotations

import os

import streamlit as st

from exports.link import LONGEST, iframe, qr_code, write_link
from lessons.page import Page
from locales import _
from parameters import parameters_of
from parameters.ask import ASK, read_ask
from parameters.ask import LONGEST as LONGEST_ASK
from parameters.locks import HIDE, LOCK, NAMES, write_locks
from parameters.settings import Settings
from server.security import FRAMES, ancestors
from ui import copy, visit


def button(page: Page, settings: Settings) -> None:
    """Draw the button, which opens the dialog."""
    help = _("A link to this page as it is set, a QR code, and a line for a course page.")
    if st.button(_("Share"), key="share", icon=":material/share:", type="tertiary", help=help):
        st.dialog(_("Share this page as it is set"), width="large", icon=":material/share:")(_content)(page, settings)


def _content(page: Page, settings: Settings) -> None:
    left, right = st.columns([3, 2], gap="medium")
    with left:
        place = st.container()  # the link stands above what it is made of
        question = _own_question()
        held = _held_controls(page, settings)
    address = {name: text for name, text in visit.visit().address.items() if name not in (ASK, *NAMES)}
    address = {**visit.locks().given, **address, **held, **question}
    if visit.is_kept_config(address):
        del address["models_config"]
    url = (st.context.url or "").partition("?")[0]
    link = write_link(url, address)
    with place:
        _link(link)
    with right:
        _picture(link)
    st.subheader(_("In another page"))
    line = iframe(write_link(url, address | {"embed": "true"}), f"RoPE Lab: {_(page.question)}")
    _code(line, language="html")
    copy.button(line, _("Copy the line"), key="share.copy.frame")
    st.caption(_frames(ancestors(os.environ)))


def _link(link: str) -> None:
    """Show the link, and say where it is too long."""
    st.markdown(_("Whoever opens this link sees the same figure, in the same language."))
    if len(link) > LONGEST:
        warning = _("The link has {count} characters, and some programs cut off what is beyond {limit}.")
        st.warning(warning.format(count=f"{len(link):,}", limit=f"{LONGEST:,}"))
    _code(link)
    copy.button(link, _("Copy the link"), key="share.copy.link")


def _own_question() -> dict[str, str]:
    """Draw the field for a question of the teacher's own, and return what the link says of it."""
    now = read_ask(visit.visit().address.get(ASK, ""))
    text = st.text_input(
        _("Your question"),
        now if isinstance(now, str) else "",
        max_chars=LONGEST_ASK,
        key="share.ask",
        placeholder=_("Such as: where does the score first fall below zero?"),
        help=_("Whoever opens the link sees it above the figure, as plain text."),
    )
    question = read_ask(text)  # a browser can send anything
    return {ASK: question} if isinstance(question, str) and question else {}


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


def _held_controls(page: Page, settings: Settings) -> dict[str, str]:
    """Draw the choice of controls to lock and to hide, and return what the link says of them."""
    here, locks, live = (page.choice, *page.controls(settings)), visit.locks(), page.live(settings)
    words = {
        LOCK: (_("Lock"), _("Shown, but nobody can move them."), locks.shown),
        HIDE: (_("Hide"), _("Not shown; their values still count."), tuple(locks.hidden)),
    }
    chosen: dict[str, list[str]] = {}
    for name, (label, help, now) in words.items():
        picked = st.multiselect(
            label,
            here,
            [each for each in now if each in here],
            format_func=lambda each: _(parameters_of(page.name)[each].label),
            key=f"share.{name}",
            help=help,
            placeholder=_("Choose controls"),
            select_all=False,  # Streamlit's word for it is English
        )
        chosen[name] = [*picked, *(each for each in now if each not in here)]
    if live is not None:
        control, others = _(parameters_of(page.name)[live].label), [name for name in here if name != live]
        with st.container(horizontal=True):
            one = _("Lock all but {control}").format(control=control)
            help = _("Makes an exercise with one knob: all that is not hidden stays as it is now.")
            st.button(one, key="share.one", type="tertiary", icon=":material/lock:", help=help, on_click=_hold, args=(LOCK, others))
            one = _("Hide all but {control}").format(control=control)
            help = _("Leaves one control on the page; the others keep their values unseen.")
            args = (HIDE, others)
            st.button(one, key="share.bare", type="tertiary", icon=":material/visibility_off:", help=help, on_click=_hold, args=args)
    st.caption(_("For exercises. Locks keep no secret: whoever edits the link can take them out."))
    return write_locks(chosen[LOCK], chosen[HIDE])


def _hold(way: str, names: list[str]) -> None:
    """Choose these controls to lock, but for those that are chosen to be hidden; or to hide, and then none of them to lock."""
    lock, hide = (st.session_state[f"share.{each}"] for each in (LOCK, HIDE))
    if way == HIDE:
        hide, lock = names, [name for name in lock if name not in names]
    else:
        lock = [name for name in names if name not in hide]
    st.session_state[f"share.{LOCK}"], st.session_state[f"share.{HIDE}"] = lock, hide


def _frames(sources: str) -> str:
    """Say which other sites may show a page, and what to set where none may."""
    if sources in ("'self'", "'none'"):
        return _(
            "Embedding is off on this server: other sites cannot show its pages. Whoever runs it turns it on by starting it with "
            "{setting}, the address of the site, in its environment."
        ).format(setting=f"`{FRAMES}=https://school.example`")
    return _("This server lets these sites show its pages: {sites}.").format(sites=f"`{sources}`")
