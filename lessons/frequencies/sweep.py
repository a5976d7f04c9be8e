"""The view Sweep of the base: the wavelengths at the reader's base, and those at a small and at a large one."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from compute.speeds import wavelengths_of_bases
from figures import frequencies
from lessons.frequencies.speeds import law_sentence
from lessons.notebook import computed
from lessons.view import Columns, View
from lessons.wording import aligned, counted, tex, tokens
from locales import _
from rope_core import RopeConfig

SMALL, LARGE = 1e2, 1e9


def sweep_view(config: RopeConfig) -> View:
    """Show the wavelengths at the reader's base, and those at a hundred and a billion."""
    numbers = computed(sweep_columns, config.head_dim, config.base)
    _pair, small, own, large = numbers["columns"].values()
    last = config.pairs - 1
    return View(
        figure=frequencies.sweep(own, (small, large), base=config.base, bases=(SMALL, LARGE), context=config.max_position, say=_),
        alt=_alt(config, small, own, large),
        sentences=(_range(small, large), _longer(config, small, own, large), law_sentence(config)),
        formula=(
            aligned(
                r"\lambda_i(b) &= 2\pi\,b^{2i/d} = 2\pi / \theta_i",
                rf"\lambda_{{{last}}}(10^2) &= {tex(small[-1])}",
                rf"\lambda_{{{last}}}(10^9) &= {tex(large[-1])}",
            ),
        ),
        code=CODE.format(d=config.head_dim, bases=[SMALL, config.base, LARGE]),
        **numbers,
    )


def sweep_columns(head_dim: int, base: float) -> Columns:
    """Return the wavelengths at three bases."""
    small, own, large = wavelengths_of_bases(head_dim, (SMALL, base, LARGE))
    return {"pair": np.arange(len(own)), "wavelength_at_100": small, "wavelength_at_own_base": own, "wavelength_at_1e9": large}


def _alt(config: RopeConfig, small: ndarray, own: ndarray, large: ndarray) -> str:
    return _(
        "Wavelengths at your base of {base}, and at 100 and 1,000,000,000: that of pair 0 is {first} tokens at each, that of pair "
        "{last} is {own} at yours, {low} at 100 and {high} at 1,000,000,000."
    ).format(
        base=f"{config.base:,.10g}",
        first=counted(own[0]),
        last=config.pairs - 1,
        own=counted(own[-1]),
        low=counted(small[-1]),
        high=counted(large[-1]),
    )


def _range(small: ndarray, large: ndarray) -> str:
    if len(small) == 1:
        return _("The only pair takes {first} tokens for one turn at every base.").format(first=f"`{counted(small[0])}`")
    return _(
        "The wavelength of pair 0 is {first} tokens at every base. That of pair {last} goes from {low} tokens at base 100 to "
        "{high} at base 1,000,000,000."
    ).format(first=f"`{counted(small[0])}`", last=len(small) - 1, low=f"`{counted(small[-1])}`", high=f"`{counted(large[-1])}`")


def _longer(config: RopeConfig, *rows: ndarray) -> str:
    low, own, high = (f"`{(row > config.max_position).sum()}`" for row in rows)
    return _(
        "Pairs that take longer than {context} for one turn, of {pairs} in all: {low} at base 100, {own} at your base of {base}, and "
        "{high} at base 1,000,000,000."
    ).format(pairs=f"`{config.pairs}`", context=tokens(config.max_position), low=low, own=own, base=f"`{config.base:,.10g}`", high=high)


CODE = """
import torch

d = {d}
bases = torch.tensor({bases}, dtype=torch.float64)
exponents = torch.arange(0, d, 2, dtype=torch.float64) / d
result = 2 * torch.pi * bases[:, None] ** exponents  # tokens of one turn, a row a base
"""
