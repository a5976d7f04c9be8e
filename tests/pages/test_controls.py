"""Each kind of control: what is set by it is in the address, in the control, and in the figure, which is that of a link that says it."""

import json

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from lessons.registry import PAGES
from parameters import PARAMETERS
from parameters.presets import agreeing, model_settings
from parameters.settings import Settings
from parameters.types import write
from tests.visit import (
    address,
    checked,
    component,
    controls,
    disabled,
    drawn,
    edit,
    go,
    look,
    move,
    notices,
    numbers,
    open_page,
    raw,
    release,
    run,
    send,
    sentences,
    trigger,
    triggered,
    value,
)

YARN = '{"rope_type":"yarn","factor":4}'


def changed(at):
    """What the address says besides the language."""
    return {name: text for name, text in address(at).items() if name != "lang"}


def same(at, page, **link):
    """Whether the page shows what a fresh session shows that opens a link."""
    return (look(at), drawn(at)) == (look(other := open_page(page, **link)), drawn(other))


class TestEveryPage:
    @pytest.mark.parametrize("page", PAGES)
    def test_the_number_that_a_page_is_about_moves_its_figure(self, page):
        at = open_page(page)
        before = look(at)
        name = PAGES[page].live(Settings(page))
        if name is None:  # on the one page whose first view depends on none
            assert page == "models" or page == "glossary"
            name = next(iter(numbers(at)))
        stop = next(each for each in numbers(at)[name]["stops"] if each != numbers(at)[name]["value"])
        release(at, name, write(stop))
        assert changed(at) == {name: write(stop)}
        assert value(at, name) == stop
        assert look(at) != before
        assert same(at, page, **{name: write(stop)})
        move(at, **{name: PARAMETERS[name].default})
        assert look(at) == before
        assert changed(at) == {}

    @pytest.mark.parametrize("page", PAGES)
    def test_a_view_is_chosen_by_its_button(self, page):
        at, choice = open_page(page), PAGES[page].choice
        *_others, last = PARAMETERS[choice].options
        before = look(at)
        move(at, **{choice: last})
        assert changed(at) == {choice: last}
        assert value(at, choice) == last
        assert look(at) != before
        assert same(at, page, **{choice: last})

    @pytest.mark.parametrize("page", PAGES)
    def test_a_setting_to_try_sets_what_it_names_and_nothing_else(self, page):
        at = open_page(page)
        for number, offer in enumerate(PAGES[page].tries(Settings(page))):
            edit(at, lang="en")
            at.get_by_key("try").set_value(number)
            run(at)
            expected = Settings(page).replace(**offer.values).write()
            assert changed(at) == expected
            assert at.get_by_key("try").value is None
            assert {name: value(at, name) for name in expected if name in numbers(at)} == {
                name: offer.values[name] for name in expected if name in numbers(at)
            }
        assert same(at, page, **expected)

    def test_a_setting_to_try_names_the_model_that_it_shows_and_the_next_view_agrees(self):
        at = open_page("models", models_names="meta-llama-3.1-8b,llama-3.2-1b", models_layer="1")
        [phi] = [number for number, offer in enumerate(PAGES["models"].tries(Settings("models"))) if "Phi" in offer.label]
        at.get_by_key("try").set_value(phi)
        run(at)
        assert address(at)["models_length"] == "131072"
        for view in ("ratio", "wavelengths"):
            move(at, models_view=view)
            assert notices(at) == []
            assert same(at, "models", **changed(at))
            assert "models_layer" not in address(at)
            assert "Phi-3.5-mini" in sentences(at)[0]


class TestNumber:
    @pytest.mark.parametrize(
        ("typed", "text"), [("1e6", "1000000"), ("500,000", "500000"), (" 123.25 ", "123.25"), ("1.154781985", "1.154781985")]
    )
    def test_a_number_may_be_typed_in_any_usual_way(self, typed, text):
        at = release(open_page("start"), "base", typed)
        assert changed(at) == {"base": text}
        assert value(at, "base") == float(text)
        assert numbers(at)["base"]["refused"] is None
        assert not notices(at)
        assert same(at, "start", base=text)

    @pytest.mark.parametrize("typed", ["abc", "0", "-1", "1e400", "nan", "", "<b>"])
    def test_what_is_not_allowed_is_named_and_stays_in_the_field_and_the_slider_shows_what_is_used(self, typed):
        at = open_page("start", position="7")
        before = look(at)
        release(at, "base", typed)
        assert changed(at) == {"position": "7", "base": typed}
        (notice,) = notices(at)
        assert notice.startswith("Base b must be a number from 1.01 to 1,000,000,000, got " + ("`" if typed else "nothing"))
        assert (value(at, "base"), numbers(at)["base"]["refused"]) == (10_000, typed)
        assert look(at) == before
        release(at, "base", "500")
        assert not notices(at)
        assert changed(at) == {"position": "7", "base": "500"}

    def test_a_number_that_is_typed_as_it_is_is_no_change(self):
        at = release(open_page("start"), "base", "10,000")
        assert changed(at) == {}

    def test_the_control_hears_which_message_was_read_last(self):
        at = open_page("start")
        assert numbers(at)["base"]["seen"] == 0
        release(at, "base", "500", serial=1_700_000_000_000)
        assert numbers(at)["base"]["seen"] == 1_700_000_000_000
        assert numbers(at)["position"]["seen"] == 0
        release(at, "position", "5", serial=7)
        assert {name: each["seen"] for name, each in numbers(at).items()} == {"base": 1_700_000_000_000, "head_dim": 0, "position": 7}

    @pytest.mark.parametrize(
        "sent",
        [
            *(None, 3, "12", [], {}, {"text": "12"}, {"serial": 1, "name": "position"}, {"text": 12, "serial": 1, "name": "position"}),
            *({"text": "12", "serial": "1", "name": "position"}, {"text": "1" * 400, "serial": 1, "name": "position"}),
            *({"text": "13", "serial": 1, "name": 7}, {"text": "13", "serial": 1, "name": None}, {"text": None, "serial": None}),
        ],
    )
    def test_a_browser_can_send_anything(self, sent):
        at = open_page("start")
        before = look(at)
        trigger(at, component(at, "start.figure"), released=sent)
        assert (changed(at), look(at)) == ({}, before)
        if not isinstance(sent, dict) or isinstance(sent.get("text"), str):
            trigger(at, component(at, "start.figure"), unheard=sent)
            assert changed(at) == {}

    def test_a_release_that_arrives_with_the_turn_of_the_page_is_no_failure(self):
        at = open_page("decay")
        at.switch_page("../pages/pair.py")
        at.query_params = {}
        checked(raw(at, triggered(component(at, "number.head_dim"), released={"text": "64", "serial": 1})), "pair")
        assert set(changed(at)) <= {"head_dim"}

    def test_upper_end_follows_the_numbers_that_it_follows_from(self):
        at = open_page("pair", pair="40")
        assert numbers(at)["pair"]["stops"][-1] == 63
        move(at, head_dim=8)
        assert numbers(at)["pair"]["stops"][-1] == 3
        assert value(at, "pair") == 3
        assert notices(at) == ["Pair i must be a whole number from 0 to 3, got `40`; using 3."]
        move(at, head_dim=128)
        assert not notices(at)
        assert value(at, "pair") == 40

    def test_the_number_that_the_page_is_about_can_be_played_and_the_others_cannot(self):
        found = numbers(open_page("start"))
        assert {name: bool(each["play"]) for name, each in found.items()} == {"base": False, "head_dim": False, "position": True}
        assert found["position"]["play"] == "Play: advance Position m"


class TestChoice:
    @pytest.mark.parametrize("lang", ["en", "zh-CN"])
    def test_few_options_are_buttons_and_many_are_a_list_in_the_words_of_the_language(self, lang):
        for page, name, kind in (("head", "layout", "button_group"), ("extension", "method", "selectbox")):
            at = open_page(page, lang)
            element = controls(at)[name]
            assert element.type == kind
            assert len(element.options) == len(PARAMETERS[name].options)
            last = list(PARAMETERS[name].options)[-1]
            move(at, **{name: last})
            assert changed(at) == {name: last}
            assert value(at, name) == last

    def test_controls_that_the_choice_needs_come_and_go_and_keep_their_values(self):
        at = move(open_page("decay"), vectors="peak", peak=321)
        before = look(at)
        move(at, decay_view="random")
        assert "peak" not in drawn(at)
        assert changed(at) == {"vectors": "peak", "peak": "321", "decay_view": "random"}
        move(at, decay_view="score")
        assert (value(at, "vectors"), value(at, "peak")) == ("peak", 321)
        assert look(at) == before

    @pytest.mark.parametrize("forged", ["no such option", "half\x00", "INTERLEAVED", ""])
    def test_an_option_that_there_is_not_changes_nothing(self, forged):
        for page, name in (("head", "layout"), ("decay", "decay_view"), ("extension", "method")):
            at = open_page(page)
            before = look(at), value(at, name)
            is_list = controls(at)[name].type == "selectbox"
            sent = {"string_value": forged} if is_list else {"string_array_value": {"data": [forged]}}
            send(at, WidgetState(id=controls(at)[name].proto.id, **sent))
            assert (look(at), value(at, name)) == before


class TestVector:
    def test_box_shows_the_default_until_something_is_typed(self):
        assert value(open_page("pair"), "q") == value(open_page("pair", lock="q"), "q") == "1.5, 0.5"

    @pytest.mark.parametrize("typed", ["1 2", "1,2", "1, 2", " 1 , 2 ", "1\N{FULLWIDTH COMMA}2"])
    def test_numbers_may_be_typed_with_commas_of_either_kind_or_spaces(self, typed):
        at = move(open_page("pair"), q=typed)
        assert not notices(at)
        assert same(at, "pair", q="1, 2")

    @pytest.mark.parametrize("typed", ["a b", "1", "1 2 3", "nan 1", "", "101 0", "1 <b>"])
    def test_what_is_not_allowed_stays_in_the_box_and_is_named(self, typed):
        at = open_page("pair")
        before = look(at)
        move(at, q=typed)
        assert value(at, "q") == typed
        assert changed(at) == {"q": typed}
        assert notices(at) == [f"q must be 2 numbers from -100 to 100, got {f'`{typed}`' if typed else 'nothing'}; using 1.5, 0.5."]
        assert look(at) == before
        assert not notices(move(at, q="1, 2"))


class TestOthers:
    def test_a_text_that_is_searched_for(self):
        at = move(open_page("glossary"), term="wavelength")
        assert changed(at) == {"term": "wavelength"}
        assert any("wavelength" in text.value for text in at.markdown)
        assert same(at, "glossary", term="wavelength")
        move(at, term="")
        assert changed(at) == {}
        assert look(at) == look(open_page("glossary"))

    def test_models_that_are_picked_from_the_list(self):
        at = move(open_page("models"), models_names="qwen3-8b,gpt-oss-20b")
        assert changed(at) == {"models_names": "qwen3-8b,gpt-oss-20b"}
        assert value(at, "models_names") == ["qwen3-8b", "gpt-oss-20b"]
        assert same(at, "models", models_names="qwen3-8b,gpt-oss-20b")
        controls(at)["models_names"].set_value([])
        run(at)
        assert changed(at) == {"models_names": ""}
        assert "Gemma 3 4B" in sentences(at)[0]

    def test_a_row_that_is_shown_in_detail(self):
        at = move(open_page("models"), models_layer=1)
        assert changed(at) == {"models_layer": "1"}
        assert same(at, "models", models_layer="1")
        assert value(at, "models_layer") == 1
        assert value(move(at, models_names="gemma-3-4b-it,qwen3-8b"), "models_layer") == 1
        assert "models_layer" not in drawn(move(at, models_names="qwen3-8b"))

    def test_a_method_is_named_and_can_be_removed(self):
        at = open_page("frequencies", scaling=YARN)
        assert "Scaling: **YaRN, factor 4**." in [text.value for text in at.markdown]
        move(at, scaling="")
        assert changed(at) == {}
        assert same(at, "frequencies")
        assert "scaling" not in drawn(at)

    def test_a_method_is_named_where_the_page_uses_it_alone(self):
        assert "scaling" in drawn(open_page("decay", scaling=YARN))
        assert "scaling" not in drawn(open_page("start", scaling=YARN))


class TestModel:
    """The list of models heads the controls: it takes the shared parameters from one, and names the one that they agree with."""

    def choose(self, at, name):
        at.selectbox(key="w.model").set_value(name)
        return run(at)

    def test_the_parameters_of_a_model_are_taken_and_it_is_named_until_one_is_changed(self):
        at = self.choose(open_page("frequencies"), "Llama 3.1 8B")
        row = model_settings()["Llama 3.1 8B"]
        assert {name: value(at, name) for name in ("base", "head_dim", "context")} == {
            name: row[name] for name in ("base", "head_dim", "context")
        }
        assert json.loads(address(at)["scaling"])["rope_type"] == "llama3"
        assert at.selectbox(key="w.model").value == "Llama 3.1 8B"
        before = look(at)
        move(at, base=600_000)
        assert at.selectbox(key="w.model").value is None
        move(at, base=row["base"])
        assert at.selectbox(key="w.model").value == "Llama 3.1 8B"
        assert look(at) == before

    def test_settings_with_which_the_app_opens_are_nobodys_until_their_model_is_chosen(self):
        at = open_page("frequencies")
        assert at.selectbox(key="w.model").value is None
        assert self.choose(at, "Llama 2 7B").selectbox(key="w.model").value == "Llama 2 7B"
        assert changed(at) == {}
        assert self.choose(at, None).selectbox(key="w.model").value is None

    def test_of_several_with_the_same_parameters_the_chosen_one_is_named_and_by_a_link_none(self):
        rows = [(name, row) for name, row in model_settings().items() if Settings("frequencies").replace(**row) != Settings("frequencies")]
        one, other = next((a, b) for i, (a, row) in enumerate(rows) for b, same in rows[i + 1 :] if same == row)
        at = self.choose(open_page("frequencies"), other)
        assert at.selectbox(key="w.model").value == other
        assert open_page("frequencies", **changed(at)).selectbox(key="w.model").value is None
        assert self.choose(at, one).selectbox(key="w.model").value == one
        go(self.choose(at, other), "bases")
        assert at.selectbox(key="w.model").value == other

    def test_a_value_that_some_model_has_is_still_the_readers_own(self):
        at = move(open_page("frequencies"), base=500_000)
        assert agreeing(Settings("frequencies").replace(base=500_000))
        assert at.selectbox(key="w.model").value is None

    def test_a_model_that_there_is_not_changes_nothing(self):
        at = open_page("frequencies")
        before = look(at)
        send(at, WidgetState(id=at.selectbox(key="w.model").proto.id, string_value="No such model"))
        assert (look(at), changed(at)) == (before, {})

    def test_it_stands_where_a_shared_parameter_does(self):
        assert {page for page in PAGES if any(box.key == "w.model" for box in open_page(page).selectbox)} == set(PAGES) - {"models"}


def test_disabled_controls_are_those_that_a_link_locks_alone():
    at = open_page("pair", lock="m,q,speed")
    assert {name for name in drawn(at) if disabled(at, name)} == {"m", "q", "speed"}


def test_a_session_does_not_see_what_another_one_sets():
    one, other = open_page("start"), open_page("start", "zh-CN")
    untouched = look(other)
    move(one, base=50, position=7)
    run(other)
    assert look(other) == untouched
    assert changed(other) == {}
