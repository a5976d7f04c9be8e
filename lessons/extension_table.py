"""The methods in words, a row each, with a model that uses it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from lessons.extension_setting import METHODS, method_name
from ui import locks
from ui.i18n import N_, _
from ui.parameters_extension import EXTENSION
from ui.params import assign

AS_OPENED: dict[str, float | str] = {name: spec.default for name, spec in EXTENSION.items() if name not in ("ext_view", "method", "target")}
PLAIN: dict[str, float | str] = AS_OPENED | {"rotary": 1, "layout": "half", "scaling": ""}
"""Whatever stood there before: a row sets all but the view. The lists are then those of Phi-3.5-mini."""
HEAD_OF_LLAMA_2: dict[str, float | str] = PLAIN | {"base": 10_000, "head_dim": 128, "context": 4096, "target": 32_768}


class Row(NamedTuple):
    """What a reader wants to know of a method; ``model`` names the setting that its button opens."""

    speeds: str
    size: str
    tuning: str
    when: str
    models: str
    model: str
    settings: Mapping[str, float | str]


ROWS = {
    "linear": Row(
        N_("all divided by s"),
        N_("A = 1"),
        N_("needed"),
        N_("Short fine-tuning to a few times the length"),
        N_("Gemma 3 (global layers), LLaMA-2-7B-32K"),
        "LLaMA-2 ×8",
        HEAD_OF_LLAMA_2,
    ),
    "ntk": Row(
        N_("a larger base: pair 0 stays, the last is divided by s"),
        N_("A = 1"),
        N_("not for small s"),
        N_("Quick try without training; leaves some pairs at unseen angles"),
        N_("none as a method: models such as Code Llama are trained with a larger base"),
        "Llama 2 ×8",
        HEAD_OF_LLAMA_2,
    ),
    "dynamic": Row(
        N_("a base that grows with the text"),
        N_("A = 1"),
        N_("not needed"),
        N_("Texts of every length without training; cached keys go stale"),
        N_("InternLM2.5, MiniCPM 2B-128k"),
        "InternLM2.5",
        PLAIN | {"base": 1_000_000, "head_dim": 128, "context": 32_768, "target": 65_536, "dynamic_factor": 2},
    ),
    "yarn": Row(
        N_("kept, blended or divided by s, by index"),
        N_("0.1 ln s + 1, or a ratio"),
        N_("little; some use it without"),
        N_("The usual choice for 4 to 64 times the length"),
        N_("Qwen2.5 (as an option), gpt-oss, DeepSeek-V3, Kimi K2, Olmo 3"),
        "Qwen2.5 ×4",
        PLAIN | {"base": 1_000_000, "head_dim": 128, "context": 32_768, "target": 131_072},
    ),
    "parts": Row(
        N_("kept, blended or divided by s, by turns"),
        N_("A = 1"),
        N_("little"),
        N_("What YaRN's paper starts from: the same bands, the scores as they were"),
        N_("none under this name"),
        "Llama 2 ×8",
        HEAD_OF_LLAMA_2,
    ),
    "llama3": Row(
        N_("kept, blended or divided by s, by turns, in narrower bands"),
        N_("A = 1"),
        N_("part of the training"),
        N_("Training on to a longer context"),
        N_("Llama 3.1 to 3.3, EXAONE 4.0, Apertus"),
        "Llama 3.1 ×8",
        PLAIN | {"base": 500_000, "head_dim": 128, "context": 8192, "target": 131_072, "stated_factor": 8},
    ),
    "longrope": Row(
        N_("each divided by a number of its own; two lists"),
        N_("√(1 + ln s / ln L)"),
        N_("needed, with a search"),
        N_("Very long contexts from a short training"),
        N_("Phi-3, Phi-3.5, Phi-4-mini"),
        "Phi-3.5-mini",
        PLAIN | {"base": 10_000, "head_dim": 96, "context": 4096, "target": 131_072},
    ),
    "proportional": Row(
        N_("slow pairs stand still"),
        N_("A = 1"),
        N_("part of the training"),
        N_("Layers that see far and need not tell how far"),
        N_("Gemma 4 (global layers)"),
        "Gemma 4",
        PLAIN | {"base": 1_000_000, "head_dim": 512, "context": 262_144, "target": 262_144, "rotary_fraction": 0.25},
    ),
    "none": Row(
        N_("unchanged"),
        N_("A = 1"),
        N_("not needed"),
        N_("Within the trained length; beyond it slow pairs meet unseen angles"),
        N_("Llama 2, Mistral, Qwen3 as released"),
        "Llama 2",
        HEAD_OF_LLAMA_2 | {"target": 4096},
    ),
}


def method_table() -> None:
    """Draw a row a method: what it changes, whom it serves, and a button that sets this page to one of its models."""
    for method in METHODS:
        row = ROWS[method]
        speeds, tuning, models, button = st.columns([5, 5, 5, 3], vertical_alignment="center")
        speeds.markdown(f"**{method_name(method)}** – " + _("; ").join((_(row.speeds), _(row.size))))
        tuning.markdown(_("Fine-tuning: {tuning}. {when}").format(tuning=_(row.tuning), when=_(row.when)))
        models.markdown(_("Models: {models}").format(models=_(row.models)))
        model = {"method": method, **row.settings}
        button.button(
            row.model,
            key=f"extension.row.{method}",
            help=_("Sets this page to the method and the numbers of this model."),
            on_click=assign,
            kwargs=model,
            disabled=locks.blocks(model),
        )
