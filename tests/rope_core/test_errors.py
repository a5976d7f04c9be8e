"""The exception of the core: a sentence with its parts, preserved by every kind of copying."""

import copy
import pickle

import pytest

from rope_core import RopeConfig, RopeConfigError

ERROR = RopeConfigError("{field} must be above {above:g}, got {value!r}", field="base", above=1, value=0.5)


def test_the_error_is_a_value_error():
    assert issubclass(RopeConfigError, ValueError)


def test_the_error_reads_as_one_sentence():
    assert str(ERROR) == "base must be above 1, got 0.5"


def test_the_template_and_the_values_are_kept_for_translation():
    assert ERROR.template == "{field} must be above {above:g}, got {value!r}"
    assert ERROR.values == {"field": "base", "above": 1, "value": 0.5}


def test_braces_in_a_value_are_not_placeholders():
    assert str(RopeConfigError("layout must be known, got {value!r}", value="{half}")) == "layout must be known, got '{half}'"


@pytest.mark.parametrize(
    "copied", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy], ids=["pickle", "copy", "deepcopy"]
)
def test_a_copy_keeps_the_sentence_and_its_parts(copied):
    error = copied(ERROR)
    assert isinstance(error, RopeConfigError)
    assert (str(error), error.template, error.values) == (str(ERROR), ERROR.template, ERROR.values)


def test_an_error_can_be_rebuilt_from_its_parts():
    with pytest.raises(RopeConfigError) as caught:
        RopeConfig(64, rotary_dim=66)
    assert caught.value.template.format(**caught.value.values) == str(caught.value) == "rotary_dim must be at most head_dim = 64, got 66"


@pytest.mark.parametrize("value", [10**5000, -(10**5000)], ids=["up", "down"])
@pytest.mark.parametrize("call", [lambda n: RopeConfig(64, max_position=n), lambda n: RopeConfig(n + 1), lambda n: RopeConfig(64, base=n)])
def test_a_number_too_long_for_python_to_print_is_shown_by_its_size(call, value):
    with pytest.raises(RopeConfigError, match=r"got '-?1\.000e\+5000'$") as caught:
        call(value)
    assert caught.value.template.format(**caught.value.values) == str(caught.value)


def test_a_list_that_python_does_not_print_is_shown_by_its_type():
    with pytest.raises(RopeConfigError, match=r"^base must be a finite number, got 'list'$"):
        RopeConfig(64, base=[10**5000])
