"""What the pages of the section Explore show, as lines that call rope_core."""

from __future__ import annotations

from lessons.core_lines import BINS, INTEGERS

SPEEDS = """
pair = np.arange(config.pairs)
columns = {"pair": pair, "theta": rc.inverse_frequencies(config), "wavelength": rc.wavelengths(config)}
"""
SPEED = """
columns = {"pair": np.arange(config.pairs), "theta": rc.inverse_frequencies(config)}
"""
WAVELENGTH = """
columns = {"pair": np.arange(config.pairs), "wavelength": rc.wavelengths(config)}
"""
TURNS = """
length, theta = config.trained_length, rc.inverse_frequencies(config)
columns = {
    "pair": np.arange(config.pairs),
    "turns": length / rc.wavelengths(config),
    "share_of_circle": rc.angle_coverage(theta, length),
}
"""
SWEEP = """
columns = {
    "pair": np.arange(config.pairs),
    "wavelength_at_100": rc.wavelengths(replace(config, base=100.0)),
    "wavelength_at_own_base": rc.wavelengths(config),
}
"""
MEAN_COSINE = """
def weights(law):
    return torch.full_like(law, 1 / len(law), dtype=torch.complex128)
"""
PERIOD = (
    MEAN_COSINE
    + """
stop = $stop$
one, own = rc.constant_frequencies(config.rotary_dim, 2 * math.pi / $period$), rc.inverse_frequencies(config)
columns = {"distance": np.arange(stop)} | {
    name: rc.score_curve(weights(law), law, stop) for name, law in (("one_speed", one), ("rope", own))
}
"""
)
RETURN = """
distance = torch.arange(1, $stop$)

def left_over(theta):  # of the pair that is farthest from full turns
    angles = distance[:, None] * theta
    return (angles - 2 * math.pi * torch.round(angles / (2 * math.pi))).abs().amax(-1)

one = rc.constant_frequencies(config.rotary_dim, 1.0)
columns = {"distance": distance, "one_speed": left_over(one), "rope_worst_pair": left_over(rc.inverse_frequencies(config))}
"""
LAWS = (
    BINS
    + MEAN_COSINE
    + """
edges = bins($reach$, 1000)
geometric = rc.inverse_frequencies(config)
laws = {
    "geometric": geometric,
    "linear": rc.linear_frequencies(config.rotary_dim, float(geometric[-1])),
    "constant": rc.constant_frequencies(config.rotary_dim, 1.0),
}
columns = {"distance": (edges[:-1] + edges[1:] - 1) / 2}
for name, law in laws.items():
    columns[f"{name}_low"], columns[f"{name}_high"] = rc.score_envelope(weights(law), law, torch.from_numpy(edges))
"""
)

VECTORS = """
theta = rc.inverse_frequencies(config)

def numbers_of(vector):  # fewer than the width are repeated
    return torch.from_numpy(np.resize(np.array(vector, dtype=float), config.head_dim))

q, k = numbers_of($q$), numbers_of($k$)
"""
PEAK = """k = rc.apply_rotation(k, ($peak$ * theta).cos(), ($peak$ * theta).sin(), layout=config.layout)
"""
PHASORS = """z, constant = rc.phasors(q, k, config), float(rc.passthrough_score(q, k, config))
"""
BAND = (
    BINS
    + """
edges = bins($reach$, 1000)
low, high = rc.score_envelope(z, theta, torch.from_numpy(edges))
columns = {"distance": (edges[:-1] + edges[1:] - 1) / 2, "lowest": low + constant, "highest": high + constant}
"""
)
RANDOM = (
    INTEGERS
    + """
seed = torch.Generator().manual_seed($seed$)
q, k = torch.randn(2, $count$, config.head_dim, dtype=torch.float64, generator=seed)
distances = torch.from_numpy(spread($reach$, 200))
scores = rc.score_at(rc.phasors(q, k, config), rc.inverse_frequencies(config), distances)
scores = scores + rc.passthrough_score(q, k, config).unsqueeze(-1)
columns = {"distances": distances, "mean": scores.mean(0), "spread": scores.std(0)}
"""
)
BOUND = (
    INTEGERS
    + """
at = torch.from_numpy(spread($reach$, 400))
bounds = {"distance": at, "bound": rc.score_bound(z, theta, at), "relative": rc.decay_bound(theta, at)}
"""
    + BAND
    + """
columns = bounds | {"bin": columns["distance"], "lowest": columns["lowest"], "highest": columns["highest"]}
"""
)
SPECTRUM = (
    BINS
    + """
line_theta, line_amplitude, _ = rc.line_spectrum(z, theta)
speed, amplitude = (x.numpy()[1:] for x in rc.curve_spectrum(rc.score_curve(z, theta, $tokens$)))
starts = bins(len(speed), 2000)[:-1] - 1  # the largest amplitude of each bin, at its middle
ends = np.append(starts[1:], len(speed))
columns = {
    "theta": line_theta,
    "amplitude": line_amplitude,
    "resolved_speed": speed[(starts + ends - 1) // 2],
    "resolved_amplitude": np.maximum.reduceat(amplitude, starts),
}
"""
)

FIRST = """
from rope_core.bases import first_negatives  # many bases at once

bases, limit = np.geomspace(1.01, 1e9, 400), $limit$
found = first_negatives(torch.stack([rc.geometric_frequencies($width$, base) for base in bases.tolist()]), limit)
columns = {"base": bases, "first_negative_or_limit": torch.where(found < 0, limit, found), "negative_found": found >= 0}
"""
HEAT = (
    BINS
    + """
bases, edges, pairs = np.geomspace(1.01, 1e9, 120), bins($reach$, 400), $width$ // 2
ones = torch.ones(pairs, dtype=torch.complex128)
laws = [rc.geometric_frequencies($width$, base) for base in bases.tolist()]
lowest = torch.stack([rc.score_envelope(ones, law, torch.from_numpy(edges))[0] for law in laws]) / pairs
column, row = (x.ravel() for x in np.meshgrid(np.arange(len(edges) - 1), np.arange(len(bases))))
columns = {
    "distance_from": edges[column],
    "distance_below": edges[column + 1],
    "base": bases[row],
    "lowest_mean_cosine": lowest.float().flatten(),  # as it is drawn
}
"""
)
CRITICAL = """
bases = np.geomspace(1.01, 1e9, 400)
counts = np.array([rc.critical_dimension($context$, $width$, base) for base in bases.tolist()])
columns = {"base": bases, "critical_dimension": counts, "share_percent": 100 * counts / $width$}
"""
