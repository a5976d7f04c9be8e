"""The pages: one row each, in the order of the lessons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ui.i18n import N_

PAGES_FOLDER = Path(__file__).resolve().parent.parent / "pages"


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """What the frame must know about a page before it runs it.

    Attributes:
        name: File stem in ``pages/``, and the page's path in the address.
        section: Heading of the navigation under which it stands.
        title: Its name in the navigation.
        question: The question it answers, its headline.
        uses: The shared parameters that change what it shows.
        idle_while: Of these, the ones that change nothing while all of some choices have one of some codes.
        icon: Material symbol.
    """

    name: str
    section: str
    title: str
    question: str
    uses: tuple[str, ...]
    icon: str
    idle_while: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """Where the page's script lies."""
        return PAGES_FOLDER / f"{self.name}.py"


LESSONS = {
    lesson.name: lesson
    for lesson in (
        Lesson(
            name="start",
            section=N_("Learn"),
            title=N_("Start"),
            question=N_("What is RoPE, in one moving picture?"),
            uses=("base", "head_dim"),
            icon=":material/schedule:",
        ),
        Lesson(
            name="pair",
            section=N_("Learn"),
            title=N_("Rotate a pair"),
            question=N_("Why does only the distance survive?"),
            uses=("base", "head_dim"),
            icon=":material/rotate_left:",
            idle_while={"base": {"speed": ("own",)}, "head_dim": {"speed": ("own",)}},
        ),
        Lesson(
            name="decay",
            section=N_("Explore"),
            title=N_("Distance decay"),
            question=N_("How does the score fall with distance, and for which q and k?"),
            uses=("base", "head_dim", "layout", "context"),
            icon=":material/show_chart:",
            idle_while={
                "layout": {"decay_view": ("score", "bound", "spectrum"), "vectors": ("ones", "peak")},
                "context": {"decay_view": ("random", "bound", "spectrum")},
            },
        ),
    )
}
