"""What was found in a config, in the reader's language: a symbol, a word, the key and a sentence each, gravest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lessons.view import Part, Prose
from locales import N_, _
from parameters.problems import quoted
from rope_core import Finding, HfConfigError, RopeConfigError

LEVELS = {
    "error": (":red[:material/error:]", N_("Error")),
    "warning": (":orange[:material/warning:]", N_("Warning")),
    "note": (":blue[:material/info:]", N_("Note")),
}
MOST = 8
"""Findings of one config that are shown, the gravest first: more would push the figure out of sight."""
LONGEST = 160
REASONS = (
    N_("Expecting property name enclosed in double quotes"),
    N_("Expecting ':' delimiter"),
    N_("Expecting ',' delimiter"),
    N_("Expecting value"),
    N_("Extra data"),
    N_("Unterminated string starting at"),
    N_("Invalid control character at"),
    N_("Illegal trailing comma before end of array"),
    N_("Illegal trailing comma before end of object"),
)
"""What Python says of text that is no JSON; the reader's language says it too."""
ESCAPES = {"Invalid \\escape": N_("A backslash that escapes nothing"), "Invalid \\uXXXX escape": N_("A character number that is no number")}
"""What it says with a backslash, which no message may have."""


class Shown(str):
    """A value of somebody's file inside a sentence: as code, whatever the sentence wants to do with it."""

    def __format__(self, spec: str) -> str:
        """Leave the text as it is: a rule for numbers does not fit it."""
        return str(self)

    def __repr__(self) -> str:
        """Add no quotation marks."""
        return str(self)


def sentence(template: str, values: Mapping[str, object]) -> str:
    """Translate a template of the core, as Markdown that shows foreign text as code and nothing else of it."""
    return _translated(template).format(**{name: _safe(value) for name, value in values.items()})


def refusal(error: RopeConfigError) -> tuple[Finding, ...]:
    """Return what is wrong with a config that cannot be read."""
    return error.findings if isinstance(error, HfConfigError) else (Finding("error", "", error.template, "", error.values),)


def counts(findings: Iterable[Finding]) -> str:
    """Count findings by their level."""
    levels = [finding.level for finding in findings]
    return _("Errors: {errors} · Warnings: {warnings} · Notes: {notes}").format(
        errors=levels.count("error"), warnings=levels.count("warning"), notes=levels.count("note")
    )


def parts(findings: Sequence[Finding], *, about: str = "") -> tuple[Part, ...]:
    """Write findings, a line each; ``about`` names the config that they are about, as Markdown of ours."""
    lines: list[Part] = [Prose(text=_line(finding, about)) for finding in findings[:MOST]]
    if len(findings) > MOST:
        lines.append(Prose(kind="caption", text=_("{count} more are not shown.").format(count=len(findings) - MOST)))
    return tuple(lines)


def _line(finding: Finding, about: str) -> str:
    icon, word = LEVELS[finding.level]
    text = sentence(finding.template, finding.values)
    fix = sentence(finding.fix_template, finding.values) if finding.fix_template else ""
    key = quoted(finding.key, 80) if finding.key else ""
    if key in text:  # most sentences begin with their key
        key = ""
    return " ".join(part for part in (icon, f"**{_(word)}**", about, key, text + _("."), _fix(fix)) if part)


def _fix(fix: str) -> str:
    if not fix:
        return ""
    return fix[:1].upper() + fix[1:] if fix.endswith(("?", "？")) else _("What to do: {fix}.").format(fix=fix)


def _translated(template: str) -> str:
    """Look a template up; where the core has taken a conversion out of one of its own, the catalogue has it still in."""
    found = _(template)
    if found == template and "{value}" in template:
        with_conversion = template.replace("{value}", "{value!r}")
        other = _(with_conversion)
        return template if other == with_conversion else other
    return found


def _safe(value: object) -> object:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    text = str(value)
    for python, ours in ESCAPES.items():
        text = text.replace(python, ours)
    reason = next((each for each in (*REASONS, *ESCAPES.values()) if text == each or text.startswith(each + ": ")), "")
    return Shown(quoted(_(reason) + text.removeprefix(reason) if reason else text, LONGEST))


RULES = (
    N_("dynamic NTK starts to change the speeds beyond max_position_embeddings = {value:,} tokens"),
    N_("latent attention: {rope} of {width} coordinates turn; they come from a projection of their own and stand last, here first"),
    N_("layers of type {name} have no entry in the rope settings; they are taken as not rotated"),
    N_("{key} = {value:g} multiplies the softmax scale by {factor:.9g}, outside of cos and sin"),
    N_("{key} = {value} is not read beside the settings of single types of layers"),
    N_("{key} is missing; {value:,g} is what the config class of {model} takes"),
    N_("{key} is missing; {value:,g}, the usual default of engines, is taken"),
    N_("{key} is missing; {value:,} is what the config class of {model} takes"),
    N_("{key} is missing; {value:,} tokens are taken as the context"),
    N_("{key} is missing; {value:g} is what the config class of {model} takes"),
    N_("{key} is not read by the class of {model} in transformers 5, which turns the whole head; it is followed here"),
    N_("{key} is null; max_position_embeddings over the trained length, {value:.6g}, is taken, as in transformers"),
    N_("{key} makes the base fixed, larger by alpha to the power d / (d - 2), as in the Hunyuan models"),
    N_("{key} must add up to the {pairs} pairs, got {value}"),
    N_("{key} must be a list of at most {longest} entries, got {value}"),
    N_("{key} must be a list of names, at most {limit} different ones, got {value}"),
    N_("{key} must be a string of at most {longest} printable characters, got {value}"),
    N_("{key} must be a whole number from {low:,} to {high:,}, got {value}"),
    N_("{key} must be three counts of pairs, the first two alike, got {value}"),
    N_("{key} must give an even number of coordinates to turn in pairs, got {value}"),
    N_("{key} must have one entry for each of the {pairs} pairs, got {value}"),
    N_("{key} must hold settings for at most {limit} types of layers with short names, got {value}"),
    N_("{key} over num_attention_heads must be from 1 to {high}, got {hidden} over {heads}"),
    N_("{key} stands in one object of the file more than once; the last value, {value}, counts"),
)
"""Sentences that the core keeps in a variable before it says them, for the translators: extraction sees only what stands in a call."""
