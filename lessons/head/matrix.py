"""The matrix of one position in both layouts, and the permutation between them."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from compute.head import LAYOUTS, matrices, permutation
from figures import head as figures
from lessons.head.code import MATRIX_CODE, code
from lessons.notebook import notebook_code
from lessons.view import Columns, View
from lessons.wording import aligned, fixed, rounding
from locales import _
from rope_core import RopeConfig


def matrix_view(config: RopeConfig, position: int) -> View:
    """Show the matrix in both layouts."""
    half, interleaved = matrices(config, position)
    order = permutation(config)
    error = np.abs(half - interleaved[np.ix_(order, order)]).max()
    return View(
        figure=figures.matrices(half, interleaved, order, say=_),
        alt=_(
            "Two {d} by {d} matrices for position {m}, made of the same {pairs} blocks of 2 by 2 numbers; after "
            "the permutation they differ by {error}."
        ).format(d=config.head_dim, m=f"{position:,}", pairs=config.pairs, error=rounding(error)),
        sentences=_sentences(config, error),
        formula=(
            aligned(
                r"B_i &= \begin{pmatrix}\cos m\theta_i & -\sin m\theta_i\\ \sin m\theta_i & \cos m\theta_i\end{pmatrix}",
                rf"B_{{{config.pairs - 1}}} &= {_block(half, config.pairs)}",
            ),
            aligned(
                r"R_\text{half} &= \Pi\,R_\text{inter}\,\Pi^\top",
                rf"\Pi x &= (x_0, x_2, \dots, x_{{{config.rotary_dim - 2}}}, x_1, x_3, \dots)",
            ),
        ),
        code=code(MATRIX_CODE, config, position=position),
        columns=matrix_columns(half, interleaved),
        notebook_code=notebook_code(
            matrices,
            matrix_columns,
            lines="columns = matrix_columns(*matrices(config, position))",
            LAYOUTS=LAYOUTS,
            config=config,
            position=position,
        ),
    )


def matrix_columns(half: ndarray, interleaved: ndarray) -> Columns:
    """Return the cells that are not zero in at least one of the matrices."""
    rows, columns = np.nonzero((half != 0) | (interleaved != 0))
    return {"row": rows, "column": columns, "half": half[rows, columns], "interleaved": interleaved[rows, columns]}


def _sentences(config: RopeConfig, error: float) -> tuple[str, ...]:
    count = config.head_dim + config.rotary_dim
    return (
        _("Of {cells} numbers in each matrix {count} lie on a block or on the diagonal; {pairs} blocks turn, one a pair.").format(
            cells=f"`{config.head_dim**2:,}`", count=f"`{count:,}`", pairs=f"`{config.pairs}`"
        ),
        _(
            "In half layout the two coordinates of a pair stand {apart} apart, interleaved they are neighbours. Of the "
            "coordinates that turn, the permutation takes the even ones first, then the odd ones; after it the two matrices "
            "differ by {error}."
        ).format(apart=f"`{config.pairs}`", error=f"`{rounding(error)}`"),
        _("Weights belong to one layout; to change it, permute the rows of W_q and W_k. Neither is better: match the checkpoint."),
    )


def _block(half: ndarray, pairs: int) -> str:
    a, b = pairs - 1, 2 * pairs - 1
    return rf"\begin{{pmatrix}} {fixed(half[a, a])} & {fixed(half[a, b])}\\ {fixed(half[b, a])} & {fixed(half[b, b])} \end{{pmatrix}}"
