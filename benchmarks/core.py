"""Time the core against the usual ways to do the same: ``python -m benchmarks.core [--device cuda]``."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import torch

from benchmarks.report import Goal, Spread, Table, exit_code, figures, machine, markdown, ratios
from rope_core import (
    RopeConfig,
    apply_rotation,
    cos_sin,
    curve_spectrum,
    inverse_frequencies,
    line_spectrum,
    phasors,
    score_curve,
    score_envelope,
)

HEAD = RopeConfig(128)
LENGTHS = (10**3, 10**4, 10**5, 10**6, 2**20, 10**7)
SHAPE = (1, 32, 2048, 128)
WHY = "What a rotation costs beside a copy, and why no form of it does better here, is in docs/decisions/0008-rotation-in-blocks.md."
Ways = Mapping[str, Callable[[], object]]


def times(ways: Ways, device: torch.device, *, runs: int = 15, seconds: float = 6.0) -> dict[str, list[float]]:
    """Time each way, one run of each in turn, after a warm-up of each: up to ``runs`` each, and no new round after some seconds."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    begin = time.perf_counter()
    for run in range(runs + 1):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            if device.type == "cuda":
                torch.cuda.synchronize(device)
            if run:
                taken[name].append(time.perf_counter() - start)
        if run >= 2 and time.perf_counter() - begin > seconds:
            break
    return taken


def textbook(distances: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """Sum the cosines of ``outer(distances, speeds)``, in pieces that fit a memory."""
    speeds = inverse_frequencies(HEAD, device=distances.device).to(dtype)
    return torch.cat([2 * torch.cos(torch.outer(some.to(dtype), speeds)).sum(1) for some in torch.split(distances, 2**17)])


def exact(distances: list[int]) -> torch.Tensor:
    """Evaluate the curve of ones with fifty digits; the speeds too."""
    import mpmath

    with mpmath.workdps(50):
        speeds = [mpmath.power(10_000, mpmath.mpf(-2 * pair) / 128) for pair in range(64)]
        sums = [float(2 * mpmath.fsum(mpmath.cos(distance * speed) for speed in speeds)) for distance in distances]
    return torch.tensor(sums, dtype=torch.float64)


def ones(device: torch.device) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the phasors of q = k = (1, ..., 1), and the speeds."""
    vector = torch.ones(128, dtype=torch.float64, device=device)
    return phasors(vector, vector, HEAD), inverse_frequencies(HEAD, device=device)


def curves(device: torch.device, bandwidth: float | None) -> Table:
    """Score curves of 64 pairs at growing lengths."""
    z, speeds = ones(device)
    rows: list[tuple[str, ...]] = []
    goals: list[Goal] = []
    for length in LENGTHS:
        every = torch.arange(length, device=device)
        ways: dict[str, Callable[[], torch.Tensor]] = {
            "score_curve": partial(score_curve, z, speeds, length),
            "textbook float64": partial(textbook, every, torch.float64),
            "textbook float32": partial(textbook, every, torch.float32),
        }
        sample = torch.tensor(sorted({length - 1, *torch.randint(length, (63,), generator=torch.Generator().manual_seed(0)).tolist()}))
        truth, few = exact(sample.tolist()), sample.to(device)
        answers = (ways["score_curve"]()[few], textbook(few, torch.float64), textbook(few, torch.float32))
        errors = {name: float((answer.double().cpu() - truth).abs().max()) for name, answer in zip(ways, answers, strict=True)}
        taken = times(ways, device)
        for name in ways:
            faster = ratios(taken[name], taken["score_curve"])
            limit = "" if bandwidth is None else f"{1e3 * length * 8 / bandwidth:.3g}" if name == "score_curve" else "-"
            cells = (f"{length:,}", name, Spread.of(taken[name]).text(1e3), faster.text(), figures(errors[name]), limit)
            rows.append(cells if bandwidth is not None else cells[:-1])
            if length == 2**20 and name == "textbook float32":
                goals.append(Goal("score curve of 2^20 distances: times as fast as the float32 textbook", faster.middle, 40, at_least=True))
        if length == 2**20:
            goals.append(Goal("score curve of 2^20 distances: error", errors["score_curve"], 1e-8))
    columns = ("distances", "way", "ms", "time of score_curve", "error", "bandwidth limit, ms")
    note = "64 pairs, q = k = (1, …, 1). The error is the largest one at 64 sampled distances against 50 digits (mpmath)."
    return Table("Score curves", columns[: len(rows[0])], tuple(rows), note, tuple(goals if device.type == "cpu" else goals[1:]))


def rotation(device: torch.device, bandwidth: float | None) -> Table:
    """Rotate ``SHAPE`` with ready tables."""
    rows: list[tuple[str, ...]] = []
    goals: list[Goal] = []
    for dtype in (torch.float32, torch.bfloat16):
        name_of_dtype = str(dtype).removeprefix("torch.")
        ways = rotations(dtype, device)
        taken = times(ways, device)
        moved = SHAPE[1] * SHAPE[2] * SHAPE[3] * 2 * dtype.itemsize + SHAPE[2] * SHAPE[3] * 4
        for name in ways:
            to_clone, peer = ratios(taken[name], taken["torch.clone"]), ratios(taken["transformers' form"], taken[name])
            cells = (name_of_dtype, name, Spread.of(taken[name]).text(1e3), to_clone.text(), peer.text())
            rows.append(cells if bandwidth is None else (*cells, f"{1e3 * moved / bandwidth:.3g}"))
            if name.startswith("apply_rotation") and device.type == "cpu" and dtype == torch.float32:
                title = f"rotation, {name.removeprefix('apply_rotation, ')}"
                goals.append(Goal(f"{title}: times as fast as transformers' form", peer.middle, 2, at_least=True, why=WHY))
                if name.endswith("half"):
                    goals.append(Goal(f"{title}: time of torch.clone", to_clone.middle, 2.2, why=WHY))
    columns = ("dtype", "way", "ms", "time of clone", "times as fast as transformers' form", "bandwidth limit, ms")
    note = (
        f"{SHAPE} with tables of cos and sin ready. transformers' form is `x * cos + rotate_half(x) * sin` in the dtype of x; "
        "apply_rotation computes in float32 and rounds once. In bfloat16 that is one rounding where the others round three times, and on a "
        "processor without instructions for it the exactness costs what the smaller type saves: no goal stands there."
    )
    return Table("Rotation", columns[: len(rows[0])], tuple(rows), note, tuple(goals))


def rotations(dtype: torch.dtype, device: torch.device) -> dict[str, Callable[[], torch.Tensor]]:
    """Return the ways to rotate."""
    from rotary_embedding_torch import apply_rotary_emb
    from transformers.models.gptj.modeling_gptj import apply_rotary_pos_emb as rotate_every_two
    from transformers.models.llama.modeling_llama import rotate_half

    x = torch.randn(SHAPE, device=device).to(dtype)
    cos, sin = cos_sin(HEAD, torch.arange(SHAPE[2], device=device))
    wide_cos, wide_sin = (torch.cat((table, table), -1).to(dtype) for table in (cos, sin))
    angles = torch.arange(SHAPE[2], device=device).unsqueeze(-1) * inverse_frequencies(HEAD, device=device).float()
    angles = angles.repeat_interleave(2, dim=-1)
    turned_axes, few_cos, few_sin = x.transpose(1, 2), cos.to(dtype).unsqueeze(0), sin.to(dtype).unsqueeze(0)
    return {
        "torch.clone": lambda: x.clone(),
        "apply_rotation, half": lambda: apply_rotation(x, cos, sin, layout="half"),
        "apply_rotation, interleaved": lambda: apply_rotation(x, cos, sin, layout="interleaved"),
        "transformers' form": lambda: x * wide_cos + rotate_half(x) * wide_sin,  # type: ignore[no-untyped-call]
        "transformers' GPT-J, interleaved": lambda: rotate_every_two(turned_axes, few_sin, few_cos),
        "rotary-embedding-torch, interleaved": lambda: apply_rotary_emb(angles, x),
    }


def analysis(device: torch.device) -> Table:
    """Envelope and spectra of the same head, beside the least that they have to do."""
    z, speeds = ones(device)
    edges = torch.unique(torch.logspace(0, 20, 400, base=2, dtype=torch.float64).round().long()).to(device)
    curve = score_curve(z, speeds, 2**20)
    rows: list[tuple[str, ...]] = []
    pairs: dict[str, tuple[Callable[[], Any], str, Callable[[], Any]]] = {
        "score_envelope, 2^20 distances": (lambda: score_envelope(z, speeds, edges), "score_curve", lambda: score_curve(z, speeds, 2**20)),
        "line_spectrum": (lambda: line_spectrum(z, speeds), "abs and angle of the phasors", lambda: (z.abs(), z.angle())),
        "curve_spectrum, 2^20 distances": (lambda: curve_spectrum(curve), "torch.fft.rfft", lambda: torch.fft.rfft(curve)),
    }
    for name, (way, least_name, least) in pairs.items():
        taken = times({"way": way, "least": least}, device)
        rows.append((name, Spread.of(taken["way"]).text(1e3), least_name, ratios(taken["way"], taken["least"]).text()))
    return Table("Envelope and spectra", ("what", "ms", "beside", "time of that"), tuple(rows))


def copy_bandwidth(device: torch.device) -> float:
    """Measure bytes a second of a large copy, read and written."""
    x = torch.empty(2**28, device=device)
    taken = times({"copy": lambda: x.clone()}, device)["copy"]
    return 2 * x.nbytes / min(taken)


def measure(device: torch.device) -> list[Table]:
    """Measure all."""
    bandwidth = copy_bandwidth(device) if device.type == "cuda" else None
    tables = [curves(device, bandwidth), rotation(device, bandwidth), analysis(device)]
    if bandwidth is not None:
        note = f"The limit is the bytes that must move at the {bandwidth / 1e12:.2f} TB/s of a measured 1 GiB copy."
        tables.append(Table("Memory", ("what", "TB/s"), (("copy of 1 GiB", f"{bandwidth / 1e12:.2f}"),), note))
        tables = [replace(table, heading=f"{table.heading}, {torch.cuda.get_device_name(device)}") for table in tables]
    return tables


def main() -> int:
    """Print a report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    device = torch.device(parser.parse_args().device)
    where = machine(torch.cuda.get_device_name(device) if device.type == "cuda" else None)
    tables = measure(device)
    print(markdown(where, tables))
    return exit_code(tables)


if __name__ == "__main__":
    raise SystemExit(main())
