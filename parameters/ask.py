"""``ask=`` in a link: a question of the teacher's own, which stands as plain text above the figure."""

from __future__ import annotations

from locales import N_, _
from parameters.problems import Problem

ASK = "ask"
"""Its name in the address."""
LONGEST = 200
"""Characters that it may have."""


def read_ask(text: str) -> str | Problem:
    """Return the question on one line; a longer one is refused."""
    question = " ".join(text.split())
    if len(question) <= LONGEST:
        return question
    rule = _("at most {count} characters").format(count=LONGEST)
    return Problem(N_("Your question"), f"{question[:40]}…", "", rule)
