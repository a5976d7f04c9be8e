"""Sentences about models that several views share, true for every config."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from compute.models import softmax_scale
from compute.speeds import attention_factor, end_pairs
from lessons.models.settings import ModelsSettings, Row
from lessons.wording import counted, pairs, tokens
from locales import _
from parameters.methods import describe, method_name
from rope_core import RopeConfig

MOST_NAMED = 8
MOST_DRAWN = 2048
"""Points of a line; of a head with more pairs, some are left out."""


def step_of(row: Row) -> int:
    """Return how many pairs there are for each that is drawn."""
    return max(1, math.ceil(len(row.speeds) / MOST_DRAWN))


def thinned(shown: ModelsSettings) -> str:
    """Say of which heads not every pair is drawn, as the end of another sentence's paragraph."""
    wide = [row for row in shown.turning if step_of(row) > 1]
    return "".join(
        " " + _("Of {row} one pair in {step} is drawn.").format(row=row.markdown, step=f"`{step_of(row)}`") for row in wide[:MOST_NAMED]
    )


def verdict(row: Row) -> str:
    """Say in one line what a config comes to."""
    config = row.config
    if config is None:
        return turns_nothing(row)
    text = _("{row}: {method}; {lengths}; pairs that finish no turn within {counted}: {count} of {total}; attention factor A = {factor}.")
    return text.format(
        row=row.markdown,
        method=_("plain law") if config.scaling is None else describe(config.scaling),
        lengths=_lengths(row, config),
        counted=tokens(row.counted),
        count=f"`{row.unfinished}`",
        total=f"`{config.pairs}`",
        factor=f"`{attention_factor(config, row.length):.6g}`",
    ) + (" " + _("**Assumed** in part, see the warnings.") if row.model.rope.basis == "assumed" else "")


def _lengths(row: Row, config: RopeConfig) -> str:
    """Name the trained length where the config does, the stated one, and the sliding window where these layers have one."""
    clauses = [_("trained on {trained}").format(trained=tokens(config.trained_length))] if row.names_trained else []
    clauses.append(_("stated length {stated}").format(stated=tokens(config.max_position)))
    if row.window:
        clauses.append(_("sliding window {window}").format(window=tokens(row.window)))
    return _(", ").join(clauses)


def counted_in(row: Row) -> str:
    """Say within which length turns are counted."""
    assert row.config is not None
    if row.counted < row.config.trained_length:
        template = _("the sliding window of {tokens}")
    elif row.names_trained:
        template = _("the trained length of {tokens}")
    else:
        template = _("the stated length of {tokens}")
    return template.format(tokens=tokens(row.counted))


def turns_nothing(row: Row) -> str:
    """Say that nothing turns in the layers of a row."""
    return _("{row}: nothing turns here. These layers get no position from RoPE.").format(row=row.markdown)


def wavelength_sentence(row: Row) -> str:
    """Say how long a turn takes, from the fastest pair to the slowest."""
    fast, slow = end_pairs(row.speeds)
    counts = {"row": row.markdown, "pairs": pairs(len(row.speeds)), "short": f"`{counted(row.wavelengths[fast])}`"}
    if fast == slow:
        return _("{row}: {pairs}. One turn takes {short} tokens.").format(**counts)
    return _("{row}: {pairs}. One turn takes {short} tokens in pair {first} and {long} in pair {last}.").format(
        **counts, first=fast, long=f"`{counted(row.wavelengths[slow])}`", last=slow
    )


def unfinished_sentence(row: Row) -> str:
    """Count the pairs that finish no turn, and say at which speeds, and within which length."""
    assert row.config is not None
    trained, length = row.training, counted_in(row)
    sentences = []
    if row.window and row.counted < row.config.trained_length:
        sentences.append(_("These layers see no farther back than their window, so no score has a longer distance."))
    if row.scaled_after_training and row.config.scaling is not None:
        sentences.append(_("Counted before {method}, at the speeds of the plain law.").format(method=method_name(row.config.scaling)))
    elif row.config.scaling is not None:
        sentences.append(_("Counted with the method, as the config names no length without it."))
    if row.unfinished:
        sentences.append(
            _("Pairs that finish no turn within {length}: {count} of {total}.").format(
                length=length, count=f"`{row.unfinished}`", total=f"`{row.config.pairs}`"
            )
        )
    else:
        sentences.append(_("Every pair finishes a turn within {length}.").format(length=length))
    if still := int((trained.speeds == 0).sum()):
        sentences.append(_("Standing still among them: {count}.").format(count=f"`{still}`"))
    if row.beyond != row.unfinished:
        sentences.append(_("With the method it is {count}.").format(count=f"`{row.beyond}`"))
    return " ".join(sentences)


def method_sentence(row: Row) -> str:
    """Say what the method makes of the plain law in a text of this length."""
    assert row.config is not None
    if row.config.scaling is None:
        return _("{row} has no method: every pair has the speed that the plain law gives with base {base}.").format(
            row=row.markdown, base=f"`{row.config.base:,.10g}`"
        )
    divisors = 1 / row.ratios[row.ratios > 0]
    changed = divisors[np.abs(divisors - 1) > 1e-12]
    kept = _("speeds kept: {kept} of {total}").format(kept=f"`{len(divisors) - len(changed)}`", total=f"`{len(row.ratios)}`")
    clauses = [kept]
    if len(changed):
        low, high = f"`{changed.min():.5g}`", f"`{changed.max():.5g}`"
        by = low if low == high else _("{low} to {high}").format(low=low, high=high)
        clauses.append(_("divided by {by}: {count}").format(count=f"`{len(changed)}`", by=by))
    if still := int((row.ratios == 0).sum()):
        clauses.append(_("standing still: {count}").format(count=f"`{still}`"))
    method = _("{row}, {method}: {clauses}.").format(row=row.markdown, method=describe(row.config.scaling), clauses=_("; ").join(clauses))
    length = " " + _("That holds for texts of {tokens}.").format(tokens=tokens(row.length)) if row.length_dependent else ""
    return method + length + _softmax(row)


def _softmax(row: Row) -> str:
    """State the scale of the softmax where it has a factor."""
    factor = row.model.rope.softmax_factor
    if row.config is None or factor == 1:
        return ""
    scale = softmax_scale(row.config, factor)
    return " " + _("The scores are multiplied by {scale}: {plain}, one over √d, times {factor}.").format(
        scale=f"`{scale:.9g}`", plain=f"`{softmax_scale(row.config, 1):.9g}`", factor=f"`{factor:.9g}`"
    )


def compared(shown: ModelsSettings) -> str:
    """Compare the slowest pairs of all rows, and name rows that turn alike."""
    rows = shown.turning
    if len(rows) < 2:
        return _("Only one kind of layers turns here: there is nothing to compare it with.") if rows else ""
    slowest = [float(row.wavelengths[end_pairs(row.speeds)[1]]) for row in rows]
    long, short = int(np.argmax(slowest)), int(np.argmin(slowest))
    if slowest[long] == slowest[short]:
        text = _("The slowest pairs of all {count} rows need the same {tokens} tokens for a turn.").format(
            count=f"`{len(rows)}`", tokens=f"`{counted(slowest[long])}`"
        )
    else:
        text = _("The slowest pair of each: {long} needs the most tokens for a turn, {most}, and {short} the fewest, {least}.").format(
            long=rows[long].markdown, most=f"`{counted(slowest[long])}`", short=rows[short].markdown, least=f"`{counted(slowest[short])}`"
        )
    return " ".join((text, *alike(rows)))


def alike(rows: Sequence[Row]) -> list[str]:
    """Name rows that have the same speeds, whose lines lie on one another."""
    groups: dict[bytes, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.speeds.tobytes(), []).append(row)
    return [
        _("The same speeds, so one line over the other: {rows}.").format(rows=_(", ").join(row.markdown for row in group[:MOST_NAMED]))
        for group in groups.values()
        if len(group) > 1
    ]


def turns_sentence(row: Row) -> str:
    """Say how often the fastest and the slowest pair turn within the text."""
    fast, slow = end_pairs(row.speeds)
    made = row.reach / row.wavelengths
    counts = {
        "row": row.markdown,
        "tokens": tokens(row.reach),
        "fast": f"`{counted(made[fast])}`",
        "slow": f"`{counted(made[slow])}`",
        "degrees": f"`{counted(360 * made[slow])}`",
    }
    if fast == slow:
        return _("{row}: turns within {tokens}: {slow}, which is {degrees}°.").format(**counts)
    return _("{row}: turns within {tokens}: {fast} in pair {first}, {slow} in pair {last}, which is {degrees}°.").format(
        **counts, first=fast, last=slow
    )


def turns_compared(shown: ModelsSettings) -> str:
    """Count the pairs of every row that finish no turn within the text."""
    counts = [
        _("{row} {count} of {pairs}").format(
            row=row.markdown, count=f"`{int((row.reach < row.wavelengths).sum())}`", pairs=f"`{len(row.speeds)}`"
        )
        for row in shown.turning[:MOST_NAMED]
    ]
    return _("Pairs below one turn: {counts}.").format(counts=_("; ").join(counts))


def layers_sentence(row: Row) -> str:
    """Count the layers of the model by their type."""
    model = row.model
    if not model.rope.layer_types:
        return _("**{model}** does not say how many layers it has, or which are of which type.").format(model=model.name)
    total, mine = model.named, model.count(row.layer)
    if model.stated != total:
        return _("{row}: {mine} of the {named} whose type the config names; it states {stated} layers.").format(
            row=row.markdown, mine=f"`{mine}`", named=f"`{total}`", stated=f"`{model.stated}`"
        )
    if mine == total:
        return _("**{model}**: every layer is of this kind, {total} in all.").format(model=model.name, total=f"`{total}`")
    return _("{row}: {mine} of {total} layers.").format(row=row.markdown, mine=f"`{mine}`", total=f"`{total}`")


def still_layers(shown: ModelsSettings) -> str:
    """Count the layers without rotation in all models."""
    found = [row for row in shown.rows if row.config is None]
    if not found:
        return _("Every layer shown here turns its queries and keys, none is without RoPE. Kinds of layers: {count}.").format(
            count=f"`{len(shown.rows)}`"
        )
    names = _("; ").join(
        f"{row.markdown} `{row.model.count(row.layer)}`" if row.model.rope.layer_types else row.markdown for row in found[:MOST_NAMED]
    )
    return _("Hollow bars turn nothing: {names}.").format(names=names)


def axes_sentence(shown: ModelsSettings) -> str:
    """Say which number of a position turns how many pairs, where positions have several."""
    found = [(model, model.rope.pair_axes) for model in shown.models if model.rope.pair_axes is not None]
    if not found:
        return ""
    clauses = [
        _("**{model}**: pairs that time turns {t}, height {h}, width {w}").format(
            model=model.name, t=f"`{axes.count('t')}`", h=f"`{axes.count('h')}`", w=f"`{axes.count('w')}`"
        )
        for model, axes in found
    ]
    return _("Positions of images have three numbers. {models}.").format(models=_("; ").join(clauses))
