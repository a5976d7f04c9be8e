"""What the pages of the section Learn show, as lines that call rope_core."""

from __future__ import annotations

START = """
pairs = $pairs$
theta = rc.inverse_frequencies(config)[pairs]
columns = {"pair": pairs, "theta": theta, "angle_rad": $position$ * theta}
"""
SECOND_HAND = """columns["second_angle_rad"] = $second$ * theta
"""

PAIR = """
q, k, speed = $q$, $k$, $speed$  # radians per token

def turned(vector, positions):
    angles = torch.as_tensor(positions, dtype=torch.float64)[:, None] * speed
    rows = torch.tensor(vector, dtype=torch.float64).expand(len(positions), 2)
    return rc.apply_rotation(rows, angles.cos(), angles.sin(), layout="half")
"""
PLANE = """
columns = {"q_before": q, "k_before": k, "q_after": turned(q, [$m$])[0], "k_after": turned(k, [$n$])[0]}
"""
POSITIONS = """
positions = $positions$
columns = {"position": positions, "q_first": turned(q, positions)[:, 0], "q_second": turned(q, positions)[:, 1]}
"""
SHIFT = """
def coded(vector, positions):  # the sinusoidal code of the same speed, added
    return torch.tensor(vector, dtype=torch.float64) + rc.sinusoidal_encoding(positions, torch.tensor([speed], dtype=torch.float64))

shift = torch.arange($count$)
at_q, at_k = $m$ + shift, $n$ + shift
columns = {
    "shift": shift,
    "score_rope": (turned(q, at_q) * turned(k, at_k)).sum(-1),
    "score_additive": (coded(q, at_q) * coded(k, at_k)).sum(-1),
}
"""

HEAD_PAIRS = """
first, second = $first$, $second$
x = torch.randn(1, config.head_dim, dtype=torch.float64, generator=torch.Generator().manual_seed($seed$))
turned = rc.rotate(x, torch.tensor([$position$]), config)[0]
columns = {
    "first_coordinate": first,
    "second_coordinate": second,
    "before_first": x[0, first],
    "before_second": x[0, second],
    "after_first": turned[first],
    "after_second": turned[second],
}
"""
MATRIX = """
half, interleaved = (rc.rotation_matrix(replace(config, layout=layout), $position$) for layout in ("half", "interleaved"))
row, column = ((half != 0) | (interleaved != 0)).nonzero(as_tuple=True)
columns = {"row": row, "column": column, "half": half[row, column], "interleaved": interleaved[row, column]}
"""
TABLE = """
count = $positions$
positions, i = torch.arange(count), torch.arange(config.pairs)
pair = (i, i + config.pairs) if config.layout == "half" else (2 * i, 2 * i + 1)

def wide(table, still):  # a number stands in both columns of its pair
    full = torch.full((count, config.head_dim), still, dtype=torch.float64)
    for coordinates in pair:
        full[:, coordinates] = table
    return full.flatten()

cos, sin = rc.cos_sin(config, positions, dtype=torch.float64)
code = rc.sinusoidal_encoding(positions, rc.geometric_frequencies(config.head_dim, config.base))
position, coordinate = np.indices(code.shape).reshape(2, -1)
columns = {
    "position": position,
    "coordinate": coordinate,
    "cos": wide(cos, 1.0),
    "sin": wide(sin, 0.0),
    "sinusoidal": code[:, rc.layout_permutation(config.head_dim)].flatten(),  # sines first
}
"""
MIX = """
shifts = torch.arange(101)
q = torch.arange(1, config.head_dim + 1, dtype=torch.float64)
rows = [(vector.expand(len(shifts), -1), shifts + more) for vector, more in ((q, $distance$), (q.flip(0), 0))]

def mistake(x, positions):  # each angle twice in a row, as interleaved pairs want it, and partners half the width apart
    cos, sin = (table.repeat_interleave(2, -1) for table in rc.cos_sin(config, positions, dtype=torch.float64))
    front, back, rest = x.split((config.pairs, config.pairs, config.head_dim - config.rotary_dim), -1)
    turned = torch.cat((front, back), -1) * cos + torch.cat((-back, front), -1) * sin
    return torch.cat((turned, rest), -1)

def score(rotate):
    q, k = (rotate(x, positions) for x, positions in rows)
    return (q * k).sum(-1)

columns = {"shifts": shifts}
for layout in ("half", "interleaved"):
    columns[layout] = score(lambda x, positions: rc.rotate(x, positions, replace(config, layout=layout)))
columns["mixed"] = score(mistake)
"""
ORDERS = """
x = torch.randn(1, config.head_dim, dtype=torch.float64, generator=torch.Generator().manual_seed($seed$))
order = torch.cat((rc.layout_permutation(config.rotary_dim), torch.arange(config.rotary_dim, config.head_dim)))
position = torch.tensor([$position$])
interleaved = rc.rotate(x, position, replace(config, layout="interleaved"))[0]
half = rc.rotate(x[:, order], position, replace(config, layout="half"))[0]
columns = {
    "place": np.arange(config.head_dim),
    "half": half,
    "interleaved": interleaved,
    "interleaved_permuted": interleaved[order],
}
"""

ATTENTION = """
tokens = $tokens$
seed = torch.Generator().manual_seed($seed$)
q, k, v = torch.randn(tokens, 3, $head_dim$, dtype=torch.float64, generator=seed).unbind(1)
positions = torch.arange(tokens)
distances = rc.relative_distances(positions, positions)
"""
ALL_ALIKE = """q, k = q[:1].expand_as(q), k[:1].expand_as(k)
"""
SCORES = {
    "rope": """
config = rc.RopeConfig($head_dim$, base=$base$)

def scores(q, k):
    return rc.attention_scores(rc.rotate(q, positions, config), rc.rotate(k, positions, config))
""",
    "sinusoidal": """
code = rc.sinusoidal_encoding(positions, rc.geometric_frequencies($head_dim$, $base$))

def scores(q, k):
    return rc.attention_scores(q + code, k + code)
""",
    "alibi": """
def scores(q, k):
    return rc.attention_scores(q, k, bias=rc.alibi_bias(distances, $slope$))
""",
    "t5": """
table = torch.randn(32, dtype=torch.float64, generator=torch.Generator().manual_seed($table_seed$))

def scores(q, k):
    return rc.attention_scores(q, k, bias=table[rc.t5_buckets(distances, causal=$causal$)], scale=1.0)
""",
    "none": """
def scores(q, k):
    return rc.attention_scores(q, k)
""",
}
SEEN = """
query, key = ((distances >= 0) if $causal$ else torch.ones_like(distances)).nonzero(as_tuple=True)
columns = {"query": query, "key": key, "score": scores(q, k)[query, key]}
"""
WEIGHTS = """
weights = rc.attention_weights(scores(q, k), causal=$causal$)
query, key = ((distances >= 0) if $causal$ else torch.ones_like(distances)).nonzero(as_tuple=True)
columns = {"query": query, "key": key, "weight": weights[query, key]}
"""
OUTPUT = """
output = rc.attention_weights(scores(q, k), causal=$causal$) @ v
token, coordinate = np.indices(v.shape).reshape(2, -1)
columns = {"token": token, "coordinate": coordinate, "v": v.flatten(), "output": output.flatten()}
"""
DIAGONALS = """
distance = np.arange(1 - tokens, tokens)
columns = {"distance": distance}
for name, matrix in (("alike", scores(q[:1].expand_as(q), k[:1].expand_as(k))), ("random", scores(q, k))):
    lines = [matrix.diagonal(-each) for each in distance.tolist()]
    columns[f"{name}_lowest"] = torch.stack([line.min() for line in lines])
    columns[f"{name}_highest"] = torch.stack([line.max() for line in lines])
"""
