"""What stands on the page about context extension beside its figure: the factor, what does not fit, tables, and code from the web."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from lessons.extension import attention_view, ratio_view
from lessons.extension_angles import table, unseen_view
from lessons.extension_bands import bands_view
from lessons.extension_curve import curve_view
from lessons.extension_decode import decode_view
from lessons.extension_setting import GROWING, Setting, method_name
from lessons.extension_snippets import snippets
from lessons.extension_table import method_table
from ui import frame, live, locks
from ui.i18n import _
from ui.methods import LONGEST, to_text
from ui.params import assign
from ui.view import View


def view(mode: str, setting: Setting, key: int, cached: int) -> View:
    """Compute the view that is seen, and no other."""
    if mode == "decode":
        return decode_view(setting, key, cached if setting.method in GROWING else setting.length)
    views = {"ratio": ratio_view, "unseen": unseen_view, "bands": bands_view, "attention": attention_view, "curve": curve_view}
    return views[mode](setting)


def follow(mode: str, setting: Setting, target: int, key: int, cached: int) -> View:
    """Give the view at a target that a hand may hold, with the lines that stand above its sentences."""
    moved = replace(setting, target=target)
    if moved.length != setting.length and not live.is_moving():
        frame.ask_for_frame()  # bounds of the controls follow the target, and stand outside of what follows the hand
    factor_line(moved)
    problem(moved)
    # Until then a control may still have the bounds of the length at which the hand began.
    drawn = view(mode, moved, min(key, moved.length - 1), min(cached, moved.length))
    return replace(drawn, beneath=partial(beneath, moved, counts=mode == "unseen"))


def factor_line(setting: Setting) -> None:
    """Show the stretch that follows from both lengths, or that is stated beside them."""
    if setting.knobs.stated_factor:
        stated = _("Factor s = {stretch}, as stated; target / context length = {target} / {trained} = {ratio}")
        lengths, ratio = (f"`{setting.length:,}`", f"`{setting.trained:,}`"), f"`{setting.length / setting.trained:,.6g}`"
        line = stated.format(stretch=f"`{setting.knobs.stated_factor:,.6g}`", target=lengths[0], trained=lengths[1], ratio=ratio)
        st.caption(line if setting.knobs.stated_factor >= 1 else line + " " + _("(less than 1 counts as 1)"))
        return
    line = _("Factor s = target / context length = {target} / {trained} = {stretch}").format(
        target=f"`{setting.length:,}`", trained=f"`{setting.trained:,}`", stretch=f"`{setting.stretch:,.6g}`"
    )
    st.caption(line if setting.target >= setting.trained else line + " " + _("(a shorter target needs no stretch)"))


def problem(setting: Setting) -> None:
    """Say in one sentence why the chosen method cannot be used here; nothing is lost, and the figure does without it."""
    if setting.problem:
        reason = _(setting.problem.template).format(**setting.problem.values)
        st.info(
            _("{method} cannot be used here: {reason}. The figure shows the head without it.").format(
                method=method_name(setting.method), reason=reason
            )
        )


def beneath(setting: Setting, *, counts: bool) -> None:
    """Draw what stands under the sentences and follows the hand: counts of unseen angles, and the way to other pages."""
    if counts:
        st.dataframe(table(setting), hide_index=True)
    text = "" if setting.problem else to_text(setting.chosen.scaling)
    st.button(
        _("Use this method on Frequencies and Distance decay"),
        key="extension.use",
        icon=":material/share:",
        help=_("Sets the scaling that the pages share; it stands in the sidebar, where it can be removed."),
        on_click=assign,
        kwargs={"scaling": text},
        disabled=setting.problem is not None or len(text) > LONGEST or locks.blocks({"scaling": text}),
    )


def elsewhere(setting: Setting) -> None:
    """Draw what does not follow the hand: all methods, and code from the web."""
    with st.expander(_("The methods side by side, each with a model to open")):
        method_table()
    with st.expander(_("Two pieces of code from the web, and what they get wrong")):
        _from_the_web(setting)


def _from_the_web(setting: Setting) -> None:
    for snippet in snippets(setting):
        st.markdown(f"**{snippet.title}**")
        st.markdown(snippet.faults)
        left, right = st.columns(2)
        left.caption(_("As it goes round, in short"))
        left.markdown(_fenced(snippet.wrong))
        if snippet.right:
            right.caption(_("As it should be, at your setting"))
            right.markdown(_fenced(snippet.right))


def _fenced(code: str) -> str:
    return f"```python\n{code.strip()}\n```"
