"""What reading a config found out beside its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from rope_core.errors import RopeConfigError

Level = Literal["error", "warning", "note"]
"""``error``: no settings can be given; ``warning``: an engine may compute something else than is meant; ``note``: good to know."""

LEVELS: tuple[Level, ...] = get_args(Level)
"""The gravest first."""


@dataclass(frozen=True)
class Finding:
    """One thing to know about a config.

    Attributes:
        level: How serious it is.
        key: The path of the key that it is about; what cannot be printed is escaped.
        template: One sentence with named places, which a user interface can translate.
        fix_template: What to do about it, with the same places; empty where nothing is to be done.
        values: What stands in the places.
    """

    level: Level
    key: str
    template: str
    fix_template: str = ""
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def message(self) -> str:
        """The sentence in English."""
        return self.template.format(**self.values)

    @property
    def fix(self) -> str:
        """What to do, in English."""
        return self.fix_template.format(**self.values)


class HfConfigError(RopeConfigError):
    """A config from which no settings can be read; ``str()`` is the first reason.

    Attributes:
        findings: All that was found, the gravest first, at least one of level ``error`` among them.
    """

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        """Say the first error."""
        first = next(finding for finding in findings if finding.level == "error")
        super().__init__(first.template, **first.values)
        self.findings = findings

    def __reduce__(self) -> tuple[Any, ...]:
        """Survive pickling with all findings."""
        return HfConfigError, (self.findings,)
