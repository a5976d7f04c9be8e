"""What is pasted or uploaded: texts, bytes and objects that are no config, or a strange one."""

import json
from collections import UserDict

import pytest

from rope_core import HfConfigError, parse_config
from tests.huggingface.stock import SHORT, short

TEXT = json.dumps(SHORT)


def refusal(source):
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
def test_every_way_to_hand_in_a_config(source):
    assert parse_config(source) == parse_config(SHORT)


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("", "a config must be JSON; line 1, column 1: Expecting value"),
        (b"", "a config must be JSON; line 1, column 1: Expecting value"),
        ("[]", "a config must be a JSON object in braces, got an array"),
        ('"text"', "a config must be a JSON object in braces, got a string"),
        ("null", "a config must be a JSON object in braces, got null"),
        ("true", "a config must be a JSON object in braces, got true"),
        ("1", "a config must be a JSON object in braces, got a number"),
        (None, "a config must be a JSON object in braces, got null"),
        (3.5, "a config must be a JSON object in braces, got a number"),
        ([SHORT], "a config must be a JSON object in braces, got an array"),
        (memoryview(b"{}"), "a config must be a JSON object in braces, got memoryview"),
        ("{'rope_theta': 1}", "a config must be JSON; line 1, column 2: Expecting property name enclosed in double quotes"),
        ('{\n "rope_theta": 1,\n}', "a config must be JSON; line 3, column 1: Expecting property name enclosed in double quotes"),
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
def test_what_is_no_config(source, sentence):
    assert refusal(source) == sentence


def test_a_million_bytes_are_read_and_one_more_is_not():
    assert parse_config(TEXT + " " * (1_000_000 - len(TEXT))) == parse_config(SHORT)
    assert "got 1,000,001" in refusal(TEXT + " " * (1_000_001 - len(TEXT)))


def test_an_object_of_python_may_hold_itself():
    config = short()
    config["self"] = config
    assert refusal(config) == "a config must be nested at most 32 deep"
    config = short()
    config["text_config"] = config
    assert refusal(config) == "a config must be nested at most 32 deep"
    config["rope_scaling"] = {"a": config, "b": config}
    assert refusal(config) in {"a config must be nested at most 32 deep", "a config must hold at most 200,000 values"}


def test_thirty_one_levels_are_no_hindrance():
    deep: object = 1
    for _ in range(30):
        deep = [deep]
    assert parse_config(short(vision=deep)).findings == ()


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400", "1" + "0" * 400])
def test_numbers_that_are_none(number):
    sentence = refusal(TEXT.replace("10000.0", number))
    assert sentence.startswith("rope_theta must be a finite number, got ")


def test_a_number_of_many_digits_in_an_object():
    assert refusal(short(rope_theta=10**5_000)).startswith("rope_theta must be a finite number, got ")


def test_numbers_elsewhere_may_be_anything():
    assert parse_config(short(initializer_range=float("nan"), eos_token_id=10**400)).findings == ()


def test_the_last_of_two_lines_counts_and_both_are_told():
    rope = parse_config(TEXT.replace("}", ', "rope_theta": 20000}'))
    assert rope.layers["all"].base == 20_000
    (finding,) = rope.findings
    assert (finding.level, finding.key) == ("warning", "rope_theta")
    assert finding.message == "rope_theta stands in one object of the file more than once; the last value, 20000, counts"
    assert finding.fix == "remove the other lines"


def test_the_same_key_in_two_objects_is_no_repetition():
    text = json.dumps({"text_config": SHORT, "vision_config": {"rope_theta": 1, "head_dim": 2}})
    assert [finding.key for finding in parse_config(text).findings] == ["text_config"]


def test_many_repetitions_are_not_all_told():
    lines = ", ".join(f'"k{i % 5_000}": {i}' for i in range(40_000))
    told = parse_config(TEXT.replace("}", f', "labels": {{{lines}}}}}')).findings
    assert len(told) == 20


@pytest.mark.parametrize(
    ("config", "key"),
    [
        (json.loads('{"rope_\\ud800": 1}') | SHORT, "rope_\\ud800"),
        (short(rope_scaling=json.loads('{"type": "linear", "factor": 2, "a\\udfffb": 1}')), "rope_scaling.a\\udfffb"),
        ({"rope_the\nta": 1} | SHORT, "rope_the\\nta"),
        (short(rope_scaling={"type": "linear", "factor": 2, "x" * 200_000: 1}), "rope_scaling." + "x" * 107 + "..."),
    ],
)
def test_a_key_that_cannot_be_printed_is_escaped(config, key):
    (finding,) = parse_config(config).findings
    assert finding.message.isprintable()
    assert finding.message.encode()
    assert finding.key[:120] == key[:120]


@pytest.mark.parametrize("key", ["model_type", "rope_theta", "head_dim", "rope_scaling", "layer_types"])
@pytest.mark.parametrize("value", ["\ud800", "x" * 100_000, "a\nb", ["\ud800"] * 3, {"\udfff": "y" * 10_000}])
def test_a_value_that_cannot_be_printed_is_shown_escaped_and_short(key, value):
    try:
        told = parse_config(short(**{key: value}, num_hidden_layers=2)).findings
    except HfConfigError as error:
        told = error.findings
    assert told
    for finding in told:
        assert finding.message.isprintable()
        assert len(finding.message) < 400


def test_what_is_between_the_objects_of_a_config_of_several_parts():
    rope = parse_config(
        {"model_type": "whole", "rope_theta": 5e5, "text_config": short(rope_theta=None, model_type="llama", num_hidden_layers=2)}
    )
    assert rope.model_type == "llama"
    assert rope.layers["all"].base == 5e5
    assert [finding.key for finding in rope.findings] == ["text_config"]


def test_a_text_part_within_a_text_part():
    rope = parse_config({"thinker_config": {"text_config": SHORT}, "text_config": None})
    assert rope.layers == parse_config(SHORT).layers
