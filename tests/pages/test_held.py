"""``lock=`` and ``hide=`` in a link: every control of every page, in its turn and all together, and whoever tries to move them."""

import pytest

from tests.pages.test_controls import ends, in_link
from tests.visit import buttons, checked, choices, disabled, drawn, go, look, move, open_page, run, slider, sliders, stops, value
from parameters.types import Carried, Method, Number
from ui.parameters import PARAMETERS, SHARED
from lessons.registry import LESSONS

MODELS_OWN = {"models_way": "own", "models_config": '{"head_dim":64,"rope_theta":500}'}


def hidden(at):
    """Names of the parameters whose box stands in a place that the shell does not show."""
    return {name for name in drawn(at) if stands(at, f"hidden-{name}")}


def stands(at, key):
    try:
        return bool(at.get_by_key(key))
    except KeyError:
        return False


def parts(at, name):
    """Whatever a reader could move a parameter with, beside a box that is always hidden."""
    spec = PARAMETERS[name]
    found = [each.key for each in (*sliders(at), *at.get("button_group"), *at.multiselect, *at.selectbox, *at.text_area)]
    followers = {f"{name}.slider", f"{name}.live", f"{name}.buttons", f"{name}.picks", f"{name}.pick"} & set(found)
    return followers | ({name} - hidden(at) if not isinstance(spec, Method | Carried) else set())


def movable(at):
    return {name for name in drawn(at) if not disabled(at, name)}


def forge(at, name):
    """Send what a browser could send that does not know what is disabled: to the box, and to what follows it."""
    spec = PARAMETERS[name]
    other = spec.high if isinstance(spec, Number) else next((end for end in ends(at, name) if end != value(at, name)), spec.default)
    if isinstance(spec, Number):
        told_nothing(at.number_input(key=name)).set_value(float(other))
        for each in at.select_slider:
            if each.key == f"{name}.slider":
                told_nothing(each).set_value(stops(at, name)[-1])
    else:
        told_nothing(at.text_input(key=name)).set_value(other)
        if stands(at, f"{name}.buttons"):
            told_nothing(buttons(at, name)).set_value(other)
    return run(at)


def told_nothing(element):
    element.proto.disabled = False
    return element


@pytest.fixture(scope="module", params=list(LESSONS))
def page(request):
    return request.param


@pytest.fixture(scope="module")
def free(page):
    return open_page(page)


def test_each_control_is_locked_or_hidden_alone_and_keeps_the_value_of_the_link(page, free, subtests):
    for name in sorted(movable(free)):
        given = next(end for end in ends(free, name) if end != value(free, name))
        settings = {name: in_link(given)}
        with subtests.test(control=name):
            reference = open_page(page, **settings)
            locked, gone = open_page(page, lock=name, **settings), open_page(page, hide=name, **settings)
            assert movable(locked) == movable(gone) == movable(reference) - {name}
            assert look(locked) == look(gone) == look(reference)
            assert parts(locked, name) == parts(reference, name)
            assert parts(gone, name) == set()
            assert hidden(gone) == hidden(reference) | {name}
            assert any(PARAMETERS[name].label in caption.value for caption in locked.caption if "Locked" in caption.value)
            assert value(forge(locked, name), name) == given
            assert look(locked) == look(reference)


@pytest.mark.parametrize("way", ["lock", "hide"])
def test_all_controls_together_are_held_in_every_view_and_against_every_button(page, free, way, subtests):
    view = choices(free)[0]
    for option in PARAMETERS[view].options:
        with subtests.test(view=option):
            reference = open_page(page, **{view: option})
            at = open_page(page, **{view: option, way: ",".join(PARAMETERS)})
            assert not at.warning
            assert movable(at) == set()
            assert look(at) == look(reference)
            if way == "hide":
                assert sliders(at) == []
                assert hidden(at) == set(drawn(reference))
            for button in at.button:
                if button.key != "share" and not button.key.endswith(".pin"):
                    told_nothing(button).click()
            assert look(run(at)) == look(reference)


def test_buttons_that_would_change_what_is_locked_are_greyed_out_and_the_others_are_not():
    at = open_page("decay", lock="vectors")
    offers = {button.label: button.proto.disabled for button in at.button if ".try" in button.key}
    assert offers == {
        "A key that peaks at distance 1,000": True,
        "Ten million tokens": False,
        "Random q and k": False,
        "Base 500,000": False,
    }


@pytest.mark.parametrize("held", ["base", "scaling", "layout"])
def test_no_model_can_be_taken_while_one_of_its_settings_is_held(held):
    at = open_page("frequencies", lock=held)
    assert at.selectbox(key="model.choice").disabled
    told_nothing(at.selectbox(key="model.choice")).set_value(at.selectbox(key="model.choice").options[3])
    before = look(at)
    assert look(run(at)) == before
    assert "model.choice" not in [box.key for box in open_page("frequencies", hide=held).selectbox]


def test_config_of_ones_own_cannot_be_replaced_where_it_is_held():
    at = open_page("models", lock="models_config", **MODELS_OWN)
    before = look(at)
    told_nothing(at.text_area(key="models.text")).set_value('{"head_dim":128,"rope_theta":9}')
    told_nothing(at.button(key="models.discard")).click()
    assert look(run(at)) == before
    assert not open_page("models", hide="models_config", **MODELS_OWN).text_area


def test_default_of_a_held_number_follows_the_bounds_of_the_page():
    at = open_page("pair", lock="pair", head_dim="8")
    assert not at.warning
    assert slider(at, "pair").value == 3
    move(at, head_dim=128)
    assert slider(at, "pair").value == value(at, "pair") == 8


def test_held_controls_stay_held_on_the_way_through_the_pages():
    at = open_page("start", lock="m,base", hide="n", m="33", n="9", base="500")
    for name in ("decay", "pair", "start", "pair"):
        go(at, name)
        assert disabled(at, "base")
        assert value(at, "base") == 500
    assert (value(at, "m"), value(at, "n")) == (33, 9)
    assert disabled(at, "m")
    assert parts(at, "n") == set()
    assert look(at) == look(open_page("pair", m="33", n="9", base="500"))


def test_the_link_with_which_a_visit_began_decides_for_all_of_it():
    at = open_page("pair", lock="m", m="33")
    at.query_params["lock"] = ""
    told_nothing(at.text_input(key="lock")).set_value("")
    run(at)
    assert value(forge(at, "m"), "m") == 33


@pytest.mark.parametrize("given", ["abc", "nan", "-1", "1e400", "", "<b>"])
def test_held_number_that_is_not_allowed_is_the_default_and_named_once(given):
    at = open_page("pair", lock="m", m=given)
    assert look(at) == look(open_page("pair"))
    assert len(at.warning) == 1
    assert "Position m of q" in at.warning[0].value


@pytest.mark.parametrize("hostile", ["<img src=x>", "__class__", "lang", "lock", "embed", "m.slider", "`*x*`", "z" * 10_000, ",,;%00"])
def test_names_that_are_none_are_quoted_in_the_one_notice_and_hold_nothing(hostile):
    at = open_page("pair", lock=hostile, hide=f"{hostile},m")
    assert movable(at) == movable(open_page("pair")) - {"m"}
    assert len(at.warning) == 1
    said = at.warning[0].value
    assert said.startswith("The link locks or hides `")
    assert said.count("`") == 2
    assert len(said) < 200


def test_share_says_what_the_boxes_say_and_keeps_what_the_link_holds():
    at = open_page("pair", m="33", lock="m,position", position="7", browser={"url": "https://school.example/rope/pair"})
    move(at, base=85_565.3, q="2, -1", pair_view="shift")
    at.button(key="share").click()
    checked(at.run(), "pair")
    link = at.code[1].value
    assert link.startswith("https://school.example/rope/pair?")
    query = dict(pair.split("=") for pair in link.partition("?")[2].split("&"))
    assert query == {
        "lang": "en",
        "lock": "m,position",
        "position": "7",
        "base": "85565.3",
        "m": "33",
        "q": "2,+-1",
        "pair_view": "shift",
    }
    assert at.multiselect(key="share.lock").value == ["m"]
    assert "ROPE_LAB_FRAME_ANCESTORS" in at.caption[-1].value


def test_share_offers_the_controls_of_the_page_that_change_something():
    at = open_page("start")
    at.button(key="share").click()
    run(at)
    assert at.multiselect(key="share.lock").options == at.multiselect(key="share.hide").options
    assert at.multiselect(key="share.lock").options == [PARAMETERS[name].label for name in ("start_view", "position", "base", "head_dim")]


def test_share_says_when_a_link_is_too_long():
    at = open_page("decay", vectors="typed", q_head=" ".join(["-999.123"] * 512))
    at.button(key="share").click()
    run(at)
    assert any("some programs cut off what is beyond 4,096" in warning.value for warning in at.warning)
    assert any("too long for a QR code" in caption.value for caption in at.caption)


def test_page_within_another_one_has_no_way_out_and_no_share():
    at = open_page("pair", browser={"is_embedded": True}, lock="base,m")
    assert "share" not in [button.key for button in at.button]
    assert not at.get("page_link")
    assert next(caption.value for caption in at.caption if "Locked" in caption.value).endswith(": Position m of q.")
    assert set(SHARED) <= set(drawn(at))
