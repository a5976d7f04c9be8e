"""Two pieces of code that go round in tutorials, in short, and what they get wrong at the current setting."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from lessons.extension_setting import Setting
from lessons.extension_words import tokens
from lessons.scaling_code import speeds_code
from rope_core import DynamicNtkScaling, RopeConfig, RopeConfigError, YarnScaling
from ui import compute_extension as compute
from ui.i18n import _

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


def snippets(setting: Setting) -> tuple[Snippet, ...]:
    """Give both pieces at the current head and lengths."""
    return _scale_only(setting), _growing_base(setting)


def _scale_only(setting: Setting) -> Snippet:
    head, stretch = setting.head, min(setting.stretch, 1e6)
    yarn = replace(head, scaling=YarnScaling(stretch, original_max_position=setting.trained))
    ratio = compute.speeds(yarn, setting.length) / compute.speeds(head, setting.trained)
    size = compute.magnitudes((yarn.scaling,), head, setting.length)[0]
    return Snippet(
        title=_("“YaRN” that multiplies every speed by one number"),
        wrong=SCALE_ONLY.format(width=head.rotary_dim, scale=stretch),
        faults=" ".join(
            (
                _("New over old is {wrong} for every pair."),
                _("YaRN leaves {first} of the speed of pair 0 and {last} of that of pair {pair}, pair by pair in between.")
                if head.pairs > 1
                else _("YaRN leaves {first} of the speed of the only pair."),
                _("It also multiplies cos and sin by A = {size}, which is missing."),
                _("A number above 1 even turns faster and so uses the context up sooner; one below 1 is linear scaling."),
            )
        ).format(
            wrong=f"`{stretch:.6g}`",
            first=f"`{ratio[0]:.6g}`",
            last=f"`{ratio[-1]:.6g}`",
            pair=head.pairs - 1,
            size=f"`{size:.7g}`",
        )
        + _own_base(head),
        right=speeds_code(yarn, setting.length),
    )


def _growing_base(setting: Setting) -> Snippet:
    head = setting.head
    wrong = GROWING_BASE.format(width=head.rotary_dim, trained=setting.trained, length=setting.length)
    title = _("“Dynamic NTK” without a factor")
    factor = setting.knobs.dynamic_factor
    try:
        right, theirs = (replace(head, scaling=DynamicNtkScaling(each)) for each in (factor, 1))
    except RopeConfigError:
        alone = _("With a single pair it divides by zero: d - 2 = 0. Dynamic NTK needs a second pair.")
        return Snippet(title, wrong, f"{alone} {_names()}", "")
    bases = [_base(config, setting.length) for config in (theirs, right)]
    return Snippet(
        title=title,
        wrong=wrong,
        faults=_(
            "This is dynamic NTK with the factor 1: in a text of {length} the base would be {theirs}; with the factor {factor} of a "
            "config it is {right}. A head with one pair divides by zero, and keys cached under a shorter text's table are not turned again."
        ).format(length=tokens(setting.length), theirs=f"`{bases[0]:,.7g}`", factor=f"`{factor:.6g}`", right=f"`{bases[1]:,.7g}`")
        + f" {_names()}"
        + _own_base(head),
        right=speeds_code(right, setting.length),
    )


def _names() -> str:
    return _("The base is no argument, and it is called {theta}, which is the speed of a pair.").format(theta="`theta`")


def _base(config: RopeConfig, length: int) -> float:
    """Read the base off the speed of the last pair."""
    width = config.rotary_dim
    return float(compute.speeds(config, length)[-1]) ** (-width / (width - 2))


def _own_base(head: RopeConfig) -> str:
    if head.base == 10_000:
        return ""
    return " " + _("It also keeps the base 10,000, where your head has {base}.").format(base=f"`{head.base:,.10g}`")
