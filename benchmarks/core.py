"""Time the core against the usual ways to do the same: ``python -m benchmarks.core [--device cuda]``.

Prints medians of interleaved runs and their ratios; nothing here is typed by hand. ``transformers`` comes with requirements-dev.txt.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import torch

from rope_core import RopeConfig, apply_rotation, cos_sin, inverse_frequencies, phasors, score_curve


def medians(ways: dict[str, Callable[[], object]], device: torch.device, *, runs: int = 7) -> dict[str, float]:
    """Give the median seconds of each way, one run of each in turn, after a warm-up of each."""
    times: dict[str, list[float]] = {name: [] for name in ways}
    for run in range(runs + 1):
        for name, way in ways.items():
            start = time.perf_counter()
            way()
            if device.type == "cuda":
                torch.cuda.synchronize(device)
            if run:
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}


def curve(device: torch.device, length: int) -> None:
    """Score curves of all ones, 64 pairs."""
    config = RopeConfig(128)
    inv_freq = inverse_frequencies(config, device=device)
    ones = torch.ones(128, dtype=torch.float64, device=device)
    z = phasors(ones, ones, config)

    def textbook(dtype: torch.dtype) -> torch.Tensor:
        distances = torch.arange(length, dtype=dtype, device=device)
        parts = [torch.cos(torch.outer(some, inv_freq.to(dtype))).sum(1) for some in distances.split(2**17)]
        return 2 * torch.cat(parts)

    ways = {
        "score_curve": lambda: score_curve(z, inv_freq, length),
        "textbook float64": lambda: textbook(torch.float64),
        "textbook float32": lambda: textbook(torch.float32),
    }
    exact = textbook(torch.float64)
    errors = {name: float((way().double() - exact).abs().max()) for name, way in ways.items()}
    report(f"score curve, {length:,} distances, error against the float64 textbook", medians(ways, device), "score_curve", errors)


def rotation(device: torch.device, dtype: torch.dtype) -> None:
    """Rotate ``(1, 32, 2048, 128)`` with ready tables."""
    from transformers.models.llama.modeling_llama import rotate_half

    x = torch.randn(1, 32, 2048, 128, device=device).to(dtype)
    cos, sin = cos_sin(RopeConfig(128), torch.arange(2048, device=device))
    wide_cos, wide_sin = (torch.cat((table, table), -1).to(dtype) for table in (cos, sin))
    ways = {
        "clone": lambda: x.clone(),
        "apply_rotation, half": lambda: apply_rotation(x, cos, sin, layout="half"),
        "apply_rotation, interleaved": lambda: apply_rotation(x, cos, sin, layout="interleaved"),
        "transformers' form": lambda: x * wide_cos + rotate_half(x) * wide_sin,
    }
    report(f"rotation of (1, 32, 2048, 128) {dtype}", medians(ways, device), "clone", {})


def report(title: str, seconds: dict[str, float], unit: str, errors: dict[str, float]) -> None:
    """Print one table."""
    print(f"\n{title}")
    for name, value in seconds.items():
        error = f"   error {errors[name]:.1e}" if name in errors else ""
        print(f"  {name:<28} {1e3 * value:9.2f} ms   {value / seconds[unit]:7.2f} x {unit}{error}")


def main() -> None:
    """Run all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    device = torch.device(parser.parse_args().device)
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else f"{torch.get_num_threads()} CPU threads"
    print(f"torch {torch.__version__}, {name}")
    for length in (4096, 2**20):
        curve(device, length)
    for dtype in (torch.float32, torch.bfloat16):
        rotation(device, dtype)


if __name__ == "__main__":
    main()
