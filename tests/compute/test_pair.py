"""One pair: three ways to its score."""

import cmath
import math

import numpy as np
import pytest

from compute import pair

Q, K = (1.5, 0.5), (0.5, 1.2)


def test_three_ways_to_the_score_of_a_pair_agree():
    turned = pair.turn_pair(Q, K, 0.3, (40,), (3,)).score[0]
    product, by_phase = pair.complex_score(Q, K, 0.3, 37)
    assert product == complex(*Q) * complex(*K).conjugate()
    assert [turned, by_phase] == pytest.approx([(product * cmath.exp(37 * 0.3j)).real] * 2, abs=1e-12)


def test_score_with_an_added_code_depends_on_where_both_stand():
    scores = pair.additive_scores(Q, K, 0.3, (5, 15), (3, 13))
    want = []
    for m, n in ((5, 3), (15, 13)):
        q, k = (np.add(vector, [math.sin(position * 0.3), math.cos(position * 0.3)]) for vector, position in ((Q, m), (K, n)))
        want.append(q @ k)
    assert scores == pytest.approx(want, abs=1e-12)
    assert abs(scores[0] - scores[1]) > 0.1
