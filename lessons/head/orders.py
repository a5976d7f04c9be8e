"""One rotated vector in the order of either layout, and three implementations that agree."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from compute.head import Turned, both_orders, coordinates, permutation, turn_head
from compute.speeds import speeds
from figures import layouts as figures
from lessons.head.code import THREE_CODE, code
from lessons.notebook import notebook_code
from lessons.view import Columns, View
from lessons.wording import aligned, rounding, tex
from locales import _
from rope_core import RopeConfig


def code_view(config: RopeConfig, seed: int, position: int) -> View:
    """Show one rotated vector in the order of either layout, and then both in the same order."""
    order = permutation(config)
    half, interleaved = both_orders(config, seed, position)
    error = np.abs(half - interleaved[order]).max()
    return View(
        figure=figures.two_orders(half, interleaved, order, say=_),
        alt=_(
            "One vector of {d} numbers, rotated to position {m} in both layouts: in the same order they differ by at most {error}."
        ).format(d=config.head_dim, m=f"{position:,}", error=f"{rounding(error)}"),
        sentences=_sentences(config, order, error),
        formula=_formula(config, position),
        code=code(THREE_CODE, config, seed=seed, position=position),
        columns=order_columns(half, interleaved, order),
        notebook_code=notebook_code(
            Turned,
            coordinates,
            permutation,
            turn_head,
            both_orders,
            order_columns,
            lines="columns = order_columns(*both_orders(config, seed, position), permutation(config))",
            config=config,
            seed=seed,
            position=position,
        ),
    )


def order_columns(half: ndarray, interleaved: ndarray, order: ndarray) -> Columns:
    """Return the vector in the order of either layout, and what was interleaved in half order."""
    return {"place": np.arange(len(order)), "half": half, "interleaved": interleaved, "interleaved_permuted": interleaved[order]}


def _sentences(config: RopeConfig, order: ndarray, error: float) -> tuple[str, ...]:
    moved = int((order != np.arange(len(order))).sum())
    return (
        _("The permutation moves {moved} of {d} numbers; after it the two layouts differ by at most {error}.").format(
            moved=f"`{moved}`", d=f"`{config.head_dim}`", error=f"`{rounding(error)}`"
        ),
        _(
            "The code below writes it three ways: halves with cat join i and i + {pairs}; the complex view and the slices both join "
            "2i and 2i + 1, and so need no permutation between them."
        ).format(pairs=f"`{config.pairs}`"),
        _(
            "Halves are two contiguous slices, interleaved pairs have a stride of 2 or one complex number. Which is faster depends "
            "on device and kernel; which is right, on the checkpoint."
        ),
    )


def _formula(config: RopeConfig, position: int) -> tuple[str, ...]:
    last, speed = config.pairs - 1, float(speeds(config)[-1])
    return (
        aligned(
            r"e^{\mathrm{i}m\theta_i} &= \cos m\theta_i + \mathrm{i}\sin m\theta_i",
            rf"\theta_{{{last}}} &= {tex(speed)}",
            rf"m\,\theta_{{{last}}} &= {tex(position * speed)}",
        ),
        aligned(
            r"\mathrm{half}(\Pi x) &= \Pi\,\mathrm{inter}(x)",
            rf"\Pi x &= (x_0, x_2, \dots, x_{{{config.rotary_dim - 2}}}, x_1, x_3, \dots)",
        ),
    )
