"""Numbers and tensors that nobody means: one sentence each, at once, and no memory."""

import time

import numpy as np
import pytest
import torch

import rope_core as rc
from rope_core import RopeConfig, RopeConfigError

HEAD = RopeConfig(64)
SPEEDS = rc.geometric_frequencies(64, 10_000)
PHASORS = torch.ones(32, dtype=torch.complex128)
POSITIONS = torch.arange(4)
VECTORS = torch.ones(1, 2, 4, 64)

INTEGERS = {
    "geometric_frequencies": lambda n: rc.geometric_frequencies(n, 10_000),
    "linear_frequencies": lambda n: rc.linear_frequencies(n, 0.1),
    "constant_frequencies": lambda n: rc.constant_frequencies(n, 0.1),
    "axial_frequencies": lambda n: rc.axial_frequencies(n, 100),
    "axial_frequencies, alternate": lambda n: rc.axial_frequencies(n, 100, order="alternate"),
    "image_positions": lambda n: rc.image_positions(0, n, 4),
    "layout_permutation": lambda n: rc.layout_permutation(n),
    "minimum_base": lambda n: rc.minimum_base(n, 128),
    "minimum_base, width": lambda n: rc.minimum_base(128, n),
    "largest_failing_base": lambda n: rc.largest_failing_base(n, 128),
    "largest_failing_base, width": lambda n: rc.largest_failing_base(128, n),
    "critical_dimension, width": lambda n: rc.critical_dimension(128, n, 10_000),
    "first_negative": lambda n: rc.first_negative(SPEEDS, n),
    "alibi_slopes": lambda n: rc.alibi_slopes(n),
    "RopeConfig": lambda n: RopeConfig(n),
    "RopeConfig, rotary_dim": lambda n: RopeConfig(64, rotary_dim=n),
    "RopeConfig, max_position": lambda n: RopeConfig(64, max_position=n),
    "inverse_frequencies": lambda n: rc.inverse_frequencies(HEAD, n),
    "cos_sin": lambda n: rc.cos_sin(HEAD, POSITIONS, seq_len=n),
    "rotation_matrix": lambda n: rc.rotation_matrix(HEAD, n),
    "score_curve": lambda n: rc.score_curve(PHASORS, SPEEDS, n),
    "score_curve, start": lambda n: rc.score_curve(PHASORS, SPEEDS, 4, start=n),
    "RotaryEmbedding, offset": lambda n: rc.RotaryEmbedding(HEAD)(VECTORS, VECTORS, offset=n),
}


@pytest.mark.parametrize("call", INTEGERS.values(), ids=INTEGERS)
@pytest.mark.parametrize("number", [2**62, 2**63, 2**64, -(2**63) - 2, 10**400, -(10**400)], ids=lambda n: f"{len(str(n))} digits")
def test_an_integer_that_is_too_large_gets_a_sentence_at_once(call, number):
    start = time.perf_counter()
    with pytest.raises(RopeConfigError, match=r"must be"):
        call(number)
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize("call", [rc.alibi_slopes, rc.layout_permutation], ids=["heads", "width"])
def test_the_bound_itself_is_served_and_the_next_is_not(call):
    assert len(call(2**16)) == 2**16
    with pytest.raises(RopeConfigError, match="must be at most 65536, got"):
        call(np.int64(2**16 + 2))


def sparse(dense):
    return dense.to_sparse()


SPARSE = {
    "q": lambda: rc.RotaryEmbedding(HEAD)(sparse(VECTORS), VECTORS),
    "k": lambda: rc.RotaryEmbedding(HEAD)(VECTORS, sparse(VECTORS)),
    "positions": lambda: rc.RotaryEmbedding(HEAD)(VECTORS, VECTORS, sparse(POSITIONS)),
    "x": lambda: rc.apply_rotation(sparse(VECTORS), *rc.cos_sin(HEAD, POSITIONS), layout="half"),
    "phasors": lambda: rc.score_curve(sparse(PHASORS), SPEEDS, 4),
    "inv_freq": lambda: rc.first_negative(sparse(SPEEDS), 9),
    "distances": lambda: rc.score_at(PHASORS, SPEEDS, sparse(POSITIONS)),
    "edges": lambda: rc.score_envelope(PHASORS, SPEEDS, sparse(POSITIONS)),
    "query_positions": lambda: rc.relative_distances(sparse(POSITIONS), POSITIONS),
    "scores": lambda: rc.attention_weights(sparse(VECTORS), causal=True),
}


@pytest.mark.parametrize("name", SPARSE)
def test_a_sparse_tensor_gets_a_sentence(name):
    with pytest.raises(RopeConfigError, match=f"^{name} must be a dense tensor, got torch.sparse_coo"):
        SPARSE[name]()


class Layer(torch.nn.Module):
    """A model's layer, whose cache says how many tokens came before."""

    def __init__(self, config):
        super().__init__()
        self.rotary = rc.RotaryEmbedding(config)

    def forward(self, q, k, offset):
        return self.rotary(q, k, offset=offset)


@pytest.mark.filterwarnings("ignore::torch.jit.TracerWarning", "ignore:.*torch.jit.trace.*:DeprecationWarning")
@pytest.mark.parametrize("layout", ["half", "interleaved"])
def test_a_trace_serves_other_lengths_and_offsets(layout):
    layer = Layer(RopeConfig(64, rotary_dim=32, layout=layout))
    traced = torch.jit.trace(layer, (VECTORS, VECTORS, torch.tensor(3)))
    longer = torch.randn(1, 2, 9, 64, generator=torch.Generator().manual_seed(0))
    for offset in (0, 7, 1000):
        for got, expected in zip(traced(longer, longer, torch.tensor(offset)), layer(longer, longer, offset), strict=True):
            torch.testing.assert_close(got, expected, rtol=0, atol=1e-6)


@pytest.mark.filterwarnings("ignore:.*torch.jit.trace.*:DeprecationWarning")
def test_a_trace_of_a_method_that_depends_on_the_length_is_refused():
    layer = Layer(RopeConfig(64, scaling=rc.DynamicNtkScaling(2)))
    with pytest.raises(RopeConfigError, match="scaling must not depend on the length"):
        torch.jit.trace(layer, (VECTORS, VECTORS, torch.tensor(3)))


@pytest.mark.parametrize("offset", [torch.tensor(1.5), torch.tensor([1, 2]), torch.tensor(-1)], ids=str)
def test_an_offset_in_a_tensor_is_one_integer_from_0_on(offset):
    with pytest.raises(RopeConfigError, match="offset must be an integer of at least 0"):
        rc.RotaryEmbedding(HEAD)(VECTORS, VECTORS, offset=offset)
