"""Heads recomputed from what an address says, in plain mathematics: nothing of rope_core, compute or lessons."""

import json
import math
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

import mpmath
import numpy as np

from parameters.settings import Settings
from tests.oracles import scaling as methods

TAU = 2 * math.pi
PHI = {"short_factor": [], "long_factor": []}


@dataclass(frozen=True)
class Head:
    """A head, its context length, and a method as a dictionary of JSON; ``text`` is the length of the text, None that of the context."""

    width: int
    turning: int
    base: float
    length: int
    method: str = ""
    options: dict = field(default_factory=dict, hash=False)

    @property
    def pairs(self) -> int:
        return self.turning // 2

    @cached_property
    def plain(self) -> list[float]:
        return methods.plain(self.turning, self.base)

    def speeds(self, text: int | None = None) -> list[float]:
        """Return radians per token of every pair in a text of so many tokens."""
        text, given, s = text or self.length, self.options, float(self.options.get("factor", 1))
        match self.method:
            case "linear":
                return [fast / s for fast in self.plain]
            case "ntk":
                return [fast / s ** (2 * i / (self.turning - 2)) for i, fast in enumerate(self.plain)]
            case "dynamic":
                growth = 1 + s * (max(text, self.length) - self.length) / self.length
                return [fast / growth ** (2 * i / (self.turning - 2)) for i, fast in enumerate(self.plain)]
            case "yarn":
                bounds = {name: given[name] for name in ("beta_fast", "beta_slow", "truncate") if name in given}
                return methods.yarn(self.turning, self.base, self.length, s, **bounds)
            case "parts":
                return methods.by_parts(self.turning, self.base, self.length, s, given["few"], given["many"])
            case "longrope":
                return methods.longrope(self.turning, self.base, given["long_factor" if text > self.length else "short_factor"])
            case "proportional":
                return methods.proportional(self.turning, self.base, given["rotary_fraction"])
        return self.plain

    @property
    def factor(self) -> float:
        """A."""
        s = float(self.options.get("factor", 1))
        if self.method == "yarn":
            return methods.yarn_attention_factor(s)
        return methods.longrope_attention_factor(s, self.length) if self.method == "longrope" and self.length > 1 else 1.0


def turning_width(width: int, share: float) -> int:
    """Return the even number nearest to a share of the width, the smaller of two, at least 2."""
    wanted = share * width / 2
    nearest = min(
        range(1, width // 2 + 1), key=lambda pairs: (abs(pairs - wanted) > abs(round(wanted - 1e-9) - wanted) + 1e-6, abs(pairs - wanted))
    )
    return 2 * nearest


def head_of(settings: Settings) -> Head:
    """Read the shared parameters of a page; a method that does not fit the head is left out, as the page says in a notice."""
    width, share = settings.whole("head_dim"), settings.number("rotary")
    turning = width if "rotary" not in dict(settings.changed) else turning_width(width, share)
    given = json.loads(settings.text("scaling") or "{}")
    name = given.pop("rope_type", "")
    if name == "llama3":
        name, given = "parts", {"factor": given["factor"], "few": 1, "many": 4}
    bad = (name in ("ntk", "dynamic") and turning == 2) or (name == "proportional" and turning < width)
    bad |= name == "longrope" and (len(given["short_factor"]) != turning // 2 or (settings.whole("context") == 1 and given["factor"] > 1))
    bad |= name == "proportional" and not int(0.5 * width // 2)
    return Head(width, turning, settings.number("base"), settings.whole("context"), "" if bad else name, {} if bad else given)


def plain_of(settings: Settings) -> Head:
    """Read width, base and context length: all of the width turns, at the speeds of the plain law."""
    return Head(settings.whole("head_dim"), settings.whole("head_dim"), settings.number("base"), settings.whole("context"))


def sweep(speed: float, tokens: int) -> float:
    """Return the share of its circle that a pair sweeps from the first position to the last."""
    return min(1.0, (tokens - 1) * speed / TAU)


@lru_cache(maxsize=64)
def cosines(speeds: tuple[float, ...], stop: int) -> np.ndarray:
    """Return the sum of the cosines of all pairs at distances 0 .. ``stop`` - 1, every angle by itself."""
    distances = np.arange(stop, dtype=np.float64)
    return sum((np.cos(distances * speed) for speed in speeds), np.zeros(stop))


def exact_turn(base: float, width: int, pair: int, position: int) -> mpmath.mpf:
    """Return the angle of a pair at a position, from a speed that was never rounded."""
    with mpmath.workdps(40):
        return mpmath.mpf(position) * mpmath.power(mpmath.mpf(base), mpmath.mpf(-2 * pair) / width)
