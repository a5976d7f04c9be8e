"""The settings of the page Distance decay, with the head that they describe."""

from __future__ import annotations

from dataclasses import dataclass

from compute.scores import Vector, head_vectors
from parameters.settings import Settings
from rope_core import RopeConfig


@dataclass(frozen=True, kw_only=True)
class DecaySettings:
    """A head, its q and k, and how far to look.

    Attributes:
        config: The head.
        reach: The largest distance, or the tokens of the spectrum.
        kind: ``ones``, ``peak`` (at a distance) or ``typed``.
        peak: That distance.
        q_typed: The numbers typed for q.
        k_typed: The numbers typed for k.
        seed: Of random q and k.
    """

    config: RopeConfig
    reach: int
    kind: str
    peak: int
    q_typed: Vector
    k_typed: Vector
    seed: int

    @classmethod
    def read(cls, settings: Settings, config: RopeConfig) -> DecaySettings:
        """Return the settings of the page with a head; what its choices do not use counts as 0 or 1."""
        kind = settings.text("vectors")
        return cls(
            config=config,
            reach=settings.whole("tokens" if settings["decay_view"] == "spectrum" else "reach"),
            kind=kind,
            peak=settings.whole("peak") if kind == "peak" else 0,
            q_typed=settings.vector("q_head") if kind == "typed" else (1.0,),
            k_typed=settings.vector("k_head") if kind == "typed" else (1.0,),
            seed=settings.whole("seed"),
        )

    def vectors(self) -> tuple[Vector, Vector]:
        """Return q and k of full width."""
        return head_vectors(self.config, self.kind, self.peak, self.q_typed, self.k_typed)

    @property
    def still(self) -> int:
        """How many coordinates do not turn."""
        return self.config.head_dim - self.config.rotary_dim
