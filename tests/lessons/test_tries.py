"""Settings worth looking at: each is allowed, shows another figure, and sets what its label promises."""

import re

import pytest

from lessons.registry import PAGES
from parameters import parameters_of
from parameters.settings import Settings
from parameters.shared import SHARED
from tests.views import look


@pytest.mark.parametrize("page", PAGES)
def test_a_suggestion_sets_what_it_says_and_the_figure_shows_it(page, subtests):
    start = Settings(page)
    before = look(PAGES[page].view(start))
    tries = PAGES[page].tries(start)
    assert tries
    for each in tries:
        with subtests.test(label=each.label):
            promised = [float(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", each.label)]
            assert set(promised) <= {new for new in each.values.values() if not isinstance(new, str)}
            assert each.values.keys() <= parameters_of(page).keys()
            settings = start.replace(**each.values)
            assert {name: settings[name] for name in each.values} == dict(each.values)
            assert look(PAGES[page].view(settings)) != before


@pytest.mark.parametrize("page", PAGES)
def test_the_first_suggestion_leaves_shared_numbers_alone(page):
    first = PAGES[page].tries(Settings(page))[0]
    assert not {"base", "head_dim", "layout", "context"} & first.values.keys() & SHARED.keys()
