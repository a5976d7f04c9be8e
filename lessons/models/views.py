"""Models: what a config.json says about rotation, pair by pair and layer by layer, several models side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy import ndarray

from compute.models import layer_columns, pair_columns
from compute.speeds import end_pairs
from figures.drawing import Drawing
from figures.model_layers import Strip, layers
from figures.models import Mark, PairLine, per_pair
from lessons.models import words
from lessons.models.formula import code, formula
from lessons.models.parts import parts
from lessons.models.settings import ModelsSettings, Row, read
from lessons.models.state import NOTHING, Pasted
from lessons.notebook import computed
from lessons.view import View
from lessons.wording import counted, pairs, tokens
from locales import _
from parameters.settings import Settings

Sentence = Callable[[Row], str]
TESTS = "tests/lessons/test_models_numbers.py"


def view(settings: Settings, pasted: Pasted = NOTHING) -> View:
    """Show a number of every pair, or the type of every layer.

    Args:
        settings: Of the page.
        pasted: What the visit remembers of the text that the numbers were read from; it changes what stands under the sentences alone.
    """
    shown = read(settings)
    views = {"wavelengths": wavelengths_view, "turns": turns_view, "layers": layers_view, "ratio": ratio_view}
    said = pasted.rope if pasted.about(settings) and settings["models_way"] == "own" else None
    shown = shown if said is None else shown.told(said)
    return replace(views[shown.view](shown), verdict=words.verdict(shown.row), parts=parts(settings, shown, pasted))


def wavelengths_view(shown: ModelsSettings) -> View:
    """Show the tokens of one turn of every pair, and the lengths within which turns are counted."""
    row = shown.row
    marks = [Mark(value=length, name=name) for length, name in sorted({_length_mark(each) for each in shown.turning})]
    if row.text_length:
        marks.append(Mark(value=row.text_length, name=f"n = {row.text_length:,}", dash="dot"))
    return View(
        figure=_figure(shown, [each.wavelengths for each in shown.turning], marks, _("wavelength λ<sub>i</sub> (tokens, log axis)")),
        alt=_alt(shown, _("Wavelengths against the pair; kinds of layers: {count}.")),
        sentences=_sentences(
            row, words.wavelength_sentence, words.unfinished_sentence, words.method_sentence, words.compared(shown) + words.thinned(shown)
        ),
        formula=formula(row),
        code=code(row, "result = 2 * torch.pi / theta  # tokens of one turn"),
        **computed(pair_columns, "wavelengths", shown.columns),
        verified_by=f"{TESTS}::test_turns_are_those_of_transformers",
    )


def turns_view(shown: ModelsSettings) -> View:
    """Show the turns of every pair within a text, or within the trained or stated length before an extension."""
    chosen = shown.row
    shown = shown if chosen.text_length else shown.training
    row = shown.row
    # The axis means the same for every length, so that two of them can be words.compared: the mark says which one is drawn.
    asked = _("one turn within {tokens}").format(tokens=tokens(chosen.text_length, ""))
    mark = Mark(value=1, name=asked if chosen.text_length else _("one turn"))
    return View(
        figure=_figure(shown, [each.reach / each.wavelengths for each in shown.turning], [mark], _("turns (log axis)")),
        alt=_alt(shown, _("Turns of every pair; kinds of layers: {count}.")),
        sentences=_sentences(
            chosen,
            lambda _chosen: words.turns_sentence(row),
            words.unfinished_sentence,
            words.method_sentence,
            words.turns_compared(shown) + words.thinned(shown),
        ),
        formula=formula(row),
        code=code(row, f"result = {row.reach} * theta / (2 * torch.pi)  # turns"),
        **computed(pair_columns, "turns", shown.columns),
        verified_by=f"{TESTS}::test_turns_are_those_of_transformers",
    )


def ratio_view(shown: ModelsSettings) -> View:
    """Show the speed of every pair over that of the plain law with the same base and width."""
    row = shown.row
    return View(
        figure=_figure(
            shown,
            [each.ratios for each in shown.turning],
            [Mark(value=1, name=_("plain law"))],
            _("θ<sub>i</sub> over that of the plain law (log axis)"),
        ),
        alt=_alt(shown, _("Speed over that of the plain law; kinds of layers: {count}.")),
        sentences=_sentences(row, words.method_sentence, words.unfinished_sentence, None, words.compared(shown) + words.thinned(shown)),
        formula=formula(row),
        code=code(row, "result = theta / base ** (-torch.arange(0, turning, 2, dtype=torch.float64) / turning)"),
        **computed(pair_columns, "ratios", shown.columns),
        verified_by=f"{TESTS}::test_ratios_are_those_to_powers_of_the_base",
    )


def layers_view(shown: ModelsSettings) -> View:
    """Show which layer is of which type, and which number of a position turns which pair."""
    row = shown.row
    models = {model.slug: (list(model.rope.layer_types), list(model.rope.layers)) for model in shown.models}
    return View(
        figure=layers(
            [_strip(shown, each) for each in shown.rows if each.model.rope.layer_types or not each.kind],
            [None if len(model.rope.pair_axes or ()) > words.MOST_DRAWN else model.rope.pair_axes for model in shown.models],
            names=[model.name for model in shown.models],
            say=_,
        ),
        alt=_("Layers by their kind; models: {models}, kinds: {count}. Layers of {name}: {mine} of {total}.").format(
            models=len(shown.models), count=len(shown.rows), name=row.label, mine=row.model.count(row.layer), total=row.model.named
        ),
        sentences=tuple(filter(None, (_in_layers(row), words.still_layers(shown), words.axes_sentence(shown)))),
        formula=formula(row),
        code=code(row, "result = theta  # of the pairs in these layers"),
        **computed(layer_columns, models),
        verified_by=f"{TESTS}::test_layers_without_rotation_are_hollow_and_counted",
    )


def _length_mark(row: Row) -> tuple[int, str]:
    """Return the length within which turns of a row are counted, and its name in a figure."""
    assert row.config is not None
    if row.counted < row.config.trained_length:
        return row.counted, _("window {length}").format(length=f"{row.counted:,}")
    name = _("trained on {length}") if row.names_trained else _("stated length {length}")
    return row.counted, name.format(length=f"{row.counted:,}")


def _in_layers(row: Row) -> str:
    return " ".join((words.layers_sentence(row), words.turns_nothing(row) if row.config is None else words.wavelength_sentence(row)))


def _sentences(row: Row, first: Sentence, second: Sentence, third: Sentence | None, comparison: str) -> tuple[str, ...]:
    """Join up to three sentences about the row, or the one that nothing turns, and the comparison."""
    if row.config is None:
        return tuple(filter(None, (words.turns_nothing(row), words.layers_sentence(row), comparison)))
    about = (" ".join((first(row), second(row))), third(row) if third else "", comparison)
    return tuple(filter(None, about))


def _alt(shown: ModelsSettings, title: str) -> str:
    row, start = shown.row, title.format(count=len(shown.turning))
    if row.config is None:
        return f"{start} {_('{name}: nothing turns.').format(name=row.label)}"
    fast, slow = end_pairs(row.speeds)
    text = _("{name}: {pairs}, from {short} to {long} tokens a turn; without a full turn within {tokens}: {count}.").format(
        name=row.label,
        pairs=pairs(len(row.speeds), ""),
        short=counted(row.wavelengths[fast]),
        long=counted(row.wavelengths[slow]),
        tokens=tokens(row.counted, ""),
        count=row.unfinished,
    )
    return f"{start} {text}"


def _figure(shown: ModelsSettings, values: Sequence[ndarray], marks: Sequence[Mark], axis: str) -> Drawing:
    lines = [
        PairLine(
            name=row.html,
            values=numbers[:: words.step_of(row)],
            place=row.model.place,
            kind=row.kind,
            strong=row is shown.row,
            step=words.step_of(row),
        )
        for row, numbers in zip(shown.turning, values, strict=True)
    ]
    return per_pair(lines, marks, value=axis, say=_)


def _strip(shown: ModelsSettings, row: Row) -> Strip:
    mine = [layer for layer, kind in enumerate(row.model.rope.layer_types) if kind == row.layer]
    return Strip(
        name=row.html,
        layers=np.array(mine, dtype=np.float64),
        row=row.model.place,
        place=row.model.place,
        kind=row.kind,
        turns=row.config is not None,
        strong=row is shown.row,
    )
