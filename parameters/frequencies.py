"""The parameters of the page Frequencies."""

from __future__ import annotations

from locales import N_
from parameters.types import Choice, Number, Parameter

FREQUENCIES: dict[str, Parameter] = {
    "freq_view": Choice(
        label=N_("View"),
        help=N_("Speed and wavelength of each pair, turns within the context, a sweep of the base, one speed for all, or other laws."),
        options={
            "speeds": N_("Speeds"),
            "turns": N_("Turns"),
            "sweep": N_("Sweep of the base"),
            "equal": N_("All alike"),
            "laws": N_("Other laws"),
        },
    ),
    "equal_speed": Choice(
        label=N_("One speed for all pairs"),
        help=N_("A speed whose period is a whole number of tokens, or 1 rad per token."),
        options={"period": N_("2π / T"), "one": N_("1 rad per token")},
    ),
    "equal_period": Number(
        label=N_("Period T (tokens)"),
        help=N_("All pairs make one turn in T tokens."),
        default=32,
        low=2,
        high=4096,
        scale="log",
    ),
}
