"""``ask=`` in a link: a teacher's own question, which stands as plain text above the figure."""

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
    return Problem(N_("The question in the link"), question, "", _("at most {count} characters").format(count=LONGEST))
