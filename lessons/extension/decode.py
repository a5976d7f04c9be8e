"""While a text grows token by token: when the table of speeds changes, and what keys mean that were cached before."""

from __future__ import annotations

from itertools import takewhile

import numpy as np

from compute.extension import cached_scores, decode_columns
from compute.speeds import speeds
from figures.drawing import Drawing
from figures.extension.look import Upright
from figures.extension.scores import timeline
from lessons.extension.settings import ExtensionSettings
from lessons.extension.wording import score_error, speed_formula, speeds_lines, trained_mark
from lessons.methods import speeds_code
from lessons.notebook import computed
from lessons.view import Columns, View
from lessons.wording import certain, tokens
from locales import _

KEEP = "old_theta, old_A = theta, A  # {why}\n"
CODE = """
def turned(position, speeds, size):  # ones, a pair as one complex number
    return size * (1 + 1j) * torch.exp(1j * position * speeds)

query = turned({query}, theta, A)
fresh = turned({key}, theta, A)  # the table of the query
stale = turned({key}, old_theta, old_A)  # the table under which the key was cached
result = torch.stack([(query * key.conj()).sum().real + {still} for key in (fresh, stale)])
"""
Scores = tuple[float, float, float]
"""Of the query with the key: under one table, with a key that was cached before, and both under that older table."""


def decode_view(s: ExtensionSettings) -> View:
    """Show the table of a text that grows to the target length, and the scores of its last token."""
    growing, query, key = s.used.growing, s.length - 1, s.key
    table = s.table if growing else s.length
    numbers = computed(decode_columns, s.chosen, s.length, table, growing=growing)
    fresh, stale = cached_scores(s.chosen, s.length, table, (key,))
    before = cached_scores(s.chosen, table, table, (table - 1 - (query - key),))[0] if growing else fresh
    scores = (float(fresh[0]), float(stale[0]), float(before[0]))
    return View(
        figure=_figure(s, numbers["columns"], (query - key, *scores[:2])),
        alt=_alt(s, scores),
        sentences=_sentences(s, scores) if growing else _one_table(s, scores[0]),
        formula=(speed_formula(s),),
        code=_code(s),
        **numbers,
        verified_by="tests/lessons/test_extension_numbers.py::test_cached_keys",
    )


def _figure(s: ExtensionSettings, columns: Columns, key: tuple[int, float, float]) -> Drawing:
    marks = [trained_mark(s)]
    if s.used.growing:
        marks.append(Upright(x=float(s.table), name=_("key cached at {cached}").format(cached=f"{s.table:,}"), dash="dash"))
    return timeline(
        columns["length"].astype(float),
        columns["slowest_over_trained"],
        columns["distance"].astype(float),
        columns["score_one_table"],
        columns.get("score_cached_key"),
        look=s.used.look,
        name=s.used.name,
        marks=marks,
        key=key,
        say=_,
    )


def _sentences(s: ExtensionSettings, scores: Scores) -> tuple[str, ...]:
    query, (fresh, stale, before) = s.length - 1, (f"`{_score(s, score)}`" for score in scores)
    sentence = _(
        "q = k = ones, query at position {query}, key at {key}, distance {distance}. One table for both: {fresh}. Key cached under the "
        "table of {cached} and kept as it was: {stale}. Both under that older table: {before}."
    ).format(
        query=f"`{query:,}`",
        key=f"`{s.key:,}`",
        distance=f"`{query - s.key:,}`",
        fresh=fresh,
        cached=tokens(s.table),
        stale=stale,
        before=before,
    )
    same = _("Both lengths have the same table, so the cached key is still right.")
    one_table = np.array_equal(speeds(s.chosen, s.table), speeds(s.chosen, s.length))
    return (_switches(s), f"{sentence} {same if one_table else _mixed(s)}", _engines(s))


def _score(s: ExtensionSettings, score: float) -> str:
    """Write a score in nine decimals, or in those that are right at positions so far out."""
    return certain(score, score_error(s, s.length - 1 + s.key), 9)


def _switches(s: ExtensionSettings) -> str:
    if s.length == s.trained:
        return _("The text never grows beyond the trained length of {trained}, so one table serves it from end to end.").format(
            trained=tokens(s.trained)
        )
    if s.used.code == "longrope":
        return _(
            "LongRoPE changes its table once: up to {trained} the short list holds, from token {next} on the long one, for all "
            "positions at once."
        ).format(trained=tokens(s.trained), next=f"`{s.trained + 1:,}`")
    return _(
        "Up to {trained} dynamic NTK changes nothing; beyond, every new token brings a larger base and so a new table: {tables} "
        "tables by the time the text has {target}."
    ).format(trained=tokens(s.trained), tables=f"`{s.length - s.trained + 1:,}`", target=tokens(s.length))


def _mixed(s: ExtensionSettings) -> str:
    mixed = _("With two tables the score no longer depends on the distance alone.")
    if s.key < s.table:
        return mixed
    template = _("A text of {cached} has no position {key} yet: such a key keeps that table only where an engine does not rebuild it.")
    return f"{mixed} {template.format(cached=tokens(s.table), key=f'`{s.key:,}`')}"


def _engines(s: ExtensionSettings) -> str:
    if s.used.code == "dynamic":
        template = _(
            "What engines do: transformers rebuilds the table when a text grows past the longest so far, goes back to the first one only "
            "for a text shorter than {trained}, and does not rotate cached keys again. vLLM has one table for every text, set by factor "
            "and length of the config."
        )
    else:
        template = _(
            "What engines do: transformers switches lists when the text grows beyond {trained}. For Phi-3, Phi-3.5-MoE and "
            "Phi-4-multimodal its generate() drops the cache at that point, once, and computes all keys anew; a loop of your own that "
            "keeps the cache scores with old keys. vLLM takes the long list from the first token on if max_model_len is above that length."
        )
    return template.format(trained=tokens(s.trained))


def _alt(s: ExtensionSettings, scores: Scores) -> str:
    if s.used.growing:
        template = _(
            "The query at position {query} scores {fresh} with the key at {key} under its own table, and {stale} if the key was cached "
            "before."
        )
    else:
        template = _("With {method} one table serves every length. The query at position {query} scores {fresh} with the key at {key}.")
    return template.format(
        method=s.used.spoken, query=f"{s.length - 1:,}", key=f"{s.key:,}", fresh=_score(s, scores[0]), stale=_score(s, scores[1])
    )


def _one_table(s: ExtensionSettings, score: float) -> tuple[str, ...]:
    query = s.length - 1
    if s.stretch > 1 and s.used.code not in ("none", "proportional"):
        price = _("The price: texts within {trained} are turned by the stretched table too, and not as in training.")
    else:
        price = _("Texts within {trained} are turned by the same table.")
    return (
        _("With {method} one table serves every length: keys that were cached stay valid, however long the text grows.").format(
            method=f"**{s.used.spoken}**"
        ),
        _("q = k = ones, query at position {query}, key at {key}: score {score}, the same as at distance {distance} anywhere else.").format(
            query=f"`{query:,}`", key=f"`{s.key:,}`", score=f"`{_score(s, score)}`", distance=f"`{query - s.key:,}`"
        ),
        price.format(trained=tokens(s.trained)),
    )


def _code(s: ExtensionSettings) -> str:
    lines = _two_tables(s) if s.used.growing else speeds_lines(s) + KEEP.format(why="one table for every length")
    return lines + CODE.format(query=s.length - 1, key=s.key, still=float(s.head.head_dim - s.head.rotary_dim))


def _two_tables(s: ExtensionSettings) -> str:
    """Write the table of the cached key, then that of the query without the lines with which both begin."""
    older, newer = (speeds_code(s.chosen, length).splitlines(keepends=True) for length in (s.table, s.length))
    alike = sum(1 for _line in takewhile(lambda both: both[0] == both[1], zip(older, newer, strict=False)))
    others = newer[alike:]
    return "".join(older) + KEEP.format(why="of the cached key" if others else "the same table") + "".join(others)
