"""What the browser gets to draw: the view, what the live route is asked for, and Streamlit's own chart where the component cannot load."""

import json

import plotly.graph_objects as go
import pytest
from plotly.utils import PlotlyJSONEncoder

from lessons.registry import PAGES
from locales import CATALOGUES
from server.answers import Question, answer
from server.assets import script_path
from tests.views import each_option_once
from tests.visit import address, component, figure, message, move, numbers, open_page, raw, read, triggered, view

LARGEST = {"head_dim": 512, "reach": 10_000_000, "tokens": 1_048_576, "position": 9_999_999, "m": 10_000_000}


def changed(at):
    return {name: text for name, text in address(at).items() if name != "lang"}


def full(part):
    """Leave out what is empty, as plotly.py does."""
    if isinstance(part, dict):
        return {key: full(inner) for key, inner in part.items() if inner not in (None, [], {})}
    return [full(inner) for inner in part] if isinstance(part, list) else part


class TestMessage:
    def test_it_holds_the_view_and_where_more_of_it_is(self):
        sent = message(open_page("start"))
        assert sent.keys() == {"view", "plotly", "route", "query", "address", "replace", "body", "words", "number", "motion"}
        assert sent["view"].keys() == {"figures", "verdict", "sentences", "compared"}
        assert (sent["plotly"], sent["route"], sent["body"]) == (script_path(), "/view/start", "")

    def test_arrays_of_a_run_are_exact(self):
        at = open_page("head", head_view="table")
        heat = next(trace for trace in figure(at)["data"] if trace["type"] == "heatmap")
        assert heat["z"].dtype.kind == "f"
        assert heat["z"].size > 4000

    @pytest.mark.parametrize("lang", CATALOGUES)
    def test_buttons_of_the_figure_speak_the_language_of_the_page(self, lang):
        words = message(open_page("start", lang))["words"]
        assert words["file"] == "rope-lab-start"
        assert (words["Zoom in"] == "Zoom in") == (lang == "en")

    def test_zoom_is_kept_while_the_axes_mean_the_same(self):
        at = open_page("decay")
        one = figure(at)["layout"]["uirevision"]
        assert figure(move(at, base=500, reach=100))["layout"]["uirevision"] == one
        assert figure(move(at, decay_view="spectrum"))["layout"]["uirevision"] != one

    def test_hidden_traces_stay_hidden_while_the_traces_are_the_same_but_for_numbers_in_their_names(self):
        at = open_page("models")
        one = figure(at)["layout"]["legend"]["uirevision"]
        names = [trace.get("name") for trace in figure(at)["data"]]
        move(at, models_view="turns", models_length=1000)
        other = figure(at)["layout"]["legend"]["uirevision"]
        assert figure(move(at, models_length=2000))["layout"]["legend"]["uirevision"] == other
        move(at, models_names="qwen3-8b")
        assert [trace.get("name") for trace in figure(at)["data"]] != names
        assert figure(at)["layout"]["legend"]["uirevision"] not in (one, other)

    def test_axes_of_the_plane_stay_while_a_position_is_moved(self):
        at = open_page("pair")
        axes = [figure(at)["layout"][axis].get("range") for axis in ("xaxis", "yaxis")]
        for m in (8, 9, 1000):
            move(at, m=m)
            assert [figure(at)["layout"][axis].get("range") for axis in ("xaxis", "yaxis")] == axes

    @pytest.mark.parametrize("page", PAGES)
    def test_figures_stay_small_and_are_as_plotly_checks_them_at_the_largest_settings(self, page, subtests):
        for settings in each_option_once(page):
            largest = {name: value for name, value in LARGEST.items() if name in PAGES[page].controls(settings)}
            largest |= {"head_dim": 128} if page == "bases" else {}  # whose figure does not grow with it, but takes long
            with subtests.test(settings=settings):
                sent = answer(Question(settings.replace(**largest), None, "en", coarse=False))
                (shown,) = read(sent)["figures"]
                drawn = full(json.loads(json.dumps(shown["figure"], cls=PlotlyJSONEncoder)))
                assert full(json.loads(go.Figure(drawn).to_json())) == drawn  # figures are built without plotly's checks
                is_matrix = any(trace["type"] == "heatmap" for trace in drawn["data"])
                assert len(sent) < (4_000_000 if is_matrix else 400_000)

    def test_verdict_follows_the_settings(self):
        at = open_page("models", models_names="qwen3-8b")
        before = view(at)["verdict"]
        assert "<strong>Qwen3 8B</strong>" in before
        assert view(move(at, models_names="gpt-oss-20b"))["verdict"] != before


class TestPlain:
    """A browser that cannot load the figure says so, and gets Streamlit's own chart and sliders."""

    def plain(self, page, **link):
        at = open_page(page, **link)
        element = component(at, f"{page}.figure")
        return raw(at, triggered(element, failed="no script"))

    @pytest.mark.parametrize("page", PAGES)
    def test_every_page_has_a_chart_with_its_alternative_text_and_sentences_and_sliders(self, page):
        reference, at = open_page(page), self.plain(page)
        assert not at.get("bidi_component")
        (chart,) = at.get("plotly_chart")
        assert chart.proto.alt == message(reference)["view"]["figures"][0]["alt"]
        assert len(json.loads(chart.proto.spec)["data"]) == len(figure(reference)["data"])
        assert {slider.key for slider in at.select_slider} == {f"w.{name}" for name in numbers(reference)}
        assert [text.value for text in at.markdown if text.value.startswith("- ")]

    def test_slider_moves_the_figure(self):
        at = self.plain("start")
        before = json.loads(at.get("plotly_chart")[0].proto.spec)["data"]
        at.select_slider(key="w.base").set_value(500).run()
        assert not at.exception
        assert changed(at) == {"base": "500"}
        assert json.loads(at.get("plotly_chart")[0].proto.spec)["data"] != before

    def test_a_is_drawn_too(self):
        one, both = (
            len(json.loads(self.plain("decay", **link).get("plotly_chart")[0].proto.spec)["data"])
            for link in ({}, {"pin": "decay:base=500"})
        )
        assert both > one
