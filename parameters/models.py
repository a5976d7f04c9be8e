"""The parameters of the page about models."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from locales import N_
from parameters.shared import POWERS, position
from parameters.types import Choice, Config, Names, Parameter, Row
from rope_core import CatalogueModel, catalogue_models

USUAL = "meta-llama-3.1-8b,gemma-3-4b-it"
"""The models with which the page opens: one with a method, and one with two types of layers."""


@lru_cache(maxsize=1)
def by_slug() -> Mapping[str, CatalogueModel]:
    """Return the models of the catalogue by the name that a link carries: the last part of their address on the hub, in small letters."""
    return MappingProxyType({slug(model): model for model in catalogue_models()})


def slug(model: CatalogueModel) -> str:
    """Name a model for a link."""
    return model.hf_id.rpartition("/")[2].lower()


def names() -> Mapping[str, str]:
    """Return what readers call the models, by the name that a link carries."""
    return {each: model.name for each, model in by_slug().items()}


MODELS: dict[str, Parameter] = {
    "models_way": Choice(
        N_("Which config"),
        N_("Models from the catalogue, or a config.json of your own."),
        options={"catalogue": N_("from the catalogue"), "own": N_("your own config.json")},
    ),
    "models_names": Names(N_("Models"), N_("Up to four, searched by name; the link names them."), options=names, most=4, default=USUAL),
    "models_config": Config(N_("Your own config"), N_("The link carries the numbers that were read from it, never the text.")),
    "models_beside": Names(N_("Beside it"), N_("Up to three models of the catalogue, to compare your config with."), options=names, most=3),
    "models_view": Choice(
        N_("View"),
        N_("Tokens of one turn, turns within a text, which layer turns how, or speeds over those of the plain law."),
        options={"wavelengths": N_("Wavelengths"), "turns": N_("Turns"), "layers": N_("Layers"), "ratio": N_("Speed over plain law")},
    ),
    "models_layer": Row(
        N_("Model and layers in detail"), N_("Drawn strong; the sentences, the formula, the code and the buttons are about it.")
    ),
    "models_length": position(
        N_("Length of the text n"),
        N_(
            "Tokens within which turns are counted, and for which methods that change with the length take their speeds; 0 is the trained "
            "length of each model where its config names it, else the stated one."
        ),
        0,
        marks=POWERS,
    ),
}
