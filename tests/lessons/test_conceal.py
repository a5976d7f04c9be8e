"""While a question is open, nothing on the page tells its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from exports.table import tables
from figures.drawing import Drawing
from lessons.conceal import conceal, while_open
from lessons.page import Page, in_words
from lessons.quiz import Step, steps_of
from lessons.registry import PAGES
from lessons.view import Code, Download, Fold, Line, Offer, Part, Prose, Table, View
from locales import CATALOGUES, _, speaking
from parameters import parameters_of
from parameters.settings import Settings
from parameters.types import Choice
from tests.views import view_of

STEPS = [(page, step) for page in PAGES for step in steps_of(page)]
NAMES = [step.id for _page, step in STEPS]
NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?", re.ASCII)
MARKS = re.compile(r"</?\w+>|[{}_`\\$*]")

# Sentences that tell an answer in other words, by the question; each stands on the page when no question is open.
IN_OTHER_WORDS = {
    "fastest": "pair 0, the fastest",
    "move_both": "Only the difference survives.",
    "beyond_training": "What RoPE does not promise",
    "shift": "so only the distance m - n",
    "swap": "R_{m-n}",
    "look_alike": "distance 12 looks like 0",
    "partner": "i and i + P",
    "length": "Each pair keeps its length",
    "stripes": "the distance m - n is the same",
    "which_vectors": "v is not turned",
    "added_code": "An added code is not flat",
    "larger_base": "whatever the base",
    "one_speed": "All pairs alike: the code repeats",
    "always_decay": "It need not fall steadily",
    "larger_is_better": "the good set is jagged",
    "come_round": "A larger base never raises this number",
    "narrow_head": "725",
    "ntk_pair_0": "pair 0 stays",
    "yarn_keeps": "kept, blended or divided by s",
    "yarn_scores": "1.45913",
    "dynamic_cache": "cached keys go stale",
    "llama_factor": "1: the speed stays",
}


def plain(text: str) -> str:
    """Take out the marks of HTML, Markdown and TeX."""
    return MARKS.sub("", text).casefold()


def of_figure(drawing: Drawing) -> Iterator[str]:
    for trace in drawing.traces:
        for name in ("name", "text", "hovertemplate", "hovertext"):
            part = trace.get(name) or ()
            yield from [part] if isinstance(part, str) else part
        yield from map(str, np.ravel(trace.get("customdata", ())))
    layout = drawing.plain_layout
    yield from (label["text"] for label in layout.get("annotations", ()))
    for axis in (part for name, part in layout.items() if re.match(r"[xy]axis|coloraxis", name)):
        title = axis.get("title") or ""
        yield title if isinstance(title, str) else title["text"]
        yield from map(str, axis.get("ticktext") or ())


def of_parts(parts: Iterable[Part]) -> Iterator[str]:
    for part in parts:
        match part:
            case Prose() | Code():
                yield part.text
            case Table():
                yield from part.columns
                yield from (str(cell) for column in part.columns.values() for cell in column)
            case Offer() | Download():
                yield f"{part.label} {part.help}"
            case Line():
                yield from of_parts(part.parts)
            case Fold():
                yield part.title
                yield from of_parts(part.parts())


def of_controls(page: Page, settings: Settings) -> Iterator[str]:
    for name in (page.choice, *page.controls(settings)):
        spec = parameters_of(page.name)[name]
        yield from (_(spec.label), in_words(page, settings, name))
        yield re.sub(r"\d", "#", _(spec.help))  # its numbers are examples and bounds
        yield from map(_, spec.options.values() if isinstance(spec, Choice) else ())


def on_screen(page: Page, settings: Settings) -> list[str]:
    """List all that a page would draw, figure and folds included."""
    view = page.view(settings)
    shown = [view.alt, *view.sentences, view.verdict, *view.notices, *view.formula, view.code, view.notebook_code]
    shown += [*of_figure(view.figure), *of_parts(tables(view.columns) if view.columns else ())]
    shown += [*of_parts((*page.before(settings), *view.parts, *page.after(settings)))]
    shown += [*of_controls(page, settings), *(offer.label for offer in page.tries(settings)), _(page.question)]
    return [plain(text) for text in shown if text]


def says_number(text: str, value: float) -> bool:
    """Return whether a text states a number, however it is rounded; a digit alone counts if it is the number itself."""
    for found in NUMBER.findall(text):
        stated = float(found.replace(",", ""))
        mantissa = found.partition("e")[0]
        rounding = 0.5 * 10.0 ** -len(mantissa.partition(".")[2]) if len(re.sub(r"\D", "", mantissa).strip("0")) > 1 else 0.0
        if abs(stated - value) <= max(rounding + 1e-12, 1e-3 * abs(value)):
            return True
    return False


def says(text: str, words: str) -> bool:
    return re.search(rf"(?<![\w.,]){re.escape(plain(words))}(?![\w])", text) is not None


def tells(step: Step, shown: list[str]) -> list[str]:
    """Return what tells the answer. A label that only names an option tells nothing where another option is named in the same way."""
    if step.guess:
        return [text for text in shown if says_number(text, step.guess.value)]
    options = [plain(_(option)) for option in step.options]
    right = options[step.right]
    if len({*options} & {*shown} - {right}):
        shown = [text for text in shown if text != right]
    number = float(right.replace(",", "")) if NUMBER.fullmatch(right) else None
    return [text for text in shown if says(text, right) or (number is not None and says_number(text, number))]


def asked(page: str, step: Step) -> tuple[Page, Settings]:
    return while_open(PAGES[page], step.hide), Settings(page).replace(**step.start)


@pytest.mark.parametrize("language", CATALOGUES)
@pytest.mark.parametrize(("page", "step"), STEPS, ids=NAMES)
def test_no_answer_stands_on_the_page_before_it_was_given(page, step, language):
    with speaking(language):
        assert tells(step, on_screen(*asked(page, step))) == []


@pytest.mark.parametrize(("page", "step"), [(page, step) for page, step in STEPS if step.id in IN_OTHER_WORDS])
def test_no_answer_stands_there_in_other_words(page, step):
    words = plain(IN_OTHER_WORDS[step.id])
    assert not any(words in text for text in on_screen(*asked(page, step)))
    assert any(words in text for text in on_screen(PAGES[page], asked(page, step)[1]))


@pytest.mark.parametrize("name", ["unfinished", "slowest_turn", "partner", "llama_unfinished", "yarn_scores", "look_alike", "first_query"])
def test_the_search_finds_what_nobody_has_hidden(name):
    ((page, step),) = [(page, step) for page, step in STEPS if step.id == name]
    assert tells(step, on_screen(PAGES[page], asked(page, step)[1]))


@pytest.mark.parametrize(
    ("text", "found"),
    [("0.125", True), ("0.13", True), ("1.25e-01", True), ("x 0.1250 y", True), ("0.1", False), ("10.125", False), ("1", False)],
)
def test_a_number_is_found_however_it_is_written(text, found):
    assert says_number(text, 0.125) is found


class TestWhatIsHidden:
    def test_a_view_that_hides_nothing_keeps_all_but_what_speaks_of_everything(self):
        view = view_of("start")
        shown = conceal(view, ())
        assert shown == replace(view, alt=shown.alt, parts=(), notebook_code="")
        assert shown.alt != view.alt
        assert "°" not in shown.alt

    @pytest.mark.parametrize("field", ["sentences", "verdict", "formula", "code"])
    def test_each_field_is_hidden_by_its_name(self, field):
        view = view_of("models")
        assert getattr(view, field)
        shown = conceal(view, [field])
        assert not getattr(shown, field)
        assert conceal(view, []) == replace(shown, **{field: getattr(view, field)})

    def test_data_hides_the_numbers(self):
        assert view_of("start").columns
        assert not conceal(view_of("start"), ["data"]).columns

    def test_labels_keep_their_first_line_and_points_say_nothing(self):
        labels = [label["text"] for label in conceal(view_of("start"), ["labels"]).figure.plain_layout["annotations"]]
        assert labels[0] == "pair 0"
        (models,) = [trace for trace in conceal(view_of("bases"), ["labels"]).figure.traces if trace.get("name") == "models"]
        assert models["hoverinfo"] == "skip"
        assert "hovertemplate" not in models
        assert models["text"][0] == "<b>Llama\xa02\xa07B</b>"

    def test_a_hidden_control_is_not_drawn_and_the_live_number_neither(self):
        settings = Settings("start")
        page = while_open(PAGES["start"], ["base", "position"])
        assert page.controls(settings) == ("head_dim",)
        assert page.live(settings) is None
        assert while_open(PAGES["start"], []).live(settings) == "position"

    def test_nothing_is_offered_and_nothing_stands_around_the_figure(self):
        for page in PAGES.values():
            shown, settings = while_open(page, []), Settings(page.name)
            assert (shown.tries(settings), shown.before(settings), shown.after(settings)) == ((), (), ())
            assert not shown.view(settings).parts

    def test_a_view_of_the_figure_still_knows_its_axes(self):
        view: View = view_of("decay")
        assert conceal(view, ["labels"]).figure.plain_layout["xaxis"] == view.figure.plain_layout["xaxis"]
