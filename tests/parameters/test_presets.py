"""Models as settings: each sets what the catalogue says of it, and is named as long as that holds."""

import pytest

from parameters.head_config import model_head
from parameters.methods import from_text
from parameters.presets import agreeing, model_settings, obstacle, shared_settings
from parameters.settings import Settings
from parameters.shared import SHARED
from rope_core import LongRopeScaling, RopeConfig, YarnScaling, attention_factor, catalogue_models, inverse_frequencies

CONFIGS = {model.name: model.config for model in catalogue_models() if model.config is not None}


def described(row):
    """The head that the parameters describe, after their way through an address."""
    settings, problems = Settings.read("frequencies", Settings("frequencies").replace(**row).write())
    config, notices = model_head(settings)
    assert not problems
    assert not notices
    return config


def test_models_are_left_out_only_where_a_parameter_cannot_hold_them():
    for name in set(CONFIGS) - set(model_settings()):
        config = CONFIGS[name]
        assert config.trained_length > 10_000_000 or config.head_dim > 512 or config.base > 1e9, name
    assert len(model_settings()) > 20


WINDOWS = {"Mistral 7B v0.1": 4096, "Llama 4 Maverick-17B-128E": 8192}
"""How far every layer that turns sees, where that is less than the trained length."""


@pytest.mark.parametrize("name", model_settings())
def test_parameters_of_a_model_describe_its_head(name):
    want, got = CONFIGS[name], described(model_settings()[name])
    assert (got.head_dim, got.rotary_dim, got.base, got.layout) == (want.head_dim, want.rotary_dim, want.base, want.layout)
    assert got.trained_length == WINDOWS.get(name, want.trained_length)
    assert type(got.scaling) is type(want.scaling)
    assert attention_factor(got) == pytest.approx(attention_factor(want), rel=1e-12)
    for length in (None, want.trained_length, 4 * want.trained_length):
        assert inverse_frequencies(got, length).tolist() == pytest.approx(inverse_frequencies(want, length).tolist(), rel=1e-12)


@pytest.mark.parametrize("page", ["start", "frequencies", "extension"])
@pytest.mark.parametrize("name", model_settings())
def test_page_that_is_set_to_a_model_names_it(page, name):
    settings = Settings(page).replace(**model_settings()[name])
    assert {each: settings[each] for each in SHARED} == dict(model_settings()[name])
    assert name in agreeing(settings)


def test_model_is_named_until_a_value_departs_from_it_and_again_when_that_is_back():
    settings = Settings("decay").replace(**model_settings()["Llama 3 8B"])
    assert "Llama 3 8B" in agreeing(settings)
    other = settings.replace(base=777)
    assert agreeing(other) == []
    assert "Llama 3 8B" in agreeing(other.replace(base=500_000))
    assert agreeing(settings.replace(scaling='{"rope_type":"linear","factor":2}')) == []


def test_link_with_the_settings_of_a_model_names_it():
    settings, _ = Settings.read("frequencies", {"base": "500000", "head_dim": "128", "context": "8192"})
    assert "Llama 3 8B" in agreeing(settings)


def test_value_that_no_page_can_be_set_to_is_named_with_its_rule():
    assert obstacle(RopeConfig(1024)) == "Head width d must be a multiple of 2 from 2 to 512, and here it is `1,024`"
    assert "here it is `2,000,000,000" in obstacle(RopeConfig(8, base=2e9))
    assert obstacle(RopeConfig(8)) == ""


class TestSettings:
    def test_longrope_says_the_stretch_that_its_a_is_made_of(self):
        lists = {"short_factor": (1.0,) * 4, "long_factor": (3.0,) * 4}
        config = RopeConfig(8, max_position=131_072, scaling=LongRopeScaling(**lists, original_max_position=4096))
        assert from_text(shared_settings(config)["scaling"]) == LongRopeScaling(**lists, original_max_position=4096, factor=32)
        assert attention_factor(described(shared_settings(config))) == attention_factor(config)

    def test_trained_length_is_the_methods_own(self):
        config = RopeConfig(8, max_position=131_072, scaling=YarnScaling(4, original_max_position=32_768))
        assert shared_settings(config)["context"] == 32_768

    @pytest.mark.parametrize("config", [RopeConfig(1024), RopeConfig(8, base=2e9), RopeConfig(8, max_position=10_000_001)])
    def test_head_that_no_link_can_hold_is_left_out(self, config):
        assert shared_settings(config) is None
