"""Angles that training never showed, and which pairs meet them at the target length."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from figures import extension_texts as figures
from lessons.core_engineer import ANGLES, core
from lessons.extension import PROOF
from lessons.extension_formula import ANGLES_CODE, speeds_lines
from lessons.extension_setting import METHODS, Setting, method_name, spoken
from lessons.extension_words import method_sentence, pairs, stretch_sentence, tokens
from rope_core import RopeConfig
from ui import compute_extension as compute
from ui.formulas import aligned, tex
from ui.i18n import _
from ui.view import View


def unseen_view(setting: Setting) -> View:
    """Show the arc that every pair sweeps in training, and what it sweeps beyond at the target length."""
    seen, met = compute.coverage(setting.head, setting.trained), compute.coverage(setting.chosen, setting.length)
    unscaled = compute.coverage(setting.head, setting.length)
    trained_turns, turns = _turns(setting.head, setting.trained), _turns(setting.chosen, setting.length)
    new = beyond(setting, None)
    before, after = len(unseen(setting, "none")), int((new > 0).sum())
    last = setting.head.pairs - 1
    return View(
        figure=figures.angles(seen, met, new, unscaled, turns, trained_turns, method=setting.used, words=_words(setting)),
        alt=_(
            "Pairs that never came round in training: {open} of {pairs}. Pairs that meet unseen angles at {target}: {before} without a "
            "method, {after} with {method}."
        ).format(
            pairs=last + 1,
            open=int((seen < 1).sum()),
            target=tokens(setting.length, ""),
            before=before,
            after=after,
            method=spoken(setting.used),
        ),
        sentences=(
            stretch_sentence(setting) + " " + _training(setting, seen),
            _meets(setting, before, after),
            method_sentence(setting),
        ),
        formula=(
            aligned(
                r"\mathrm{seen}_i &= \min\bigl(1, (L-1)\,\theta_i / 2\pi\bigr)",
                r"\mathrm{met}_i &= \min\bigl(1, (T-1)\,\theta'_i / 2\pi\bigr)",
                r"N &= \#\bigl\{i : \mathrm{met}_i - \mathrm{seen}_i > \theta_i / 2\pi\bigr\}",
                rf"\mathrm{{seen}}_{{{last}}} &= {tex(seen[-1])}",
                rf"\mathrm{{met}}_{{{last}}} &= {tex(met[-1])}",
                rf"N &= {after}",
            ),
        ),
        code=speeds_lines(setting) + ANGLES_CODE.format(trained=setting.trained, length=setting.length),
        drawn={
            "pair": np.arange(last + 1),
            "seen": seen,
            "met": met,
            "unseen": new,
            "met_without_method": unscaled,
            "turns_in_training": trained_turns,
            "turns_at_target": turns,
        },
        core=core(setting, ANGLES),
        proof=f"{PROOF}::test_unseen_angles",
    )


def beyond(setting: Setting, method: str | None) -> np.ndarray:
    """Give the share of the circle that every pair meets unseen; 0 where it goes at most one of its steps beyond training."""
    config = setting.chosen if method is None else setting.config(method)
    assert config is not None
    seen = compute.coverage(setting.head, setting.trained)
    step = compute.speeds(setting.head, setting.trained) / (2 * math.pi)
    new = compute.coverage(config, setting.length) - seen
    # A circle that is closed but for less than a step has been seen whole.
    return np.where(new > step * (1 + 1e-9), new, 0.0)


def unseen(setting: Setting, method: str | None) -> np.ndarray:
    """Give the shares of the circle that are met unseen, of the pairs alone that meet any."""
    new = beyond(setting, method)
    return new[new > 0]


def table(setting: Setting) -> Mapping[str, Sequence[object]]:
    """Count the pairs that meet unseen angles, for every method that can be used."""
    usable = [method for method in METHODS if setting.config(method) is not None]
    found = [unseen(setting, method) for method in usable]
    return {
        _("Method"): [method_name(method) for method in usable],
        _("Pairs that meet unseen angles"): [len(shares) for shares in found],
        _("Largest unseen share of a circle"): [round(float(shares.max()), 4) if len(shares) else 0.0 for shares in found],
    }


def _turns(config: RopeConfig, length: int) -> np.ndarray:
    turns: np.ndarray = (length - 1) * compute.speeds(config, length) / (2 * math.pi)
    return turns


def _training(setting: Setting, seen: np.ndarray) -> str:
    still_open = np.flatnonzero(seen < 1)
    if not len(still_open):
        return _("In training every pair came round at least once, so there is no angle that it has not met.")
    if len(still_open) == 1:
        told = _("In training pair {first}, the slowest, never came round: it knows a part of its circle only.")
    else:
        told = _("In training {open} of {pairs} never came round: pair {first} and all after it know a part of their circle only.")
    return told.format(open=f"`{len(still_open)}`", pairs=pairs(len(seen)), first=still_open[0])


def _meets(setting: Setting, before: int, after: int) -> str:
    rule = _("A pair counts when it goes more than one of its own steps beyond what training showed.")
    if setting.used == "none":
        found = unseen(setting, "none")
        most = _(", up to {share} of a circle").format(share=f"`{found.max():.4f}`") if len(found) else ""
        return (
            _("Pairs that meet angles at {target} that they never saw: {before}{most}.").format(
                target=tokens(setting.length), before=f"`{before}`", most=most
            )
            + " "
            + rule
        )
    found = unseen(setting, None)
    most = _(", up to {share} of a circle").format(share=f"`{found.max():.4f}`") if len(found) else ""
    return (
        _("Pairs that meet angles at {target} that they never saw: {before} without a method, {after} with {method}{most}.").format(
            target=tokens(setting.length), before=f"`{before}`", method=f"**{spoken(setting.used)}**", after=f"`{after}`", most=most
        )
        + " "
        + rule
    )


def _words(setting: Setting) -> figures.AngleWords:
    trained, target = tokens(setting.trained, ""), tokens(setting.length, "")
    return figures.AngleWords(
        pair=_("pair i (0 is the fastest)"),
        share=_("share of the circle"),
        turns=_("turns (log axis)"),
        seen=_("seen in training, {trained}").format(trained=trained),
        unseen=_("never seen, met at {target}").format(target=target),
        method=_("reach at {target}, {method}").format(target=target, method=method_name(setting.used)),
        unscaled=_("reach without a method"),
        circle=_("one turn: the whole circle is seen"),
        trained_turns=_("turns in training"),
    )
