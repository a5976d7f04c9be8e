"""What one view of a page shows: the one thing that lessons make, and that everything around them draws, keeps and writes down."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from numpy import ndarray

from figures.drawing import Drawing


def _nothing() -> None:
    """Draw nothing."""


@dataclass(frozen=True, kw_only=True)
class View:
    """What one view of a page shows.

    Attributes:
        figure: The hero figure.
        alt: Its message in numbers, for those who do not see it.
        sentences: What to notice.
        formula: Lines of TeX: symbols, then the same with numbers.
        code: PyTorch lines that leave the numbers of the figure in ``result``.
        drawn: Columns of the CSV.
        core: Lines that compute these columns with rope_core, a dictionary ``columns``.
        proof: The test that holds these numbers against another source, ``file::test`` or ``file::Class::test``.
        beneath: Draws what a page shows under the sentences, and what follows the hand like them.
    """

    figure: Drawing
    alt: str
    sentences: tuple[str, ...]
    formula: tuple[str, ...]
    code: str
    drawn: Mapping[str, Sequence[float] | ndarray]
    proof: str = ""
    beneath: Callable[[], None] = _nothing
    core: str = ""
