"""Real models and their rotary settings."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from rope_core.config import RopeConfig


@dataclass(frozen=True)
class CatalogueModel:
    """One model.

    Attributes:
        name: As people call it.
        hf_id: Its repository on the Hugging Face hub.
        year: Of its release.
        config: Its rotary settings; ``max_position`` is what its config states.
        source: Where the values were read.
    """

    name: str
    hf_id: str
    year: int
    config: RopeConfig
    source: str


@lru_cache(maxsize=1)
def catalogue_models() -> tuple[CatalogueModel, ...]:
    """Read the models that ship with the package; constant data, so cached."""
    rows = tomllib.loads(files("rope_core").joinpath("catalogue.toml").read_text(encoding="utf-8"))["model"]
    return tuple(
        CatalogueModel(
            name=row["name"],
            hf_id=row["hf_id"],
            year=row["year"],
            config=RopeConfig(
                row["head_dim"],
                base=row["base"],
                rotary_dim=row["rotary_dim"],
                layout=row["layout"],
                max_position=row["max_position"],
            ),
            source=row["source"],
        )
        for row in rows
    )
