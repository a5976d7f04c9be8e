"""Context extension: what do linear, NTK, dynamic, YaRN, Llama 3 and LongRoPE do to each pair?"""

from __future__ import annotations

from lessons.extension.settings import shown_options
from lessons.extension.views import view
from lessons.methods.registry import SHEETS
from lessons.page import Page, Try
from locales import N_, _
from parameters.settings import Settings
from parameters.types import Value


def controls(settings: Settings) -> tuple[str, ...]:
    """Name the parameters that the view depends on."""
    name, growing = settings["ext_view"], SHEETS[settings.text("method")].growing
    key = ("key_at", *(("cached_length",) if growing else ())) if name == "decode" else ()
    head = () if name == "attention" else ("base", "head_dim", "rotary")
    return ("method", "target", *key, *shown_options(settings), *head, "context")


def tries(_settings: Settings) -> tuple[Try, ...]:
    """Return settings worth looking at."""
    yarn: dict[str, Value] = {"method": "yarn", "stated_factor": 0}
    return (
        Try(label=_("Where NTK leaves unseen angles"), values={"ext_view": "unseen", "method": "ntk"}),
        Try(
            label=_("gpt-oss: ramp ends as they fall"),
            values=yarn | {"ext_view": "bands", "truncate": "off", "head_dim": 64, "base": 150_000, "context": 4096, "target": 131_072},
        ),
        Try(
            label=_("DeepSeek: growth in the softmax"),
            values=yarn | {"ext_view": "attention", "attention_rule": "ratio", "mscale": 1, "mscale_all_dim": 1, "target": 163_840},
        ),
        Try(label=_("A key that was cached too early"), values={"ext_view": "decode", "method": "dynamic"}),
    )


PAGE = Page(
    name="extension",
    section=N_("Engineer"),
    title=N_("Context extension"),
    question=N_("What do linear, NTK, dynamic, YaRN, Llama 3 and LongRoPE do to each pair?"),
    icon=":material/expand_content:",
    choice="ext_view",
    view=view,
    controls=controls,
    live=lambda _: "target",
    tries=tries,
    onward=("frequencies", "decay", "bases"),
    slow=True,
)
