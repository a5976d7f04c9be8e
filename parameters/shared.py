"""The parameters that pages share: they go along from page to page."""

from __future__ import annotations

from locales import N_
from parameters.types import SUPPORTED, Choice, Method, Number, Parameter, decades

POWERS = [2**power for power in range(8, 24)]

SHARED: dict[str, Parameter] = {
    "base": Number(
        label=N_("Base b"),
        help=N_("The number whose powers set the speeds of the pairs; 10,000 in the paper."),
        default=10_000,
        low=1.01,
        high=1e9,
        step=0,
        scale="log",
        marks=decades(1, 9),
    ),
    "head_dim": Number(
        label=N_("Head width d"),
        help=N_("Coordinates of one query or key; two of them form a pair."),
        default=128,
        low=2,
        high=512,
        step=2,
    ),
    "rotary": Number(
        label=N_("Share of the width that turns"),
        help=N_("partial_rotary_factor of a model config: 1 turns all coordinates; at least one pair always turns, and never half of one."),
        default=1,
        low=0.01,
        high=1,
        step=0,
        marks=[0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875],
    ),
    "layout": Choice(
        label=N_("Layout"),
        help=N_("Which coordinates form pair i: half joins i and i + P, where P is the number of pairs; interleaved joins 2i and 2i + 1."),
        options={"half": N_("half"), "interleaved": N_("interleaved")},
    ),
    "context": Number(
        label=N_("Context length"),
        help=N_("The longest sequence that the model was trained on, in tokens."),
        default=4096,
        low=1,
        high=SUPPORTED,
        scale="log",
        marks=POWERS,
    ),
    "scaling": Method(label=N_("Scaling"), help=N_("The method of context extension whose speeds are shown.")),
}
