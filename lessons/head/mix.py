"""What breaks when the two layouts are mixed."""

from __future__ import annotations

import numpy as np

from compute.head import LAYOUTS, ShiftTest, rotate_mixed, score_rows, shift_test
from figures import layouts as figures
from lessons.head.code import MIX_CODE, code
from lessons.notebook import notebook_code
from lessons.view import Columns, View
from lessons.wording import aligned, rounding, tex
from locales import _
from rope_core import RopeConfig

NAMED = (0, 10, 100, 1000)


def mix_view(config: RopeConfig, distance: int) -> View:
    """Show the score while both tokens shift: flat in either layout, and not when the tables of one meet the pairs of the other."""
    test = shift_test(config, distance)
    columns = shift_columns(test)
    shifts, half, interleaved, mixed = (np.asarray(values) for values in columns.values())
    return View(
        figure=figures.shift_test(shifts, half, interleaved, mixed, say=_),
        alt=_(
            "At distance {distance}, over shifts from 0 to 100, the score stays at {half} in half and at {interleaved} in interleaved "
            "layout; with the layouts mixed it runs from {low} to {high}."
        ).format(
            distance=f"{distance:,}",
            half=f"{half[0]:,.4f}",
            interleaved=f"{interleaved[0]:,.4f}",
            low=f"{mixed.min():,.3f}",
            high=f"{mixed.max():,.3f}",
        ),
        sentences=_sentences(config, test, distance),
        formula=_formula(test),
        code=code(MIX_CODE, config, distance=distance),
        columns=columns,
        notebook_code=notebook_code(
            ShiftTest,
            score_rows,
            rotate_mixed,
            shift_test,
            shift_columns,
            lines="columns = shift_columns(shift_test(config, distance))",
            LAYOUTS=LAYOUTS,
            config=config,
            distance=distance,
        ),
    )


def shift_columns(test: ShiftTest) -> Columns:
    """Return the scores at shifts of 0 to 100."""
    near = test.shifts <= 100
    return {"shifts": test.shifts[near], "half": test.half[near], "interleaved": test.interleaved[near], "mixed": test.mixed[near]}


def _mixed_at(test: ShiftTest) -> list[float]:
    return [float(test.mixed[test.shifts == shift][0]) for shift in NAMED]


def _sentences(config: RopeConfig, test: ShiftTest, distance: int) -> tuple[str, ...]:
    both = _(
        "For q = 1, 2, ..., {d} and k = {d}, ..., 1 at distance {distance} the score is {half} in half and {interleaved} in "
        "interleaved layout; shifts of 0 to 100 and of 1,000 change it by {flat} at most (rounding)."
    ).format(
        d=f"`{config.head_dim}`",
        distance=f"`{distance:,}`",
        half=f"`{test.half[0]:,.4f}`",
        interleaved=f"`{test.interleaved[0]:,.4f}`",
        flat=f"`{rounding(max(np.ptp(test.half), np.ptp(test.interleaved)))}`",
    )
    if config.pairs == 1:
        return both, _("With {pairs} pair both layouts are the same, and there is nothing to mix.").format(pairs="`1`")
    return (
        both,
        _(
            "Mixed, with the angles of interleaved pairs on the partners of half layout, it is {mixed} at shifts 0, 10, 100 and 1,000. "
            "All shapes fit and nothing raises an error."
        ).format(mixed=", ".join(f"`{score:,.3f}`" for score in _mixed_at(test))),
        _("The mistake is no rotation either: a vector of ones has squared length {before} before, and {after} at position 1.").format(
            before=f"`{config.head_dim}`", after=f"`{test.squared_length:.9g}`"
        ),
    )


def _formula(test: ShiftTest) -> tuple[str, ...]:
    return (
        aligned(
            r"\mathrm{half}:\quad & z_j = x_j + \mathrm{i}\,x_{j+P}",
            r"\mathrm{inter}:\quad & z_j = x_{2j} + \mathrm{i}\,x_{2j+1}",
            r"& z_j' = z_j\,e^{\mathrm{i}m\theta_j}",
            r"\mathrm{mix}:\quad & x_j' = x_j\cos m\theta_{\lfloor j/2\rfloor}",
            r"& \quad - x_{j+P}\sin m\theta_{\lfloor j/2\rfloor},\; j < P",
        ),
        aligned(*(rf"s_\mathrm{{mix}}({shift}) &= {tex(score)}" for shift, score in zip(NAMED[:2], _mixed_at(test), strict=False))),
    )
