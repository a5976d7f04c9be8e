"""Sentences about which bases pass."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from compute import bases as compute
from compute.bases import Answer, Model, Sums
from lessons.wording import tokens
from locales import _
from parameters.settings import Settings


@dataclass(frozen=True, kw_only=True)
class BasesSettings:
    """A rotated width, a base and a context length."""

    width: int
    base: float
    context: int

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return what the page's settings say; all of the width turns."""
        return cls(width=settings.whole("head_dim"), base=settings.number("base"), context=settings.whole("context"))

    @property
    def limit(self) -> int:
        """How far the sweep over bases searches."""
        return compute.search_limit(self.width)

    @property
    def furthest(self) -> int:
        """How far the base of the reader is searched: as far as the context, or as the sweep, whichever is further."""
        return max(self.limit, self.context)

    @property
    def negative(self) -> int | None:
        """Its first negative distance; None if there is none below ``furthest``."""
        return compute.first_negative(self.width, self.base, self.furthest)


def verdict(settings: BasesSettings) -> str:
    """Say whether the base passes for the context."""
    negative = settings.negative
    base, context = f"`{settings.base:,.10g}`", tokens(settings.context)
    if negative is None:
        return _("Base {base}: no negative sum at any distance below {limit}, so it passes for {context}.").format(
            base=base, limit=f"`{settings.furthest:,}`", context=context
        )
    if negative < settings.context:
        return _("Base {base}: the sum is first negative at distance {first}, so it fails for {context}.").format(
            base=base, first=f"`{negative:,}`", context=context
        )
    return _("Base {base}: the sum is first negative at distance {first}, so it passes for {context}.").format(
        base=base, first=f"`{negative:,}`", context=context
    )


def answers(settings: BasesSettings, smallest: Answer, failing: Answer) -> str:
    """Name the smallest base that passes and the largest that fails, or why they are not known."""
    return f"{_smallest(settings, smallest)} {_failing(settings, smallest, failing)}".strip()


def _smallest(settings: BasesSettings, smallest: Answer) -> str:
    width, context = f"`{settings.width}`", tokens(settings.context)
    if settings.context <= 2:
        return _("For {context} the base decides nothing: no pair turns by more than 1 rad, and every cosine is positive.").format(
            context=context
        )
    if settings.width == 2:
        return _("With 2 rotated coordinates the base decides nothing: pair 0 turns by 1 rad at every base, and cos 2 is negative.")
    if smallest.verdict == "found":
        # Rounded up: what a reader types in must pass.
        return _("Searching up from 1.01 in steps of 0.02%, the first base that passes for {context} is {base}.").format(
            context=context, base=f"`{math.ceil(100 * smallest.base) / 100:,.2f}`"
        )
    if smallest.verdict == "none":
        return _("No base that was tried from 1.01 to {highest} passes for {context} with {width} rotated coordinates.").format(
            highest=f"`{smallest.base:,.0f}`", context=context, width=width
        )
    return _("With {width} rotated coordinates the smallest passing base is known here for up to {longest} tokens.").format(
        width=width, longest=f"`{compute.longest_answer(settings.width):,}`"
    )


def _failing(settings: BasesSettings, smallest: Answer, failing: Answer) -> str:
    if smallest.verdict != "found" or settings.context <= 2:
        return ""
    if failing.verdict == "width":
        return _("It is not the last word: larger bases may fail, and the largest that does is not tabulated for this width.")
    if math.isinf(failing.base):
        return _("Larger ones fail again, up to the largest that was tried, 2,000,000,000.")
    if failing.base > smallest.base:
        return _("But the good set is jagged: some bases up to about {failing} still fail.").format(failing=f"`{failing.base:,.0f}`")
    return _("Every larger one that was tried passes too.")


def whose_criterion(settings: BasesSettings, same: Sequence[Model]) -> str:
    """Say what the criterion speaks of, and how the models of the same width stand to it."""
    rule = _(
        "This is the criterion of one paper (arXiv 2405.14591): a key like the query should, on average, not score below an unrelated "
        "one at any distance of the context. It speaks of averages, not of defects of a model."
    )
    if not same:
        return rule + " " + _("No model of the list turns {width} coordinates.").format(width=f"`{settings.width}`")
    if any(model.rotary_dim < model.head_dim for model in same):
        rule += " " + _(
            "Only the coordinates that turn are summed: where at most half of the head turns, the others keep the whole sum from ever "
            "being negative."
        )
    early = sum(model.first_negative is not None and model.first_negative < model.length for model in same)
    counts = _(
        "Of the {count} models here that turn {width} coordinates, {early} have a negative sum within their length: the trained one where "
        "the config names it, else the stated one, and no more than a sliding window."
    ).format(count=f"`{len(same)}`", width=f"`{settings.width}`", early=f"`{early}`")
    if any(model.extended for model in same):
        counts += " " + _("A method that came after training is left aside; models with one: {extended}.").format(
            extended=f"`{sum(model.extended for model in same)}`"
        )
    return f"{rule} {counts}"


def jagged(sums: Sums) -> str:
    """Count how often a larger base turns negative earlier."""
    negative = sums.lowest < 0
    starts = np.where(negative.any(1), negative.argmax(1), negative.shape[1])
    if not (np.diff(starts) < 0).any():
        return _("From one row to the next the first negative bin never comes earlier: at this width the edge is not jagged.")
    return _(
        "From one row to the next the base grows, yet the first negative bin comes earlier {back} times in {steps}: the edge is jagged."
    ).format(back=f"`{int((np.diff(starts) < 0).sum())}`", steps=f"`{len(starts) - 1}`")


def come_round(settings: BasesSettings, here: int) -> str:
    """Say how many coordinates come round within the context."""
    context, width, rest = f"`{settings.context:,}`", f"`{settings.width}`", settings.width - here
    if not rest:
        return _("In {context} steps of one token all {width} coordinates belong to pairs that come round at least once.").format(
            context=context, width=width
        )
    return _(
        "In {context} steps of one token {here} of {width} coordinates belong to pairs that come round at least once. Those of the other "
        "{rest} meet a part of their circle only: longer texts bring angles that are new."
    ).format(context=context, here=f"`{here}`", width=width, rest=f"`{rest}`")
