"""Methods in a link: what is written comes back, and whatever else stands there is one sentence."""

import dataclasses
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parameters.methods import LONGEST, NAMES, describe, from_text, to_text
from rope_core import (
    SCALINGS,
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    RopeConfigError,
    YarnScaling,
)

METHODS = [
    (None, ""),
    (LinearScaling(4.0), '{"rope_type":"linear","factor":4}'),
    (NtkScaling(1.5), '{"rope_type":"ntk","factor":1.5}'),
    (DynamicNtkScaling(2), '{"rope_type":"dynamic","factor":2}'),
    (YarnScaling(40.0), '{"rope_type":"yarn","factor":40}'),
    (
        YarnScaling(32, original_max_position=4096, truncate=False, ramp="rotation", mscale=0.707, mscale_all_dim=1.0),
        '{"rope_type":"yarn","factor":32,"original_max_position":4096,"truncate":false,"ramp":"rotation","mscale":0.707,"mscale_all_dim":1}',
    ),
    (
        Llama3Scaling(8, low_freq_factor=1, high_freq_factor=4, original_max_position=8192),
        '{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,"original_max_position":8192}',
    ),
    (
        LongRopeScaling(short_factor=[1, 1.1], long_factor=[1, 33.3], original_max_position=4096, factor=32),
        '{"rope_type":"longrope","short_factor":[1,1.1],"long_factor":[1,33.3],"original_max_position":4096,"factor":32}',
    ),
    (ProportionalScaling(rotary_fraction=0.25), '{"rope_type":"proportional","rotary_fraction":0.25}'),
]
REFUSED = [
    ("x", "scaling must be JSON"),
    ("[1", "scaling must be JSON"),
    ('{"rope_type":"linear","factor":NaN}', "scaling must be JSON"),
    ('{"rope_type":"linear","factor":-Infinity}', "scaling must be JSON"),
    ('{"rope_type":"linear","factor":' + "9" * 5000 + "}", "scaling must be JSON"),
    ("[" * 8000, "scaling must be JSON"),
    ('{"a":' * 1600, "scaling must be JSON"),
    ("[]", "scaling must be a JSON object"),
    ("null", "scaling must be a JSON object"),
    ("7", "scaling must be a JSON object"),
    ("{}", "rope_type must be one of linear, ntk"),
    ('{"rope_type":"YARN"}', "rope_type must be one of linear, ntk"),
    ('{"rope_type":["yarn"]}', "rope_type must be one of linear, ntk"),
    ('{"rope_type":{}}', "rope_type must be one of linear, ntk"),
    ('{"rope_type":"yarn"}', "yarn needs a value of factor"),
    ('{"rope_type":"llama3","factor":8}', "llama3 needs a value of low_freq_factor"),
    ('{"rope_type":"linear","factor":4,"base":5}', "linear has no setting 'base'"),
    ('{"rope_type":"linear","factor":4,"length_dependent":true}', "linear has no setting 'length_dependent'"),
    ('{"rope_type":"linear","factor":"4"}', "factor must be a finite number, got '4'"),
    ('{"rope_type":"linear","factor":true}', "factor must be a finite number, got True"),
    ('{"rope_type":"linear","factor":1e999}', "factor must be a finite number, got inf"),
    ('{"rope_type":"linear","factor":0.5}', "factor must be at least 1, got 0.5"),
    ('{"rope_type":"linear","factor":' + "9" * 400 + "}", "factor must be a finite number"),
    ('{"rope_type":"yarn","factor":4,"truncate":1}', "truncate must be True or False, got 1"),
    ('{"rope_type":"yarn","factor":4,"ramp":["index"]}', "ramp must be"),
    ('{"rope_type":"yarn","factor":4,"original_max_position":4096.5}', "original_max_position must be an integer"),
    ('{"rope_type":"longrope","short_factor":"11","long_factor":[1],"original_max_position":8}', "short_factor must be a list"),
    ('{"rope_type":"longrope","short_factor":[[1]],"long_factor":[1],"original_max_position":8}', "short_factor[0] must be a finite"),
    (" " * LONGEST + "{}", "scaling must have at most 8192 characters, got 8194"),
]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(("scaling", "text"), METHODS, ids=[text[14:22] for _, text in METHODS])
class TestRoundTrip:
    def test_method_is_written_with_what_differs_from_its_defaults(self, scaling, text):
        assert to_text(scaling) == text

    def test_text_gives_the_method_back(self, scaling, text):
        assert from_text(text) == scaling
        assert from_text(text.replace(",", " ,\n ")) == scaling


@given(st.sampled_from([method for method, _ in METHODS if method]), st.data())
def test_every_number_of_a_method_comes_back_to_the_last_digit(method, data):
    lists = st.lists(st.floats(1e-6, 1e6), min_size=256, max_size=256)
    if isinstance(method, LongRopeScaling):
        one, same = data.draw(lists), data.draw(st.floats(1e-6, 1e6))
        method = LongRopeScaling(short_factor=one[:100], long_factor=[same] * 100, original_max_position=77)
    else:
        method = dataclasses.replace(method, factor=data.draw(st.floats(1, 1e6)))
    assert from_text(to_text(method)) == method


def test_longest_lists_of_a_model_fit():
    lists = [tuple(1 + index / 256 for index in range(256))] * 2
    method = LongRopeScaling(short_factor=lists[0], long_factor=lists[1], original_max_position=131_072, factor=32)
    assert len(to_text(method)) <= LONGEST


@pytest.mark.parametrize(("text", "sentence"), REFUSED, ids=[text[:30] for text, _ in REFUSED])
def test_anything_else_is_refused_with_one_sentence(text, sentence):
    with pytest.raises(RopeConfigError) as refusal:
        from_text(text)
    assert sentence in str(refusal.value)


@given(st.text(max_size=300) | JSON.map(json.dumps))
def test_any_text_is_a_method_or_refused(text):
    with suppress(RopeConfigError):
        assert from_text(text) is None or to_text(from_text(text))


@given(st.sampled_from(sorted(SCALINGS)), st.dictionaries(st.sampled_from(["factor", "ramp", "short_factor", "rotary_fraction"]), JSON))
def test_any_values_of_known_settings_are_taken_or_refused(kind, given_fields):
    with suppress(RopeConfigError):
        assert from_text(json.dumps({"rope_type": kind} | given_fields))


class TestWords:
    def test_every_method_has_a_name(self):
        assert set(NAMES) == set(SCALINGS)

    @pytest.mark.parametrize(
        ("scaling", "words"),
        [
            (YarnScaling(4), "YaRN, factor 4"),
            (LinearScaling(1.5), "position interpolation, factor 1.5"),
            (LongRopeScaling(short_factor=[1], long_factor=[1], original_max_position=8), "LongRoPE"),
            (ProportionalScaling(rotary_fraction=0.25), "proportional rotation, share 0.25"),
            (ProportionalScaling(rotary_fraction=0.5, factor=8), "proportional rotation, share 0.5, factor 8"),
        ],
    )
    def test_method_is_named_with_its_stretch(self, scaling, words):
        assert describe(scaling) == words
