"""The PyTorch lines of the attention page: one layer for each encoding, complete and runnable.

RoPE's is the ``RoPEAttention`` of a published article, mended. The length comes from the axis of the tokens, not from axis 1, which counts
heads. Pairs are turned along the last axis, whatever stands before it. Positions are an argument. The function that reshapes the table,
which the article leaves out, is not needed. v is never turned.
"""

from __future__ import annotations

from compute.attention import OTHER_SEEDS, T5_TABLE, AttentionSettings


def code(head: AttentionSettings, last_lines: str, *, both: bool = False) -> str:
    """Write the lines that compute what a view shows.

    Args:
        head: The head and its tokens.
        last_lines: What leaves the numbers of the figure in ``result``.
        both: Score the tokens alike and as they are, instead of as the settings say.
    """
    layer = LAYERS[head.encoding].format(base=head.base, slope=head.slope, seed=head.seed + OTHER_SEEDS, table=T5_TABLE, causal=head.causal)
    x = WORDS.format(words=" ".join(head.words)) if head.words else RANDOM
    start = HEAD.format(tokens=head.tokens, d=head.head_dim, causal=head.causal, seed=head.seed, x=x)
    return start + layer + (BOTH if both else ONE.format(alike=ALIKE if head.alike else "")) + last_lines


HEAD = """
import math
import torch

tokens, d, causal = {tokens}, {d}, {causal}
seed = torch.Generator().manual_seed({seed})
{x}q, k, v = x.unbind(1)
positions = torch.arange(tokens)
"""
RANDOM = """x = torch.randn(tokens, 3, d, dtype=torch.float64, generator=seed)
"""
WORDS = """words = "{words}".casefold().split()
different = list(dict.fromkeys(words))
x = torch.randn(len(different), 3, d, dtype=torch.float64, generator=seed)  # the same word, the same q, k and v
x = x[[different.index(word) for word in words[:tokens]]]
"""
ALIKE = """q, k = q[:1].expand(tokens, d), k[:1].expand(tokens, d)
"""
ONE = """
{alike}scores = layer(q, k, positions)
hidden = torch.ones(tokens, tokens, dtype=torch.bool).triu(1) & causal
weights = scores.masked_fill(hidden, -math.inf).softmax(-1)
output = weights @ v  # v is not turned
"""
BOTH = """
alike = layer(q[:1].expand(tokens, d), k[:1].expand(tokens, d), positions)
both = alike, layer(q, k, positions)
"""
ROPE = """
class RoPEAttention(torch.nn.Module):
    def __init__(self, dim, base):
        super().__init__()
        theta = base ** (-torch.arange(0, dim, 2, dtype=torch.float64) / dim)
        self.register_buffer("theta", theta, persistent=False)

    def rotate(self, x, positions):  # x: (..., tokens, dim); not axis 1, that may count heads
        assert len(positions) == x.size(-2)
        angles = positions[:, None] * self.theta
        first, second = x.chunk(2, dim=-1)  # pair i: coordinates i and i + dim / 2
        z = torch.complex(first, second) * torch.polar(torch.ones_like(angles), angles)
        return torch.cat((z.real, z.imag), dim=-1)

    def forward(self, q, k, positions):
        q, k = self.rotate(q, positions), self.rotate(k, positions)
        return q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))

layer = RoPEAttention(d, base={base!r})
"""
SINUSOIDAL = """
theta = {base!r} ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)

def layer(q, k, positions):
    angles = positions[:, None] * theta
    code = torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(-2)
    return (q + code) @ (k + code).T / math.sqrt(d)
"""
ALIBI = """
def layer(q, k, positions):
    distances = positions[:, None] - positions
    return q @ k.T / math.sqrt(d) - {slope!r} * distances.abs()
"""
T5 = """
seed = torch.Generator().manual_seed({seed})
table = torch.randn({table}, dtype=torch.float64, generator=seed)  # learned in a real model

def bucket(distance, causal):  # {table} ranges of distance
    if not causal:
        return bucket_of(abs(distance), 16) + (16 if distance < 0 else 0)
    return bucket_of(max(distance, 0), 32)

def bucket_of(distance, buckets):
    exact = buckets // 2
    if distance < exact:
        return distance
    steps = math.log(distance / exact) / math.log(128 / exact) * (buckets - exact)
    return min(exact + int(steps), buckets - 1)

def layer(q, k, positions):
    where = [[bucket(m - n, causal) for n in positions.tolist()] for m in positions.tolist()]
    return q @ k.T + table[torch.tensor(where)]  # T5 does not divide by sqrt(d)
"""
NONE = """
def layer(q, k, positions):
    return q @ k.T / math.sqrt(d)
"""
LAYERS = {"rope": ROPE, "sinusoidal": SINUSOIDAL, "alibi": ALIBI, "t5": T5, "none": NONE}
