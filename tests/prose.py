"""What is asked of texts that users read."""

import re

ABBREVIATIONS = re.compile(r"\b(?:e\.g|i\.e|cf|vs)\.")


def is_one_sentence(text: str) -> bool:
    """Whether a text ends with a full stop and has no end of a sentence before."""
    return text.endswith(".") and not re.search(r"[.?!]\s", ABBREVIATIONS.sub("", text))
