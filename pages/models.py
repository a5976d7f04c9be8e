"""Models: what does this model's config.json really say?"""

from dataclasses import replace
from functools import partial

from lessons import models, models_away, models_page
from lessons.models_setting import Setting, catalogue, own, rows
from ui.i18n import _
from ui.model_choice import layer_choice, model_names
from ui.page import show
from ui.params import choice
from ui.pasted import own_config
from ui.scene import scene
from ui.view import View


def page() -> None:
    """Draw the page."""
    is_own = choice("models_way") == "own"
    if is_own:
        reading = own_config("models_config")
        models_page.state(reading)
        shown = own(reading, model_names("models_beside", most=3))
    else:
        shown = catalogue(models_page.chosen(model_names("models_names", most=4)))
    models_page.found(shown, of_own=is_own)

    mode = choice("models_view")
    found = rows(shown, 0)
    chosen = layer_choice("models_layer", [row.plain for row in found])

    def view(length: float) -> View:
        setting = Setting(models=shown, rows=rows(shown, int(length)), chosen=chosen)
        return replace(models.view(mode, setting), beneath=partial(_beneath, setting))

    scene(
        "models",
        view,
        more=True,
        beneath=lambda: models_away.open_elsewhere(Setting(models=shown, rows=found, chosen=chosen).row),
        has_hero=mode in ("wavelengths", "turns") or (mode == "ratio" and any(row.changes for row in found)),
        tries=(
            (
                _("Two Llamas, one method"),
                {"models_way": "catalogue", "models_names": "meta-llama-3.1-8b,llama-3.2-1b", "models_view": "ratio", "models_layer": "0"},
            ),
            (
                _("Gemma: local and global layers"),
                {"models_way": "catalogue", "models_names": "gemma-3-4b-it", "models_view": "layers", "models_layer": "1"},
            ),
            (
                _("DeepSeek, gpt-oss and Qwen: turns in training"),
                {
                    "models_way": "catalogue",
                    "models_names": "deepseek-v3,gpt-oss-20b,qwen3-8b",
                    "models_view": "turns",
                    "models_layer": "0",
                },
            ),
            (
                _("Phi: long texts have speeds of their own"),
                {"models_way": "catalogue", "models_names": "phi-3.5-mini-instruct", "models_view": "ratio", "models_length": 131_072},
            ),
        ),
        onward=("extension", "frequencies"),
    )


def _beneath(setting: Setting) -> None:
    models_page.numbers(setting)
    models_away.take_along(setting)


show(page)
