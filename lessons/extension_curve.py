"""The score of q = k = ones, as trained, beyond that without a method, and with one."""

from __future__ import annotations

import numpy as np

from figures import extension_texts as figures
from lessons.core_engineer import CURVE, core
from lessons.extension import PROOF
from lessons.extension_formula import CURVE_CODE, speed_formula, speeds_lines
from lessons.extension_setting import Setting, method_name, spoken
from lessons.extension_words import size_sentence, stretch_sentence, tokens
from ui import compute_extension as compute
from ui.i18n import _
from ui.view import View


def curve_view(setting: Setting) -> View:
    """Show the exact range of the score at every distance within the target length."""
    plain = compute.score_curve(setting.head, setting.length, setting.trained)
    new = compute.score_curve(setting.chosen, setting.length, setting.trained)
    known = plain.distances < setting.trained
    original, beyond = (
        figures.Band(distances=plain.distances[part], low=plain.low[part], high=plain.high[part]) for part in (known, ~known)
    )
    extended = figures.Band(distances=new.distances, low=new.low, high=new.high)
    return View(
        figure=figures.curves(
            original,
            beyond,
            None if setting.used == "none" else extended,
            method=setting.used,
            trained=setting.trained,
            words=_words(setting),
        ),
        alt=_("Score of q = k = ones: {zero} at distance 0 in training, {new} with {method}. {ranges}").format(
            zero=f"{plain.at_zero:.6g}",
            new=f"{new.at_zero:.6g}",
            method=spoken(setting.used),
            ranges=_ranges(setting, original, extended),
        ),
        sentences=(
            stretch_sentence(setting)
            + " "
            + _(
                "q = k = ones: at distance 0, which a log axis cannot show, the score is {zero} in training and {new} with {method}."
            ).format(zero=f"`{plain.at_zero:.6g}`", new=f"`{new.at_zero:.6g}`", method=f"**{spoken(setting.used)}**")
            + size_sentence(setting),
            _ranges(setting, original, extended, quote="`") + _beyond(setting, beyond),
            _(
                "Every distance was counted; where a bin holds many, the band runs from the lowest score to the highest. It says what the "
                "rotation does to these q and k, not how well a model does: other q and k have other curves."
            ),
        ),
        formula=(speed_formula(setting),),
        code=speeds_lines(setting) + CURVE_CODE.format(length=setting.length, still=float(setting.head.head_dim - setting.head.rotary_dim)),
        drawn={
            "distance": new.distances,
            "lowest": new.low,
            "highest": new.high,
            "lowest_unscaled": plain.low,
            "highest_unscaled": plain.high,
        }
        if len(new.distances)
        else {"distance": np.zeros(1), "score": np.array([new.at_zero])},
        core=core(setting, CURVE),
        proof=f"{PROOF}::test_scores",
    )


def _ranges(setting: Setting, original: figures.Band, extended: figures.Band, *, quote: str = "") -> str:
    if not len(extended.distances):
        return _("A text of one token has no other distance.")
    lines = []
    if len(original.distances):
        lines.append(
            _("Within {trained} it lies between {low} and {high} as trained.").format(
                trained=tokens(setting.trained, quote),
                low=f"{quote}{original.low.min():.6g}{quote}",
                high=f"{quote}{original.high.max():.6g}{quote}",
            )
        )
    if setting.used != "none":
        lines.append(
            _("With {method} it lies between {low} and {high} over {target}.").format(
                method=spoken(setting.used),
                low=f"{quote}{extended.low.min():.6g}{quote}",
                high=f"{quote}{extended.high.max():.6g}{quote}",
                target=tokens(setting.length, quote),
            )
        )
    return " ".join(lines)


def _beyond(setting: Setting, beyond: figures.Band) -> str:
    if not len(beyond.distances):
        return ""
    return " " + _("Without a method it lies between {low} and {high} at the distances that training never had.").format(
        low=f"`{beyond.low.min():.6g}`", high=f"`{beyond.high.max():.6g}`"
    )


def _words(setting: Setting) -> figures.CurveWords:
    return figures.CurveWords(
        distance=_("distance m - n (tokens, log axis)"),
        score=_("score of q = k = ones"),
        original=_("as trained"),
        unscaled=_("beyond training, no method"),
        extended=method_name(setting.used),
        trained=f"L = {tokens(setting.trained, '')}",
    )
