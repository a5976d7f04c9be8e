"""Attention: what a head sees of its tokens, with RoPE or another encoding of their positions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import compute.attention as compute
from compute.attention import ADDED, AttentionSettings, attend, diagonals, word_indices
from figures import attention
from lessons.attention import text
from lessons.attention.code import code
from lessons.notebook import computed
from lessons.view import Fold, Part, Prose, View
from lessons.wording import aligned, rounding
from locales import _
from parameters.settings import Settings


def controls(settings: Settings) -> tuple[str, ...]:
    """Name the parameters that the view depends on."""
    view, encoding = settings.text("attention_view"), settings.text("encoding")
    # The softmax does not see a number that is added to all scores of a row. Of the encodings that add, T5's alone has random numbers.
    position_alone = view == "weights" and settings["alike"] == "alike" and encoding in ADDED
    needed = {
        "alibi_head": encoding == "alibi",
        "alike": view != "diagonals",
        "attention_words": view != "diagonals" and settings["alike"] == "words",
        "causal": view != "diagonals",
        "attention_seed": not position_alone or encoding == "t5",
        "base": encoding not in ADDED,
        "head_dim": not position_alone,
    }
    return ("tokens_seen", "encoding", *(name for name, is_needed in needed.items() if is_needed))


def head_of(settings: Settings) -> AttentionSettings:
    """Return the head of a page; what the view does not depend on has its default, so that it changes no code either."""
    used = ("attention_view", *controls(settings))
    settings = Settings(settings.page, tuple((name, value) for name, value in settings.changed if name in used))
    tokens = settings.whole("tokens_seen")
    words = settings.words("attention_words") if "attention_words" in used else ()
    return AttentionSettings(
        head_dim=settings.whole("head_dim"),
        base=settings.number("base"),
        tokens=tokens,
        encoding=settings.text("encoding"),
        alike=settings["alike"] == "alike" or len({*word_indices(words)[:tokens]}) == 1,
        causal="causal" in used and settings["causal"] == "causal",
        seed=settings.whole("attention_seed"),
        alibi_head=settings.whole("alibi_head"),
        words=words,
    )


def view(settings: Settings) -> View:
    """Show scores, weights, scores sorted by distance, or v and the output."""
    views = {"scores": scores_view, "weights": weights_view, "diagonals": diagonals_view, "values": values_view}
    head = head_of(settings)
    return replace(views[settings.text("attention_view")](head), parts=_parts(head))


def _parts(head: AttentionSettings) -> tuple[Part, ...]:
    """Return the mistake of a published layer, behind a heading; it is about RoPE alone."""
    if head.encoding != "rope":
        return ()
    return (Fold(key="bug", title=_("A common bug"), parts=lambda: (Prose(text=text.common_bug(head)),)),)


def scores_view(head: AttentionSettings) -> View:
    """Show the score of every query with every key."""
    numbers = computed(compute.score_columns, head)
    used = numbers["columns"]["score"]
    low, high = f"{used.min():.4f}", f"{used.max():.4f}"
    return View(
        figure=attention.scores(attend(head).scores, causal=head.causal, words=head.words[: head.tokens], say=_),
        alt=_("Scores of {tokens} queries with {tokens} keys under {encoding}: from {low} to {high}.").format(
            tokens=head.tokens, encoding=_(text.NAMES[head.encoding]), low=low, high=high
        ),
        sentences=(
            _("A row is a query, a column a key. The {count} scores that the head uses run from {low} to {high}.").format(
                count=f"`{len(used):,}`", low=f"`{low}`", high=f"`{high}`"
            ),
            *(text.repeated(head) or (text.along_diagonals(head),)),
            text.about(head),
        ),
        formula=(aligned(*text.score_lines(head)),),
        code=code(head, "result = scores"),
        **numbers,
    )


def weights_view(head: AttentionSettings) -> View:
    """Show how the softmax of each row spreads over the keys."""
    weights = attend(head).weights
    last = weights[-1]
    largest = np.flatnonzero(last >= last.max() * (1 - 1e-9))
    position_alone = head.alike and head.encoding in ADDED
    return View(
        figure=attention.weights(weights, causal=head.causal, words=head.words[: head.tokens], say=_),
        alt=_("Attention weights under {encoding}: the largest weight of query {query} is {weight} of 1, first at key {key}.").format(
            encoding=_(text.NAMES[head.encoding]), query=head.tokens - 1, key=largest[0], weight=f"{last[largest[0]]:.4f}"
        ),
        sentences=(text.largest_weight(last, largest, head.words), *text.what_shapes_weights(head)),
        formula=(*(() if position_alone else (aligned(*text.score_lines(head)),)), aligned(*text.weight_lines(head))),
        code=code(head, "result = weights"),
        **computed(compute.weight_columns, head),
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
            text.one_line(head, same),
            _(
                "Random tokens: scores at one distance differ by up to {other}. Each token brings its own q and k, and that content "
                "makes them differ under every encoding."
            ).format(other=f"`{other:.4f}`"),
            _("Both directions are drawn; distance {last} and its opposite occur only once, so nothing can differ there.").format(
                last=f"`{head.tokens - 1}`"
            ),
        ),
        formula=(aligned(*text.score_lines(replace(head, alike=True))),),
        code=code(head, DIAGONALS, both=True),
        **computed(compute.diagonal_columns, head),
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
        figure=attention.vectors(panels, words=head.words[: head.tokens], say=_),
        alt=_("v before and after the encoding are bit-identical; the output differs from v by up to {step}.").format(step=f"{step:.4f}"),
        sentences=(text.untouched(head, result.v_identical), text.mixed(head, result.output, result.v_after)),
        formula=(aligned(*text.score_lines(head)), aligned(*text.weight_lines(head)), aligned(*text.output_lines(head))),
        code=code(head, "result = output"),
        **computed(compute.value_columns, head),
    )


DIAGONALS = """lines = [[s.diagonal(-r) for r in range(1 - tokens, tokens)] for s in both]
result = torch.tensor([[[line.min(), line.max()] for line in some] for some in lines])
"""
