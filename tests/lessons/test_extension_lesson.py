"""The page about context extension: known numbers, code against figure, and sentences that hold wherever the controls stand."""

import itertools
import math
import re

import numpy as np
import pytest

from lessons.extension import PAGE
from lessons.extension.settings import option_names, read_extension
from lessons.extension.snippets import snippets
from lessons.extension.speeds import unseen
from lessons.methods import SHEETS
from lessons.methods.options import USUAL, MethodOptions, divisors, read_options
from parameters.extension import EXTENSION, PHI_LISTS
from rope_core import RopeConfigError, inverse_frequencies
from tests.evaluate import (
    assert_notebook_agrees,
    assert_readable,
    dependences,
    evaluate_everywhere,
    settings_of,
)

METHODS = tuple(SHEETS)
VIEWS = tuple(EXTENSION["ext_view"].options)
LENGTHS = [(1, 1), (1, 2), (4096, 100), (4096, 32_768), (2048, 10_000_000), (10_000_000, 10_000_000), (1, 1_000_000)]
WIDTHS = [2, 4, 96, 128, 512]


def address(method="yarn", *, width=128, base=1e4, trained=4096, target=32_768, rotary=1, **options):
    return settings_of("extension", method=method, head_dim=width, base=base, context=trained, target=target, rotary=rotary, **options)


def setting(method="yarn", **options):
    settings = address(method, **options)
    return read_extension(settings, option_names(settings))


def show(view, method="yarn", **options):
    return PAGE.view(address(method, ext_view=view, **options))


def run(code):
    names = {}
    exec(code, names)
    return names


def texts(view):
    return (view.alt, *view.sentences, *view.formula)


def check(view):
    assert_readable(view)
    assert not any(re.search(r"None|  ", text) for text in texts(view))
    assert len(view.sentences) == 3
    assert view.verified_by


class TestExtremes:
    @pytest.mark.parametrize("mode", [mode for mode in VIEWS if mode != "curve"])
    @pytest.mark.parametrize("method", METHODS)
    def test_every_method_at_every_width_and_length_is_told_in_finite_numbers(self, mode, method):
        for width, (trained, target) in itertools.product(WIDTHS, LENGTHS):
            view = show(mode, method, width=width, trained=trained, target=target)
            check(view)
            assert np.isfinite(run(view.code)["result"].numpy()).all()

    @pytest.mark.parametrize("method", METHODS)
    def test_score_is_told_in_finite_numbers(self, method):
        for width, (trained, target) in itertools.product((2, 4, 128), LENGTHS[:4]):
            view = show("curve", method, width=width, trained=trained, target=target)
            check(view)
            assert np.isfinite(run(view.code)["result"].numpy()).all()

    @pytest.mark.parametrize("method", ["linear", "longrope"])
    def test_score_of_ten_million_tokens_is_told(self, method):
        check(show("curve", method, width=96, target=10_000_000))

    @pytest.mark.parametrize("base", [1.01, 1e9])
    @pytest.mark.parametrize("mode", VIEWS)
    def test_extreme_bases_are_told(self, mode, base):
        for method in METHODS:
            check(show(mode, method, base=base))

    @pytest.mark.parametrize(
        "options",
        [
            {"beta_fast": 0.01, "beta_slow": 0.01},
            {"beta_fast": 10_000, "beta_slow": 10_000},
            {"beta_fast": 10_000, "beta_slow": 0.01, "ramp": "rotation"},
            {"truncate": "off", "attention_factor": 4},
            {"attention_rule": "ratio", "mscale": 4, "mscale_all_dim": 0},
            {"attention_rule": "ratio", "mscale": 0.5, "mscale_all_dim": 4},
            {"low_freq_factor": 1024, "high_freq_factor": 1024},
            {"low_freq_factor": 0.01, "high_freq_factor": 0.01},
            {"dynamic_factor": 128},
            {"rotary_fraction": 0},
            {"rotary_fraction": 1},
            {"long_factor": "0.01 " * 64, "short_factor": "1000 " * 64},
        ],
        ids=str,
    )
    def test_options_at_their_ends_are_told(self, options):
        for mode, method in itertools.product(VIEWS, ("yarn", "parts", "llama3", "dynamic", "proportional", "longrope")):
            check(show(mode, method, **options))


class TestSetting:
    @pytest.mark.parametrize("method", [method for method in METHODS if method not in ("longrope", "proportional")])
    @pytest.mark.parametrize("target", [1, 4096])
    def test_without_a_stretch_nothing_changes(self, method, target):
        s = setting(method, target=target)
        assert s.stretch == 1
        np.testing.assert_allclose(s.ratios, 1, rtol=1e-15)
        assert s.attention_factor == 1

    @pytest.mark.parametrize("method", ["ntk", "dynamic"])
    def test_one_pair_is_too_few(self, method):
        s = setting(method, width=2)
        assert isinstance(s.problem, RopeConfigError)
        assert s.used.code == "none"
        assert s.chosen == s.head

    def test_proportional_needs_a_head_that_turns_whole(self):
        assert setting("proportional", rotary=0.5).problem
        assert not setting("proportional").problem

    def test_lists_that_do_not_fit_are_named(self):
        problem = setting("longrope", long_factor="1, 2").problem
        assert str(problem) == "long_factor must have one entry for each of the 64 pairs, got 2"

    def test_lists_are_those_of_the_config_where_the_pairs_are_48(self):
        assert divisors(USUAL, "long_factor", 48) == PHI_LISTS["long_factor"]
        assert PHI_LISTS["long_factor"][0] == 1.0800000429153442
        assert len(PHI_LISTS["short_factor"]) == len(PHI_LISTS["long_factor"]) == 48

    @pytest.mark.parametrize("pairs", [1, 2, 64, 256])
    def test_lists_are_spread_over_other_pairs_from_end_to_end(self, pairs):
        spread = divisors(USUAL, "long_factor", pairs)
        assert len(spread) == pairs
        assert spread[0] == 1.08
        assert pairs == 1 or spread[-1] == 64.84
        assert list(spread) == sorted(spread)

    def test_page_says_whether_a_real_model_stands_behind_the_lists(self):
        told = [show("ratio", "longrope", width=width).sentences[1] for width in (96, 128)]
        assert "This is `long_factor` of Phi-3.5-mini, whose own factor is 32 and whose own A is `1.190`." in told[0]
        assert "No real model stands behind these numbers" in told[1]

    def test_typed_list_is_ones_own_and_the_text_that_was_there_is_not(self):
        assert read_options(address("longrope"), ["long_factor"]).long_factor == ()
        assert read_options(address("longrope", long_factor="1 2"), ["long_factor"]).long_factor == (1.0, 2.0)


class TestKnownNumbers:
    def test_yarn_of_llama_2(self):
        ratio = setting("yarn", target=4 * 4096).ratios
        np.testing.assert_allclose(ratio[[0, 20, 21, 30, 40, 46, 63]], [1, 1, 0.9711538, 0.7115385, 0.4230769, 0.25, 0.25], atol=1e-7)
        assert setting("yarn", target=4 * 4096).attention_factor == pytest.approx(1.138629436)

    def test_index_ramp_keeps_more_than_that_of_the_paper(self):
        index, turns = (setting("yarn", target=16 * 4096, ramp=ramp).ratios for ramp in ("index", "rotation"))
        np.testing.assert_allclose(index[[25, 33]], [0.820, 0.531], atol=1e-3)
        np.testing.assert_allclose(turns[[25, 33]], [0.572, 0.203], atol=1e-3)
        np.testing.assert_allclose(turns, setting("parts", target=16 * 4096).ratios)

    def test_llama_3_1_keeps_29_pairs_blends_6_and_divides_29(self):
        view = show("bands", "llama3", base=5e5, trained=8192, target=65_536)
        assert "keeps the speed of `29` of `64` pairs, blends that of `6`, and divides that of `29` by s = `8`" in view.sentences[0]
        assert "up to `2,048` tokens are kept" in view.sentences[1]

    def test_gpt_oss_does_not_round_the_ends_of_the_ramp(self):
        gpt_oss = {"width": 64, "base": 150_000, "target": 131_072}
        assert "from pair `8.09278` to pair `17.398`" in show("bands", truncate="off", **gpt_oss).sentences[1]
        assert setting(**gpt_oss).attention_factor == pytest.approx(1.346573590)
        assert "from pair `8` to pair `18`" in show("bands", **gpt_oss).sentences[1]

    def test_deepseek_keeps_the_vectors_and_multiplies_the_softmax(self):
        view = show("attention", width=64, target=163_840, attention_rule="ratio", mscale=1, mscale_all_dim=1)
        assert "A = `1`," in view.sentences[0]
        assert "`1.87385421`" in view.sentences[2]
        assert any(trace.name == "DeepSeek's softmax factor" for trace in view.figure.data)

    @pytest.mark.parametrize(
        ("options", "factor"),
        [
            ({"attention_rule": "ratio", "mscale": 1, "mscale_all_dim": 0.8}, 1.056966257),
            ({"attention_factor": 1.4852}, 1.4852),
            ({}, 1.368887945),
        ],
    )
    def test_attention_factor_is_the_published_one(self, options, factor):
        assert setting("yarn", target=163_840, **options).attention_factor == pytest.approx(factor, abs=1e-9)

    @pytest.mark.parametrize(("target", "size"), [(131_072, 1.190238071), (8192, 1.040833000), (4096, 1)])
    def test_longrope_has_the_published_factor(self, target, size):
        assert setting("longrope", width=96, target=target).attention_factor == pytest.approx(size, abs=1e-9)

    def test_base_of_ntk_and_of_dynamic_ntk(self):
        assert "`82,684.6`" in show("ratio", "ntk").sentences[1]
        assert "`156,588`" in show("ratio", "dynamic").sentences[1]
        assert "`82,684.6`" in show("ratio", "dynamic", dynamic_factor=1).sentences[1]


class TestUnseen:
    def test_a_pair_counts_from_one_step_beyond_training_on(self):
        for method in METHODS:
            s = setting(method)
            seen = [min(1, 4095 * speed / (2 * math.pi)) for speed in 1e4 ** (-np.arange(64) / 64)]
            new = [min(1, 32_767 * speed / (2 * math.pi)) for speed in inverse_frequencies(s.chosen, 32_768).tolist()]
            steps = 1e4 ** (-np.arange(64) / 64) / (2 * math.pi)
            over = [b - a for a, b, step in zip(seen, new, steps, strict=True) if b - a > step]
            np.testing.assert_allclose(unseen(s.chosen, s.length), over, atol=1e-12)

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize(("trained", "target"), [*LENGTHS, (4096, 4097), (4096, 4098), (60_000, 70_000)])
    def test_code_formula_figure_and_file_count_as_the_sentence_does(self, method, trained, target):
        view = show("unseen", method, trained=trained, target=target)
        told = r"never saw: `(\d+)`" if method == "none" or view.notices else r"`(\d+)` with \*\*"
        count = int(re.search(told, view.sentences[1])[1])
        assert run(view.code)["count"] == count
        assert rf"N &= {count}\end" in view.formula[0]
        assert (view.columns["unseen"] > 0).sum() == (np.array(view.figure.data[1].y) > 0).sum() == count

    def test_table_counts_every_method_with_its_usual_settings_but_the_chosen_one(self):
        columns = show("unseen", "ntk").parts[0].columns
        counts = dict(zip(columns["Method"], columns["Pairs that meet unseen angles"], strict=True))
        assert counts == {
            "linear": 0, "NTK-aware": 17, "dynamic NTK": 3, "YaRN": 0, "NTK-by-parts": 0, "Llama 3": 0, "LongRoPE": 0,
            "proportional": 0, "none": 18,
        }  # fmt: skip
        assert len(show("unseen", "ntk", width=2).parts[0].columns["Method"]) == len(METHODS) - 2

    def test_yarn_that_divides_too_little_leaves_unseen_angles(self):
        assert (show("unseen", beta_fast=1, beta_slow=0.1).columns["unseen"] > 0).any()

    def test_training_in_which_all_came_round_has_no_unseen_angles(self):
        view = show("unseen", "none", trained=100_000, target=10_000_000)
        assert "every pair came round" in view.sentences[0]
        assert "never saw: `0`." in view.sentences[1]


class TestDecode:
    def test_keys_under_an_older_base_have_the_published_scores(self):
        for key, fresh, stale in ((2047, "12.374687991", "28.596496536"), (4094, "62.011424339", "15.121334160")):
            view = show("decode", "dynamic", width=64, trained=2048, target=4096, key_at=key, cached_length=2048)
            assert f"One table for both: `{fresh}`" in view.sentences[1]
            assert f"kept as it was: `{stale}`" in view.sentences[1]
            np.testing.assert_allclose(run(view.code)["result"].numpy(), [float(fresh), float(stale)], atol=1e-8)

    def test_keys_under_the_short_list_have_the_published_scores(self):
        lists = {"short_factor": "1 1 1 1", "long_factor": "1, 2, 4, 8", "attention_factor": 1}
        view = show("decode", "longrope", width=8, target=4101, key_at=4092, cached_length=4096, **lists)
        assert all(f"`{score}`" in view.sentences[1] for score in ("5.550720934", "-2.633350867", "5.095952764"))
        np.testing.assert_allclose(run(view.code)["result"].numpy(), [5.550720934, -2.633350867], atol=1e-8)

    def test_longrope_switches_after_the_trained_length(self):
        assert "from token `4,097` on the long one" in show("decode", "longrope").sentences[0]

    def test_dynamic_ntk_has_a_table_for_every_longer_text(self):
        assert "`28,673` tables" in show("decode", "dynamic").sentences[0]

    @pytest.mark.parametrize("method", ["dynamic", "longrope"])
    def test_same_table_is_said_to_be_the_same(self, method):
        assert "same table" in show("decode", method, cached_length=32_768).sentences[1]
        assert "no longer depends" in show("decode", method, cached_length=4096).sentences[1]
        assert "no position" in show("decode", method, key_at=30_000, cached_length=4096).sentences[1]

    @pytest.mark.parametrize("method", [method for method in METHODS if method not in ("dynamic", "longrope")])
    def test_other_methods_have_one_table_and_valid_keys(self, method):
        view = show("decode", method)
        assert "one table serves every length" in view.sentences[0]
        fresh, stale = run(view.code)["result"].tolist()
        assert fresh == stale


class TestTwoTables:
    @pytest.mark.parametrize("method", ["dynamic", "longrope"])
    @pytest.mark.parametrize("cached", [1, 4096, 5000, 32_768])
    def test_what_both_tables_share_stands_once(self, method, cached):
        view = show("decode", method, width=64, rotary=0.5, cached_length=cached)
        lines = view.code.splitlines()
        for start in ("import math", "import torch", "d, turning, base = ", "plain = "):
            assert sum(line.startswith(start) for line in lines) == 1
        fresh, stale = run(view.code)["result"].tolist()
        assert (f"`{fresh:.9f}`" in view.sentences[1]) == (f"`{stale:.9f}`" in view.sentences[1]) is True
        assert ("  # the same table" in view.code) == (cached == 32_768 or (cached > 4096 and method == "longrope"))


class TestOne:
    """One pair, one token: no plural, and no word of a second one."""

    @pytest.mark.parametrize("mode", VIEWS)
    @pytest.mark.parametrize("method", METHODS)
    def test_one_is_told_as_one(self, mode, method):
        for width, (trained, target) in itertools.product((2, 4, 128), ((1, 1), (1, 2), (4096, 32_768))):
            few = {"rotary_fraction": 0.01, "beta_fast": trained, "beta_slow": 1, "cached_length": 1}
            few |= {"width": width, "trained": trained, "target": target}
            s, view = setting(method, **few), show(mode, method, **few)
            shown = [
                *texts(view),
                *(trace.name or "" for trace in view.figure.data),
                *(note.text for note in view.figure.layout.annotations),
            ]
            for text in (*shown, *(snippet.faults for snippet in snippets(s))):
                assert not re.search(r"(?<![\d,.])`?1`? (pairs|tokens)\b|\b1 (turn|meet|keep|have|do|are) ", text), text

    @pytest.mark.parametrize("method", METHODS)
    def test_the_only_pair_is_not_told_twice(self, method):
        view = show("ratio", method, width=2)
        for text in (*view.sentences, view.alt, *(snippet.faults for snippet in snippets(setting(method, width=2)))):
            assert len(re.findall(r"pair 0|pair `0`", text)) < 2, text

    @pytest.mark.parametrize(("width", "rotary"), [(2, 2), (4, 4), (64, 64), (128, 16), (512, 512)])
    @pytest.mark.parametrize("slow", [1e-2, 1, 32])
    def test_ramp_ends_at_a_pair_that_there_is_or_is_said_to_miss_it(self, width, rotary, slow):
        told = show("bands", "yarn", width=width, rotary=rotary / width, beta_slow=slow).sentences[1]
        runs = re.search(r"runs from pair `(.*)` to pair `(.*)`\.", told)
        misses = re.search(r"would (?:begin|end) at `(.*)`, where|ends of the ramp by index", told)
        assert bool(runs) != bool(misses)
        assert runs is None or 0 <= float(runs[1]) < float(runs[2]) <= max(rotary / 2 - 1, 0.001)


class TestCode:
    @pytest.mark.parametrize("method", METHODS)
    def test_code_gives_the_numbers_of_the_figure(self, method):
        head = {"width": 96, "base": 5e5}
        ratio = show("ratio", method, **head)
        np.testing.assert_allclose(run(ratio.code)["result"].numpy(), ratio.columns["ratio"], rtol=1e-12)
        unseen = show("unseen", method, **head)
        np.testing.assert_allclose(run(unseen.code)["result"].numpy(), [unseen.columns["seen"], unseen.columns["met"]], rtol=1e-12)
        bands = show("bands", method, **head)
        np.testing.assert_allclose(run(bands.code)["result"].numpy(), [bands.columns["wavelength"], bands.columns["share"]], rtol=1e-12)
        attention = show("attention", method, **head)
        size = run(attention.code)["result"].numpy()
        curve = attention.columns.get(f"A_{method}", np.ones(size.shape[1]))
        np.testing.assert_allclose(size, [curve, curve**2], rtol=1e-12)

    @pytest.mark.parametrize("method", METHODS)
    def test_code_gives_every_score_of_the_band(self, method):
        view = show("curve", method, width=32, rotary=1 if method == "proportional" else 0.75, trained=100, target=900)
        scores = run(view.code)["result"].numpy()
        assert len(scores) == 900
        assert scores[1:].min() == pytest.approx(view.columns["lowest"].min())
        assert scores[1:].max() == pytest.approx(view.columns["highest"].max())

    @pytest.mark.parametrize(
        "options",
        [
            {"attention_factor": 1.3},
            {"attention_rule": "ratio", "mscale": 0.7, "mscale_all_dim": 0.4},
            {"attention_rule": "ratio", "mscale": 1, "mscale_all_dim": 0},
        ],
    )
    def test_code_gives_every_rule_of_the_attention_factor(self, options):
        view = show("attention", "yarn", **options)
        np.testing.assert_allclose(run(view.code)["result"].numpy()[0], view.columns["A_yarn"], rtol=1e-12)


class TestSnippets:
    def test_both_pieces_run_and_what_is_said_of_them_is_so(self):
        s = setting("dynamic")
        scale, grow = snippets(s)
        plain = 1e4 ** (-np.arange(64) / 64)
        np.testing.assert_allclose(run(scale.wrong)["theta"].numpy() / plain, 8)
        np.testing.assert_allclose(run(scale.right)["theta"].numpy() / plain, setting("yarn").ratios, rtol=1e-12)
        assert "New over old is `8` for every pair" in scale.faults
        assert "`1.207944`" in scale.faults
        np.testing.assert_allclose(run(grow.wrong)["theta"].numpy() / plain, setting("ntk").ratios, rtol=1e-12)
        np.testing.assert_allclose(run(grow.right)["theta"].numpy() / plain, s.ratios, rtol=1e-12)
        assert "`82,684.62`" in grow.faults
        assert "called `theta`, which is the speed of a pair" in grow.faults
        assert "theta = 10000" in grow.wrong
        assert "`156,588.3`" in grow.faults

    def test_a_single_pair_divides_by_zero(self):
        grow = snippets(setting("dynamic", width=2))[1]
        with pytest.raises(ZeroDivisionError):
            run(grow.wrong)
        assert "divides by zero" in grow.faults
        assert "called `theta`" in grow.faults
        assert not grow.right

    def test_a_base_of_ones_own_is_missed(self):
        assert all("`500,000`" in snippet.faults for snippet in snippets(setting("yarn", base=5e5)))
        assert not any("keeps the base" in snippet.faults for snippet in snippets(setting("yarn")))

    @pytest.mark.parametrize("width", WIDTHS)
    @pytest.mark.parametrize(("trained", "target"), LENGTHS)
    def test_every_setting_is_told(self, width, trained, target):
        for snippet in snippets(setting("yarn", width=width, trained=trained, target=target)):
            assert not re.search(r"\bnan\b|\binf\b|None|\{\w*\}`", snippet.faults)
            if snippet.right:
                run(snippet.right)


def test_chosen_ramp_is_compared_with_the_other_one():
    one, other = (show("bands", "yarn", ramp=ramp) for ramp in ("index", "rotation"))
    assert one.sentences[2] == other.sentences[2]
    np.testing.assert_array_equal(one.columns["share"], other.columns["share_of_the_other_ramp"])
    assert show("bands", "linear").columns.keys() == {"pair", "wavelength", "share"}


CASES = [{"ext_view": view, "method": method} for view, method in itertools.product(VIEWS, METHODS)]
CASES += [{"ext_view": view, "method": "yarn", "ramp": "rotation", "attention_rule": "ratio"} for view in VIEWS]
CASES += [{"ext_view": view, "method": "longrope", "target": 64} for view in VIEWS]
SHORT = {"context": 64, "target": 256}


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case.values())))
class TestPage:
    def test_view_is_shown_at_both_ends_of_every_number_in_every_language(self, case):
        evaluate_everywhere(PAGE, settings_of("extension", **SHORT | {"head_dim": 32} | case))

    def test_notebook_computes_the_columns(self, case):
        assert_notebook_agrees(PAGE.view(settings_of("extension", **SHORT | case)))

    def test_controls_are_what_the_view_depends_on(self, case):
        settings = settings_of("extension", **SHORT | case)
        lists = {name: " ".join([str(1.5 + index / 50) for index in range(64)]) for name in ("short_factor", "long_factor")}
        assert dependences(PAGE, settings, **lists) == set(PAGE.controls(settings))
        assert PAGE.live(settings) == "target"


def test_options_have_the_names_of_parameters():
    assert set(MethodOptions.__dataclass_fields__) <= set(EXTENSION)
    assert read_options(address(), MethodOptions.__dataclass_fields__) == MethodOptions(mscale=1, mscale_all_dim=1)


@pytest.mark.parametrize(("target", "factor"), [(32_768, "8"), (10_000, "2.44141"), (100, "1")])
def test_a_factor_that_is_not_stated_is_said_to_follow_from_the_lengths(target, factor):
    assert PAGE.labels(address(target=target)) == {"stated_factor": ("auto", f"auto ({factor})")}
