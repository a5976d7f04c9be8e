"""What a page is: the question it answers, what it can be set to, and the view that follows from its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lessons.view import Part, View
from locales import _
from parameters import parameters_of
from parameters.settings import Settings
from parameters.types import Choice, Names, Row, Value, readable


@dataclass(frozen=True, kw_only=True)
class Try:
    """A setting worth looking at; what it does not name stays as it is."""

    label: str
    values: Mapping[str, Value]


@dataclass(frozen=True, kw_only=True)
class Page:
    """A page, as data and pure functions of its settings.

    Attributes:
        name: File stem in ``pages/``, and the page's path in the address; the first page answers at ``/`` only.
        section: Heading of the navigation under which it stands, in English.
        title: Its name in the navigation, in English.
        question: The question it answers, its headline, in English.
        icon: Material symbol.
        choice: The parameter that chooses between its views.
        view: Returns what is shown.
        controls: Names the parameters that this view depends on, in the order in which their controls stand; the choice of the view is not
            among them.
        live: Names the number that stands under the figure and can be played; None where the view depends on none.
        tries: Returns settings worth looking at.
        onward: Names of the pages that follow.
        slow: Whether a view may take long enough that a reader wants to know.
        opening: Numbers from which the figure moves to its settings when the page opens a visit; none for a figure that stands at once.
        intro: A sentence above the figure, in English; empty for none.
        before: Returns what stands above the figure, such as the entries that a search has found.
        after: Returns what stands under everything and does not depend on the language alone, such as a list of all terms.
        labels: Returns the words of choices that depend on the settings, such as the rows of the models shown.
    """

    name: str
    section: str
    title: str
    question: str
    icon: str
    choice: str
    view: Callable[[Settings], View]
    controls: Callable[[Settings], tuple[str, ...]]
    live: Callable[[Settings], str | None]
    tries: Callable[[Settings], tuple[Try, ...]]
    onward: tuple[str, ...]
    slow: bool = False
    opening: Mapping[str, Value] = field(default_factory=dict)
    intro: str = ""
    before: Callable[[Settings], tuple[Part, ...]] = lambda _settings: ()
    after: Callable[[Settings], tuple[Part, ...]] = lambda _settings: ()
    labels: Callable[[Settings], Mapping[str, Sequence[str]]] = lambda _settings: {}


def in_words(page: Page, settings: Settings, name: str) -> str:
    """Write a value as its control shows it, in the language that is spoken."""
    spec, value = parameters_of(page.name)[name], settings[name]
    match spec:
        case Choice():
            return _(spec.options[str(value)])
        case Names():
            options = spec.options()
            return ", ".join(options[each] for each in str(value).split(",") if each)
        case Row():
            labels = page.labels(settings).get(name, ())
            row = settings.whole(name)
            return labels[row if row < len(labels) else 0] if labels else readable(row)
        case _:
            return value if isinstance(value, str) else readable(value)
