"""Sentences as HTML: what we mark is marked, everything else is text."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.markup import table_to_html, to_html


@pytest.mark.parametrize(
    ("sentence", "html"),
    [
        ("**A pair is a hand.** `128` numbers", "<strong>A pair is a hand.</strong> <code>128</code> numbers"),
        ("**Pair `3`** turns, **pair `4`** too", "<strong>Pair <code>3</code></strong> turns, <strong>pair <code>4</code></strong> too"),
        ("`a ** b`, **c**", "<code>a ** b</code>, <strong>c</strong>"),
        ("2 ** 3", "2 ** 3"),
        ('`<b>` & <i>"x"</i>', "<code>&lt;b&gt;</code> &amp; &lt;i&gt;&quot;x&quot;&lt;/i&gt;"),
        ("an open ` mark", "an open ` mark"),
        ("", ""),
    ],
)
def test_strong_words_and_code(sentence, html):
    assert to_html(sentence) == html


class Tags(HTMLParser):
    """Tags in the order in which they open and close, and the text between."""

    def __init__(self, html):
        super().__init__()
        self.open, self.seen, self.text = [], set(), ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        assert attrs == []
        self.seen.add(tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@given(st.text(st.sampled_from("ab*`<>&\"' /"), max_size=40))
def test_any_text_has_two_kinds_of_tags_at_most_and_each_is_closed(text):
    tags = Tags(to_html(text))
    assert tags.open == []
    assert tags.seen <= {"strong", "code"}
    assert tags.text.replace("*", "").replace("`", "") == text.replace("*", "").replace("`", "")


def test_cells_of_a_table_are_text():
    html = table_to_html({"numbers": ["<b>x</b>", "**y**"], "A": [1.5, "2"]})
    tags = Tags(html)
    assert tags.seen == {"table", "thead", "tbody", "tr", "th", "td"}
    assert tags.text == "numbersA<b>x</b>1.5**y**2"
