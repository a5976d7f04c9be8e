"""Models as settings: each sets what the catalogue says of it, and is named as long as that holds."""

import pytest

from rope_core import LongRopeScaling, RopeConfig, YarnScaling, attention_factor, catalogue_models, inverse_frequencies
from tests.visit import go, move, open_page, run, value
from ui.heads import partial_config, scaled_config
from ui.methods import from_text
from ui.parameters import SHARED
from ui.presets import OWN, model_settings, settings

CONFIGS = {model.name: model.config for model in catalogue_models() if model.config is not None}


@pytest.fixture(scope="module")
def session():
    return open_page("frequencies")


def chosen(at):
    return at.selectbox(key="model.choice").value


def choose(at, name):
    at.selectbox(key="model.choice").set_value(name)
    return run(at)


def described(row):
    """The head that the parameters describe."""
    plain = RopeConfig(int(row["head_dim"]), base=float(row["base"]), layout=row["layout"], max_position=int(row["context"]))
    plain, scaling = partial_config(plain, float(f"{row['rotary']:.15g}")), from_text(row["scaling"])
    return plain if scaling is None else scaled_config(plain, scaling)


def test_models_are_left_out_only_where_a_parameter_cannot_hold_them():
    for name in set(CONFIGS) - set(model_settings()):
        config = CONFIGS[name]
        assert config.trained_length > 10_000_000 or config.head_dim > 512 or config.base > 1e9, name
    assert len(model_settings()) > 20


@pytest.mark.parametrize("name", model_settings())
def test_parameters_of_a_model_describe_its_head(name):
    want, got = CONFIGS[name], described(model_settings()[name])
    assert (got.head_dim, got.rotary_dim, got.base, got.layout) == (want.head_dim, want.rotary_dim, want.base, want.layout)
    assert got.trained_length == want.trained_length
    assert type(got.scaling) is type(want.scaling)
    assert attention_factor(got) == pytest.approx(attention_factor(want), rel=1e-12)
    for length in (None, want.trained_length, 4 * want.trained_length):
        assert inverse_frequencies(got, length).tolist() == pytest.approx(inverse_frequencies(want, length).tolist(), rel=1e-12)


def test_choosing_a_model_sets_its_parameters_and_names_it(session, subtests):
    for name, row in model_settings().items():
        with subtests.test(model=name):
            at = choose(session, name)
            assert {each: value(at, each) for each in SHARED} == pytest.approx(dict(row))
            assert chosen(at) == name
            assert not at.warning


def test_model_is_named_until_a_value_departs_from_it_and_again_when_that_is_back():
    at = choose(open_page("start"), "Llama 3 8B")
    assert chosen(go(at, "decay")) == "Llama 3 8B"
    assert chosen(move(at, base=777)) == OWN
    assert chosen(move(at, base=500_000)) == "Llama 3 8B"
    assert chosen(move(at, scaling='{"rope_type":"linear","factor":2}')) == OWN


def test_link_with_the_settings_of_a_model_names_it():
    assert chosen(open_page("frequencies", base="500000", head_dim="128", context="8192")) == "Llama 3 8B"


def test_app_opens_with_nobodys_settings():
    assert chosen(open_page("start")) == OWN


def test_no_model_leaves_everything_as_it_is():
    at = choose(open_page("frequencies", base="12345"), OWN)
    assert value(at, "base") == 12345
    assert chosen(at) == OWN


class TestSettings:
    def test_longrope_says_the_stretch_that_its_a_is_made_of(self):
        lists = {"short_factor": (1.0,) * 4, "long_factor": (3.0,) * 4}
        config = RopeConfig(8, max_position=131_072, scaling=LongRopeScaling(**lists, original_max_position=4096))
        assert from_text(settings(config)["scaling"]) == LongRopeScaling(**lists, original_max_position=4096, factor=32)
        assert attention_factor(described(settings(config))) == attention_factor(config)

    def test_trained_length_is_the_methods_own(self):
        config = RopeConfig(8, max_position=131_072, scaling=YarnScaling(4, original_max_position=32_768))
        assert settings(config)["context"] == 32_768

    @pytest.mark.parametrize("config", [RopeConfig(1024), RopeConfig(8, base=2e9), RopeConfig(8, max_position=10_000_001)])
    def test_head_that_no_link_can_hold_is_left_out(self, config):
        assert settings(config) is None
