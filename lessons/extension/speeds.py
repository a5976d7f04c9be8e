"""What every method leaves of the speeds, and which pairs meet angles at the target length that training never showed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from compute.extension import unseen_angles
from compute.speeds import ratios
from figures.extension.speeds import angles
from figures.extension.speeds import ratios as draw_ratios
from lessons.extension.settings import ExtensionSettings
from lessons.extension.wording import attention_sentence, left_out, speed_formula, speeds_lines, stretch_sentence
from lessons.methods import SHEETS
from lessons.notebook import computed
from lessons.view import Columns, Table, View
from lessons.wording import aligned, pairs, tex, tokens
from locales import _
from rope_core import RopeConfig, Scaling

UNSEEN_CODE = """
def swept(speeds, tokens):  # share of the circle from the first position to the last
    return ((tokens - 1) * speeds / (2 * torch.pi)).clamp(max=1)

seen, met = swept(plain, {trained}), swept(theta, {length})
step = plain / (2 * torch.pi)  # from one token to the next
unseen = met - seen > step * (1 + 1e-9)  # a circle that is closed but for a step has been seen whole
count = int(unseen.sum())  # pairs that meet new angles
result = torch.stack((seen, met))
"""


def ratio_view(s: ExtensionSettings) -> View:
    """Show new speed over old of every pair, all methods side by side."""
    series = {code: SHEETS[code].series(ratios(config, s.length)) for code, config in s.usable.items()}
    chosen = series.pop(s.sheet.code, None)
    return View(
        figure=draw_ratios(list(series.values()), chosen, s.stretch, _),
        alt=_ratio_alt(s, len(s.usable)),
        sentences=(
            stretch_sentence(s) + " " + _left(s),
            s.used.sentence(s) + attention_sentence(s),
            _("The chosen method has the settings above, every other one its usual settings.") + left_out(s),
        ),
        formula=(speed_formula(s),),
        code=speeds_lines(s) + "\nresult = theta / plain  # new speed over old, pair 0 first\n",
        **computed(ratio_columns, s.chosen, s.length, {code: config.scaling for code, config in s.usable.items()}),
        verified_by="tests/lessons/test_extension_numbers.py::test_speeds",
    )


def ratio_columns(config: RopeConfig, length: int, methods: Mapping[str, Scaling | None]) -> Columns:
    """Return new speed over old of every pair, with the method of a head and with some others by name."""
    columns = {"pair": np.arange(config.pairs), "ratio": ratios(config, length)}
    return columns | {f"ratio_{name}": ratios(replace(config, scaling=method), length) for name, method in methods.items()}


def _left(s: ExtensionSettings) -> str:
    if s.head.pairs == 1:
        template = _("New speed over old with {method}: {first} in the only pair.")
    else:
        template = _("New speed over old with {method}: {first} in pair 0, {end} in pair {last}.")
    first, end = (f"`{s.ratios[pair]:.5g}`" for pair in (0, -1))
    return template.format(method=f"**{s.used.spoken}**", first=first, end=end, last=s.head.pairs - 1)


def _ratio_alt(s: ExtensionSettings, count: int) -> str:
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


def unseen_view(s: ExtensionSettings) -> View:
    """Show the arc that every pair sweeps in training, and what it sweeps beyond at the target length."""
    numbers = computed(unseen_angles, s.chosen, s.length)
    columns = numbers["columns"]
    seen, before, after = columns["seen"], len(unseen(s.head, s.length)), len(unseen(s.chosen, s.length))
    return View(
        figure=angles(
            seen,
            columns["unseen"],
            columns["met_without_method"],
            s.used.series(columns["met"]),
            columns["turns_at_target"],
            columns["turns_in_training"],
            trained=tokens(s.trained, ""),
            target=tokens(s.length, ""),
            say=_,
        ),
        alt=_(
            "Pairs that never came round in training: {open} of {pairs}. Pairs that meet unseen angles at {target}: {before} without a "
            "method, {after} with {method}."
        ).format(
            pairs=len(seen), open=int((seen < 1).sum()), target=tokens(s.length, ""), before=before, after=after, method=s.used.spoken
        ),
        sentences=(stretch_sentence(s) + " " + _training(seen), _meets(s, before, after), s.used.sentence(s)),
        formula=(_unseen_formula(seen, columns["met"], after),),
        code=speeds_lines(s) + UNSEEN_CODE.format(trained=s.trained, length=s.length),
        **numbers,
        verified_by="tests/lessons/test_extension_numbers.py::test_unseen_angles",
        parts=(_table(s),),
    )


def unseen(config: RopeConfig, length: int) -> np.ndarray:
    """Return the shares of the circle that are met unseen, of the pairs alone that meet any."""
    new = unseen_angles(config, length)["unseen"]
    return new[new > 0]


def _table(s: ExtensionSettings) -> Table:
    """Count the pairs that meet unseen angles, for every method that can be used."""
    found = [unseen(config, s.length) for config in s.usable.values()]
    return Table(
        columns={
            _("Method"): [SHEETS[code].name for code in s.usable],
            _("Pairs that meet unseen angles"): [len(shares) for shares in found],
            _("Largest unseen share of a circle"): [round(float(shares.max()), 4) if len(shares) else 0.0 for shares in found],
        },
        alt=_("Pairs that meet unseen angles"),
    )


def _training(seen: np.ndarray) -> str:
    still_open = np.flatnonzero(seen < 1)
    if not len(still_open):
        return _("In training every pair came round at least once: no angle lies more than one of its steps from one that it has met.")
    if len(seen) == 1:
        return _("In training the only pair never came round: it knows a part of its circle only.")
    if len(still_open) == 1:
        template = _("In training pair {first}, the slowest, never came round: it knows a part of its circle only.")
    else:
        template = _("In training {open} of {pairs} never came round: pair {first} and all after it know a part of their circle only.")
    return template.format(open=f"`{len(still_open)}`", pairs=pairs(len(seen)), first=still_open[0])


def _meets(s: ExtensionSettings, before: int, after: int) -> str:
    rule = _("A pair counts when it goes more than one of its own steps beyond what training showed.")
    if s.used.code == "none":
        template = _("Pairs that meet angles at {target} that they never saw: {before}{most}.")
    else:
        template = _("Pairs that meet angles at {target} that they never saw: {before} without a method, {after} with {method}{most}.")
    found = unseen(s.chosen, s.length)
    most = _(", up to {share} of a circle").format(share=f"`{found.max():.4f}`") if len(found) else ""
    sentence = template.format(target=tokens(s.length), before=f"`{before}`", method=f"**{s.used.spoken}**", after=f"`{after}`", most=most)
    return f"{sentence} {rule}"


def _unseen_formula(seen: np.ndarray, met: np.ndarray, count: int) -> str:
    last = len(seen) - 1
    return aligned(
        r"\mathrm{seen}_i &= \min\bigl(1, (L-1)\,\theta_i / 2\pi\bigr)",
        r"\mathrm{met}_i &= \min\bigl(1, (T-1)\,\theta'_i / 2\pi\bigr)",
        r"N &= \#\bigl\{i : \mathrm{met}_i - \mathrm{seen}_i > \theta_i / 2\pi\bigr\}",
        rf"\mathrm{{seen}}_{{{last}}} &= {tex(seen[-1])}",
        rf"\mathrm{{met}}_{{{last}}} &= {tex(met[-1])}",
        rf"N &= {count}",
    )
