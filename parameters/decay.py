"""The parameters of the page Distance decay."""

from __future__ import annotations

from locales import N_
from parameters.shared import POWERS
from parameters.types import SUPPORTED, Choice, Number, Parameter, Vector

DECAY: dict[str, Parameter] = {
    "decay_view": Choice(
        label=N_("View"),
        help=N_("The score itself, many random q and k, bounds on the score, or the frequencies that it is made of."),
        options={"score": N_("Score"), "random": N_("Random q and k"), "bound": N_("Bounds"), "spectrum": N_("Spectrum")},
    ),
    "reach": Number(
        label=N_("Largest distance"),
        help=N_("The distance m - n at the right end of the axis, in tokens."),
        default=8192,
        low=2,
        high=SUPPORTED,
        scale="log",
        marks=POWERS,
    ),
    "vectors": Choice(
        label=N_("q and k"),
        help=N_("All ones; a key built so that the score peaks at a chosen distance; or numbers of your own."),
        options={"ones": N_("q = k = ones"), "peak": N_("peak at a distance"), "typed": N_("typed")},
    ),
    "peak": Number(
        label=N_("Distance of the peak"),
        help=N_("The key is the query turned by this many tokens."),
        default=100,
        low=0,
        high=SUPPORTED,
        scale="positions",
    ),
    "q_head": Vector(
        label="q",
        help=N_("Up to 512 numbers; fewer than d are repeated, those beyond d are left out."),
        default="1, 0, -1, 0.5",
        shortest=1,
        longest=512,
        low=-1000,
        high=1000,
    ),
    "k_head": Vector(
        label="k",
        help=N_("Up to 512 numbers; fewer than d are repeated, those beyond d are left out."),
        default="1, 0.5, 0, 1",
        shortest=1,
        longest=512,
        low=-1000,
        high=1000,
    ),
    "seed": Number(
        label=N_("Random seed"),
        help=N_("Another seed draws other vectors."),
        default=0,
        low=0,
        high=9999,
    ),
    "tokens": Number(
        label=N_("Tokens in the spectrum"),
        help=N_("How many tokens of the score curve the Fourier transform sees."),
        default=4096,
        low=16,
        high=1_048_576,
        scale="log",
        marks=[2**power for power in range(4, 21)],
    ),
}
