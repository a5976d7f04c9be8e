"""The page about context extension as a reader finds it: models, cached keys, what does not fit, and the way to other pages."""

import ast
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from lessons.extension.setting import METHODS
from lessons.extension.table import ROWS
from tests.oracles import scaling as oracle
from tests.visit import drawn, figure, go, look, move, open_page, run, value, views
from parameters.types import Number
from ui.parameters import PARAMETERS

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
VIEWS = tuple(PARAMETERS["ext_view"].options)


def sentences(at):
    return next(element.value for element in at.markdown if element.value.startswith("- "))


def drawn_ratio(at):
    """Ratios of the chosen method as they are drawn."""
    return next(np.array(trace["y"]) for trace in figure(at)["data"] if str(trace.get("name")).startswith("<b>"))


class TestModels:
    @pytest.mark.parametrize("name", MODELS)
    def test_every_view_of_a_model_opens_without_a_notice(self, name):
        looks = set()
        for mode in VIEWS:
            at = open_page("extension", ext_view=mode, **MODELS[name])
            assert not at.warning
            assert not at.info
            looks.add(look(at))
        assert len(looks) == len(VIEWS)

    def test_llama_3_1_is_drawn_as_meta_computes_it(self):
        ratio = drawn_ratio(open_page("extension", **MODELS["Llama 3.1 8B"]))
        assert [(ratio == 1).sum(), (ratio == 0.125).sum()] == [29, 29]

    def test_qwen_is_drawn_as_engines_compute_it(self):
        ratio = drawn_ratio(open_page("extension", **MODELS["Qwen2.5 7B"]))
        assert [int(np.flatnonzero(ratio < 1)[0]) - 1, int(np.flatnonzero(np.isclose(ratio, 0.25, rtol=1e-12))[0])] == [23, 40]

    def test_phi_is_drawn_with_the_lists_of_its_config(self):
        lists = json.loads((ROOT / "rope_core/phi35_longrope.json").read_text())
        at = open_page("extension", **MODELS["Phi-3.5-mini"])
        np.testing.assert_allclose(1 / drawn_ratio(at), lists["long_factor"], rtol=1e-12)
        within = move(at, target=4096)
        np.testing.assert_allclose(1 / drawn_ratio(within), lists["short_factor"], rtol=1e-12)

    def test_internlm_slows_its_last_pair_by_three_at_twice_the_length(self):
        assert drawn_ratio(open_page("extension", **MODELS["InternLM2.5 7B"]))[-1] == pytest.approx(1 / 3)

    def test_kimi_steps_from_pair_19_to_pair_20(self):
        ratio = drawn_ratio(open_page("extension", **MODELS["Kimi K2"]))
        np.testing.assert_allclose(ratio, [1] * 20 + [1 / 32] * 12, rtol=1e-12)

    @pytest.mark.parametrize("target", ["1", "4096", "4097", "65536", "10000000"])
    @pytest.mark.parametrize("method", METHODS)
    def test_every_method_serves_every_length(self, method, target):
        at = open_page("extension", method=method, target=target)
        assert not at.warning
        assert not at.info
        length = max(int(target), 4096)
        (line,) = [caption.value for caption in at.caption if caption.value.startswith("Factor s = ")]
        assert f"= `{length:,}` / `4,096` = `{length / 4096:,.6g}`" in line


class TestCachedKeys:
    def test_older_base(self):
        link = {"ext_view": "decode", "method": "dynamic", "head_dim": "64", "context": "2048", "target": "4096", "cached_length": "2048"}
        for key, scores in (("2047", ("12.374687991", "28.596496536")), ("4094", ("62.011424339", "15.121334160"))):
            told = sentences(open_page("extension", key_at=key, **link))
            assert all(f"`{score}`" in told for score in scores)
            assert "transformers" in told
            assert "vLLM" in told

    def test_short_list(self):
        at = open_page(
            "extension",
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
        assert all(f"`{score}`" in sentences(at) for score in ("5.550720934", "-2.633350867", "5.095952764"))


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
    def test_it_is_said_in_one_sentence_and_nothing_is_lost(self, link, part):
        for mode in VIEWS:
            at = open_page("extension", ext_view=mode, **link)
            if mode == "attention" and "long_factor" in link:
                continue  # the lists are not drawn there
            (told,) = [info.value for info in at.info]
            assert part in told
            assert all(
                f"{value(at, name):.15g}" == new for name, new in link.items() if isinstance(PARAMETERS[name], Number) and name in drawn(at)
            )

    def test_it_is_gone_once_it_fits(self):
        at = open_page("extension", method="ntk", head_dim="2")
        assert not move(at, head_dim=4).info

    def test_beta_slow_above_beta_fast_is_named_and_kept(self):
        at = open_page("extension", method="yarn", beta_fast="2", beta_slow="8")
        (notice,) = at.warning
        assert "beta_slow must be a number from 0.01 to 2, got `8`" in notice.value
        assert value(at, "beta_slow") == 8

    @pytest.mark.parametrize("method", METHODS)
    def test_target_ends_where_the_factor_does(self, method):
        at = open_page("extension", method=method, context="2", target="10000000")
        (notice,) = at.warning
        assert "Target length must be a whole number from 1 to 2,000,000, got `10000000`; using 32,768." in notice.value
        assert value(at, "target") == 10_000_000
        at = open_page("extension", method=method, context="2", target="2000000")
        assert not at.warning
        assert not at.info
        assert not move(open_page("extension", context="2", target="10000000"), context=10).warning

    def test_long_default_is_cut_in_a_notice(self):
        at = open_page("extension", method="longrope", long_factor="1,2,abc")
        (notice,) = at.warning
        told = re.search(r"using ([\d., …]+) \((\d+) numbers\)\.", notice.value)
        used = [float(word) for word in told[1].strip(" …").split(",") if word.strip()]
        assert told[2] == "48"
        assert 1 < len(used) < 12
        assert used == PARAMETERS["long_factor"].parse(PARAMETERS["long_factor"].default)[: len(used)]

    def test_own_list_of_the_right_length_is_used(self):
        at = open_page("extension", method="longrope", head_dim="4", long_factor="2 8")
        np.testing.assert_allclose(drawn_ratio(at), [0.5, 0.125])
        assert "as you typed it" in sentences(at)


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
        """Whatever stood there before: the controls hold the numbers of its config, and the drawn speeds are those of a formula."""
        at = open_page("extension", method=method, ext_view="decode", **FOREIGN)  # draws all but one of the knobs
        at = move(at, ramp="rotation") if method == "yarn" else at  # the box of truncate is gone then
        at = move(at, ext_view="ratio", method="none" if method != "none" else "linear")
        at.button(key=f"extension.row.{method}").click()
        run(at)
        assert not at.warning
        assert not at.info
        assert value(at, "scaling") == ""
        (hf_id, target), expected = ROW_MODELS[method], oracle_of(method)
        stated = STATED[hf_id]
        trained = stated.get("original_max_position_embeddings", stated["max_position_embeddings"])
        head = {"base": stated["rope_theta"], "head_dim": stated["head_dim"], "rotary": 1, "layout": "half", "context": trained}
        for name, new in ({"method": method, "target": target} | head).items():
            assert value(at, name) == new, name
        np.testing.assert_allclose(drawn_ratio(at), expected[expected > 0], rtol=1e-9)  # the others are no part of the line
        size = re.search(r"A = `([\d.]+)`", sentences(move(at, ext_view="attention")))[1]
        wanted = {"yarn": 0.1 * math.log(4) + 1, "longrope": math.sqrt(1 + math.log(32) / math.log(4096))}
        assert float(size) == pytest.approx(wanted.get(method, 1), rel=1e-8)

    def test_every_method_has_a_row(self):
        assert set(ROWS) == set(METHODS)


class TestWayOn:
    def test_method_travels_to_frequencies(self):
        at = open_page("extension", method="yarn")
        at.button(key="extension.use").click()
        run(at)
        told = json.loads(value(at, "scaling"))
        assert told["rope_type"] == "yarn"
        assert told["factor"] == 8
        go(at, "frequencies")
        assert not at.warning
        assert look(at) != look(open_page("frequencies"))

    def test_widest_lists_still_fit_into_the_link(self):
        at = open_page("extension", method="longrope", head_dim="512")
        assert not at.button(key="extension.use").disabled

    def test_method_that_cannot_be_used_does_not_travel(self):
        assert open_page("extension", method="ntk", head_dim="2").button(key="extension.use").disabled


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


class TestMethodOfTheSidebar:
    @pytest.mark.parametrize("method", SHARED_METHODS)
    def test_it_is_taken_and_gives_the_speeds_of_frequencies(self, method):
        link = {"scaling": SHARED_METHODS[method], "context": "8192", "head_dim": "4" if method == "longrope" else "64"}
        at = open_page("extension", method="none", **link)
        at.button(key="extension.take").click()
        run(at)
        assert not at.warning
        assert not at.info
        assert value(at, "method") == method
        assert value(at, "scaling") == link["scaling"]
        assert not [button for button in at.button if button.key == "extension.take"]
        speeds = figure(open_page("frequencies", **link))["data"][0]["y"]
        if method not in ("dynamic", "longrope"):  # whose speeds that page shows within the trained length
            moving = len(drawn_ratio(at))  # a pair that stands still has no place on a log axis
            np.testing.assert_allclose(drawn_ratio(at), speeds[:moving] * 1e4 ** (np.arange(moving) / 32), rtol=1e-9)

    def test_a_knob_that_is_moved_afterwards_brings_the_button_back(self):
        at = open_page("extension", scaling=LLAMA, context="8192")
        at.button(key="extension.take").click()
        run(at)
        at = move(at, high_freq_factor=8)
        assert at.button(key="extension.take")

    def test_without_scaling_nothing_is_offered(self):
        assert not [button for button in open_page("extension").button if button.key == "extension.take"]

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
        at = open_page("extension", **link)
        assert not [button for button in at.button if button.key == "extension.take"]
        assert any("The page cannot be set to that one." in element.value for element in at.markdown)


def test_sidebar_says_that_a_method_does_not_fit():
    def line(at):
        return next(element.value for element in at.sidebar.markdown if element.value.startswith("Scaling: "))

    link = {"scaling": SHARED_METHODS["longrope"]}
    at = open_page("decay", head_dim="4", **link)
    assert line(at) == "Scaling: **LongRoPE, factor 32**."
    assert line(move(at, head_dim=128)) == "Scaling: **LongRoPE, factor 32**. It is not used: it does not fit this head."
    assert at.warning
    assert line(move(at, head_dim=4)) == "Scaling: **LongRoPE, factor 32**."
    assert "does not fit" not in line(open_page("start", **link))


def names_in(file):
    """Names of the tests in a file, with their class before them where they have one."""
    found = set()
    for part in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
        inner = part.body if isinstance(part, ast.ClassDef) else [part]
        names = [each.name for each in inner if isinstance(each, ast.FunctionDef) and each.name.startswith("test_")]
        found |= {f"{part.name}::{name}" if isinstance(part, ast.ClassDef) else name for name in names}
    return found


@pytest.mark.parametrize("page", ["extension", "models"])
def test_every_figure_names_a_test_that_there_is(page):
    named = set()
    for view in views(page):
        at = open_page(page, **view.choices)
        (line,) = [caption.value for caption in at.caption if caption.value.startswith("Checked by ")]
        (test,) = re.findall(r"`(tests/[^`]+)`", line)
        file, _, name = test.partition("::")
        assert name in names_in(file), test
        named.add(test)
    assert len(named) == {"extension": len(VIEWS), "models": 3}[page]


def test_snippets_stand_beside_their_mended_form():
    at = open_page("extension", method="dynamic")
    blocks = [element.value for element in at.markdown if element.value.startswith("```python")]
    assert len(blocks) == 4
    for block in blocks:
        names = {}
        exec(block.removeprefix("```python\n").removesuffix("\n```"), names)
        assert len(names["theta"]) == 64
