"""No sentence, label or alternative text holds nan or inf, whatever a page is set to: all of its parameters at an end at once."""

import json
import re
from collections.abc import Mapping
from random import Random

import pytest

from lessons.registry import PAGES
from locales import CATALOGUES, speaking
from parameters import parameters_of
from parameters.settings import Settings
from parameters.types import Choice, Config, Method, Number, Vector
from rope_core import RopeConfigError

NO_NUMBER = re.compile(r"(?<![A-Za-z\\])-?(?:nan|inf|NaN|Infinity)(?![A-Za-z])")
METHODS = [
    *({"rope_type": "yarn", "factor": factor, "attention_factor": a} for factor in (1, 4, 1e6) for a in (5e-324, 1e-300, 1e-160, 1e150)),
    *({"rope_type": kind, "factor": factor} for kind in ("linear", "ntk", "dynamic", "yarn") for factor in (1, 1.0000001, 1e9, 1e300)),
    {"rope_type": "proportional", "rotary_fraction": 1e-9},
]
CONFIGS = [
    {"head_dim": 2, "max_position_embeddings": 1, "rope_theta": 1.0000001},
    {"head_dim": 8, "max_position_embeddings": 9_007_199_254_740_992, "rope_theta": 1e308},
    {"head_dim": 8, "max_position_embeddings": 64, "rope_theta": 1e300, "rope_scaling": METHODS[0]},
]
MOST = {"reach": 100_000, "tokens": 512}
"""Ends of numbers of which a count takes long, and is no other for more of them."""


def at_an_end(chance, page):
    """Return an address with about half of the parameters at one of their ends."""
    address = {}
    for name, spec in parameters_of(page).items():
        match spec:
            case Number():
                values = [spec.low, spec.low, MOST.get(name, spec.high)]
            case Choice():
                values = [*spec.options]
            case Vector():
                values = [" ".join([f"{end:.17g}"] * 2) for end in (spec.low, 0, spec.high)]
            case Method():
                values = [json.dumps(method) for method in METHODS]
            case Config():
                values = [json.dumps(config) for config in CONFIGS]
            case _:
                continue
        if chance.random() < 0.6 or name == PAGES[page].choice:
            address[name] = str(chance.choice(values))
    return address


def strings(part):
    """Yield all texts of a figure."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for each in part.values():
            yield from strings(each)
    elif isinstance(part, list | tuple) or (hasattr(part, "dtype") and part.dtype.kind in "OU"):
        for each in part:
            yield from strings(each)


def texts(view):
    return [
        view.alt,
        view.verdict,
        *view.sentences,
        *view.formula,
        *view.notices,
        *strings(view.figure.traces),
        *strings(view.figure.plain_layout),
    ]


def sweep(page, seeds):
    for seed in seeds:
        chance = Random(f"{page} {seed}")
        address, language = at_an_end(chance, page), chance.choice([*CATALOGUES])
        settings, _ = Settings.read(page, address)  # what is refused is at its default
        with speaking(language):
            try:
                view = PAGES[page].view(settings)
            except RopeConfigError:
                continue  # a sentence in its place
            assert [text for text in texts(view) if NO_NUMBER.search(text)] == [], address


@pytest.mark.parametrize("page", PAGES)
def test_no_text_holds_what_is_no_number(page):
    sweep(page, range(25))


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", PAGES)
def test_no_text_of_many_settings_holds_what_is_no_number(page):
    sweep(page, range(25, 400))


def test_what_is_no_number_is_found():
    assert all(NO_NUMBER.search(text) for text in ("at most `nan`", "-inf", "x = inf.", r"\text{NaN}"))
    assert not any(NO_NUMBER.search(text) for text in (r"\infty", "information", "Banane", r"\inf_x", "nano"))
