"""Sentences that were false once: each at the setting at which it was seen, held against a number from elsewhere."""

import math
import re

import mpmath
import numpy as np
import pytest

from lessons.extension.snippets import snippets
from lessons.glossary.entries import ENTRIES
from lessons.methods import SHEETS
from lessons.registry import PAGES
from lessons.view import Line
from locales import speaking
from parameters import parameters_of
from parameters.models import by_slug
from parameters.presets import model_settings
from parameters.settings import Settings
from rope_core import parse_config
from tests.lessons.test_every_view import VIEWS
from tests.views import view_of


def said(page, **address):
    view = view_of(page, **{name: str(value) for name, value in address.items()})
    return " ".join((*view.sentences, view.verdict, view.alt))


def extension(view="ratio", **address):
    return said("extension", ext_view=view, **address)


class TestDecoding:
    def test_longrope_says_that_phi_drops_its_cache(self):
        text = extension("decode", method="longrope", head_dim=96, context=4096, target=131_072)
        assert "generate() drops the cache at that point, once" in text
        assert "a loop of your own" in text
        assert "never turn" not in text

    def test_the_table_of_vllm_follows_from_the_config(self):
        text = extension("decode", method="dynamic")
        assert "set by factor and length of the config" in text
        assert "capacity" not in text

    def test_no_method_promises_texts_of_every_length(self):
        for sheet in SHEETS.values():
            assert "every length" not in sheet.row.when
        with speaking("zh-CN"):
            assert "任何长度" not in str([sheet.row for sheet in SHEETS.values()])

    def test_a_key_at_position_0_does_not_make_two_tables_one(self):
        text = extension("decode", method="dynamic", context=1, target=2, head_dim=64, key_at=0, cached_length=1)
        assert "Both lengths have the same table" not in text


class TestLengths:
    @pytest.mark.parametrize("slug", ["qwen3-8b", "gemma-3-4b-it", "mistral-7b-v0.1", "llama-2-7b-hf"])
    def test_a_length_that_is_only_stated_is_no_trained_one(self, slug):
        if slug not in by_slug():
            pytest.skip("not in the catalogue")
        for view in ("wavelengths", "turns", "layers", "ratio"):
            for layer in range(len(by_slug()[slug].rope.layers)):
                assert "train" not in said("models", models_names=slug, models_view=view, models_layer=layer)

    def test_a_method_names_the_trained_one(self):
        text = said("models", models_names="meta-llama-3.1-8b")
        assert "trained on `8,192` tokens, stated length `131,072` tokens" in text
        assert "within the trained length of `8,192` tokens: `29` of `64`" in text

    def test_the_page_says_what_context_extension_takes_for_the_trained_length(self):
        parts = PAGES["models"].view(Settings("models").replace(models_names="gemma-3-4b-it", models_layer=0)).parts
        [note] = [part.text for part in parts if "for the trained length" in getattr(part, "text", "")]
        assert "16,384" in note
        assert "131,072" in note

    @pytest.mark.parametrize("page", ["frequencies", "decay", "bases", "extension", "glossary"])
    def test_one_term_has_one_letter(self, page):
        assert parameters_of(page)["context"].label == "Context length L"
        assert [entry.key for entry in ENTRIES.values() if entry.symbol == "L"] == ["context-length"]


class TestWindows:
    """A query of a layer with a window of w tokens sees distances 0 to w - 1."""

    # 2 pi 10000 ** (i / 128) > 1024 for i > 128 log(1024 / 2 pi) / log(10000) = 70.8; over 64 of the head of Mistral at 4096: 45.03
    @pytest.mark.parametrize(("slug", "layer", "window", "count"), [("gemma-3-4b-it", 1, 1024, 57), ("mistral-7b-v0.1", 0, 4096, 18)])
    def test_turns_are_counted_within_the_window(self, slug, layer, window, count):
        address = {"models_names": slug, "models_layer": layer}
        text = said("models", models_view="turns", models_length=0, **address)
        assert f"within the sliding window of `{window:,}` tokens: `{count}` of" in text
        assert f"sliding window `{window:,}` tokens" in text
        longer = view_of("models", models_view="turns", models_length="131072", **{name: str(value) for name, value in address.items()})
        [turns] = [column for name, column in longer.columns.items() if name.startswith("turns") and ("slid" in name or layer == 0)]
        assert turns[0] == pytest.approx(window / math.tau)
        assert r"\min(n, w)" in "".join(longer.formula)

    def test_first_negative_distance_beyond_the_window_is_none(self):
        view = view_of("models", models_names="gemma-3-4b-it", models_layer="1")
        [fold] = [part for part in view.parts if getattr(part, "key", "") == "numbers"]
        columns = fold.parts()[0].columns
        row = columns["Quantity"].index("First negative distance")
        # at base 10,000 and width 256 the sum is first negative at distance 2,653, at base 1,000,000 over 8 not below 131,072
        assert [columns[name][row] for name in columns if name != "Quantity"] == ["–", "–"]

    @pytest.mark.parametrize(("slug", "layer", "window"), [("gemma-3-4b-it", 1, 1024), ("mistral-7b-v0.1", 0, 4096)])
    def test_other_pages_take_the_window_for_the_context(self, slug, layer, window):
        parts = PAGES["models"].view(Settings("models").replace(models_names=slug, models_layer=layer)).parts
        [offers] = [part.parts for part in parts if isinstance(part, Line)]
        assert {offer.values["context"] for offer in offers} == {window}
        assert any(f"sliding window of {window:,} tokens" in getattr(part, "text", "") for part in parts)
        assert model_settings()["Mistral 7B v0.1"]["context"] == 4096

    @pytest.mark.parametrize(
        ("config", "windows"),
        [
            ({"model_type": "mistral", "sliding_window": 4096}, {"all": 4096}),
            ({"model_type": "mistral", "sliding_window": None}, {}),
            ({"model_type": "qwen2", "sliding_window": 4096}, {}),
            (
                {"model_type": "gemma3_text", "rope_local_base_freq": 500, "sliding_window": 512, "num_hidden_layers": 6},
                {"sliding_attention": 512},
            ),
            ({"layer_types": ["sliding_attention"] * 2, "sliding_window": 64}, {"all": 64}),
            ({"layer_types": ["sliding_attention", "full_attention"], "sliding_window": 64}, {}),
        ],
    )
    def test_windows_are_those_of_the_config(self, config, windows):
        head = {"head_dim": 64, "max_position_embeddings": 8192, "rope_theta": 10_000}
        assert parse_config(head | config).windows == windows


class TestBands:
    def test_nothing_is_divided_where_the_ends_cross(self):
        text = extension("bands", method="yarn", context=4, target=8)
        assert "pair `-" not in text
        assert "every pair is kept" in text
        assert "divides that of `0`" in text

    @pytest.mark.parametrize(("above", "below", "square", "growth"), [(0, 1, 1.459, 1.459), (2, 1, 1.374, 1.459), (1, 1, 1.0, 1.459)])
    def test_growth_in_the_softmax_comes_besides(self, above, below, square, growth):
        text = extension(
            "attention", method="yarn", context=4096, target=32_768, attention_rule="ratio", mscale=above, mscale_all_dim=below
        )
        assert "instead" not in text
        assert float(re.search(r"A² = `([\d.]+)`", text)[1]) == pytest.approx(square, abs=5e-4)
        assert float(re.search(r"ln s \+ 1\)² = `([\d.]+)`", text)[1]) == pytest.approx(growth, abs=5e-4)
        assert float(re.search(r"grow by `([\d.]+)` in all", text)[1]) == pytest.approx(square * growth, abs=2e-3)
        assert ("A stays 1" in text) == (above == below)

    def test_the_paper_fitted_the_attention_factor(self):
        text = extension("attention", method="yarn")
        assert "perplexity" in text
        assert "flattens" not in text

    def test_lists_of_phi_have_the_a_of_phi(self):
        text = extension(method="longrope", head_dim=96, context=4096, target=32_768)
        assert "own A is `1.190`" in text  # sqrt(1 + ln 32 / ln 4096)


class TestEnds:
    def test_an_angle_may_be_new_to_a_pair_that_came_round(self):
        text = extension("unseen", method="none", head_dim=2, context=8, target=16)
        met = np.degrees(np.arange(8)) % 360
        assert np.abs(met - math.degrees(8) % 360).min() > 1  # position 8, at 98.4 degrees
        assert "no angle that it has not met" not in text
        assert "more than one of its steps" in text

    def test_a_law_that_comes_higher_is_not_nearly_as_high(self):
        text = said("frequencies", freq_view="laws", head_dim=6)
        assert "nearly" not in text
        assert "at least as high" in text

    @pytest.mark.parametrize(
        ("method", "wrong"), [("ntk", "larger base"), ("linear", "slows"), ("dynamic", "slowed"), ("yarn", "divides that")]
    )
    def test_nothing_is_slowed_at_s_1(self, method, wrong):
        assert wrong not in extension(method=method, context=4096, target=4096)
        with speaking("zh-CN"):
            assert re.search(r"慢 ?`?[\d{]", extension(method=method, context=4096, target=4096)) is None

    @pytest.mark.parametrize(("place", "label"), [("start", "Base 500,000: every hand but the first is slower")])
    def test_pair_0_is_not_slower_at_a_larger_base(self, place, label):
        assert label in [each.label for each in PAGES[place].tries(Settings(place))]

    def test_new_angles_come_from_distances(self):
        [note] = view_of("start").parts
        assert "a score depends on distances" in note.text

    def test_a_deviation_is_said_to_be_the_largest_of_many(self):
        text = said("decay", decay_view="random")
        assert re.search(r"the largest of `\d+` deviations, one a distance", text)

    @pytest.mark.parametrize("view", ["speeds", "turns"])
    def test_turns_with_a_method_name_their_speeds(self, view):
        scaling = '{"rope_type":"linear","factor":8}'
        text = said("frequencies", freq_view=view, scaling=scaling)
        # 2 pi 10000 ** (i / 64) > 4096 for i > 45.03; over 8 for i > 30.6
        assert "`33` of `64` pairs never finish a turn" in text
        assert "at the scaled speeds; at those of the plain law there are `18` such pairs" in text


class TestDigits:
    def test_no_digit_of_a_far_score_is_wrong(self):
        text = said("pair", pair=1, m=10_000_000, n=3, q="100, 100", k="-100, 100", pair_view="plane")
        with mpmath.workdps(40):
            angle = (10_000_000 - 3) * mpmath.power(10_000, mpmath.mpf(-2) / 128)
            exact = mpmath.re(mpmath.mpc(100, 100) * mpmath.conj(mpmath.mpc(-100, 100)) * mpmath.expj(angle))
        for shown in re.search(r"in float64 agree: `([^`]*)`, `([^`]*)`, `([^`]*)`", text).groups():
            decimals = len(shown.partition(".")[2])
            assert abs(float(shown.replace(",", "")) - float(exact)) <= 10.0**-decimals
            assert 2 <= decimals <= 4

    def test_three_ways_name_what_they_share(self):
        assert "from the same speed in float64" in said("pair")


WORDS = re.compile(
    r"scores of what turns|of the speed of pair 0 is left|(?:lowest|highest) (?:score|sum) in the bin|[Aa]lso mended|The way on"
    r"|Take it along|Let go of A|Within [\d.]+ is right|Greyed out|turned by [\d.]+° only within|Which pair turns how fast|Checked by"
)


def texts(settings):
    view = PAGES[settings.page].view(settings)
    names = [str(trace.get("name", "")) for trace in view.figure.traces]
    return (view.alt, view.verdict, *view.sentences, *view.notices, *names)


@pytest.mark.parametrize("page", PAGES)
def test_words_are_those_of_the_field(page):
    assert WORDS.search(PAGES[page].question) is None
    for settings in (each for each in VIEWS if each.page == page):
        assert [text for text in texts(settings) if WORDS.search(text)] == []


@pytest.mark.parametrize("page", PAGES)
def test_chinese_stands_apart_from_latin_letters_and_numbers(page):
    wrong = re.compile(r"[a-zA-Z0-9]`?[一-鿿]|[一-鿿]`?[a-zA-Z0-9]|[一-鿿] ?[,:]|°,|转速|两支箭头")
    with speaking("zh-CN"):
        for settings in (each for each in VIEWS if each.page == page):
            assert [text for text in texts(settings) if wrong.search(text.replace("**", ""))] == []


def test_code_from_the_web_is_compared_in_whole_sentences():
    from lessons.extension.settings import read_extension

    for width in (2, 128):
        faults = snippets(read_extension(Settings("extension").replace(head_dim=width)))[0].faults
        assert "With YaRN it is `" in faults
