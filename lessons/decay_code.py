"""How the decay page writes its scores: the setting, as formulas with numbers, and as PyTorch lines."""

from __future__ import annotations

from dataclasses import dataclass

from lessons.scaling_code import speeds_code
from rope_core import RopeConfig
from ui import compute
from ui.compute import Vector
from ui.formulas import tex


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A head, how far to look, and which q and k: ``ones``, ``peak`` (at a distance) or ``typed``."""

    config: RopeConfig
    reach: int
    kind: str
    peak: int
    q_typed: Vector
    k_typed: Vector

    def vectors(self) -> tuple[Vector, Vector]:
        """Give q and k in full width."""
        q, k = compute.head_vectors(self.config, self.kind, self.peak, self.q_typed, self.k_typed)
        return tuple(q.tolist()), tuple(k.tolist())

    @property
    def still(self) -> int:
        """How many coordinates do not turn."""
        return self.config.head_dim - self.config.rotary_dim


def pairs_code(setting: Setting) -> str:
    """Write the two coordinates of every pair as PyTorch slices."""
    pairs, turning = setting.config.pairs, setting.config.rotary_dim
    if setting.config.layout == "half":
        return f"x[..., :{pairs}], x[..., {pairs}:{turning}]"
    return f"x[..., 0:{turning}:2], x[..., 1:{turning}:2]"


def head_code(setting: Setting) -> str:
    numbers = ([1.0], [1.0]) if setting.kind != "typed" else (list(setting.q_typed), list(setting.k_typed))
    turn = f" * torch.exp(1j * {setting.peak} * theta)" if setting.kind == "peak" else ""
    factor = "A**2 * " if compute.magnitude(setting.config) != 1 else ""
    code = HEAD_CODE.format(pairs=pairs_code(setting), q=numbers[0], k=numbers[1], turn=turn, factor=factor)
    return speeds_code(setting.config) + code + (REST_CODE.format(q=numbers[0], k=numbers[1]) if setting.still else "")


def curve_code(setting: Setting, start: int, stop: int) -> str:
    return CURVE_CODE.format(start=start, stop=stop, plus=" + still" if setting.still else "")


def score_tex(setting: Setting, constant: float) -> list[str]:
    """Write the score: A and the constant only where there is one."""
    factor = compute.magnitude(setting.config)
    lines = [
        r"s(r) &= \mathrm{Re}\sum_i z_i\, e^{\mathrm{i}\,r\theta_i}" + (" + c" if setting.still else ""),
        r"z_i &= A^2\,q_i\,\bar k_i" if factor != 1 else r"z_i &= q_i\,\bar k_i",
    ]
    lines += [rf"A &= {tex(factor)}"] if factor != 1 else []
    return lines + ([rf"c &= \textstyle\sum_{{j \ge {setting.config.rotary_dim}}} q_j k_j = {tex(constant)}"] if setting.still else [])


def bound_tex(setting: Setting, band: compute.Band, last: float) -> list[str]:
    beside, size = (" - c", abs(band.at_end - band.constant)) if setting.still else ("", abs(band.at_end))
    lines = [
        rf"|s(r){beside}| &\le \max_i |z_{{i+1}} - z_i| \; \textstyle\sum_j |S_j(r)|",
        r"z_P &= 0",
        r"S_j(r) &= \textstyle\sum_{i<j} e^{\mathrm{i}\,r\theta_i}",
    ]
    lines += [rf"c &= {tex(band.constant)}"] if setting.still else []
    return [*lines, rf"|s({setting.reach}){beside}| &= {tex(size)} \le {tex(last)}"]


def root_words(setting: Setting, factor: float) -> tuple[str, str]:
    """Write the standard deviation of the score of random q and k: in a sentence, and as TeX with its numbers."""
    d, turning = setting.config.head_dim, setting.config.rotary_dim
    if factor == 1:
        return "√d", rf"\sqrt d = \sqrt{{{d}}}"
    if not setting.still:
        return "A²√d", rf"A^2 \sqrt d = {factor**2:.6g} \sqrt{{{d}}}"
    return "√(A⁴dᵣ + d - dᵣ)", rf"\sqrt{{A^4 d_r + d - d_r}} = \sqrt{{{factor**4:.6g} \cdot {turning} + {setting.still}}}"


HEAD_CODE = """
def numbers_of(vector):  # fewer than d numbers are repeated
    return torch.tensor(vector, dtype=torch.float64).repeat(d)[:d]

def pairs(x):  # a pair is one complex number
    return torch.complex({pairs})

q = pairs(numbers_of({q}))
k = pairs(numbers_of({k})){turn}
z = {factor}q * k.conj()
"""
REST_CODE = """# what does not turn adds the same at every distance
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
{rest}scores = (z * torch.exp(1j * r[:, None] * theta)).sum(-1).real{plus}
result = scores.mean(0)
"""
RANDOM_REST = """# what does not turn adds the same at every distance
still = x[..., turning:].prod(0).sum(-1)
"""
