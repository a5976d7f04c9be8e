"""Questions: every one is asked, answered rightly and wrongly, and explained; progress stays in the link, and bad links are named."""

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from lessons.quiz import steps_of
from lessons.registry import PAGES
from locales import CATALOGUES
from parameters.settings import Settings
from tests.visit import address, controls, edit, go, look, move, notices, open_page, press, release, run, send, value

ASKING = [page for page in PAGES if steps_of(page)]


def row(at):
    return at.get_by_key("w.step")


def choose(at, number):
    row(at).set_value(number)
    return run(at)


def give(at, step, *, right):
    """Answer the open question."""
    if step.guess:
        at.number_input(key=f"step.{step.id}").set_value(step.guess.value if right else step.guess.high + 1)
    else:
        at.radio(key=f"step.{step.id}").set_value(step.right if right else (step.right + 1) % len(step.options))
    return press(run(at), "step.commit")


def settings(at):
    return Settings.read(at.session_state["visit"].page, address(at))[0]


def asked(at):
    return address(at).get("step", ""), address(at).get("done", "")


def buttons(at):
    return {button.key.removeprefix("step.") for button in at.button if (button.key or "").startswith("step.")}


def played(at, number, step, gettext):
    """Ask a question, answer it wrongly and rightly."""
    page = at.session_state["visit"].page
    choose(at, number)
    assert {name: settings(at)[name] for name in step.start} == dict(step.start)
    assert asked(at)[0] == f"{number}-question"
    assert any(gettext(step.question) in text.value for text in at.markdown)
    assert at.button(key="step.commit").disabled
    before = look(at)
    give(at, step, right=False)
    assert not at.success
    assert gettext(step.sentence) in at.info[0].value
    press(at, "step.again")
    assert look(at) == before
    give(at, step, right=True)
    assert gettext(step.sentence) in at.success[0].value
    assert {name: settings(at)[name] for name in step.answer} == dict(step.answer)
    assert look(at) != before
    assert asked(at) == (f"{number}-answer", f"{page}-{'123456789'[:number]}")
    assert row(at).value == number
    assert not at.warning


class TestPlaying:
    @pytest.mark.parametrize("page", ASKING)
    def test_every_question_is_asked_answered_rightly_and_wrongly_and_explained(self, page):
        at = open_page(page, base="20000", head_dim="64")
        before, shown = settings(at), look(at)
        for number, step in enumerate(steps_of(page), 1):
            played(at, number, step, lambda text: text)
        assert "next" not in buttons(at)
        choose(at, 0)
        assert (settings(at), look(at)) == (before, shown)
        assert asked(at)[0] == ""
        assert not buttons(at)
        assert [option.count("check") for option in row(at).options] == [0] + [1] * len(steps_of(page))

    @pytest.mark.parametrize("lang", [code for code in CATALOGUES if code != "en"])
    def test_questions_are_played_in_every_language(self, lang):
        at = open_page("pair", lang)
        for number, step in enumerate(steps_of("pair"), 1):
            played(at, number, step, CATALOGUES[lang].gettext)

    def test_next_asks_the_next_question(self):
        at = give(choose(open_page("pair"), 3), steps_of("pair")[2], right=True)
        give(press(at, "step.next"), steps_of("pair")[3], right=True)
        assert asked(at) == ("4-answer", "pair-34")

    def test_whoever_goes_back_to_exploring_finds_what_was_set(self):
        at = open_page("decay", base="20000", reach="77")
        before = settings(at)
        choose(at, 3)
        move(at, reach=55)
        choose(at, 1)
        choose(at, 0)
        assert settings(at) == before

    def test_whoever_explores_from_an_answer_keeps_its_settings_and_may_leave_again(self):
        at = open_page("decay", base="20000")
        give(choose(at, 1), steps_of("decay")[0], right=True)
        answered, shown = settings(at), look(at)
        press(at, "step.free")
        assert (settings(at), look(at)) == (answered, shown)
        assert asked(at) == ("", "decay-1")
        choose(choose(at, 2), 0)
        assert settings(at) == answered

    def test_figure_can_be_moved_while_a_question_is_open(self):
        at = choose(open_page("start"), 1)
        before = look(at)
        release(at, "position", "5")
        assert look(at) != before
        assert asked(at)[0] == "1-question"
        assert value(at, "position") == 5

    def test_a_second_click_on_a_button_that_is_gone_changes_nothing(self):
        at = choose(open_page("start"), 1)
        give(at, steps_of("start")[0], right=True)
        button = at.button(key="step.free").proto.id
        press(at, "step.free")
        before = address(at), look(at)
        send(at, WidgetState(id=button, trigger_value=True))
        assert (address(at), look(at)) == before

    def test_question_stands_above_the_controls_and_the_figure(self):
        at = choose(open_page("decay"), 1)
        order = [getattr(element, "key", None) for element in at._tree]
        assert order.index("step.commit") < order.index(controls(at)["reach"].key) < order.index("decay.figure")

    @pytest.mark.parametrize("sent", ["seven", 'nan"', ""])
    def test_an_answer_that_is_none_commits_nothing(self, sent):
        at = choose(open_page("start"), 1)
        radio = at.radio(key=f"step.{steps_of('start')[0].id}")
        send(at, WidgetState(id=radio.proto.id, string_value=sent))
        assert at.button(key="step.commit").disabled


class TestProgress:
    def test_each_page_keeps_its_question_and_all_that_is_done(self):
        at = give(choose(open_page("start"), 2), steps_of("start")[1], right=True)
        go(at, "pair")
        assert asked(at) == ("", "start-2")
        choose(at, 1)
        go(at, "start")
        assert asked(at) == ("2-answer", "start-2")
        assert at.success
        go(at, "pair")
        assert asked(at) == ("1-question", "start-2")

    def test_link_opens_what_is_seen_without_the_answer_that_was_given(self):
        at = give(choose(open_page("extension"), 3), steps_of("extension")[2], right=True)
        move(at, target=8192)
        opened = open_page("extension", **{name: text for name, text in address(at).items() if name != "lang"})
        assert look(opened) == look(at)
        assert asked(opened) == asked(at) == ("3-answer", "extension-3")
        assert steps_of("extension")[2].sentence in opened.info[0].value
        assert not opened.success

    def test_short_link_opens_a_question_with_its_settings_but_for_those_it_names(self):
        at = open_page("decay", step="1")
        assert asked(at)[0] == "1-question"
        assert at.query_params["step"] == "1-question"
        assert look(at) == look(choose(open_page("decay"), 1))
        move(at, reach=55)
        assert value(at, "reach") == 55
        at = open_page("decay", step="3", base="500", reach="77")
        assert (value(at, "base"), value(at, "reach"), value(at, "vectors")) == (500, 77, "ones")

    def test_settings_of_a_whole_link_are_not_touched(self):
        assert value(open_page("decay", step="1-question"), "reach") == 8192  # the default; the question itself starts at 100

    def test_an_address_that_is_edited_opens_another_question(self):
        at = choose(open_page("start"), 1)
        edit(at, lang="en", step="2-answer")
        assert row(at).value == 2
        assert steps_of("start")[1].sentence in at.info[0].value

    @pytest.mark.parametrize("text", ["0", "9", "-1", "1-", "1-no", "1-question-", "١", "1\n", "<b>", "1" * 999, "question"])
    def test_step_that_there_is_not_is_named_and_nothing_is_asked(self, text):
        at = open_page("start", step=text)
        (notice,) = notices(at)
        assert notice.startswith("Step must be a number from 1 to 5, got `")
        assert look(at) == look(open_page("start"))
        assert row(at).value == 0
        choose(at, 1)
        assert asked(at)[0] == "1-question"
        assert not at.warning

    @pytest.mark.parametrize("text", ["x", "start-", "start-9", "start-1.", "start-١", "nobody-1", "start-1" * 99])
    def test_done_that_cannot_be_is_named_and_counts_for_nothing(self, text):
        at = open_page("start", done=text)
        (notice,) = notices(at)
        assert notice.startswith("Steps done must be pages and digits, such as start-12.pair-3, got `")
        give(choose(at, 1), steps_of("start")[0], right=True)
        assert asked(at)[1] == "start-1"
        assert not at.warning

    def test_step_on_a_page_without_questions_is_named(self):
        assert len(notices(open_page("glossary", step="1"))) == 1
        assert not any(group.key == "w.step" for group in open_page("glossary").get("button_group"))
