"""What the pages of the section Engineer show, as lines that call rope_core."""

from __future__ import annotations

from collections.abc import Sequence

from lessons.core_lines import BINS, INTEGERS, with_config
from lessons.extension.setting import Setting
from rope_core import Scaling

# ``config`` is the head with the chosen method, ``other`` the head as it was trained.
EXTENDED = """
length, trained = $length$, $trained$
theta, plain = rc.inverse_frequencies(config, length), rc.inverse_frequencies(other, trained)
pair = np.arange(config.pairs)
"""
RATIO = """
methods = $methods$
columns = {"pair": pair, "ratio": theta / plain}
for name, scaling in methods.items():
    columns[f"ratio_{name}"] = rc.inverse_frequencies(replace(other, scaling=scaling), length) / plain
"""
BANDS = """
columns = {"pair": pair, "wavelength": rc.wavelengths(other, trained)}
"""
KEPT = {True: 'columns["share"] = config.scaling.kept(config)\n', False: 'columns["share"] = theta / plain\n'}
OTHER_RAMP = """another = replace(config, scaling=replace(config.scaling, ramp=$ramp$))
columns["share_of_the_other_ramp"] = another.scaling.kept(another)
"""
ANGLES = """
seen, met = rc.angle_coverage(plain, trained), rc.angle_coverage(theta, length)
step = plain / (2 * math.pi)  # a circle that is closed but for less than a step has been seen whole
columns = {
    "pair": pair,
    "seen": seen,
    "met": met,
    "unseen": torch.where(met - seen > step * (1 + 1e-9), met - seen, 0.0),
    "met_without_method": rc.angle_coverage(rc.inverse_frequencies(other, length), length),
    "turns_in_training": (trained - 1) * plain / (2 * math.pi),
    "turns_at_target": (length - 1) * theta / (2 * math.pi),
}
"""
CURVE = (
    BINS
    + """
ones = torch.ones(config.head_dim, dtype=torch.float64)

def score(head):  # the lowest and the highest in each bin, and the score at distance 0
    z, speeds = rc.phasors(ones, ones, head, seq_len=length), rc.inverse_frequencies(head, length)
    still = rc.passthrough_score(ones, ones, head)
    if length < 2:
        return None, None, rc.score_curve(z, speeds, 1) + still
    low, high = rc.score_envelope(z, speeds, torch.from_numpy(edges))
    return low + still, high + still, rc.score_curve(z, speeds, 1) + still

edges = bins(length - 1, 600) if length > 1 else np.ones(1)
edges = np.union1d(edges, [trained]) if 1 < trained < length else edges
low, high, zero = score(config)
if length > 1:
    plain_low, plain_high, _ = score(other)
    columns = {"distance": (edges[:-1] + edges[1:] - 1) / 2, "lowest": low, "highest": high}
    columns |= {"lowest_unscaled": plain_low, "highest_unscaled": plain_high}
else:
    columns = {"distance": np.zeros(1), "score": zero}
"""
)
DECODE = (
    INTEGERS
    + """
query, growing, cached = length - 1, $growing$, $cached$
distance = spread(query, 160) if query else np.empty(0, dtype=np.int64)
half = replace(config, layout="half")  # ones score alike in both layouts
ones = torch.ones(1, config.head_dim, dtype=torch.float64)

def scores(table):  # of the last token with keys that were turned by the table of a text of some length
    q = rc.rotate(ones, torch.tensor([query]), half, seq_len=length)[0]
    keys = torch.from_numpy(query - distance)
    return rc.rotate(ones.expand(len(keys), -1), keys, half, seq_len=table) @ q

near = [at for at in (trained, trained + 1) if at <= length]
lengths = np.union1d(spread(length, 120), near).astype(np.int64)
columns = {"distance": distance, "score_one_table": scores(length)}
if growing:
    columns["score_cached_key"] = scores(cached)
slowest = np.array([float(rc.inverse_frequencies(config, at)[-1]) for at in lengths.tolist()])
columns |= {"length": lengths, "slowest_over_trained": slowest / float(plain[-1])}
"""
)
FACTOR = """
stretch = np.geomspace(1, $top$, $count$)
curves = {}
"""
FACTORS = {
    "yarn": """curves["yarn"] = [
    rc.YarnScaling(min(s, $most$), attention_factor=$own$, mscale=$mscale$, mscale_all_dim=$mscale_all_dim$) for s in stretch.tolist()
]
""",
    "longrope": """usual = {"short_factor": (1.0,), "long_factor": (1.0,), "original_max_position": $trained$}
curves["longrope"] = [rc.LongRopeScaling(**usual, factor=s, attention_factor=$own$) for s in stretch.tolist()]
""",
}
FACTOR_COLUMNS = """
columns = {"stretch": stretch}
for name, methods in curves.items():
    columns[f"A_{name}"] = np.array([method.attention_factor_for(config, $length$) for method in methods])
for name in curves:
    columns[f"A_squared_{name}"] = columns[f"A_{name}"] ** 2
"""


def core(setting: Setting, lines: str, **values: object) -> str:
    """Write lines about the head with the chosen method, and as it was trained."""
    both = {"length": setting.length, "trained": setting.trained}
    return with_config(setting.chosen, setting.head, lines=EXTENDED + lines, **both, **values)


def importing(scalings: Sequence[Scaling | None]) -> str:
    """Write the import of methods that stand in a line."""
    kinds = sorted({type(each).__name__ for each in scalings if each is not None})
    return f"from rope_core import {', '.join(kinds)}\n" if kinds else ""
