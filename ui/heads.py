"""The head that the shared parameters describe: plain, turned in part, or with a method of context extension."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import rope_core as rc
from rope_core import RopeConfig, RopeConfigError, Scaling
from rope_core.errors import EXACT_INTEGERS
from rope_core.operands import MAX_SPEED
from ui.i18n import _
from ui.notices import refuse
from ui.parameters import PARAMETERS
from ui.params import shared, shared_choice, shared_method


def current_config() -> RopeConfig:
    """Make a config of the shared parameters."""
    return RopeConfig(
        int(shared("head_dim")),
        base=shared("base"),
        layout="half" if shared_choice("layout") == "half" else "interleaved",
        max_position=int(shared("context")),
    )


def rotated_width(head_dim: int, share: float) -> int:
    """Give the width that turns: the even number nearest to a share of the head, the smaller of two that are as near, at least 2."""
    # A share such as 64/192 comes back from a link in 15 digits: what is a whole number of pairs but for rounding is one.
    return max(2, 2 * math.ceil(share * head_dim / 2 - 0.5 - 1e-9))


def partial_config(config: RopeConfig, share: float) -> RopeConfig:
    """Let a share of the width turn."""
    return replace(config, rotary_dim=rotated_width(config.head_dim, share))


def model_config() -> RopeConfig:
    """Make a config of the shared parameters with the share of the width that turns and the scaling; what does not fit is named."""
    plain, scaling = shared_head(), shared_method("scaling")
    try:
        return plain if scaling is None else scaled_config(plain, scaling)
    except RopeConfigError as error:
        refuse(_(PARAMETERS["scaling"].label), error)
        return plain


def shared_head() -> RopeConfig:
    """Make a config of the shared parameters with the share of the width that turns."""
    return partial_config(current_config(), shared("rotary"))


def fits_shared_head(scaling: Scaling) -> bool:
    """Say whether a method can be used with the shared parameters."""
    try:
        scaled_config(shared_head(), scaling)
    except RopeConfigError:
        return False
    return True


def scaled_config(plain: RopeConfig, scaling: Scaling) -> RopeConfig:
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
