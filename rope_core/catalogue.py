"""Real models: what their config.json says about rotation, and the settings that it stands for."""

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
    """One model; two are the same only if they are one object.

    Attributes:
        name: As people call it.
        hf_id: Its repository on the Hugging Face hub.
        year: Of its release.
        source: Where the values were read.
        kind: What was read there: ``"checkpoint"`` for a copy of the checkpoint's own config, ``"class default"`` for what the config
            class of its family takes, ``"other table"`` for what another project's table of models says.
        settings: The keys of its ``config.json`` that decide the rotation, in their own spelling.
        rope: What ``parse_config`` reads from them.
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
        """The settings of the layers that see farthest; None where nothing turns."""
        return self.rope.main


@lru_cache(maxsize=1)
def catalogue_models() -> tuple[CatalogueModel, ...]:
    """Read the models that ship with the package; constant data, so cached.

    Returns:
        One model a row of ``catalogue.toml``, in its order.
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
