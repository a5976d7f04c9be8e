"""The scores of the page Distance decay as formulas with numbers, and as PyTorch lines."""

from __future__ import annotations

from compute.scores import Band, DecaySettings
from compute.speeds import attention_factor, speeds
from lessons.methods import speeds_code
from lessons.wording import angle_error, right, tex


def pairs_code(given: DecaySettings) -> str:
    """Write the two coordinates of every pair as PyTorch slices."""
    pairs, turning = given.config.pairs, given.config.rotary_dim
    if given.config.layout == "half":
        return f"x[..., :{pairs}], x[..., {pairs}:{turning}]"
    return f"x[..., 0:{turning}:2], x[..., 1:{turning}:2]"


def head_code(given: DecaySettings) -> str:
    """Write lines that define the speeds, and ``z``, a complex number for each pair of q and k."""
    numbers = ([1.0], [1.0]) if given.kind != "typed" else (list(given.q_typed), list(given.k_typed))
    turn = f" * torch.exp(1j * {given.peak} * theta)" if given.kind == "peak" else ""
    factor = "A**2 * " if attention_factor(given.config) != 1 else ""
    code = HEAD_CODE.format(pairs=pairs_code(given), q=numbers[0], k=numbers[1], turn=turn, factor=factor)
    return speeds_code(given.config) + code + (STILL_CODE.format(q=numbers[0], k=numbers[1]) if given.still else "")


def curve_code(given: DecaySettings, start: int, stop: int) -> str:
    """Write lines that leave the scores at distances ``start`` .. ``stop`` - 1 in ``result``."""
    return CURVE_CODE.format(start=start, stop=stop, plus=" + still" if given.still else "")


def score_text(score: float, error: float = 0.0) -> str:
    """Write a score in six digits, or in those that an error leaves right, and zero without a sign."""
    return f"{right(score, error):.6g}"


def score_error(given: DecaySettings, band: Band) -> float:
    """Return how far a score may be off: the angles of float64 speeds are off by more at far distances."""
    return (band.ceiling + abs(band.constant)) * angle_error(given.reach * float(speeds(given.config).max()))


def score_tex(given: DecaySettings, constant: float) -> list[str]:
    """Write the score: A and the constant only where there is one."""
    factor = attention_factor(given.config)
    lines = [
        r"s(r) &= \mathrm{Re}\sum_i z_i\, e^{\mathrm{i}\,r\theta_i}" + (" + c" if given.still else ""),
        r"z_i &= A^2\,q_i\,\bar k_i" if factor != 1 else r"z_i &= q_i\,\bar k_i",
    ]
    lines += [rf"A &= {tex(factor)}"] if factor != 1 else []
    return lines + ([rf"c &= \textstyle\sum_{{j \ge {given.config.rotary_dim}}} q_j k_j = {tex(constant + 0.0)}"] if given.still else [])


def bound_tex(given: DecaySettings, band: Band, last: float) -> list[str]:
    """Write the bound, which is on the score without the constant, and both at the last distance."""
    end = right(band.at_end, score_error(given, band))
    minus, score = (" - c", abs(end - band.constant)) if given.still else ("", abs(end))
    lines = [
        rf"|s(r){minus}| &\le \max_i |z_{{i+1}} - z_i| \; \textstyle\sum_j |S_j(r)|",
        r"z_P &= 0",
        r"S_j(r) &= \textstyle\sum_{i<j} e^{\mathrm{i}\,r\theta_i}",
    ]
    lines += [rf"c &= {tex(band.constant + 0.0)}"] if given.still else []
    return [*lines, rf"|s({given.reach}){minus}| &= {tex(score)} \le {tex(last)}"]


def deviation(given: DecaySettings) -> tuple[str, str]:
    """Write the standard deviation of the score of random q and k: in a sentence, and as TeX with its numbers."""
    factor, d, turning = attention_factor(given.config), given.config.head_dim, given.config.rotary_dim
    if factor == 1:
        return "√d", rf"\sqrt d = \sqrt{{{d}}}"
    if not given.still:
        return "A²√d", rf"A^2 \sqrt d = {tex(factor**2)} \sqrt{{{d}}}"
    return "√(A⁴dᵣ + d - dᵣ)", rf"\sqrt{{A^4 d_r + d - d_r}} = \sqrt{{{tex(factor**4)} \cdot {turning} + {given.still}}}"


HEAD_CODE = """
def numbers_of(vector):  # fewer than d numbers are repeated
    return torch.tensor(vector, dtype=torch.float64).repeat(d)[:d]

def pairs(x):  # a pair is one complex number
    return torch.complex({pairs})

q = pairs(numbers_of({q}))
k = pairs(numbers_of({k})){turn}
z = {factor}q * k.conj()
"""
STILL_CODE = """# what does not turn adds the same at every distance
still = (numbers_of({q}) * numbers_of({k}))[turning:].sum()
"""
CURVE_CODE = """
def scores(r):
    return (z * torch.exp(1j * r[:, None] * theta)).sum(-1).real{plus}

distances = torch.arange({start}, {stop}, dtype=torch.float64)
result = torch.cat([scores(some) for some in distances.split(4096)])
"""
SPECTRUM_CODE = """lines = z.abs()  # exact, at the speeds theta
result = 2 / len(result) * torch.fft.rfft(result).abs()[1:]  # the grey line, before binning
"""
BOUND_CODE = """steps = torch.diff(z, append=torch.zeros(1)).abs().max()
r = torch.tensor([1, {reach}], dtype=torch.float64)  # first and last of the figure
result = {plus}steps * torch.exp(1j * r[:, None] * theta).cumsum(-1).abs().sum(-1)
"""
RANDOM_CODE = """
seed = torch.Generator().manual_seed({seed})
x = torch.randn(2, {count}, d, dtype=torch.float64, generator=seed)
q, k = torch.complex({pairs})
r = torch.tensor([1, {reach}], dtype=torch.float64)  # first and last of the figure
z = ({factor}q * k.conj())[:, None]
{still}scores = (z * torch.exp(1j * r[:, None] * theta)).sum(-1).real{plus}
result = scores.mean(0)
"""
RANDOM_STILL = """# what does not turn adds the same at every distance
still = x[..., turning:].prod(0).sum(-1)
"""
