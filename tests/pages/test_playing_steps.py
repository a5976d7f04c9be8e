"""Every step of every page is played in both languages, rightly and wrongly; progress stays in the link, and bad links are named."""

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates

from tests.visit import checked, disabled, drawn, figure, go, in_language, look, message, open_page, run, value
from locales import CATALOGUES
from parameters.types import Number
from ui.parameters import PARAMETERS
from ui.progress import read_done, read_spot, write_done
from lessons.registry import LESSONS
from lessons.quiz import steps_of


def row(at):
    return next(group for group in at.get("button_group") if group.key == "steps.row")


def choose(at, number):
    row(at).set_value(number)
    return run(at)


def press(at, name):
    at.button(key=f"step.{name}").click()
    return run(at)


def give(at, step, *, right):
    """Answer the open question."""
    if step.guess:
        at.number_input(key=f"step.{step.id}").set_value(step.guess.value if right else step.guess.high + 1)
    else:
        at.radio(key=f"step.{step.id}").set_value(step.right if right else (step.right + 1) % len(step.options))
    run(at)
    return press(at, "commit")


def settings(at):
    """What all controls that can be moved are set to."""
    return {name: value(at, name) for name in drawn(at) if not disabled(at, name)}


def asked(at):
    return at.text_input(key="step").value, at.text_input(key="done").value


def address(at):
    """What the browser writes into the address: the box of every control that is drawn."""
    link = {name: f"{value(at, name):.15g}" if isinstance(PARAMETERS[name], Number) else value(at, name) for name in drawn(at)}
    return link | dict(zip(("step", "done"), asked(at), strict=True))


@pytest.mark.parametrize("page", [page for page in LESSONS if steps_of(page)])
def test_a_second_click_with_what_the_page_held_before_the_first_changes_nothing(page):
    """A browser sends all that its controls hold, and before it hears of the answer that is the step which was left."""
    at = open_page(page)
    choose(at, 1)
    give(at, steps_of(page)[0], right=True)
    shown = look(at)
    at.button(key="step.free").click()
    # A browser sends of buttons the one that was clicked.
    clicked = WidgetStates(widgets=[w for w in at._tree.get_widget_states().widgets if w.trigger_value or not w.HasField("trigger_value")])
    run(at)
    assert (asked(at)[0], look(at)) == ("", shown)
    at._run(clicked)
    checked(at)
    assert (asked(at)[0], look(at)) == ("", shown)
    assert row(at).value == 0


@pytest.mark.parametrize("page", [page for page in LESSONS if steps_of(page)])
def test_whoever_goes_back_to_exploring_finds_what_she_had_set(page):
    at = open_page(page, "en", base="20000", head_dim="64")
    before, shown = settings(at), look(at)
    for number in range(1, len(steps_of(page)) + 1):
        choose(at, number)
        give(at, steps_of(page)[number - 1], right=True)
    choose(at, 0)
    assert (settings(at), look(at)) == (before, shown)


def test_whoever_explores_from_an_answer_keeps_its_settings_and_may_leave_again():
    at = open_page("decay", "en", base="20000")
    choose(at, 1)
    give(at, steps_of("decay")[0], right=True)
    answered = settings(at)
    press(at, "free")
    assert settings(at) == answered
    choose(at, 2)
    choose(at, 0)
    assert settings(at) == answered


def notice(at):
    assert len(at.warning) == 1
    return at.warning[0].value


@pytest.mark.parametrize("lang", CATALOGUES)
@pytest.mark.parametrize("page", [page for page in LESSONS if steps_of(page)])
def test_every_step_is_asked_answered_rightly_and_wrongly_and_explained(page, lang):
    at = open_page(page, lang)
    for number, step in enumerate(steps_of(page), 1):
        choose(at, number)
        assert settings(at).items() <= step.start.items()
        assert asked(at)[0] == f"{number}-question"
        assert any(in_language(at, step.question) in text.value for text in at.markdown)
        assert at.button(key="step.commit").disabled
        before = look(at)
        give(at, step, right=False)
        assert not at.success
        assert in_language(at, step.sentence) in at.info[0].value
        press(at, "again")
        assert look(at) == before
        give(at, step, right=True)
        assert in_language(at, step.sentence) in at.success[0].value
        assert settings(at).items() <= (step.start | step.answer).items()
        assert look(at) != before
        assert asked(at) == (f"{number}-answer", f"{page}-{'123456789'[:number]}")
        assert not at.warning


class TestWaysOn:
    def test_next_asks_the_next_question_and_the_last_has_none(self):
        at = give(choose(open_page("pair"), 3), steps_of("pair")[2], right=True)
        give(press(at, "next"), steps_of("pair")[3], right=True)
        assert asked(at) == ("4-answer", "pair-34")
        assert not [button for button in at.button if button.key == "step.next"]

    def test_free_exploration_is_one_click_away_and_keeps_the_figure(self):
        at = choose(open_page("decay"), 3)
        before = look(at)
        assert look(choose(at, 0)) == before
        assert asked(at)[0] == ""
        assert not [button for button in at.button if button.key.startswith("step.")]

    def test_figure_stands_right_under_the_open_question_before_the_controls(self):
        at = choose(open_page("decay"), 1)
        order = [getattr(element, "key", None) for element in walk(at.main)]
        assert order.index("step.commit") < order.index("decay_figure") < order.index("decay_view.buttons")

    def test_figure_can_be_moved_while_a_question_is_open(self):
        at = choose(open_page("start"), 1)
        before = look(at)
        at.number_input(key="position").set_value(5.0)
        assert look(run(at)) != before
        assert asked(at)[0] == "1-question"


def walk(block):
    for child in block.children.values():
        if hasattr(child, "children"):
            yield from walk(child)
        else:
            yield child


class TestProgress:
    def test_each_page_keeps_its_step_and_all_that_is_done(self):
        at = give(choose(open_page("start"), 2), steps_of("start")[1], right=True)
        go(at, "pair")
        assert asked(at) == ("", "start-2")
        choose(at, 1)
        go(at, "start")
        assert asked(at) == ("2-answer", "start-2")
        go(at, "pair")
        assert asked(at) == ("1-question", "start-2")

    def test_link_opens_what_is_seen(self):
        at = give(choose(open_page("extension"), 3), steps_of("extension")[2], right=False)
        at.number_input(key="target").set_value(8192.0)
        opened = open_page("extension", **address(run(at)))
        assert look(opened) == look(at)
        assert asked(opened) == asked(at)
        assert steps_of("extension")[2].sentence in opened.info[0].value
        assert not opened.success

    def test_short_link_opens_a_question_with_its_settings_but_for_those_it_names(self):
        at = open_page("decay", step="1")
        assert at.query_params["step"] == "1-question"
        assert look(at) == look(choose(open_page("decay"), 1))
        at.number_input(key="reach").set_value(55.0)
        assert value(run(at), "reach") == 55
        assert asked(at)[0] == "1-question"
        at = open_page("decay", step="3", base="500", reach="77")
        assert (value(at, "base"), value(at, "reach"), value(at, "vectors")) == (500, 77, "ones")

    def test_settings_of_a_whole_link_are_not_touched(self):
        at = open_page("decay", step="1-question")
        assert value(at, "reach") == 8192  # the default; the question itself starts at 100

    def test_done_is_written_as_it_is_read(self):
        done = {"pair": {3}, "start": {1, 2}}
        assert write_done(done) == "start-12.pair-3"
        assert read_done("start-12.pair-3") == done
        assert read_done("pair-3.start-2.start-1") == done
        assert read_done("") == {}

    @pytest.mark.parametrize("text", ["0", "9", "-1", "1-", "1-no", "1-question-", "١", "1\n", "<b>", "1" * 999, "question"])
    def test_step_that_there_is_not_is_named_and_nothing_is_asked(self, text):
        assert read_spot(text, 5) is None
        at = open_page("start", step=text)
        assert notice(at).startswith("Step must be a number from 1 to 5, got `")
        assert look(at) == look(open_page("start"))
        assert row(at).value == 0

    @pytest.mark.parametrize("text", ["x", "start", "start-", "start-0", "start-9", "start-1.", "start-١", "nobody-1", "start-1" * 99])
    def test_done_that_cannot_be_is_named_and_counts_for_nothing(self, text):
        assert read_done(text) is None
        at = open_page("start", done=text)
        assert notice(at).startswith("Steps done must be pages and digits, such as start-12.pair-3, got `")
        give(choose(at, 1), steps_of("start")[0], right=True)
        assert asked(at)[1] == "start-1"
        assert not at.warning


def test_unasked_page_is_what_it_was():
    at = checked(open_page("start"))
    assert asked(at) == ("", "")
    assert figure(at)
    assert message(at)
