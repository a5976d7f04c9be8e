"""Every control that a page draws is moved, in every view of the page: what can be moved changes the figure, what cannot says so.

The list comes from the page itself: a new parameter, view or page is covered the day it is drawn.
"""

import pytest

from tests.visit import buttons, choices, figure, look, move, open_page, run, show, slider, stops, value, views
from parameters.types import Carried, Choice, Method, Number
from ui.parameters import PARAMETERS, SHARED
from lessons.registry import LESSONS

CARRIED = {
    "models_names": ["qwen3-8b", "deepseek-v3,phi-3.5-mini-instruct,llama-4-scout-17b-16e-instruct,qwen2.5-vl-7b-instruct"],
    "models_beside": ["qwen3-8b", "gpt-oss-20b,gemma-3-4b-it"],
    "models_config": [
        '{"head_dim":64,"max_position_embeddings":2048,"rope_parameters":{"rope_theta":500,"rope_type":"linear","factor":2}}',
        '{"head_dim":8,"max_position_embeddings":64,"layer_types":["a","b"],"rope_parameters":{"a":{"rope_theta":9},"b":null}}',
    ],
    "models_layer": ["1"],
    "term": ["pair-0", "i = P − 1"],
}
"""Two texts of each kind that a link alone holds."""


def ends(at, name):
    """The two ends of a control's range, or all of its options."""
    spec = PARAMETERS[name]
    if isinstance(spec, Number):
        return [stops(at, name)[0], stops(at, name)[-1]]
    if isinstance(spec, Choice):
        return list(spec.options)
    if isinstance(spec, Method):
        return ['{"rope_type":"proportional","rotary_fraction":0.25}', '{"rope_type":"yarn","factor":4}']
    if isinstance(spec, Carried):
        return CARRIED[name]
    longest = min(spec.longest, 8)
    return [" ".join([f"{spec.low:g}"] * spec.shortest), ", ".join([f"{spec.high:.0f}"] * longest)]


def in_link(new):
    return new if isinstance(new, str) else f"{new:.15g}"


@pytest.fixture(scope="module", params=list(LESSONS))
def page(request):
    return request.param


@pytest.fixture(scope="module")
def session(page):
    """One visit of the page; a test leaves the controls as it found them."""
    return open_page(page)


def test_every_control_that_can_be_moved_changes_the_figure_at_both_ends(page, session, subtests):
    for view in views(page):
        at = show(session, view.choices)
        for name in view.drawn:
            if name in view.choices or name in view.idle:
                continue
            before = value(at, name)
            targets = [end for end in ends(at, name) if end != before]
            assert targets
            for end in targets:
                with subtests.test(view=view.choices, control=name, end=end):
                    move(at, **{name: end})
                    assert look(at) != view.look
            move(at, **{name: before})
            assert look(at) == view.look, f"{name} does not find its way back"


def test_every_view_has_a_figure_of_its_own(page):
    looks = {view.look for view in views(page)}
    assert len(looks) == len(views(page)) > 1


def test_controls_that_cannot_be_moved_change_nothing(page, session, subtests):
    for view in views(page):
        at = show(session, view.choices)
        for pick in (0, -1):
            link = {name: in_link(ends(at, name)[pick]) for name in view.idle}
            with subtests.test(view=view.choices, link=link):
                assert look(open_page(page, **view.choices, **link)) == view.look


def test_controls_that_cannot_be_moved_are_named(page, session):
    for view in views(page):
        at = show(session, view.choices)
        named = " ".join(caption.value for caption in at.caption)
        assert all(PARAMETERS[name].label in named for name in view.idle if not isinstance(PARAMETERS[name], Method))


def test_scaling_is_named_where_it_is_set_with_a_word_where_it_changes_nothing(page):
    for view in views(page):
        at = open_page(page, scaling='{"rope_type":"yarn","factor":4}', **view.choices)
        lines = [line.value for line in at.sidebar.markdown]
        assert any("YaRN, factor 4" in line for line in lines)
        assert any("does not follow it" in line for line in lines) == ("scaling" in view.idle)


def test_shared_controls_are_drawn_in_every_view_and_those_the_lesson_uses_can_be_moved_in_some(page):
    movable = {name for view in views(page) for name in SHARED if name not in view.idle}
    assert all(set(SHARED) <= set(view.drawn) for view in views(page))
    assert movable == set(LESSONS[page].uses)


def test_only_shared_controls_are_ever_idle(page):
    assert all(set(view.idle) <= set(SHARED) for view in views(page))


def test_every_parameter_is_drawn_by_the_frame_or_by_exactly_one_page():
    drawers = {name: [page for page in LESSONS if any(name in view.drawn for view in views(page))] for name in PARAMETERS}
    assert {name: pages for name, pages in drawers.items() if len(pages) != 1} == {name: list(LESSONS) for name in SHARED}


def test_slider_and_box_of_a_number_agree_whichever_is_moved(page, session, subtests):
    seen = set()
    for view in views(page):
        at = show(session, view.choices)
        for name in view.drawn:
            if not isinstance(PARAMETERS[name], Number) or name in seen or name in view.idle:
                continue
            seen.add(name)
            before = value(at, name)
            with subtests.test(control=name):
                between = stops(at, name)[-2] + PARAMETERS[name].step  # no stop of the slider, most often
                move(at, **{name: between})
                assert slider(at, name).value == between
                assert between in stops(at, name)
                typed = look(at)
                slider(at, name).set_value(stops(at, name)[0])
                run(at)
                assert value(at, name) == stops(at, name)[0]
                assert look(at) != typed
            move(at, **{name: before})
    assert seen


def test_button_writes_its_code_into_the_box(page, session):
    at = session  # in English only: AppTest asks for the words of a button outside the session, where nobody has chosen a language
    for name in choices(at):
        last = list(PARAMETERS[name].options)[-1]
        buttons(at, name).set_value(last)
        run(at)
        assert value(at, name) == last


@pytest.mark.parametrize("typed", ["1 2", "1,2", "1, 2", " 1 , 2 ", "1\N{FULLWIDTH COMMA}2"])
def test_vector_may_be_typed_with_commas_of_either_kind_or_spaces(typed):
    assert look(open_page("pair", q=typed)) == look(open_page("pair", q="1, 2"))


def test_small_and_large_numbers_are_shown_exactly():
    at = open_page("start", base="1.154781985", position="9999999")
    assert "1.154781985" in slider(at, "base").options
    assert "9,999,999" in slider(at, "position").options
    assert at.number_input(key="base").proto.format == "%.15g"


def test_axes_of_the_plane_do_not_move_while_a_position_is_dragged():
    at = open_page("pair")
    axes = [figure(at)["layout"][axis].get("range") for axis in ("xaxis", "yaxis")]
    for m in (8, 9, 1000):
        move(at, m=m)
        assert [figure(at)["layout"][axis].get("range") for axis in ("xaxis", "yaxis")] == axes


def test_chart_keeps_its_height_and_its_key_when_a_control_moves():
    at = open_page("decay")
    height = figure(at)["layout"]["height"]
    move(at, base=500)
    assert figure(at)["layout"]["height"] == height
    assert at.get_by_key("decay_figure")
