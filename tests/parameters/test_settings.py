"""Settings of a page: what an address may say, what is refused and how, and that everything comes back bit for bit."""

import dataclasses
import math
import re
import struct
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from locales import speaking
from parameters import PARAMETERS, TABLES, parameters_of
from parameters.locks import read_locks
from parameters.methods import to_text
from parameters.models import by_slug
from parameters.own_config import parse_text
from parameters.settings import Settings
from parameters.types import Choice, Config, Method, Names, Number, Row, Text, Vector, Words, write
from tests.methods import methods

KINDS = (Number, Choice, Vector, Words, Method, Names, Row, Config, Text)
MODELS = sorted(by_slug())
METHODS = [to_text(method) for method in methods(2.5)]
CONFIG = parse_text((Path(__file__).resolve().parents[1] / "data/configs/15_gemma3_4b_nested.json").read_bytes()).document


def one(page, name, text, **address):
    """Read one text, and return the value and the sentence about it."""
    settings, problems = Settings.read(page, address | {name: text})
    return settings[name], [problem.sentence for problem in problems]


def values_of(spec, high):
    """Make every value that a control can hold."""
    match spec:
        case Number(step=0):
            return st.floats(spec.low, high)
        case Number():
            return st.integers(math.ceil(spec.low / spec.step), int(high // spec.step)).map(lambda count: count * spec.step)
        case Choice():
            return st.sampled_from(sorted(spec.options))
        case Vector():
            number = st.integers(int(spec.low), int(spec.high)) if spec.whole else st.floats(spec.low, spec.high)
            numbers = st.lists(number, min_size=spec.shortest, max_size=min(spec.longest, 8))
            return numbers.map(lambda row: ", ".join(map(repr, row)))
        case Words():
            return st.lists(st.text("aßé狗", min_size=1, max_size=24), min_size=spec.shortest, max_size=spec.longest).map(" ".join)
        case Method():
            return st.sampled_from(["", *METHODS])
        case Names():
            return st.lists(st.sampled_from(MODELS), max_size=spec.most, unique=True).map(",".join)
        case Row():
            return st.integers(0, 999)
        case Config():
            return st.sampled_from(["", CONFIG])
        case Text():
            return st.text(max_size=spec.longest)


@st.composite
def pages_and_values(draw):
    """Set some parameters of a page, each to any value that it may have beside those before it."""
    page = draw(st.sampled_from(sorted(TABLES)))
    asked = draw(st.sets(st.sampled_from(sorted(parameters_of(page)))))
    values = {}
    for name, spec in parameters_of(page).items():
        high = spec.highest(values) if isinstance(spec, Number) else None
        values[name] = draw(values_of(spec, high)) if name in asked else spec.default if high is None else min(spec.default, high)
    return page, {name: value for name, value in values.items() if name in asked}


def bits(value):
    return struct.pack("<d", value) if isinstance(value, int | float) else value


class TestRoundTrip:
    @given(pages_and_values())
    def test_every_value_that_a_control_can_hold_comes_back_from_its_address_bit_for_bit(self, given):
        page, values = given
        settings = Settings(page).replace(**values)
        assert {name: bits(settings[name]) for name in values} == {name: bits(value) for name, value in values.items()}
        address = dict(parse_qsl(urlencode(settings.write()), keep_blank_values=True, strict_parsing=bool(settings.write())))
        again, problems = Settings.read(page, address)
        assert (again, problems, hash(again)) == (settings, (), hash(settings))
        assert {name: bits(again[name]) for name in again} == {name: bits(settings[name]) for name in settings}

    @given(st.sampled_from(sorted(name for name, spec in PARAMETERS.items() if isinstance(spec, Number) and not spec.limit)), st.data())
    def test_every_stop_of_a_slider_is_a_value_and_comes_back(self, name, data):
        spec = PARAMETERS[name]
        page = next(page for page in TABLES if name in parameters_of(page))
        stop = data.draw(st.sampled_from(spec.stops(spec.high)))
        assert bits(one(page, name, write(stop))[0]) == bits(stop)

    @given(st.sampled_from(sorted(TABLES)), st.dictionaries(st.sampled_from(sorted(PARAMETERS)), st.text(max_size=60), max_size=5))
    def test_any_address_gives_settings_that_their_own_address_gives_back(self, page, address):
        settings, problems = Settings.read(page, address)
        assert Settings.read(page, settings.write()) == (settings, ())
        assert all(problem.sentence.startswith(tuple(spec.label for spec in PARAMETERS.values())) for problem in problems)

    def test_the_address_names_what_differs_from_its_default_and_nothing_else(self):
        settings = Settings("start").replace(base=10_000, gap=3, position=1e6)
        assert settings.write() == {"position": "1000000"}
        assert Settings("start").write() == {}
        assert settings == Settings("start").replace(position=1_000_000)

    def test_a_default_that_a_limit_lowers_stays_out_of_the_address(self):
        narrow = Settings("pair").replace(head_dim=8, pair=3)
        assert narrow.write() == {"head_dim": "8"}
        assert narrow["pair"] == 3

    def test_names_of_other_pages_and_of_nobody_are_left_alone(self):
        assert Settings.read("start", {"reach": "x", "nobody": "1", "lang": "en"}) == (Settings("start"), ())


class TestNumbers:
    @pytest.mark.parametrize(
        ("name", "text", "value"),
        [
            ("base", "1e6", 1_000_000),
            ("base", "500,000", 500_000),
            ("base", " 500000 ", 500_000),
            ("base", "10000.0", 10_000),
            ("base", "1.010000000000001", 1.010000000000001),
            ("base", "５００", 500),
            ("base", "+12.5", 12.5),
            ("position", "-0.0", 0),
            ("position", "-0", 0),
            ("position", "1e7", 10_000_000),
            ("head_dim", "2", 2),
            ("head_dim", "512", 512),
        ],
    )
    def test_what_a_reader_may_type_is_read(self, name, text, value):
        assert one("start", name, text) == (value, [])
        assert bits(one("start", name, text)[0]) == bits(value)
        assert isinstance(one("start", name, text)[0], int if value == int(value) else float)

    @pytest.mark.parametrize(
        ("name", "texts", "rule"),
        [
            ("base", ("1", "1.00999999", "1000000000.0001", "1e10"), "a number from 1.01 to 1,000,000,000"),
            ("position", ("-1", "0.5", "10000001", "1e-9"), "a whole number from 0 to 10,000,000"),
            ("head_dim", ("0", "1", "65", "514", "2.5"), "a multiple of 2 from 2 to 512"),
        ],
    )
    @pytest.mark.parametrize("hostile", [("nan", "inf", "-inf", "1e400", "9" * 400, "-" + "9" * 400, "", " ", "x", "0x10", "1,00", "1;2")])
    def test_what_lies_outside_between_or_is_no_number_is_refused_in_a_sentence(self, name, texts, rule, hostile):
        spec = PARAMETERS[name]
        for text in (*texts, *hostile):
            value, [sentence] = one("start", name, text)
            assert value == spec.default
            assert sentence.startswith(f"{spec.label} must be {rule}, got {f'`{text[:40]}' if text.strip() else 'nothing'}")
            assert sentence.endswith(f"; using {spec.default:,}.")

    @pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 10**400, -1, 0.5, "x"])
    def test_what_is_not_allowed_cannot_be_set_either(self, value):
        with pytest.raises((ValueError, OverflowError)):
            Settings("start").replace(position=value)

    def test_a_name_that_the_page_does_not_have_cannot_be_set(self):
        with pytest.raises(ValueError, match="nobody"):
            Settings("start").replace(nobody=1)


class TestLimits:
    @pytest.mark.parametrize(
        ("page", "before", "name", "high"),
        [
            ("pair", {"head_dim": 128}, "pair", 63),
            ("pair", {"head_dim": 2}, "pair", 0),
            ("extension", {"context": 10}, "target", 10_000_000),
            ("extension", {"context": 1}, "target", 1_000_000),
            ("extension", {"beta_fast": 2.5}, "beta_slow", 2.5),
            ("extension", {"high_freq_factor": 0.5}, "low_freq_factor", 0.5),
            ("extension", {"context": 1000, "target": 5000}, "key_at", 4999),
            ("extension", {"context": 5000, "target": 1000}, "cached_length", 5000),
        ],
    )
    def test_the_upper_end_follows_from_other_parameters(self, page, before, name, high):
        settings = Settings(page).replace(**before)
        assert settings.high(name) == high
        assert settings[name] <= high
        assert settings.replace(**{name: high})[name] == high
        step = PARAMETERS[name].step or 1e-6
        _, [problem] = Settings.read(page, settings.write() | {name: write(high + step)})
        assert f" to {high:,}, got" in problem.sentence

    def test_a_limit_counts_wherever_the_address_names_what_it_follows_from(self):
        for address in ({"pair": "40", "head_dim": "64"}, {"head_dim": "64", "pair": "40"}):
            settings, [problem] = Settings.read("pair", address)
            assert settings["pair"] == 31
            assert problem.sentence == "Pair i must be a whole number from 0 to 31, got `40`; using 31."

    def test_a_refused_value_does_not_count_for_the_limits_of_others(self):
        settings, problems = Settings.read("pair", {"head_dim": "7", "pair": "63"})
        assert len(problems) == 1
        assert settings["pair"] == 63


class TestRefusals:
    @pytest.mark.parametrize(
        ("page", "name", "text", "sentence"),
        [
            ("head", "layout", "x", "Layout must be one of half, interleaved, got `x`; using half."),
            ("head", "layout", "Half", "Layout must be one of half, interleaved, got `Half`; using half."),
            ("pair", "q", "1", "q must be 2 numbers from -100 to 100, got `1`; using 1.5, 0.5."),
            ("pair", "q", "1 nan", "q must be 2 numbers from -100 to 100, got `1 nan`; using 1.5, 0.5."),
            ("pair", "at", "1.5", "Positions must be 1 to 8 whole numbers from 0 to 10,000,000, got `1.5`; using 0, 1, 2, 10, 50."),
            ("decay", "q_head", "1001", "q must be 1 to 512 numbers from -1,000 to 1,000, got `1001`; using 1, 0, -1, 0.5."),
            ("decay", "scaling", "[]", "Scaling: `scaling must be a JSON object, got []`; using none."),
            (
                "models",
                "models_names",
                "gpt-x",
                "Models must be up to 4 models of the catalogue, got `gpt-x`; using meta-llama-3.1-8b,gemma-3-4b-it.",
            ),
            ("models", "models_layer", "-1", "Model and layers in detail must be a whole number from 0 to 999, got `-1`; using 0."),
            ("models", "models_layer", "１", "Model and layers in detail must be a whole number from 0 to 999, got `１`; using 0."),
        ],
    )
    def test_each_kind_names_its_rule(self, page, name, text, sentence):
        assert one(page, name, text) == (PARAMETERS[name].default, [sentence])

    def test_a_config_is_refused_with_the_reason_of_the_core(self):
        for text in ("{", "[]", '{"head_dim": 3}', "null", "x" * 10_000):
            value, [sentence] = one("models", "models_config", text)
            assert value == ""
            assert re.fullmatch(r"Your own config: `.*`; using none\.", sentence)

    def test_sentences_are_in_the_language_of_the_page(self):
        with speaking("zh-CN"):
            assert "须为" in one("start", "base", "0")[1][0]

    def test_every_parameter_that_is_refused_is_named_and_the_others_count(self):
        settings, problems = Settings.read("start", {"base": "x", "position": "5", "gap": "x", "start_view": "x"})
        assert [problem.label for problem in problems] == ["Base b", "View", "Distance between the two tokens"]
        assert settings == Settings("start").replace(position=5)

    @pytest.mark.parametrize("text", ["`](javascript:alert(1))", "<script>", "$x$", "\x00\n", "\u202e" * 99])
    def test_a_hostile_text_is_shown_as_code_and_cut(self, text):
        _, [sentence] = one("head", "layout", text)
        assert re.search(r"got `[^`]{1,41}`; using half\.", sentence)
        assert sentence.isprintable()


class TestOtherKinds:
    def test_duplicate_names_count_once_and_capitals_do_not_matter(self):
        assert one("models", "models_names", "Qwen3-8B, qwen3-8b,,gemma-3-4b-it") == ("qwen3-8b,gemma-3-4b-it", [])

    def test_too_many_names_are_refused(self):
        five = ",".join(MODELS[:5])
        assert one("models", "models_names", five)[1]

    def test_numbers_of_a_row_may_stand_apart_by_commas_of_any_width(self):
        for text in ("1 2", "1,2", "1，2", " 1 ,, 2 ", "１　２"):
            assert Settings.read("pair", {"q": text})[0].vector("q") == (1, 2)
        assert math.copysign(1, Settings.read("pair", {"q": "-0.0 1"})[0].vector("q")[0]) == 1

    def test_a_text_is_cut(self):
        assert one("glossary", "term", "x" * 1000) == ("x" * 80, [])

    def test_a_method_comes_back_as_the_core_knows_it(self):
        for method in methods(2.5):
            assert Settings("decay").replace(scaling=to_text(method)).scaling() == method
        assert Settings("decay").scaling() is None

    def test_a_config_is_kept_as_it_is(self):
        assert Settings("models").replace(models_config=CONFIG).text("models_config") == CONFIG


class TestLocks:
    def read(self, link, **address):
        return Settings.read("start", address, read_locks(link))

    def test_a_locked_parameter_has_the_value_of_the_link_whatever_an_address_says(self):
        link = {"lock": "base", "base": "500"}
        assert self.read(link, base="20000", position="7")[0] == Settings("start").replace(base=500, position=7)
        assert self.read(link)[0]["base"] == 500

    def test_a_locked_parameter_without_a_value_has_its_default(self):
        assert self.read({"lock": "base"}, base="20000")[0]["base"] == 10_000
        assert self.read({"hide": "base"}, base="20000")[0]["base"] == 10_000

    def test_what_a_link_locks_wrongly_is_refused_like_any_other_value(self):
        settings, [problem] = self.read({"lock": "base", "base": "0"}, base="20000")
        assert settings["base"] == 10_000
        assert "got `0`" in problem.sentence

    def test_a_lock_of_another_page_does_nothing(self):
        assert self.read({"lock": "reach", "reach": "5"}) == (Settings("start"), ())


class TestSettings:
    def test_it_is_frozen_and_hashable(self):
        settings = Settings("start").replace(base=500)
        with pytest.raises(dataclasses.FrozenInstanceError):
            settings.page = "pair"
        assert {settings: 1}[Settings("start").replace(base=500.0)] == 1
        assert settings != Settings("start")
        assert settings != Settings("pair").replace(base=500)

    def test_reading_a_value_changes_nothing(self):
        settings = Settings("start").replace(base=500)
        before = hash(settings)
        assert [settings[name] for name in settings]
        assert (hash(settings), settings) == (before, Settings("start").replace(base=500))

    @pytest.mark.parametrize("page", TABLES)
    def test_defaults_are_allowed_and_of_every_kind_there_is_one(self, page):
        settings = Settings(page)
        assert list(settings) == list(parameters_of(page))
        everything = {name: write(settings[name]) for name in settings}
        assert Settings.read(page, everything) == (settings, ())

    def test_every_kind_is_used(self):
        assert {type(spec) for spec in PARAMETERS.values()} == set(KINDS)
