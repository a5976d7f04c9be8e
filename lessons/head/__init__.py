"""A whole head: how do d/2 pairs share one vector?"""

from __future__ import annotations

from lessons.head.layouts import code_view, matrix_view, mix_view
from lessons.head.pairs import pairs_view
from lessons.head.table import table_view
from lessons.page import Page, Try
from lessons.view import View
from locales import N_, _
from parameters.head_config import partial_head
from parameters.settings import Settings

OWN = {
    "pairs": ("head_position", "head_seed"),
    "matrix": ("head_position",),
    "mix": ("head_distance",),
    "table": (),
    "code": ("head_position", "head_seed"),
}


def controls(settings: Settings) -> tuple[str, ...]:
    """Name the parameters that the view depends on; three views show both layouts."""
    shown = settings.text("head_view")
    layout = ("layout",) if shown in ("pairs", "table") else ()
    return (*OWN[shown], "base", "head_dim", "rotary", *layout)


def live(settings: Settings) -> str | None:
    """Name the number that can be played: a position, or the distance of two tokens; the tables have none."""
    return next(iter(OWN[settings.text("head_view")]), None)


def tries(_settings: Settings) -> tuple[Try, ...]:
    """Return settings worth looking at."""
    return (
        Try(label=_("A quarter of the width turns"), values={"head_view": "pairs", "rotary": 0.25}),
        Try(label=_("A head of 8: both matrices"), values={"head_view": "matrix", "head_dim": 8}),
        Try(label=_("A head of 8: layouts mixed"), values={"head_view": "mix", "head_dim": 8, "head_distance": 5}),
        Try(label=_("Three implementations, one result"), values={"head_view": "code"}),
    )


def view(settings: Settings) -> View:
    """Show the view that is chosen."""
    config = partial_head(settings)
    position, seed = settings.whole("head_position"), settings.whole("head_seed")
    match settings["head_view"]:
        case "matrix":
            return matrix_view(config, position)
        case "mix":
            return mix_view(config, settings.whole("head_distance"))
        case "table":
            return table_view(config)
        case "code":
            return code_view(config, seed, position)
        case _:
            return pairs_view(config, seed, position)


PAGE = Page(
    name="head",
    section=N_("Learn"),
    title=N_("A whole head"),
    question=N_("How do d/2 pairs share one vector?"),
    icon=":material/view_column:",
    choice="head_view",
    view=view,
    controls=controls,
    live=live,
    tries=tries,
    onward=("attention", "frequencies"),
)
