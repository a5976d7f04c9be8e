"""What the page about models shows: models, and the rows that their types of layers are in figures and tables."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from rope_core import (
    CatalogueModel,
    DynamicNtkScaling,
    Finding,
    HfRope,
    Llama3Scaling,
    LongRopeScaling,
    RopeConfig,
    YarnScaling,
)
from ui import compute_models as compute
from ui.i18n import _
from ui.model_choice import by_slug
from ui.notices import quoted
from ui.pasted import Reading

EXAMPLE = "gemma-3-4b-it"
"""Shown before anybody has pasted a config."""
MOST_KINDS = 8
"""Types of layers of one model that are shown; a hostile file could have thousands."""
AFTER_TRAINING = (DynamicNtkScaling, Llama3Scaling, LongRopeScaling, YarnScaling)
"""Methods that stretch a model trained on a shorter length; where a config has another one, that is taken as part of the training."""
OTHER_COUNT = "{key} has {value} entries for {count} layers"
"""How the core says that a config names more or fewer layers than it counts."""


@dataclass(frozen=True)
class Model:
    """A model of the catalogue, or the reader's own.

    Attributes:
        name: As sentences name it.
        rope: What its config says.
        place: Its place on the page, which decides its colour.
        slug: Its name in files.
    """

    name: str
    rope: HfRope
    place: int
    slug: str

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What else is known of its config."""
        return self.rope.findings

    def count(self, layer: str) -> int:
        """Count the layers of a type; 0 where the config does not state them."""
        return self.rope.layer_types.count(layer)

    @property
    def named(self) -> int:
        """Count the layers whose type the config names."""
        return len(self.rope.layer_types)

    @property
    def stated(self) -> int:
        """Give the number of layers that the config states, which may be another one than it names types for."""
        counts = [finding.values["count"] for finding in self.findings if finding.template == OTHER_COUNT]
        return int(str(counts[0])) if counts else self.named


@dataclass(frozen=True)
class Row:
    """The layers of one type of a model, in a text of some length.

    Attributes:
        model: The model.
        layer: Their type, a word of the config.
        kind: The place of that type among those of the model.
        config: Their settings; None where nothing turns.
        asked: Length of the text; 0 is the trained length.
    """

    model: Model
    layer: str
    kind: int
    config: RopeConfig | None
    asked: int

    @property
    def length(self) -> int:
        """Length of the text, in tokens."""
        return self.asked or (self.config.trained_length if self.config else 1)

    @property
    def plain(self) -> str:
        """The name as a list shows it."""
        layer = "".join(character for character in self.layer if character.isprintable())[:40]
        return self.model.name if self.layer == "all" else f"{self.model.name} · {layer}"

    @property
    def drawn(self) -> str:
        """The name in a figure, where text is HTML."""
        return html.escape(self.plain, quote=False)

    @property
    def said(self) -> str:
        """The name in a sentence, where text is Markdown and a layer's name may be anybody's."""
        name = f"**{self.model.name}**"
        return name if self.layer == "all" else _("{model}, layers {layer}").format(model=name, layer=quoted(self.layer))

    @cached_property
    def speeds(self) -> np.ndarray:
        """Radians per token of every pair."""
        return np.empty(0) if self.config is None else compute.speeds(self.config, self.length)

    @cached_property
    def wavelengths(self) -> np.ndarray:
        """Tokens of one turn of every pair; infinity where it stands still."""
        return np.empty(0) if self.config is None else compute.wavelengths(self.config, self.length)

    @cached_property
    def ratios(self) -> np.ndarray:
        """Speed of every pair over that of the plain law."""
        return np.empty(0) if self.config is None else compute.ratios(self.config, self.length)

    @property
    def is_later(self) -> bool:
        """Whether the method changed the speeds after the training that the trained length is about."""
        return self.config is not None and isinstance(self.config.scaling, AFTER_TRAINING)

    @cached_property
    def training(self) -> Row:
        """The layers as they were trained: at the trained length, and without a method that came later."""
        if self.config is None or not self.is_later:
            return replace(self, asked=0)
        return replace(self, config=replace(self.config, max_position=self.config.trained_length, scaling=None), asked=0)

    @property
    def unfinished(self) -> int:
        """Count the pairs that finished no turn in training; those that stand still among them."""
        return self.training.beyond

    @property
    def beyond(self) -> int:
        """Count the pairs that, at the speeds shown, need more than the trained length for a turn."""
        return 0 if self.config is None else int((self.wavelengths > self.config.trained_length).sum())

    @property
    def changes(self) -> bool:
        """Whether its speeds depend on the length of the text."""
        return self.config is not None and self.config.scaling is not None and self.config.scaling.length_dependent


@dataclass(frozen=True, kw_only=True)
class Setting:
    """All rows of the page, and the one that it is about in detail."""

    models: tuple[Model, ...]
    rows: tuple[Row, ...]
    chosen: int

    @property
    def row(self) -> Row:
        """The row that is drawn strong."""
        return self.rows[self.chosen]

    @property
    def training(self) -> Setting:
        """The same rows as they were trained."""
        return replace(self, rows=tuple(row.training for row in self.rows))

    @property
    def turning(self) -> tuple[Row, ...]:
        """The rows in which something turns."""
        return tuple(row for row in self.rows if row.config is not None)


def catalogue(models: Sequence[CatalogueModel]) -> tuple[Model, ...]:
    """Take models of the catalogue; the first of them all where none is chosen."""
    chosen = models or [by_slug()[EXAMPLE]]
    slugs = {id(model): slug for slug, model in by_slug().items()}
    return tuple(Model(model.name, model.rope, place, slugs[id(model)]) for place, model in enumerate(chosen))


def own(reading: Reading | None, beside: Sequence[CatalogueModel]) -> tuple[Model, ...]:
    """Take the reader's config, or an example before there is one, and models to compare it with."""
    rope = by_slug()[EXAMPLE].rope if reading is None else reading.rope
    name = _("an example") if reading is None else _("your config")
    others = catalogue(beside) if beside else ()
    return (Model(name, rope, 0, "own"), *(Model(each.name, each.rope, each.place + 1, each.slug) for each in others))


def rows(models: Sequence[Model], length: int) -> tuple[Row, ...]:
    """List the types of layers of all models."""
    return tuple(
        Row(model, layer, kind, config, length)
        for model in models
        for kind, (layer, config) in enumerate([*model.rope.layers.items()][:MOST_KINDS])
    )
