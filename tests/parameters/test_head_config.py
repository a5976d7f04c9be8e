"""The head that the shared parameters describe: how much of it turns, and what a method makes of it."""

import math

import pytest

from parameters.head_config import model_head, partial_head, plain_head, rotary_width, scaled_head
from parameters.settings import Settings
from rope_core import (
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    ProportionalScaling,
    RopeConfig,
    RopeConfigError,
    YarnScaling,
    attention_factor,
    inverse_frequencies,
)

PLAIN = RopeConfig(8, max_position=1000)


@pytest.mark.parametrize("head_dim", range(2, 514, 2))
def test_width_that_turns_is_the_even_number_nearest_to_the_share(head_dim):
    for share in (0.01, 0.1, 0.25, 1 / 3, 0.5, 0.625, 0.99, 1):
        width, wanted = rotary_width(head_dim, share), share * head_dim
        assert width % 2 == 0
        assert 2 <= width <= head_dim
        assert width == 2 or abs(width - wanted) <= 1 + 1e-9


@pytest.mark.parametrize("turning", range(2, 514, 2))
def test_every_width_comes_back_from_its_share_in_15_digits(turning):
    for head_dim in {max(turning, 2), 192, 256, 512, 510}:
        if turning <= head_dim and turning / head_dim >= 0.01:
            assert rotary_width(head_dim, turning / head_dim) == turning
            assert rotary_width(head_dim, float(f"{turning / head_dim:.15g}")) == turning


HEAD = {"head_dim": 192, "base": 5e5, "layout": "interleaved", "context": 77}


def test_plain_head_turns_all_of_its_width():
    settings = Settings("frequencies").replace(**HEAD, rotary=64 / 192)
    assert plain_head(settings) == RopeConfig(192, base=5e5, layout="interleaved", max_position=77)


def test_share_changes_the_width_that_turns_alone():
    settings = Settings("frequencies").replace(**HEAD, rotary=64 / 192)
    assert partial_head(settings) == RopeConfig(192, rotary_dim=64, base=5e5, layout="interleaved", max_position=77)


def test_method_that_fits_is_part_of_the_head():
    settings = Settings("frequencies").replace(**HEAD, scaling='{"rope_type":"linear","factor":4}')
    config, notices = model_head(settings)
    assert config == RopeConfig(192, base=5e5, layout="interleaved", max_position=77, scaling=LinearScaling(4))
    assert notices == ()


def test_method_that_does_not_fit_is_left_out_with_a_sentence():
    settings = Settings("frequencies").replace(**HEAD | {"head_dim": 2}, scaling='{"rope_type":"dynamic","factor":4}')
    config, (notice,) = model_head(settings)
    assert config == RopeConfig(2, base=5e5, layout="interleaved", max_position=77)
    assert notice.startswith("Scaling: ")


class TestScaled:
    @pytest.mark.parametrize("scaling", [LinearScaling(4), DynamicNtkScaling(4), ProportionalScaling(rotary_fraction=0.5, factor=8)])
    def test_method_without_a_length_of_its_own_takes_the_trained_one(self, scaling):
        assert scaled_head(PLAIN, scaling) == RopeConfig(8, max_position=1000, scaling=scaling)

    @pytest.mark.parametrize(
        "scaling",
        [
            YarnScaling(4),
            YarnScaling(4, original_max_position=32_768),
            Llama3Scaling(4, low_freq_factor=1, high_freq_factor=4, original_max_position=8192),
            LongRopeScaling(short_factor=[1] * 4, long_factor=[2] * 4, original_max_position=4096, factor=4),
        ],
    )
    def test_trained_length_of_the_parameters_counts_more_than_the_methods_own(self, scaling):
        config = scaled_head(PLAIN, scaling)
        assert config.trained_length == config.scaling.original_max_position == 1000
        assert config.max_position == 4000

    def test_longrope_without_a_stretch_leaves_lengths_alone(self):
        scaling = LongRopeScaling(short_factor=[1] * 4, long_factor=[2] * 4, original_max_position=4096)
        assert attention_factor(scaled_head(PLAIN, scaling)) == 1

    def test_longrope_with_a_stretch_keeps_its_a(self):
        scaling = LongRopeScaling(short_factor=[1] * 4, long_factor=[2] * 4, original_max_position=4096, factor=32)
        config = scaled_head(RopeConfig(8, max_position=4096), scaling)
        assert attention_factor(config) == pytest.approx(math.sqrt(1 + math.log(32) / math.log(4096)), rel=1e-12)

    @pytest.mark.parametrize(
        ("plain", "scaling"),
        [
            (PLAIN, LongRopeScaling(short_factor=[1] * 3, long_factor=[2] * 4, original_max_position=8)),
            (RopeConfig(8, max_position=1), LongRopeScaling(short_factor=[1] * 4, long_factor=[2] * 4, original_max_position=8)),
            (RopeConfig(8, rotary_dim=4), ProportionalScaling(rotary_fraction=0.5)),
            (RopeConfig(2), DynamicNtkScaling(2)),
            (PLAIN, ProportionalScaling(rotary_fraction=0)),
            (PLAIN, ProportionalScaling(rotary_fraction=0.01)),
        ],
    )
    def test_what_does_not_fit_is_refused(self, plain, scaling):
        with pytest.raises(RopeConfigError):
            scaled_head(plain, scaling)

    @pytest.mark.parametrize("beta", [1e-322, 1e-300, 2.0**53])
    @pytest.mark.parametrize("length", [1, 10_000_000])
    def test_settings_at_the_end_of_their_range_give_speeds_or_are_refused(self, beta, length):
        for ramp in ("index", "rotation"):
            scaling = YarnScaling(1e6, beta_slow=min(beta, 1.0), beta_fast=max(beta, 1.0), ramp=ramp)
            try:
                config = scaled_head(RopeConfig(128, base=1.01, max_position=length), scaling)
            except RopeConfigError:
                continue
            assert inverse_frequencies(config).isfinite().all()
