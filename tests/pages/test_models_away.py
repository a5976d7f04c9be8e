"""What a reader takes along from the page about models: other pages set to it, JSON, tables, Markdown."""

import io
import json
from pathlib import Path

import numpy as np
import pytest
import streamlit as st

from lessons.models_elsewhere import elsewhere
from rope_core import attention_factor, inverse_frequencies, parse_config
from tests.visit import drawn, figure, go, move, open_page, run, value
from ui.model_choice import by_slug

DATA = Path(__file__).resolve().parents[1] / "data/models.json"
STATED = {row["hf_id"]: row for row in json.loads(DATA.read_text(encoding="utf-8"))}
NOTHING_TURNS = [name for name, model in by_slug().items() if model.config is None]


CARRIED = {
    "meta-llama-3.1-8b": ("meta-llama/Meta-Llama-3.1-8B", {"method": "llama3", "stated_factor": 8}),
    "llama-3.2-1b": ("meta-llama/Llama-3.2-1B", {"method": "llama3", "stated_factor": 32}),
    "deepseek-v3": ("deepseek-ai/DeepSeek-V3", {"method": "yarn", "stated_factor": 0, "attention_rule": "ratio", "truncate": "on"}),
    "kimi-k2-instruct": ("moonshotai/Kimi-K2-Instruct", {"method": "yarn", "stated_factor": 0, "attention_rule": "ratio"}),
    "gpt-oss-20b": ("openai/gpt-oss-20b", {"method": "yarn", "stated_factor": 0, "attention_rule": "paper", "truncate": "off"}),
    "phi-3.5-mini-instruct": ("microsoft/Phi-3.5-mini-instruct", {"method": "longrope"}),
    "internlm2_5-7b-chat": ("internlm/internlm2_5-7b-chat", {"method": "dynamic", "dynamic_factor": 2, "target": 65_536}),
    "gemma-3-4b-it": ("google/gemma-3-4b-it", {"method": "linear"}),
    "qwen3-8b": ("Qwen/Qwen3-8B", {"method": "none"}),
}
"""Models of every method with their rows in the data, and what the page about context extension calls what these do not spell out."""
KNOBS = ("beta_fast", "beta_slow", "mscale", "mscale_all_dim", "low_freq_factor", "high_freq_factor", "short_factor", "long_factor")
SHARED_WORDS = {"original_max_position_embeddings": "original_max_position"}


def stated(model):
    """What the data says of a model: its row, and the object that states its method."""
    row = STATED[CARRIED[model][0]]
    scaling = row.get("scaling", {})
    return row, scaling.get("full_attention", scaling)


def same(one, other):
    """Whether a value of a box is the stated one; a list is a text there."""
    return [float(word) for word in one.split(",")] == other if isinstance(other, list) else one == other


def opened(model, page):
    """Another page, as the button opens it from the page about models."""
    at = open_page("models", models_names=model)
    at.button(key=f"models.open.{page}").click()
    run(at)
    assert not at.warning
    return at


class TestCarried:
    @pytest.mark.parametrize("model", CARRIED)
    def test_context_extension_has_every_value_that_the_config_states(self, model):
        at, (row, scaling) = opened(model, "extension"), stated(model)
        base = row.get("global_theta") or row["rope_theta"]
        assert (value(at, "base"), value(at, "head_dim"), value(at, "scaling")) == (base, row["head_dim"], "")
        assert value(at, "rotary") * row["head_dim"] == pytest.approx(row["rotary_dim"])
        assert value(at, "layout") == row["pairing"]
        trained = row["max_position_embeddings"] / scaling["factor"] if CARRIED[model][1]["method"] == "linear" else None
        assert value(at, "context") == (trained or row.get("original_max_position_embeddings", row["max_position_embeddings"]))
        own = {"target": row["max_position_embeddings"]} | {name: scaling[name] for name in KNOBS if name in scaling} | CARRIED[model][1]
        shown, at = {}, go(at, "extension")  # where AppTest is, too, from here on
        for view in ("ratio", "attention", "decode"):
            move(at, ext_view=view)
            assert not at.info
            shown |= {name: value(at, name) for name in drawn(at)}
        assert [name for name, new in own.items() if not same(shown[name], new)] == []

    @pytest.mark.parametrize("page", ["frequencies", "decay"])
    @pytest.mark.parametrize("model", CARRIED)
    def test_shared_values_are_those_that_the_config_states(self, model, page):
        at, (row, scaling) = opened(model, page), stated(model)
        base = row.get("global_theta") or row["rope_theta"]
        assert (value(at, "base"), value(at, "head_dim"), value(at, "layout")) == (base, row["head_dim"], row["pairing"])
        assert value(at, "rotary") * row["head_dim"] == pytest.approx(row["rotary_dim"])
        assert value(at, "context") == row.get("original_max_position_embeddings", row["max_position_embeddings"])
        told, method = json.loads(value(at, "scaling") or '{"rope_type":"none"}'), CARRIED[model][1]["method"]
        assert told.pop("rope_type") == method
        defaults = {"beta_fast": 32, "beta_slow": 1, "truncate": True}
        if method == "longrope":  # its config leaves the factor to the lengths
            assert told.pop("factor") == row["max_position_embeddings"] / row["original_max_position_embeddings"]
        expected = {SHARED_WORDS.get(name, name): new for name, new in scaling.items() if name not in ("type", "rope_type", "rope_theta")}
        if method == "longrope":
            expected["original_max_position"] = row["original_max_position_embeddings"]
        assert told == {name: new for name, new in expected.items() if defaults.get(name) != new}


class TestElsewhere:
    def test_every_value_of_every_model_is_carried_to_the_other_pages(self, subtests):
        for name, model in by_slug().items():
            for layer, config in model.rope.layers.items():
                with subtests.test(model=name, layer=layer):
                    if config is not None and config.trained_length <= 10_000_000:
                        pages = elsewhere(config)
                        assert set(pages) == {"extension", "frequencies", "decay"}
                        longest = min(config.max_position, 10_000_000)
                        assert pages["extension"]["target"] >= longest >= pages["extension"]["context"]

    @pytest.mark.parametrize(
        ("names", "target"),
        [
            ("meta-llama-3.1-8b", 131_072),
            ("deepseek-v3", 163_840),
            ("gpt-oss-20b", 131_072),
            ("phi-3.5-mini-instruct", 131_072),
            ("gemma-3-4b-it", 131_072),
            ("internlm2_5-7b-chat", 65_536),
            ("qwen3-8b", 40_960),
        ],
    )
    def test_button_opens_the_page_with_the_same_speeds(self, names, target):
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
        assert value(at, "target") == target
        scaled, plain = (
            inverse_frequencies(config, target).numpy(),
            config.base ** (-np.arange(0, config.rotary_dim, 2) / config.rotary_dim),
        )
        lines = [trace["y"] for trace in figure(at)["data"] if len(trace.get("y", ())) == config.pairs]
        assert any(np.allclose(values, scaled / plain, rtol=1e-9) for values in lines)

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
