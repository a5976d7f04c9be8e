"""Pasted and uploaded text, bytes and objects that are not a config, or an unusual one."""

import json
from collections import UserDict

import pytest

from rope_core import HfConfigError, parse_config
from tests.huggingface.stock import SHORT, short

TEXT = json.dumps(SHORT)


def error_message(source):
    with pytest.raises(HfConfigError) as caught:
        parse_config(source)
    assert len(str(caught.value)) < 400
    assert str(caught.value) == caught.value.findings[0].message
    return str(caught.value)


@pytest.mark.parametrize(
    "source",
    [
        TEXT,
        "\ufeff" + TEXT,
        "\n\t " + TEXT + "\r\n",
        TEXT.encode(),
        TEXT.encode("utf-8-sig"),
        TEXT.encode("utf-16"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-32"),
        bytearray(TEXT.encode()),
        UserDict(SHORT),
    ],
    ids=["text", "mark", "blanks", "utf-8", "utf-8 mark", "utf-16", "utf-16 without mark", "utf-32", "bytearray", "mapping"],
)
def test_every_kind_of_source_is_read(source):
    assert parse_config(source) == parse_config(SHORT)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("", "there is no text"),
        (b"", "there is no text"),
        ("[]", "a config must be a JSON object in braces, got an array"),
        ('"text"', "a config must be a JSON object in braces, got a string"),
        ("null", "a config must be a JSON object in braces, got null"),
        ("true", "a config must be a JSON object in braces, got true"),
        ("1", "a config must be a JSON object in braces, got a number"),
        (None, "a config must be a JSON object in braces, got null"),
        (3.5, "a config must be a JSON object in braces, got a number"),
        ([SHORT], "a config must be a JSON object in braces, got an array"),
        (memoryview(b"{}"), "a config must be a JSON object in braces, got memoryview"),
        ("{rope_theta: 1}", "a config must be JSON; line 1, column 2: Expecting property name enclosed in double quotes"),
        ('{\n "rope_theta": 1 2\n}', "a config must be JSON; line 2, column 18: Expecting ',' delimiter"),
        ('{"a": "\xe9"}'.encode("latin-1"), "a config must be text in UTF-8, UTF-16 or UTF-32"),
        (b"\xff\xfe\x00", "a config must be text in UTF-8, UTF-16 or UTF-32"),
        ("[" * 100_000, "a config must be nested at most 32 deep"),
        ('{"a":' * 100_000, "a config must be nested at most 32 deep"),
        ('{"a":' * 40 + "1" + "}" * 40, "a config must be nested at most 32 deep"),
        ('{"rope_theta": ' + "1" * 5_000 + "}", "a config must hold numbers of at most 4,300 digits"),
        ("{" + " " * 1_000_000, "a config must be at most 1,000,000 bytes, got 1,000,001"),
        (b"{" + b" " * 1_000_000, "a config must be at most 1,000,000 bytes, got 1,000,001"),
        ("é" * 500_001, "a config must be at most 1,000,000 bytes, got 1,000,002"),
        ({1: 2}, "the keys of a config must be strings, got [1]"),
        ({"a": {None: 2, "b": 3}}, "the keys of a config must be strings, got [None, 'b']"),
        ({"a": [{("b",): 2}]}, "the keys of a config must be strings, got [('b',)]"),
        ({str(i): 0 for i in range(1_001)}, "a config must have at most 1,000 keys, got 1,001"),
        (short(rope_scaling={str(i): 0 for i in range(1_001)}), "rope_scaling must have at most 1,000 keys, got 1,001"),
        ({"a": [0] * 200_000}, "a config must hold at most 200,000 values"),
    ],
    ids=lambda value: repr(value).split(" at 0x")[0][:30],
)
def test_what_is_not_a_config_is_an_error(source, sentence):
    assert error_message(source) == sentence


def test_a_million_bytes_are_read_and_one_more_is_an_error():
    assert parse_config(TEXT + " " * (1_000_000 - len(TEXT))) == parse_config(SHORT)
    assert "got 1,000,001" in error_message(TEXT + " " * (1_000_001 - len(TEXT)))


def test_an_object_that_contains_itself_is_an_error():
    config = short()
    config["self"] = config
    assert error_message(config) == "a config must be nested at most 32 deep"
    config = short()
    config["text_config"] = config
    assert error_message(config) == "a config must be nested at most 32 deep"
    config["rope_scaling"] = {"a": config, "b": config}
    assert error_message(config) in {"a config must be nested at most 32 deep", "a config must hold at most 200,000 values"}


def test_thirty_one_levels_are_read():
    deep: object = 1
    for _ in range(30):
        deep = [deep]
    assert parse_config(short(vision=deep)).findings == ()


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "1" + "0" * 400])
def test_numbers_that_are_not_finite_are_an_error(number):
    sentence = error_message(TEXT.replace("10000.0", number))
    assert sentence.startswith("rope_theta must be a finite number, got ")


def test_a_number_of_many_digits_is_an_error():
    assert error_message(short(rope_theta=10**5_000)).startswith("rope_theta must be a finite number, got ")


def test_values_of_unrelated_keys_do_not_matter():
    assert parse_config(short(initializer_range=float("nan"), eos_token_id=10**400)).findings == ()


def test_the_last_value_of_a_repeated_key_is_used_with_a_warning():
    rope = parse_config(TEXT.replace("}", ', "rope_theta": 20000}'))
    assert rope.layers["all"].base == 20_000
    (finding,) = rope.findings
    assert (finding.level, finding.key) == ("warning", "rope_theta")
    assert finding.message == "rope_theta stands in one object of the file more than once; the last value, 20000, counts"
    assert finding.fix == "remove the other lines"


def test_the_same_key_in_two_objects_is_not_repeated():
    text = json.dumps({"text_config": SHORT, "vision_config": {"rope_theta": 1, "head_dim": 2}})
    assert [finding.key for finding in parse_config(text).findings] == ["text_config"]


def test_many_repeated_keys_are_not_all_reported():
    lines = ", ".join(f'"k{i % 5_000}": {i}' for i in range(40_000))
    found = parse_config(TEXT.replace("}", f', "labels": {{{lines}}}}}')).findings
    assert len(found) == 20


@pytest.mark.parametrize(
    ("config", "key"),
    [
        (json.loads('{"rope_\\ud800": 1}') | SHORT, "rope_\\ud800"),
        (short(rope_scaling=json.loads('{"type": "linear", "factor": 2, "a\\udfffb": 1}')), "rope_scaling.a\\udfffb"),
        ({"rope_the\nta": 1} | SHORT, "rope_the\\nta"),
        (short(rope_scaling={"type": "linear", "factor": 2, "x" * 200_000: 1}), "rope_scaling." + "x" * 107 + "..."),
    ],
)
def test_an_unprintable_key_is_escaped(config, key):
    (finding,) = parse_config(config).findings
    assert finding.message.isprintable()
    assert finding.message.encode()
    assert finding.key[:120] == key[:120]


@pytest.mark.parametrize("key", ["model_type", "rope_theta", "head_dim", "rope_scaling", "layer_types"])
@pytest.mark.parametrize("value", ["\ud800", "x" * 100_000, "a\nb", ["\ud800"] * 3, {"\udfff": "y" * 10_000}])
def test_an_unprintable_value_is_shown_escaped_and_short(key, value):
    try:
        found = parse_config(short(**{key: value}, num_hidden_layers=2)).findings
    except HfConfigError as error:
        found = error.findings
    assert found
    for finding in found:
        assert finding.message.isprintable()
        assert len(finding.message) < 400


def test_a_text_part_inherits_the_keys_outside_it():
    rope = parse_config(
        {"model_type": "whole", "rope_theta": 5e5, "text_config": short(rope_theta=None, model_type="llama", num_hidden_layers=2)}
    )
    assert rope.model_type == "llama"
    assert rope.layers["all"].base == 5e5
    assert [finding.key for finding in rope.findings] == ["text_config"]


def test_a_text_part_can_contain_a_text_part():
    rope = parse_config({"thinker_config": {"text_config": SHORT}, "text_config": None})
    assert rope.layers == parse_config(SHORT).layers
