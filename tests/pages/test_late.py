"""A browser that moves a control before it has heard of the last move says what all the others held before, and undoes nothing."""

import json

import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates

from tests.visit import buttons, checked, live_sliders, move, open_page, run, value
from ui.parameters import PARAMETERS
from lessons.registry import LESSONS

VIEWS = {page: name for page in LESSONS for name in PARAMETERS if name in (f"{page}_view", f"{page[:4]}_view", f"{page[:3]}_view")}


def held(at):
    """What a browser holds, but for buttons."""
    return {each.id: each for each in at._tree.get_widget_states().widgets if not each.HasField("trigger_value")}


def say(at, states, *changed):
    """Run the page with what a browser holds, and controls that were moved."""
    at._run(WidgetStates(widgets=list((states | {each.id: each for each in changed}).values())))
    return checked(at)


def clicked(element):
    return WidgetState(id=element.proto.id, trigger_value=True)


def chosen(group, code):
    """The state of a row of buttons in which one was clicked."""
    options = [option.content for option in group.proto.options]
    codes = list(PARAMETERS[group.key.removesuffix(".buttons")].options)
    state = WidgetState(id=group.proto.id)
    state.string_array_value.data.append(options[codes.index(code)])
    return state


def boxes(at):
    return {each.key: each.value for each in (*at.number_input, *at.text_input) if each.key in PARAMETERS}


@pytest.mark.parametrize("page", LESSONS)
def test_settings_of_a_button_stay_when_another_control_is_moved_before_they_are_heard_of(page):
    at = open_page(page)
    before = boxes(at)
    for number in range(9):
        tries = [each for each in at.button if each.key == f"{page}.try{number}"]
        if not tries or tries[0].disabled:
            continue
        early = held(at)
        say(at, early, clicked(tries[0]))
        after = boxes(at)
        if after == before:
            continue
        for _ in range(2):
            say(at, early, clicked(at.button(key="share")))
            assert boxes(at) == after
        return
    assert page == "models", "a page whose buttons set nothing"


@pytest.mark.parametrize("page", VIEWS)
def test_a_view_stays_when_another_control_is_moved_before_it_is_heard_of(page):
    at, name = open_page(page), VIEWS[page]
    default, other = list(PARAMETERS[name].options)[:2]
    early, group = held(at), buttons(at, name)
    say(at, early, chosen(group, other))
    # The row has what was clicked, the box has not.
    middle = early | {group.proto.id: chosen(group, other)}
    say(at, middle, clicked(at.button(key="share")))
    assert value(at, name) == other
    say(at, middle, chosen(group, default))
    assert value(at, name) == default


def test_a_number_that_is_typed_counts_whatever_was_heard():
    at = open_page("decay")
    early = held(at)
    move(at, base=500000)
    box = at.number_input(key="base").proto.id
    say(at, early, WidgetState(id=box, double_value=20000))
    assert value(at, "base") == 20000


def test_a_follower_that_was_set_with_its_box_says_nothing_until_it_has_heard_of_it():
    at = open_page("decay")
    early = held(at)
    at.button(key="decay.try0").click()
    run(at)
    moved = {name: now for name, now in boxes(at).items() if PARAMETERS[name].default != now}
    assert moved
    say(at, early)
    assert moved.items() <= boxes(at).items()


def test_a_hand_that_rests_late_does_not_undo_what_a_button_has_set():
    at = open_page("start")
    [slider] = [each for each in at.get("bidi_component") if each.proto.component_name == "rope-lab-slider"]
    message = '{{"move": {{"value": 15, "step": {step}, "rest": {rest}, "hold": 0}}}}'
    early = held(at)
    early[slider.proto.id] = WidgetState(id=slider.proto.id, json_value=message.format(step=1, rest="false"))
    say(at, early)
    early = held(at) | {slider.proto.id: early[slider.proto.id]}
    say(at, early, clicked(at.button(key="start.try1")))
    assert value(at, "position") == 1_000_000
    say(at, early, WidgetState(id=slider.proto.id, json_value=message.format(step=2, rest="true")))
    assert value(at, "position") == 1_000_000
    assert live_sliders(at)[0].hold > 0


def test_the_count_of_keys_goes_on_whatever_else_was_heard():
    """The component of the clicker waits until its keys were counted."""
    at = open_page("start", present="1")
    for number in range(1, 4):
        [keys] = [each for each in at.get("bidi_component") if each.proto.component_name == "rope-lab-keys"]
        assert json.loads(keys.proto.json) == {"heard": number - 1}
        trigger = WidgetState(
            id=_make_trigger_id(keys.proto.id, "events"), json_trigger_value=json.dumps([{"event": "pressed", "value": ["next"]}])
        )
        say(at, held(at), trigger)
