"""Every control that a page draws is moved, in every view of the page: what can be moved changes the figure, what cannot says so.

The list comes from the page itself: a new parameter, view or page is covered the day it is drawn.
"""

import pytest

from tests.visit import buttons, disabled, drawn, figure, move, open_page, run, slider, spec, stops, value, views
from ui.parameters import PARAMETERS, SHARED, Choice, Number, Vector
from ui.registry import LESSONS



def ends(at, name):
    """The two ends of a control's range, or all of its options."""
    spec_ = PARAMETERS[name]
    if isinstance(spec_, Number):
        return [stops(at, name)[0], stops(at, name)[-1]]
    if isinstance(spec_, Choice):
        return list(spec_.options)
    longest = min(spec_.longest, 8)
    return [" ".join([f"{spec_.low:g}"] * spec_.shortest), ", ".join([f"{spec_.high:.0f}"] * longest)]


def in_link(new):
    return new if isinstance(new, str) else f"{new:.15g}"


@pytest.fixture(scope="module", params=list(LESSONS))
def page(request):
    return request.param


def test_every_control_that_can_be_moved_changes_the_figure_at_both_ends(page, subtests):
    for view in views(page):
        at = open_page(page, **view)
        start = spec(at)
        for name in drawn(at):
            if name in view or disabled(at, name):
                continue
            before = value(at, name)
            targets = [end for end in ends(at, name) if end != before]
            assert targets
            for end in targets:
                with subtests.test(view=view, control=name, end=end):
                    move(at, **{name: end})
                    assert spec(at) != start
            move(at, **{name: before})
            assert spec(at) == start, f"{name} does not find its way back"


def test_every_view_has_a_figure_of_its_own(page):
    figures = [spec(open_page(page, **view)) for view in views(page)]
    assert len(set(figures)) == len(figures) > 1


def test_controls_that_cannot_be_moved_change_nothing(page, subtests):
    for view in views(page):
        at = open_page(page, **view)
        idle = [name for name in drawn(at) if disabled(at, name)]
        for pick in (0, -1):
            link = {name: in_link(ends(at, name)[pick]) for name in idle}
            with subtests.test(view=view, link=link):
                assert spec(open_page(page, **view, **link)) == spec(at)


def test_control_that_cannot_be_moved_is_named_as_such(page):
    at = open_page(page)
    idle = [name for name in drawn(at) if disabled(at, name)]
    named = " ".join(caption.value for caption in at.caption)
    assert all(PARAMETERS[name].label in named for name in idle)


def test_shared_controls_are_drawn_on_every_page_and_those_it_uses_can_be_moved_in_some_view(page):
    movable = set()
    for view in views(page):
        at = open_page(page, **view)
        assert set(SHARED) <= set(drawn(at))
        movable |= {name for name in SHARED if not disabled(at, name)}
    assert movable == set(LESSONS[page].uses)


def test_every_parameter_is_drawn_by_the_frame_or_by_exactly_one_page():
    drawers = dict.fromkeys(PARAMETERS, 0)
    for page in LESSONS:
        found = {name for view in views(page) for name in drawn(open_page(page, **view))}
        for name in found - set(SHARED):
            drawers[name] += 1
    assert {name for name, count in drawers.items() if count != 1} == set(SHARED)


def test_slider_and_box_of_a_number_agree_whichever_is_moved(page, subtests):
    seen = set()
    for view in views(page):
        at = open_page(page, **view)
        for name in drawn(at):
            if not isinstance(PARAMETERS[name], Number) or name in seen or disabled(at, name):
                continue
            seen.add(name)
            with subtests.test(control=name):
                between = stops(at, name)[-2] + PARAMETERS[name].step  # no stop of the slider, most often
                move(at, **{name: between})
                assert slider(at, name).value == between
                assert between in stops(at, name)
                typed = spec(at)
                slider(at, name).set_value(stops(at, name)[0])
                run(at)
                assert value(at, name) == stops(at, name)[0]
                assert spec(at) != typed
    assert seen


def test_button_writes_its_code_and_the_box_holds_no_words(page):
    for lang in ("en", "zh-CN"):
        at = open_page(page, lang)
        for name in drawn(at):
            if isinstance(PARAMETERS[name], Choice) and not disabled(at, name):
                last = list(PARAMETERS[name].options)[-1]
                buttons(at, name).set_value(last)
                run(at)
                assert value(at, name) == last


@pytest.mark.parametrize("typed", ["1 2", "1,2", "1, 2", " 1 , 2 ", "1\N{FULLWIDTH COMMA}2"])
def test_vector_may_be_typed_with_commas_of_either_kind_or_spaces(typed):
    assert spec(open_page("pair", q=typed)) == spec(open_page("pair", q="1, 2"))


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


def test_figure_keeps_its_place_on_the_page_when_a_control_moves():
    at = open_page("decay")
    key, height = at.get("plotly_chart")[0].proto.id, figure(at)["layout"]["height"]
    move(at, base=500)
    assert figure(at)["layout"]["height"] == height
    assert at.get("plotly_chart")[0].proto.id.endswith(key.rsplit("-", 1)[-1])


def test_vectors_are_among_the_controls_that_were_moved():
    kinds = {type(PARAMETERS[name]) for page in LESSONS for view in views(page) for name in drawn(open_page(page, **view))}
    assert kinds == {Number, Choice, Vector}
