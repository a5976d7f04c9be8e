"""What pages say, held against a recomputation that shares no code with them, at the ends of everything that they can be set to."""

import functools
import inspect
import random

import pytest

from lessons.registry import PAGES
from lessons.view import Prose
from tests.truth import bases, decay, extension, frequencies, learn, models
from tests.truth.grid import options, settings_of
from tests.truth.sentences import CLAIMS, found, unclaimed

SAMPLE = {"attention": 200, "frequencies": 400, "decay": 250, "bases": 16, "extension": 400}
"""Settings of each page that a run of ``make test`` tries; all of them with ``-m exhaustive``."""
REST = 120
CHECKED = (learn, frequencies, decay, bases, extension, models)


def check(settings):
    """Hold every claim of a view, and see that no sentence states a fact that nobody checks."""
    view = PAGES[settings.page].view(settings)
    prose = [part.text for part in view.parts if isinstance(part, Prose)]
    for text in (view.alt, view.verdict, *view.sentences, *prose):
        for claim, match in found(settings.page, text):
            given = {"view": view} if "view" in inspect.signature(claim.holds).parameters else {}
            said = f"{settings.page} {settings.write()}: {match[0]}"
            try:
                held = claim.holds(settings, **given, **match.groupdict())
            except AssertionError as error:
                raise AssertionError(f"{said}\n{error}") from None
            assert held is not False, said
        left = unclaimed(settings.page, text)
        assert left == [], f"{settings.page} {settings.write()}: nobody checks {left}"


@functools.cache
def every(page):
    return tuple(settings_of(page))


@pytest.mark.parametrize("page", PAGES)
def test_sentences_hold_at_extremes(page):
    settings = every(page)
    for each in random.Random(12).sample(settings, min(len(settings), SAMPLE.get(page, REST))):
        check(each)


def test_sentences_hold_at_every_option_of_yarn():
    for each in settings_of("extension", options):
        check(each)


@pytest.mark.exhaustive
@pytest.mark.parametrize("page", PAGES)
def test_sentences_hold_at_all_extremes(page, subtests):
    for each in every(page):
        with subtests.test(address=each.write()):
            check(each)


def test_every_claim_is_about_a_page():
    assert {page for claim in CLAIMS for page in claim.pages} == set(PAGES)
