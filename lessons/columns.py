"""What the columns of a view's numbers are: their units, and which of them say where the others stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lessons.view import Columns
from locales import N_


class Column(NamedTuple):
    """A column: the unit of its numbers, and whether it says where the columns after it stand."""

    unit: str
    is_place: bool = False


INDEX, TOKENS, ANGLE, SPEED = N_("index"), N_("tokens"), N_("rad"), N_("rad per token")
SCORE, NUMBER, TURNS, PERCENT = N_("score units"), N_("no unit"), N_("turns"), N_("percent")

COLUMNS = {
    # Places.
    **dict.fromkeys(("pair", "first_coordinate", "second_coordinate", "place", "coordinate"), Column(INDEX, True)),
    **dict.fromkeys(("row", "column", "query", "key", "token", "layer"), Column(INDEX, True)),
    **dict.fromkeys(("position", "shift", "shifts", "distance", "distances", "bin", "length"), Column(TOKENS, True)),
    **dict.fromkeys(("distance_from", "distance_below"), Column(TOKENS, True)),
    **dict.fromkeys(("base", "stretch"), Column(NUMBER, True)),
    "resolved_speed": Column(SPEED, True),
    # Speeds and what follows from them.
    "theta": Column(SPEED),
    **dict.fromkeys(("angle_rad", "second_angle_rad", "rope_worst_pair"), Column(ANGLE)),
    **dict.fromkeys(("wavelength", "wavelengths", "wavelength_at_100", "wavelength_at_1e9", "wavelength_at_own_base"), Column(TOKENS)),
    "first_negative_or_limit": Column(TOKENS),
    **dict.fromkeys(("turns", "turns_in_training", "turns_at_target"), Column(TURNS)),
    **dict.fromkeys(("share_of_circle", "seen", "met", "unseen", "met_without_method"), Column(TURNS)),
    "share_percent": Column(PERCENT),
    "type": Column(INDEX),
    "critical_dimension": Column(N_("coordinates")),
    # Scores.
    **dict.fromkeys(("score", "score_rope", "score_additive", "score_one_table", "score_cached_key"), Column(SCORE)),
    **dict.fromkeys(("lowest", "highest", "lowest_unscaled", "highest_unscaled", "bound", "mean", "spread"), Column(SCORE)),
    **dict.fromkeys(("alike_lowest", "alike_highest", "random_lowest", "random_highest"), Column(SCORE)),
    **dict.fromkeys(("amplitude", "resolved_amplitude"), Column(SCORE)),
}
"""By the first word of their name: some are named for a model as well. All others are plain numbers."""


def column(name: str) -> Column:
    """Return what a column is."""
    return COLUMNS.get(name.partition(" ")[0], Column(NUMBER))


def tables(columns: Columns) -> Iterator[tuple[list[str], list[str]]]:
    """Split columns into tables: for each the names of its places, and of what stands there.

    One file may hold several curves, each on an axis of its own. Values before the first place stand at the number of their row.
    """
    places: list[str] = []
    values: list[str] = []
    for name in columns:
        if column(name).is_place and values:
            yield places, values
            places, values = [], []
        (places if column(name).is_place else values).append(name)
    yield places, values
