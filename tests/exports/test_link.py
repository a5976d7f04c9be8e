"""Links, lines for other pages and QR codes, read back by other programs."""

import html.parser
import re
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st

from exports import link as links

ADDRESS = "https://school.example/rope/pair"


def scanned(drawing, *, scale=4):
    """Read a QR code from its SVG: rows of squares, each a stroke of the one path, as a picture for the reader."""
    side = int(re.search(r'viewBox="0 0 (\d+) \1"', drawing)[1])
    assert f'fill="#fff" d="M0 0h{side}v{side}h-{side}z"' in drawing
    picture = np.full((side, side), 255, np.uint8)
    x, y = 0.0, 0.0
    for command, words in re.findall(r"([Mmh])([-\d. ]+)", re.search(r'class="qrline" stroke="#000" d="([^"]*)"', drawing)[1]):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", words)]
        if command == "M":
            x, y = numbers
        elif command == "m":
            x, y = x + numbers[0], y + numbers[1]
        else:
            picture[int(y), int(x) : int(x + numbers[0])] = 0
            x += numbers[0]
    quiet = np.argwhere(picture == 0)
    assert quiet.min() >= 4
    assert quiet.max() < side - 4
    return zxingcpp.read_barcodes(picture.repeat(scale, 0).repeat(scale, 1))[0].text


@given(st.dictionaries(st.from_regex(r"[a-z_]{1,10}", fullmatch=True), st.text(min_size=1)))
def test_link_gives_back_every_text(settings):
    link = links.write_link(ADDRESS, settings)
    assert link.startswith(ADDRESS)
    assert dict(parse_qsl(urlsplit(link).query, keep_blank_values=True, strict_parsing=bool(settings))) == settings
    assert link.isascii()


def test_link_leaves_out_empty_locks_and_keeps_an_emptied_text():
    assert links.write_link(ADDRESS, {"lock": "", "hide": "", "q": "", "k": "1, 2"}) == f"{ADDRESS}?q=&k=1,+2"
    assert links.write_link(ADDRESS, {}) == ADDRESS


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=60))  # HTML has other ways for these
def test_line_for_another_page_is_one_frame_whatever_the_texts_say(text):
    found = []
    parser = html.parser.HTMLParser()
    parser.handle_starttag = lambda tag, attributes: found.append((tag, dict(attributes)))
    parser.handle_data = lambda data: found.append(data)
    link = links.write_link(ADDRESS, {"q": text, "m": "1"})
    parser.feed(links.iframe(link, text))
    parser.close()
    (tag, attributes), *more = found
    assert (tag, more) == ("iframe", [])
    assert attributes["src"] == link
    assert attributes["title"] == text


@pytest.mark.parametrize("link", [ADDRESS, links.write_link(ADDRESS, {"lang": "zh-CN", "q": "1, 2"}), f"{ADDRESS}?q={'7' * 2500}"])
def test_qr_code_says_the_link_on_white_with_a_quiet_zone(link):
    assert scanned(links.qr_code(link)) == link


def test_there_is_a_qr_code_up_to_the_largest_that_exists():
    assert links.qr_code("https://" + "x" * 2945)
    assert links.qr_code("https://" + "x" * 2946) is None
