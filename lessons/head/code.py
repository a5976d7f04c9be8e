"""PyTorch code of the views of a whole head."""

from __future__ import annotations

from rope_core import RopeConfig


def code(template: str, config: RopeConfig, **values: object) -> str:
    """Fill in a template with the width, what of it turns, the base, and other values."""
    return template.format(d=config.head_dim, turning=config.rotary_dim, base=config.base, **values)


def slices(config: RopeConfig) -> str:
    """Write the two coordinates of every pair as PyTorch slices."""
    pairs, turning = config.pairs, config.rotary_dim
    return f"x[:{pairs}], x[{pairs}:{turning}]" if config.layout == "half" else f"x[0:{turning}:2], x[1:{turning}:2]"


START_CODE = """
import torch

d, turning, base = {d}, {turning}, {base!r}  # width, and how much of it turns
theta = base ** (-torch.arange(0, turning, 2, dtype=torch.float64) / turning)
"""
PAIRS_CODE = (
    START_CODE
    + """\
cos, sin = ({position} * theta).cos(), ({position} * theta).sin()
x = torch.randn(1, d, dtype=torch.float64, generator=torch.Generator().manual_seed({seed}))[0]

a, b = {slices}  # the coordinates of every pair
turned = torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1)
still = x[turning : turning + 2].reshape(-1, 2)
result = torch.cat((turned[{shown}], still))  # the solid arrows
"""
)
MATRIX_CODE = (
    START_CODE
    + """\
cos, sin = ({position} * theta).cos(), ({position} * theta).sin()

def matrix(a, b):  # the coordinates of every pair
    rotation = torch.eye(d, dtype=torch.float64)
    rotation[a, a], rotation[a, b] = cos, -sin
    rotation[b, a], rotation[b, b] = sin, cos
    return rotation

i = torch.arange(turning // 2)
half, interleaved = matrix(i, i + turning // 2), matrix(2 * i, 2 * i + 1)
order = torch.cat((torch.arange(turning).reshape(-1, 2).T.flatten(), torch.arange(turning, d)))
assert torch.equal(half, interleaved[order][:, order])
result = torch.stack((half, interleaved))
"""
)
WIDEN = {"half": "torch.cat((table, table), dim=-1)", "interleaved": "table.repeat_interleave(2, dim=-1)"}
TABLE_CODE = (
    START_CODE
    + """\
positions = torch.arange({positions}, dtype=torch.float64)[:, None]
cos = torch.ones(len(positions), d, dtype=torch.float64)  # what does not turn keeps cos = 1
sin = torch.zeros_like(cos)
for wide, table in ((cos, (positions * theta).cos()), (sin, (positions * theta).sin())):
    wide[:, :turning] = {widen}

angles = positions * base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
sinusoidal = torch.cat((angles.sin(), angles.cos()), dim=-1)
result = torch.stack((cos, sin, sinusoidal))
"""
)
MIX_CODE = """
import torch

d, turning, base, distance = {d}, {turning}, {base!r}, {distance}
theta = base ** (-torch.arange(0, turning, 2, dtype=torch.float64) / turning)
q = torch.arange(1, d + 1, dtype=torch.float64)
k = q.flip(0)

def halves(x):  # partners half the width apart
    front, back = x[:turning].chunk(2)
    return torch.cat((-back, front, x[turning:]))

def neighbours(x):  # partners side by side
    pairs = x[:turning].reshape(-1, 2)
    return torch.cat((torch.stack((-pairs[:, 1], pairs[:, 0]), dim=-1).flatten(), x[turning:]))

def rotate(x, position, spread, partners):
    still = d - turning
    cos = torch.cat((spread((position * theta).cos()), torch.ones(still)))
    sin = torch.cat((spread((position * theta).sin()), torch.zeros(still)))
    return x * cos + partners(x) * sin

def twice(table):
    return torch.cat((table, table))

def doubled(table):
    return table.repeat_interleave(2)

def scores(*layout):
    return torch.stack([rotate(q, s + distance, *layout) @ rotate(k, s, *layout) for s in range(101)])

mistake = scores(doubled, halves)
result = torch.stack((scores(twice, halves), scores(doubled, neighbours), mistake))
"""
THREE_CODE = """
import torch

d, turning, base = {d}, {turning}, {base!r}  # width, and how much of it turns
theta = base ** (-torch.arange(0, turning, 2, dtype=torch.float64) / turning)

# 1. Halves with cat: pair i is (i, i + P).
def rotate_halves(x, positions):  # x: (..., S, 2 P), positions: (S,)
    angles = torch.outer(positions, theta)  # (S, P)
    angles = torch.cat((angles, angles), dim=-1)  # (S, 2 P)
    front, back = x.chunk(2, dim=-1)
    return x * angles.cos() + torch.cat((-back, front), dim=-1) * angles.sin()

# 2. Complex view: pair i is (2i, 2i + 1). Positions are given, not read off an axis.
def precompute_freqs_cis(positions):
    angles = torch.outer(positions, theta)
    return torch.polar(torch.ones_like(angles), angles)  # (S, P)

def apply_rotary_emb(x, freqs_cis):
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2))  # (..., S, P)
    return torch.view_as_real(pairs * freqs_cis).flatten(-2)

# 3. Interleaved slices: the same pairs as 2, in real numbers.
def rotate_slices(x, positions):
    angles = torch.outer(positions, theta)
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1).flatten(-2)

x = torch.randn(1, d, dtype=torch.float64, generator=torch.Generator().manual_seed({seed}))
turn, still = x[:, :turning], x[:, turning:]
positions = torch.tensor([{position}], dtype=torch.float64)
order = torch.arange(turning).reshape(-1, 2).T.flatten()  # evens first, then odds

first = rotate_halves(turn[:, order], positions)
second = apply_rotary_emb(turn, precompute_freqs_cis(positions))
third = rotate_slices(turn, positions)
torch.testing.assert_close(first, second[:, order])
torch.testing.assert_close(second, third)
result = torch.cat((torch.cat((first, second, third)), still.expand(3, -1)), dim=-1)
"""
