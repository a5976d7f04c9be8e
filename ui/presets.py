"""Models of the catalogue as settings of the shared parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

import streamlit as st

from rope_core import LongRopeScaling, RopeConfig, RopeConfigError, Scaling, catalogue_models
from ui import compute, echo, locks
from ui.i18n import _
from ui.kinds import Number
from ui.methods import LONGEST, from_text, to_text
from ui.parameters import PARAMETERS, SHARED
from ui.params import assign, shared, shared_choice

OWN = None
"""No model."""
NUMBERS = ("base", "head_dim", "rotary", "context")


@lru_cache(maxsize=1)
def model_settings() -> Mapping[str, Mapping[str, float | str]]:
    """Give the shared parameters of every model that they can hold, by its name."""
    found = {model.name: settings(model.config) for model in catalogue_models() if model.config is not None}
    return MappingProxyType({name: MappingProxyType(row) for name, row in found.items() if row is not None})


def settings(config: RopeConfig) -> dict[str, float | str] | None:
    """Write a config as shared parameters; None if they cannot hold it."""
    scaling = config.scaling
    if isinstance(scaling, LongRopeScaling) and scaling.factor is None:
        # The parameters hold the trained length alone, so the stretch that A is made of has to be said.
        scaling = replace(scaling, factor=max(1.0, config.max_position / scaling.original_max_position))
    row: dict[str, float | str] = {
        "base": config.base,
        "head_dim": config.head_dim,
        "rotary": config.rotary_dim / config.head_dim,
        "layout": config.layout,
        "context": config.trained_length,
        "scaling": to_text(scaling),
    }
    numbers = [(spec, row[name]) for name, spec in PARAMETERS.items() if name in row and isinstance(spec, Number)]
    fits = all(spec.accepts(float(value), spec.high) for spec, value in numbers) and len(str(row["scaling"])) <= LONGEST
    return row if fits and _comes_back(config, row) else None


def _comes_back(config: RopeConfig, row: Mapping[str, float | str]) -> bool:
    """Whether the parameters give a head of the same width that turns, with its scaling."""
    plain = replace(config, rotary_dim=config.head_dim, max_position=config.trained_length, scaling=None)
    plain, scaling = compute.partial_config(plain, float(row["rotary"])), from_text(str(row["scaling"]))
    try:
        again = plain if scaling is None else compute.scaled_config(plain, scaling)
    except RopeConfigError:
        return False
    return again.rotary_dim == config.rotary_dim


def model_control(scaling: Scaling | None) -> None:
    """Draw the choice of a model; it names one as long as every shared parameter agrees with it.

    Several models have the same settings: the one that was chosen is named, and the first in the list where a link brought them.
    The settings with which the app opens are also those of a model, and nobody chose it.
    """
    if any(map(locks.is_hidden, SHARED)):
        return  # it would tell
    now = {name: shared(name) for name in NUMBERS} | {"layout": shared_choice("layout"), "scaling": to_text(scaling)}
    agreeing = [name for name, row in model_settings().items() if _agrees(row, now)]
    picked = st.session_state.get("_model", OWN)
    as_opened = all(now[name] == PARAMETERS[name].default for name in (*NUMBERS, "layout"))
    nobody_chose = picked is OWN and scaling is None and as_opened
    echo.mirror("model.choice", picked if picked in agreeing else OWN if nobody_chose else (*agreeing, OWN)[0])
    st.selectbox(
        _("Model"),
        list(model_settings()),
        index=None,
        placeholder=_("own values"),
        key="model.choice",
        help=_("Takes base, widths, layout, trained length and scaling from a model; each of them can then be changed."),
        on_change=_take,
        disabled=any(map(locks.is_held, SHARED)),
    )


def _agrees(row: Mapping[str, float | str], now: Mapping[str, float | str]) -> bool:
    if any(now[name] != row[name] for name in ("base", "head_dim", "context", "layout", "scaling")):
        return False
    turning, wanted = (compute.rotated_width(int(now["head_dim"]), float(share)) for share in (now["rotary"], row["rotary"]))
    return turning == wanted


def _take() -> None:
    """Set the shared parameters to those of the model that was chosen; no model changes nothing."""
    if echo.is_late("model.choice"):
        return
    chosen = st.session_state["model.choice"]
    row = model_settings().get(chosen)  # a browser can send any name
    st.session_state["_model"] = OWN if row is None else chosen
    if row is not None:
        assign(**row)
