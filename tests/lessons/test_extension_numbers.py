"""The numbers of every figure about context extension, beside formulas of the papers that share no code with it.

The page names these tests under its figures.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from lessons.extension import PAGE
from lessons.methods import SHEETS
from tests.evaluate import settings_of
from tests.oracles import scaling as oracle

LISTS = json.loads((Path(__file__).resolve().parents[2] / "rope_core/phi35_longrope.json").read_text(encoding="utf-8"))
WIDTH, BASE, TRAINED, TARGET = 96, 500_000.0, 128, 1000
PLAIN = np.array(oracle.plain(WIDTH, BASE))
LINE = {"rtol": 1e-9, "atol": 1e-9}
each_method = pytest.mark.parametrize("method", SHEETS)


def columns_of(view, method, *, target=TARGET, **options):
    head = {"head_dim": WIDTH, "base": BASE, "context": TRAINED, "cached_length": TRAINED}
    return PAGE.view(settings_of("extension", ext_view=view, method=method, target=target, **head, **options)).columns


def speeds(method, trained=TRAINED, target=TARGET):
    return np.array(oracle.usual(method, WIDTH, BASE, trained, target, LISTS))


def score(angles, amplitudes=1.0):
    """Sum a row of angles for q = k = ones: two coordinates a pair."""
    return 2 * amplitudes * np.cos(angles).sum(axis=-1)


@each_method
@pytest.mark.parametrize("target", [100, 1000, 100_000])
def test_speeds(method, target):
    length = max(TRAINED, target)
    np.testing.assert_allclose(columns_of("ratio", method, target=target)["ratio"], speeds(method, target=length) / PLAIN, **LINE)


@pytest.mark.parametrize("method", ["yarn", "parts", "llama3"])
@pytest.mark.parametrize("factor", [2, 8, 32])
def test_speeds_at_a_stated_factor(method, factor):
    expected = speeds(method, target=factor * TRAINED)
    for target in (TRAINED, TARGET):
        np.testing.assert_allclose(columns_of("ratio", method, target=target, stated_factor=factor)["ratio"], expected / PLAIN, **LINE)


@each_method
def test_unseen_angles(method):
    columns = columns_of("unseen", method)
    seen, met = (np.minimum(1, (n - 1) * new / (2 * math.pi)) for n, new in ((TRAINED, PLAIN), (TARGET, speeds(method))))
    np.testing.assert_allclose(columns["seen"], seen, **LINE)
    np.testing.assert_allclose(columns["met"], met, **LINE)


@each_method
def test_bands(method):
    columns, left = columns_of("bands", method), speeds(method) / PLAIN
    s = TARGET / TRAINED
    share = (left - 1 / s) / (1 - 1 / s) if method in ("yarn", "parts", "llama3") else left
    np.testing.assert_allclose(columns["wavelength"], 2 * math.pi / PLAIN, **LINE)
    np.testing.assert_allclose(columns["share"], share, **LINE)


@pytest.mark.parametrize("method", ["yarn", "longrope"])
def test_attention_factor(method):
    columns = columns_of("attention", "linear")
    expected = [oracle.usual_attention_factor(method, TRAINED, s * TRAINED) for s in columns["stretch"].tolist()]
    np.testing.assert_allclose(columns[f"A_{method}"], expected, **LINE)
    np.testing.assert_allclose(columns[f"A_squared_{method}"], np.square(expected), **LINE)


@each_method
def test_scores(method):
    columns, size = columns_of("curve", method), oracle.usual_attention_factor(method, TRAINED, TARGET)
    for words, scores in (
        ("", score(np.outer(np.arange(1, TARGET), speeds(method)), size**2)),
        ("_unscaled", score(np.outer(np.arange(1, TARGET), PLAIN))),
    ):
        assert columns[f"lowest{words}"].min() == pytest.approx(scores.min(), rel=1e-9)
        assert columns[f"highest{words}"].max() == pytest.approx(scores.max(), rel=1e-9)
        at = columns["distance"].astype(int) - 1
        assert (columns[f"lowest{words}"] <= scores[at] + 1e-9).all()
        assert (columns[f"highest{words}"] >= scores[at] - 1e-9).all()


@each_method
def test_cached_keys(method):
    columns, size = columns_of("decode", method), oracle.usual_attention_factor(method, TRAINED, TARGET)
    query, far = TARGET - 1, columns["distance"][:, None]
    new, old = speeds(method), speeds(method, target=TRAINED)
    np.testing.assert_allclose(columns["score_one_table"], score(far * new, size**2), **LINE)
    if method in ("dynamic", "longrope"):
        np.testing.assert_allclose(columns["score_cached_key"], score(query * new - (query - far) * old, size**2), **LINE)
    lengths = [max(TRAINED, int(each)) for each in columns["length"]]
    slowest = [speeds(method, target=length if method in ("dynamic", "longrope") else TARGET)[-1] for length in lengths]
    np.testing.assert_allclose(columns["slowest_over_trained"], np.array(slowest) / PLAIN[-1], **LINE)
