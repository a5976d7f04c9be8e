"""By how much a method lengthens the rotated vectors: the attention factor A."""

from __future__ import annotations

import numpy as np

from compute.extension import attention_factors
from figures.extension.factors import factors
from figures.extension.look import Line
from lessons.extension.settings import ExtensionSettings
from lessons.methods import SHEETS
from lessons.methods.options import USUAL
from lessons.notebook import computed
from lessons.view import View
from lessons.wording import aligned, tex, tokens
from locales import _
from rope_core import LongRopeScaling, RopeConfigError, YarnScaling
from rope_core.scaling import yarn_attention_factor

STRETCHES = 121
CODE = """
import math
import torch

s = torch.logspace(0, math.log10({top!r}), {count}, dtype=torch.float64)  # stretches of the figure
A = {rule}
result = torch.stack((A, A**2))  # cos and sin are multiplied by A, scores by its square
"""
SCORE = r"(q \text{ at } m) \cdot (k \text{ at } n) &= A^2 \textstyle\sum_i \mathrm{Re}\; q_i \bar k_i\, e^{\mathrm{i}(m-n)\theta'_i}"


def attention_view(s: ExtensionSettings) -> View:
    """Show A over the stretch."""
    top, methods = max(128.0, s.stretch), _methods(s)
    numbers = computed(attention_factors, tuple(methods.items()), s.head, top, STRETCHES)
    columns = numbers["columns"]
    stretch, factor, square = f"{s.stretch:,.6g}", s.attention_factor, s.attention_factor**2
    paper, softmax = _paper(s, columns["stretch"]), _softmax(s, columns["stretch"])
    return View(
        figure=factors(
            columns["stretch"],
            [SHEETS[code].series(columns[f"A_{code}"]) for code in methods],
            chosen=s.sheet.look,
            here=(s.stretch, factor),
            paper=paper,
            softmax=softmax,
            say=_,
        ),
        alt=_(
            "At stretch {stretch}, with {method}, cos and sin are multiplied by {size}, so scores of the rotated coordinates by {square}."
        ).format(stretch=stretch, method=s.sheet.spoken, size=f"{factor:.6g}", square=f"{square:.6g}"),
        sentences=(
            _(
                "With {method} at s = {stretch} cos and sin are multiplied by A = {size}, scores of rotated coordinates by A² = {square}."
            ).format(method=f"**{s.sheet.spoken}**", stretch=f"`{stretch}`", size=f"`{factor:.9g}`", square=f"`{square:.9g}`"),
            _source(s),
            _lengths(s) if softmax is None else _softmax_sentence(s),
        ),
        formula=(aligned(SCORE, *_law(s), rf"s &= {tex(s.stretch)}", rf"A &= {tex(factor, 9)}", rf"A^2 &= {tex(square, 9)}"),),
        code=CODE.format(top=top, count=STRETCHES, rule=_code(s)),
        **numbers,
        verified_by="tests/lessons/test_extension_numbers.py::test_attention_factor",
    )


def _methods(s: ExtensionSettings) -> dict[str, YarnScaling | LongRopeScaling]:
    """Make the methods with an attention factor at the factor 1, but for those that cannot be used with this length."""
    methods = {}
    for code, sheet in SHEETS.items():
        if sheet.attention:
            try:
                methods[code] = sheet.attention.at_one(s.options if sheet is s.sheet else USUAL, s.trained)
            except RopeConfigError:
                continue
    return methods


def _paper(s: ExtensionSettings, stretches: Line) -> Line | None:
    """Return YaRN's own rule where it has another one."""
    options = s.options
    if (not options.attention_factor and not (options.mscale and options.mscale_all_dim)) or s.sheet.code != "yarn":
        return None
    return np.array([yarn_attention_factor(stretch) for stretch in stretches.tolist()])


def _softmax(s: ExtensionSettings, stretches: Line) -> Line | None:
    """Return what DeepSeek multiplies the softmax by, where mscale_all_dim is set."""
    if not s.options.mscale_all_dim:
        return None
    return np.array([yarn_attention_factor(stretch, s.options.mscale_all_dim) ** 2 for stretch in stretches.tolist()])


def _source(s: ExtensionSettings) -> str:
    if s.options.attention_factor:
        template = _("A is set to {size} by hand, whatever the stretch, as a config may do.")
        return template.format(size=f"`{s.options.attention_factor:.9g}`")
    if s.sheet.attention:
        return s.sheet.attention.sentence(s.options, s.trained)
    return _("There is no such factor here: A = 1 at every stretch. Of the methods on this page, YaRN and LongRoPE alone have one.")


def _law(s: ExtensionSettings) -> tuple[str, ...]:
    if s.options.attention_factor:
        return (r"A &= \mathrm{attention\_factor}",)
    return s.sheet.attention.law(s.options) if s.sheet.attention else (r"A &= 1",)


def _code(s: ExtensionSettings) -> str:
    if s.options.attention_factor:
        return f"torch.full_like(s, {s.options.attention_factor!r})"
    return s.sheet.attention.code(s.options, s.trained) if s.sheet.attention else "torch.ones_like(s)"


def _lengths(s: ExtensionSettings) -> str:
    if s.attention_factor == 1:
        return _("Here turned vectors are as long as before, and scores as large.")
    return _("It acts at every length, also within the trained one of {trained}: turned vectors are no longer as long as before.").format(
        trained=tokens(s.trained)
    )


def _softmax_sentence(s: ExtensionSettings) -> str:
    all_dim, square = s.options.mscale_all_dim or 0, s.attention_factor**2
    growth = yarn_attention_factor(s.stretch, all_dim) ** 2
    sentence = _(
        "DeepSeek's code also multiplies all scores before the softmax by (0.1 · {below} · ln s + 1)² = {growth}, outside of the rotation; "
        "the other views do not hold it. With A², scores of the rotated coordinates grow by {total} in all."
    ).format(below=f"`{all_dim:.6g}`", growth=f"`{growth:.9g}`", total=f"`{growth * square:.9g}`")
    if s.options.mscale != all_dim or s.options.attention_factor:
        return sentence
    why = _("Part of q and k is not rotated there: A stays 1 so that both parts grow alike.")
    return f"{sentence} {why}"
