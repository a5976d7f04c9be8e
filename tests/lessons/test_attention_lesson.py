"""The attention page's views: the code they show gives the numbers they draw, and what they say holds wherever the controls stand."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from compute.attention import AttentionSettings, attend, diagonals, furthest_from_unrotated
from lessons.attention import PAGE
from lessons.attention import views as attention
from lessons.attention.code import ROPE
from lessons.attention.text import NAMES
from lessons.view import Fold
from parameters.settings import Settings
from tests.evaluate import assert_notebook_agrees, assert_readable, dependences, evaluate_everywhere, settings_of
from tests.views import view_of

USUAL = AttentionSettings(head_dim=32, base=10_000.0, tokens=12, encoding="rope", alike=False, causal=True, seed=3, alibi_head=2)
ENCODINGS = tuple(NAMES)
VIEWS = {
    "scores": attention.scores_view,
    "weights": attention.weights_view,
    "diagonals": attention.diagonals_view,
    "values": attention.values_view,
}
EXTREMES = [
    {"head_dim": 2, "tokens": 2},
    {"head_dim": 512, "tokens": 2, "base": 1.01, "seed": 9999},
    {"head_dim": 2, "tokens": 256, "base": 1e9, "alibi_head": 8},
    {"head_dim": 512, "tokens": 24, "base": 1e9, "alibi_head": 1},
]


def run(view):
    names = {}
    exec(view.code, names)
    return names["result"].numpy()


def widest(band):
    return float((band.high - band.low).max())


@pytest.mark.parametrize(
    ("encoding", "alike", "causal"), [*itertools.product(ENCODINGS, [True, False], [True, False])], ids=lambda value: str(value)
)
class TestCode:
    def test_scores_are_those_drawn(self, encoding, alike, causal):
        head = replace(USUAL, encoding=encoding, alike=alike, causal=causal)
        view = attention.scores_view(head)
        (cells,) = view.figure.data
        shown = ~np.isnan(cells.z)
        np.testing.assert_allclose(run(view), attend(head).scores, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(cells.z[shown], run(view)[shown], rtol=1e-6)
        assert shown.sum() == (12 * 13 // 2 if causal else 144) == len(view.columns["score"])

    def test_weights_are_those_drawn(self, encoding, alike, causal):
        view = attention.weights_view(replace(USUAL, encoding=encoding, alike=alike, causal=causal))
        weights = run(view)
        np.testing.assert_allclose(np.nan_to_num(view.figure.data[0].z), weights, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(weights.sum(-1), 1)
        assert view.columns["weight"].sum() == pytest.approx(12)

    def test_output_is_the_one_drawn_and_v_is_left_alone(self, encoding, alike, causal):
        view = attention.values_view(replace(USUAL, encoding=encoding, alike=alike, causal=causal))
        before, after, output = (np.array(cells.z) for cells in view.figure.data)
        np.testing.assert_allclose(output, run(view), rtol=1e-6, atol=1e-6)
        assert before.tobytes() == after.tobytes()
        seen = attend(replace(USUAL, encoding=encoding, alike=alike, causal=causal))
        assert view.columns["v"].tobytes() == seen.v_before.tobytes() == seen.v_after.tobytes()
        assert "`torch.equal(v_before, v_after) = True`" in view.sentences[0]


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("more", [{}, {"head_dim": 6, "tokens": 40, "seed": 0}, {"tokens": 2, "alibi_head": 7}])
def test_code_gives_the_lines_by_distance(encoding, more):
    view = attention.diagonals_view(replace(USUAL, encoding=encoding, causal=False, **more))
    alike, random = run(view).transpose(0, 2, 1)
    for trace, line in zip(view.figure.data, (random[1], random[0], alike[1], alike[0]), strict=True):
        np.testing.assert_allclose(trace.y, line, rtol=1e-12, atol=1e-12)


class TestClaims:
    @pytest.mark.parametrize("encoding", ENCODINGS)
    @pytest.mark.parametrize("more", [{}, {"tokens": 256, "head_dim": 64}, {"base": 1.01}, {"base": 1e9, "head_dim": 512}])
    def test_alike_tokens_have_flat_diagonals_under_all_but_the_added_code(self, encoding, more):
        spread = widest(diagonals(replace(USUAL, encoding=encoding, alike=True, causal=False, **more)))
        assert spread > 0.1 if encoding == "sinusoidal" else spread < 1e-12 * (100 if encoding == "t5" else 1)

    @pytest.mark.parametrize("encoding", ENCODINGS)
    def test_random_tokens_have_none(self, encoding):
        assert widest(diagonals(replace(USUAL, encoding=encoding, causal=False))) > 1

    def test_added_code_depends_on_more_than_the_distance_because_it_meets_content(self):
        # (q + p_m) (k + p_n) = q k + q p_n + p_m k + p_m p_n: only the first and the last term know the distance alone.
        head = replace(USUAL, encoding="sinusoidal", alike=True, causal=False)
        assert widest(diagonals(head)) > 0.1
        assert "still differ" in attention.diagonals_view(head).sentences[0]

    def test_layer_as_it_was_printed_turns_nothing_and_the_mended_one_does(self):
        q = torch.randn(1, 1, 12, 32, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
        angles = torch.arange(2048)[:, None] * 10_000.0 ** (-torch.arange(0, 32, 2, dtype=torch.float64) / 32)
        table = torch.polar(torch.ones_like(angles), angles)[: q.size(1)]  # one row: position 0
        printed = torch.view_as_real(torch.view_as_complex(q.reshape(1, 1, 12, 16, 2)) * table).flatten(3)
        assert torch.equal(printed, q)
        names = {"torch": torch, "math": math, "d": 32}
        exec(ROPE.format(base=10_000.0), names)
        layer = names["layer"]
        turned = layer.rotate(q, torch.arange(12))
        assert torch.equal(turned[..., 0, :], q[..., 0, :])
        assert not torch.isclose(turned[..., 1:, :], q[..., 1:, :]).all()
        torch.testing.assert_close(turned.norm(dim=-1), q.norm(dim=-1))
        assert not layer.state_dict()

    def test_mended_layer_takes_heads_and_batches_before_the_tokens(self):
        names = {"torch": torch, "math": math, "d": 8}
        exec(ROPE.format(base=100.0), names)
        q, k = torch.randn(2, 3, 4, 5, 8, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
        scores = names["layer"](q, k, torch.arange(5))
        assert scores.shape == (3, 4, 5, 5)
        torch.testing.assert_close(scores[2, 1], names["layer"](q[2, 1], k[2, 1], torch.arange(5)))

    def test_error_of_the_printed_layer_is_the_one_stated(self):
        head = replace(USUAL, causal=True)
        error = np.abs(np.tril(attend(head).scores - attend(replace(head, encoding="none")).scores)).max()
        assert furthest_from_unrotated(head) == pytest.approx(error)
        assert f"`{error:.4f}`" in attention.scores_view(head).sentences[-1]
        assert f"`{error:.4f}`" in attention.text.common_bug(head)
        assert "`(1, 1, 12, 32)`" in attention.text.common_bug(head)

    @pytest.mark.parametrize("encoding", ["rope", "alibi"])
    def test_common_bug_stands_behind_a_heading_and_is_about_rope(self, encoding):
        folds = [part for part in view_of("attention", encoding=encoding).parts if isinstance(part, Fold)]
        assert [fold.title for fold in folds] == ["A common bug"] * (encoding == "rope")

    def test_t5_does_not_divide_and_the_others_do(self):
        shift = {}
        for encoding in ("t5", "none"):
            seen = attend(replace(USUAL, encoding=encoding, alike=True, causal=False)).scores
            shift[encoding] = seen[0, 0]
        plain = attend(replace(USUAL, encoding="t5", alike=True, causal=False)).scores - shift["none"] * math.sqrt(32)
        assert len(np.unique(plain.round(9))) == len({*range(8), *range(17, 24)} | {8, 24})  # buckets that distances up to 11 fall into

    def test_alibi_takes_its_slope_off_for_every_token(self):
        seen = attend(replace(USUAL, encoding="alibi", alike=True, causal=False, alibi_head=3)).scores
        np.testing.assert_allclose(np.diff(seen[-1]), 1 / 8, rtol=1e-12)

    def test_without_encoding_causal_weights_of_alike_tokens_are_even(self):
        seen = attend(replace(USUAL, encoding="none", alike=True))
        np.testing.assert_allclose(seen.weights[-1], 1 / 12)
        sentences = attention.weights_view(replace(USUAL, encoding="none", alike=True)).sentences
        assert "gives every key the same: `0.0833`" in sentences[0]
        assert "Nothing is left" in sentences[-1]

    def test_keys_that_share_the_largest_weight_are_counted(self):
        head = replace(USUAL, encoding="t5", alike=True, tokens=200)
        last = attend(head).weights[-1]
        shared = int((last >= last.max() * (1 - 1e-9)).sum())
        said = attention.weights_view(head).sentences[0]
        assert (f"to `{shared}` keys alike" in said) == (shared > 1)

    @pytest.mark.parametrize("encoding", ["alibi", "t5", "none"])
    @pytest.mark.parametrize("causal", [True, False])
    def test_weights_of_alike_tokens_do_not_see_content_where_the_encoding_leaves_it_alone(self, encoding, causal):
        # The page has no control for the width there, and none for the seed under ALiBi and none.
        head = replace(USUAL, encoding=encoding, alike=True, causal=causal)
        others = [{"head_dim": 512}, {"base": 7.0}] + ([{"seed": 9}] if encoding != "t5" else [])
        usual = attention.weights_view(head)
        assert all(attention.weights_view(replace(head, **other)).figure.to_json() == usual.figure.to_json() for other in others)
        assert any("softmax does not see it" in sentence for sentence in usual.sentences)
        assert "sqrt" not in "".join(usual.formula)

    @pytest.mark.parametrize("encoding", ["rope", "sinusoidal"])
    def test_weights_of_alike_tokens_see_content_where_the_encoding_meets_it(self, encoding):
        head = replace(USUAL, encoding=encoding, alike=True)
        assert not np.allclose(attend(head).weights, attend(replace(head, seed=9)).weights)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("more", EXTREMES, ids=str)
def test_extremes_are_drawn_and_told_in_finite_numbers(view, encoding, more):
    for alike, causal in ((True, True), (False, False)):
        shown = VIEWS[view](replace(USUAL, encoding=encoding, alike=alike, causal=causal, **more))
        assert_readable(shown)
        assert 2 <= len(shown.sentences) <= 3


def test_largest_matrix_stays_within_its_budget():
    figure = attention.scores_view(replace(USUAL, tokens=256)).figure
    assert figure.data[0].z.dtype == np.float32
    assert len(figure.to_json()) < 500_000


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize(("alike", "causal"), [("random", "causal"), ("alike", "full"), ("words", "causal")])
class TestPage:
    def test_notebook_computes_the_columns(self, view, encoding, alike, causal):
        settings = settings_of("attention", attention_view=view, encoding=encoding, alike=alike, causal=causal, tokens_seen=9, alibi_head=3)
        assert_notebook_agrees(PAGE.view(settings))

    def test_controls_are_the_parameters_that_change_the_view(self, view, encoding, alike, causal):
        settings = settings_of("attention", attention_view=view, encoding=encoding, alike=alike, causal=causal, tokens_seen=9)
        names = PAGE.controls(settings)
        assert set(names) == dependences(PAGE, settings)
        assert len(set(names)) == len(names)
        assert PAGE.live(settings) in names

    def test_every_option_and_end_is_evaluated(self, view, encoding, alike, causal):
        evaluate_everywhere(PAGE, settings_of("attention", attention_view=view, encoding=encoding, alike=alike, causal=causal))


def test_settings_that_the_page_suggests_are_allowed():
    settings = settings_of("attention")
    assert [settings.replace(**each.values).text("encoding") for each in PAGE.tries(settings)] == ["rope", "sinusoidal", "alibi", "none"]


class TestWords:
    WORDS = ("the", "dog", "chased", "The", "cat")
    HEAD = replace(USUAL, tokens=5, words=WORDS)

    @pytest.mark.parametrize("encoding", ENCODINGS)
    def test_the_code_draws_the_same_scores(self, encoding):
        head = replace(self.HEAD, encoding=encoding)
        np.testing.assert_allclose(run(attention.scores_view(head)), attend(head).scores, atol=1e-9)

    def test_the_same_word_has_the_same_content_wherever_it_stands(self):
        head = replace(self.HEAD, encoding="none")
        scores, v = attend(head).scores, attend(head).v_after
        np.testing.assert_array_equal(scores[:, 0], scores[:, 3])
        np.testing.assert_array_equal(v[0], v[3])
        assert not np.allclose(scores[:, 0], scores[:, 1])
        assert not np.allclose(attend(self.HEAD).scores[4, 0], attend(self.HEAD).scores[4, 3])

    def test_words_keep_their_content_while_the_number_of_tokens_moves(self):
        fewer = attend(replace(self.HEAD, tokens=3)).scores
        np.testing.assert_allclose(fewer, attend(self.HEAD).scores[:3, :3], atol=1e-12)

    def test_axes_carry_the_words_and_the_mouse_names_both(self):
        figure = attention.weights_view(self.HEAD).figure
        (trace,) = figure.traces
        assert list(figure.layout.xaxis.ticktext) == list(figure.layout.yaxis.ticktext) == list(self.WORDS)
        assert trace["text"][4][1] == "query 4 cat<br>key 1 dog"
        assert "%{text}" in trace["hovertemplate"]

    def test_what_position_alone_tells_apart_is_said(self):
        said = attention.scores_view(self.HEAD).sentences[1]
        scores = attend(self.HEAD).scores[4, [0, 3]]
        assert said.startswith("The word `the` stands at `0` and `3`")
        assert all(f"`{score:.4f}`" in said for score in scores)
        assert "scores both" in attention.scores_view(replace(self.HEAD, encoding="none")).sentences[1]
        assert "No word stands twice" in attention.scores_view(replace(self.HEAD, tokens=3)).sentences[1]

    def test_one_word_again_and_again_is_said_to_be_alike(self):
        view = PAGE.view(settings_of("attention", attention_words="dog Dog DOG"))
        assert any("All tokens alike" in sentence for sentence in view.sentences)

    def test_as_many_tokens_as_words_are_shown_and_at_most_64(self):
        settings = settings_of("attention")
        assert settings.whole("tokens_seen") == settings.high("tokens_seen") == 10
        assert settings_of("attention", alike="random").whole("tokens_seen") == 32
        for text, count in (("a, b; c!", 3), ("w " * 64, 64)):
            assert settings_of("attention", attention_words=text).high("tokens_seen") == count
        for text in ("one", "", "w " * 65, "<b>", "x" * 5000):
            _settings, (problem,) = Settings.read("attention", {"attention_words": text})
            assert "2 to 64 words" in problem.sentence
