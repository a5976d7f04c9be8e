"""What one view of a page shows, as data: the one thing that lessons make, and that pages, the live route and files are drawn from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from numpy import ndarray

from figures.drawing import Drawing
from parameters.types import Value

Columns = Mapping[str, ndarray]


@dataclass(frozen=True, kw_only=True)
class View:
    """What one view of a page shows.

    Attributes:
        figure: The figure.
        alt: Its message in numbers, for those who do not see it.
        sentences: What to notice, as Markdown with strong words and code only.
        formula: Lines of TeX: symbols, then the same with numbers.
        code: PyTorch lines that leave the numbers of the figure in ``result``.
        columns: The numbers of the figure, by name.
        notebook_code: Lines that compute these columns with rope_core, a dictionary ``columns``.
        verified_by: The test that holds these numbers against another source, ``file::test`` or ``file::Class::test``.
        verdict: One line above the figure, such as what a config comes to; it follows a drag like the sentences.
        notices: What could not be used, a sentence each.
        parts: What else the page shows of this view, under the sentences.
    """

    figure: Drawing
    alt: str
    sentences: tuple[str, ...]
    formula: tuple[str, ...]
    code: str
    columns: Columns
    notebook_code: str = ""
    verified_by: str = ""
    verdict: str = ""
    notices: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Prose:
    """Markdown; ``kind`` is how it looks."""

    text: str
    kind: str = "text"  # text, heading, caption, info, warning or error


@dataclass(frozen=True, kw_only=True)
class Code:
    """Lines to copy; long ones scroll."""

    text: str
    language: str | None = "python"
    caption: str = ""


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows under headings, as text or numbers; ``alt`` says what they are."""

    columns: Mapping[str, Sequence[object]]
    alt: str = ""


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A button that sets parameters, of this page or of another one to which it then leads.

    Attributes:
        key: A short name, one of its own on the page.
        label: What stands on the button.
        values: What it sets.
        page: The page that it leads to; empty for this one.
        help: What it does.
        icon: Material symbol.
        enabled: Whether it can be pressed.
        model: The model of the catalogue that the values belong to, for the other page to name; empty for a
            reader's own, None where that stays as it is.
    """

    key: str
    label: str
    values: Mapping[str, Value]
    page: str = ""
    help: str = ""
    icon: str | None = None
    enabled: bool = True
    model: str | None = None


@dataclass(frozen=True, kw_only=True)
class Download:
    """A file, written when someone asks for it."""

    key: str
    label: str
    file_name: str
    mime: str
    content: Callable[[], bytes]
    help: str = ""


@dataclass(frozen=True, kw_only=True)
class Line:
    """Parts side by side, each as wide as its weight says; without weights as wide as they are."""

    parts: tuple[Part, ...]
    weights: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Fold:
    """Parts behind a heading; they are made only while the fold is open."""

    key: str
    title: str
    parts: Callable[[], tuple[Part, ...]]
    opened: bool = False


Part = Prose | Code | Table | Offer | Download | Line | Fold
