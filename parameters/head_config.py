"""The head that the shared parameters describe: plain, turned in part, or with a method of context extension."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import rope_core as rc
from parameters.problems import Problem
from parameters.settings import Settings
from parameters.shared import SHARED
from rope_core import RopeConfig, RopeConfigError, Scaling
from rope_core.errors import EXACT_INTEGERS
from rope_core.operands import MAX_SPEED


def plain_head(settings: Settings) -> RopeConfig:
    """Make a config of width, base, layout and context length; all of the width turns, at the speeds of the plain law."""
    return RopeConfig(
        settings.whole("head_dim"),
        base=settings.number("base"),
        layout="half" if settings["layout"] == "half" else "interleaved",
        max_position=settings.whole("context"),
    )


def rotary_width(head_dim: int, share: float) -> int:
    """Return the width that turns: the even number nearest to a share of the head, the smaller of two that are as near, at least 2."""
    # A share such as 64/192 may come from a link in 15 digits: what is a whole number of pairs but for rounding is one.
    return max(2, 2 * math.ceil(share * head_dim / 2 - 0.5 - 1e-9))


def partial_head(settings: Settings) -> RopeConfig:
    """Make a config of the shared parameters with the share of the width that turns."""
    config = plain_head(settings)
    return replace(config, rotary_dim=rotary_width(config.head_dim, settings.number("rotary")))


def model_head(settings: Settings) -> tuple[RopeConfig, tuple[str, ...]]:
    """Make a config of all shared parameters, the method included.

    Returns:
        The config, and a sentence where the method cannot be used with this head; it is then left out.
    """
    plain, scaling = partial_head(settings), settings.scaling()
    if scaling is None:
        return plain, ()
    try:
        return scaled_head(plain, scaling), ()
    except RopeConfigError as error:
        return plain, (Problem(SHARED["scaling"].label, settings.text("scaling"), "", error=error).sentence,)


def scaled_head(plain: RopeConfig, scaling: Scaling) -> RopeConfig:
    """Apply a method to a plain head whose ``max_position`` is the trained length, which counts more than the method's own.

    A method that states its trained length beside the stretched one gets both: then ``max_position`` is the stretched one.

    Raises:
        RopeConfigError: If the method does not fit the head, or gives speeds that no page can show.
    """
    trained = plain.max_position
    if "original_max_position" in {field.name for field in fields(scaling)}:
        stretched = min(max(round(trained * (getattr(scaling, "factor", None) or 1)), trained), EXACT_INTEGERS)
        config = replace(plain, max_position=stretched, scaling=replace(scaling, original_max_position=trained))
    else:
        config = replace(plain, scaling=scaling)
    try:
        inv_freq = rc.inverse_frequencies(config)
    except (ArithmeticError, ValueError) as error:  # settings at the end of the range of float64
        raise RopeConfigError("scaling must give every pair a speed, got {value!r}", value=scaling) from error
    if not inv_freq.isfinite().all() or inv_freq.max() > MAX_SPEED:
        raise RopeConfigError(
            "scaling must give speeds up to {limit:g} rad per token, got {value:g}", limit=MAX_SPEED, value=inv_freq.max().item()
        )
    if not inv_freq.any():
        raise RopeConfigError("scaling must let at least one pair turn, got {value!r}", value=scaling)
    return config
