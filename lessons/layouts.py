"""Two layouts of one head: what breaks when they are mixed, and three implementations that agree."""

from __future__ import annotations

import numpy as np

from figures import layouts
from lessons import core_learn
from lessons.core_lines import with_config
from lessons.head import Setting
from ui import compute, compute_head
from ui.formulas import aligned, rounding, tex
from ui.i18n import _
from ui.view import View

NAMED = (0, 10, 100, 1000)


def mix_view(setting: Setting) -> View:
    """Shift both tokens: the score is flat in either layout, and not when the tables of one meet the pairs of the other."""
    config, test = setting.config, compute_head.shift_test(setting.config, setting.distance)
    flat = max(np.ptp(test.half), np.ptp(test.interleaved))
    at = [int(np.flatnonzero(test.shifts == shift)[0]) for shift in NAMED]
    mixed = ", ".join(f"`{test.mixed[index]:,.3f}`" for index in at)
    half, interleaved = f"{test.half[0]:,.4f}", f"{test.interleaved[0]:,.4f}"
    drawn = test.shifts <= 100
    return View(
        figure=layouts.shift_test(test.shifts[drawn], test.half[drawn], test.interleaved[drawn], test.mixed[drawn], _words()),
        alt=_(
            "At distance {distance}, over shifts from 0 to 100, the score stays at {half} in half and at {interleaved} in interleaved "
            "layout; with the layouts mixed it runs from {low} to {high}."
        ).format(
            distance=f"{setting.distance:,}",
            half=half,
            interleaved=interleaved,
            low=f"{test.mixed[drawn].min():,.3f}",
            high=f"{test.mixed[drawn].max():,.3f}",
        ),
        sentences=(
            _(
                "For q = 1, 2, ..., {d} and k = {d}, ..., 1 at distance {distance} the score is {half} in half and {interleaved} in "
                "interleaved layout; shifts of 0 to 100 and of 1,000 change it by {flat} at most (rounding)."
            ).format(
                d=f"`{config.head_dim}`",
                distance=f"`{setting.distance:,}`",
                half=f"`{half}`",
                interleaved=f"`{interleaved}`",
                flat=f"`{rounding(flat)}`",
            ),
            *_mixed_sentences(setting, test, mixed),
        ),
        formula=(
            aligned(
                r"\mathrm{half}:\quad & z_j = x_j + \mathrm{i}\,x_{j+P}",
                r"\mathrm{inter}:\quad & z_j = x_{2j} + \mathrm{i}\,x_{2j+1}",
                r"& z_j' = z_j\,e^{\mathrm{i}m\theta_j}",
                r"\mathrm{mix}:\quad & x_j' = x_j\cos m\theta_{\lfloor j/2\rfloor}",
                r"& \quad - x_{j+P}\sin m\theta_{\lfloor j/2\rfloor},\; j < P",
            ),
            aligned(
                *(rf"s_\mathrm{{mix}}({shift}) &= {tex(float(test.mixed[index]))}" for shift, index in zip(NAMED[:2], at, strict=False))
            ),
        ),
        code=MIX_CODE.format(d=config.head_dim, turning=config.rotary_dim, base=config.base, distance=setting.distance),
        drawn={name: getattr(test, name)[drawn] for name in ("shifts", "half", "interleaved", "mixed")},
        core=with_config(setting.config, lines=core_learn.MIX, distance=setting.distance),
    )


def _mixed_sentences(setting: Setting, test: compute_head.ShiftTest, mixed: str) -> tuple[str, ...]:
    if setting.config.pairs == 1:
        return (_("With {pairs} pair both layouts are the same, and there is nothing to mix.").format(pairs="`1`"),)
    return (
        _(
            "Mixed, with the angles of interleaved pairs on the partners of half layout, it is {mixed} at shifts 0, 10, 100 and 1,000. "
            "All shapes fit and nothing raises an error."
        ).format(mixed=mixed),
        _("The mistake is no rotation either: a vector of ones has squared length {before} before, and {after} at position 1.").format(
            before=f"`{setting.config.head_dim}`", after=f"`{test.squared_length:.9g}`"
        ),
    )


def code_view(setting: Setting) -> View:
    """Show one rotated vector in the order of either layout, and then both in the same order."""
    config, order = setting.config, compute_head.permutation(setting.config)
    half, interleaved = compute_head.both_orders(config, setting.seed, setting.position)
    error, moved = np.abs(half - interleaved[order]).max(), int((order != np.arange(len(order))).sum())
    places = np.arange(config.head_dim)
    speed = float(compute.speeds(config)[-1])
    return View(
        figure=layouts.two_orders(half, interleaved, order, _words()),
        alt=_(
            "One vector of {d} numbers, rotated to position {m} in both layouts: in the same order they differ by at most {error}."
        ).format(d=config.head_dim, m=f"{setting.position:,}", error=f"{rounding(error)}"),
        sentences=(
            _("The permutation moves {moved} of {d} numbers; after it the two layouts differ by at most {error}.").format(
                moved=f"`{moved}`", d=f"`{config.head_dim}`", error=f"`{rounding(error)}`"
            ),
            _(
                "The code below writes it three ways: halves with cat join i and i + {pairs}; the complex view and the slices both join "
                "2i and 2i + 1, and so need no permutation between them."
            ).format(pairs=f"`{config.pairs}`"),
            _(
                "Halves are two contiguous slices, interleaved pairs have a stride of 2 or one complex number. Which is faster depends "
                "on device and kernel; which is right, on the checkpoint."
            ),
        ),
        formula=(
            aligned(
                r"e^{\mathrm{i}m\theta_i} &= \cos m\theta_i + \mathrm{i}\sin m\theta_i",
                rf"\theta_{{{config.pairs - 1}}} &= {tex(speed)}",
                rf"m\,\theta_{{{config.pairs - 1}}} &= {tex(setting.position * speed)}",
            ),
            aligned(
                r"\mathrm{half}(\Pi x) &= \Pi\,\mathrm{inter}(x)",
                rf"\Pi x &= (x_0, x_2, \dots, x_{{{config.rotary_dim - 2}}}, x_1, x_3, \dots)",
            ),
        ),
        code=THREE_CODE.format(
            d=config.head_dim, turning=config.rotary_dim, base=config.base, position=setting.position, seed=setting.seed
        ),
        drawn={"place": places, "half": half, "interleaved": interleaved, "interleaved_permuted": interleaved[order]},
        core=with_config(config, lines=core_learn.ORDERS, seed=setting.seed, position=setting.position),
    )


def _words() -> layouts.LayoutWords:
    return layouts.LayoutWords(
        shift=_("shift of both positions (tokens)"),
        score=_("score"),
        half=_("half layout"),
        interleaved=_("interleaved layout"),
        mixed=_("mixed: a mistake"),
        place=_("place in the vector"),
        value=_("value"),
        own_order=_("each in its own order"),
        same_order=_("both in half order, after the permutation"),
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
