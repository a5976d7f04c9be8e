"""Measured numbers as Markdown, and the goals that they meet or miss."""

from __future__ import annotations

import os
import platform
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version

PACKAGES = ("torch", "numpy", "streamlit", "plotly", "uvicorn", "transformers", "rotary-embedding-torch", "playwright")


@dataclass(frozen=True)
class Spread:
    """Median and quartiles of what was measured several times."""

    middle: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """Take the quartiles; of fewer than three values, the least and the greatest."""
        values = sorted(values)
        low, _, high = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 2 else (values[0], 0, values[-1])
        return cls(statistics.median(values), low, high)

    def text(self, scale: float = 1.0) -> str:
        """Write ``1.9 (1.8–2.1)`` in units of ``1 / scale``."""
        return f"{figures(self.middle * scale)} ({figures(self.low * scale)}–{figures(self.high * scale)})"


def ratios(times: Sequence[float], units: Sequence[float]) -> Spread:
    """Compare what ran side by side, run by run."""
    return Spread.of(time / unit for time, unit in zip(times, units, strict=True))


@dataclass(frozen=True)
class Goal:
    """What a number has to be: at most ``bound``, or at least; ``why`` says what stands in the way where it is missed."""

    name: str
    measured: float
    bound: float
    unit: str = ""
    at_least: bool = False
    why: str = ""

    @property
    def is_met(self) -> bool:
        """A number that could not be measured, nan, meets nothing."""
        return self.measured >= self.bound if self.at_least else self.measured <= self.bound

    def row(self) -> tuple[str, ...]:
        """Return the cells of its row."""
        unit = f" {self.unit}" if self.unit else ""
        limit = f"{'at least' if self.at_least else 'at most'} {figures(self.bound)}{unit}"
        return self.name, f"{figures(self.measured)}{unit}", limit, "met" if self.is_met else "**missed**"


@dataclass(frozen=True)
class Table:
    """What was measured, under a heading; ``note`` says how to read it."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    goals: tuple[Goal, ...] = ()


def figures(value: float) -> str:
    """Write a number with three significant figures, as people do: 1,230, 45.6, 0.00789, 1.2e-10."""
    if value == 0 or not abs(value) < float("inf"):
        return f"{value:g}"
    if abs(value) < 1e-3 or abs(value) >= 1e9:
        return f"{value:.1e}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{float(f'{value:.3g}'):g}"


def machine(device: str | None = None) -> str:
    """Say where and with which versions this was measured."""
    import torch

    cuda = torch.cuda.get_device_name() if torch.cuda.is_available() else "no CUDA device, so none is measured"
    versions = ", ".join(f"{name} {_version(name)}" for name in PACKAGES)
    place = f"{device or _processor()}, {os.cpu_count()} cores, {cuda}, {platform.system()}, Python {platform.python_version()}"
    return f"{place}; {versions}."


def _version(package: str) -> str:
    try:
        return version(package)
    except ImportError:
        return "(none)"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def markdown(where: str, tables: Sequence[Table]) -> str:
    """Write the whole report: the goals first, then every table."""
    goals = [goal for table in tables for goal in table.goals]
    missed = [goal for goal in goals if not goal.is_met]
    verdict = f"{len(goals) - len(missed)} of {len(goals)} goals are met" + (":" if not missed else "; missed ones stand first:")
    reasons = "\n".join(dict.fromkeys(f"- {goal.why}" for goal in missed if goal.why))
    summary = grid(("goal", "measured", "bound", ""), [goal.row() for goal in sorted(goals, key=lambda goal: goal.is_met)])
    parts = [
        "# Benchmarks",
        "`make bench` wrote this file; no number in it was typed by hand. A number with a range is the median and the quartiles. "
        "What is compared ran in turn, within one run.",
        where,
        *([f"## Goals\n\n{verdict}", summary] if goals else []),
        *([f"What stands in the way of the missed ones:\n\n{reasons}"] if reasons else []),
        *(part for table in tables for part in (f"## {table.heading}", table.note, grid(table.columns, table.rows)) if part),
    ]
    return "\n\n".join(parts) + "\n"


def grid(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table in Markdown."""
    lines = [columns, ["---"] + ["---:"] * (len(columns) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def exit_code(tables: Sequence[Table]) -> int:
    """Return 1 if a goal is missed."""
    return int(any(not goal.is_met for table in tables for goal in table.goals))
