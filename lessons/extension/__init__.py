"""Context extension: what do linear, NTK, dynamic, YaRN, Llama 3 and LongRoPE do to each pair?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from lessons.extension.attention import attention_view
from lessons.extension.bands import bands_view
from lessons.extension.curve import curve_view
from lessons.extension.decode import decode_view
from lessons.extension.parts import page_parts
from lessons.extension.settings import ExtensionSettings, read_extension, shown_options
from lessons.extension.speeds import ratio_view, unseen_view
from lessons.extension.wording import factor_line, problem_sentence
from lessons.methods import SHEETS
from lessons.page import Page, Try
from lessons.view import View
from locales import N_, _
from parameters.settings import Settings
from parameters.types import Value

VIEWS: dict[str, Callable[[ExtensionSettings], View]] = {
    "ratio": ratio_view,
    "unseen": unseen_view,
    "bands": bands_view,
    "attention": attention_view,
    "curve": curve_view,
    "decode": decode_view,
}


def view(settings: Settings) -> View:
    """Show the chosen view, with the factor above it and the way to other pages below."""
    s = read_extension(settings)
    shown, problem = VIEWS[settings.text("ext_view")](s), problem_sentence(s)
    parts = (*shown.parts, *page_parts(settings, s))
    return replace(shown, verdict=factor_line(s), notices=(problem,) if problem else (), parts=parts)


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
        Try(label=_("Unseen angles with NTK"), values={"ext_view": "unseen", "method": "ntk"}),
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


def labels(settings: Settings) -> Mapping[str, Sequence[str]]:
    """Return what stands in place of a stated factor of 0: that it follows from the lengths, and what it then is."""
    s = read_extension(settings)
    return {"stated_factor": (_("auto"), _("auto ({factor})").format(factor=f"{s.length / s.trained:,.6g}"))}


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
    labels=labels,
    tries=tries,
    onward=("frequencies", "decay", "bases"),
    slow=True,
)
