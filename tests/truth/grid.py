"""Settings at the ends of everything that sentences speak of, a generator a page."""

import json
from collections.abc import Callable, Iterator
from itertools import product

from lessons.registry import PAGES
from parameters import parameters_of
from parameters.models import by_slug
from parameters.settings import Settings

WIDTHS = (2, 4, 6, 64, 128, 512)
BASES = (1.01, 10, 10_000, 1e9)
LENGTHS = (1, 2, 8, 4096, 10_000_000)
SHARES = (1, 0.5, 0.01)
SHORT = (1, 2, 4, 8, 10)
METHODS = ("linear", "ntk", "dynamic", "yarn", "parts", "llama3", "longrope", "proportional", "none")
Address = dict[str, object]


def scalings(width: int, share: float) -> Iterator[str]:
    """Yield methods as links carry them, at the factor 1 and at a larger one."""
    yield ""
    pairs = max(1, round(share * width / 2))
    for factor in (1, 8):
        for name in ("linear", "ntk", "dynamic", "yarn"):
            yield json.dumps({"rope_type": name, "factor": factor})
        yield json.dumps({"rope_type": "llama3", "factor": factor, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position": 1})
        lists = {"short_factor": [1 + i / 7 for i in range(pairs)], "long_factor": [2] * pairs}
        yield json.dumps({"rope_type": "longrope", "factor": factor, "original_max_position": 1} | lists)
    yield json.dumps({"rope_type": "proportional", "rotary_fraction": 0.5})


def start() -> Iterator[Address]:
    for view, width, base, position, gap in product(("one", "two"), WIDTHS, BASES, (0, 1, 12, 10_000_000), (0, 3, 10_000_000)):
        yield {"start_view": view, "head_dim": width, "base": base, "position": position, "gap": gap}


def pair() -> Iterator[Address]:
    speeds = [{"speed": "own", "degrees": degrees} for degrees in (0, 30, 360)]
    speeds += [{"head_dim": width, "base": base, "pair": pair} for width, base in product(WIDTHS, BASES) for pair in {0, 1, width // 2 - 1}]
    vectors = ({}, {"q": "100, 100", "k": "-100, 100"}, {"q": "0, 0", "k": "1, 0"})
    places = ((0, 0), (7, 2), (2, 7), (10_000_000, 3))
    for view, speed, (m, n), given in product(("plane", "positions", "shift"), speeds, places, vectors):
        yield {"pair_view": view, "m": m, "n": n, "at": f"0, {m}", "shift": 100} | speed | given


def head() -> Iterator[Address]:
    views = ("pairs", "matrix", "mix", "table", "code")
    for view, width, base, share, layout, far in product(views, WIDTHS, BASES, SHARES, ("half", "interleaved"), (0, 12, 1_000_000)):
        if width <= 128 or view != "matrix":
            yield {"head_view": view, "head_dim": width, "base": base, "rotary": share, "layout": layout} | (
                {"head_distance": far} if view == "mix" else {"head_position": far}
            )


def attention() -> Iterator[Address]:
    views, codes = ("scores", "weights", "diagonals", "values"), ("rope", "sinusoidal", "alibi", "t5", "none")
    for view, code, alike, mask, count, width, base in product(
        views, codes, ("random", "alike"), ("causal", "full"), (2, 24), (2, 6, 128), BASES
    ):
        yield {"attention_view": view, "encoding": code, "alike": alike, "causal": mask, "tokens_seen": count, "head_dim": width} | {
            "base": base,
            "alibi_head": 8,
        }


def frequencies() -> Iterator[Address]:
    for width, base, length in product(WIDTHS, BASES, LENGTHS):
        shared = {"head_dim": width, "base": base, "context": length}
        yield shared | {"freq_view": "sweep"}
        yield shared | {"freq_view": "laws"}
        yield shared | {"freq_view": "equal", "equal_period": min(max(2, length), 4096)}
        yield shared | {"freq_view": "equal", "equal_speed": "one"}
        for share in SHARES:
            for view, scaling in product(("speeds", "turns"), scalings(width, share)):
                yield shared | {"freq_view": view, "rotary": share, "scaling": scaling}


def decay() -> Iterator[Address]:
    for view, vectors, width, base, reach, share in product(
        ("score", "random", "bound", "spectrum"), ("ones", "peak", "typed"), WIDTHS, BASES, (2, 100, 8192), SHARES
    ):
        given = {"decay_view": view, "vectors": vectors, "head_dim": width, "base": base, "reach": reach, "rotary": share}
        yield given | {"tokens": max(16, reach), "peak": reach - 1}
        if share == 1 and reach == 100:
            yield from (given | {"tokens": 100, "scaling": scaling} for scaling in scalings(width, share))


def bases() -> Iterator[Address]:
    for view, width, base, length in product(("first", "critical", "heat"), WIDTHS, BASES, (*LENGTHS, 64)):
        yield {"bases_view": view, "head_dim": width, "base": base, "context": length}


def extension() -> Iterator[Address]:
    views = ("ratio", "unseen", "bands", "attention", "curve", "decode")
    for view, method, width, base, length, times in product(views, METHODS, WIDTHS, BASES, (*SHORT, 4096, 1_000_000), (1, 2, 10)):
        target = min(length * times, 10_000_000)
        given = {"ext_view": view, "method": method, "head_dim": width, "base": base, "context": length, "target": target}
        yield given | {"key_at": max(0, target - 3), "cached_length": length}
    yield from options()


def options() -> Iterator[Address]:
    """Yield the options of YaRN that other methods lack."""
    for rule, above, below, times in product(("paper", "ratio"), (0, 1, 2), (0, 1), (1, 98)):
        yield {"ext_view": "attention", "method": "yarn", "context": 4096, "target": 4096 * times, "attention_rule": rule} | (
            {"mscale": above, "mscale_all_dim": below} if rule == "ratio" else {}
        )
    for ramp, ends, few, width, length in product(("index", "rotation"), ("on", "off"), (0.01, 1, 32), WIDTHS, (*SHORT, 4096)):
        yield {"ext_view": "bands", "method": "yarn", "ramp": ramp, "beta_slow": few, "head_dim": width, "context": length} | (
            {"truncate": ends} if ramp == "index" else {}
        )


def models() -> Iterator[Address]:
    for view, slug, length in product(("wavelengths", "turns", "layers", "ratio"), by_slug(), (0, 8, 10_000_000)):
        for layer in range(len(by_slug()[slug].rope.layers)):
            yield {"models_view": view, "models_names": slug, "models_length": length, "models_layer": layer}


def glossary() -> Iterator[Address]:
    for view, width, base, length in product(("speeds", "lengths"), WIDTHS, BASES, LENGTHS):
        yield {"glossary_view": view, "head_dim": width, "base": base, "context": length}


PAGES_OF = {each.__name__: each for each in (start, pair, head, attention, frequencies, decay, bases, extension, models, glossary)}
assert PAGES_OF.keys() == PAGES.keys()


def settings_of(page: str, generator: Callable[[], Iterator[Address]] | None = None) -> Iterator[Settings]:
    """Yield the settings of a page that its controls allow."""
    for address in (generator or PAGES_OF[page])():
        known = {name: str(value) for name, value in address.items() if name in parameters_of(page)}
        yield Settings.read(page, known)[0]
