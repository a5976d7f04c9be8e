"""NTK-by-parts: YaRN's bands by turns, as its paper writes them, without an attention factor."""

from __future__ import annotations

from dataclasses import replace

from figures.extension.look import Look
from lessons.methods import yarn
from lessons.methods.sheet import Row
from locales import N_

SHEET = replace(
    yarn.SHEET,
    code="parts",
    look=Look("#3B82C4", "circle-open", "dash"),
    make=lambda options, head, factor: yarn.make(replace(options, ramp="rotation", attention_factor=1), head, factor),
    options=("beta_fast", "beta_slow"),
    attention=None,
    row=Row(
        speeds=N_("kept, blended or divided by s, by turns"),
        attention_factor=N_("A = 1"),
        tuning=N_("little"),
        when=N_("What YaRN's paper starts from: the same bands, the scores as they were"),
        models=N_("none under this name"),
        example="Llama 2 ×8",
        values={"base": 10_000, "head_dim": 128, "context": 4096, "target": 32_768},
    ),
)
