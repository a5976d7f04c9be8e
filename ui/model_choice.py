"""Which models a page shows, and which of their layers it is about: lists to search in, and short names that links carry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

import streamlit as st

from rope_core import CatalogueModel, catalogue_models
from ui import current, echo, locks
from ui.i18n import _
from ui.notices import Problem, report
from ui.parameters import PARAMETERS
from ui.params import follow, hidden_box

LONGEST = 1000


@lru_cache(maxsize=1)
def by_slug() -> Mapping[str, CatalogueModel]:
    """Give the models of the catalogue by the name that a link carries: the last part of their address on the hub, in small letters."""
    return MappingProxyType({slug(model): model for model in catalogue_models()})


def slug(model: CatalogueModel) -> str:
    """Name a model for a link."""
    return model.hf_id.rpartition("/")[2].lower()


def model_names(name: str, *, most: int) -> list[CatalogueModel]:
    """Draw the list of models to choose from, and give those that are chosen, up to ``most``."""
    spec, picks = PARAMETERS[name], f"{name}.picks"
    assert isinstance(spec.default, str)
    text = hidden_box(name, spec.default)
    slugs = read_slugs(text, most)
    if slugs is None:
        rule = _("up to {most} models of the catalogue").format(most=most)
        slugs = read_slugs(spec.default, most) or []
        report(Problem(_(spec.label), rule, text, spec.default or _("none")))
    echo.mirror(picks, slugs)
    if not locks.is_hidden(name):
        st.multiselect(
            _(spec.label),
            list(by_slug()),
            format_func=lambda each: by_slug()[each].name,
            key=picks,
            help=_(spec.help),
            max_selections=most,
            select_all=False,
            placeholder=_("Search a model"),
            on_change=_join,
            args=(name, picks),
            disabled=locks.is_held(name),
        )
    return [by_slug()[each] for each in read_slugs(current.use(name, ",".join(slugs)), most) or []]


def read_slugs(text: str, most: int) -> list[str] | None:
    """Read names with commas between them; None if one is unknown, or there are too many."""
    if len(text) > LONGEST:
        return None
    names = list(dict.fromkeys(word.strip().lower() for word in text.split(",") if word.strip()))
    return names if len(names) <= most and all(each in by_slug() for each in names) else None


def layer_choice(name: str, labels: Sequence[str]) -> int:
    """Draw the choice of one of several rows, named by ``labels``, and give its index; the first where the link names none of them."""
    spec, picked = PARAMETERS[name], f"{name}.pick"
    text = hidden_box(name, str(spec.default))
    index = int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else -1
    if not 0 <= index < len(labels):
        # A row that was there until a model was taken away is no mistake of anybody.
        if not (text.isascii() and text.isdecimal() and len(text) < 4):
            report(Problem(_(spec.label), _("a whole number from {low} to {high}").format(low=0, high=len(labels) - 1), text, "0"))
        index = 0
    if not locks.is_hidden(name):
        echo.mirror(picked, str(index))
        st.selectbox(
            _(spec.label),
            [str(each) for each in range(len(labels))],
            format_func=lambda each: labels[int(each)],
            key=picked,
            help=_(spec.help),
            on_change=follow,
            args=(name, picked),
            disabled=locks.is_held(name),
        )
    return int(current.use(name, str(index), accepts=lambda other: other in map(str, range(len(labels)))))


def _join(name: str, picks: str) -> None:
    if not echo.is_late(picks):
        echo.put(name, ",".join(st.session_state[picks]))
