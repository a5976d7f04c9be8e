"""Base and context: one paper's criterion for the base, as jagged as it is, and another one's, kept apart from it."""

from __future__ import annotations

import math

import numpy as np

from compute import bases as compute
from compute.bases import FURTHEST, REACH, ROWS, SWEPT, Sums, critical_dimensions, log_bases, lowest_sums, sweep
from figures import bases as figures
from lessons.bases.code import CRITICAL_CODE, FIRST_CODE, HEAT_CODE
from lessons.bases.models import points
from lessons.bases.sentences import BasesSettings, answers, come_round, jagged, verdict, whose_criterion
from lessons.notebook import computed
from lessons.view import Columns, View
from lessons.wording import aligned, tex
from locales import _
from parameters.settings import Settings
from rope_core import critical_dimension


def view(settings: Settings) -> View:
    """Show where the sum first turns negative, the sum itself, or how many coordinates come round."""
    views = {"first": first_view, "heat": heat_view, "critical": critical_view}
    return views[settings.text("bases_view")](BasesSettings.of(settings))


def first_view(settings: BasesSettings) -> View:
    """Show the first negative distance of every base, and which bases pass for the context."""
    width, limit, negative = settings.width, settings.limit, settings.negative
    distances = sweep(width, limit)
    smallest, failing = compute.smallest_passing(settings.context, width), compute.largest_failing(settings.context, width)
    same = [model for model in compute.models() if model.rotary_dim == width]
    return View(
        figure=figures.first_negative(
            log_bases(SWEPT),
            distances,
            limit=limit,
            furthest=FURTHEST,
            here=(settings.base, float(min(negative or limit, limit))),
            context=settings.context,
            smallest=smallest.base if smallest.verdict == "found" else None,
            failing=failing.base if failing.verdict == "found" and math.isfinite(failing.base) else None,
            models=points([model for model in same if model.plain and model.length <= FURTHEST], lambda model: float(model.length)),
            say=_,
        ),
        alt=_("First negative distance of {count} bases. Base {base} with {width} rotated coordinates: {first}.").format(
            count=SWEPT,
            base=f"{settings.base:,.10g}",
            width=width,
            first=f"{negative:,}" if negative else _("none below {limit}").format(limit=f"{settings.furthest:,}"),
        ),
        sentences=(verdict(settings), answers(settings, smallest, failing), whose_criterion(settings, same)),
        formula=(_sum_lines(settings),),
        code=FIRST_CODE.format(width=width, bases=[settings.base, *log_bases(SWEPT)[:240:40].tolist()], limit=limit),
        **computed(first_columns, width, limit),
    )


def heat_view(settings: BasesSettings) -> View:
    """Show the sum of the cosines itself, at every distance."""
    sums, rows = lowest_sums(settings.width, REACH), log_bases(ROWS)
    row = int(np.abs(np.log(rows) - math.log(settings.base)).argmin())
    lowest = int(sums.lowest[row].argmin())
    span = " – ".join(f"{end:,}" for end in sorted({sums.edges[lowest], sums.edges[lowest + 1] - 1}))
    number = f"{sums.lowest[row, lowest]:.4f}"
    return View(
        figure=figures.sums(rows, sums.edges, sums.lowest, base=settings.base, context=settings.context, say=_),
        alt=_("Lowest sum in each bin of distances, for {count} bases. Near base {base} it is lowest at distance {span}: {number}.").format(
            count=ROWS, base=f"{settings.base:,.10g}", span=span, number=number
        ),
        sentences=(
            _(
                "Green is above zero, magenta below. The sum is divided by d/2, so only distance 0, which is not drawn, reaches 1. "
                "In the row nearest to your base, {row}, it is lowest at distance {span}: {number}."
            ).format(row=f"`{rows[row]:,.6g}`", span=f"`{span}`", number=f"`{number}`"),
            _nowhere_negative(settings, sums),
            jagged(sums),
        ),
        formula=(_sum_lines(settings),),
        code=HEAT_CODE.format(width=settings.width, base=float(rows[row]), reach=REACH),
        **computed(heat_columns, settings.width),
    )


def critical_view(settings: BasesSettings) -> View:
    """Show how many coordinates come round within the context: another question, on an axis of its own."""
    width, context = settings.width, settings.context
    swept, counts = log_bases(SWEPT), critical_dimensions(context, width)
    here, models = critical_dimension(context, width, settings.base), compute.models()
    return View(
        figure=figures.critical(
            swept,
            100 * counts / width,
            here=(settings.base, 100 * here / width),
            models=points(models, lambda model: 100 * model.critical / model.rotary_dim),
            say=_,
        ),
        alt=_("At base {base} and {context} tokens, {here} of {width} coordinates come round at least once.").format(
            base=f"{settings.base:,.10g}", context=f"{context:,}", here=here, width=width
        ),
        sentences=_critical_sentences(settings, here),
        formula=(_critical_lines(settings, here),),
        code=CRITICAL_CODE.format(width=width, context=context, low=swept[0].item(), high=swept[-1].item(), count=SWEPT),
        **computed(critical_columns, context, width),
    )


def first_columns(width: int, limit: int) -> Columns:
    """Return the sweep; a base without a negative sum has the limit of the search."""
    distances = sweep(width, limit)
    found = ~np.isnan(distances)
    return {"base": log_bases(SWEPT), "first_negative_or_limit": np.where(found, distances, limit), "negative_found": found}


def heat_columns(width: int) -> Columns:
    """Return one row a cell of the picture."""
    bases, sums = log_bases(ROWS), lowest_sums(width, REACH)
    column, row = (x.ravel() for x in np.meshgrid(np.arange(len(sums.edges) - 1), np.arange(len(bases))))
    return {
        "distance_from": sums.edges[column],
        "distance_below": sums.edges[column + 1],
        "base": bases[row],
        "lowest_mean_cosine": sums.lowest.ravel(),
    }


def critical_columns(context: int, width: int) -> Columns:
    """Return the critical dimension of every base, and its share of the width."""
    counts = critical_dimensions(context, width)
    return {"base": log_bases(SWEPT), "critical_dimension": counts, "share_percent": 100 * counts / width}


def _nowhere_negative(settings: BasesSettings, sums: Sums) -> str:
    below = int((sums.lowest[:, sums.edges[:-1] < settings.context] >= 0).all(1).sum())
    counted = _(
        "Every distance up to {reach} was computed, and each cell shows the lowest sum of its bin, so no negative one is lost. "
        "{below} of {count} rows are nowhere negative in the bins that begin before the context ends."
    ).format(reach=f"`{REACH:,}`", below=f"`{below}`", count=f"`{ROWS}`")
    return counted + (" " + _("The context is longer than that.") if settings.context > REACH + 1 else "")


def _critical_sentences(settings: BasesSettings, here: int) -> tuple[str, ...]:
    known = next(model for model in compute.models() if model.name == "Llama 2 7B")
    return (
        come_round(settings, here),
        _(
            "A larger base never raises this number, {here}, while the first view often asks for a larger base. They are two "
            "criteria for two questions; no axis holds both."
        ).format(here=f"`{here}`"),
        _(
            "Each diamond is a model, or several alike, at its own width, speeds and length: the trained one where the config names it, "
            "else the stated one, and no more than a sliding window. {name}: {count} of {width}, the number in the paper."
        ).format(name=known.name, count=f"`{known.critical}`", width=f"`{known.rotary_dim}`"),
    )


def _sum_lines(settings: BasesSettings) -> str:
    at = settings.context - 1 if settings.negative is None else settings.negative
    return aligned(
        r"B(m) &= \textstyle\sum_i \cos(m\,\theta_i), \quad \theta_i = b^{-2i/d}",
        r"B(m) &\ge 0 \quad \text{for } 0 \le m < L",
        rf"B({at}) &= {tex(compute.sum_at(settings.width, settings.base, at))}",
    )


def _critical_lines(settings: BasesSettings, here: int) -> str:
    pairs = settings.width // 2 * (math.log(settings.context) - math.log(math.tau)) / math.log(settings.base)
    clipped = r"\;\to\;" + str(here) if 2 * math.ceil(pairs) != here else ""
    return aligned(
        r"\lambda_i = 2\pi / \theta_i &\le L \quad \text{for } i < d_c / 2",
        r"d_c &= 2\left\lceil \tfrac{d}{2} \log_b \tfrac{L}{2\pi} \right\rceil",
        rf"&= 2\left\lceil {tex(pairs)} \right\rceil = {2 * math.ceil(pairs)}{clipped}",
    )
