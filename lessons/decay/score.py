"""The view Score: the exact range of the score at every distance."""

from __future__ import annotations

from collections.abc import Callable

from compute.bins import log_bins
from compute.scores import Band, first_negative, head_phasors, head_vectors, score_band
from figures import decay
from lessons.decay.code import curve_code, head_code, score_tex, score_text
from lessons.decay.settings import DecaySettings
from lessons.methods import scaling_sentence
from lessons.notebook import notebook_code
from lessons.view import Columns, View
from lessons.wording import aligned, tex
from locales import _


def score_view(given: DecaySettings) -> View:
    """Show the score, exact at every distance."""
    band = score_band(given.config, *given.vectors(), given.reach)
    return View(
        figure=decay.score_band(band.distances, band.low, band.high, reach=given.reach, context=given.config.trained_length, say=_),
        alt=_("The score is {zero} at distance 0; from distance 1 to {reach} it lies between {low} and {high}.").format(
            zero=score_text(band.at_zero),
            reach=f"{given.reach:,}",
            low=score_text(band.low.min()),
            high=score_text(band.high.max()),
        ),
        sentences=_sentences(given, band),
        formula=(
            aligned(
                *score_tex(given, band.constant), rf"s(0) &= {tex(band.at_zero + 0.0)}", rf"s({given.reach}) &= {tex(band.at_end + 0.0)}"
            ),
        ),
        code=head_code(given) + curve_code(given, 1, given.reach + 1),
        columns=band_columns(band),
        notebook_code=vectors_code(
            given, log_bins, Band, score_band, band_columns, lines="columns = band_columns(score_band(config, q, k, reach))"
        ),
    )


def band_columns(band: Band) -> Columns:
    """Return the range of the score in bins of distances."""
    return {"distance": band.distances, "lowest": band.low, "highest": band.high}


def vectors_code(given: DecaySettings, *parts: Callable[..., object] | type, lines: str) -> str:
    """Write the lines of a notebook that starts from the ``config``, ``q``, ``k`` and ``reach`` of the page."""
    return notebook_code(
        head_vectors,
        head_phasors,
        *parts,
        lines=f"q, k = head_vectors(config, {given.kind!r}, {given.peak!r}, q_typed, k_typed)\n{lines}",
        config=given.config,
        q_typed=given.q_typed,
        k_typed=given.k_typed,
        reach=given.reach,
    )


def _sentences(given: DecaySettings, band: Band) -> tuple[str, ...]:
    # Nothing is said of the last two for a plain head that turns as a whole.
    more = (_still_sentence(given, band.constant), scaling_sentence(given.config))
    return (
        _(
            "At distance 0, which a log axis cannot show, the score is {zero}. From 1 to {reach} it lies between {low} and "
            "{high}; at {reach} it is {end}."
        ).format(
            zero=f"`{score_text(band.at_zero)}`",
            reach=f"`{given.reach:,}`",
            low=f"`{score_text(band.low.min())}`",
            high=f"`{score_text(band.high.max())}`",
            end=f"`{score_text(band.at_end)}`",
        ),
        _where_it_is_high(given, band),
        _("Every distance was counted. Where a bin holds many distances, the band runs from the lowest score in it to the highest."),
        *(sentence for sentence in more if sentence),
    )


def _where_it_is_high(given: DecaySettings, band: Band) -> str:
    if given.kind == "typed":
        return _("These are your own q and k: where their score is high or low is a matter of the numbers that you typed.")
    if given.kind == "peak" and given.peak:
        return _(
            "This key is the query turned by {peak} tokens, so all pairs agree at distance {peak} and the score is "
            "highest there: {score}. "
            "RoPE does not force a head to look close by."
        ).format(peak=f"`{given.peak:,}`", score=f"`{score_text(band.constant + band.ceiling)}`")
    negative = first_negative(given.config, given.reach) if band.low.min() < 0 else None
    if negative is None:
        return _(
            "q and k are alike, so the score is highest at distance 0. It need not fall steadily, and does not "
            "drop below zero as far as this axis goes."
        )
    return _(
        "q and k are alike, so the score is highest at distance 0. It need not fall steadily, and first "
        "drops below zero at distance {distance}."
    ).format(distance=f"`{negative:,}`")


def _still_sentence(given: DecaySettings, constant: float) -> str:
    if not given.still:
        return ""
    return _("Coordinates {first} to {last} do not turn: they add {constant} to the score, at every distance.").format(
        first=f"`{given.config.rotary_dim}`", last=f"`{given.config.head_dim - 1}`", constant=f"`{score_text(constant)}`"
    )
