"""``lock=`` and ``hide=`` in a link: what is held keeps its value, whatever a browser sends, and what is hidden is told nowhere."""

import json

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from lessons.quiz import steps_of
from lessons.registry import PAGES
from parameters import PARAMETERS
from parameters.settings import Settings
from parameters.types import Choice, Number, Vector, write
from tests.visit import (
    address,
    alt,
    component,
    controls,
    disabled,
    drawn,
    edit,
    figure,
    go,
    look,
    message,
    move,
    notices,
    numbers,
    open_page,
    press,
    prose,
    release,
    run,
    send,
    texts,
    trigger,
    triggered,
    value,
)

OWN = {"models_way": "own", "models_config": '{"head_dim":64,"rope_theta":500}'}
OTHER = {"models_names": "qwen3-8b", "models_beside": "qwen3-8b", "models_layer": "1", "term": "base", "attention_words": "one two"}


def other(name):
    """A value that a control can hold and that is not its default, as a link has it."""
    spec = PARAMETERS[name]
    if isinstance(spec, Number):
        stops = spec.stops(spec.high)
        return write(next((stop for stop in stops if stop > spec.default), stops[-2]))
    if isinstance(spec, Choice):
        return list(spec.options)[-1]
    return " ".join(["7"] * spec.shortest) if isinstance(spec, Vector) else OTHER[name]


def movable(at):
    return {name for name in drawn(at) if not disabled(at, name)}


def told_nothing(element):
    """A control as a browser sends it that does not know what is disabled."""
    element.proto.disabled = False
    return element


def forge(at, *names):
    """Send at once what a browser could send to move controls, disabled or not; hidden ones through the figure, one in a run."""
    states = []
    for name, element in controls(at).items():
        if name in numbers(at):
            sent = {"text": write(PARAMETERS[name].low), "serial": 9_999_999_999_999, "name": name}
            states.append(triggered(element, released=sent))
        elif isinstance(PARAMETERS[name], Choice):
            last = told_nothing(element).options[-1]
            is_list = element.type == "selectbox"
            states.append(
                WidgetState(id=element.proto.id, **({"string_value": last} if is_list else {"string_array_value": {"data": [last]}}))
            )
        elif element.type in ("text_input", "text_area"):
            states.append(WidgetState(id=told_nothing(element).proto.id, string_value="1 1"))
    send(at, *states)
    for name in names:
        text = write(PARAMETERS[name].low) if isinstance(PARAMETERS[name], Number) else "forged"
        trigger(at, component(at, f"{at.session_state['visit'].page}.figure"), released={"name": name, "text": text, "serial": 1})
    return at


def everything(at):
    """Every word of the page, of its figure and of its controls."""
    shown = message(at)["view"]
    inside = [*texts(figure(at)), alt(at), *shown["sentences"], shown["verdict"]]
    native = [part for element in controls(at).values() if hasattr(element, "options") for part in (element.label, str(element.value))]
    return [*prose(at), *inside, *native, *(text.value for text in at.code)]


class TestEach:
    @pytest.mark.parametrize("page", PAGES)
    def test_every_control_keeps_the_value_of_the_link_whether_it_is_locked_or_hidden(self, page):
        values = {name: other(name) for name in drawn(open_page(page))}
        reference = open_page(page, **values)
        names = drawn(reference)
        assert not reference.warning
        for lock, hide in ((names[::2], names[1::2]), (names[1::2], names[::2])):
            at = open_page(page, lock=",".join(lock), hide=",".join(hide), **values)
            assert drawn(at) == [name for name in names if name in lock]
            assert movable(at) == set()
            assert look(at) == look(reference)
            assert [value(at, name) for name in lock] == [value(reference, name) for name in lock]
            (caption,) = [text.value for text in at.caption if "Locked" in text.value]
            assert all(PARAMETERS[name].label in caption for name in lock)
            assert look(forge(at, *hide)) == look(reference)
            assert {name: address(at)[name] for name in values} == values

    def test_the_others_can_be_moved(self):
        free = open_page("pair")
        for held in ({"lock": "m"}, {"hide": "m"}):
            at = open_page("pair", **held)
            assert movable(at) == movable(free) - {"m"}
            assert look(move(at, n=9)) == look(open_page("pair", n="9"))
        assert not any("Locked" in text.value for text in at.caption)

    @pytest.mark.parametrize("way", ["lock", "hide"])
    @pytest.mark.parametrize("page", PAGES)
    def test_all_controls_together_are_held_against_every_button(self, page, way):
        reference = open_page(page)
        at = open_page(page, **{way: ",".join(PARAMETERS)})
        assert not at.warning
        assert movable(at) == set()
        assert drawn(at) == (drawn(reference) if way == "lock" else [])
        before = look(reference)
        assert look(at) == before
        assert not [group for group in at.get("button_group") if group.key == "try"]
        for button in at.button:
            if button.key not in ("share", "pin", "present"):
                told_nothing(button).click()
        assert look(run(at)) == before

    @pytest.mark.parametrize("page", PAGES)
    def test_an_address_that_is_edited_moves_nothing_that_is_held(self, page):
        name = PAGES[page].live(Settings(page)) or PAGES[page].controls(Settings(page))[0]
        at = open_page(page, lock=name)
        before = look(at)
        edit(at, lang="en", **{name: other(name)})
        assert look(at) == before
        assert disabled(at, name)


class TestHidden:
    def test_value_of_a_hidden_number_stands_nowhere_beside_the_figure(self):
        at = open_page("start", hide="base", base="87654")
        assert not any("87654" in text or "87,654" in text for text in [*[text.value for text in at.caption], json.dumps(numbers(at))])
        assert "base" not in numbers(at)

    def test_value_of_a_hidden_text_stands_in_no_box(self):
        at = open_page("pair", hide="q,k", q="-7.25 3")
        assert not any(box.key in ("w.q", "w.k") for box in at.text_input)

    @pytest.mark.parametrize("held", ["base", "scaling", "layout", "context"])
    def test_no_model_is_named_where_a_shared_parameter_is_hidden(self, held):
        at = open_page("frequencies", hide=held, base="500000", context="8192")
        assert not any(box.key == "w.model" for box in at.selectbox)
        assert not any("Llama 3 8B" in text for text in everything(at))

    def test_hidden_method_is_not_named(self):
        at = open_page("frequencies", hide="scaling", scaling='{"rope_type":"yarn","factor":4}')
        assert "scaling" not in drawn(at)
        assert not any(text.value.startswith("Scaling: ") for text in at.markdown)

    def test_hidden_view_has_no_buttons(self):
        at = open_page("start", hide="start_view", start_view="two")
        assert not [group for group in at.get("button_group") if group.key == "w.start_view"]
        assert look(at) == look(open_page("start", start_view="two"))

    def test_hidden_live_number_is_not_under_the_figure(self):
        at = open_page("start", hide="position", position="7")
        assert message(at)["number"] is None
        assert look(at) == look(open_page("start", position="7"))


class TestButtons:
    def test_settings_to_try_that_would_change_what_is_held_are_not_offered(self):
        at = open_page("decay", lock="vectors")
        offers = at.get_by_key("try").options
        assert offers == ["Ten million tokens", "Random q and k", "Base 500,000"]
        at.get_by_key("try").set_value(2)
        assert address(run(at))["decay_view"] == "random"

    @pytest.mark.parametrize("held", ["base", "scaling", "layout"])
    def test_no_model_can_be_taken_while_one_of_its_settings_is_locked(self, held):
        at = open_page("frequencies", lock=held)
        box = at.selectbox(key="w.model")
        assert box.disabled
        before = look(at)
        send(at, WidgetState(id=told_nothing(box).proto.id, string_value="Llama 3.1 8B"))
        assert look(open_page("frequencies", lock=held, base="500000")) != before or held == "base"
        assert value(at, held) == value(open_page("frequencies"), held) if held in drawn(at) else True

    def test_button_that_would_change_what_is_held_on_this_or_another_page_cannot_be_pressed(self):
        at = open_page("models", lock="base", models_names="qwen3-8b")
        offers = [button for button in at.button if button.key.startswith("offer.open")]
        assert offers
        assert all(button.proto.disabled for button in offers)
        assert not any(button.proto.disabled for button in open_page("models").button if button.key.startswith("offer.open"))

    def test_config_of_ones_own_cannot_be_replaced_where_it_is_held(self):
        at = open_page("models", lock="models_config", **OWN)
        before = look(at)
        box = told_nothing(at.text_area(key="config.text"))
        send(at, WidgetState(id=box.proto.id, string_value='{"head_dim":128,"rope_theta":9}'))
        told_nothing(at.button(key="offer.discard")).click()
        assert look(run(at)) == before
        assert not open_page("models", hide="models_config", **OWN).text_area


class TestVisit:
    def test_held_controls_stay_held_on_the_way_through_the_pages(self):
        at = open_page("start", lock="m,base", hide="n", m="33", n="9", base="500")
        for name in ("decay", "pair", "start", "pair"):
            go(at, name)
            assert disabled(at, "base")
            assert value(at, "base") == 500
            assert (address(at)["lock"], address(at)["hide"]) == ("m,base", "n")
            assert name != "pair" or (address(at)["m"], address(at)["n"]) == ("33", "9")
        assert value(at, "m") == 33
        assert disabled(at, "m")
        assert "n" not in drawn(at)
        assert look(at) == look(open_page("pair", m="33", n="9", base="500"))

    def test_what_is_held_at_its_default_stays_out_of_the_address_whatever_a_browser_sends(self):
        at = forge(open_page("pair", lock="m,q", hide="n"), "n")
        assert not {"m", "n", "q"} & set(address(at))
        assert (value(at, "m"), value(at, "q")) == (7, "1.5, 0.5")

    def test_the_link_with_which_a_visit_began_decides_for_all_of_it(self):
        at = open_page("pair", lock="m", m="33")
        edit(at, lang="en", m="5")
        assert disabled(at, "m")
        assert value(release(at, "m", "7"), "m") == 33
        edit(at, lang="en", lock="base")
        assert not disabled(at, "base")

    def test_a_step_and_its_answer_move_nothing_that_is_held(self):
        (step, *_more) = steps_of("decay")
        at = open_page("decay", lock="base", base="777", step="1")
        assert value(at, "base") == 777
        assert step.start

    def test_default_of_a_held_number_follows_the_bounds_of_the_page(self):
        at = open_page("pair", lock="pair", head_dim="8")
        assert not at.warning
        assert value(at, "pair") == 3
        move(at, head_dim=128)
        assert value(at, "pair") == 8

    @pytest.mark.parametrize("given", ["abc", "nan", "-1", "", "<b>"])
    def test_held_number_that_is_not_allowed_is_the_default_and_named_once(self, given):
        at = open_page("pair", lock="m", m=given)
        assert look(at) == look(open_page("pair"))
        (notice,) = notices(at)
        assert "Position m of q" in notice
        assert numbers(at)["m"]["refused"] is None

    @pytest.mark.parametrize("hostile", ["<img src=x>", "__class__", "lang", "lock", "embed", "w.m", "`*x*`", "z" * 10_000, ",,;%00"])
    def test_names_that_are_none_are_quoted_in_the_one_notice_and_hold_nothing(self, hostile):
        at = open_page("pair", lock=hostile, hide=f"{hostile},m")
        assert movable(at) == movable(open_page("pair")) - {"m"}
        (said,) = notices(at)
        assert said.startswith("The link locks or hides `")
        assert said.count("`") == 2
        assert len(said) < 200

    def test_frame_in_another_page_names_what_is_locked_there(self):
        at = open_page("pair", browser={"is_embedded": True}, lock="base,m,reach")
        (caption,) = [text.value for text in at.caption if "Locked" in text.value]
        assert caption.endswith(": Position m of q, Base b.")

    def test_pinned_setting_is_as_free_as_its_link(self):
        at = open_page("start", lock="base", base="500")
        press(at, "pin")
        move(at, position=7)
        assert address(at)["pin"] == "start:base=500"
        assert value(at, "base") == 500
