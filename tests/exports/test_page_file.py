"""A page as one file: figure, sentences, formula and settings, and nothing that a browser would fetch or run."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from html.parser import HTMLParser

from exports.page import mathml, write_page
from lessons.registry import PAGES
from locales import CATALOGUES
from rope_core import __version__
from tests.views import snapshot_of

TYPED = {"vectors": "typed", "layout": "interleaved", "q_head": "1 -2 0.5 3 4", "k_head": "0.3, 1, 1", "rotary": "0.5"}


class Texts(HTMLParser):
    """The text of a page, the tags in it, and what it would fetch."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.fetched, self.links, self.text = [], [], [], ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        given = dict(attrs)
        if tag == "a":
            self.links.append(given["href"])
        else:
            self.fetched += [given[name] for name in ("src", "href") if name in given]

    def handle_data(self, data):
        self.text += data


def test_holds_figure_sentences_formula_and_settings_and_fetches_nothing():
    snapshot = snapshot_of("decay", "zh-CN", **TYPED | {"decay_view": "score"})
    page = Texts(write_page(snapshot).decode())
    say = CATALOGUES["zh-CN"].gettext
    assert say(PAGES["decay"].question) in page.text
    assert "math" in page.tags
    assert say("Layout") in page.text
    assert page.fetched == []
    assert page.tags.count("tr") == 1 + page.tags.count("th") - 3 == 1 + len(snapshot.rows) > 5
    assert "lang=zh-CN" in page.links[0]
    assert f"RoPE Lab {__version__}" in page.text
    assert len(snapshot.view.sentences) > 1
    for sentence in snapshot.view.sentences:
        for word in sentence.replace("*", "").split("`"):
            assert word.strip() in page.text


def test_what_a_link_brings_is_text():
    config = '{"head_dim": 8, "rope_theta": 100, "layer_types": ["<b>x</b>"]}'
    page = Texts(write_page(snapshot_of("models", models_way="own", models_config=config)).decode())
    assert "b" not in page.tags


def test_no_text_of_a_view_becomes_a_tag():
    snapshot = snapshot_of("start")
    evil = '<img src=x onerror="alert(1)">"\'`<b>`'
    view = replace(snapshot.view, alt=evil, sentences=(f"**{evil}**",), verdict=evil, code=evil)
    plain = Texts(write_page(replace(snapshot, view=replace(view, alt="", sentences=("**x**",), verdict="**x**", code=""))).decode())
    page = Texts(write_page(replace(snapshot, view=view)).decode())
    assert set(page.tags) - {"code"} == set(plain.tags) - {"code"}
    assert page.fetched == []
    assert page.text.count("onerror") == plain.text.count("onerror") + 3


def test_formulas_have_no_tex_left():
    tree = ET.fromstring(mathml(r"\begin{aligned}a &= \arg z_i\\ &= \frac{1}{2}\end{aligned}"))
    assert "\\" not in "".join(tree.itertext())
    assert tree.tag.endswith("math")


def test_formulas_of_every_page_are_mathml(subtests):
    for name, page in PAGES.items():
        for line in page.view(snapshot_of(name).settings).formula:
            with subtests.test(page=name, line=line):
                assert "\\" not in "".join(ET.fromstring(mathml(line)).itertext())
