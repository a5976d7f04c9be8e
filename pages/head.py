"""A whole head: how do d/2 pairs share one vector?"""

from lessons import head, layouts
from ui import compute
from ui.i18n import _
from ui.page import show
from ui.params import choice, shared, whole
from ui.scene import scene
from ui.view import View


def page() -> None:
    """Draw the page."""
    mode = choice("head_view")
    distance = whole("head_distance") if mode == "mix" else 0
    seed = whole("head_seed") if mode in ("pairs", "code") else 0
    config = compute.partial_config(compute.current_config(), shared("rotary"))
    views = {
        "pairs": head.pairs_view,
        "matrix": head.matrix_view,
        "mix": layouts.mix_view,
        "table": head.table_view,
        "code": layouts.code_view,
    }

    def view(position: float) -> View:
        return views[mode](head.Setting(config=config, position=int(position), seed=seed, distance=distance))

    scene(
        "head",
        view,
        has_hero=mode not in ("mix", "table"),
        tries=(
            (_("A quarter of the width turns"), {"head_view": "pairs", "rotary": 0.25}),
            (_("A head of 8: both matrices"), {"head_view": "matrix", "head_dim": 8}),
            (_("A head of 8: layouts mixed"), {"head_view": "mix", "head_dim": 8, "head_distance": 5}),
            (_("Three implementations, one result"), {"head_view": "code"}),
        ),
        onward=("attention", "frequencies"),
    )


show(page)
