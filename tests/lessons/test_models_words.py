"""Sentences, tables and columns about models: true at ties, for layers that turn nothing, and whatever a config calls its layers."""

import re

import numpy as np
import pytest

from lessons.models import PAGE
from lessons.models.settings import MOST_KINDS, read
from lessons.models.table import as_markdown, method_numbers, table
from lessons.models.words import alike
from parameters.models import by_slug
from parameters.own_config import parse_text
from parameters.settings import Settings
from rope_core import LongRopeScaling, YarnScaling

VIEWS = ("wavelengths", "turns", "layers", "ratio")


def setting(*names, chosen=0, length=0, mode="wavelengths"):
    values = {"models_names": ",".join(names), "models_layer": chosen, "models_length": length, "models_view": mode}
    return Settings("models").replace(**values)


def pasted(text, mode="wavelengths"):
    return Settings("models").replace(models_way="own", models_config=parse_text(text).document, models_view=mode)


class TestEveryModel:
    @pytest.mark.parametrize("mode", VIEWS)
    def test_every_view_of_every_model_has_sentences_formula_code_and_file(self, mode, subtests):
        for name, model in by_slug().items():
            for chosen, layer in enumerate(model.rope.layers):
                with subtests.test(model=name, layer=layer):
                    view = PAGE.view(setting(name, chosen=chosen, mode=mode))
                    assert 1 <= len(view.sentences) <= 3
                    assert all(view.sentences)
                    assert not any(re.search(r"\{\w*\}|nan|None", text) for text in (*view.sentences, view.alt))
                    names = {}
                    exec(view.code, names)
                    if layer not in ("nope", "linear_attention") and model.rope.layers[layer] and mode != "layers":
                        (strong,) = [trace for trace in view.figure.data if trace.name.startswith("<b>") and "+" in trace.mode]
                        result = names["result"].numpy()
                        drawn = result[np.isfinite(result) & (result > 0)]
                        np.testing.assert_allclose(drawn, strong.y, rtol=1e-9)


class TestSentences:
    def test_models_with_the_same_speeds_are_named_together(self):
        (said,) = alike(read(setting("meta-llama-3.1-8b", "qwen3-8b", "meta-llama-3.1-70b")).turning)
        assert "Llama 3.1 8B" in said
        assert "Llama 3.1 70B" in said
        assert "Qwen3" not in said

    def test_slowest_pairs_that_tie_are_not_ranked(self):
        view = PAGE.view(setting("meta-llama-3.1-8b", "meta-llama-3.1-70b"))
        assert "need the same" in view.sentences[-1]

    def test_one_row_is_compared_with_nothing(self):
        assert "nothing to compare it with" in PAGE.view(setting("qwen3-8b")).sentences[-1]

    def test_layers_that_turn_nothing_say_so_in_every_view(self):
        for mode in VIEWS:
            view = PAGE.view(setting("llama-4-scout-17b-16e-instruct", chosen=1, mode=mode))
            assert "nothing turns here" in " ".join(view.sentences)

    def test_model_that_turns_nothing_at_all_has_a_figure(self):
        nothing = next(name for name, model in by_slug().items() if model.config is None)
        for mode in VIEWS:
            assert PAGE.view(setting(nothing, mode=mode)).figure.layout.height

    def test_pairs_that_stand_still_are_counted(self):
        view = PAGE.view(setting("gemma-4-26b-a4b"))
        assert "Standing still among them: `192`." in view.sentences[0]

    def test_all_pairs_that_finish_a_turn_are_said_to(self):
        view = PAGE.view(setting("gemma-3-4b-it", chosen=1))
        assert "Pairs that finish no turn within the sliding window of `1,024` tokens: `57` of `128`." in view.sentences[0]


class TestFewAndMany:
    @pytest.mark.parametrize("mode", VIEWS)
    def test_nothing_that_stands_alone_is_spoken_of_as_several(self, mode):
        text = '{"head_dim": 2, "max_position_embeddings": 1, "num_hidden_layers": 1, "rope_theta": 7}'
        view = PAGE.view(pasted(text, mode))
        for said in (*view.sentences, view.alt, view.figure.layout.yaxis.title.text or ""):
            assert not re.search(r"\b1`? (pairs|tokens|layers|kinds|turns)", said), said
        assert view.figure.layout.xaxis.dtick == 1

    @pytest.mark.parametrize("names", ["deepseek-v3", "qwen3-8b"])
    def test_scale_of_the_softmax_stands_where_it_has_a_factor(self, names):
        view = PAGE.view(setting(names, mode="ratio"))
        assert ("0.135233779: `0.0721687836`".replace(":", "`:") in view.sentences[0]) == (names == "deepseek-v3")
        assert any("0.135233779" in line for line in view.formula) == (names == "deepseek-v3")

    def test_layers_that_a_config_names_and_counts_differently_are_not_all_there_are(self):
        text = '{"head_dim": 8, "num_hidden_layers": 4, "layer_types": ["full_attention", "full_attention"]}'
        assert table(read(pasted(text)))["your config"][0] == "2 / 2 named, of 4"
        assert "it states `4` layers" in PAGE.view(pasted(text, "layers")).sentences[0]

    @pytest.mark.parametrize("mode", VIEWS)
    def test_very_wide_head_is_drawn_thinned_out_and_said_to_be(self, mode):
        view = PAGE.view(pasted('{"head_dim": 65536, "max_position_embeddings": 8}', mode))
        if mode != "layers":
            (drawn,) = view.figure.data
            assert len(drawn.x) == 2048
            assert drawn.x[-1] == 2047 * 16
            assert "one pair in `16` is drawn" in " ".join(view.sentences)


class TestNames:
    def test_name_of_layers_is_code_in_sentences_and_escaped_in_figures(self):
        text = '{"head_dim": 8, "layer_types": ["%s", "b"], "rope_parameters": {"%s": {"rope_theta": 9}, "b": {"rope_theta": 7}}}'
        view = PAGE.view(pasted(text % ("<b>x", "<b>x")))
        assert "`<b>x`" in view.sentences[0]
        assert view.figure.data[0].name == "<b>your config · &lt;b&gt;x</b>"

    def test_cell_of_the_markdown_table_cannot_be_left(self):
        assert as_markdown({"a|b": ["c\nd"], "`<x>": ["\\|"]}) == "| a\\|b | '&lt;x> |\n| --- | --- |\n| c d | \\\\\\| |"

    def test_types_of_layers_that_are_shown_are_few(self):
        assert len(read(setting("gemma-3-4b-it")).rows) <= MOST_KINDS


class TestTable:
    def test_numbers_of_deepseek_v3_are_those_that_its_authors_give(self):
        quantities, column = table(read(setting("deepseek-v3"))).values()
        cells = dict(zip(quantities, column, strict=True))
        assert cells["Method"] == "YaRN"
        assert cells["Its numbers"].startswith("factor 40, original_max_position 4096")
        assert (cells["Pairs P"], cells["Head width d"], cells["Rotated width"], cells["Layout"]) == ("32", "192", "64", "interleaved")
        assert (cells["Trained length L (tokens)"], cells["Stated length (tokens)"]) == ("4,096", "163,840")
        # m = 0.1 ln 40 + 1, squared
        assert cells["Factor of the softmax"] == "1.87385421"
        assert cells["Attention factor A"] == "1"
        assert cells["Softmax scale: that factor over √d"] == "0.135233779"

    def test_length_of_the_text_chooses_the_list_of_longrope(self):
        def longest(length):
            quantities, column = table(read(setting("phi-3.5-mini-instruct", length=length))).values()
            return dict(zip(quantities, column, strict=True))["Longest wavelength (tokens)"]

        assert longest(0) == longest(4096) != longest(4097) == longest(100_000)

    def test_layers_that_turn_nothing_have_no_numbers(self):
        shown = table(read(setting("llama-4-scout-17b-16e-instruct")))
        assert list(shown)[2].endswith("`nope`")
        quantities, _, still = shown.values()
        assert dict(zip(quantities, still, strict=True)) | {"Layers": "", "Method": ""} == dict.fromkeys(quantities, "–") | {
            "Layers": "",
            "Method": "",
        }
        assert dict(zip(quantities, still, strict=True))["Layers"] == "12 / 48"

    def test_settings_that_are_defaults_are_left_out(self):
        assert method_numbers(YarnScaling(4.0)) == "factor 4"
        assert method_numbers(YarnScaling(4.0, truncate=False, mscale=0.707)) == "factor 4, truncate False, mscale 0.707"
        lists = LongRopeScaling(short_factor=[1.0, 2.0], long_factor=[3.0, 4.5], original_max_position=64)
        assert method_numbers(lists) == "short_factor 2 divisors, 1 to 2, long_factor 2 divisors, 3 to 4.5, original_max_position 64"
        assert method_numbers(None) == "–"


class TestFile:
    def test_columns_of_layers_say_which_type_each_is(self):
        columns = PAGE.view(setting("gemma-3-4b-it", mode="layers")).columns
        kinds = ["full_attention", "sliding_attention"]
        expected = [kinds.index(kind) for kind in by_slug()["gemma-3-4b-it"].rope.layer_types]
        assert list(columns["type gemma-3-4b-it"]) == expected
        assert list(columns["layer gemma-3-4b-it"]) == list(range(34))

    def test_columns_of_pairs_are_the_lines(self):
        view = PAGE.view(setting("gpt-oss-20b", "qwen3-8b", mode="ratio"))
        for name, trace in zip(("ratios gpt-oss-20b", "ratios qwen3-8b"), view.figure.data, strict=True):
            np.testing.assert_array_equal(view.columns[name], trace.y)
