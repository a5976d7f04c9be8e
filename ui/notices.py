"""The one notice about everything in a run that was not allowed: collected while the page is drawn, shown by the shell."""

from __future__ import annotations

from typing import NamedTuple

import streamlit as st

from rope_core import RopeConfigError
from ui import locks
from ui.i18n import _
from ui.parameters import PARAMETERS

OURS_BESIDE_PARAMETERS = {"lang", "pin", "embed", "embed_options", "step", "done", "present", *locks.NAMES}


class Problem(NamedTuple):
    """A value that is not allowed, as the notice names it; ``got`` and ``used`` are already text."""

    label: str
    rule: str
    got: str
    used: str


def start_run() -> None:
    """Forget the problems of the last run, and find the parameters of the link that nobody knows or that stand in it twice."""
    st.session_state["_problems"], st.session_state["_refusals"] = [], []
    strangers = [name for name in st.query_params if name not in PARAMETERS and name not in OURS_BESIDE_PARAMETERS]
    st.session_state["_strangers"] = strangers
    st.session_state["_repeated"] = [name for name in st.query_params if len(st.query_params.get_all(name)) > 1 and name not in strangers]


def start_part(part: str, *, alone: bool) -> list[object]:
    """Forget what the ``part`` complained about in the last run, when it runs alone; give all that the notice says so far."""
    said = says()
    for name in ("_problems", "_refusals"):
        if alone:
            del st.session_state[name][st.session_state[f"{name}_before_{part}"] :]
        st.session_state[f"{name}_before_{part}"] = len(st.session_state[name])
    return said


def says() -> list[object]:
    """Give all that the notice would say now."""
    return [*st.session_state["_problems"], *st.session_state["_refusals"]]


def show_problems() -> None:
    """Write the one notice about everything in this run that was not allowed."""
    lines = [
        _("{label} must be {rule}, got {got}; using {used}.").format(
            label=problem.label, rule=problem.rule, got=quoted(problem.got), used=shortened(problem.used)
        )
        for problem in st.session_state["_problems"]
    ]
    lines += st.session_state["_refusals"]
    strangers = st.session_state["_strangers"]
    if strangers:
        lines.append(
            _("The link sets {names}, which this page does not know; look for a misspelt name, or leave it out.").format(
                names=", ".join(map(quoted, strangers[:5]))
            )
        )
    if unheld := locks.strangers():
        lines.append(
            _("The link locks or hides {names}, but no control has such a name; look for a misspelt name, or leave it out.").format(
                names=", ".join(map(quoted, unheld[:5]))
            )
        )
    if repeated := st.session_state["_repeated"]:
        lines.append(_("The link gives {names} more than once; the last value counts.").format(names=", ".join(map(quoted, repeated))))
    if lines:
        st.warning("\n".join(f"- {line}" for line in lines) if len(lines) > 1 else lines[0])


def report(problem: Problem) -> None:
    """Keep a problem for the notice."""
    st.session_state["_problems"].append(problem)


def refuse(label: str, error: RopeConfigError) -> None:
    """Keep for the notice why the core does not take what the parameter with a label holds; it is used as if empty."""
    sentence = quoted(_(error.template).format(**error.values), 160)
    st.session_state["_refusals"].append(_("{label}: {refusal}; using none.").format(label=label, refusal=sentence))


def shortened(text: str, longest: int = 40) -> str:
    """Cut a long row of numbers behind one of them, and say how many there are."""
    if len(text) <= longest or "," not in text:
        return text
    return _("{first}, … ({count} numbers)").format(first=text[:longest].rpartition(",")[0], count=text.count(",") + 1)


def quoted(text: str, longest: int = 40) -> str:
    """Show text from a link as code, cut short: it is not Markdown of ours."""
    clean = " ".join("".join(c for c in text if c != "`" and (c.isprintable() or c.isspace())).split())
    return f"`{clean[:longest] or ' '}{'…' if len(clean) > longest else ''}`"
