"""Base and context: one paper's criterion for the base, as jagged as it is, and another one's, kept apart from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from figures import bases
from lessons import core_explore
from lessons.core_lines import plain
from rope_core import critical_dimension
from ui import compute_bases as compute
from ui.compute_bases import FURTHEST, REACH, SWEEP, Answer, Model
from ui.formulas import aligned, tex
from ui.i18n import _
from ui.view import View

NAMED = 5
"""Models named at a point that several share."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A rotated width, a base and a context length."""

    width: int
    base: float
    context: int

    @property
    def pairs(self) -> int:
        """How many pairs turn."""
        return self.width // 2


def first_view(setting: Setting) -> View:
    """Show the first negative distance of every base, and which bases pass for the context."""
    limit = compute.search_limit(setting.width)
    swept, distances = compute.sweep(setting.width)
    negative = _first_negative(setting)
    smallest, failing = compute.smallest_passing(setting.context, setting.width), compute.largest_failing(setting.context, setting.width)
    same = [model for model in compute.models() if model.rotary_dim == setting.width]
    return View(
        figure=bases.first_negative(
            swept,
            distances,
            limit=limit,
            furthest=FURTHEST,
            here=(setting.base, float(min(negative or limit, limit))),
            context=setting.context,
            smallest=smallest.base if smallest.verdict == "found" else None,
            failing=failing.base if failing.verdict == "found" and math.isfinite(failing.base) else None,
            models=_points([model for model in same if model.trained <= FURTHEST], lambda model: float(model.trained)),
            words=_words(limit),
        ),
        alt=_("First negative distance of {count} bases. Base {base} with {width} rotated coordinates: {first}.").format(
            count=len(swept),
            base=f"{setting.base:,.10g}",
            width=setting.width,
            first=f"{negative:,}" if negative else _("none below {limit}").format(limit=f"{max(limit, setting.context):,}"),
        ),
        sentences=(_verdict(setting, negative), _answers(setting, smallest, failing), _whose_criterion(setting, same)),
        formula=(aligned(*_sum_lines(setting, negative)),),
        code=FIRST_CODE.format(width=setting.width, bases=[setting.base, *SWEEP[:240:40].tolist()], limit=limit),
        drawn={
            "base": swept,
            "first_negative_or_limit": np.where(np.isnan(distances), limit, distances),
            "negative_found": ~np.isnan(distances),
        },
        core=plain(core_explore.FIRST, width=setting.width, limit=limit),
    )


def heat_view(setting: Setting) -> View:
    """Show the sum of the cosines itself, at every distance."""
    sums = compute.lowest_sums(setting.width)
    row = _nearest_row(setting)
    lowest = int(sums.lowest[row].argmin())
    below = int(((sums.lowest[:, sums.edges[:-1] < setting.context] < 0).sum(1) == 0).sum())
    ends = (sums.edges[lowest], sums.edges[lowest + 1] - 1)
    span = " – ".join(f"{end:,}" for end in sorted(set(ends)))
    number = f"{sums.lowest[row, lowest]:.4f}"
    columns, rows = (x.ravel() for x in np.meshgrid(np.arange(len(sums.edges) - 1), np.arange(len(sums.bases))))
    return View(
        figure=bases.sums(sums.bases, sums.edges, sums.lowest, base=setting.base, context=setting.context, words=_words()),
        alt=_("Lowest sum in each bin of distances, for {count} bases. Near base {base} it is lowest at distance {span}: {number}.").format(
            count=len(sums.bases), base=f"{setting.base:,.10g}", span=span, number=number
        ),
        sentences=(
            _(
                "Green is above zero, magenta below. The sum is divided by d/2, so only distance 0, which is not drawn, reaches 1. "
                "In the row nearest to your base, {row}, it is lowest at distance {span}: {number}."
            ).format(row=f"`{sums.bases[row]:,.6g}`", span=f"`{span}`", number=f"`{number}`"),
            _(
                "Every distance up to {reach} was computed, and each cell shows the lowest sum of its bin, so no negative one is lost. "
                "{below} of {count} rows are nowhere negative in the bins that begin before the context ends."
            ).format(reach=f"`{REACH:,}`", below=f"`{below}`", count=f"`{len(sums.bases)}`")
            + (" " + _("The context is longer than that.") if setting.context > REACH + 1 else ""),
            _jagged(sums),
        ),
        formula=(aligned(*_sum_lines(setting, _first_negative(setting))),),
        code=HEAT_CODE.format(width=setting.width, base=float(sums.bases[row]), reach=REACH),
        drawn={
            "distance_from": sums.edges[columns],
            "distance_below": sums.edges[columns + 1],
            "base": sums.bases[rows],
            "lowest_mean_cosine": sums.lowest.ravel(),
        },
        core=plain(core_explore.HEAT, width=setting.width, reach=REACH),
    )


def critical_view(setting: Setting) -> View:
    """Show how many coordinates come round within the context: another question, on an axis of its own."""
    counts = compute.critical_dimensions(setting.context, setting.width)
    here = critical_dimension(setting.context, setting.width, setting.base)
    models = compute.models()
    known = next(model for model in models if model.name == "Llama 2 7B")
    return View(
        figure=bases.critical(
            SWEEP,
            100 * counts / setting.width,
            here=(setting.base, 100 * here / setting.width),
            models=_points(models, lambda model: 100 * model.critical / model.rotary_dim),
            words=_words(),
        ),
        alt=_("At base {base} and {context} tokens, {here} of {width} coordinates come round at least once.").format(
            base=f"{setting.base:,.10g}", context=f"{setting.context:,}", here=here, width=setting.width
        ),
        sentences=(
            _come_round(setting, here),
            _(
                "A larger base never raises this number, {here}, while the first view often asks for a larger base. They are two "
                "criteria for two questions; no axis holds both."
            ).format(here=f"`{here}`"),
            _(
                "Each diamond is a model, or several alike, at its own width and trained length: the one before context extension where "
                "the config names it, else the stated one. {name}: {count} of {width}, the number in the paper."
            ).format(name=known.name, count=f"`{known.critical}`", width=f"`{known.rotary_dim}`"),
        ),
        formula=(aligned(*_critical_lines(setting, here)),),
        code=CRITICAL_CODE.format(
            width=setting.width, context=setting.context, low=SWEEP[0].item(), high=SWEEP[-1].item(), count=len(SWEEP)
        ),
        drawn={"base": SWEEP, "critical_dimension": counts, "share_percent": 100 * counts / setting.width},
        core=plain(core_explore.CRITICAL, width=setting.width, context=setting.context),
    )


def table() -> Mapping[str, Sequence[object]]:
    """List the models with both criteria, each at its own width and trained length."""
    models = compute.models()
    return {
        _("Model"): [model.name for model in models],
        _("Rotated coordinates"): [model.rotary_dim for model in models],
        _("Base b"): [model.base for model in models],
        _("Trained length"): [model.trained for model in models],
        _("First negative distance"): [model.first_negative for model in models],
        _("Critical dimension"): [model.critical for model in models],
    }


def _first_negative(setting: Setting) -> int | None:
    """Search as far as the context, or as the sweep does, whichever is further."""
    return compute.first_negative(setting.width, setting.base, max(compute.search_limit(setting.width), setting.context))


def _verdict(setting: Setting, negative: int | None) -> str:
    base, context = f"`{setting.base:,.10g}`", f"`{setting.context:,}`"
    if negative is None:
        return _("Base {base}: no negative sum at any distance below {limit}, so it passes for {context} tokens.").format(
            base=base, limit=f"`{max(compute.search_limit(setting.width), setting.context):,}`", context=context
        )
    if negative < setting.context:
        return _("Base {base}: the sum is first negative at distance {first}, so it fails for {context} tokens.").format(
            base=base, first=f"`{negative:,}`", context=context
        )
    return _("Base {base}: the sum is first negative at distance {first}, so it passes for {context} tokens.").format(
        base=base, first=f"`{negative:,}`", context=context
    )


def _answers(setting: Setting, smallest: Answer, failing: Answer) -> str:
    return f"{_smallest(setting, smallest)} {_failing(setting, smallest, failing)}".strip()


def _smallest(setting: Setting, smallest: Answer) -> str:
    width, context = f"`{setting.width}`", f"`{setting.context:,}`"
    if smallest.verdict == "found":
        # Rounded up: what a reader types in must pass.
        return _("Searching up from 500 in steps of 0.02%, the first base that passes for {context} tokens is {base}.").format(
            context=context, base=f"`{math.ceil(100 * smallest.base) / 100:,.2f}`"
        )
    if smallest.verdict == "none":
        return _("No base from 500 to {highest} passes for {context} tokens with {width} rotated coordinates.").format(
            highest=f"`{smallest.base:,.0f}`", context=context, width=width
        )
    return _("With {width} rotated coordinates the smallest passing base is known here for up to {longest} tokens.").format(
        width=width, longest=f"`{compute.longest_answer(setting.width):,}`"
    )


def _failing(setting: Setting, smallest: Answer, failing: Answer) -> str:
    if smallest.verdict != "found":
        return ""
    if failing.verdict == "width":
        return _("It is not the last word: larger bases may fail, and the largest that does is not tabulated for this width.")
    if failing.verdict == "none":
        return _("No base that was tried from 500 to 2,000,000,000 fails.")
    if math.isinf(failing.base):
        return _("Larger ones fail again, up to the largest that was tried, 2,000,000,000.")
    if failing.base > smallest.base:
        return _("But the good set is jagged: {failing} still fails.").format(failing=f"`{failing.base:,.0f}`")
    return _("Every larger one that was tried passes too.")


def _whose_criterion(setting: Setting, same: Sequence[Model]) -> str:
    rule = _(
        "This is the criterion of one paper (arXiv 2405.14591): a key like the query should, on average, not score below an unrelated "
        "one at any distance of the context. It speaks of averages, not of defects of a model."
    )
    if not same:
        return rule + " " + _("No model of the list turns {width} coordinates.").format(width=f"`{setting.width}`")
    if any(model.rotary_dim < model.head_dim for model in same):
        rule += " " + _(
            "Only the coordinates that turn are summed: where at most half of the head turns, the others keep the whole sum from ever "
            "being negative."
        )
    early = sum(model.first_negative is not None and model.first_negative < model.trained for model in same)
    counts = _("Of the {count} models here that turn {width} coordinates, {early} have a negative sum within their trained length.").format(
        count=f"`{len(same)}`", width=f"`{setting.width}`", early=f"`{early}`"
    )
    if any(model.extended for model in same):
        counts += " " + _("Methods of context extension are left aside; models with one: {extended}.").format(
            extended=f"`{sum(model.extended for model in same)}`"
        )
    return f"{rule} {counts}"


def _jagged(sums: compute.Sums) -> str:
    negative = sums.lowest < 0
    starts = np.where(negative.any(1), negative.argmax(1), negative.shape[1])
    if not (np.diff(starts) < 0).any():
        return _("From one row to the next the first negative bin never comes earlier: at this width the edge is not jagged.")
    return _(
        "From one row to the next the base grows, yet the first negative bin comes earlier {back} times in {steps}: the edge is jagged."
    ).format(back=f"`{int((np.diff(starts) < 0).sum())}`", steps=f"`{len(starts) - 1}`")


def _come_round(setting: Setting, here: int) -> str:
    context, width, rest = f"`{setting.context:,}`", f"`{setting.width}`", setting.width - here
    if not rest:
        return _("Within {context} tokens all {width} coordinates belong to pairs that come round at least once.").format(
            context=context, width=width
        )
    return _(
        "Within {context} tokens {here} of {width} coordinates belong to pairs that come round at least once. The pairs of the other "
        "{rest} meet a part of their circle only: longer texts bring angles that are new."
    ).format(context=context, here=f"`{here}`", width=width, rest=f"`{rest}`")


def _points(models: Sequence[Model], height: Callable[[Model], float]) -> bases.Points:
    """Draw models of the same width, base and length as one point."""
    alike: dict[tuple[int, float, int], list[Model]] = {}
    for model in models:
        alike.setdefault((model.rotary_dim, model.base, model.trained), []).append(model)
    groups = list(alike.values())
    return bases.Points(
        x=[group[0].base for group in groups],
        y=[height(group[0]) for group in groups],
        texts=[_hover(group) for group in groups],
    )


def _hover(alike: Sequence[Model]) -> str:
    model, more = alike[0], len(alike) - NAMED
    first = f"{model.first_negative:,}" if model.first_negative else _("none below {limit}").format(limit=f"{FURTHEST:,}")
    lines = (
        *(f"<b>{one.name.replace(' ', chr(0xA0))}</b>" for one in alike[:NAMED]),
        *([_("and {count} more").format(count=more)] if more > 0 else []),
        _("base {base}, {width} coordinates, {context} tokens").format(
            base=f"{model.base:,.0f}", width=model.rotary_dim, context=f"{model.trained:,}"
        ),
        _("first negative distance: {first}").format(first=first),
        _("critical dimension: {count} of {width}").format(count=model.critical, width=model.rotary_dim),
    )
    return "<br>".join(lines)


def _nearest_row(setting: Setting) -> int:
    return int(np.abs(np.log(compute.ROWS) - math.log(setting.base)).argmin())


def _sum_lines(setting: Setting, negative: int | None) -> tuple[str, ...]:
    at = setting.context - 1 if negative is None else negative
    value = compute.sum_at(setting.width, setting.base, at)
    return (
        r"B(m) &= \textstyle\sum_i \cos(m\,\theta_i), \quad \theta_i = b^{-2i/d}",
        r"B(m) &\ge 0 \quad \text{for } 0 \le m < L",
        rf"B({at}) &= {tex(value)}",
    )


def _critical_lines(setting: Setting, here: int) -> tuple[str, ...]:
    raw = setting.pairs * (math.log(setting.context) - math.log(math.tau)) / math.log(setting.base)
    clipped = r"\;\to\;" + str(here) if 2 * math.ceil(raw) != here else ""
    return (
        r"\lambda_i = 2\pi / \theta_i &\le L \quad \text{for } i < d_c / 2",
        r"d_c &= 2\left\lceil \tfrac{d}{2} \log_b \tfrac{L}{2\pi} \right\rceil",
        rf"&= 2\left\lceil {tex(raw)} \right\rceil = {2 * math.ceil(raw)}{clipped}",
    )


def _words(limit: int = REACH) -> bases.BasesWords:
    return bases.BasesWords(
        base=_("base b (log axis)"),
        distance=_("distance m - n (tokens, log axis)"),
        first=_("first negative distance"),
        none_below=_("none below {limit}").format(limit=f"{limit:,}"),
        here=_("your base"),
        context=_("context length"),
        models=_("models"),
        smallest=_("smallest passing base"),
        failing=_("largest failing base"),
        lowest=_("lowest sum in the bin, divided by d/2"),
        share=_("coordinates that come round (% of d)"),
        curve=_("at your context and width"),
    )


FIRST_CODE = """
import torch

d, limit = {width}, {limit}  # the search ends at the limit

def first_negative(base):
    theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    for m in torch.arange(limit, dtype=torch.float64).split(4096):
        negative = torch.cos(m[:, None] * theta).sum(-1) < 0
        if negative.any():
            return m[negative][0]
    return torch.tensor(limit, dtype=torch.float64)  # none below it

bases = {bases}  # yours, and some of the figure
result = torch.stack([first_negative(base) for base in bases])
"""
HEAT_CODE = """
import numpy as np
import torch

d, base, reach = {width}, {base!r}, {reach}  # the row nearest to your base
theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
distances = torch.arange(1, reach + 1, dtype=torch.float64)
means = torch.cat([torch.cos(m[:, None] * theta).mean(-1) for m in distances.split(4096)])
edges = np.unique(np.rint(np.geomspace(1, reach + 1, 401)).astype(int))
result = torch.stack([some.min() for some in means.split(np.diff(edges).tolist())])
"""
CRITICAL_CODE = """
import math
import torch

d, context = {width}, {context}
bases = {low!r} * ({high!r} / {low!r}) ** (torch.arange({count}, dtype=torch.float64) / ({count} - 1))
pairs = torch.ceil(d / 2 * math.log(context / (2 * math.pi)) / bases.log())
result = (2 * pairs).clamp(0, d)  # coordinates that come round
"""
