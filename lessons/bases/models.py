"""Models of the catalogue, as points of a figure and as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from compute import bases as compute
from compute.bases import FURTHEST, Model
from figures.bases import Points
from lessons.view import Table
from locales import _

NAMED = 5
"""Models named at a point that several share."""


def points(models: Sequence[Model], height: Callable[[Model], float]) -> Points:
    """Return models of the same width, base and length as one point."""
    alike: dict[tuple[int, float, int], list[Model]] = {}
    for model in models:
        alike.setdefault((model.rotary_dim, model.base, model.length), []).append(model)
    groups = list(alike.values())
    return Points(
        x=[group[0].base for group in groups], y=[height(group[0]) for group in groups], texts=[_hover(group) for group in groups]
    )


def _hover(alike: Sequence[Model]) -> str:
    model, more = alike[0], len(alike) - NAMED
    first = f"{model.first_negative:,}" if model.first_negative else _("none below {limit}").format(limit=f"{FURTHEST:,}")
    lines = (
        *(f"<b>{one.name.replace(' ', chr(0xA0))}</b>" for one in alike[:NAMED]),
        *([_("and {count} more").format(count=more)] if more > 0 else []),
        _("base {base}, {width} coordinates, {context} tokens").format(
            base=f"{model.base:,.0f}", width=model.rotary_dim, context=f"{model.length:,}"
        ),
        _("first negative distance: {first}").format(first=first),
        _("critical dimension: {count} of {width}").format(count=model.critical, width=model.rotary_dim),
    )
    return "<br>".join(lines)


def table() -> Table:
    """Return the models with both criteria, each at its own width and length."""
    models = compute.models()
    columns: dict[str, Sequence[object]] = {
        _("Model"): [model.name for model in models],
        _("Rotated coordinates"): [model.rotary_dim for model in models],
        _("Base b"): [model.base for model in models],
        _("Length (tokens)"): [model.length for model in models],
        _("First negative distance"): [model.first_negative for model in models],
        _("Critical dimension"): [model.critical for model in models],
    }
    return Table(columns=columns, alt=_("The models in numbers"))
