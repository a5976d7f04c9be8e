"""The parameters of the page about models, as in ``ui/parameters.py``."""

from __future__ import annotations

from ui.i18n import N_
from ui.kinds import SUPPORTED, Carried, Choice, Number

USUAL = "meta-llama-3.1-8b,gemma-3-4b-it"
"""The models with which the page opens: one with a method, and one with two types of layers."""

MODELS: dict[str, Number | Choice | Carried] = {
    "models_way": Choice(
        label=N_("Which config"),
        help=N_("Models from the catalogue, or a config.json of your own."),
        options={"catalogue": N_("from the catalogue"), "own": N_("your own config.json")},
    ),
    "models_names": Carried(
        label=N_("Models"),
        help=N_("Up to four, searched by name; the link names them."),
        default=USUAL,
    ),
    "models_config": Carried(
        label=N_("Your own config"),
        help=N_("The link carries the numbers that were read from it, never the text."),
    ),
    "models_beside": Carried(
        label=N_("Beside it"),
        help=N_("Up to three models of the catalogue, to compare your config with."),
    ),
    "models_view": Choice(
        label=N_("View"),
        help=N_("Tokens of one turn, turns within a text, which layer turns how, or speeds over those of the plain law."),
        options={
            "wavelengths": N_("Wavelengths"),
            "turns": N_("Turns"),
            "layers": N_("Layers"),
            "ratio": N_("Speed over plain law"),
        },
    ),
    "models_layer": Carried(
        label=N_("Model and layers in detail"),
        help=N_("Drawn strong; the sentences, the formula, the code and the buttons are about it."),
        default="0",
    ),
    "models_length": Number(
        label=N_("Length of the text n"),
        help=N_(
            "Tokens within which turns are counted, and for which methods that change with the length take their speeds; 0 is the length "
            "that each model was trained on."
        ),
        default=0,
        low=0,
        high=SUPPORTED,
        stops=[0, 1, 64, *(2**power for power in range(8, 24)), SUPPORTED],
    ),
}
