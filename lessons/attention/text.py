"""What to notice on the attention page, in sentences, and its formulas: symbols, then one number of the figure."""

from __future__ import annotations

import math

import numpy as np
from numpy import ndarray

from compute.attention import ADDED, ALIBI_HEADS, AttentionSettings, attend, diagonals, furthest_from_unrotated, word_indices
from lessons.wording import rounding, tex
from locales import N_, _

NAMES = {
    "rope": N_("RoPE"),
    "sinusoidal": N_("the added sinusoidal code"),
    "alibi": N_("ALiBi"),
    "t5": N_("T5's bias"),
    "none": N_("no encoding"),
}


def _place(position: int, words: tuple[str, ...]) -> str:
    """Name a position, with its word if it has one."""
    return f"`{position}: {words[position]}`" if words else f"`{position}`"


def repeated(head: AttentionSettings) -> tuple[str, ...]:
    """Say what only position tells apart: the scores of the last query with the first word that stands twice.

    Nothing where there are no words, or one word alone.
    """
    if not head.words or head.alike:
        return ()
    contents = word_indices(head.words)[: head.tokens]
    first = next((index for index, content in enumerate(contents) if contents.count(content) > 1), None)
    if first is None:
        return (_("No word stands twice. Write one twice to see what position alone does to its score."),)
    second, last = contents.index(contents[first], first + 1), head.tokens - 1
    scores = attend(head).scores[last, [first, second]]
    is_same = abs(scores[0] - scores[1]) < 1e-9
    said = (
        _("The word {word} stands at {first} and {second} with the same q, k and v. The last query, {query}, scores both {one}.")
        if is_same
        else _(
            "The word {word} stands at {first} and {second} with the same q, k and v. The last query, {query}, scores them {one} and "
            "{other}: position alone tells them apart."
        )
    )
    word, query, one, other = f"`{head.words[first]}`", _place(last, head.words), *(f"`{score:.4f}`" for score in scores)
    return (said.format(word=word, first=f"`{first}`", second=f"`{second}`", query=query, one=one, other=other),)


def largest_weight(weights: ndarray, largest: ndarray, words: tuple[str, ...] = ()) -> str:
    """Say which keys the last query gives most to; ``weights`` are its own, ``largest`` the keys that share the largest one."""
    spread = math.exp(-float(np.sum(weights * np.log(np.maximum(weights, 1e-300)))))
    return _largest_weight(len(largest), len(weights)).format(
        query=_place(len(weights) - 1, words),
        key=_place(int(largest[0]), words),
        count=f"`{len(largest)}`",
        weight=f"`{weights[largest[0]]:.4f}`",
        own=f"`{weights[-1]:.4f}`",
        spread=f"`{spread:.1f}`",
    )


def _largest_weight(largest: int, keys: int) -> str:
    if largest == 1:
        return _(
            "Every row sums to 1. The last query, {query}, gives most to key {key}: {weight}; to itself {own}. "
            "Its weights are spread as if over {spread} equal keys."
        )
    if largest == keys:
        return _("Every row sums to 1. The last query, {query}, gives every key the same: {weight}.")
    return _(
        "Every row sums to 1. The last query, {query}, gives most to {count} keys alike, the first of them {key}: {weight} each; "
        "to itself {own}. Its weights are spread as if over {spread} equal keys."
    )


def along_diagonals(head: AttentionSettings) -> str:
    """Say how much scores at one distance differ."""
    band = diagonals(head)
    spread = float((band.high - band.low)[band.distances >= (0 if head.causal else -math.inf)].max())
    if head.alike:
        return one_line(head, spread)
    if head.encoding == "sinusoidal":
        return _(
            "The tokens differ, so along a diagonal, where the distance m - n is the same, scores differ by up to {spread}: content does "
            "that, and the added code too. Set q and k alike to see position alone."
        ).format(spread=f"`{spread:.4f}`")
    return _(
        "The tokens differ, so along a diagonal, where the distance m - n is the same, scores differ by up to {spread}: that is "
        "content. Set q and k alike to see position alone."
    ).format(spread=f"`{spread:.4f}`")


def one_line(head: AttentionSettings, spread: float) -> str:
    """Say how much scores at one distance differ if all tokens are alike."""
    if head.encoding == "sinusoidal":
        return _(
            "All tokens alike: scores at one distance still differ, by up to {spread}. The added code meets the content of q and "
            "k, and that part depends on where both stand."
        ).format(spread=f"`{spread:.4f}`")
    if head.encoding == "none":
        return _("All tokens alike: all scores are the same, to within {spread}. Without an encoding a score knows no position.").format(
            spread=f"`{rounding(spread)}`"
        )
    return _(
        "All tokens alike: scores at one distance differ by at most {spread} (rounding), so {encoding} knows only the distance."
    ).format(spread=f"`{rounding(spread)}`", encoding=_(NAMES[head.encoding]))


def about(head: AttentionSettings) -> str:
    """Say what is special about the encoding, with its numbers."""
    if head.encoding == "rope":
        return _("RoPE rotates q and k by their positions, before the dot product, and changes a score by up to {change}.").format(
            change=f"`{furthest_from_unrotated(head):.4f}`"
        )
    if head.encoding == "sinusoidal":
        return _(
            "Here the code is added to q and k, and changes a score by up to {change}. The first Transformer adds it to the embeddings, "
            "so that v carries it too."
        ).format(change=f"`{furthest_from_unrotated(head):.4f}`")
    if head.encoding == "alibi":
        return _("Head {head} of {heads} takes {slope} off the score for every token of distance; q and k stay as they are.").format(
            head=f"`{head.alibi_head}`", heads=f"`{ALIBI_HEADS}`", slope=f"`{head.slope:g}`"
        )
    if head.encoding == "t5":
        return _(
            "T5 adds one learned number for each of 32 ranges of distance; here they are random, drawn from the seed. It does not divide "
            "by √d = {root}: its layers start with smaller weights instead."
        ).format(root=f"`{math.sqrt(head.head_dim):.4f}`")
    return _(
        "Without an encoding a score is the content of its two tokens alone, divided by √d = {root}; only a causal mask still knows "
        "an order."
    ).format(root=f"`{math.sqrt(head.head_dim):.4f}`")


def common_bug(head: AttentionSettings) -> str:
    """Describe what a published layer does wrong with q and k of this shape, and what that costs."""
    return _(
        "One published layer takes the sequence length from axis 1. In q of shape {shape} that axis is the heads, so the layer reads a "
        "single row of its table, that of position 0, and rotates nothing: its scores are off by up to {error}, without an error message. "
        "It also calls a reshape function that is never defined, flattens with `flatten(3)`, which fits four axes only, and takes no "
        "positions. The PyTorch code of this page takes the length from the token axis."
    ).format(shape=f"`(1, 1, {head.tokens}, {head.head_dim})`", error=f"`{furthest_from_unrotated(head):.4f}`")


def what_shapes_weights(head: AttentionSettings) -> tuple[str, str]:
    """Say which keys a query sees, and what makes their weights."""
    if not (head.alike and head.encoding in ADDED):
        return _who_is_seen(head), about(head)
    if head.encoding == "none":
        nothing = _(
            "All tokens alike: their content adds one number to every score, and the softmax does not see it. Nothing is left: every "
            "query shares its weight equally among the keys that it sees."
        )
        return _who_is_seen(head), nothing
    same = _("All tokens alike: their content adds one number to every score, and the softmax does not see it. What is left is position.")
    return (same, about(head)) if head.encoding == "alibi" else (_who_is_seen(head), same)


def _who_is_seen(head: AttentionSettings) -> str:
    if head.causal:
        return _("Causal: query m sees the keys 0 to m. Query 0 sees one key and gives it {one}; the last sees all {tokens}.").format(
            one="`1`", tokens=f"`{head.tokens}`"
        )
    return _("Every query sees all {tokens} keys, those after it too: the matrix has {cells} weights.").format(
        tokens=f"`{head.tokens}`", cells=f"`{head.tokens**2:,}`"
    )


def untouched(head: AttentionSettings, identical: bool) -> str:
    """Say that v does not change."""
    verdict = f"`torch.equal(v_before, v_after) = {identical}`"
    if head.encoding == "sinusoidal":
        return _(
            "v stays bit for bit as it was: {verdict}. Here the code is added to q and k only; the first Transformer adds it to the "
            "embeddings, so that v carries it too."
        ).format(verdict=verdict)
    if head.encoding == "none":
        return _("v stays bit for bit as it was: {verdict}. There is no encoding that could change it.").format(verdict=verdict)
    return _("v stays bit for bit as it was: {verdict}. Position changes the weights, not the values.").format(verdict=verdict)


def mixed(head: AttentionSettings, output: ndarray, v: ndarray) -> str:
    """Say what the weights make of v."""
    spread, before = f"`{output.std():.4f}`", f"`{v.std():.4f}`"
    first = f"`{np.abs(output[0] - v[0]).max():.4g}`"
    if head.causal:
        return _(
            "Each output is a mix of rows of v. Query 0 sees only itself, so its output differs from its v by {first}. The standard "
            "deviation of all numbers goes from {before} to {spread}."
        ).format(first=first, before=before, spread=spread)
    return _(
        "Each output is a mix of all rows of v. That of query 0 differs from its own v by up to {first}. The standard deviation "
        "of all numbers goes from {before} to {spread}."
    ).format(first=first, before=before, spread=spread)


def score_lines(head: AttentionSettings) -> tuple[str, ...]:
    """Write the score, and that of the last query with key 0."""
    last = head.tokens - 1
    number = rf"s_{{{last},\,0}} &= {tex(float(attend(head).scores[last, 0]))}"
    lines: tuple[str, ...]
    match head.encoding:
        case "rope":
            lines = (r"s_{m,n} &= \tfrac{1}{\sqrt d}\,\langle R(m\theta)\,q_m,", r"&\qquad R(n\theta)\,k_n\rangle")
        case "sinusoidal":
            lines = (
                r"s_{m,n} &= \tfrac{1}{\sqrt d}\,\langle q_m + p_m,\; k_n + p_n\rangle",
                r"p_m &= (\sin m\theta_0, \cos m\theta_0, \dots)",
            )
        case "alibi":
            slope = rf"2^{{-{head.alibi_head}}}"
            lines = (rf"s_{{m,n}} &= \tfrac{{1}}{{\sqrt d}}\,\langle q_m, k_n\rangle - {slope}\,|m-n|",)
        case "t5":
            lines = (r"s_{m,n} &= \langle q_m, k_n\rangle + \beta_{\,\mathrm{bucket}(m-n)}",)
        case _:
            lines = (r"s_{m,n} &= \tfrac{1}{\sqrt d}\,\langle q_m, k_n\rangle",)
    return (*lines, number)


def weight_lines(head: AttentionSettings) -> tuple[str, str]:
    """Write the softmax, and its weight of key 0 for the last query."""
    last, seen = head.tokens - 1, r"j \le m" if head.causal else "j"
    return (
        rf"a_{{m,n}} &= e^{{s_{{m,n}}}} \Big/ \textstyle\sum_{{{seen}}} e^{{s_{{m,j}}}}",
        rf"a_{{{last},\,0}} &= {tex(float(attend(head).weights[last, 0]))}",
    )


def output_lines(head: AttentionSettings) -> tuple[str, str]:
    """Write the output, and its first number for the last query."""
    last = head.tokens - 1
    return r"o_m &= \textstyle\sum_n a_{m,n}\,v_n", rf"o_{{{last}}} &= ({tex(float(attend(head).output[last, 0]))},\ \dots)"
