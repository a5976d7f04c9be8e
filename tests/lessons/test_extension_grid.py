"""Every method at several lengths with the head of a model of every family: the view says what a formula of its own gives."""

import json
import re
from pathlib import Path

import pytest

from lessons.extension import PAGE
from lessons.methods import SHEETS
from rope_core import catalogue_models
from tests.evaluate import settings_of
from tests.oracles import scaling as oracle

LISTS = json.loads((Path(__file__).resolve().parents[2] / "rope_core/phi35_longrope.json").read_text(encoding="utf-8"))
LONGEST = 10_000_000
OUT_OF_REACH = {"nemotron_h", "minimax_m1"}
"""Families in which nothing turns, or whose trained length is longer than the page's longest."""


def heads():
    """The head of the first model of every family, ``model_type`` of its config; families with the same head share one."""
    families, found = set(), {}
    for model in catalogue_models():
        family, config = model.settings["model_type"], model.config
        if family not in families and config is not None and config.trained_length <= LONGEST:
            families.add(family)
            found.setdefault((config.base, config.head_dim, config.rotary_dim, config.trained_length), []).append(family)
    return found


HEADS = heads()


def test_every_family_of_the_catalogue_is_there():
    families = {family for shared in HEADS.values() for family in shared}
    assert families | OUT_OF_REACH == {model.settings["model_type"] for model in catalogue_models()}
    assert not families & OUT_OF_REACH


def slowest(method, base, head_dim, width, trained, target):
    """What is left of the speed of the slowest pair, at the page's usual settings."""
    if method == "longrope":  # the page spreads the lists over other widths, from end to end
        return 1 / LISTS["long_factor" if target > trained else "short_factor"][-1]
    if method == "proportional" and head_dim != width:
        return 1  # a head that turns in part cannot take it
    return oracle.usual(method, width, base, trained, target)[-1] / oracle.plain(width, base)[-1]


@pytest.mark.parametrize("head", HEADS, ids=lambda head: HEADS[head][0])
def test_every_method_at_every_length_leaves_the_slowest_pair_what_the_formula_says(head):
    base, head_dim, width, trained = head
    link = {"base": base, "head_dim": head_dim, "rotary": width / head_dim, "context": trained}
    for method in SHEETS:
        for target in (trained, min(4 * trained, LONGEST), min(100 * trained, LONGEST)):
            view = PAGE.view(settings_of("extension", method=method, target=target, **link))
            assert len(view.notices) == (method == "proportional" and head_dim != width)
            told = re.search(r"([\d.e-]+) for pair (\d+)\.", view.alt)
            assert int(told[2]) == width // 2 - 1
            assert float(told[1]) == pytest.approx(slowest(method, *head, target), rel=1e-4), (method, target)
