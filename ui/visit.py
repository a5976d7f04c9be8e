"""The state of a visit: its settings, as an address says them, and what no address carries.

The visit owns the settings. A run of the script that a callback led to has its settings already; any other run (a link, Back, an edited
address, a reload) reads them from the address. No widget is bound to the address, and the address follows the settings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any

import streamlit as st

from lessons.models.state import NOTHING, Pasted
from locales import language, negotiate, speak
from parameters import PARAMETERS, parameters_of
from parameters.ask import ASK
from parameters.locks import NAMES, NO_LOCKS, Locks, read_locks
from parameters.shared import SHARED
from parameters.types import Number, Value, write

Address = Mapping[str, str]
CARRIED = (*SHARED, "lang", "done", *NAMES)
"""What goes along to another page."""
EXTRAS = ("lang", "step", "done", "present", "pin", ASK, *NAMES)
"""Parameters of an address that are no settings of a page."""
KEPT_CONFIG = "visit:"
"""Begins the name of a config that is too long for an address and is kept in the visit."""


@dataclass(frozen=True)
class Visit:
    """What is known of a visit.

    Attributes:
        page: The page that runs.
        address: Its settings, as its address says them.
        kept: The settings of other pages as they were left.
        changed: Whether a callback has set something since the last run.
        opened: Whether this run shows the first page of the visit, where nothing was set since; a browser may ask twice.
        entered: Whether this run began with an address that says less than the page.
        locks: What the link of the visit holds; None before the first run.
        explored: For each page, the settings that the reader left for its questions.
        answers: What was answered, by the name of the question.
        model: The model that was chosen last: several may have the same settings.
        seen: For each control of a number, its last message that was read.
        configs: Configs that are too long for an address, by the name that stands there.
        pasted: What is remembered of the configs that were given.
        uploads: How many uploads were cleared.
        is_plain: Whether the browser cannot load the live figure.
    """

    page: str = ""
    address: Address = field(default_factory=dict)
    kept: Mapping[str, Address] = field(default_factory=dict)
    changed: bool = False
    opened: bool = False
    entered: bool = False
    locks: Locks | None = None
    explored: Mapping[str, Address] = field(default_factory=dict)
    answers: Mapping[str, float] = field(default_factory=dict)
    model: str | None = None
    seen: Mapping[str, int] = field(default_factory=dict)
    configs: Mapping[str, str] = field(default_factory=dict)
    pasted: Pasted = NOTHING
    uploads: int = 0
    is_plain: bool = False


def visit() -> Visit:
    """Return what is known of the visit."""
    known: Visit = st.session_state.get("visit") or Visit()
    return known


def update(**values: Any) -> Visit:
    """Note something of the visit."""
    st.session_state["visit"] = known = replace(visit(), **values)
    return known


def locks() -> Locks:
    """Return what the link of the visit holds."""
    return visit().locks or NO_LOCKS


def change(**values: Value) -> None:
    """Set parameters of the page, or extras of the address: the work of every callback. What the link holds stays."""
    now = visit()
    texts = {name: _written(name, value) for name, value in values.items() if not locks().is_held(name)}
    address = {**now.address, **texts}
    defaults = {name: write(PARAMETERS[name].default) if name in PARAMETERS else "" for name in texts}
    update(address={name: text for name, text in address.items() if text != defaults.get(name)}, changed=True)


def _written(name: str, value: Value) -> str:
    """Write a value for the address; of a number that was typed as ``500,000``, the number."""
    spec = PARAMETERS.get(name)
    number = spec.parse(value) if isinstance(spec, Number) and isinstance(value, str) else None
    return write(value if number is None else number)


def speak_language() -> str:
    """Speak the language of the run: before the page is known, as its name in the navigation needs one."""
    now, given = visit(), st.query_params.get("lang")
    asked = now.address.get("lang") if now.changed or not given else given
    code = negotiate(asked) or negotiate(now.address.get("lang")) or negotiate(st.context.locale) or "en"
    speak(code)
    return code


def begin(page: str) -> Visit:
    """Find the settings of a run."""
    now, given = visit(), st.query_params.to_dict()
    if now.locks is None:
        now = update(locks=read_locks(given))
    is_callback = now.changed and now.page == page
    if now.page != page:
        kept = {**now.kept, now.page: now.address} if now.page else now.kept
        address: Address = given or {**_without(now.kept.get(page, {}), CARRIED), **_only(now.address, CARRIED)}
        now = update(kept=kept)
    else:
        address = now.address if is_callback or not given else given  # the navigation leads to the page itself without values
    # Every address that is copied says its language, and what the link of the visit holds.
    held = _only(locks().given, tuple(parameters_of(page)))
    address = {"lang": language(), **_without(address, NAMES), **locks().texts, **held}
    opened = not now.page or (now.opened and now.page == page and not is_callback)
    return update(page=page, address=address, changed=False, opened=opened, entered=not is_callback and dict(address) != given)


def finish() -> None:
    """Have the address say the settings: one entry of the history for one change, whatever it has set."""
    now = visit()
    if not now.entered and st.query_params.to_dict() != now.address:
        st.query_params.from_dict(dict(now.address))


def expanded(address: Address) -> dict[str, str]:
    """Return an address with the config that the visit keeps for it."""
    text = address.get("models_config", "")
    if not text.startswith(KEPT_CONFIG):
        return dict(address)
    return {**address, "models_config": visit().configs.get(text, "")}


def keep_config(document: str, *, fits_link: bool) -> str:
    """Return what an address says of a config: its numbers, or, where they are too long, the name under which the visit keeps them."""
    if fits_link or not document:
        return document
    name = KEPT_CONFIG + blake2b(document.encode(), digest_size=6).hexdigest()
    update(configs={**visit().configs, name: document})
    return name


def is_kept_config(address: Address) -> bool:
    """Return whether the config of an address is one that only this visit has."""
    return address.get("models_config", "").startswith(KEPT_CONFIG)


def _only(address: Address, names: tuple[str, ...]) -> dict[str, str]:
    return {name: text for name, text in address.items() if name in names}


def _without(address: Address, names: tuple[str, ...]) -> dict[str, str]:
    return {name: text for name, text in address.items() if name not in names}


def address_of(values: Mapping[str, Value]) -> dict[str, str]:
    """Return the address of a page that is set to values, with what goes along to every page but settings."""
    texts = {name: write(value) for name, value in values.items() if value != PARAMETERS[name].default}
    return _only(visit().address, ("lang", "done", *NAMES)) | texts
