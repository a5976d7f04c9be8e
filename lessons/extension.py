"""Context extension: what every method leaves of the speeds, and by how much it lengthens the vectors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import extension
from lessons.core_engineer import FACTOR, FACTOR_COLUMNS, FACTORS, RATIO, core, importing
from lessons.core_lines import fill, with_config
from lessons.extension_formula import FACTOR_CODE, RATIO_CODE, speed_formula, speeds_lines
from lessons.extension_setting import MAX_FACTOR, METHODS, Setting, spoken
from lessons.extension_words import left_out, method_sentence, names, pairs, ratios, size_sentence, stretch_sentence, tokens
from rope_core import LongRopeScaling, YarnScaling
from rope_core.scaling import yarn_magnitude
from ui import compute_extension as compute
from ui.formulas import aligned, tex
from ui.i18n import _
from ui.view import View

PROOF = "tests/lessons/test_extension_numbers.py"
"""The tests that hold the numbers of every figure of the page against formulas of the papers."""
STRETCHES = 121


def ratio_view(setting: Setting) -> View:
    """Show new speed over old of every pair, all methods side by side."""
    rows = {method: ratios(setting, method) for method in METHODS if setting.config(method) is not None}
    mine, last = ratios(setting), setting.head.pairs - 1
    scalings = {method: setting.scaling(method) for method in rows}
    return View(
        figure=extension.ratios(rows, setting.method, setting.stretch, _ratio_words(setting)),
        alt=(
            _(
                "New speed over old for {pairs}, stretch {stretch}. With {method}: {first} for pair 0, {end} for pair {last}. "
                "{count} methods are drawn."
            )
            if last
            else _("New speed over old for {pairs}, stretch {stretch}. With {method}: {first}. {count} methods are drawn.")
        ).format(
            pairs=pairs(last + 1, ""),
            stretch=f"{setting.stretch:,.6g}",
            method=spoken(setting.used),
            first=f"{mine[0]:.5g}",
            end=f"{mine[-1]:.5g}",
            last=last,
            count=len(rows),
        ),
        sentences=(
            stretch_sentence(setting)
            + " "
            + (
                _("With {method} {first} of the speed of pair 0 is left, and {end} of that of pair {last}, the slowest.")
                if last
                else _("With {method} {first} of the speed of the only pair is left.")
            ).format(method=f"**{spoken(setting.used)}**", first=f"`{mine[0]:.5g}`", end=f"`{mine[-1]:.5g}`", last=last),
            method_sentence(setting) + size_sentence(setting),
            _("The chosen method has the settings above, every other one its usual settings.") + left_out(setting),
        ),
        formula=(speed_formula(setting),),
        code=speeds_lines(setting) + RATIO_CODE,
        drawn={"pair": np.arange(last + 1), "ratio": mine} | {f"ratio_{method}": row for method, row in rows.items()},
        core=importing(list(scalings.values())) + core(setting, RATIO, methods=scalings),
        proof=f"{PROOF}::test_speeds",
    )


def attention_view(setting: Setting) -> View:
    """Show A over the stretch."""
    top = min(max(128.0, setting.stretch), MAX_FACTOR)
    stretches = np.geomspace(1, top, STRETCHES)
    curves = {method: curve for method in ("yarn", "longrope") if (curve := _factor_curve(setting, method, stretches)) is not None}
    here, knobs = (setting.stretch, setting.magnitude), setting.knobs
    yarn = setting.method == "yarn"
    ratio = yarn and bool(knobs.mscale and knobs.mscale_all_dim) and not knobs.attention_factor
    paper = np.array([yarn_magnitude(s) for s in stretches.tolist()])
    softmax = np.array([yarn_magnitude(s, knobs.mscale_all_dim) ** 2 for s in stretches.tolist()])
    return View(
        figure=extension.factors(
            stretches,
            curves,
            chosen=setting.method,
            here=here,
            paper=paper if ratio or (yarn and knobs.attention_factor) else None,
            softmax=softmax if yarn and knobs.mscale_all_dim else None,
            words=_factor_words(),
        ),
        alt=_(
            "At stretch {stretch}, with {method}, cos and sin are multiplied by {size}, and so every score of what turns by {square}."
        ).format(stretch=f"{here[0]:,.6g}", method=spoken(setting.method), size=f"{here[1]:.6g}", square=f"{here[1] ** 2:.6g}"),
        sentences=(
            _("With {method} at s = {stretch} cos and sin are multiplied by A = {size}, so scores of what turns by A² = {square}.").format(
                method=f"**{spoken(setting.method)}**",
                stretch=f"`{here[0]:,.6g}`",
                size=f"`{here[1]:.9g}`",
                square=f"`{here[1] ** 2:.9g}`",
            ),
            _whence(setting, ratio=ratio),
            _softmax(setting) or _lengths(setting),
        ),
        formula=(aligned(*_factor_lines(setting, ratio=ratio)),),
        code=FACTOR_CODE.format(top=float(top), count=STRETCHES, rule=_factor_rule(setting, ratio=ratio)),
        drawn={"stretch": stretches}
        | {f"A_{method}": curve for method, curve in curves.items()}
        | {f"A_squared_{method}": curve**2 for method, curve in curves.items()},
        core=_factor_core(setting, list(curves), top),
        proof=f"{PROOF}::test_attention_factor",
    )


def _factor_core(setting: Setting, methods: Sequence[str], top: float) -> str:
    knobs, lines = setting.knobs, FACTOR
    for method in methods:
        mine = method == setting.method
        values = {"own": (knobs.attention_factor or None) if mine else None, "trained": setting.trained, "most": MAX_FACTOR}
        ratio = {name: (getattr(knobs, name) or None) if mine else None for name in ("mscale", "mscale_all_dim")}
        lines += fill(FACTORS[method], **values, **ratio)
    return with_config(setting.head, lines=lines + FACTOR_COLUMNS, top=float(top), count=STRETCHES, length=setting.length)


def _factor_curve(setting: Setting, method: str, stretches: np.ndarray) -> np.ndarray | None:
    """Give A at every stretch; None where the method cannot be used with this length."""
    knobs = setting.knobs
    own = (knobs.attention_factor or None) if method == setting.method else None
    if method == "longrope" and setting.trained < 2:
        return None
    some: list[YarnScaling | LongRopeScaling] = []
    for stretch in stretches.tolist():
        if method == "longrope":
            some.append(
                LongRopeScaling(
                    short_factor=(1.0,),
                    long_factor=(1.0,),
                    original_max_position=setting.trained,
                    factor=stretch,
                    attention_factor=own,
                )
            )
            continue
        mine = method == setting.method
        mscale, all_dim = (knobs.mscale or None, knobs.mscale_all_dim or None) if mine else (None, None)
        some.append(YarnScaling(min(stretch, MAX_FACTOR), attention_factor=own, mscale=mscale, mscale_all_dim=all_dim))
    return compute.magnitudes(tuple(some), setting.head, setting.length)


def _whence(setting: Setting, *, ratio: bool) -> str:
    knobs = setting.knobs
    if setting.method in ("yarn", "longrope") and knobs.attention_factor:
        return _("A is set to {size} by hand, whatever the stretch, as a config may do.").format(size=f"`{knobs.attention_factor:.9g}`")
    if ratio:
        return _(
            "DeepSeek's A is a ratio: 0.1 · {above} · ln s + 1 over 0.1 · {below} · ln s + 1. With equal numbers it is 1 at every stretch: "
            "the turned vectors keep their length."
        ).format(above=f"`{knobs.mscale:.6g}`", below=f"`{knobs.mscale_all_dim:.6g}`")
    if setting.method == "yarn":
        return _("YaRN's rule is A = 0.1 ln s + 1: over a longer text the softmax flattens, and larger scores sharpen it again.")
    if setting.method == "longrope":
        return _(
            "LongRoPE's rule is A = √(1 + ln s / ln L), under both of its lists alike; it depends on the trained length L = {trained}."
        ).format(trained=f"`{setting.trained:,}`")
    return _("There is no such factor here: A = 1 at every stretch. Of the methods on this page, YaRN and LongRoPE alone have one.")


def _lengths(setting: Setting) -> str:
    if setting.magnitude == 1:
        return _("Here turned vectors are as long as before, and scores as large.")
    return _("It acts at every length, also within the trained one of {trained}: turned vectors are no longer as long as before.").format(
        trained=tokens(setting.trained)
    )


def _softmax(setting: Setting) -> str:
    knobs = setting.knobs
    if setting.method != "yarn" or not knobs.mscale_all_dim:
        return ""
    growth = yarn_magnitude(min(setting.stretch, MAX_FACTOR), knobs.mscale_all_dim)
    return _(
        "In DeepSeek's attention part of q and k does not turn, so the growth goes into the softmax instead: it multiplies all scores by "
        "(0.1 · {below} · ln s + 1)² = {square}. That is outside of the rotation, and the other views do not hold it."
    ).format(below=f"`{knobs.mscale_all_dim:.6g}`", square=f"`{growth**2:.9g}`")


def _factor_lines(setting: Setting, *, ratio: bool) -> list[str]:
    knobs, size = setting.knobs, setting.magnitude
    if setting.method in ("yarn", "longrope") and knobs.attention_factor:
        lines = [r"A &= \mathrm{attention\_factor}"]
    elif ratio:
        lines = [
            r"A &= \frac{0.1\,m\,\ln s + 1}{0.1\,m_{\mathrm{all}}\,\ln s + 1}",
            rf"m &= {knobs.mscale:.6g},\; m_{{\mathrm{{all}}}} = {knobs.mscale_all_dim:.6g}",
        ]
    elif setting.method == "yarn":
        lines = [r"A &= 0.1 \ln s + 1"]
    elif setting.method == "longrope":
        lines = [r"A &= \sqrt{1 + \ln s / \ln L}"]
    else:
        lines = [r"A &= 1"]
    first = r"(q \text{ at } m) \cdot (k \text{ at } n) &= A^2 \textstyle\sum_i \mathrm{Re}\; q_i \bar k_i\, e^{\mathrm{i}(m-n)\theta'_i}"
    return [first, *lines, rf"s &= {tex(setting.stretch)}", rf"A &= {tex(size, 9)}", rf"A^2 &= {tex(size**2, 9)}"]


def _factor_rule(setting: Setting, *, ratio: bool) -> str:
    knobs = setting.knobs
    if setting.method in ("yarn", "longrope") and knobs.attention_factor:
        return f"torch.full_like(s, {knobs.attention_factor!r})"
    if ratio:
        return f"(0.1 * {knobs.mscale!r} * s.log() + 1) / (0.1 * {knobs.mscale_all_dim!r} * s.log() + 1)"
    if setting.method == "yarn":
        return "0.1 * s.log() + 1"
    if setting.method == "longrope" and setting.trained > 1:
        return f"(1 + s.log() / math.log({setting.trained})).sqrt()"
    return "torch.ones_like(s)"


def _ratio_words(setting: Setting) -> extension.RatioWords:
    return extension.RatioWords(
        names=names(),
        pair=_("pair i (0 is the fastest)"),
        ratio=_("θ′<sub>i</sub> / θ<sub>i</sub> (log axis)"),
        floor=_("1/s: divided by all of s = {stretch}").format(stretch=f"{setting.stretch:,.6g}"),
        still=_("stands still"),
    )


def _factor_words() -> extension.FactorWords:
    return extension.FactorWords(
        names=names(),
        stretch=_("stretch s (log axis)"),
        size=_("A and A²"),
        others=_("A = 1: all others"),
        paper=_("0.1 ln s + 1, the paper's A"),
        softmax=_("DeepSeek's softmax factor"),
        here=_("your s"),
    )
