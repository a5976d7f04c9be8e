"""Attention: what a head sees of its tokens, with RoPE or another encoding of their positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

import compute.attention as compute
from compute.attention import AttentionSettings, attend, diagonals
from figures import attention
from lessons.attention.code import code
from lessons.attention.controls import ADDED, head_of
from lessons.attention.formula import output_lines, score_lines, weight_lines
from lessons.attention.sentences import NAMES, about, along_diagonals, largest_weight, mixed, one_line, untouched, what_shapes_weights
from lessons.notebook import notebook_code
from lessons.view import View
from lessons.wording import aligned, rounding
from locales import _
from parameters.settings import Settings


def view(settings: Settings) -> View:
    """Show scores, weights, scores sorted by distance, or v and the output."""
    views = {"scores": scores_view, "weights": weights_view, "diagonals": diagonals_view, "values": values_view}
    return views[settings.text("attention_view")](head_of(settings))


def scores_view(head: AttentionSettings) -> View:
    """Show the score of every query with every key."""
    columns = compute.score_columns(head)
    used = columns["score"]
    low, high = f"{used.min():.4f}", f"{used.max():.4f}"
    return View(
        figure=attention.scores(attend(head).scores, causal=head.causal, say=_),
        alt=_("Scores of {tokens} queries with {tokens} keys under {encoding}: from {low} to {high}.").format(
            tokens=head.tokens, encoding=_(NAMES[head.encoding]), low=low, high=high
        ),
        sentences=(
            _("A row is a query, a column a key. The {count} scores that the head uses run from {low} to {high}.").format(
                count=f"`{len(used):,}`", low=f"`{low}`", high=f"`{high}`"
            ),
            along_diagonals(head),
            about(head),
        ),
        formula=(aligned(*score_lines(head)),),
        code=code(head, "result = scores"),
        columns=columns,
        notebook_code=_notebook_code(head, compute.score_columns),
    )


def weights_view(head: AttentionSettings) -> View:
    """Show how the softmax of each row spreads over the keys."""
    weights = attend(head).weights
    last = weights[-1]
    largest = np.flatnonzero(last >= last.max() * (1 - 1e-9))
    position_alone = head.alike and head.encoding in ADDED
    return View(
        figure=attention.weights(weights, causal=head.causal, say=_),
        alt=_("Attention weights under {encoding}: the largest weight of query {query} is {weight} of 1, first at key {key}.").format(
            encoding=_(NAMES[head.encoding]), query=head.tokens - 1, key=largest[0], weight=f"{last[largest[0]]:.4f}"
        ),
        sentences=(largest_weight(last, largest), *what_shapes_weights(head)),
        formula=(*(() if position_alone else (aligned(*score_lines(head)),)), aligned(*weight_lines(head))),
        code=code(head, "result = weights"),
        columns=compute.weight_columns(head),
        notebook_code=_notebook_code(head, compute.weight_columns),
    )


def diagonals_view(head: AttentionSettings) -> View:
    """Show what is left of the scores when only the distance is known."""
    alike, random = (diagonals(replace(head, alike=same)) for same in (True, False))
    same, other = (float((band.high - band.low).max()) for band in (alike, random))
    return View(
        figure=attention.diagonals(alike.distances, (alike.low, alike.high), (random.low, random.high), say=_),
        alt=_("Scores at one distance differ by at most {same} if all tokens are alike, and by up to {other} if they are random.").format(
            same=rounding(same), other=f"{other:.4f}"
        ),
        sentences=(
            one_line(head, same),
            _(
                "Random tokens: scores at one distance differ by up to {other}. Each token brings its own q and k, and that content "
                "makes them differ under every encoding."
            ).format(other=f"`{other:.4f}`"),
            _("Both directions are drawn; distance {last} and its opposite occur only once, so nothing can differ there.").format(
                last=f"`{head.tokens - 1}`"
            ),
        ),
        formula=(aligned(*score_lines(replace(head, alike=True))),),
        code=code(head, DIAGONALS, both=True),
        columns=compute.diagonal_columns(head),
        notebook_code=_notebook_code(head, compute.diagonal_columns),
    )


def values_view(head: AttentionSettings) -> View:
    """Show that the encoding leaves v alone, and what the weights make of it."""
    result = attend(head)
    panels = [
        (_("v before"), result.v_before),
        (_("v after: the same numbers"), result.v_after),
        (_("output: weights times v"), result.output),
    ]
    step = float(np.abs(result.output - result.v_after).max())
    return View(
        figure=attention.vectors(panels, say=_),
        alt=_("v before and after the encoding are bit-identical; the output differs from v by up to {step}.").format(step=f"{step:.4f}"),
        sentences=(untouched(head, result.v_identical), mixed(head, result.output, result.v_after)),
        formula=(aligned(*score_lines(head)), aligned(*weight_lines(head)), aligned(*output_lines(head))),
        code=code(head, "result = output"),
        columns=compute.value_columns(head),
        notebook_code=_notebook_code(head, compute.value_columns),
    )


def _notebook_code(head: AttentionSettings, columns: Callable[[AttentionSettings], object]) -> str:
    needed: tuple[Callable[..., object] | type, ...] = (compute.HeadOutput, attend)
    if columns is compute.diagonal_columns:
        needed = (compute.Diagonals, diagonals)
    elif columns is not compute.value_columns:
        needed = (*needed, compute.visible)
    return notebook_code(
        AttentionSettings,
        compute.draw_vectors,
        compute.t5_table,
        compute.encoded_scores,
        *needed,
        columns,
        lines=f"columns = {columns.__name__}(head)",
        head=head,
        ALIBI_HEADS=compute.ALIBI_HEADS,
        T5_TABLE=compute.T5_TABLE,
        OTHER_SEEDS=compute.OTHER_SEEDS,
    )


DIAGONALS = """lines = [[s.diagonal(-r) for r in range(1 - tokens, tokens)] for s in both]
result = torch.tensor([[[line.min(), line.max()] for line in some] for some in lines])
"""
