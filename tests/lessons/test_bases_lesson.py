"""The page about base and context: code against figure, the jagged set, and sentences that hold wherever the controls stand."""

import math
import re

import numpy as np
import pytest

from compute import bases as compute
from lessons.bases import PAGE
from parameters.settings import Settings
from rope_core import critical_dimension, first_negative, geometric_frequencies

VIEWS = ("first", "heat", "critical")
EXTREMES = [
    {"width": width, "base": base, "context": context}
    for width, base, context in (
        (2, 1.01, 1),
        (2, 1e9, 10_000_000),
        (128, 1.01, 10_000_000),
        (128, 1e9, 1),
        (16, 500.0, 16_385),
        (100, 3.0, 7),
    )
]


def show(view, width=128, base=10_000, context=4096):
    return PAGE.view(Settings("bases").replace(bases_view=view, head_dim=width, base=base, context=context))


def run(view):
    names = {}
    exec(view.code, names)
    return names["result"].numpy()


def named(figure, name):
    return next(trace for trace in figure.data if trace.name == name)


class TestFirst:
    @pytest.mark.parametrize("setting", [{}, {"width": 64, "base": 150_000}, {"width": 10, "base": 1e6}])
    def test_code_gives_your_base_and_points_of_the_figure(self, setting):
        view = show("first", **setting)
        mine, *others = run(view)
        assert named(view.figure, "your base").y[0] == mine
        curve = dict(zip(view.columns["base"].tolist(), view.columns["first_negative_or_limit"].tolist(), strict=True))
        assert others == [curve[base] for base in compute.log_bases(400)[:240:40].tolist()]

    def test_there_is_one_point_a_base_and_no_line(self):
        figure = show("first").figure
        assert {trace.mode for trace in figure.data} == {"markers"}
        found, none = named(figure, "first negative distance"), named(figure, "none below 1,048,576")
        assert len(found.x) + len(none.x) == 400
        assert set(none.y) == {1_048_576}
        for base, distance in list(zip(found.x, found.y, strict=True))[:300:50]:
            assert first_negative(geometric_frequencies(128, float(base)), 1_048_576) == distance

    def test_curve_is_jagged(self):
        assert (np.diff(show("first").columns["first_negative_or_limit"]) < 0).sum() > 50

    def test_smallest_passing_base_stands_beside_the_largest_failing_one(self):
        view = show("first")
        assert "`26,952.34`" in view.sentences[1]
        assert "bases up to about `58,783` still fail" in view.sentences[1]
        assert named(view.figure, "smallest passing base").x[0] == pytest.approx(26_952.34, abs=0.01)
        assert named(view.figure, "largest failing base").x[0] == pytest.approx(58_783, abs=1)

    @pytest.mark.parametrize(
        ("base", "first", "verdict"),
        [(10_000.0, "1,707", "fails"), (27_000.0, "4,079", "fails"), (26_952.34, None, "passes"), (500_000.0, "18,438", "passes")],
    )
    def test_verdict_is_the_reference_value(self, base, first, verdict):
        sentence = show("first", base=base).sentences[0]
        assert verdict in sentence
        assert first is None or f"`{first}`" in sentence

    @pytest.mark.parametrize("context", [1024, 4096, 8192, 131_072])
    def test_number_that_a_reader_may_type_in_passes(self, context):
        told = re.search(r"tokens is `([\d,.]+)`", show("first", context=context).sentences[1])
        assert told is not None
        assert first_negative(geometric_frequencies(128, float(told[1].replace(",", ""))), context) is None

    @pytest.mark.parametrize(
        ("width", "context", "told"),
        [
            (128, 1, "For `1` token the base decides nothing"),
            (2, 2, "For `2` tokens the base decides nothing"),
            (128, 64, "is `104.74`. Every larger one that was tried passes too."),
            (64, 64, "Searching up from 1.01 in steps of 0.02%, the first base that passes for `64` tokens is `155.79`."),
            (128, 2_000_000, "With `128` rotated coordinates the smallest passing base is known here for up to `1,048,576` tokens."),
            (100, 20_000, "With `100` rotated coordinates the smallest passing base is known here for up to `16,384` tokens."),
            (100, 512, "the largest that does is not tabulated for this width."),
            (
                64,
                1_048_576,
                "No base that was tried from 1.01 to `2,000,000,000` passes for `1,048,576` tokens with `64` rotated coordinates.",
            ),
            (64, 740_000, "up to the largest that was tried, 2,000,000,000."),
            (2, 4096, "With 2 rotated coordinates the base decides nothing"),
        ],
    )
    def test_what_is_not_known_is_said(self, width, context, told):
        assert told in show("first", width=width, context=context).sentences[1]

    def test_models_of_the_width_are_points_and_their_hovers_name_them(self):
        figure = show("first", width=64).figure
        points = named(figure, "models")
        assert len(points.x) == len(points.text) >= 2
        assert any("GLM" in text for text in points.text)

    def test_models_alike_share_a_point_that_names_them(self):
        points = named(show("first").figure, "models")
        settings = {(model.base, model.length) for model in compute.models() if model.rotary_dim == 128 and model.plain}
        assert len(points.x) == len(settings) == len(set(zip(points.x, points.y, strict=True)))
        shared = next(text for text in points.text if "Llama\xa03\xa08B" in text)
        assert "Llama\xa03.1\xa08B" in shared
        assert re.search(r"<br>and \d more<br>base 500,000, 128 coordinates, 8,192 tokens", shared)

    def test_models_with_an_extension_are_counted(self):
        same = [model for model in compute.models() if model.rotary_dim == 128]
        told = show("first").sentences[2]
        assert f"Of the `{len(same)}` models" in told
        assert f"models with one: `{sum(model.extended for model in same)}`" in told

    def test_context_beyond_the_axis_has_no_line(self):
        assert show("first").figure.layout.shapes
        assert not show("first", context=10_000_000).figure.layout.shapes


class TestHeat:
    @pytest.mark.parametrize("setting", [{}, {"width": 8, "base": 3}])
    def test_code_gives_the_row_nearest_to_your_base(self, setting):
        view = show("heat", **setting)
        cells = view.figure.data[0]
        row = int(np.abs(np.log(cells.y) - math.log(setting.get("base", 10_000))).argmin())
        np.testing.assert_allclose(run(view), cells.z[row], atol=1e-6)

    def test_no_negative_value_is_lost_in_a_bin(self):
        figure = show("heat").figure
        cells = figure.data[0]
        for row in (45, 67, 90):
            first = first_negative(geometric_frequencies(128, float(cells.y[row])), 131_073)
            bins = np.searchsorted(cells.x, first, side="right") - 1
            assert (cells.z[row][:bins] >= 0).all()
            assert cells.z[row][bins] < 0

    def test_scale_is_signed_fixed_and_light(self):
        figure = show("heat").figure
        cells = figure.data[0]
        assert (cells.zmin, cells.zmid, cells.zmax) == (-1, 0, 1)
        assert cells.z.dtype == np.float32
        assert len(figure.to_json()) < 500_000


class TestCritical:
    @pytest.mark.parametrize("setting", [{}, {"width": 64, "context": 100}, {"context": 3}])
    def test_code_gives_every_step(self, setting):
        view = show("critical", **setting)
        np.testing.assert_array_equal(run(view), view.columns["critical_dimension"])
        np.testing.assert_allclose(view.figure.data[0].y, 100 * run(view) / setting.get("width", 128))

    def test_llama_2_has_the_number_of_the_paper(self):
        view = show("critical")
        assert "`92` of `128`" in view.sentences[0]
        assert "`92` of `128`, the number in the paper" in view.sentences[2]
        assert "= 92" in view.formula[0]

    def test_a_larger_base_never_raises_it(self):
        for context in (1, 100, 4096, 10_000_000):
            assert (np.diff(show("critical", context=context).columns["critical_dimension"]) <= 0).all()

    def test_each_model_stands_at_its_own_width_and_context(self):
        points = named(show("critical").figure, "models")
        expected = {(m.base, 100 * critical_dimension(m.length, m.rotary_dim, m.base) / m.rotary_dim) for m in compute.models() if m.plain}
        assert set(zip(points.x, points.y, strict=True)) >= expected
        assert len(points.x) == len({(m.rotary_dim, m.base, m.length) for m in compute.models()})

    def test_a_model_with_a_linear_method_has_its_own_speeds(self):
        models = {model.name: model for model in compute.models()}
        gemma, mistral = models["Gemma 3 4B"], models["Mistral 7B v0.1"]
        # 2 pi 8 1e6 ** (i / 128) <= 131072 for i <= 128 log(131072 / 16 pi) / log(1e6) = 72.9
        assert (gemma.critical, gemma.length, gemma.plain) == (146, 131_072, False)
        assert gemma.first_negative > 131_072
        assert (mistral.critical, mistral.length, mistral.first_negative) == (92, 4096, 1707)
        assert "`3` have a negative sum" in show("first", width=256).sentences[2]


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("setting", [{}, {"width": 10, "base": 300.5, "context": 77}], ids=str)
def test_lines_of_the_notebook_give_the_columns(view, setting):
    shown, names = show(view, **setting), {}
    exec(shown.notebook_code, names)
    assert names["columns"].keys() == shown.columns.keys()
    for name, column in shown.columns.items():
        np.testing.assert_array_equal(names["columns"][name], column)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("setting", EXTREMES, ids=str)
def test_extremes_are_drawn_and_told_in_finite_numbers(view, setting):
    shown = show(view, **setting)
    for text in (shown.alt, *shown.sentences, *shown.formula):
        assert not re.search(r"\bnan\b|\binf\b|None|\{\w*\}`", text), text
    assert all(np.isfinite(column).all() for column in shown.columns.values())
    assert 2 <= len(shown.sentences) <= 3
    assert run(shown).size


def test_widest_head_is_searched_less_far_and_says_so():
    view = show("first", width=512, context=16_384)
    assert "none below 131,072" in {trace.name for trace in view.figure.data}


def test_table_lists_every_model_with_both_criteria():
    [fold] = PAGE.after(Settings("bases"))
    [table] = fold.parts()
    columns = table.columns
    assert {len(column) for column in columns.values()} == {len(compute.models())}
    row = columns["Model"].index("Llama 3 8B")
    assert columns["First negative distance"][row] == 18_438
    assert columns["Critical dimension"][row] == 70


def test_models_stand_for_their_plain_law_before_any_extension():
    models = {model.name: model for model in compute.models()}
    extended = models["Llama 3.1 8B"]
    assert (extended.length, extended.extended, extended.first_negative) == (8192, True, 18_438)
    assert "Nemotron 3 Nano 30B-A3B" not in models  # nothing turns
    assert "Gemma 4 26B-A4B" not in models  # three quarters of its pairs stand still
    assert "Gemma 3 4B" in models


def test_every_model_has_its_first_negative_sum_within_the_search():
    for model in compute.models():
        assert model.first_negative is not None or model.length <= compute.FURTHEST
