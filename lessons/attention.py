"""Attention: what a head sees of its tokens, with RoPE beside other ways to tell it their positions."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from figures import attention
from lessons import core_learn
from lessons.attention_code import code
from lessons.core_lines import plain
from ui.compute_attention import ALIBI_HEADS, OTHER_SEEDS, Setting, attend, diagonals, furthest_from_unrotated
from ui.formulas import aligned, tex
from ui.i18n import N_, _
from ui.view import View

NAMES = {
    "rope": N_("RoPE"),
    "sinusoidal": N_("the added sinusoidal code"),
    "alibi": N_("ALiBi"),
    "t5": N_("T5's bias"),
    "none": N_("no encoding"),
}


def scores_view(setting: Setting) -> View:
    """Show the score of every query with every key."""
    seen = attend(setting)
    rows, columns = _visible(setting)
    visible = seen.scores[rows, columns]
    low, high = f"{visible.min():.4f}", f"{visible.max():.4f}"
    return View(
        figure=attention.scores(seen.scores, causal=setting.causal, words=_words()),
        alt=_("Scores of {tokens} queries with {tokens} keys under {encoding}: from {low} to {high}.").format(
            tokens=setting.tokens, encoding=_(NAMES[setting.encoding]), low=low, high=high
        ),
        sentences=(
            _("A row is a query, a column a key. The {count} scores that the head uses run from {low} to {high}.").format(
                count=f"`{len(visible):,}`", low=f"`{low}`", high=f"`{high}`"
            ),
            _along_diagonals(setting),
            _about(setting),
        ),
        formula=(aligned(*_score_lines(setting)),),
        code=code(setting, "result = scores"),
        drawn={"query": rows, "key": columns, "score": visible},
        core=_core(setting, core_learn.SEEN),
    )


def weights_view(setting: Setting) -> View:
    """Show how the softmax of each row spreads over the keys."""
    seen = attend(setting)
    rows, columns = _visible(setting)
    last = seen.weights[-1]
    favourites = np.flatnonzero(last >= last.max() * (1 - 1e-9))
    favourite, spread = int(favourites[0]), math.exp(-float(np.sum(last * np.log(np.maximum(last, 1e-300)))))
    return View(
        figure=attention.weights(seen.weights, causal=setting.causal, words=_words()),
        alt=_("Attention weights under {encoding}: the largest weight of query {query} is {weight} of 1, first at key {key}.").format(
            encoding=_(NAMES[setting.encoding]), query=setting.tokens - 1, key=favourite, weight=f"{last[favourite]:.4f}"
        ),
        sentences=(
            _favourite_sentence(len(favourites), len(last)).format(
                query=f"`{setting.tokens - 1}`",
                key=f"`{favourite}`",
                count=f"`{len(favourites)}`",
                weight=f"`{last[favourite]:.4f}`",
                own=f"`{last[-1]:.4f}`",
                spread=f"`{spread:.1f}`",
            ),
            *_what_shapes_weights(setting),
        ),
        formula=(*((aligned(*_score_lines(setting)),) if not _one_content(setting) else ()), aligned(*_weight_lines(setting))),
        code=code(setting, "result = weights"),
        drawn={"query": rows, "key": columns, "weight": seen.weights[rows, columns]},
        core=_core(setting, core_learn.WEIGHTS),
    )


def _favourite_sentence(favourites: int, keys: int) -> str:
    if favourites == 1:
        return _(
            "Every row sums to 1. The last query, {query}, gives most to key {key}: {weight}; to itself {own}. "
            "Its weights are spread as if over {spread} equal keys."
        )
    if favourites == keys:
        return _("Every row sums to 1. The last query, {query}, gives every key the same: {weight}.")
    return _(
        "Every row sums to 1. The last query, {query}, gives most to {count} keys alike, the first of them {key}: {weight} each; "
        "to itself {own}. Its weights are spread as if over {spread} equal keys."
    )


def diagonals_view(setting: Setting) -> View:
    """Show what is left of the scores when only the distance is known."""
    setting = replace(setting, causal=False)
    alike, random = (diagonals(replace(setting, alike=same)) for same in (True, False))
    same, other = (float((band.high - band.low).max()) for band in (alike, random))
    return View(
        figure=attention.diagonals(alike.distances, (alike.low, alike.high), (random.low, random.high), _words()),
        alt=_("Scores at one distance differ by at most {same} if all tokens are alike, and by up to {other} if they are random.").format(
            same=_spread(same), other=f"{other:.4f}"
        ),
        sentences=(
            _one_line(setting, same),
            _(
                "Random tokens: scores at one distance differ by up to {other}. Each token brings its own q and k, and that content "
                "makes them differ under every encoding."
            ).format(other=f"`{other:.4f}`"),
            _("Both directions are drawn; distance {last} and its opposite occur only once, so nothing can differ there.").format(
                last=f"`{setting.tokens - 1}`"
            ),
        ),
        formula=(aligned(*_score_lines(replace(setting, alike=True))),),
        code=code(setting, DIAGONALS, both=True),
        drawn={
            "distance": alike.distances,
            "alike_lowest": alike.low,
            "alike_highest": alike.high,
            "random_lowest": random.low,
            "random_highest": random.high,
        },
        core=_core(replace(setting, alike=False), core_learn.DIAGONALS),
    )


def values_view(setting: Setting) -> View:
    """Show that the encoding leaves v alone, and what the weights make of it."""
    seen = attend(setting)
    panels = [(_("v before"), seen.v_before), (_("v after: the same numbers"), seen.v_after), (_("output: weights times v"), seen.output)]
    tokens, coordinates = (x.ravel() for x in np.indices(seen.output.shape))
    step = float(np.abs(seen.output - seen.v_after).max())
    return View(
        figure=attention.vectors(panels, _words()),
        alt=_("v before and after the encoding are bit-identical; the output differs from v by up to {step}.").format(step=f"{step:.4f}"),
        sentences=(_untouched(setting, seen.v_identical), _mixed(setting, seen.output, seen.v_after)),
        formula=(aligned(*_score_lines(setting)), aligned(*_weight_lines(setting)), aligned(*_output_lines(setting))),
        code=code(setting, "result = output"),
        drawn={
            "token": tokens,
            "coordinate": coordinates,
            "v": seen.v_after.ravel(),
            "output": seen.output.ravel(),
        },
        core=_core(setting, core_learn.OUTPUT),
    )


def _core(setting: Setting, lines: str) -> str:
    alike = core_learn.ALL_ALIKE if setting.alike else ""
    return plain(
        core_learn.ATTENTION + alike + core_learn.SCORES[setting.encoding] + lines,
        tokens=setting.tokens,
        seed=setting.seed,
        table_seed=setting.seed + OTHER_SEEDS,
        head_dim=setting.head_dim,
        base=setting.base,
        slope=setting.slope,
        causal=setting.causal,
    )


def _visible(setting: Setting) -> tuple[np.ndarray, np.ndarray]:
    """List query and key of every score that the head uses."""
    shape = (setting.tokens, setting.tokens)
    return np.nonzero(np.tri(*shape) if setting.causal else np.ones(shape))


def _along_diagonals(setting: Setting) -> str:
    band = diagonals(setting)
    spread = float((band.high - band.low)[band.distances >= (0 if setting.causal else -math.inf)].max())
    if setting.alike:
        return _one_line(setting, spread)
    if setting.encoding == "sinusoidal":
        return _(
            "The tokens differ, so along a diagonal, where the distance m - n is the same, scores differ by up to {spread}: content does "
            "that, and the added code too. Set q and k alike to see position alone."
        ).format(spread=f"`{spread:.4f}`")
    return _(
        "The tokens differ, so along a diagonal, where the distance m - n is the same, scores differ by up to {spread}: that is "
        "content. Set q and k alike to see position alone."
    ).format(spread=f"`{spread:.4f}`")


def _one_line(setting: Setting, spread: float) -> str:
    if setting.encoding == "sinusoidal":
        return _(
            "All tokens alike: scores at one distance still differ, by up to {spread}. The added code meets the content of q and "
            "k, and that part depends on where both stand."
        ).format(spread=f"`{spread:.4f}`")
    if setting.encoding == "none":
        return _("All tokens alike: all scores are the same, to within {spread}. Without an encoding a score knows no position.").format(
            spread=f"`{_spread(spread)}`"
        )
    return _(
        "All tokens alike: scores at one distance differ by at most {spread} (rounding), so {encoding} knows only the distance."
    ).format(spread=f"`{_spread(spread)}`", encoding=_(NAMES[setting.encoding]))


def _about(setting: Setting) -> str:
    """Say what is special about the encoding, with its numbers."""
    if setting.encoding == "rope":
        return _(
            "A layer that was published reads the length from axis 1. For q of shape {shape} that axis counts heads, so it takes one "
            "row, position 0, and turns nothing: its scores are off by up to {error}. The code below reads the axis of the tokens. Also "
            "mended: the function that reshapes its table was never defined, flatten(3) fits four axes only, and "
            "positions could not be given."
        ).format(shape=f"`(1, 1, {setting.tokens}, {setting.head_dim})`", error=f"`{furthest_from_unrotated(setting):.4f}`")
    if setting.encoding == "sinusoidal":
        return _(
            "Here the code is added to q and k, and changes a score by up to {change}. The first Transformer adds it to the embeddings, "
            "so that v carries it too."
        ).format(change=f"`{furthest_from_unrotated(setting):.4f}`")
    if setting.encoding == "alibi":
        return _("Head {head} of {heads} takes {slope} off the score for every token of distance; q and k stay as they are.").format(
            head=f"`{setting.alibi_head}`", heads=f"`{ALIBI_HEADS}`", slope=f"`{setting.slope:g}`"
        )
    if setting.encoding == "t5":
        return _(
            "T5 adds one learned number for each of 32 ranges of distance; here they are random, drawn from the seed. It does not divide "
            "by √d = {root}: its layers start with smaller weights instead."
        ).format(root=f"`{math.sqrt(setting.head_dim):.4f}`")
    return _(
        "Without an encoding a score is the content of its two tokens alone, divided by √d = {root}; only a causal mask still knows "
        "an order."
    ).format(root=f"`{math.sqrt(setting.head_dim):.4f}`")


def _one_content(setting: Setting) -> bool:
    """Say whether content adds one and the same number to every score, which no weight shows."""
    return setting.alike and setting.encoding in ("alibi", "t5", "none")


def _what_shapes_weights(setting: Setting) -> tuple[str, str]:
    if not _one_content(setting):
        return _who_is_seen(setting), _about(setting)
    if setting.encoding == "none":
        nothing = _(
            "All tokens alike: their content adds one number to every score, and the softmax does not see it. Nothing is left: every "
            "query shares its weight equally among the keys that it sees."
        )
        return _who_is_seen(setting), nothing
    same = _("All tokens alike: their content adds one number to every score, and the softmax does not see it. What is left is position.")
    return (same, _about(setting)) if setting.encoding == "alibi" else (_who_is_seen(setting), same)


def _who_is_seen(setting: Setting) -> str:
    if setting.causal:
        return _("Causal: query m sees the keys 0 to m. Query 0 sees one key and gives it {one}; the last sees all {tokens}.").format(
            one="`1`", tokens=f"`{setting.tokens}`"
        )
    return _("Every query sees all {tokens} keys, those after it too: the matrix has {cells} weights.").format(
        tokens=f"`{setting.tokens}`", cells=f"`{setting.tokens**2:,}`"
    )


def _untouched(setting: Setting, identical: bool) -> str:
    verdict = f"`torch.equal(v_before, v_after) = {identical}`"
    if setting.encoding == "sinusoidal":
        return _(
            "v stays bit for bit as it was: {verdict}. Here the code is added to q and k only; the first Transformer adds it to the "
            "embeddings, so that v carries it too."
        ).format(verdict=verdict)
    if setting.encoding == "none":
        return _("v stays bit for bit as it was: {verdict}. There is no encoding that could change it.").format(verdict=verdict)
    return _("v stays bit for bit as it was: {verdict}. Position has a say in who is heard, not in what is said.").format(verdict=verdict)


def _mixed(setting: Setting, output: np.ndarray, v: np.ndarray) -> str:
    spread, before = f"`{output.std():.4f}`", f"`{v.std():.4f}`"
    first = f"`{np.abs(output[0] - v[0]).max():.4g}`"
    if setting.causal:
        return _(
            "Each output is a mix of rows of v. Query 0 sees only itself, so its output differs from its v by {first}. The standard "
            "deviation of all numbers goes from {before} to {spread}."
        ).format(first=first, before=before, spread=spread)
    return _(
        "Each output is a mix of all rows of v. That of query 0 differs from its own v by up to {first}. The standard deviation "
        "of all numbers goes from {before} to {spread}."
    ).format(first=first, before=before, spread=spread)


def _score_lines(setting: Setting) -> tuple[str, ...]:
    last = setting.tokens - 1
    number = rf"s_{{{last},\,0}} &= {tex(float(attend(setting).scores[last, 0]))}"
    match setting.encoding:
        case "rope":
            lines = (r"s_{m,n} &= \tfrac{1}{\sqrt d}\,\langle R(m\theta)\,q_m,", r"&\qquad R(n\theta)\,k_n\rangle")
        case "sinusoidal":
            lines = (
                r"s_{m,n} &= \tfrac{1}{\sqrt d}\,\langle q_m + p_m,\; k_n + p_n\rangle",
                r"p_m &= (\sin m\theta_0, \cos m\theta_0, \dots)",
            )
        case "alibi":
            slope = rf"2^{{-{setting.alibi_head}}}"
            lines = (rf"s_{{m,n}} &= \tfrac{{1}}{{\sqrt d}}\,\langle q_m, k_n\rangle - {slope}\,|m-n|",)
        case "t5":
            lines = (r"s_{m,n} &= \langle q_m, k_n\rangle + \beta_{\,\mathrm{bucket}(m-n)}",)
        case _:
            lines = (r"s_{m,n} &= \tfrac{1}{\sqrt d}\,\langle q_m, k_n\rangle",)
    return (*lines, number)


def _weight_lines(setting: Setting) -> tuple[str, str]:
    last, seen = setting.tokens - 1, r"j \le m" if setting.causal else "j"
    return (
        rf"a_{{m,n}} &= e^{{s_{{m,n}}}} \Big/ \textstyle\sum_{{{seen}}} e^{{s_{{m,j}}}}",
        rf"a_{{{last},\,0}} &= {tex(float(attend(setting).weights[last, 0]))}",
    )


def _output_lines(setting: Setting) -> tuple[str, str]:
    last = setting.tokens - 1
    return r"o_m &= \textstyle\sum_n a_{m,n}\,v_n", rf"o_{{{last}}} &= ({tex(float(attend(setting).output[last, 0]))},\ \dots)"


def _spread(value: float) -> str:
    return f"{value:.0e}" if value else "0"


def _words() -> attention.AttentionWords:
    return attention.AttentionWords(
        query=_("query position m"),
        key=_("key position n"),
        score=_("score"),
        weight=_("weight"),
        hidden=_("hidden by the causal mask"),
        distance=_("distance m - n (tokens)"),
        alike=_("all tokens alike"),
        random=_("random tokens"),
        lowest=_("lowest"),
        highest=_("highest"),
        token=_("token"),
        coordinate=_("coordinate"),
        value=_("value"),
    )


DIAGONALS = """lines = [[s.diagonal(-r) for r in range(1 - tokens, tokens)] for s in both]
result = torch.tensor([[[line.min(), line.max()] for line in some] for some in lines])
"""
