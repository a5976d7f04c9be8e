"""Markdown files, taken apart: headings, links, blocks of code, and the prose between them."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path for folder in (ROOT, *(ROOT / name for name in ("docs", "deploy", "benchmarks"))) for path in folder.glob("*.md"))
FILES += sorted((ROOT / "docs/decisions").glob("*.md"))
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """Blocks of code in one language."""
    return [code for kind, code in FENCE.findall(text) if kind == language]


def prose(text: str) -> str:
    """The text without its blocks of code."""
    return FENCE.sub("", text)


def anchors(text: str) -> set[str]:
    """What a link may name in a file: its headings as GitHub spells them, the second of two equal ones with a number."""
    found: list[str] = []
    for heading in re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()).replace(" ", "-")
        found.append(f"{slug}-{found.count(slug)}" if slug in found else slug)
    return set(found)


def broken_links(path: Path, text: str) -> list[str]:
    """Links of a file to files or headings that are not there; those to other hosts are not followed."""
    plain = re.sub(r"`[^`\n]*`", "", prose(text).replace("\\|", ""))
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", plain):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = unquote(target).partition("#")
        file = path.parent / name
        if not file.exists() or (anchor and anchor not in anchors(read(file) if name else text)):
            broken.append(target)
    return broken
