"""The parameters of the page Start."""

from __future__ import annotations

from locales import N_
from parameters.types import SUPPORTED, Choice, Number, Parameter

START: dict[str, Parameter] = {
    "start_view": Choice(
        label=N_("View"),
        help=N_("One token turns its hands; two tokens keep the angle between them."),
        options={"one": N_("One token"), "two": N_("Two tokens")},
    ),
    "position": Number(
        label=N_("Position m"),
        help=N_("Where the token stands in the text, counted from 0."),
        default=12,
        low=0,
        high=SUPPORTED,
        scale="positions",
    ),
    "gap": Number(
        label=N_("Distance between the two tokens"),
        help=N_("The second token stands this many places after the first."),
        default=3,
        low=0,
        high=SUPPORTED,
        scale="positions",
    ),
}
