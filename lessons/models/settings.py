"""What the page about models shows: models, and the rows that their types of layers are in figures and tables."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from compute import speeds as compute
from compute.models import AFTER_TRAINING, before_extension, counted_length, names_trained_length
from locales import _
from parameters.models import MODELS, by_slug
from parameters.own_config import read_config, stated_layers
from parameters.problems import quoted
from parameters.settings import Settings
from parameters.types import Names
from rope_core import HfRope, RopeConfig

EXAMPLE = "gemma-3-4b-it"
"""Shown before anybody has pasted a config, and where no model is chosen."""
MOST_KINDS = 8
"""Types of layers of one model that are shown; a hostile file could have thousands."""


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

    def count(self, layer: str) -> int:
        """Count the layers of a type; 0 where the config does not state them."""
        return self.rope.layer_types.count(layer)

    @property
    def named(self) -> int:
        """Count the layers whose type the config names."""
        return len(self.rope.layer_types)

    @property
    def stated(self) -> int:
        """The number of layers that the config states, which may be another one than it names types for."""
        return stated_layers(self.rope)


@dataclass(frozen=True)
class Row:
    """The layers of one type of a model, in a text of some length.

    Attributes:
        model: The model.
        layer: Their type, a word of the config.
        kind: The place of that type among those of the model.
        config: Their settings; None where nothing turns.
        text_length: As it is set; 0 is the trained length, or the stated one where the config names no trained one.
    """

    model: Model
    layer: str
    kind: int
    config: RopeConfig | None
    text_length: int

    @property
    def length(self) -> int:
        """Length of the text, in tokens."""
        return self.text_length or (self.config.trained_length if self.config else 1)

    @property
    def window(self) -> int | None:
        """The sliding window of these layers, in tokens; None where they see the whole text."""
        return self.model.rope.windows.get(self.layer)

    @property
    def reach(self) -> int:
        """Tokens within which turns are counted: the text, and no more than a sliding window."""
        return min(self.window or self.length, self.length)

    @property
    def counted(self) -> int:
        """The same of the trained or stated length."""
        return counted_length(self.config, self.window) if self.config else 1

    @property
    def names_trained(self) -> bool:
        """Whether the config names the trained length; else its length is only the stated one."""
        return self.config is not None and names_trained_length(self.config)

    @property
    def label(self) -> str:
        """The name as a list shows it."""
        layer = "".join(character for character in self.layer if character.isprintable())[:40]
        return self.model.name if self.layer == "all" else f"{self.model.name} · {layer}"

    @property
    def html(self) -> str:
        """The name in a figure, where text is HTML."""
        return html.escape(self.label, quote=False)

    @property
    def markdown(self) -> str:
        """The name in a sentence, where text is Markdown and a layer's name may be anybody's."""
        name = f"**{self.model.name}**"
        return name if self.layer == "all" else _("{model}, layers {layer}").format(model=name, layer=quoted(self.layer))

    @property
    def column(self) -> str:
        """The name in files."""
        layer = "".join(character for character in self.layer if character.isalnum() or character in "_-")[:40]
        return self.model.slug if self.layer == "all" else f"{self.model.slug} {layer}"

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
    def scaled_after_training(self) -> bool:
        """Whether the method came after training, so that turns are counted without it."""
        return self.config is not None and isinstance(self.config.scaling, AFTER_TRAINING)

    @cached_property
    def training(self) -> Row:
        """The layers without a method that came after training, at the trained or the stated length."""
        return replace(self, config=self.config and before_extension(self.config), text_length=0)

    @property
    def unfinished(self) -> int:
        """Count the pairs that finish no turn before an extension; those that stand still among them."""
        return self.training.beyond

    @property
    def beyond(self) -> int:
        """Count the pairs that, at the speeds shown, need more than the counted tokens for a turn."""
        return int((self.wavelengths > self.counted).sum())

    @property
    def length_dependent(self) -> bool:
        """Whether its speeds depend on the length of the text."""
        return self.config is not None and self.config.scaling is not None and self.config.scaling.length_dependent


@dataclass(frozen=True, kw_only=True)
class ModelsSettings:
    """All rows of the page, and the one that it is about in detail."""

    view: str
    models: tuple[Model, ...]
    rows: tuple[Row, ...]
    chosen: int = 0

    @property
    def row(self) -> Row:
        """The row that is drawn strong."""
        return self.rows[self.chosen]

    @property
    def training(self) -> ModelsSettings:
        """The same rows before an extension."""
        return replace(self, rows=tuple(row.training for row in self.rows))

    def told(self, rope: HfRope) -> ModelsSettings:
        """The same rows with what the text of the first model says besides its numbers: how they are known, what engines make of it."""
        first = self.models[0]
        more = {name: getattr(rope, name) for name in ("basis", "engines", "windows", "source_format", "axial")}
        model = replace(first, rope=replace(first.rope, **more))
        rows = tuple(replace(row, model=model) if row.model is first else row for row in self.rows)
        return replace(self, models=(model, *self.models[1:]), rows=rows)

    @property
    def turning(self) -> tuple[Row, ...]:
        """The rows in which something turns."""
        return tuple(row for row in self.rows if row.config is not None)

    @property
    def has_length(self) -> bool:
        """Whether the view depends on the length of the text."""
        return self.view in ("wavelengths", "turns") or (self.view == "ratio" and any(row.length_dependent for row in self.rows))

    @property
    def columns(self) -> tuple[tuple[str, RopeConfig, int, int], ...]:
        """Of each row that turns its name in files, its settings, the length of the text, and how far scores see in it."""
        return tuple((row.column, row.config, row.length, row.reach) for row in self.rows if row.config is not None)


def read(settings: Settings) -> ModelsSettings:
    """Return the models that a page is set to; a view that does not depend on the length has that of the training."""
    models = _own(settings) if settings["models_way"] == "own" else _catalogue(chosen_names(settings, "models_names") or (EXAMPLE,))
    found = ModelsSettings(view=settings.text("models_view"), models=models, rows=_rows(models, 0))
    index, length = settings.whole("models_layer"), settings.whole("models_length")
    rows = _rows(models, length) if length and found.has_length else found.rows
    return replace(found, rows=rows, chosen=index if index < len(rows) else 0)


def chosen_names(settings: Settings, name: str) -> tuple[str, ...]:
    """Return the models that a parameter names."""
    spec = MODELS[name]
    assert isinstance(spec, Names), f"{name} names no models"
    return spec.parse(settings.text(name)) or ()


def _catalogue(slugs: Sequence[str], first: int = 0) -> tuple[Model, ...]:
    models = by_slug()
    return tuple(Model(models[slug].name, models[slug].rope, place, slug) for place, slug in enumerate(slugs, first))


def _own(settings: Settings) -> tuple[Model, ...]:
    """Return the reader's config, or an example before there is one, and models to compare it with."""
    document = settings.text("models_config")
    rope = read_config(document) if document else by_slug()[EXAMPLE].rope
    name = _("your config") if document else _("an example")
    return (Model(name, rope, 0, "own"), *_catalogue(chosen_names(settings, "models_beside"), 1))


def _rows(models: Sequence[Model], length: int) -> tuple[Row, ...]:
    """List the types of layers of all models."""
    return tuple(
        Row(model, layer, kind, config, length)
        for model in models
        for kind, (layer, config) in enumerate([*model.rope.layers.items()][:MOST_KINDS])
    )
