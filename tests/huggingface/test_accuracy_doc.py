"""docs/accuracy.md is what the script writes, and its differences are small."""

import re

import pytest
import transformers

from scripts import accuracy

LINES = accuracy.TARGET.read_text().splitlines()
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in LINES if line.startswith("| ")][1:]
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]\d+)?")


@pytest.fixture(scope="module")
def written():
    return accuracy.write().splitlines()


def test_the_text_is_that_of_the_script(written):
    assert [NUMBER.sub("", line) for line in written] == [NUMBER.sub("", line) for line in LINES]


def test_the_numbers_are_those_of_the_script_to_the_digits_shown(written):
    ours, stored = (["<br>".join(line.split("|")[3:-2]) for line in lines if line.startswith("| ")] for lines in (written, LINES))
    for here, there in zip(ours, stored, strict=True):
        here_numbers, there_numbers = (list(map(float, NUMBER.findall(text))) for text in (here, there))
        assert here_numbers == pytest.approx(there_numbers, rel=2e-7)  # theirs are float32, which another CPU may round differently


def test_every_method_of_transformers_is_among_the_models():
    assert {row[1] for row in ROWS} == {"plain", "linear", "dynamic", "yarn", "llama3", "longrope"}
    assert len(ROWS) >= 10


def test_our_numbers_and_theirs_agree():
    for row in ROWS:
        for cell in row[2:7]:
            ours, theirs = map(float, cell.split("<br>"))
            assert ours == pytest.approx(theirs, rel=1e-6)
        assert float(row[7]) < 1e-6


def test_the_header_names_the_installed_version():
    assert f"transformers {transformers.__version__} " in LINES[2]
