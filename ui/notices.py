"""The one notice about everything in a run that was not allowed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import streamlit as st

from locales import N_, NAMES, _, language, negotiate
from parameters import PARAMETERS
from parameters.problems import Problem, quoted
from ui import visit

KNOWN = {*PARAMETERS, *visit.EXTRAS, "embed", "embed_options"}


def show(problems: Iterable[Problem], sentences: Iterable[str]) -> None:
    """Write the notice, if there is anything to say."""
    lines = [*dict.fromkeys((*(problem.sentence for problem in problems), *sentences, *_of_the_link()))]
    if lines:
        st.warning("\n".join(f"- {line}" for line in lines) if len(lines) > 1 else lines[0])


def _of_the_link() -> Iterator[str]:
    """Name what the address has besides parameters, or twice."""
    address = visit.visit().address
    if not negotiate(address["lang"]):
        rule = _("one of {options}").format(options=", ".join(NAMES))
        yield Problem(N_("Language"), address["lang"], language(), rule).sentence
    if unknown := [name for name in address if name not in KNOWN]:
        yield _("The link sets {names}, which this page does not know; look for a misspelt name, or leave it out.").format(
            names=_listed(unknown)
        )
    if unheld := visit.locks().unknown:
        yield _("The link locks or hides {names}, but no control has such a name; look for a misspelt name, or leave it out.").format(
            names=_listed(unheld)
        )
    if repeated := [name for name in st.query_params if name in KNOWN and len(st.query_params.get_all(name)) > 1]:
        yield _("The link gives {names} more than once; the last value counts.").format(names=_listed(repeated))


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(quoted, [*names][:5]))
