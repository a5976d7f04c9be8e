"""What was found in a config, in the reader's language: a symbol, a word, the key and a sentence each, gravest first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import streamlit as st

from rope_core import Finding, RopeConfigError
from ui.i18n import N_, _
from ui.notices import quoted

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
    """Say a template of the core in the reader's language, as Markdown that shows foreign text as code and nothing else of it."""
    return _translated(template).format(**{name: _safe(value) for name, value in values.items()})


def refusal(error: RopeConfigError) -> Finding:
    """Make a finding of an error that has no findings of its own."""
    return Finding("error", "", error.template, "", error.values)


def counts(findings: Iterable[Finding]) -> str:
    """Count findings by their level."""
    levels = [finding.level for finding in findings]
    return _("Errors: {errors} · Warnings: {warnings} · Notes: {notes}").format(
        errors=levels.count("error"), warnings=levels.count("warning"), notes=levels.count("note")
    )


def show(findings: Sequence[Finding], *, about: str = "") -> None:
    """Draw findings, a line each; ``about`` names the config that they are about, as Markdown of ours."""
    for finding in findings[:MOST]:
        icon, word = LEVELS[finding.level]
        said = sentence(finding.template, finding.values)
        fix = sentence(finding.fix_template, finding.values) if finding.fix_template else ""
        key = quoted(finding.key, 80) if finding.key else ""
        if key in said:  # most sentences begin with their key
            key = ""
        parts = [icon, f"**{_(word)}**", about, key, said + _("."), _fix(fix)]
        st.markdown(" ".join(part for part in parts if part))
    if len(findings) > MOST:
        st.caption(_("{count} more are not shown.").format(count=len(findings) - MOST))


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
