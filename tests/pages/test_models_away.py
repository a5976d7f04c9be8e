"""What a reader takes along from the page about models: other pages set to it, JSON, tables, Markdown."""

import io
import json

import numpy as np
import pytest
import streamlit as st

from lessons.models_elsewhere import elsewhere
from rope_core import attention_factor, inverse_frequencies, parse_config
from tests.visit import figure, go, open_page, run, value
from ui.model_choice import by_slug

NOTHING_TURNS = [name for name, model in by_slug().items() if model.config is None]


class TestElsewhere:
    def test_every_value_of_every_model_is_carried_to_the_other_pages(self, subtests):
        for name, model in by_slug().items():
            for layer, config in model.rope.layers.items():
                with subtests.test(model=name, layer=layer):
                    if config is not None and config.trained_length <= 10_000_000:
                        pages = elsewhere(config)
                        assert set(pages) == {"extension", "frequencies", "decay"}
                        assert pages["extension"]["target"] >= pages["extension"]["context"]

    @pytest.mark.parametrize(
        "names",
        ["meta-llama-3.1-8b", "deepseek-v3", "gpt-oss-20b", "phi-3.5-mini-instruct", "gemma-3-4b-it", "internlm2_5-7b-chat", "qwen3-8b"],
    )
    def test_button_opens_the_page_with_the_same_speeds(self, names, monkeypatch):
        config = by_slug()[names].config
        at = open_page("models", models_names=names)
        at.button(key="models.open.frequencies").click()
        run(at)
        speeds = np.concatenate([trace["y"] for trace in figure(at)["data"] if trace.get("yaxis") != "y2"])
        np.testing.assert_allclose(speeds, inverse_frequencies(config).numpy(), rtol=1e-12)
        go(at, "models")
        at.button(key="models.open.extension").click()
        run(at)
        assert not at.warning
        target = int(value(at, "target"))
        scaled, plain = (
            inverse_frequencies(config, target).numpy(),
            config.base ** (-np.arange(0, config.rotary_dim, 2) / config.rotary_dim),
        )
        drawn = [trace["y"] for trace in figure(at)["data"] if len(trace.get("y", ())) == config.pairs]
        assert any(np.allclose(values, scaled / plain, rtol=1e-9) for values in drawn)

    def test_address_carries_what_the_other_page_is_set_to(self):
        at = open_page("models", models_names="gpt-oss-20b")
        at.button(key="models.open.extension").click()
        run(at)
        carried = {name: at.query_params.get(name) for name in ("method", "truncate", "target")}
        assert carried == {"method": "yarn", "truncate": "off", "target": "131072"}

    def test_layers_that_turn_nothing_open_no_page(self):
        at = open_page("models", models_names=NOTHING_TURNS[0])
        assert not [button for button in at.button if button.key.startswith("models.open")]


class TestAway:
    def test_box_holds_markdown_json_and_tables_that_load_without_pickle(self, monkeypatch):
        offered = {}
        monkeypatch.setattr(st, "download_button", lambda label, data, **more: offered.update({more["file_name"]: data}))
        expander = st.expander

        class Opened:
            open = True

            def __init__(self, box):
                self.box = box

            def __enter__(self):
                return self.box.__enter__()

            def __exit__(self, *error):
                return self.box.__exit__(*error)

        monkeypatch.setattr(st, "expander", lambda *given, **more: Opened(expander(*given, **more)))
        at = open_page("models", models_names="gpt-oss-20b,gemma-3-4b-it")
        blocks = {block.language: block.value for block in at.code if block.language != "json"}
        assert blocks["markdown"].count("\n") == 18
        (new, old) = [json.loads(block.value) for block in at.code if block.language == "json"]
        assert dict(parse_config(new).layers) == dict(parse_config(old).layers) == dict(by_slug()["gpt-oss-20b"].rope.layers)
        file = np.load(io.BytesIO(offered["rope-lab-gpt-oss-20b.npz"]()), allow_pickle=False)
        config = by_slug()["gpt-oss-20b"].config
        assert file["cos"].shape == file["sin"].shape == (4096, 32)
        assert file["cos"].dtype == np.float32
        assert file["inv_freq"].dtype == np.float64
        angles = np.outer(np.arange(4096), file["inv_freq"])
        np.testing.assert_allclose(file["cos"], attention_factor(config) * np.cos(angles), atol=2e-7)
        np.testing.assert_allclose(file["sin"], attention_factor(config) * np.sin(angles), atol=2e-7)
        assert str(file["layout"]) == "half"
        assert json.loads(str(file["settings"]))["head_dim"] == 64

    @pytest.mark.parametrize(("name", "said"), [("gemma-3-4b-it", False), ("gemma-4-26b-a4b", True)])
    def test_layers_that_differ_have_no_words_in_version_4_where_the_model_never_had_it(self, name, said, monkeypatch):
        box = type("Box", (), {"open": True, "__enter__": lambda self: self, "__exit__": lambda self, *error: None})
        monkeypatch.setattr(st, "expander", lambda *given, **more: box())
        at = open_page("models", models_names=name)
        assert any("no place for layers that differ" in info.value for info in at.info) is said
