"""Sentences about models that several views share, true for every config."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lessons.models_setting import Row, Setting
from ui.formulas import counted
from ui.i18n import _
from ui.methods import describe

MOST_NAMED = 8


def ends(row: Row) -> tuple[int, int]:
    """Give the fastest pair, and the slowest of those that turn, the last of several."""
    moving = np.flatnonzero(row.speeds)
    return int(row.speeds.argmax()), int(moving[::-1][row.speeds[moving][::-1].argmin()])


def turns_nothing(row: Row) -> str:
    """Say that nothing turns in the layers of a row."""
    return _("{row}: nothing turns here. These layers get no position from RoPE.").format(row=row.said)


def wavelength_sentence(row: Row) -> str:
    """Say how long a turn takes, from the fastest pair to the slowest."""
    fast, slow = ends(row)
    return _("{row}: {pairs} pairs. One turn takes {short} tokens in pair {first} and {long} in pair {last}.").format(
        row=row.said,
        pairs=f"`{len(row.speeds)}`",
        short=f"`{counted(row.wavelengths[fast])}`",
        first=fast,
        long=f"`{counted(row.wavelengths[slow])}`",
        last=slow,
    )


def unfinished_sentence(row: Row) -> str:
    """Count the pairs that never finish a turn in the text they were trained on."""
    assert row.config is not None
    values = {"count": f"`{row.unfinished}`", "pairs": f"`{row.config.pairs}`", "length": f"`{row.config.trained_length:,}`"}
    if not row.unfinished:
        return _("All {pairs} pairs finish a turn within the trained length of {length} tokens.").format(**values)
    still = int((row.speeds == 0).sum())
    said = _("{count} of {pairs} pairs never finish one within the trained length of {length} tokens.").format(**values)
    return said + (" " + _("Of these, {count} stand still.").format(count=f"`{still}`") if still else "")


def method_sentence(row: Row) -> str:
    """Say what the method makes of the plain law in a text of this length."""
    assert row.config is not None
    if row.config.scaling is None:
        return _("{row} has no method: all {pairs} pairs have the speeds of the plain law with base {base}.").format(
            row=row.said, pairs=f"`{row.config.pairs}`", base=f"`{row.config.base:,.10g}`"
        )
    divisors = 1 / row.ratios[row.ratios > 0]
    changed = divisors[np.abs(divisors - 1) > 1e-12]
    said = [_("{kept} of {pairs} pairs keep their speed").format(kept=f"`{len(divisors) - len(changed)}`", pairs=f"`{len(row.ratios)}`")]
    if len(changed):
        low, high = f"`{changed.min():.5g}`", f"`{changed.max():.5g}`"
        by = low if low == high else _("{low} to {high}").format(low=low, high=high)
        said.append(_("the speeds of {count} are divided by {by}").format(count=f"`{len(changed)}`", by=by))
    if still := int((row.ratios == 0).sum()):
        said.append(_("{count} stand still").format(count=f"`{still}`"))
    sentence = _("{row}, {method}: {clauses}.").format(row=row.said, method=describe(row.config.scaling), clauses=_("; ").join(said))
    return sentence + (" " + _("That holds for texts of {length} tokens.").format(length=f"`{row.length:,}`") if row.changes else "")


def compared(setting: Setting) -> str:
    """Compare the slowest pairs of all rows, and name rows that turn alike."""
    rows = setting.turning
    if len(rows) < 2:
        return _("Only one kind of layers turns here: there is nothing to compare it with.") if rows else ""
    slowest = [float(row.wavelengths[ends(row)[1]]) for row in rows]
    long, short = int(np.argmax(slowest)), int(np.argmin(slowest))
    if slowest[long] == slowest[short]:
        said = _("The slowest pairs of all {count} rows need the same {tokens} tokens for a turn.").format(
            count=f"`{len(rows)}`", tokens=f"`{counted(slowest[long])}`"
        )
    else:
        said = _("The slowest pair of each: {long} needs the most tokens for a turn, {most}, and {short} the fewest, {least}.").format(
            long=rows[long].said, most=f"`{counted(slowest[long])}`", short=rows[short].said, least=f"`{counted(slowest[short])}`"
        )
    return " ".join((said, *alike(rows)))


def alike(rows: Sequence[Row]) -> list[str]:
    """Name rows that have the same speeds, whose lines lie on one another."""
    groups: dict[bytes, list[Row]] = {}
    for row in rows:
        groups.setdefault(row.speeds.tobytes(), []).append(row)
    return [
        _("The same speeds, so one line over the other: {rows}.").format(rows=_(", ").join(row.said for row in group[:MOST_NAMED]))
        for group in groups.values()
        if len(group) > 1
    ]


def turns_sentence(row: Row) -> str:
    """Say how often the fastest and the slowest pair turn within the text."""
    fast, slow = ends(row)
    made = row.length / row.wavelengths
    return _("{row}: in {length} tokens pair {first} makes {fast} turns, pair {last} {slow}, which is {degrees}°.").format(
        row=row.said,
        length=f"`{row.length:,}`",
        first=fast,
        fast=f"`{counted(made[fast])}`",
        last=slow,
        slow=f"`{counted(made[slow])}`",
        degrees=f"`{counted(360 * made[slow])}`",
    )


def turns_compared(setting: Setting) -> str:
    """Count the pairs of every row that finish no turn within the text."""
    counts = [
        _("{row} {count} of {pairs}").format(
            row=row.said, count=f"`{int((row.length < row.wavelengths).sum())}`", pairs=f"`{len(row.speeds)}`"
        )
        for row in setting.turning[:MOST_NAMED]
    ]
    return _("Pairs below one turn: {counts}.").format(counts=_("; ").join(counts))


def layers_sentence(row: Row) -> str:
    """Count the layers of the model by their type."""
    model = row.model
    if not model.rope.layer_types:
        return _("**{model}** does not say how many layers it has, or which are of which type.").format(model=model.name)
    total, mine = len(model.rope.layer_types), model.count(row.layer)
    if mine == total:
        return _("**{model}**: all {total} layers are alike.").format(model=model.name, total=f"`{total}`")
    return _("{row}: {mine} of {total} layers.").format(row=row.said, mine=f"`{mine}`", total=f"`{total}`")


def still_layers(setting: Setting) -> str:
    """Count the layers without rotation in all models."""
    found = [row for row in setting.rows if row.config is None]
    if not found:
        return _("Every layer shown here turns its queries and keys: {count} kinds of layers, none without RoPE.").format(
            count=f"`{len(setting.rows)}`"
        )
    names = _("; ").join(
        f"{row.said} `{row.model.count(row.layer)}`" if row.model.rope.layer_types else row.said for row in found[:MOST_NAMED]
    )
    return _("Hollow bars turn nothing: {names}.").format(names=names)


def axes_sentence(setting: Setting) -> str:
    """Say which number of a position turns how many pairs, where positions have several."""
    found = [(model, model.rope.pair_axes) for model in setting.models if model.rope.pair_axes is not None]
    if not found:
        return ""
    said = [
        _("**{model}**: time turns {t} pairs, height {h}, width {w}").format(
            model=model.name, t=f"`{axes.count('t')}`", h=f"`{axes.count('h')}`", w=f"`{axes.count('w')}`"
        )
        for model, axes in found
    ]
    return _("Positions of images have three numbers. {models}.").format(models=_("; ").join(said))
