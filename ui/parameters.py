"""What a reader can set: every parameter with its range, default and words. ``ui/params.py`` makes widgets and links of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.i18n import N_

SUPPORTED = 10_000_000  # positions and distances; beyond, the float64 angle itself is no longer exact enough


@dataclass(frozen=True, kw_only=True)
class Number:
    """``low <= value <= high`` and a multiple of ``step`` (0: any real number); the slider has ``stops`` and the value itself."""

    label: str
    help: str
    default: float
    low: float
    high: float
    stops: Sequence[float]
    step: int = 1

    def accepts(self, value: float, high: float) -> bool:
        """Say whether a value is allowed, where ``high`` may lower the upper bound."""
        return self.low <= value <= high and not (self.step and value % self.step)


@dataclass(frozen=True, kw_only=True)
class Choice:
    """One of a few codes, each with the words that readers see; the first is the default."""

    label: str
    help: str
    options: dict[str, str]

    @property
    def default(self) -> str:
        """The first code."""
        return next(iter(self.options))


@dataclass(frozen=True, kw_only=True)
class Vector:
    """Numbers typed with commas or spaces between them."""

    label: str
    help: str
    default: str
    shortest: int
    longest: int
    low: float
    high: float
    whole: bool = False

    def parse(self, text: str) -> list[float] | None:
        """Read the numbers; None if the text is not what this parameter may be."""
        words = text.replace(",", " ").replace("，", " ").split() if len(text) <= 30 * self.longest else []
        if not self.shortest <= len(words) <= self.longest:
            return None
        try:
            values = [float(word) for word in words]
        except ValueError:
            return None
        ok = all(self.low <= value <= self.high and not (self.whole and value % 1) for value in values)
        return values if ok else None


def _decades(low: int, high: int) -> list[float]:
    return [float(digit * 10**power) for power in range(low, high + 1) for digit in (1, 2, 5) if digit * 10**power <= 10**high]


_POSITIONS = [*range(65), 80, 100, 128, 200, 256, 512, 1000, *_decades(3, 7)[1:]]

PARAMETERS: dict[str, Number | Choice | Vector] = {
    # Shared: drawn by the shell, on every page.
    "base": Number(
        label=N_("Base b"),
        help=N_("The number whose powers set the speeds of the pairs; 10,000 in the paper."),
        default=10_000,
        low=1.01,
        high=1e9,
        step=0,
        stops=[1.01, 1.1, 1.5, 2, 5, *_decades(1, 9)],
    ),
    "head_dim": Number(
        label=N_("Head width d"),
        help=N_("Coordinates of one query or key; two of them form a pair."),
        default=128,
        low=2,
        high=512,
        step=2,
        stops=[2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 256, 320, 384, 512],
    ),
    "layout": Choice(
        label=N_("Layout"),
        help=N_("Which coordinates form pair i: half joins i and i + d/2, interleaved joins 2i and 2i + 1."),
        options={"half": N_("half"), "interleaved": N_("interleaved")},
    ),
    "context": Number(
        label=N_("Context length"),
        help=N_("Tokens that the model was trained on."),
        default=4096,
        low=1,
        high=SUPPORTED,
        stops=[1, 8, 64, *(2**power for power in range(8, 24))],
    ),
    # Start.
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
        stops=_POSITIONS,
    ),
    "gap": Number(
        label=N_("Distance between the two tokens"),
        help=N_("The second token stands this many places before the first."),
        default=3,
        low=0,
        high=SUPPORTED,
        stops=_POSITIONS,
    ),
    # Rotate a pair.
    "pair_view": Choice(
        label=N_("View"),
        help=N_("The plane of the pair, the same vector at several positions, or both tokens shifted together."),
        options={"plane": N_("q and k in the plane"), "positions": N_("Several positions"), "shift": N_("Shift both")},
    ),
    "m": Number(label=N_("Position m of q"), help=N_("Where the query stands."), default=7, low=0, high=SUPPORTED, stops=_POSITIONS),
    "n": Number(label=N_("Position n of k"), help=N_("Where the key stands."), default=2, low=0, high=SUPPORTED, stops=_POSITIONS),
    "speed": Choice(
        label=N_("Speed"),
        help=N_("Take the speed of a pair of the head, or an angle of your own."),
        options={"pair": N_("of a pair"), "own": N_("of my own")},
    ),
    "pair": Number(
        label=N_("Pair i"), help=N_("Pair 0 is the fastest, the last one the slowest."), default=8, low=0, high=255, stops=range(256)
    ),
    "degrees": Number(
        label=N_("Angle per token (degrees)"),
        help=N_("How far the pair turns from one token to the next."),
        default=30,
        low=0,
        high=360,
        step=0,
        stops=[0, 1, 5, *range(10, 361, 10)],
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
    # Distance decay.
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
        stops=[2, 16, 64, 256, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304, SUPPORTED],
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
        stops=_POSITIONS,
    ),
    "q_head": Vector(
        label="q",
        help=N_("Up to 512 numbers; fewer than d are repeated."),
        default="1, 0, -1, 0.5",
        shortest=1,
        longest=512,
        low=-1000,
        high=1000,
    ),
    "k_head": Vector(
        label="k",
        help=N_("Up to 512 numbers; fewer than d are repeated."),
        default="1, 0.5, 0, 1",
        shortest=1,
        longest=512,
        low=-1000,
        high=1000,
    ),
    "seed": Number(
        label=N_("Random seed"), help=N_("Another seed draws other vectors."), default=0, low=0, high=9999, stops=range(0, 10_000, 101)
    ),
    "tokens": Number(
        label=N_("Tokens in the spectrum"),
        help=N_("How many tokens of the score curve the Fourier transform sees."),
        default=4096,
        low=16,
        high=1_048_576,
        stops=[2**power for power in range(4, 21)],
    ),
}

SHARED = ("base", "head_dim", "layout", "context")
"""Drawn by the shell on every page; all others by exactly one page."""
