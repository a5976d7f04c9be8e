"""Both layouts: the matrix in each and the permutation between them, what breaks when they are mixed, and one vector in either order."""

from __future__ import annotations

import numpy as np
from numpy import ndarray

from compute.head import ShiftTest, both_orders, matrices, permutation, shift_test
from compute.speeds import speeds
from figures import head, layouts
from lessons.head.code import MATRIX_CODE, MIX_CODE, THREE_CODE, code
from lessons.notebook import computed
from lessons.view import Columns, View
from lessons.wording import aligned, angle_error, certain, fixed, right, rounding, tex
from locales import _
from rope_core import RopeConfig

NAMED = (0, 10, 100, 1000)


def matrix_view(config: RopeConfig, position: int) -> View:
    """Show the matrix in both layouts."""
    (half, interleaved), order = matrices(config, position), permutation(config)
    error = np.abs(half - interleaved[np.ix_(order, order)]).max()
    return View(
        figure=head.matrices(half, interleaved, order, say=_),
        alt=_(
            "Two {d} by {d} matrices for position {m}, made of the same {pairs} blocks of 2 by 2 numbers; after "
            "the permutation they differ by {error}."
        ).format(d=config.head_dim, m=f"{position:,}", pairs=config.pairs, error=rounding(error)),
        sentences=_matrix_sentences(config, error),
        formula=(
            aligned(
                r"B_i &= \begin{pmatrix}\cos m\theta_i & -\sin m\theta_i\\ \sin m\theta_i & \cos m\theta_i\end{pmatrix}",
                rf"B_{{{config.pairs - 1}}} &= {_block(half, config.pairs)}",
            ),
            aligned(r"R_\text{half} &= \Pi\,R_\text{inter}\,\Pi^\top", _permutation_tex(config)),
        ),
        code=code(MATRIX_CODE, config, position=position),
        **computed(matrix_columns, config, position),
    )


def matrix_columns(config: RopeConfig, position: int) -> Columns:
    """Return the cells that are not zero in at least one of the matrices."""
    half, interleaved = matrices(config, position)
    rows, columns = np.nonzero((half != 0) | (interleaved != 0))
    return {"row": rows, "column": columns, "half": half[rows, columns], "interleaved": interleaved[rows, columns]}


def _matrix_sentences(config: RopeConfig, error: float) -> tuple[str, ...]:
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


def _permutation_tex(config: RopeConfig) -> str:
    return rf"\Pi x &= (x_0, x_2, \dots, x_{{{config.rotary_dim - 2}}}, x_1, x_3, \dots)"


def mix_view(config: RopeConfig, distance: int) -> View:
    """Show the score while both tokens shift: flat in either layout, and not when the tables of one meet the pairs of the other."""
    test, numbers = shift_test(config, distance), computed(shift_columns, config, distance)
    shifts, half, interleaved, mixed = numbers["columns"].values()
    error = _score_error(config, distance)
    return View(
        figure=layouts.shift_test(shifts, half, interleaved, mixed, say=_),
        alt=_(
            "At distance {distance}, over shifts from 0 to 100, the score stays at {half} in half and at {interleaved} in interleaved "
            "layout; with the layouts mixed it runs from {low} to {high}."
        ).format(
            distance=f"{distance:,}",
            half=certain(half[0], error, 4),
            interleaved=certain(interleaved[0], error, 4),
            low=certain(mixed.min(), error, 3),
            high=certain(mixed.max(), error, 3),
        ),
        sentences=_mix_sentences(config, test, distance),
        formula=_mix_formula(test, error),
        code=code(MIX_CODE, config, distance=distance),
        **numbers,
    )


def shift_columns(config: RopeConfig, distance: int) -> Columns:
    """Return the scores at shifts of 0 to 100."""
    return {name: rows[:101] for name, rows in shift_test(config, distance)._asdict().items() if name != "squared_length"}


def _mixed_at(test: ShiftTest) -> list[float]:
    return [float(test.mixed[test.shifts == shift][0]) for shift in NAMED]


def _score_error(config: RopeConfig, distance: int) -> float:
    """Return how far a score of this view may be off: q and k hold 1 to d, and stand at ``distance`` and 0, or up to 1,000 further."""
    squared_length = sum(number**2 for number in range(1, config.head_dim + 1))
    return squared_length * angle_error(distance + 2 * NAMED[-1])


def _mix_sentences(config: RopeConfig, test: ShiftTest, distance: int) -> tuple[str, ...]:
    error = _score_error(config, distance)
    both = _(
        "For q = 1, 2, ..., {d} and k = {d}, ..., 1 at distance {distance} the score is {half} in half and {interleaved} in "
        "interleaved layout; shifts of 0 to 100 and of 1,000 change it by {flat} at most (rounding)."
    ).format(
        d=f"`{config.head_dim}`",
        distance=f"`{distance:,}`",
        half=f"`{certain(test.half[0], error, 4)}`",
        interleaved=f"`{certain(test.interleaved[0], error, 4)}`",
        flat=f"`{rounding(max(np.ptp(test.half), np.ptp(test.interleaved)))}`",
    )
    if config.pairs == 1:
        return both, _("With {pairs} pair both layouts are the same, and there is nothing to mix.").format(pairs="`1`")
    return (
        both,
        _(
            "Mixed, with the angles of interleaved pairs on the partners of half layout, it is {mixed} at shifts 0, 10, 100 and 1,000. "
            "All shapes fit and nothing raises an error."
        ).format(mixed=_(", ").join(f"`{certain(score, error, 3)}`" for score in _mixed_at(test))),
        _("The mistake is no rotation either: a vector of ones has squared length {before} before, and {after} at position 1.").format(
            before=f"`{config.head_dim}`", after=f"`{test.squared_length:.9g}`"
        ),
    )


def _mix_formula(test: ShiftTest, error: float) -> tuple[str, ...]:
    return (
        aligned(
            r"\mathrm{half}:\quad & z_j = x_j + \mathrm{i}\,x_{j+P}",
            r"\mathrm{inter}:\quad & z_j = x_{2j} + \mathrm{i}\,x_{2j+1}",
            r"& z_j' = z_j\,e^{\mathrm{i}m\theta_j}",
            r"\mathrm{mix}:\quad & x_j' = x_j\cos m\theta_{\lfloor j/2\rfloor}",
            r"& \quad - x_{j+P}\sin m\theta_{\lfloor j/2\rfloor},\; j < P",
        ),
        aligned(
            *(rf"s_\mathrm{{mix}}({shift}) &= {tex(right(score, error))}" for shift, score in zip(NAMED[:2], _mixed_at(test), strict=False))
        ),
    )


def code_view(config: RopeConfig, seed: int, position: int) -> View:
    """Show one rotated vector in the order of either layout, and then both in the same order."""
    order, numbers = permutation(config), computed(order_columns, config, seed, position)
    _place, half, interleaved, permuted = numbers["columns"].values()
    error = np.abs(half - permuted).max()
    return View(
        figure=layouts.two_orders(half, interleaved, order, say=_),
        alt=_(
            "One vector of {d} numbers, rotated to position {m} in both layouts: in the same order they differ by at most {error}."
        ).format(d=config.head_dim, m=f"{position:,}", error=rounding(error)),
        sentences=_order_sentences(config, order, error),
        formula=_order_formula(config, position),
        code=code(THREE_CODE, config, seed=seed, position=position),
        **numbers,
    )


def order_columns(config: RopeConfig, seed: int, position: int) -> Columns:
    """Return the vector in the order of either layout, and what was interleaved in half order."""
    (half, interleaved), order = both_orders(config, seed, position), permutation(config)
    return {"place": np.arange(len(order)), "half": half, "interleaved": interleaved, "interleaved_permuted": interleaved[order]}


def _order_sentences(config: RopeConfig, order: ndarray, error: float) -> tuple[str, ...]:
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


def _order_formula(config: RopeConfig, position: int) -> tuple[str, ...]:
    last, speed = config.pairs - 1, float(speeds(config)[-1])
    return (
        aligned(
            r"e^{\mathrm{i}m\theta_i} &= \cos m\theta_i + \mathrm{i}\sin m\theta_i",
            rf"\theta_{{{last}}} &= {tex(speed)}",
            rf"m\,\theta_{{{last}}} &= {tex(position * speed)}",
        ),
        aligned(r"\mathrm{half}(\Pi x) &= \Pi\,\mathrm{inter}(x)", _permutation_tex(config)),
    )
