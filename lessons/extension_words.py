"""Sentences about the methods that several views of the page share."""

from __future__ import annotations

import numpy as np

from lessons.extension_setting import METHODS, Setting, method_name
from ui import compute_extension as compute
from ui.i18n import _


def names() -> dict[str, str]:
    """Name all methods as their buttons do."""
    return {method: method_name(method) for method in METHODS}


def tokens(count: float, quote: str = "`") -> str:
    """Count tokens in a sentence, or, without the quotes of a number, in a figure."""
    message = _("{count} token") if count == 1 else _("{count} tokens")
    return message.format(count=f"{quote}{count:,}{quote}" if isinstance(count, int) else f"{quote}{count:,.6g}{quote}")


def pairs(count: int, quote: str = "`") -> str:
    """Count pairs in a sentence."""
    message = _("{count} pair") if count == 1 else _("{count} pairs")
    return message.format(count=f"{quote}{count}{quote}")


def stretch_sentence(setting: Setting) -> str:
    """Say how far the head is stretched."""
    if setting.knobs.stated_factor:
        return _("From {trained} in training to {target}, with the stated factor s = {stretch}.").format(
            trained=tokens(setting.trained), target=tokens(setting.length), stretch=f"`{setting.stretch:,.6g}`"
        )
    if setting.length == setting.trained:
        return _("The target is not longer than the trained length of {trained}, so nothing has to be stretched: s = 1.").format(
            trained=tokens(setting.trained)
        )
    return _("From {trained} in training to {target}: s = {stretch}.").format(
        trained=tokens(setting.trained), target=tokens(setting.length), stretch=f"`{setting.stretch:,.6g}`"
    )


def method_sentence(setting: Setting) -> str:
    """Say in one or two sentences what the chosen method does to the pairs, with its numbers here."""
    ratio, last = ratios(setting), setting.head.pairs - 1
    match setting.used:
        case "linear":
            return _linear(ratio[0])
        case "ntk":
            return _(
                "NTK-aware scaling leaves pair 0 alone and slows pair {last} by exactly s, those between by powers of it: the same as "
                "the larger base {base}."
            ).format(last=last, base=f"`{_larger_base(setting):,.6g}`")
        case "dynamic":
            return _(
                "Dynamic NTK has a base for every length. In a text of {length} it is {base}, and pair {last} is slowed by {slow}."
            ).format(length=tokens(setting.length), base=f"`{_larger_base(setting):,.6g}`", last=last, slow=f"`{1 / ratio[-1]:,.6g}`")
        case "yarn" | "parts" | "llama3":
            return banded_sentence(setting)
        case "longrope":
            if last:
                divided = _("LongRoPE divides every pair by a number of its own, here from {low} to {high}.")
            else:
                divided = _("LongRoPE divides every pair by a number of its own, here the only one by {low}.")
            return f"{divided.format(low=f'`{1 / ratio.max():.5g}`', high=f'`{1 / ratio.min():.5g}`')} {list_sentence(setting)}"
        case "proportional":
            if ratio.all():
                return _("Every pair turns as before: a share of 1 cuts nothing off, and no factor s enters.")
            return _(
                "Of {pairs} only the fastest turn as before, here {turning}; the others stand still, at every length: what a slow pair "
                "would have told of far distances is given up, and no factor s enters."
            ).format(turning=f"`{int((ratio > 0).sum())}`", pairs=pairs(last + 1))
    if setting.stretch == 1:
        return _("Without a method every pair keeps its speed.")
    return _(
        "Without a method every pair keeps its speed; beyond {trained} a pair that has not come round turns on to angles never seen."
    ).format(trained=tokens(setting.trained))


def _linear(step: float) -> str:
    if step == 1:
        return _("Linear scaling slows every pair by s, here not at all.")
    return _(
        "Linear scaling slows every pair by s. Neighbouring tokens are only {step} rad apart in pair 0 instead of 1, closer than training "
        "ever showed them: the model needs fine-tuning."
    ).format(step=f"`{step:.6g}`")


def banded_sentence(setting: Setting) -> str:
    """Count the pairs that are kept, blended and divided."""
    kept = compute.kept(setting.chosen)
    counts = [int(part.sum()) for part in (kept == 1, (kept > 0) & (kept < 1), kept == 0)]
    return _(
        "{method} keeps the speed of {kept} of {pairs}, blends that of {blended}, and divides that of {divided} by s = {stretch}."
    ).format(
        pairs=pairs(len(kept)),
        method=method_name(setting.used),
        kept=f"`{counts[0]}`",
        blended=f"`{counts[1]}`",
        divided=f"`{counts[2]}`",
        stretch=f"`{setting.stretch:,.6g}`",
    )


def list_sentence(setting: Setting) -> str:
    """Say whose lists are used."""
    count, knobs = setting.head.pairs, setting.knobs
    name = "long_factor" if setting.length > setting.trained else "short_factor"
    if getattr(knobs, name):
        return _("This is {name} as you typed it.").format(name=f"`{name}`")
    if count == 48:
        return _("This is {name} of Phi-3.5-mini.").format(name=f"`{name}`")
    return _(
        "No real model stands behind these numbers: {name} of Phi-3.5-mini, made for 48 pairs, is interpolated over {pairs} as an "
        "illustration."
    ).format(name=f"`{name}`", pairs=f"`{count}`")


def size_sentence(setting: Setting) -> str:
    """Say by how much the scores grow; nothing where they do not."""
    if setting.chosen.scaling is None:
        return ""
    size = compute.magnitudes((setting.chosen.scaling,), setting.head, setting.length)[0]
    if size == 1:
        return ""
    return " " + _("Cos and sin are multiplied by A = {size}, scores of what turns by A² = {square}.").format(
        size=f"`{size:.6g}`", square=f"`{size**2:.6g}`"
    )


def ratios(setting: Setting, method: str | None = None) -> np.ndarray:
    """Give new speed over old of every pair, for the chosen method or another one that can be used."""
    config = setting.chosen if method is None else setting.config(method)
    assert config is not None
    ratio: np.ndarray = compute.speeds(config, setting.length) / compute.speeds(setting.head, setting.trained)
    return ratio


def left_out(setting: Setting) -> str:
    """Name the methods that cannot be used with this head; nothing where all can."""
    missing = [method_name(method) for method in METHODS if method != setting.method and setting.config(method) is None]
    return (
        " " + _("Left out, because they cannot be used with these settings: {names}.").format(names=_(", ").join(missing))
        if missing
        else ""
    )


def _larger_base(setting: Setting) -> float:
    """Read the base off the speed of the last pair: theta = base ** -((d - 2) / d)."""
    width = setting.head.rotary_dim
    last = float(compute.speeds(setting.chosen, setting.length)[-1])
    with np.errstate(over="ignore"):
        return float(np.float64(last) ** (-width / (width - 2)))
