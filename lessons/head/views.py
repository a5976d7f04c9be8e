"""A whole head: its pairs, its matrix, two layouts and what goes wrong when they are mixed, its tables, its code."""

from __future__ import annotations

from lessons.head.matrix import matrix_view
from lessons.head.mix import mix_view
from lessons.head.orders import code_view
from lessons.head.pairs import pairs_view
from lessons.head.table import table_view
from lessons.view import View
from parameters.head_config import partial_head
from parameters.settings import Settings


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
