"""Questions: every one is asked, answered rightly and wrongly, and explained; progress stays in the link, and bad links are named."""

import json
from urllib.parse import parse_qsl

import numpy as np
import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from lessons.quiz import steps_of
from lessons.registry import PAGES, following
from locales import CATALOGUES
from parameters.settings import Settings
from server.answers import answer
from server.views import read_question
from tests.visit import (
    address,
    alt,
    controls,
    disabled,
    drawn,
    edit,
    go,
    look,
    message,
    move,
    notices,
    open_page,
    press,
    read,
    release,
    run,
    send,
    value,
    view,
)

ASKING = [page for page in PAGES if steps_of(page)]


def row(at):
    return at.get_by_key("w.step")


def choose(at, number):
    row(at).set_value(number)
    return run(at)


def given(step, *, right):
    if step.guess:
        return step.guess.value if right else step.guess.high + 1
    return step.right if right else (step.right + 1) % len(step.options)


def give(at, step, *, right):
    """Answer the open question."""
    box = at.number_input(key=f"step.{step.id}") if step.guess else at.radio(key=f"step.{step.id}")
    box.set_value(given(step, right=right))
    return press(at, "step.commit")


def links(at):
    return [link.proto.label for link in at.get("page_link")]


def at_route(page, query):
    """Return what the live route shows."""
    return read(answer(read_question(page, query, "en")._replace(coarse=False)))


def as_text(shown):
    return json.dumps(shown, sort_keys=True, default=np.ndarray.tolist)


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
    before = look(at)
    give(at, step, right=False)
    assert not at.success
    (wrong,) = at.error
    assert gettext(step.sentence) in wrong.value
    assert gettext(step.why_wrong(given(step, right=False))) in wrong.value
    assert asked(at)[1].endswith(f"{number}x")
    press(at, "step.again")
    assert look(at) == before
    give(at, step, right=True)
    assert not at.error
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
        commit = WidgetState(id=at.button(key="step.commit").proto.id, trigger_value=True)
        send(at, WidgetState(id=radio.proto.id, string_value=sent), commit)
        assert asked(at) == ("1-question", "")
        assert "Choose one, then commit to it." in [text.value for text in at.caption]

    @pytest.mark.parametrize("number", [1, 2])
    def test_commit_without_an_answer_asks_for_one_and_tells_nothing(self, number):
        at = press(choose(open_page("start"), number), "step.commit")
        assert asked(at) == (f"{number}-question", "")
        hint = "Choose one, then commit to it." if number == 1 else "Write a number, then commit to it."
        assert hint in [text.value for text in at.caption]
        assert not [text for text in at.caption if hint in run(at).caption]


class TestHidden:
    @pytest.mark.parametrize("page", ASKING)
    def test_what_a_question_hides_is_drawn_nowhere_until_it_is_answered(self, page):
        at = open_page(page)
        for number, step in enumerate(steps_of(page), 1):
            choose(at, number)
            shown = view(at)
            assert bool(shown["sentences"]) == ("sentences" not in step.hide)
            assert bool(shown["verdict"]) <= ("verdict" not in step.hide)
            tabs = [group.options for group in at.get("button_group") if (group.key or "").startswith("below")]
            names = {"formula": "Formula", "code": "PyTorch", "data": "Data"}
            assert (tabs or [[]])[0] == [label for name, label in names.items() if name not in step.hide]
            assert not [name for name in drawn(at) if name in step.hide]
            assert not [group for group in at.get("button_group") if group.key == "try"]
            assert not list(at.expander)
            assert "pin" not in {button.key for button in at.button}
            assert as_text(shown) == as_text(at_route(page, address(at)))
            give(at, step, right=True)
            assert as_text(view(at)) == as_text(at_route(page, address(at)))
            assert view(at)["sentences"]
            assert [group.key for group in at.get("button_group") if group.key == "below"]

    def test_what_is_dragged_while_a_question_is_open_is_drawn_without_what_it_hides(self):
        at = choose(open_page("start"), 1)
        query = dict(parse_qsl(message(at)["query"]))
        assert query["step"] == "1-question"
        assert not at_route("start", query | {"position": "5"})["sentences"]
        give(at, steps_of("start")[0], right=True)
        assert "step" not in dict(parse_qsl(message(at)["query"]))

    def test_a_pinned_setting_is_not_drawn_while_a_question_is_open(self):
        pin = "start:position=12"
        at = choose(open_page("start", pin=pin), 1)
        assert not view(at)["compared"]
        give(at, steps_of("start")[0], right=True)
        assert view(at)["compared"]
        assert address(at)["pin"] == pin

    def test_the_figure_of_an_open_question_says_nothing_to_those_who_do_not_see_it(self):
        at = choose(open_page("start"), 4)
        assert alt(at) == "The figure of the open question; what it shows is said with the answer."
        give(at, steps_of("start")[3], right=False)
        assert "327.5°" in alt(at)


class TestMotion:
    def test_the_run_after_a_commit_says_how_the_figure_comes_to_the_answer_and_no_other_run(self):
        at = choose(open_page("start"), 1)
        assert message(at)["motion"] is None
        give(at, steps_of("start")[0], right=True)
        motion = message(at)["motion"]
        assert dict(parse_qsl(motion["before"])) == {"lang": "en", "position": "0"}
        positions = [int(each["position"]) for each in motion["frames"]]
        assert set(positions) == set(range(13))
        assert positions == sorted(positions)
        assert message(run(at))["motion"] is None

    def test_it_begins_where_the_reader_has_left_the_figure(self):
        at = choose(open_page("start"), 1)
        release(at, "position", "5")
        give(at, steps_of("start")[0], right=True)
        assert dict(parse_qsl(message(at)["motion"]["before"]))["position"] == "5"

    def test_a_choice_has_nothing_between(self):
        at = give(choose(open_page("bases"), 1), steps_of("bases")[0], right=False)
        assert message(at)["motion"]["frames"] == []

    def test_a_question_that_is_opened_does_not_move(self):
        at = give(choose(open_page("start"), 1), steps_of("start")[0], right=True)
        assert message(press(at, "step.again"))["motion"] is None


class TestLocks:
    """The link decides what may be moved; a question sets what it needs, unless the link fixes another value for it."""

    @pytest.mark.parametrize("held", ["lock", "hide"])
    @pytest.mark.parametrize("page", ASKING)
    def test_an_exercise_keeps_its_questions(self, page, held):
        name = PAGES[page].controls(Settings(page).replace(**steps_of(page)[0].start))[0]
        at = open_page(page, step="1", **{held: name})
        assert asked(at)[0] == "1-question"
        assert row(at).value == 1
        assert {each: settings(at)[each] for each in steps_of(page)[0].start if each != name} == {
            each: value for each, value in steps_of(page)[0].start.items() if each != name
        }
        assert look(at) == look(open_page(page, step="1"))
        assert not at.warning

    def test_what_is_held_without_a_value_a_question_and_its_answer_set(self):
        step = steps_of("bases")[1]
        at = open_page("bases", lock="base", step="2")
        assert value(at, "base") == 50_000
        assert disabled(at, "base")
        give(at, step, right=True)
        assert value(at, "base") == 55_000
        assert disabled(at, "base")
        assert look(at) == look(open_page("bases", step="2-answer", **{name: str(each) for name, each in step.values("answer").items()}))
        assert not at.warning
        choose(at, 0)
        assert value(at, "base") == value(open_page("bases", lock="base"), "base")

    @pytest.mark.parametrize("held", ["lock", "hide"])
    def test_what_the_link_fixes_at_another_value_stays_and_one_notice_names_it(self, held):
        at = open_page("bases", **{held: "base,head_dim"}, base="777", head_dim="32", step="1")
        give(at, steps_of("bases")[0], right=True)
        (notice,) = notices(at)
        assert notice.startswith("The link fixes Base b, Head width d at a value that this question does not have")
        assert settings(at).number("base") == 777
        assert not notices(choose(at, 0))

    def test_a_value_that_is_what_the_question_needs_gives_no_notice(self):
        assert not notices(open_page("bases", lock="head_dim", head_dim="128", step="1"))


class TestProgress:
    def test_a_wrong_answer_earns_no_tick_and_a_right_one_after_it_does(self):
        at = give(choose(open_page("start"), 1), steps_of("start")[0], right=False)
        assert row(at).options[1].count("check") == 0
        assert row(at).options[1].count("close") == 1
        assert asked(at)[1] == "start-1x"
        assert "Answered on this page: 1 of 5; right: 0." in [text.value for text in at.caption]
        give(press(at, "step.again"), steps_of("start")[0], right=True)
        assert row(at).options[1].count("check") == 1
        assert "Answered on this page: 1 of 5; right: 1." in [text.value for text in at.caption]

    def test_a_number_is_called_too_low_or_too_high(self):
        at = choose(open_page("start"), 2)
        for number, said in ((3, "too low"), (9, "too high")):
            at.number_input(key="step.one_turn").set_value(number)
            press(at, "step.commit")
            assert said in at.error[0].value
            assert at.error[0].value.startswith(f"**Wrong: {number}.**")
            press(at, "step.again")

    def test_links_of_old_count_all_that_they_name_as_right(self):
        at = open_page("start", done="start-13", step="1")
        assert [option.count("check") for option in row(at).options] == [0, 1, 0, 1, 0, 0]
        give(at, steps_of("start")[0], right=False)
        assert asked(at)[1] == "start-1x3"

    @pytest.mark.parametrize("page", ASKING)
    def test_after_the_last_question_a_link_leads_to_the_next_page(self, page):
        count = len(steps_of(page))
        at = open_page(page, step=f"{count}-answer", done=f"{page}-1x")
        (link,) = [link for link in at.get("page_link") if link.proto.label.startswith("Next page: ")]
        assert link.proto.label == f"Next page: {following(page).title}"
        assert link.proto.page == following(page).name
        assert not [label for label in links(open_page(page, step="1-answer")) if label.startswith("Next page")]

    def test_a_frame_leads_nowhere(self):
        at = open_page("start", step="5-answer", browser={"is_embedded": True}, embed="true")
        assert links(at) == []

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
        assert notice.startswith("Steps done must be pages and digits, such as start-12x.pair-3, got `")
        give(choose(at, 1), steps_of("start")[0], right=True)
        assert asked(at)[1] == "start-1"
        assert not at.warning

    def test_step_on_a_page_without_questions_is_named(self):
        assert len(notices(open_page("glossary", step="1"))) == 1
        assert not any(group.key == "w.step" for group in open_page("glossary").get("button_group"))
