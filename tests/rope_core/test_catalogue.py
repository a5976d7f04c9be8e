"""The shipped models: complete, sourced, and equal to values written down apart from the file."""

import pytest

from rope_core import CatalogueModel, RopeConfig, catalogue_models, critical_dimension

# head_dim, rotary_dim, base, stated context, layout.
EXPECTED = {
    "GPT-NeoX-20B": (96, 24, 10_000, 2048, "half"),
    "Llama 2 7B": (128, 128, 10_000, 4096, "half"),
    "Code Llama 34B": (128, 128, 1_000_000, 16_384, "half"),
    "Llama 3 8B": (128, 128, 500_000, 8192, "half"),
    "Mixtral 8x22B": (128, 128, 1_000_000, 65_536, "half"),
    "Qwen2 7B": (128, 128, 1_000_000, 32_768, "half"),
    "Gemma 2 9B": (256, 256, 10_000, 8192, "half"),
    "Phi-1.5": (64, 32, 10_000, 2048, "half"),
    "ChatGLM2/3-6B": (128, 64, 10_000, 8192, "interleaved"),
}


@pytest.fixture(scope="module")
def models():
    return {model.name: model for model in catalogue_models()}


def test_names_and_repositories_are_unique(models):
    assert len(models) == len(catalogue_models()) >= 20
    assert len({model.hf_id for model in models.values()}) == len(models)


@pytest.mark.parametrize("model", catalogue_models(), ids=lambda model: model.name)
def test_entry_is_complete(model):
    assert isinstance(model, CatalogueModel)
    assert isinstance(model.config, RopeConfig)
    assert model.config.scaling is None
    assert len(model.hf_id.split("/")) == 2
    assert 2021 <= model.year <= 2026
    assert len(model.source) > 10
    assert not model.source.isspace()


@pytest.mark.parametrize("name", EXPECTED)
def test_values_are_those_that_the_model_was_released_with(models, name):
    config = models[name].config
    assert (config.head_dim, config.rotary_dim, config.base, config.max_position, config.layout) == EXPECTED[name]


def test_llama_2_has_the_critical_dimension_of_the_paper(models):
    config = models["Llama 2 7B"].config
    assert critical_dimension(config.max_position, config.rotary_dim, config.base) == 92


def test_models_are_read_once():
    assert catalogue_models() is catalogue_models()
