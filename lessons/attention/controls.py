"""What the attention page depends on, and the head that follows from it."""

from __future__ import annotations

from compute.attention import AttentionSettings
from parameters.settings import Settings

ADDED = ("alibi", "t5", "none")
"""Encodings that leave q and k as they are: content adds one and the same number to all scores of tokens that are alike."""


def controls(settings: Settings) -> tuple[str, ...]:
    """Name the parameters that the view depends on."""
    view, encoding = settings.text("attention_view"), settings.text("encoding")
    # The softmax does not see a number that is added to all scores of a row. Of the encodings that add, T5's alone has random numbers.
    position_alone = view == "weights" and settings["alike"] == "alike" and encoding in ADDED
    needed = {
        "alibi_head": encoding == "alibi",
        "alike": view != "diagonals",
        "causal": view != "diagonals",
        "attention_seed": not position_alone or encoding == "t5",
        "base": encoding not in ADDED,
        "head_dim": not position_alone,
    }
    return ("tokens_seen", "encoding", *(name for name, is_needed in needed.items() if is_needed))


def head_of(settings: Settings) -> AttentionSettings:
    """Return the head of a page; what the view does not depend on has its default, so that it changes no code either."""
    used = controls(settings)
    settings = Settings(settings.page, tuple((name, value) for name, value in settings.changed if name in used))
    return AttentionSettings(
        head_dim=settings.whole("head_dim"),
        base=settings.number("base"),
        tokens=settings.whole("tokens_seen"),
        encoding=settings.text("encoding"),
        alike=settings["alike"] == "alike",
        causal="causal" in used and settings["causal"] == "causal",
        seed=settings.whole("attention_seed"),
        alibi_head=settings.whole("alibi_head"),
    )
