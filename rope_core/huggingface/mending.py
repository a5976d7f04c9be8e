"""Texts that hold a config and are not quite JSON: what must be undone is named, and undone where nothing has to be guessed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from rope_core.huggingface.rope import Finding
from rope_core.huggingface.section import wording

LONGEST = 200_000
"""Characters of a text that is mended; the configs of large models have about 20,000."""
FENCE = re.compile(r"^[ \t]*```[^\n`]*$", re.MULTILINE)
ASSIGNED = re.compile(r"\s*(?:[A-Za-z_]\w{0,99}\s*=|[A-Z]\w{0,99})\s*(?=\{)")
"""A variable or a class of which the object is printed: ``config = {``, ``LlamaConfig {``."""
TOKEN = re.compile(
    r"""(?P<json>"(?:[^"\\\n]|\\.)*"?)"""
    r"""|(?P<python>'(?:[^'\\\n]|\\.)*'?)"""
    r"""|(?P<curly>[“”„](?:[^“”\n]*)[“”])"""
    r"""|(?P<comment>//[^\n]*|\#[^\n]*|/\*.*?(?:\*/|\Z))"""
    r"""|(?P<word>\b(?:True|False|None)\b)""",
    re.DOTALL | re.VERBOSE,
)
COMMA = re.compile(r'"(?:[^"\\\n]|\\.)*"?|(?P<comma>,)(?=\s*(?P<close>[}\]]))', re.DOTALL)
WORDS = {"True": "true", "False": "false", "None": "null"}

Kind = tuple[str, str, str]
"""Why it is no JSON, what to do about it, and how a text is read nevertheless."""
MARK: Kind = ("", "", wording("read without the byte order mark before it; json.load of Python refuses a text with one"))
"""It is no reason to refuse a text: every reader of configs passes over it, but for Python's."""
FENCED: Kind = (
    wording("the JSON stands inside a code fence, from line {line}"),
    wording("remove the lines with three backticks"),
    wording("read from inside a code fence, from line {line}"),
)
NAMED: Kind = (
    wording("a name stands before the brace of the JSON, in line {line}"),
    wording("begin with the brace"),
    wording("read without the name before the brace, in line {line}"),
)
BARE: Kind = (
    wording("these are keys without the braces around them"),
    wording("put braces before and after them"),
    wording("read with braces around the keys"),
)
COMMENT: Kind = (
    wording("JSON has no comments, and line {line} has one"),
    wording("remove it"),
    wording("read without its comments, the first of them in line {line}; json.load of Python refuses them"),
)
CURLY: Kind = (
    wording("curly quotes stand in line {line}, where JSON has straight ones"),
    wording("replace them by straight quotes"),
    wording("read with straight quotes in place of curly ones, the first of them in line {line}"),
)
PYTHON: Kind = (
    wording("this is a Python dict, not JSON: line {line} has single quotes, True, False or None"),
    wording("write it with json.dumps"),
    wording("read as a Python dict, of which line {line} has the first sign"),
)
COMMAS: Kind = (
    wording("a comma stands before the closing brace or bracket of line {line}"),
    wording("remove it"),
    wording("read without the comma before the closing brace or bracket of line {line}; json.load of Python refuses it"),
)


@dataclass
class Mended:
    """A text on its way to JSON, and what was undone so far, each kind with the line of its first place."""

    text: str
    kinds: dict[Kind, int]

    def undo(self, kind: Kind, place: int) -> None:
        """Note a kind at a place in the text."""
        if kind not in self.kinds:
            self.kinds[kind] = self.text.count("\n", 0, place) + 1


def mend(text: str) -> Mended | None:
    """Return a text as JSON of an object, with what was undone; None if that needs more than is known here, or nothing."""
    if len(text) > LONGEST:
        return None
    found = Mended(text, {})
    for step in (_without_mark, _without_fence, _with_braces, _with_json_tokens, _without_commas):
        step(found)
    try:
        document = json.loads(found.text)
    except (ValueError, RecursionError):
        return None
    return found if found.kinds and isinstance(document, dict) and document else None


def mended_text(text: str) -> tuple[str, tuple[Finding, ...]]:
    """Return a text with what can be undone without guessing undone, and a note about each; as it is if that does not make it JSON.

    Args:
        text: Of a config, perhaps inside a code fence, with comments, or as a Python dict.
    """
    found = mend(text)
    if found is None:
        return text, ()
    notes = (Finding("note", "", reads, "", {"line": line}) for (_, _, reads), line in found.kinds.items())
    return found.text, tuple(notes)


def _without_mark(found: Mended) -> None:
    if found.text.startswith("\ufeff"):
        found.undo(MARK, 0)
        found.text = found.text[1:]


def _without_fence(found: Mended) -> None:
    """Keep what is inside a code fence, if there is one fence; blank lines keep the numbers of the others."""
    fences = [*FENCE.finditer(found.text)][:3]
    if len(fences) not in (1, 2):
        return
    found.undo(FENCED, fences[0].start())
    end = fences[1].start() if len(fences) == 2 else len(found.text)
    found.text = "\n" * found.text.count("\n", 0, fences[0].end()) + found.text[fences[0].end() : end]


def _with_braces(found: Mended) -> None:
    if named := ASSIGNED.match(found.text):
        found.undo(NAMED, named.end())
        found.text = "\n" * found.text.count("\n", 0, named.end()) + found.text[named.end() :]
    elif found.text.lstrip()[:1] in ('"', "'", "“") and ":" in found.text:
        found.undo(BARE, 0)
        found.text = "{" + found.text.rstrip().removesuffix(",") + "\n}"


def _with_json_tokens(found: Mended) -> None:
    """Write strings and words as JSON has them, and leave comments out."""

    def written(token: re.Match[str]) -> str:
        text, kind = token[0], token.lastgroup
        if kind == "json":
            return text
        found.undo({"python": PYTHON, "word": PYTHON, "curly": CURLY}.get(str(kind), COMMENT), token.start())
        match kind:
            case "python":
                return '"' + text[1:].removesuffix("'").replace("\\'", "'").replace('"', '\\"') + '"'
            case "curly":
                return json.dumps(text[1:-1], ensure_ascii=False)
            case "word":
                return WORDS[text]
        return "\n" * text.count("\n")

    found.text = TOKEN.sub(written, found.text)


def _without_commas(found: Mended) -> None:
    def written(token: re.Match[str]) -> str:
        if token["comma"] is None:
            return token[0]
        found.undo(COMMAS, token.start("close"))
        return ""

    found.text = COMMA.sub(written, found.text)
