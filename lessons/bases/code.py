"""PyTorch lines of the page Base and context."""

FIRST_CODE = """
import torch

d, limit = {width}, {limit}  # the search ends at the limit

def first_negative(base):
    theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    for m in torch.arange(limit, dtype=torch.float64).split(4096):
        negative = torch.cos(m[:, None] * theta).sum(-1) < 0
        if negative.any():
            return m[negative][0]
    return torch.tensor(limit, dtype=torch.float64)  # none below it

bases = {bases}  # yours, and some of the figure
result = torch.stack([first_negative(base) for base in bases])
"""
HEAT_CODE = """
import numpy as np
import torch

d, base, reach = {width}, {base!r}, {reach}  # the row nearest to your base
theta = base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
distances = torch.arange(1, reach + 1, dtype=torch.float64)
means = torch.cat([torch.cos(m[:, None] * theta).mean(-1) for m in distances.split(4096)])
edges = np.unique(np.rint(np.geomspace(1, reach + 1, 401)).astype(int))
result = torch.stack([some.min() for some in means.split(np.diff(edges).tolist())])
"""
CRITICAL_CODE = """
import math
import torch

d, context = {width}, {context}
bases = {low!r} * ({high!r} / {low!r}) ** (torch.arange({count}, dtype=torch.float64) / ({count} - 1))
pairs = torch.ceil(d / 2 * math.log(context / (2 * math.pi)) / bases.log())
result = (2 * pairs).clamp(0, d)  # coordinates that come round
"""
