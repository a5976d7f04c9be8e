"""Distance decay: does the score fall with distance, and for which q and k?"""

from __future__ import annotations

from dataclasses import replace

from compute.scores import DecaySettings
from lessons.decay.random_pairs import random_view
from lessons.decay.score import bound_view, score_view
from lessons.decay.spectrum import spectrum_view
from lessons.page import Page, Try
from lessons.view import View
from locales import N_, _
from parameters.head_config import model_head
from parameters.methods import BY_LENGTH
from parameters.settings import Settings

VIEWS = {"score": score_view, "random": random_view, "bound": bound_view, "spectrum": spectrum_view}
VECTORS = {"ones": (), "peak": ("peak",), "typed": ("q_head", "k_head")}


def view(settings: Settings) -> View:
    """Show the score, many random q and k, bounds on the score, or its frequencies; what the choices do not use counts as 0 or 1."""
    (config, notices), kind = model_head(settings), settings.text("vectors")
    given = DecaySettings(
        config=config,
        reach=settings.whole("tokens" if settings["decay_view"] == "spectrum" else "reach"),
        kind=kind,
        peak=settings.whole("peak") if kind == "peak" else 0,
        q_typed=settings.vector("q_head") if kind == "typed" else (1.0,),
        k_typed=settings.vector("k_head") if kind == "typed" else (1.0,),
        seed=settings.whole("seed"),
    )
    return replace(VIEWS[settings.text("decay_view")](given), notices=notices)


def controls(settings: Settings) -> tuple[str, ...]:
    """Name the parameters that the view depends on.

    The layout matters only where the coordinates of a pair differ, and the context length to the view that marks it or to a method that
    starts from it.
    """
    choice, kind, scaling = settings.text("decay_view"), settings.text("vectors"), settings.scaling()
    if choice == "random":
        own: tuple[str, ...] = ("reach", "seed")
    else:
        own = ("tokens" if choice == "spectrum" else "reach", "vectors", *VECTORS[kind])
    layout = ("layout",) if choice == "random" or kind == "typed" else ()
    context = ("context",) if choice == "score" or (scaling is not None and scaling.rope_type in BY_LENGTH) else ()
    return (*own, "base", "head_dim", "rotary", *layout, *context, "scaling")


def tries(_settings: Settings) -> tuple[Try, ...]:
    """Return settings worth looking at."""
    return (
        Try(
            label=_("A key that peaks at distance 1,000"), values={"decay_view": "score", "vectors": "peak", "peak": 1000, "reach": 131_072}
        ),
        Try(label=_("Ten million tokens"), values={"decay_view": "score", "vectors": "ones", "reach": 10_000_000}),
        Try(label=_("Random q and k"), values={"decay_view": "random"}),
        Try(label=_("Base 500,000"), values={"decay_view": "score", "vectors": "ones", "base": 500_000}),
    )


PAGE = Page(
    name="decay",
    section=N_("Explore"),
    title=N_("Distance decay"),
    question=N_("Does the score fall with distance, and for which q and k?"),
    icon=":material/show_chart:",
    choice="decay_view",
    view=view,
    controls=controls,
    live=lambda _: "base",
    tries=tries,
    onward=("frequencies", "bases"),
    slow=True,
    intro=N_("Score: the dot product of the turned q and k, before it is divided by √d and before the softmax."),
)
