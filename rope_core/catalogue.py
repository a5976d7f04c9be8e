"""Real models: the rotary keys of their config.json, and the settings parsed from them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from rope_core.config import RopeConfig
from rope_core.huggingface import HfRope, parse_config


@dataclass(frozen=True, eq=False)
class CatalogueModel:
    """One model; compared by identity.

    Attributes:
        name: Its common name.
        hf_id: Its repository on the Hugging Face hub.
        year: Year of its release.
        source: Where the values come from.
        kind: Kind of source: ``"checkpoint"`` for a copy of the checkpoint's own config, ``"class default"`` for the defaults of its
            config class, ``"other table"`` for another project's table of models.
        settings: The keys of its ``config.json`` that determine the rotation, spelled as there.
        rope: What ``parse_config`` returns for them.
    """

    name: str
    hf_id: str
    year: int
    source: str
    kind: str
    settings: Mapping[str, object]
    rope: HfRope

    @property
    def config(self) -> RopeConfig | None:
        """The settings of the layers with the widest attention; None if no layer is rotated."""
        return self.rope.main


@lru_cache(maxsize=1)
def catalogue_models() -> tuple[CatalogueModel, ...]:
    """Return the models that ship with the package; constant data, so cached.

    Returns:
        One model for each row of ``catalogue.toml``, in the same order.
    """
    rows = tomllib.loads(files("rope_core").joinpath("catalogue.toml").read_text(encoding="utf-8"))["model"]
    return tuple(
        CatalogueModel(
            name=row["name"],
            hf_id=row["hf_id"],
            year=row["year"],
            source=row["source"],
            kind=row.get("kind", "checkpoint"),
            settings=row["config"],
            rope=parse_config(row["config"]),
        )
        for row in rows
    )
