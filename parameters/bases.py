"""The parameters of the page Base and context."""

from __future__ import annotations

from locales import N_
from parameters.types import Choice, Parameter

BASES: dict[str, Parameter] = {
    "bases_view": Choice(
        label=N_("View"),
        help=N_("Where the sum first turns negative, the sum itself, or how many coordinates come round within the context."),
        options={"first": N_("First negative distance"), "heat": N_("Sum at every distance"), "critical": N_("Critical dimension")},
    ),
}
