"""A whole head: the pairs of one vector, the matrix that turns them, the tables of cos and sin."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from figures import head
from figures.theme import REFERENCE, pair_colors
from lessons import core_learn
from lessons.core_lines import with_config
from rope_core import RopeConfig
from ui import compute, compute_head
from ui.compute_head import POSITIONS
from ui.formulas import aligned, counted, fixed, rounding, tex, turns
from ui.i18n import _
from ui.view import View

PLANES = 8


@dataclass(frozen=True, kw_only=True)
class Setting:
    """A head, perhaps turned in part, a position, the seed of a vector, and a distance between two tokens."""

    config: RopeConfig
    position: int = 0
    seed: int = 0
    distance: int = 0

    @property
    def still(self) -> int:
        """How many coordinates do not turn."""
        return self.config.head_dim - self.config.rotary_dim


def pairs_view(setting: Setting) -> View:
    """Show some pairs of one vector, before and after rotation."""
    config, turned = setting.config, compute_head.turn_head(setting.config, setting.seed, setting.position)
    speeds = compute.speeds(config)
    shown = _shown(setting)
    angles = [turns(setting.position * speed)[1] for speed in speeds]
    where, colors = turned.coordinates[shown], [pair_colors(config.pairs)[pair] for pair in shown]
    labels = [_label(pair, turned.coordinates[pair], speeds[pair], angles[pair]) for pair in shown]
    if setting.still > 1:
        where = np.vstack((where, [config.rotary_dim, config.rotary_dim + 1]))
        colors.append(REFERENCE)
        labels.append(_names(where[-1]) + "<br>" + _("do not turn"))
    said = ", ".join(_("pair {i}").format(i=pair) + f": {angles[pair]}°" for pair in shown)
    return View(
        figure=head.planes(turned.before[where], turned.after[where], labels=labels, colors=colors, words=_words()),
        alt=_("{count} of {pairs} pairs of one vector at position {m}, each turned in its own plane; {angles}.").format(
            count=len(shown), pairs=config.pairs, m=f"{setting.position:,}", angles=said
        ),
        sentences=_pair_sentences(setting, turned, speeds),
        formula=_pair_formula(setting, turned, speeds),
        code=_code(setting, PAIRS_CODE, shown=shown.tolist(), slices=_slices(config)),
        drawn={
            "first_coordinate": where[:, 0],
            "second_coordinate": where[:, 1],
            **{f"{when}_{side}": x[where[:, at]] for when, x in _both(turned) for at, side in enumerate(("first", "second"))},
        },
        core=with_config(
            config,
            lines=core_learn.HEAD_PAIRS,
            first=where[:, 0].tolist(),
            second=where[:, 1].tolist(),
            seed=setting.seed,
            position=setting.position,
        ),
    )


def _both(turned: compute_head.Turned) -> tuple[tuple[str, np.ndarray], ...]:
    return ("before", turned.before), ("after", turned.after)


def _pair_sentences(setting: Setting, turned: compute_head.Turned, speeds: np.ndarray) -> tuple[str, ...]:
    config, last = setting.config, setting.config.pairs - 1
    first, second = turned.coordinates[-1]
    rest = _("Coordinates {first} to {last} do not turn: they are the same at every position.").format(
        first=f"`{config.rotary_dim}`", last=f"`{config.head_dim - 1}`"
    )
    length = _("Each pair keeps its length, and so does the whole vector: {before} before, {after} after.").format(
        before=f"`{np.linalg.norm(turned.before):.6f}`", after=f"`{np.linalg.norm(turned.after):.6f}`"
    )
    return (
        _(
            "{turning} of {d} numbers turn, as {pairs} pairs, of which {drawn} are drawn. Pair {last} is ({first}, {second}). "
            "No pair touches another."
        ).format(
            turning=f"`{config.rotary_dim}`",
            d=f"`{config.head_dim}`",
            pairs=f"`{config.pairs}`",
            drawn=f"`{len(_shown(setting))}`",
            last=last,
            first=f"`x_{first}`",
            second=f"`x_{second}`",
        ),
        _("At position {m} pair 0 ({fast} rad per token) has turned by {far}°, pair {last} ({slow} rad per token) by {near}°.").format(
            m=f"`{setting.position:,}`",
            fast=f"`{speeds[0]:.6g}`",
            far=f"`{counted(math.degrees(setting.position * speeds[0]))}`",
            last=last,
            slow=f"`{speeds[-1]:.6g}`",
            near=f"`{counted(math.degrees(setting.position * speeds[-1]))}`",
        ),
        f"{length} {rest}" if setting.still else length,
    )


def _shown(setting: Setting) -> np.ndarray:
    """Choose the pairs that are drawn, evenly over all; the last plane is kept for coordinates that do not turn."""
    return np.unique(np.linspace(0, setting.config.pairs - 1, PLANES - (setting.still > 1)).round().astype(int))


def _pair_formula(setting: Setting, turned: compute_head.Turned, speeds: np.ndarray) -> tuple[str, ...]:
    a, b = turned.coordinates[-1]
    last = setting.config.pairs - 1
    before, after = (rf"({fixed(x[a])},\; {fixed(x[b])})" for x in (turned.before, turned.after))
    return (
        aligned(
            rf"\varphi_i &= m\,\theta_i = m\,b^{{-2i/d_r}}, \quad d_r = {setting.config.rotary_dim}",
            rf"\varphi_{{{last}}} &= {setting.position} \cdot {tex(speeds[-1])}",
            rf"&= {tex(setting.position * speeds[-1])}",
        ),
        aligned(
            r"x_a' &= x_a\cos\varphi_i - x_b\sin\varphi_i",
            r"x_b' &= x_a\sin\varphi_i + x_b\cos\varphi_i",
            rf"(x_{{{a}}}, x_{{{b}}}) &= {before}",
            rf"(x_{{{a}}}', x_{{{b}}}') &= {after}",
        ),
    )


def matrix_view(setting: Setting) -> View:
    """Show the matrix of one position in both layouts, and the permutation between them."""
    config, order = setting.config, compute_head.permutation(setting.config)
    half, interleaved = compute_head.matrices(config, setting.position)
    rows, columns = np.nonzero((half != 0) | (interleaved != 0))
    error = np.abs(half - interleaved[np.ix_(order, order)]).max()
    count = 2 * config.rotary_dim + setting.still
    return View(
        figure=head.matrices(half, interleaved, order, _words()),
        alt=_(
            "Two {d} by {d} matrices for position {m}, made of the same {pairs} blocks of 2 by 2 numbers; after "
            "the permutation they differ by {error}."
        ).format(d=config.head_dim, m=f"{setting.position:,}", pairs=config.pairs, error=rounding(error)),
        sentences=(
            _("Of {cells} numbers in each matrix {count} lie on a block or on the diagonal; {pairs} blocks turn, one a pair.").format(
                cells=f"`{config.head_dim**2:,}`", count=f"`{count:,}`", pairs=f"`{config.pairs}`"
            ),
            _(
                "In half layout the two coordinates of a pair stand {apart} apart, interleaved they are neighbours. Of the "
                "coordinates that turn, the permutation takes the even ones first, then the odd ones; after it the two matrices "
                "differ by {error}."
            ).format(apart=f"`{config.pairs}`", error=f"`{rounding(error)}`"),
            _("Weights belong to one layout; to change it, permute the rows of W_q and W_k. Neither is better: match the checkpoint."),
        ),
        formula=(
            aligned(
                r"B_i &= \begin{pmatrix}\cos m\theta_i & -\sin m\theta_i\\ \sin m\theta_i & \cos m\theta_i\end{pmatrix}",
                rf"B_{{{config.pairs - 1}}} &= {_block(half, config.pairs)}",
            ),
            aligned(
                r"R_\text{half} &= \Pi\,R_\text{inter}\,\Pi^\top",
                rf"\Pi x &= (x_0, x_2, \dots, x_{{{config.rotary_dim - 2}}}, x_1, x_3, \dots)",
            ),
        ),
        code=_code(setting, MATRIX_CODE),
        drawn={"row": rows, "column": columns, "half": half[rows, columns], "interleaved": interleaved[rows, columns]},
        core=with_config(config, lines=core_learn.MATRIX, position=setting.position),
    )


def _block(half: np.ndarray, pairs: int) -> str:
    a, b = pairs - 1, 2 * pairs - 1
    return rf"\begin{{pmatrix}} {fixed(half[a, a])} & {fixed(half[a, b])}\\ {fixed(half[b, a])} & {fixed(half[b, b])} \end{{pmatrix}}"


def table_view(setting: Setting) -> View:
    """Show what every coordinate is multiplied by, and the code that is added instead."""
    config, table, speeds = setting.config, compute_head.tables(setting.config), compute.speeds(setting.config)
    turns = [(POSITIONS - 1) * speed / math.tau for speed in (speeds[0], speeds[-1])]
    last, end = config.pairs - 1, POSITIONS - 1
    cell = (end, int(compute_head.coordinates(config)[-1, 1]))
    where = np.indices(table.cos.shape).reshape(2, -1)
    return View(
        figure=head.tables(*table, _words()),
        alt=_(
            "Tables of cos and sin over positions 0 to {end} and {d} coordinates, and the sinusoidal code. Pair 0 makes {fast} turns, "
            "pair {last} {slow}."
        ).format(end=end, d=config.head_dim, fast=counted(turns[0]), last=last, slow=counted(turns[1])),
        sentences=(
            _("Down the rows, from position 0 to {end}, pair 0 makes {fast} turns and pair {last} {slow}.").format(
                end=f"`{end}`", fast=f"`{counted(turns[0])}`", last=last, slow=f"`{counted(turns[1])}`"
            ),
            _(
                "RoPE multiplies: each number of q and k meets its cos and, with its partner, its sin. {pairs} numbers a row are enough; "
                "each stands in both columns of its pair."
            ).format(pairs=f"`{config.pairs}`"),
            _same_numbers(setting),
        ),
        formula=(
            aligned(
                r"c_{m,i} &= \cos m\theta_i, \quad s_{m,i} = \sin m\theta_i",
                rf"c_{{{end},{last}}} &= \cos({end} \cdot {tex(speeds[-1])})",
                rf"&= {table.cos[cell]:.6f}",
                rf"s_{{{end},{last}}} &= \sin({end} \cdot {tex(speeds[-1])})",
                rf"&= {table.sin[cell]:.6f}",
            ),
        ),
        code=_code(setting, TABLE_CODE, positions=POSITIONS, widen=WIDEN[config.layout]),
        drawn={
            "position": where[0],
            "coordinate": where[1],
            **{name: values.ravel() for name, values in table._asdict().items()},
        },
        core=with_config(config, lines=core_learn.TABLE, positions=POSITIONS),
    )


def _same_numbers(setting: Setting) -> str:
    if setting.still:
        return _(
            "The sinusoidal code is added to the vector and has {all} speeds for its {d} coordinates; here RoPE has {pairs}, and "
            "{still} coordinates keep cos = 1 and sin = 0."
        ).format(
            all=f"`{setting.config.head_dim // 2}`",
            d=f"`{setting.config.head_dim}`",
            pairs=f"`{setting.config.pairs}`",
            still=f"`{setting.still}`",
        )
    return _(
        "The sinusoidal code holds the same {count} numbers a row, drawn with its sines first. It is added to the vector; "
        "RoPE turns the vector."
    ).format(count=f"`{setting.config.head_dim}`")


def _label(pair: int, where: np.ndarray, speed: float, angle: str) -> str:
    return _("pair {i}").format(i=pair) + f"<br>{_names(where)}<br>θ<sub>{pair}</sub> = {speed:.3g}<br>{angle}°"


def _names(where: np.ndarray) -> str:
    return f"(x<sub>{where[0]}</sub>, x<sub>{where[1]}</sub>)"


def _words() -> head.HeadWords:
    return head.HeadWords(
        before=_("before"),
        after=_("after rotation"),
        coordinate=_("coordinate"),
        position=_("position"),
        row=_("row"),
        column=_("column"),
        half=_("half layout"),
        interleaved=_("interleaved layout"),
        permutation=_("the permutation between them"),
        place_half=_("half place"),
        place_interleaved=_("interleaved place"),
        cos=_("cos: what a coordinate is multiplied by"),
        sin=_("sin: what its partner is multiplied by (minus in the first of a pair)"),
        sinusoidal=_("sinusoidal code, added (sines first)"),
    )


def _slices(config: RopeConfig) -> str:
    """Write the two coordinates of every pair as PyTorch slices."""
    pairs, turning = config.pairs, config.rotary_dim
    return f"x[:{pairs}], x[{pairs}:{turning}]" if config.layout == "half" else f"x[0:{turning}:2], x[1:{turning}:2]"


def _code(setting: Setting, template: str, **more: object) -> str:
    config = setting.config
    return (START_CODE + template).format(
        d=config.head_dim, turning=config.rotary_dim, base=config.base, position=setting.position, seed=setting.seed, **more
    )


START_CODE = """
import torch

d, turning, base = {d}, {turning}, {base!r}  # width, and how much of it turns
theta = base ** (-torch.arange(0, turning, 2, dtype=torch.float64) / turning)
"""
PAIRS_CODE = """cos, sin = ({position} * theta).cos(), ({position} * theta).sin()
x = torch.randn(1, d, dtype=torch.float64, generator=torch.Generator().manual_seed({seed}))[0]

a, b = {slices}  # the coordinates of every pair
turned = torch.stack((a * cos - b * sin, a * sin + b * cos), dim=-1)
still = x[turning : turning + 2].reshape(-1, 2)
result = torch.cat((turned[{shown}], still))  # the solid arrows
"""
MATRIX_CODE = """cos, sin = ({position} * theta).cos(), ({position} * theta).sin()

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
WIDEN = {"half": "torch.cat((table, table), dim=-1)", "interleaved": "table.repeat_interleave(2, dim=-1)"}
TABLE_CODE = """positions = torch.arange({positions}, dtype=torch.float64)[:, None]
cos = torch.ones(len(positions), d, dtype=torch.float64)  # what does not turn keeps cos = 1
sin = torch.zeros_like(cos)
for wide, table in ((cos, (positions * theta).cos()), (sin, (positions * theta).sin())):
    wide[:, :turning] = {widen}

angles = positions * base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
sinusoidal = torch.cat((angles.sin(), angles.cos()), dim=-1)
result = torch.stack((cos, sin, sinusoidal))
"""
