"""No method: the plain law."""

from __future__ import annotations

from typing import TYPE_CHECKING

from figures.extension.look import Look
from figures.theme import REFERENCE
from lessons.methods.sheet import ONE, Row, Sheet
from lessons.wording import tokens
from locales import N_, _

if TYPE_CHECKING:
    from lessons.extension.settings import ExtensionSettings


def sentence(s: ExtensionSettings) -> str:
    """Say what a longer text does to pairs that are left as they are."""
    if s.stretch == 1:
        return _("Without a method every pair keeps its speed.")
    return _(
        "Without a method every pair keeps its speed; beyond {trained} a pair that has not come round turns on to angles never seen."
    ).format(trained=tokens(s.trained))


SHEET = Sheet(
    code="none",
    look=Look(REFERENCE, "line-ew-open", "dash"),
    make=lambda _options, _head, _factor: None,
    lines=lambda _config, _seq_len: ONE,
    law=lambda _config, new, plain: (rf"{new} &= {plain}",),
    numbers=lambda _config: (),
    sentence=sentence,
    row=Row(
        speeds=N_("unchanged"),
        attention_factor=N_("A = 1"),
        tuning=N_("not needed"),
        when=N_("Within the trained length; beyond it, pairs that have not come round meet unseen angles"),
        models=N_("Llama 2, Mistral, Qwen3 as released"),
        example="Llama 2",
        values={"base": 10_000, "head_dim": 128, "context": 4096, "target": 4096},
    ),
)
