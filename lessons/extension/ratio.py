"""What every method leaves of the speeds."""

from __future__ import annotations

import numpy as np

from compute.speeds import ratios
from figures.extension import speeds as figures
from figures.extension.look import Series
from lessons.extension.formula import speed_formula, speeds_lines
from lessons.extension.settings import ExtensionSettings
from lessons.extension.wording import attention_sentence, left_out, stretch_sentence
from lessons.methods.registry import SHEETS
from lessons.methods.sheet import pairs
from lessons.notebook import notebook_code
from lessons.view import View
from locales import _

CODE = """
result = theta / plain  # new speed over old, pair 0 first
"""
LINES = """
columns = {"pair": np.arange(config.pairs), "ratio": ratios(config, length)}
columns |= {f"ratio_{name}": ratios(replace(config, scaling=method), length) for name, method in methods.items()}
"""


def ratio_view(s: ExtensionSettings) -> View:
    """Show new speed over old of every pair, all methods side by side."""
    rows = {code: ratios(config, s.length) for code, config in s.usable.items()}
    series = {code: Series(name=SHEETS[code].name, look=SHEETS[code].look, values=row) for code, row in rows.items()}
    chosen = series.pop(s.sheet.code, None)
    methods = {code: config.scaling for code, config in s.usable.items()}
    return View(
        figure=figures.ratios(list(series.values()), chosen, s.stretch, _),
        alt=_alt(s, len(rows)),
        sentences=(
            stretch_sentence(s) + " " + _left(s),
            s.used.sentence(s) + attention_sentence(s),
            _("The chosen method has the settings above, every other one its usual settings.") + left_out(s),
        ),
        formula=(speed_formula(s),),
        code=speeds_lines(s) + CODE,
        columns={"pair": np.arange(s.head.pairs), "ratio": s.ratios} | {f"ratio_{code}": row for code, row in rows.items()},
        notebook_code=notebook_code(ratios, lines=LINES, config=s.chosen, length=s.length, methods=methods),
        verified_by="tests/lessons/test_extension_numbers.py::test_speeds",
    )


def _left(s: ExtensionSettings) -> str:
    if s.head.pairs == 1:
        template = _("With {method} {first} of the speed of the only pair is left.")
    else:
        template = _("With {method} {first} of the speed of pair 0 is left, and {end} of that of pair {last}, the slowest.")
    first, end = (f"`{s.ratios[pair]:.5g}`" for pair in (0, -1))
    return template.format(method=f"**{s.used.spoken}**", first=first, end=end, last=s.head.pairs - 1)


def _alt(s: ExtensionSettings, count: int) -> str:
    if s.head.pairs == 1:
        template = _("New speed over old for {pairs}, stretch {stretch}. With {method}: {first}. {count} methods are drawn.")
    else:
        template = _(
            "New speed over old for {pairs}, stretch {stretch}. With {method}: {first} for pair 0, {end} for pair {last}. "
            "{count} methods are drawn."
        )
    return template.format(
        pairs=pairs(s.head.pairs, ""),
        stretch=f"{s.stretch:,.6g}",
        method=s.used.spoken,
        first=f"{s.ratios[0]:.5g}",
        end=f"{s.ratios[-1]:.5g}",
        last=s.head.pairs - 1,
        count=count,
    )
