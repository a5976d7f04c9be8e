"""What a link or a control says that is not allowed, as one sentence each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from locales import _
from parameters.types import Choice, Config, Method, Names, Number, Parameter, Row, Vector, Words, readable
from rope_core import RopeConfigError


@dataclass(frozen=True)
class Problem:
    """A value that is not allowed.

    Attributes:
        label: What the control is called, in English.
        got: What was given.
        used: What is used instead, for a reader; empty for nothing.
        rule: What is allowed, in the language of the page.
        error: Why the core refuses it, where the core does.
        is_lowered: Whether the value is allowed, but for other parameters that lower its upper bound; that bound is used.
    """

    label: str
    got: str
    used: str
    rule: str = ""
    error: RopeConfigError | None = None
    is_lowered: bool = False

    @property
    def sentence(self) -> str:
        """Name field, rule and value."""
        if self.error is not None:
            refusal = quoted(_(self.error.template).format(**self.error.values), 160)
            return _("{label}: {refusal}; using none.").format(label=_(self.label), refusal=refusal)
        got = quoted(self.got) if self.got.strip() else _("nothing")
        return _("{label} must be {rule}, got {got}; using {used}.").format(
            label=_(self.label), rule=self.rule, got=got, used=shortened(self.used) if self.used else _("none")
        )


def rule(spec: Parameter, high: float | None = None) -> str:
    """Say what a parameter may be."""
    match spec:
        case Number():
            rules = {0: _("a number from {low} to {high}"), 1: _("a whole number from {low} to {high}")}
            template = rules.get(spec.step, _("a multiple of {step} from {low} to {high}"))
            return template.format(low=readable(spec.low), high=readable(spec.high if high is None else high), step=spec.step)
        case Choice():
            return _("one of {options}").format(options=", ".join(spec.options))
        case Vector():
            return vector_rule(spec)
        case Words():
            return _("{shortest} to {longest} words with spaces between them").format(shortest=spec.shortest, longest=spec.longest)
        case Names():
            return _("up to {most} models of the catalogue").format(most=spec.most)
        case Row():
            return _("a whole number from {low} to {high}").format(low=0, high=999)
        case Method() | Config():
            return ""
        case _:
            return _("any text")


def vector_rule(spec: Vector) -> str:
    """Say how many numbers there may be, and between which bounds."""
    if spec.shortest == spec.longest:
        many = _("{count} numbers")
    else:
        many = _("{shortest} to {longest} whole numbers") if spec.whole else _("{shortest} to {longest} numbers")
    values: dict[str, Any] = {"low": readable(spec.low), "high": readable(spec.high)}
    between = _("from {low} to {high}")
    return " ".join((many, between)).format(count=spec.shortest, shortest=spec.shortest, longest=spec.longest, **values)


def shortened(text: str, longest: int = 40) -> str:
    """Cut a long row of numbers behind one of them, and say how many there are."""
    if len(text) <= longest or "," not in text:
        return text
    return _("{first}, … ({count} numbers)").format(first=text[:longest].rpartition(",")[0], count=text.count(",") + 1)


def quoted(text: str, longest: int = 40) -> str:
    """Show text from a link as code, cut short: it is not Markdown of ours."""
    clean = " ".join("".join(c for c in text if c != "`" and (c.isprintable() or c.isspace())).split())
    return f"`{clean[:longest] or ' '}{'…' if len(clean) > longest else ''}`"
