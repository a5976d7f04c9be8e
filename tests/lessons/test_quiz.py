"""The questions of every page: well formed, about allowed settings, and true to the last digit that they state."""

import functools
import json
import math
import re
from importlib.resources import files

import numpy as np
import pytest
import torch

from compute.attention import AttentionSettings, attend
from lessons.motion import FRAMES, frames
from lessons.quiz import END, LESSONS, Spot, fixed, locks_of, read, read_done, read_spot, steps_of, write_done
from lessons.registry import PAGES
from parameters.locks import read_locks
from parameters.settings import Settings
from rope_core import (
    DynamicNtkScaling,
    LinearScaling,
    NtkScaling,
    RopeConfig,
    YarnScaling,
    attention_factor,
    catalogue_models,
    first_negative,
    inverse_frequencies,
    phasors,
    score_bound,
    score_curve,
)
from tests.evaluate import settings_of
from tests.prose import is_one_sentence

ASKING = [name for name, page in PAGES.items() if page.section != "Reference"]
STEPS = {step.id: step for page in PAGES for step in steps_of(page)}
NUMBER = re.compile(r"`(-?[\d,]+(?:\.\d+)?)`")


def config(base=1e4, width=128, **more):
    return RopeConfig(width, base=base, **more)


def speeds(base=1e4, width=128, **more):
    return inverse_frequencies(config(base, width, **more)).numpy()


@functools.cache
def curve(base=1e4, width=128, length=20_000):
    ones = torch.ones(width, dtype=torch.float64)
    one = config(base, width)
    return score_curve(phasors(ones, ones, one), inverse_frequencies(one), length).numpy()


def pair_score(distance, speed, q=(1.5, 0.5), k=(0.5, 1.2)):
    return (complex(*q) * complex(*k).conjugate() * np.exp(1j * distance * speed)).real


def turned(position, pair, base=1e4):
    return position * speeds(base)[pair]


def degrees(position, pair, base=1e4):
    return math.degrees(turned(position, pair, base))


def model(name):
    return next(each for each in catalogue_models() if each.hf_id.lower().endswith(name))


def kept_and_divided(name):
    """How many speeds a model keeps, and the smallest and largest divisor of the others."""
    here = model(name).config
    plain = inverse_frequencies(RopeConfig(here.head_dim, base=here.base))
    divisors = (plain / inverse_frequencies(here)).numpy()
    changed = divisors[divisors > 1 + 1e-9]
    return len(divisors) - len(changed), len(changed), changed.min(), changed.max()


def fewer_turns(base, width=128, context=4096):
    return int((2 * np.pi / speeds(base, width) > context).sum())


def mean_cosines(law):
    return np.cos(np.outer(np.arange(1000), law)).mean(1)


def even():
    return np.linspace(1, speeds()[-1], 64)


def decode(cached):
    """Score of the query at 32,767 with a key at 4,000, under dynamic NTK, where the key was turned for a text of some length."""
    dynamic = config(max_position=4096, scaling=DynamicNtkScaling(2))
    now, then = (inverse_frequencies(dynamic, length).numpy() for length in (32_768, cached))
    return 2 * np.cos(32_767 * now - 4_000 * then).sum()


def view(page, **address):
    return PAGES[page].view(settings_of(page, **address))


def mixed():
    low, high = re.findall(r"[\d.]+", view("head", head_view="mix", head_dim=8, head_distance=5).alt)[-2:]
    return float(low), float(high.rstrip("."))


def length_of_vector():
    return float(re.findall(r"`([\d.]+)`", view("head", head_position=1_000_000).sentences[2])[1])


def alike_scores(encoding="rope"):
    settings = AttentionSettings(head_dim=128, base=1e4, tokens=32, encoding=encoding, alike=True, causal=True, seed=0, alibi_head=1)
    return attend(settings).scores


def largest_alike():
    scores = np.where(np.tri(32, dtype=bool), alike_scores(), -np.inf)
    query, key = np.unravel_index(scores.argmax(), scores.shape)
    return scores.max(), query - key


def spread_along_diagonals(encoding):
    scores = alike_scores(encoding)
    return max(np.ptp(np.diagonal(scores, offset)) for offset in range(-31, 32))


def come_round(base):
    """Read off the figure of the page: its message names the count."""
    return int(re.findall(r"[\d,]+", view("bases", bases_view="critical", base=base).alt)[-2])


def bound_at(distance):
    ones = torch.ones(128, dtype=torch.float64)
    return float(score_bound(phasors(ones, ones, config()), inverse_frequencies(config()), torch.tensor([distance]))[0])


def yarn():
    return config(max_position=4096, scaling=YarnScaling(8))


def yarn_edges():
    left = speeds(max_position=4096, scaling=YarnScaling(8)) / speeds()
    return int(np.flatnonzero(left > 1 - 1e-12)[-1]), int(np.flatnonzero(left < 1 / 8 + 1e-12)[0])


def phi():
    lists = json.loads(files("rope_core").joinpath("phi35_longrope.json").read_text())
    return [lists[name][47] for name in ("short_factor", "long_factor")]


def gemma():
    layers = model("gemma-3-4b-it").rope
    local, full = layers.layers["sliding_attention"], layers.layers["full_attention"]
    assert (local.base, local.scaling, full.base, full.scaling) == (1e4, None, 1e6, LinearScaling(8))
    return [layers.layer_types.count("sliding_attention"), len(layers.layer_types), layers.layer_types.count("full_attention")]


# What stands between backticks in each explanation, in this order, computed anew.
TRUTH = {
    "fastest": lambda: [turned(12, 0), turned(12, 63)],
    "one_turn": lambda: [2 * math.pi / speeds()[0], degrees(6, 0)],
    "move_both": lambda: [turned(1015, 0) - turned(1012, 0), 12 + 1000, 15 + 1000],
    "base_and_pair_0": lambda: [turned(12, 63), turned(12, 63, 5e5)],
    "beyond_training": lambda: [degrees(4096, 63), math.floor(turned(1_000_000, 63) / 2 / math.pi)],
    "shift": lambda: [pair_score(107 - 102, speeds()[8]), 107, 102],
    "swap": lambda: [pair_score(5, speeds()[8]), pair_score(-5, speeds()[8])],
    "swing": lambda: [pair_score(3, 1, (1, 0), (1, 0)), pair_score(6, 1, (1, 0), (1, 0))],
    "look_alike": lambda: [pair_score(12, math.radians(30))],
    "partner": list,
    "better_layout": lambda: [0],
    "mixed_layouts": mixed,
    "quarter": lambda: [128 * 0.25, 128 * 0.25 / 2, 128 * 0.75],
    "length": lambda: [length_of_vector()],
    "stripes": largest_alike,
    "which_vectors": lambda: [0],
    "added_code": lambda: [spread_along_diagonals("sinusoidal")],
    "first_query": lambda: [math.exp(5) / math.exp(5)],
    "no_encoding": lambda: [1 / 32],
    "slowest_turn": lambda: [2 * math.pi / speeds()[63], 2 * math.pi * 1e4],
    "unfinished": lambda: [fewer_turns(1e4), 64 - fewer_turns(1e4), degrees(4096, 63)],
    "larger_base": lambda: [speeds()[32] / speeds(5e5)[32], speeds()[63] / speeds(5e5)[63]],
    "one_speed": lambda: [math.cos(32 * 2 * math.pi / 32), mean_cosines(speeds())[32]],
    "even_speeds": lambda: [
        mean_cosines(even())[197:594].max(),
        197 + mean_cosines(even())[197:594].argmax(),
        mean_cosines(speeds())[197:594].max(),
    ],
    "always_decay": lambda: [
        (np.diff(curve()[:101]) > 0).sum(),
        first_negative(inverse_frequencies(config()), 8193),
        curve()[:8193].argmin(),
        curve()[:8193].min(),
    ],
    "random_vectors": lambda: [math.sqrt(128)],
    "built_peak": lambda: [curve()[0]],
    "bound": lambda: [bound_at(8192), curve()[8192], curve()[0]],
    "base_and_sign": lambda: [first_negative(inverse_frequencies(config(base)), 131_072) for base in (5e5, 1e4)],
    "limit": lambda: [come_round(1e4), 128 - come_round(1e4), degrees(4096, 63)],
    "larger_is_better": lambda: [first_negative(inverse_frequencies(config(base)), 10_000) for base in (55_000, 50_000)],
    "come_round": lambda: [come_round(5e5)],
    "narrow_head": lambda: [first_negative(inverse_frequencies(config(width=width)), 4096) for width in (64, 128)],
    "linear_pair_0": lambda: [speeds(max_position=4096, scaling=LinearScaling(8))[0]],
    "ntk_pair_0": lambda: [speeds(max_position=4096, scaling=NtkScaling(8))[63] / speeds()[63]],
    "yarn_keeps": yarn_edges,
    "yarn_scores": lambda: [attention_factor(yarn()), attention_factor(yarn()), attention_factor(yarn()) ** 2],
    "dynamic_cache": lambda: [32_768 - 1, decode(4096), decode(32_768)],
    "llama_unfinished": lambda: [fewer_turns(5e5, context=8192), degrees(8192, 63, 5e5)],
    "llama_factor": lambda: kept_and_divided("llama-3.1-8b"),
    "gemma_layers": gemma,
    "phi_long": phi,
}


@pytest.mark.parametrize("name", STEPS)
def test_every_number_of_an_explanation_is_computed_anew(name):
    stated = NUMBER.findall(STEPS[name].sentence)
    digits = [len(text.partition(".")[2]) for text in stated]
    assert stated == [f"{float(value):,.{places}f}" for value, places in zip(TRUTH[name](), digits, strict=True)]


def test_numbers_that_questions_take_for_granted_are_true():
    assert curve()[0] == 128
    assert round(curve()[100]) == 61
    assert (curve(5e4)[:4096] >= 0).all()
    assert come_round(1e4) == 92
    assert f"{attention_factor(yarn()):.3f}" == "1.208"
    assert curve()[1:].max() < 128  # the peak that was built is the only one
    assert spread_along_diagonals("rope") < 1e-12


@pytest.mark.parametrize("name", [name for name, step in STEPS.items() if step.guess])
def test_a_number_that_answers_is_the_true_one(name):
    truths = {
        "one_turn": 2 * math.pi,
        "look_alike": 360 / 30,
        "first_query": 1,
        "no_encoding": 1 / 32,
        "unfinished": fewer_turns(1e4),
        "linear_pair_0": 1 / 8,
        "yarn_scores": attention_factor(yarn()) ** 2,
    }
    guess = STEPS[name].guess
    assert guess.value == pytest.approx(truths[name], rel=1e-3)
    assert guess.low <= truths[name] <= guess.high
    stated = re.search(r"within ([\d.]+) counts as right", STEPS[name].question)
    assert (guess.high - guess.value, guess.value - guess.low) == pytest.approx([float(stated[1])] * 2 if stated else [0, 0])


@pytest.mark.parametrize("page", ASKING)
def test_page_has_three_to_five_steps(page):
    assert 3 <= len(steps_of(page)) <= 5


def test_ids_are_unique_and_every_file_is_of_a_page():
    assert len(STEPS) == sum(len(steps_of(page)) for page in PAGES)
    assert {path.parent.name for path in LESSONS.rglob("questions.toml")} == set(ASKING)
    assert set(TRUTH) == set(STEPS)


@pytest.mark.parametrize("name", STEPS)
def test_step_moves_the_figure_and_speaks_in_sentences(name):
    step = STEPS[name]
    assert any(step.start.get(key) != value for key, value in step.answer.items())
    assert step.question.endswith((".", "?"))
    assert not any(option.endswith(".") for option in step.options)


@pytest.mark.parametrize("name", STEPS)
def test_explanation_is_one_sentence(name):
    assert is_one_sentence(STEPS[name].sentence)


@pytest.mark.parametrize("name", [name for name, step in STEPS.items() if step.options])
def test_something_is_said_of_every_wrong_option_and_of_no_right_one(name):
    step = STEPS[name]
    assert [bool(step.why_wrong(option)) for option in range(len(step.options))] == [
        each != step.right for each in range(len(step.options))
    ]
    assert all(is_one_sentence(text) for text in step.wrong if text)
    assert len({text for text in step.wrong if text}) == len(step.options) - 1


@pytest.mark.parametrize("name", [name for name, step in STEPS.items() if step.guess])
def test_a_number_is_too_low_or_too_high(name):
    guess = STEPS[name].guess
    assert "too low" in STEPS[name].why_wrong(guess.low - 0.01)
    assert "too high" in STEPS[name].why_wrong(guess.high + 0.01)


@pytest.mark.parametrize("page", ASKING)
def test_every_question_and_every_answer_has_a_view_of_its_own(page):
    for step in steps_of(page):
        start, answer = (view(page, **values) for values in (step.start, {**step.start, **step.answer}))
        assert (start.figure.to_json(), start.sentences) != (answer.figure.to_json(), answer.sentences), step.id


GOOD = """
[start]
base = 10000
[[step]]
id = "one"
question = "Is it?"
options = ["Yes", "No"]
right = 1
hide = ["sentences", "base"]
answer = { base = 500 }
sentence = "It is not."
"""


class TestReading:
    def test_a_good_file_is_read(self):
        (step,) = read("start", GOOD)
        assert (step.options, step.right, dict(step.start), dict(step.answer)) == (("Yes", "No"), 1, {"base": 10000}, {"base": 500})
        assert [step.is_right(given) for given in (0, 1)] == [False, True]
        assert step.hide == ("sentences", "base")
        assert step.why_wrong(0) == ""
        (step,) = read("start", GOOD.replace("right = 1", 'right = 1\nwrong = ["Look again.", ""]'))
        assert step.why_wrong(0) == "Look again."

    def test_a_number_is_right_within_its_range_and_has_the_label_of_its_parameter(self):
        (step,) = read(
            "start", GOOD.replace('options = ["Yes", "No"]\nright = 1', 'number = { parameter = "gap", value = 4, low = 3, high = 5 }')
        )
        assert [step.is_right(given) for given in (2.99, 3, 5, 5.01)] == [False, True, True, False]
        assert step.guess.label == "Distance between the two tokens"

    @pytest.mark.parametrize(
        ("harm", "says"),
        [
            (("base = 500", "base = 0"), "Base b must be a number from 1.01 to 1,000,000,000, got `0`"),
            (("base = 500", 'color = "red"'), "'color': 'red'"),
            (("right = 1", "right = 2"), "of which right counts one"),
            (('["Yes", "No"]', '["Yes", "Yes"]'), "two or more different options"),
            (('options = ["Yes", "No"]\nright = 1\n', ""), "needs options or a number"),
            (('sentence = "It is not."', ""), "sentence"),
            (('sentence = "It is not."', 'sentence = "It is not."\nwhy = "?"'), "why"),
            (("[start]", "[begin]"), "the tables start and step"),
            (("right = 1", "number = { value = 1, low = 2, high = 3 }"), "lies from low to high"),
            (('hide = ["sentences", "base"]\n', ""), "hide"),
            (('"sentences", "base"', '"sentence"'), "cannot hide .'sentence'."),
            (('"sentences", "base"', '"gap", "m"'), "cannot hide .'m'."),
            (("right = 1", 'right = 1\nwrong = ["No."]'), "something of every wrong option"),
            (("right = 1", 'right = 1\nwrong = ["", "No."]'), "something of every wrong option"),
        ],
        ids=lambda param: param if isinstance(param, str) else "",
    )
    def test_a_mistake_is_named(self, harm, says):
        assert GOOD.replace(*harm) != GOOD
        with pytest.raises(ValueError, match=says):
            read("start", GOOD.replace(*harm))

    def test_two_steps_of_one_name_are_refused(self):
        with pytest.raises(ValueError, match="ids of their own"):
            read("start", GOOD + GOOD.partition("base = 10000")[2])

    @pytest.mark.parametrize(
        ("page", "name", "value", "allowed"),
        [
            ("start", "base", "500", True),
            ("start", "base", "true", False),
            ("start", "base", "'500'", False),
            ("start", "position", "true", False),
            ("start", "base", "[500]", False),
            ("start", "head_dim", "65", False),
            ("start", "layout", "'interleaved'", True),
            ("start", "layout", "'x'", False),
            ("pair", "q", "'1, 2'", True),
            ("pair", "q", "'1'", False),
            ("start", "q", "'1, 2'", False),
            ("pair", "pair", "63", True),
            ("pair", "pair", "64", False),
            ("decay", "scaling", """'{"rope_type":"linear","factor":2}'""", True),
            ("decay", "scaling", "'{'", False),
            ("models", "models_names", "'qwen3-8b'", True),
            ("models", "models_names", "3", False),
            ("models", "models_layer", "1", True),
            ("start", "nobody", "1", False),
        ],
    )
    def test_values_are_checked_like_those_of_a_link(self, page, name, value, allowed):
        text = GOOD.replace("base = 500 }", f"{name} = {value} }}")
        if allowed:
            assert read(page, text)
        else:
            with pytest.raises(ValueError, match="step 'one': "):
                read(page, text)


class TestProgress:
    @pytest.mark.parametrize(
        ("text", "spot"),
        [
            ("", Spot(0)),
            ("2", Spot(2, "question")),
            ("2-question", Spot(2)),
            ("5-answer", Spot(5, "answer")),
        ],
    )
    def test_a_spot_is_read(self, text, spot):
        assert read_spot(text, 5) == spot
        assert read_spot(str(spot), 5) == spot

    @pytest.mark.parametrize("text", ["0", "9", "-1", "1-", "1-no", "1-question-", "١", "1\n", "<b>", "1" * 999, "question"])
    def test_a_spot_that_there_is_not_is_refused(self, text):
        assert read_spot(text, 5) is None

    def test_the_end_is_a_spot_of_pages_with_questions_alone(self):
        assert read_spot("end", 5) == END
        assert str(END) == "end"
        assert read_spot("end", 0) is None

    def test_a_question_is_open_until_it_is_answered(self):
        assert [spot.is_open for spot in (Spot(0), Spot(2), Spot(2, "answer"), END)] == [False, True, False, False]

    def test_done_is_written_as_it_is_read(self):
        done = {"pair": {3: True}, "start": {3: False, 1: True, 2: True}}
        assert write_done(done) == "start-123x.pair-3"
        assert read_done("start-123x.pair-3") == done
        assert read_done("pair-3.start-2.start-1") == {"pair": {3: True}, "start": {1: True, 2: True}}
        assert read_done("") == {}
        assert write_done({}) == ""

    def test_all_that_can_be_done_fits_into_a_link(self):
        done = {page: dict.fromkeys(range(1, len(steps_of(page)) + 1), False) for page in ASKING}
        assert read_done(write_done(done)) == done

    @pytest.mark.parametrize(
        "text", ["x", "start", "start-", "start-0", "start-9", "start-1.", "start-١", "start-x", "start-1xx", "nobody-1", "start-1" * 99]
    )
    def test_done_that_cannot_be_is_refused(self, text):
        assert read_done(text) is None


class TestLocks:
    """``bases`` asks with base 50,000, and answers with 55,000."""

    STEP = STEPS["larger_is_better"]

    def test_what_the_link_holds_without_a_value_a_question_sets_and_its_answer(self):
        locks = read_locks({"lock": "base"})
        assert locks_of(locks, self.STEP, "question").value("base", None) == "50000"
        assert locks_of(locks, self.STEP, "answer").value("base", "1") == "55000"
        assert locks_of(locks, self.STEP, "answer").is_held("base")
        assert fixed(locks, self.STEP) == ()

    def test_what_the_link_fixes_stays_and_is_named(self):
        locks = read_locks({"lock": "base", "hide": "context", "base": "777", "context": "4096"})
        assert locks_of(locks, self.STEP, "answer").value("base", None) == "777"
        assert fixed(locks, self.STEP) == ("base",)

    @pytest.mark.parametrize(("base", "named"), [("50000", ("base",)), ("50,000", ("base",)), ("55000", ("base",))])
    def test_a_value_that_only_the_answer_changes_is_named_too(self, base, named):
        assert fixed(read_locks({"lock": "base", "base": base}), self.STEP) == named

    def test_a_value_that_the_question_asks_for_is_not_named(self):
        assert fixed(read_locks({"lock": "head_dim", "head_dim": "128"}), self.STEP) == ()

    def test_what_no_question_sets_keeps_its_lock(self):
        locks = read_locks({"lock": "layout,m"})
        assert locks_of(locks, self.STEP, "answer") == locks


class TestMotion:
    def path(self, page, name, before, after):
        start = Settings(page)
        return [float(each[name]) for each in frames(PAGES[page], start.replace(**before), start.replace(**after))]

    def test_a_logarithmic_number_moves_by_equal_factors(self):
        path = self.path("start", "base", {"base": 10_000}, {"base": 500_000})
        assert len(path) == FRAMES - 1
        assert np.diff(np.log([10_000, *path, 500_000])) == pytest.approx(math.log(50) / FRAMES, rel=1e-3)

    def test_a_whole_number_moves_evenly_and_stays_whole(self):
        path = self.path("start", "position", {"position": 12}, {"position": 1012})
        assert np.diff([12, *path, 1012]) == pytest.approx(1000 / FRAMES, abs=1)
        assert all(value % 1 == 0 for value in path)

    def test_an_even_number_stays_even_and_goes_down_too(self):
        path = self.path("bases", "head_dim", {"head_dim": 128}, {"head_dim": 64})
        assert all(value % 2 == 0 for value in path)
        assert path == sorted(path, reverse=True)

    def test_numbers_that_move_together_keep_their_distance(self):
        start = Settings("pair").replace(**STEPS["shift"].start)
        path = frames(PAGES["pair"], start, start.replace(**STEPS["shift"].answer))
        assert {int(each["m"]) - int(each["n"]) for each in path} == {5}

    def test_nothing_moves_where_a_choice_changes_alone_or_a_number_that_is_not_seen(self):
        start = Settings("start")
        assert frames(PAGES["start"], start, start.replace(start_view="two")) == []
        assert frames(PAGES["start"], start, start.replace(gap=7)) == []
        assert frames(PAGES["start"], start, start) == []

    @pytest.mark.parametrize("name", STEPS)
    def test_every_way_to_an_answer_is_allowed_at_each_place(self, name):
        page = next(page for page in PAGES if STEPS[name] in steps_of(page))
        before = Settings(page).replace(**STEPS[name].start)
        for each in frames(PAGES[page], before, before.replace(**STEPS[name].answer)):
            assert Settings.read(page, before.write() | each)[1] == ()
