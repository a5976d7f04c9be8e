"""The page about context extension as a reader finds it: models, cached keys, what does not fit, and the way to other pages."""

import ast
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from lessons.extension import PAGE
from lessons.extension.parts import AS_OPENED
from lessons.frequencies import PAGE as FREQUENCIES
from lessons.methods import SHEETS
from lessons.view import Code, Fold, Line, Offer, Prose
from parameters.extension import EXTENSION
from parameters.settings import Settings
from tests.evaluate import settings_of
from tests.oracles import scaling as oracle

ROOT = Path(__file__).resolve().parents[2]
MODELS = {
    "Llama 3.1 8B": {"method": "llama3", "base": "500000", "context": "8192", "target": "65536"},
    "Qwen2.5 7B": {"method": "yarn", "base": "1000000", "context": "32768", "target": "131072"},
    "gpt-oss-20b": {"method": "yarn", "head_dim": "64", "base": "150000", "target": "131072", "truncate": "off"},
    "DeepSeek-V3": {"method": "yarn", "head_dim": "192", "rotary": "0.333333333333333", "target": "163840"},
    "Phi-3.5-mini": {"method": "longrope", "head_dim": "96", "target": "131072"},
    "Phi-4-mini": {"method": "longrope", "head_dim": "128", "rotary": "0.75", "target": "131072"},
    "InternLM2.5 7B": {"method": "dynamic", "base": "1000000", "context": "32768", "target": "65536", "dynamic_factor": "2"},
    "Kimi K2": {"method": "yarn", "head_dim": "64", "base": "50000", "target": "131072", "beta_fast": "1", "beta_slow": "1"},
    "LLaMA-2-7B-32K": {"method": "linear", "target": "32768"},
    "Gemma 4 26B": {"method": "proportional", "head_dim": "512", "base": "1000000", "rotary_fraction": "0.25"},
}
VIEWS = tuple(EXTENSION["ext_view"].options)
METHODS = tuple(SHEETS)


def show(**address):
    return PAGE.view(settings_of("extension", **address))


def drawn_ratio(view):
    """Return the ratios of the chosen method as they are drawn."""
    return next(np.array(trace["y"]) for trace in view.figure.traces if str(trace.get("name")).startswith("<b>"))


def leaves(parts):
    """Yield all parts, those within lines and folds too."""
    for part in parts:
        yield part
        if isinstance(part, Line | Fold):
            yield from leaves(part.parts() if isinstance(part, Fold) else part.parts)


def offers(view):
    return {part.key: part for part in leaves(view.parts) if isinstance(part, Offer)}


def take(settings, key):
    """Press a button."""
    return settings.replace(**offers(PAGE.view(settings))[key].values)


class TestModels:
    @pytest.mark.parametrize("name", MODELS)
    def test_every_view_of_a_model_opens_without_a_notice(self, name):
        views = [show(ext_view=view, **MODELS[name]) for view in VIEWS]
        assert not any(view.notices for view in views)
        assert len({view.figure.to_json() for view in views}) == len(VIEWS)

    def test_llama_3_1_is_drawn_as_meta_computes_it(self):
        ratio = drawn_ratio(show(**MODELS["Llama 3.1 8B"]))
        assert [(ratio == 1).sum(), (ratio == 0.125).sum()] == [29, 29]

    def test_qwen_is_drawn_as_engines_compute_it(self):
        ratio = drawn_ratio(show(**MODELS["Qwen2.5 7B"]))
        assert [int(np.flatnonzero(ratio < 1)[0]) - 1, int(np.flatnonzero(np.isclose(ratio, 0.25, rtol=1e-12))[0])] == [23, 40]

    def test_phi_is_drawn_with_the_lists_of_its_config(self):
        lists = json.loads((ROOT / "rope_core/phi35_longrope.json").read_text())
        np.testing.assert_allclose(1 / drawn_ratio(show(**MODELS["Phi-3.5-mini"])), lists["long_factor"], rtol=1e-12)
        within = show(**MODELS["Phi-3.5-mini"] | {"target": "4096"})
        np.testing.assert_allclose(1 / drawn_ratio(within), lists["short_factor"], rtol=1e-12)

    def test_internlm_slows_its_last_pair_by_three_at_twice_the_length(self):
        assert drawn_ratio(show(**MODELS["InternLM2.5 7B"]))[-1] == pytest.approx(1 / 3)

    def test_kimi_steps_from_pair_19_to_pair_20(self):
        ratio = drawn_ratio(show(**MODELS["Kimi K2"]))
        np.testing.assert_allclose(ratio, [1] * 20 + [1 / 32] * 12, rtol=1e-12)

    @pytest.mark.parametrize("target", ["1", "4096", "4097", "65536", "10000000"])
    @pytest.mark.parametrize("method", METHODS)
    def test_every_method_serves_every_length(self, method, target):
        view, length = show(method=method, target=target), max(int(target), 4096)
        assert not view.notices
        assert f"= `{length:,}` / `4,096` = `{length / 4096:,.6g}`" in view.verdict
        assert ("shorter target" in view.verdict) == (target == "1")

    @pytest.mark.parametrize(("stated", "part"), [("8", "Factor s = `8`, as stated"), ("0.5", "(less than 1 counts as 1)")])
    def test_stated_factor_is_said(self, stated, part):
        assert part in show(method="llama3", stated_factor=stated).verdict


class TestCachedKeys:
    def test_older_base(self):
        link = {"ext_view": "decode", "method": "dynamic", "head_dim": "64", "context": "2048", "target": "4096", "cached_length": "2048"}
        for key, scores in (("2047", ("12.374687991", "28.596496536")), ("4094", ("62.011424339", "15.121334160"))):
            text = " ".join(show(key_at=key, **link).sentences)
            assert all(f"`{part}`" in text for part in scores)
            assert "transformers" in text
            assert "vLLM" in text

    def test_short_list(self):
        view = show(
            ext_view="decode",
            method="longrope",
            head_dim="8",
            target="4101",
            key_at="4092",
            cached_length="4096",
            attention_factor="1",
            short_factor="1 1 1 1",
            long_factor="1, 2, 4, 8",
        )
        assert all(f"`{score}`" in view.sentences[1] for score in ("5.550720934", "-2.633350867", "5.095952764"))


class TestWhatDoesNotFit:
    @pytest.mark.parametrize(
        ("link", "part"),
        [
            ({"method": "ntk", "head_dim": "2"}, "rotary_dim must be at least 4"),
            ({"method": "dynamic", "head_dim": "2"}, "rotary_dim must be at least 4"),
            ({"method": "proportional", "rotary": "0.5"}, "rotary_dim must be head_dim = 128"),
            ({"method": "longrope", "long_factor": "1 2 3"}, "long_factor must have one entry for each of the 64 pairs, got 3"),
            ({"method": "longrope", "context": "1"}, "original_max_position must be"),
        ],
        ids=str,
    )
    def test_it_is_said_in_one_sentence_and_the_figure_does_without(self, link, part):
        for view in [view for view in VIEWS if view != "attention" or "long_factor" not in link]:  # that one has no lists
            shown = show(ext_view=view, **link)
            (notice,) = shown.notices
            assert part in notice
            assert not offers(shown)["use"].enabled

    def test_beta_slow_above_beta_fast_is_named(self):
        settings, (problem,) = Settings.read("extension", {"method": "yarn", "beta_fast": "2", "beta_slow": "8"})
        assert "beta_slow must be a number from 0.01 to 2, got `8`" in problem.sentence
        assert settings["beta_slow"] == 2

    def test_target_ends_where_the_factor_does(self):
        _, (problem,) = Settings.read("extension", {"context": "2", "target": "10000000"})
        assert "Target length must be a whole number from 1 to 2,000,000, got `10000000`; using 2,000,000." in problem.sentence
        for method in METHODS:
            assert not show(method=method, context="2", target="2000000").notices
        settings_of("extension", context="10", target="10000000")

    def test_long_default_is_cut_in_a_notice(self):
        _, (problem,) = Settings.read("extension", {"method": "longrope", "long_factor": "1,2,abc"})
        told = re.search(r"using ([\d., …]+) \((\d+) numbers\)\.", problem.sentence)
        used = [float(word) for word in told[1].strip(" …").split(",") if word.strip()]
        spec = EXTENSION["long_factor"]
        assert told[2] == "48"
        assert 1 < len(used) < 12
        assert tuple(used) == spec.parse(spec.default)[: len(used)]

    def test_own_list_of_the_right_length_is_used(self):
        view = show(method="longrope", head_dim="4", long_factor="2 8")
        np.testing.assert_allclose(drawn_ratio(view), [0.5, 0.125])
        assert "as you typed it" in view.sentences[1]


STATED = {row["hf_id"]: row for row in json.loads((ROOT / "tests/data/models.json").read_text(encoding="utf-8"))}
GEMMA_4 = STATED["google/gemma-4-26B-A4B"]
GEMMA_4 |= {"rope_theta": GEMMA_4["global_theta"], "scaling": GEMMA_4["scaling"]["full_attention"]}
GEMMA_4 |= dict.fromkeys(("head_dim", "rotary_dim"), 512)  # global_head_dim of its config: the row is about those layers
LLAMA_2, QWEN_2 = "meta-llama/Llama-2-7b-hf", "Qwen/Qwen2-7B-Instruct"  # Qwen2.5 has the head of Qwen2
ROW_MODELS = {
    **dict.fromkeys(("linear", "ntk", "parts"), (LLAMA_2, 32_768)),
    "none": (LLAMA_2, 4096),
    "dynamic": ("internlm/internlm2_5-7b-chat", 65_536),
    "yarn": (QWEN_2, 131_072),
    "llama3": ("meta-llama/Meta-Llama-3.1-8B", 131_072),
    "longrope": ("microsoft/Phi-3.5-mini-instruct", 131_072),
    "proportional": ("google/gemma-4-26B-A4B", 262_144),
}
FOREIGN = {"base": "7777", "head_dim": "48", "rotary": "0.5", "layout": "interleaved", "context": "1000", "target": "3000"}
FOREIGN |= {"scaling": '{"rope_type":"linear","factor":3}', "stated_factor": "5", "truncate": "off"}
FOREIGN |= {"beta_fast": "9", "beta_slow": "3", "attention_factor": "3"}
FOREIGN |= {"high_freq_factor": "9", "low_freq_factor": "5", "dynamic_factor": "7", "rotary_fraction": "0.75"}
FOREIGN |= {"short_factor": " ".join(["3"] * 48), "long_factor": " ".join(["2"] * 48), "key_at": "2999", "cached_length": "2000"}
"""Every parameter of the page at a number that no row has."""


def oracle_of(method):
    """New speed over old, by formulas of the papers, with the numbers that the config of the row's model states."""
    hf_id, target = ROW_MODELS[method]
    row = STATED[hf_id]
    scaling, trained = row.get("scaling", {}), row.get("original_max_position_embeddings", row["max_position_embeddings"])
    width, base = row["rotary_dim"], row["rope_theta"]
    plain, last = np.array(oracle.plain(width, base)), width / 2 - 1
    match method:
        case "linear":
            return np.full(len(plain), trained / target)
        case "ntk" | "dynamic":
            s = target / trained if method == "ntk" else 1 + scaling["factor"] * (target - trained) / trained
            return s ** (-np.arange(len(plain)) / last)
        case "yarn":
            return oracle.yarn(width, base, trained, target / trained) / plain
        case "parts":
            return oracle.by_parts(width, base, trained, target / trained, 1, 32) / plain
        case "llama3":
            return oracle.by_parts(width, base, trained, scaling["factor"], scaling["low_freq_factor"], scaling["high_freq_factor"]) / plain
        case "longrope":
            return 1 / np.array(scaling["long_factor"])
        case "proportional":
            return np.array(oracle.proportional(width, base, scaling["partial_rotary_factor"])) / plain
    return np.ones(len(plain))


class TestRows:
    @pytest.mark.parametrize("method", METHODS)
    def test_button_opens_a_model(self, method):
        """Whatever stood there before: the controls show the numbers of its config, and the drawn speeds are those of a formula."""
        before, _ = Settings.read("extension", FOREIGN | {"ramp": "rotation", "method": "none" if method != "none" else "linear"})
        settings = take(before, f"row.{method}")
        view, (hf_id, target), expected = PAGE.view(settings), ROW_MODELS[method], oracle_of(method)
        assert not view.notices
        stated = STATED[hf_id]
        trained = stated.get("original_max_position_embeddings", stated["max_position_embeddings"])
        head = {"base": stated["rope_theta"], "head_dim": stated["head_dim"], "rotary": 1, "layout": "half", "context": trained}
        for name, new in ({"method": method, "target": target, "scaling": ""} | head).items():
            assert settings[name] == new, name
        np.testing.assert_allclose(drawn_ratio(view), expected[expected > 0], rtol=1e-9)  # the others are no part of the line
        attention = PAGE.view(settings.replace(ext_view="attention"))
        factor = re.search(r"A = `([\d.]+)`", attention.sentences[0])[1]
        wanted = {"yarn": 0.1 * math.log(4) + 1, "longrope": math.sqrt(1 + math.log(32) / math.log(4096))}
        assert float(factor) == pytest.approx(wanted.get(method, 1), rel=1e-8)
        assert not offers(view)[f"row.{method}"].enabled  # it would change nothing

    def test_every_method_has_a_row_in_the_order_of_the_buttons(self):
        rows = [key for key in offers(show()) if key.startswith("row.")]
        assert rows == [f"row.{method}" for method in METHODS]
        assert tuple(EXTENSION["method"].options) == METHODS

    def test_foreign_settings_differ_in_all_that_a_row_sets(self):
        settings, problems = Settings.read("extension", FOREIGN | {"method": "yarn", "ramp": "rotation"})
        assert not problems
        assert {name for name in AS_OPENED if settings[name] == AS_OPENED[name]} == {"attention_rule", "mscale", "mscale_all_dim"}


class TestWayOn:
    def test_method_travels_to_frequencies(self):
        offer = offers(show(method="yarn"))["use"]
        assert offer.enabled
        scaling = json.loads(offer.values["scaling"])
        assert (scaling["rope_type"], scaling["factor"]) == ("yarn", 8)
        there = [FREQUENCIES.view(settings_of("frequencies", **values)) for values in ({}, offer.values)]
        assert there[0].figure.to_json() != there[1].figure.to_json()

    def test_all_options_travel_also_those_that_the_view_does_not_show(self):
        options = {"method": "yarn", "beta_fast": "8", "attention_factor": "1.5"}
        texts = {offers(show(ext_view=view, **options))["use"].values["scaling"] for view in VIEWS}
        assert len(texts) == 1
        assert json.loads(*texts).items() >= {"beta_fast": 8, "attention_factor": 1.5}.items()

    def test_it_is_not_offered_twice(self):
        settings = take(settings_of("extension", method="yarn"), "use")
        assert not offers(PAGE.view(settings))["use"].enabled
        assert "take" not in offers(PAGE.view(settings))
        assert not offers(show(method="none"))["use"].enabled
        assert offers(show(method="none", scaling=LLAMA))["use"].enabled

    def test_widest_lists_still_fit_into_the_link(self):
        assert offers(show(method="longrope", head_dim="512"))["use"].enabled


LLAMA = '{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,"original_max_position":8192}'
SHARED_METHODS = {
    "linear": '{"rope_type":"linear","factor":4}',
    "ntk": '{"rope_type":"ntk","factor":4}',
    "dynamic": '{"rope_type":"dynamic","factor":4}',
    "yarn": '{"rope_type":"yarn","factor":16,"truncate":false,"beta_fast":8}',
    "parts": '{"rope_type":"yarn","factor":4,"ramp":"rotation","attention_factor":1}',
    "llama3": LLAMA,
    "longrope": '{"rope_type":"longrope","short_factor":[1,2],"long_factor":[1,9],"original_max_position":4096,"factor":32}',
    "proportional": '{"rope_type":"proportional","rotary_fraction":0.5}',
}


class TestSharedMethod:
    @pytest.mark.parametrize("method", SHARED_METHODS)
    def test_it_is_taken_and_gives_the_speeds_of_frequencies(self, method):
        link = {"scaling": SHARED_METHODS[method], "context": "8192", "head_dim": "4" if method == "longrope" else "64"}
        settings = take(settings_of("extension", method="none", **link), "take")
        view = PAGE.view(settings)
        assert not view.notices
        assert (settings["method"], settings["scaling"]) == (method, link["scaling"])
        assert "take" not in offers(view)
        speeds = FREQUENCIES.view(settings_of("frequencies", **link)).columns["theta"]
        if method not in ("dynamic", "longrope"):  # whose speeds that page shows within the trained length
            moving = len(drawn_ratio(view))  # a pair that stands still has no place on a log axis
            np.testing.assert_allclose(drawn_ratio(view), speeds[:moving] * 1e4 ** (np.arange(moving) / 32), rtol=1e-9)

    def test_it_is_offered_again_once_an_option_is_moved(self):
        settings = take(settings_of("extension", scaling=LLAMA, context="8192"), "take")
        assert "take" in offers(PAGE.view(settings.replace(high_freq_factor=8)))

    def test_without_one_nothing_is_offered(self):
        assert "take" not in offers(show())

    @pytest.mark.parametrize(
        "link",
        [
            {"scaling": '{"rope_type":"linear","factor":100000}', "context": "8192"},
            {"scaling": '{"rope_type":"ntk","factor":4}', "head_dim": "2"},
            {"scaling": '{"rope_type":"yarn","factor":4,"attention_factor":9}'},
        ],
        ids=["too long", "does not fit", "out of range"],
    )
    def test_what_the_page_cannot_show_is_said(self, link):
        view = show(**link)
        assert "take" not in offers(view)
        assert any("The page cannot be set to that one." in part.text for part in view.parts if isinstance(part, Prose))


def names_in(file):
    """Return the names of the tests in a file."""
    return {part.name for part in ast.parse((ROOT / file).read_text(encoding="utf-8")).body if isinstance(part, ast.FunctionDef)}


def test_every_figure_names_a_test_that_there_is():
    named = [show(ext_view=view).verified_by.split("::") for view in VIEWS]
    assert all(name in names_in(file) for file, name in named)
    assert len({name for _, name in named}) == len(VIEWS)


def test_snippets_stand_beside_their_mended_form():
    blocks = [part.text for part in leaves(show(method="dynamic").parts) if isinstance(part, Code)]
    assert len(blocks) == 4
    for block in blocks:
        names = {}
        exec(block, names)
        assert len(names["theta"]) == 64


def test_settings_worth_looking_at_can_be_set():
    for each in PAGE.tries(Settings("extension")):
        assert not PAGE.view(Settings("extension").replace(**each.values)).notices
