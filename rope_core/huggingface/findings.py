"""What reading a config found out beside its numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rope_core.errors import RopeConfigError

Level = Literal["error", "warning", "note"]
"""``error``: no settings can be given; ``warning``: an engine may compute something else than is meant; ``note``: good to know."""


@dataclass(frozen=True)
class Finding:
    """One thing to know about a config.

    Attributes:
        level: How serious it is.
        key: The key of the config that it is about.
        template: One sentence with named places, which a user interface can translate.
        fix: What to do about it, with the same places; empty where nothing is to be done.
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
        findings: All that was found, at least one of level ``error`` among them.
    """

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        """Say the first error."""
        first = next(finding for finding in findings if finding.level == "error")
        super().__init__(first.template, **first.values)
        self.findings = findings
