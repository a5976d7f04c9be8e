"""Models: what does this model's config.json really say?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lessons.models.settings import read
from lessons.models.state import before
from lessons.models.views import view
from lessons.page import Page, Try
from locales import N_, _
from parameters.settings import Settings


def controls(settings: Settings) -> tuple[str, ...]:
    """Name the parameters that the view depends on."""
    shown = read(settings)
    source = ("models_config", "models_beside") if settings["models_way"] == "own" else ("models_names",)
    layer = ("models_layer",) if len(shown.rows) > 1 else ()
    length = ("models_length",) if shown.has_length else ()
    return ("models_way", *source, *layer, *length)


def live(settings: Settings) -> str | None:
    """Name the length of the text where the view depends on it."""
    return "models_length" if read(settings).has_length else None


def tries(_settings: Settings) -> tuple[Try, ...]:
    """Return settings worth looking at; each says which row is in detail."""

    def models(names: str, view: str, layer: int = 0) -> dict[str, str | float]:
        return {"models_way": "catalogue", "models_names": names, "models_view": view, "models_layer": layer}

    return (
        Try(label=_("Two Llamas, one method"), values=models("meta-llama-3.1-8b,llama-3.2-1b", "ratio")),
        Try(label=_("Gemma: local and global layers"), values=models("gemma-3-4b-it", "layers", 1)),
        Try(label=_("DeepSeek, gpt-oss and Qwen: turns of each pair"), values=models("deepseek-v3,gpt-oss-20b,qwen3-8b", "turns")),
        Try(
            label=_("Phi: long texts have speeds of their own"),
            values=models("phi-3.5-mini-instruct", "ratio") | {"models_length": 131_072},
        ),
    )


def labels(settings: Settings) -> Mapping[str, Sequence[str]]:
    """Return the names of the rows, of which one is in detail."""
    return {"models_layer": [row.label for row in read(settings).rows]}


PAGE = Page(
    name="models",
    section=N_("Engineer"),
    title=N_("Models"),
    question=N_("What does this model's config.json really say?"),
    icon=":material/description:",
    choice="models_view",
    view=view,
    controls=controls,
    live=live,
    tries=tries,
    onward=("extension", "frequencies"),
    before=before,
    labels=labels,
)
