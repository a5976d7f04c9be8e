"""While a text grows token by token: when the table of speeds changes, and what keys mean that were cached before."""

from __future__ import annotations

from itertools import takewhile

import numpy as np

from figures import extension_timeline as figures
from lessons.core_engineer import DECODE, core
from lessons.extension import PROOF
from lessons.extension_formula import DECODE_CODE, speed_formula, speeds_lines
from lessons.extension_setting import GROWING, Setting, method_name, spoken
from lessons.extension_words import tokens
from lessons.scaling_code import speeds_code
from ui import compute_extension as compute
from ui.compute import log_integers
from ui.formulas import decimals
from ui.i18n import _
from ui.view import View

KEYS = 160
KEEP = "old_theta, old_A = theta, A  # {why}\n"


def decode_view(setting: Setting, key: int, cached: int) -> View:
    """Show the table of a growing text, and the scores of its last token.

    Args:
        setting: The text ends at its target length.
        key: Position of a cached key, below that length.
        cached: Length of the text whose table the cached keys carry.
    """
    growing = setting.used in GROWING
    query = setting.length - 1
    lengths, slowest = compute.slowest_speeds(setting.chosen, setting.length)
    plain = float(compute.speeds(setting.head, setting.trained)[-1])
    distances = log_integers(query, KEYS) if query else np.empty(0, dtype=np.int64)
    keys = (*(query - distances).tolist(), key)
    fresh, stale = compute.cached_scores(setting.chosen, setting.length, cached, keys)
    before = compute.cached_scores(setting.chosen, cached, cached, (cached - 1 - (query - key),))[0] if growing else fresh
    mine = (float(fresh[-1]), float(stale[-1]), float(before[-1]))
    return View(
        figure=figures.timeline(
            lengths.astype(float),
            slowest / plain,
            distances.astype(float),
            fresh[:-1],
            stale[:-1] if growing else None,
            method=setting.used,
            trained=setting.trained,
            cached=cached if growing else None,
            key=(query - key, *mine[:2]),
            words=_words(setting, cached),
        ),
        alt=_alt(setting, key, mine, growing=growing),
        sentences=_sentences(setting, key, cached, mine) if growing else _one_table(setting, key, mine[0]),
        formula=(speed_formula(setting),),
        code=_code(setting, key, cached),
        drawn={"distance": distances, "score_one_table": fresh[:-1]}
        | ({"score_cached_key": stale[:-1]} if growing else {})
        | {"length": lengths, "slowest_over_trained": slowest / plain},
        core=core(setting, DECODE, growing=growing, cached=cached),
        proof=f"{PROOF}::test_cached_keys",
    )


def _sentences(setting: Setting, key: int, cached: int, mine: tuple[float, float, float]) -> tuple[str, ...]:
    query, same = setting.length - 1, mine[0] == mine[1]
    scores = _(
        "q = k = ones, query at position {query}, key at {key}, distance {distance}. One table for both: {fresh}. Key cached under the "
        "table of {cached} and never turned again: {stale}. Both under that older table: {before}."
    ).format(
        query=f"`{query:,}`",
        key=f"`{key:,}`",
        distance=f"`{query - key:,}`",
        fresh=f"`{decimals(mine[0], 9)}`",
        cached=tokens(cached),
        stale=f"`{decimals(mine[1], 9)}`",
        before=f"`{decimals(mine[2], 9)}`",
    )
    return (_switches(setting), scores + " " + (_equal() if same else _mixed(key, cached)), _engines(setting))


def _switches(setting: Setting) -> str:
    if setting.length == setting.trained:
        return _("The text never grows beyond the trained length of {trained}, so one table serves it from end to end.").format(
            trained=tokens(setting.trained)
        )
    if setting.used == "longrope":
        return _(
            "LongRoPE changes its table once: up to {trained} the short list holds, from token {next} on the long one, for all "
            "positions at once."
        ).format(trained=tokens(setting.trained), next=f"`{setting.trained + 1:,}`")
    return _(
        "Up to {trained} dynamic NTK changes nothing; beyond, every new token brings a larger base and so a new table: {tables} "
        "tables by the time the text has {target}."
    ).format(trained=tokens(setting.trained), tables=f"`{setting.length - setting.trained + 1:,}`", target=tokens(setting.length))


def _equal() -> str:
    return _("Both lengths have the same table, so the cached key is still right.")


def _mixed(key: int, cached: int) -> str:
    mixed = _("With two tables the score no longer depends on the distance alone.")
    if key >= cached:
        mixed += " " + _(
            "A text of {cached} has no position {key} yet: such a key keeps that table only where an engine does not rebuild it."
        ).format(cached=tokens(cached), key=f"`{key:,}`")
    return mixed


def _engines(setting: Setting) -> str:
    if setting.used == "dynamic":
        told = _(
            "What engines do: transformers rebuilds the table when a text grows past the longest so far, goes back to the first one only "
            "for a text shorter than {trained}, and never turns cached keys again. vLLM chooses one table by the capacity that it "
            "is started with, and keeps it."
        )
    else:
        told = _(
            "What engines do: transformers changes the table in the middle of a text and never turns cached keys again. vLLM takes the "
            "long list from the first token on if it is started with a capacity of more than {trained}."
        )
    return told.format(trained=tokens(setting.trained))


def _alt(setting: Setting, key: int, mine: tuple[float, float, float], *, growing: bool) -> str:
    if growing:
        told = _(
            "The query at position {query} scores {fresh} with the key at {key} under its own table, and {stale} if the key was cached "
            "before."
        )
    else:
        told = _("With {method} one table serves every length. The query at position {query} scores {fresh} with the key at {key}.")
    return told.format(
        method=spoken(setting.used), query=f"{setting.length - 1:,}", key=f"{key:,}", fresh=decimals(mine[0], 9), stale=decimals(mine[1], 9)
    )


def _one_table(setting: Setting, key: int, score: float) -> tuple[str, ...]:
    query = setting.length - 1
    return (
        _("With {method} one table serves every length: keys that were cached stay valid, however long the text grows.").format(
            method=f"**{spoken(setting.used)}**"
        ),
        _("q = k = ones, query at position {query}, key at {key}: score {score}, the same as at distance {distance} anywhere else.").format(
            query=f"`{query:,}`", key=f"`{key:,}`", score=f"`{decimals(score, 9)}`", distance=f"`{query - key:,}`"
        ),
        _("The price: texts within {trained} are turned by the stretched table too, and not as in training.").format(
            trained=tokens(setting.trained)
        )
        if setting.stretch > 1 and setting.used not in ("none", "proportional")
        else _("Texts within {trained} are turned by the same table.").format(trained=tokens(setting.trained)),
    )


def _code(setting: Setting, key: int, cached: int) -> str:
    lines = (
        _two_tables(setting, cached) if setting.used in GROWING else speeds_lines(setting) + KEEP.format(why="one table for every length")
    )
    still = float(setting.head.head_dim - setting.head.rotary_dim)
    return lines + DECODE_CODE.format(query=setting.length - 1, key=key, still=still)


def _two_tables(setting: Setting, cached: int) -> str:
    """Write the table of the cached key, then that of the query without the lines with which both begin."""
    older, newer = (speeds_code(setting.chosen, length).splitlines(keepends=True) for length in (cached, setting.length))
    alike = sum(1 for _line in takewhile(lambda both: both[0] == both[1], zip(older, newer, strict=False)))
    rest = newer[alike:]
    return "".join(older) + KEEP.format(why="of the cached key" if rest else "the same table") + "".join(rest)


def _words(setting: Setting, cached: int) -> figures.DecodeWords:
    return figures.DecodeWords(
        length=_("tokens so far (log axis)"),
        slowest=_("slowest pair, θ′/θ"),
        method=method_name(setting.used),
        trained=f"L = {tokens(setting.trained, '')}",
        cached=_("key cached at {cached}").format(cached=f"{cached:,}"),
        query=_("query at {query}").format(query=f"{setting.length - 1:,}"),
        distance=_("distance from the last token to a key (tokens, log axis)"),
        score=_("score of q = k = ones"),
        fresh=_("one table for both"),
        stale=_("key under the older table"),
        key=_("your key"),
    )
