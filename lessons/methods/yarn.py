"""YaRN: bands by the index of the pair, or by its turns, and an attention factor; and NTK-by-parts, its bands without that factor."""

from __future__ import annotations

from dataclasses import replace

from figures.extension.look import Look
from lessons.methods.bands import BLEND, banded_sentence, blend_tex, turns_ramp, turns_tex
from lessons.methods.options import MethodOptions
from lessons.methods.sheet import Attention, Lines, Row, Sheet
from locales import N_, _
from rope_core import RopeConfig, YarnScaling

INDEX_RAMP = """def pair_of(turns):  # the pair, not a whole one, that turns so often in training
    return turning * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base))

low, high = pair_of({fast!r}), pair_of({slow!r})
{whole}low, high = max(low, 0), min(high, turning - 1)
high = low + 0.001 if low == high else high
index = torch.arange(turning // 2, dtype=torch.float64)
kept = 1 - ((index - low) / (high - low)).clamp(0, 1)  # 1: the speed stays, 0: it is divided
"""
WHOLE = "low, high = math.floor(low), math.ceil(high)\n"


def make(options: MethodOptions, head: RopeConfig, factor: float) -> YarnScaling:
    """Make the method with all of its options."""
    names = ("beta_fast", "beta_slow", "truncate", "ramp", "attention_factor", "mscale", "mscale_all_dim")
    return YarnScaling(factor, original_max_position=head.max_position, **{name: getattr(options, name) for name in names})


def lines(config: RopeConfig, _seq_len: int | None) -> str:
    """Write the ramp, the blend and A."""
    yarn = config.scaling
    assert isinstance(yarn, YarnScaling)
    if yarn.ramp == "rotation":
        ramp = turns_ramp(yarn.beta_slow, yarn.beta_fast)
    else:
        ramp = INDEX_RAMP.format(fast=yarn.beta_fast, slow=yarn.beta_slow, whole=WHOLE if yarn.truncate else "")
    if yarn.attention_factor is not None:
        factor = repr(yarn.attention_factor)
    elif yarn.mscale and yarn.mscale_all_dim:
        factor = f"(0.1 * {yarn.mscale!r} * math.log(factor) + 1) / (0.1 * {yarn.mscale_all_dim!r} * math.log(factor) + 1)"
    else:
        factor = "0.1 * math.log(factor) + 1"  # 1 for a factor of 1
    return BLEND.format(factor=yarn.factor, trained=yarn.length(config), ramp=ramp) + f"A = {factor}  # multiplies cos and sin\n"


def law(config: RopeConfig, new: str, plain: str) -> Lines:
    """Write the blend and the ramp with its ends."""
    yarn = config.scaling
    assert isinstance(yarn, YarnScaling)
    if yarn.ramp == "rotation":
        return (*blend_tex(new, plain), turns_tex(yarn.beta_slow, yarn.beta_fast), rf"L &= {config.trained_length}")
    low, high = yarn.ramp_ends(config)
    return (*blend_tex(new, plain), rf"\gamma_i &= 1 - \left[\tfrac{{i - {low:.6g}}}{{{high:.6g} - {low:.6g}}}\right]_0^1")


def _is_ratio(options: MethodOptions) -> bool:
    return bool(options.mscale and options.mscale_all_dim)


def attention_law(options: MethodOptions) -> Lines:
    """Write A: DeepSeek's ratio, or the rule of the paper."""
    if not _is_ratio(options):
        return (r"A &= 0.1 \ln s + 1",)
    return (
        r"A &= \frac{0.1\,m\,\ln s + 1}{0.1\,m_{\mathrm{all}}\,\ln s + 1}",
        rf"m &= {options.mscale:.6g},\; m_{{\mathrm{{all}}}} = {options.mscale_all_dim:.6g}",
    )


def attention_code(options: MethodOptions, _trained: int) -> str:
    """Write A at stretches s."""
    if not _is_ratio(options):
        return "0.1 * s.log() + 1"
    return f"(0.1 * {options.mscale!r} * s.log() + 1) / (0.1 * {options.mscale_all_dim!r} * s.log() + 1)"


def attention_sentence(options: MethodOptions, _trained: int) -> str:
    """Say where A comes from."""
    if not _is_ratio(options):
        return _("YaRN's rule is A = 0.1 ln s + 1. Its paper fitted that curve to the perplexity of LLaMA models.")
    return _(
        "DeepSeek's A is a ratio: 0.1 · {above} · ln s + 1 over 0.1 · {below} · ln s + 1. With equal numbers it is 1 at every stretch: "
        "the turned vectors keep their length."
    ).format(above=f"`{options.mscale:.6g}`", below=f"`{options.mscale_all_dim:.6g}`")


def at_one(options: MethodOptions, _trained: int) -> YarnScaling:
    """Make the method at the factor 1."""
    return YarnScaling(1, attention_factor=options.attention_factor, mscale=options.mscale, mscale_all_dim=options.mscale_all_dim)


SHEET = Sheet(
    code="yarn",
    look=Look("#0A8F8C", "circle", "solid"),
    make=make,
    lines=lines,
    law=law,
    sentence=banded_sentence,
    options=("ramp", "truncate", "beta_fast", "beta_slow"),
    bounds=("beta_slow", "beta_fast"),
    attention=Attention(
        options=("attention_rule", "attention_factor", "mscale", "mscale_all_dim"),
        at_one=at_one,
        law=attention_law,
        code=attention_code,
        sentence=attention_sentence,
    ),
    row=Row(
        speeds=N_("kept, blended or divided by s, by index"),
        attention_factor=N_("0.1 ln s + 1, or a ratio"),
        tuning=N_("little; some use it without"),
        when=N_("The usual choice for 4 to 64 times the length"),
        models=N_("Qwen2.5 (as an option), gpt-oss, DeepSeek-V3, Kimi K2, Olmo 3"),
        example="Qwen2.5 ×4",
        values={"base": 1_000_000, "head_dim": 128, "context": 32_768, "target": 131_072},
    ),
)
PARTS = replace(
    SHEET,
    code="parts",
    look=Look("#3B82C4", "circle-open", "dash"),
    make=lambda options, head, factor: make(replace(options, ramp="rotation", attention_factor=1), head, factor),
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
"""NTK-by-parts: the same bands by turns, as the paper of YaRN writes them, without an attention factor."""
