"""The link to a page as it is set, its QR code, the line for another page, locks to choose; files; and presenting."""

import json
from urllib.parse import parse_qsl, urlsplit

import pytest
import streamlit as st

from lessons.quiz import steps_of
from lessons.registry import PAGES
from parameters import PARAMETERS
from parameters.settings import Settings
from tests.visit import address, component, drawn, go, look, message, move, notices, numbers, open_page, press, run, trigger, view

URL = "https://school.example/rope/"


def shared(page, **link):
    """A page with its dialog open."""
    at = open_page(page, browser={"url": URL + page}, **link)
    return press(at, "share")


def again(at):
    """Run the dialog once more: AppTest knows no fragments, so the button that opens it is pressed again."""
    return press(at, "share")


def query(link):
    return dict(parse_qsl(urlsplit(link).query, keep_blank_values=True))


class TestShare:
    def test_link_says_what_the_page_is_set_to_and_what_is_locked(self):
        at = open_page("pair", m="33", lock="m,position", position="7", browser={"url": f"{URL}pair?m=1"})
        move(at, base=85_565.3, q="2, -1", pair_view="shift")
        press(at, "share")
        link, frame = (block.value for block in at.code)
        assert link.startswith("https://school.example/rope/pair?")
        expected = {"lang": "en", "lock": "m,position", "position": "7", "base": "85565.3", "m": "33", "q": "2, -1", "pair_view": "shift"}
        assert query(link) == expected
        assert frame.startswith("<iframe ")
        assert "embed=true" in frame
        assert at.multiselect(key="share.lock").value == ["m"]
        assert "ROPE_LAB_FRAME_ANCESTORS" in at.caption[-1].value
        fresh = open_page("pair", **{name: text for name, text in query(link).items() if name != "lang"})
        assert look(fresh) == look(at)

    def test_what_the_visit_holds_on_other_pages_stands_in_the_link_too(self):
        at = open_page("start", lock="position,m", position="7", browser={"url": URL + "pair"})
        press(go(at, "pair"), "share")
        assert query(at.code[0].value) == {"lang": "en", "lock": "m,position", "position": "7"}

    def test_controls_that_are_chosen_stand_in_the_link(self):
        at = shared("start")
        options = at.multiselect(key="share.lock").options
        assert options == at.multiselect(key="share.hide").options
        assert options == [PARAMETERS[name].label for name in ("start_view", *PAGES["start"].controls(Settings("start")))]
        at.multiselect(key="share.lock").set_value(["base"])
        at.multiselect(key="share.hide").set_value(["head_dim"])
        again(at)
        assert {"lock": "base", "hide": "head_dim"}.items() <= query(at.code[0].value).items()
        assert "lock" not in address(at)

    def test_locks_that_are_taken_out_of_the_choice_are_not_in_the_link(self):
        at = shared("start", lock="base", base="500")
        assert query(at.code[0].value)["lock"] == "base"
        at.multiselect(key="share.lock").set_value([])
        again(at)
        assert query(at.code[0].value) == {"lang": "en", "base": "500"}

    def test_all_but_the_number_that_the_page_is_about_are_locked_by_one_button(self):
        at = shared("start")
        at.multiselect(key="share.hide").set_value(["base"])
        at.button(key="share.one").click()
        again(at)
        assert query(at.code[0].value)["lock"].split(",") == ["start_view", "head_dim"]
        assert query(at.code[0].value)["hide"] == "base"

    def test_all_but_the_number_that_the_page_is_about_are_hidden_by_one_button(self):
        at = shared("start")
        at.multiselect(key="share.lock").set_value(["start_view", "base"])
        at.button(key="share.bare").click()
        again(at)
        assert at.button(key="share.bare").label == "Hide all but Position m"
        asked = query(at.code[0].value)
        assert "lock" not in asked
        assert asked["hide"].split(",") == ["start_view", "base", "head_dim"]
        fresh = open_page("start", None, **asked)
        assert [name for name in ("position", "base", "start_view", "head_dim") if name in drawn(fresh)] == ["position"]

    def test_each_text_has_a_button_that_copies_it(self):
        at = shared("start", base="500")
        link, frame = (block.value for block in at.code)
        assert [json.loads(component(at, f"share.copy.{each}").proto.json)["text"] for each in ("link", "frame")] == [link, frame]

    def test_words_on_embedding_name_the_setting_that_turns_it_on(self, monkeypatch):
        monkeypatch.delenv("ROPE_LAB_FRAME_ANCESTORS", raising=False)
        off = shared("start").caption[-1].value
        assert off.startswith("Embedding is off on this server")
        assert "`ROPE_LAB_FRAME_ANCESTORS=https://school.example`" in off
        monkeypatch.setenv("ROPE_LAB_FRAME_ANCESTORS", "https://a.example")
        assert shared("start").caption[-1].value == "This server lets these sites show its pages: `https://a.example`."

    def test_long_link_is_warned_of_and_has_no_qr_code(self):
        at = shared("decay", vectors="typed", q_head=" ".join(["-999.123"] * 512))
        assert any("some programs cut off what is beyond 4,096" in warning.value for warning in at.warning)
        assert any("too long for a QR code" in caption.value for caption in at.caption)
        assert not any("QR code" in caption.value for caption in shared("decay").caption)

    def test_question_and_progress_and_a_go_along(self):
        at = shared("start", step="1-question", done="pair-1", pin="start:base=500")
        assert {"step": "1-question", "done": "pair-1", "pin": "start:base=500"}.items() <= query(at.code[0].value).items()

    def test_config_that_no_link_can_hold_is_left_out(self):
        at = open_page("models", models_way="own", browser={"url": URL + "models"})
        divisors = [1 + index / 7 for index in range(128)]
        method = {"rope_type": "longrope", "short_factor": divisors, "long_factor": divisors, "original_max_position_embeddings": 64}
        config = {"head_dim": 256, "max_position_embeddings": 640, "rope_theta": 7.0, "rope_scaling": method}
        at.text_area(key="config.text").set_value(json.dumps(config))
        press(run(at), "share")
        assert query(at.code[0].value) == {"lang": "en", "models_way": "own"}


class TestOwnQuestion:
    MARKS = "Where is **s** < 0? <img src=x> :material/close: $x$ [a](b)"

    def asked(self, at):
        return [text.value for text in at.text]

    @pytest.mark.parametrize("more", [{}, {"present": "1"}, {"step": "1"}, {"browser": {"is_embedded": True}}], ids=str)
    def test_it_stands_on_the_page_as_plain_text(self, more):
        assert self.asked(open_page("start", ask=self.MARKS, **more)) == [self.MARKS]
        assert self.asked(open_page("start", **more)) == []

    def test_it_is_written_in_the_dialog_and_stands_in_the_link(self):
        at = shared("start")
        at.text_input(key="share.ask").set_value("  Why\tnot 0? ")
        again(at)
        assert query(at.code[0].value) == {"lang": "en", "ask": "Why not 0?"}
        assert self.asked(at) == []

    def test_it_stays_while_controls_move_and_is_of_its_page_alone(self):
        at = move(open_page("start", ask="Why?"), base=500)
        assert (address(at)["ask"], self.asked(at)) == ("Why?", ["Why?"])
        assert self.asked(go(at, "pair")) == []
        assert self.asked(go(at, "start")) == ["Why?"]

    def test_a_longer_one_is_refused_with_a_notice(self):
        assert self.asked(open_page("start", ask="ä" * 200)) == ["ä" * 200]
        at = open_page("start", ask="ä" * 201)
        assert self.asked(at) == []
        assert "at most 200 characters" in notices(at)[0]
        assert press(at, "share").text_input(key="share.ask").value == ""


class TestFiles:
    @pytest.mark.parametrize("lang", ["en", "zh-CN"])
    def test_each_file_is_that_of_the_page_as_it_is_set(self, lang, monkeypatch):
        at = move(open_page("start", lang, browser={"url": URL + "start"}), base=500, start_view="two")
        offered, before = {}, st.download_button
        with monkeypatch.context() as patch:
            patch.setattr(
                st, "download_button", lambda label, data, **more: offered.update({more["file_name"]: data}) or before(label, data, **more)
            )
            at.get_by_key("below").set_value("files")
            run(at)
        files = {name.rpartition(".")[2]: write() for name, write in offered.items()}
        assert set(files) == {"csv", "html", "ipynb"}
        for file in files.values():
            text = file.decode()
            assert f"lang={lang}" in text
            assert "start_view=two" in text.replace("&amp;", "&")
        assert "base = 500" in files["csv"].decode()


class TestPresent:
    def press_keys(self, at, *keys):
        return trigger(at, component(at, "present.keys"), pressed=list(keys))

    def slide(self, at):
        return address(at).get("step", "")

    def test_question_figure_and_nothing_else_stand_there(self):
        at = press(open_page("start"), "present")
        assert address(at)["present"] == "1"
        assert [title.value for title in at.title] == [PAGES["start"].question]
        assert [button.key for button in at.button] == ["present-leave"]
        assert not at.sidebar.selectbox
        assert not at.get("page_link")
        assert [each.key for each in at.get("bidi_component")] == ["present.keys", "start.figure"]
        assert look(at) == look(open_page("start"))

    def test_keys_go_through_the_questions_of_the_page_and_their_answers(self):
        at = open_page("start", present="1")
        count = len(steps_of("start"))
        slides = ["", *(f"{number}-{stage}" for number in range(1, count + 1) for stage in ("question", "answer"))]
        for slide in slides[1:]:
            self.press_keys(at, "next")
            assert self.slide(at) == slide
        step = steps_of("start")[-1]
        assert any(step.sentence in text.value for text in at.markdown)
        assert any(f"{count} / {count}" in text.value for text in at.markdown)
        self.press_keys(at, "next")
        assert self.slide(at) == "end"
        assert [link.proto.label for link in at.get("page_link")] == ["Next page: Rotate a pair"]
        assert any(PAGES["pair"].question in text.value for text in at.markdown)
        for slide in reversed(slides):
            self.press_keys(at, "back")
            assert self.slide(at) == slide
        assert look(self.press_keys(at, "back")) == look(open_page("start"))

    @pytest.mark.parametrize("keys", [("next",), ("next", "next", "back")])
    def test_a_key_after_the_end_leads_to_the_next_page_presented(self, keys):
        at = open_page("start", present="1", step="end", base="500", done="start-1x", lock="m")
        self.press_keys(at, *keys)
        assert at.session_state["visit"].page == "pair"
        assert address(at) == {"lang": "en", "present": "1", "base": "500", "done": "start-1x", "lock": "m"}
        assert [title.value for title in at.title] == [PAGES["pair"].question]

    def test_nothing_follows_the_last_answer_in_a_frame_or_on_a_page_without_questions(self):
        at = open_page("start", present="1", step="5-answer", browser={"is_embedded": True}, embed="true")
        assert self.slide(self.press_keys(at, "next")) == "5-answer"
        assert self.slide(self.press_keys(open_page("glossary", present="1"), "next")) == ""

    def test_what_an_open_question_hides_is_not_presented_either(self):
        at = open_page("start", present="1", step="1")
        assert not view(at)["sentences"]
        before = message(at)
        self.press_keys(at, "next")
        assert view(at)["sentences"]
        assert before["motion"] is None
        assert message(at)["motion"]["frames"]

    def test_several_keys_of_one_message_count_and_nothing_else_does(self):
        at = open_page("start", present="1")
        for sent in (None, 7, "next", {"a": 1}, [None, 3, ["next"], "up"]):
            trigger(at, component(at, "present.keys"), pressed=sent)
            assert self.slide(at) == ""
        self.press_keys(at, "next", "next", "next", "back")
        assert self.slide(at) == "1-answer"

    def test_the_count_of_keys_goes_on_whatever_else_was_heard(self):
        at = open_page("start", present="1")
        for number in range(3):
            assert json.loads(component(at, "present.keys").proto.json) == {"read": number}
            self.press_keys(at, "next")

    def test_escape_and_the_button_bring_back_the_page_at_the_question(self):
        for leave in (lambda at: self.press_keys(at, "leave"), lambda at: press(at, "present-leave")):
            at = self.press_keys(open_page("start", present="1"), "next")
            leave(at)
            assert address(at) == {"lang": "en", **steps_start("start", 0), "step": "1-question"}
            assert at.title

    def test_answer_is_marked_when_it_is_shown_and_not_before(self):
        at = open_page("pair", present="1", step="1-question")
        assert not any("check_circle" in text.value for text in at.markdown)
        self.press_keys(at, "next")
        assert any("check_circle" in text.value for text in at.markdown)

    def test_page_turned_while_presenting_is_not_presented(self):
        at = open_page("start", present="1")
        assert "present" not in address(go(at, "pair"))

    @pytest.mark.parametrize("text", ["2", "x", "true", "<b>"])
    def test_what_is_no_switch_is_named(self, text):
        at = open_page("start", present=text)
        assert at.warning[0].value.startswith("Present must be one of 0, 1, got `")
        assert at.title

    def test_number_that_the_page_is_about_can_be_played_there(self):
        at = open_page("start", present="1")
        assert set(numbers(at)) == {"position"}
        assert message(at)["number"]["play"]
        assert view(at)["sentences"]


def steps_start(page, index):
    """What an address says of the settings from which a question starts."""
    return Settings(page).replace(**steps_of(page)[index].start).write()
