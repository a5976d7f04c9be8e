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
        name: File stem in ``pages/``, and the page's path in the address; the first page answers at ``/`` only.
        section: Heading of the navigation under which it stands.
        title: Its name in the navigation.
        question: The question it answers, its headline.
        uses: The shared parameters that change what it shows.
        hero: The number that the figure follows while a hand moves it.
        idle_while: Of these, the ones that change nothing while all of some choices have one of some codes.
        icon: Material symbol.
    """

    name: str
    section: str
    title: str
    question: str
    uses: tuple[str, ...]
    hero: str
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
            hero="position",
            icon=":material/schedule:",
        ),
        Lesson(
            name="pair",
            section=N_("Learn"),
            title=N_("Rotate a pair"),
            question=N_("Why does only the distance survive?"),
            uses=("base", "head_dim"),
            hero="m",
            icon=":material/rotate_left:",
            idle_while={"base": {"speed": ("own",)}, "head_dim": {"speed": ("own",)}},
        ),
        Lesson(
            name="head",
            section=N_("Learn"),
            title=N_("A whole head"),
            question=N_("How do d/2 pairs share one vector?"),
            uses=("base", "head_dim", "rotary", "layout"),
            hero="head_position",
            icon=":material/view_column:",
            idle_while={"layout": {"head_view": ("matrix", "mix", "code")}},
        ),
        Lesson(
            name="attention",
            section=N_("Learn"),
            title=N_("Attention"),
            question=N_("What does a head see?"),
            uses=("base", "head_dim"),
            hero="tokens_seen",
            icon=":material/visibility:",
            idle_while={
                "base": {"encoding": ("alibi", "t5", "none")},
                # One number added to all scores of a row leaves its weights as they are.
                "head_dim": {"attention_view": ("weights",), "alike": ("alike",), "encoding": ("alibi", "t5", "none")},
            },
        ),
        Lesson(
            name="frequencies",
            section=N_("Explore"),
            title=N_("Frequencies"),
            question=N_("Which pair turns how fast, and what does the base change?"),
            uses=("base", "head_dim", "rotary", "context", "scaling"),
            hero="base",
            icon=":material/speed:",
            idle_while={
                "context": {"freq_view": ("equal", "laws")},
                # About the plain law of the paper: what it sets is what is asked there.
                "rotary": {"freq_view": ("sweep", "equal", "laws")},
                "scaling": {"freq_view": ("sweep", "equal", "laws")},
            },
        ),
        Lesson(
            name="decay",
            section=N_("Explore"),
            title=N_("Distance decay"),
            question=N_("Does the score fall with distance, and for which q and k?"),
            uses=("base", "head_dim", "rotary", "layout", "context", "scaling"),
            hero="base",
            icon=":material/show_chart:",
            idle_while={
                "layout": {"decay_view": ("score", "bound", "spectrum"), "vectors": ("ones", "peak")},
                "context": {"decay_view": ("random", "bound", "spectrum")},
            },
        ),
        Lesson(
            name="bases",
            section=N_("Explore"),
            title=N_("Base and context"),
            question=N_("How large must the base be for a context length?"),
            uses=("base", "head_dim", "context"),
            hero="base",
            icon=":material/straighten:",
        ),
        Lesson(
            name="extension",
            section=N_("Engineer"),
            title=N_("Context extension"),
            question=N_("What do linear, NTK, dynamic, YaRN, Llama 3 and LongRoPE do to each pair?"),
            uses=("base", "head_dim", "rotary", "context"),
            hero="target",
            icon=":material/expand_content:",
            idle_while={name: {"ext_view": ("attention",)} for name in ("base", "head_dim", "rotary")},
        ),
        Lesson(
            name="models",
            section=N_("Engineer"),
            title=N_("Models"),
            question=N_("What does this model's config.json really say?"),
            uses=(),
            hero="models_length",
            icon=":material/description:",
        ),
        Lesson(
            name="glossary",
            section=N_("Reference"),
            title=N_("Glossary"),
            question=N_("What does each symbol and each term mean?"),
            uses=("base", "head_dim", "context"),
            hero="base",
            icon=":material/menu_book:",
            idle_while={"context": {"glossary_view": ("speeds",)}},
        ),
    )
}
