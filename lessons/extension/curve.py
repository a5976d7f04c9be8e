"""The score of q = k = ones, as trained, beyond that without a method, and with one."""

from __future__ import annotations

from compute.extension import curve_columns, score_curve
from figures.extension.scores import Band, curves
from lessons.extension.settings import ExtensionSettings
from lessons.extension.wording import attention_sentence, score_error, speed_formula, speeds_lines, stretch_sentence, trained_mark
from lessons.notebook import computed
from lessons.view import View
from lessons.wording import right, tokens
from locales import _

CODE = """
def scores(r, speeds):  # q = k = ones: two coordinates a pair, and those that do not turn
    return 2 * torch.cos(r[:, None] * speeds).sum(-1)

distances = torch.arange(0, {length}, dtype=torch.float64)
result = A**2 * torch.cat([scores(some, theta) for some in distances.split(4096)]) + {still}
"""


def curve_view(s: ExtensionSettings) -> View:
    """Show the exact range of the score at every distance within the target length."""
    plain, new = score_curve(s.head, s.length), score_curve(s.chosen, s.length)
    known = plain.distances < s.trained
    original, beyond = (Band(distances=plain.distances[part], low=plain.low[part], high=plain.high[part]) for part in (known, ~known))
    extended = Band(distances=new.distances, low=new.low, high=new.high)
    zeros = {"zero": f"{plain.at_zero:.6g}", "new": f"{new.at_zero:.6g}"}
    return View(
        figure=curves(
            original,
            beyond,
            None if s.used.code == "none" else extended,
            look=s.used.look,
            name=s.used.name,
            trained=trained_mark(s),
            say=_,
        ),
        alt=_("Score of q = k = ones: {zero} at distance 0 in training, {new} with {method}. {ranges}").format(
            method=s.used.spoken, ranges=_ranges(s, original, extended), **zeros
        ),
        sentences=(
            stretch_sentence(s) + " " + _at_zero(s, plain.at_zero, new.at_zero) + attention_sentence(s),
            _ranges(s, original, extended, quote="`") + _beyond(s, beyond),
            _(
                "Every distance was counted; where a bin holds many, the band runs from the minimum to the maximum. It says what the "
                "rotation does to these q and k, not how well a model does: other q and k have other curves."
            ),
        ),
        formula=(speed_formula(s),),
        code=speeds_lines(s) + CODE.format(length=s.length, still=float(s.head.head_dim - s.head.rotary_dim)),
        **computed(curve_columns, s.chosen, s.length),
        verified_by="tests/lessons/test_extension_numbers.py::test_scores",
    )


def _at_zero(s: ExtensionSettings, plain: float, new: float) -> str:
    return _("q = k = ones: at distance 0, which a log axis cannot show, the score is {zero} in training and {new} with {method}.").format(
        zero=f"`{plain:.6g}`", new=f"`{new:.6g}`", method=f"**{s.used.spoken}**"
    )


def _ranges(s: ExtensionSettings, original: Band, extended: Band, *, quote: str = "") -> str:
    if not len(extended.distances):
        return _("A text of one token has no other distance.")
    lines = []
    if len(original.distances):
        lines.append(
            _("Within {trained} it lies between {low} and {high} as trained.").format(
                trained=tokens(s.trained, quote), **_ends(s, original, quote)
            )
        )
    if s.used.code != "none":
        lines.append(
            _("With {method} it lies between {low} and {high} over {target}.").format(
                method=s.used.spoken, target=tokens(s.length, quote), **_ends(s, extended, quote)
            )
        )
    return " ".join(lines)


def _beyond(s: ExtensionSettings, beyond: Band) -> str:
    if not len(beyond.distances):
        return ""
    return " " + _("Without a method it lies between {low} and {high} at the distances that training never had.").format(
        **_ends(s, beyond, "`")
    )


def _ends(s: ExtensionSettings, band: Band, quote: str) -> dict[str, str]:
    low, high = (right(end, score_error(s, s.length)) for end in (band.low.min(), band.high.max()))
    return {"low": f"{quote}{low:.6g}{quote}", "high": f"{quote}{high:.6g}{quote}"}
