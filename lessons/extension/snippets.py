"""Two pieces of code that go round in tutorials, in short, and what they get wrong at the current setting."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from compute.speeds import attention_factor, ratios
from lessons.extension.settings import ExtensionSettings, base_of
from lessons.methods import speeds_code
from lessons.wording import tokens
from locales import _
from rope_core import DynamicNtkScaling, RopeConfig, RopeConfigError, YarnScaling

SCALE_ONLY = """
import torch

def scale_only(dim, scale):  # called "YaRN"
    pairs = torch.arange(0, dim, 2, dtype=torch.float64)
    speeds = 10000 ** (-pairs / dim)
    return speeds * scale  # one number for all pairs

theta = scale_only({width}, {scale!r})
"""
GROWING_BASE = """
import torch

def growing_base(dim, trained, length):  # called "dynamic NTK"
    theta = 10000
    if length > trained:
        theta *= (length / trained) ** (dim / (dim - 2))
    pairs = torch.arange(0, dim, 2, dtype=torch.float64)
    return theta ** (-pairs / dim)

theta = growing_base({width}, {trained}, {length})
"""


class Snippet(NamedTuple):
    """A piece of code, what is wrong with it in numbers, and the code that is right; both define ``theta``."""

    title: str
    wrong: str
    faults: str
    right: str


def snippets(s: ExtensionSettings) -> tuple[Snippet, ...]:
    """Return both pieces at the current head and lengths."""
    return _scale_only(s), _growing_base(s)


def _scale_only(s: ExtensionSettings) -> Snippet:
    head, stretch = s.head, s.stretch
    yarn = replace(head, scaling=YarnScaling(stretch, original_max_position=s.trained))
    ratio = ratios(yarn, s.length)
    return Snippet(
        title=_("“YaRN” that multiplies every speed by one number"),
        wrong=SCALE_ONLY.format(width=head.rotary_dim, scale=stretch),
        faults=" ".join(
            (
                _("New over old is {wrong} for every pair."),
                _("With YaRN it is {first} for pair 0 and {last} for pair {pair}, with a ramp between kept and divided pairs.")
                if head.pairs > 1
                else _("With YaRN it is {first} for the only pair."),
                _("YaRN also multiplies cos and sin by A = {size}, which is missing."),
                _("A number above 1 even turns faster and so uses the context up sooner; one below 1 is linear scaling."),
            )
        ).format(
            wrong=f"`{stretch:.6g}`",
            first=f"`{ratio[0]:.6g}`",
            last=f"`{ratio[-1]:.6g}`",
            pair=head.pairs - 1,
            size=f"`{attention_factor(yarn, s.length):.7g}`",
        )
        + _own_base(head),
        right=speeds_code(yarn, s.length),
    )


def _growing_base(s: ExtensionSettings) -> Snippet:
    head = s.head
    wrong = GROWING_BASE.format(width=head.rotary_dim, trained=s.trained, length=s.length)
    title = _("“Dynamic NTK” without a factor")
    factor = s.options.dynamic_factor
    try:
        right, theirs = (replace(head, scaling=DynamicNtkScaling(each)) for each in (factor, 1))
    except RopeConfigError:
        alone = _("With a single pair it divides by zero: d - 2 = 0. Dynamic NTK needs a second pair.")
        return Snippet(title, wrong, f"{alone} {_names()}", "")
    bases = [base_of(config, s.length) for config in (theirs, right)]
    return Snippet(
        title=title,
        wrong=wrong,
        faults=_(
            "This is dynamic NTK with the factor 1: in a text of {length} the base would be {theirs}; with the factor {factor} of a "
            "config it is {right}. A head with one pair divides by zero, and keys cached under a shorter text's table are not turned again."
        ).format(length=tokens(s.length), theirs=f"`{bases[0]:,.7g}`", factor=f"`{factor:.6g}`", right=f"`{bases[1]:,.7g}`")
        + f" {_names()}"
        + _own_base(head),
        right=speeds_code(right, s.length),
    )


def _names() -> str:
    return _("The base is no argument, and it is called {theta}, which is the speed of a pair.").format(theta="`theta`")


def _own_base(head: RopeConfig) -> str:
    if head.base == 10_000:
        return ""
    return " " + _("It also keeps the base 10,000, where your head has {base}.").format(base=f"`{head.base:,.10g}`")
