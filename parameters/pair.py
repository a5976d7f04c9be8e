"""The parameters of the page Rotate a pair."""

from __future__ import annotations

from locales import N_
from parameters.types import SUPPORTED, Choice, Number, Parameter, Vector

PAIR: dict[str, Parameter] = {
    "pair_view": Choice(
        label=N_("View"),
        help=N_("The plane of the pair, the same vector at several positions, or both tokens shifted together."),
        options={"plane": N_("q and k in the plane"), "positions": N_("Several positions"), "shift": N_("Shift both")},
    ),
    "m": Number(label=N_("Position m of q"), help=N_("Where the query stands."), default=7, low=0, high=SUPPORTED, scale="positions"),
    "n": Number(label=N_("Position n of k"), help=N_("Where the key stands."), default=2, low=0, high=SUPPORTED, scale="positions"),
    "shift": Number(
        label=N_("Shift of both positions"),
        help=N_("Both tokens move on by so many places; the distance between them stays."),
        default=0,
        low=0,
        high=100,
    ),
    "speed": Choice(
        label=N_("Speed"),
        help=N_("Take the speed of a pair of the head, or an angle of your own."),
        options={"pair": N_("of a pair"), "own": N_("of my own")},
    ),
    "pair": Number(
        label=N_("Pair i"),
        help=N_("Pair 0 is the fastest, the last one the slowest."),
        default=8,
        low=0,
        high=255,
        limit=lambda values: float(values["head_dim"]) / 2 - 1,
    ),
    "degrees": Number(
        label=N_("Angle per token (degrees)"),
        help=N_("How far the pair turns from one token to the next."),
        default=30,
        low=0,
        high=360,
        step=0,
    ),
    "q": Vector(
        label="q", help=N_("Two numbers: the query before rotation."), default="1.5, 0.5", shortest=2, longest=2, low=-100, high=100
    ),
    "k": Vector(label="k", help=N_("Two numbers: the key before rotation."), default="0.5, 1.2", shortest=2, longest=2, low=-100, high=100),
    "at": Vector(
        label=N_("Positions"),
        help=N_("One to eight whole numbers."),
        default="0, 1, 2, 10, 50",
        shortest=1,
        longest=8,
        low=0,
        high=SUPPORTED,
        whole=True,
    ),
}
