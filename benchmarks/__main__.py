"""Run the benchmarks, all or some: ``python -m benchmarks [NAME ...] [--out FILE]``. The exit code is 1 if a goal is missed."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.report import Table, exit_code, machine, markdown

NAMES = ("interaction", "classroom", "core", "paint", "memory", "live")


def run(names: list[str]) -> Iterator[list[Table]]:
    """Measure what is named, in this order, and give the tables of each."""
    for name in names:
        print(f"{name} …", file=sys.stderr, flush=True)
        module = importlib.import_module(f"benchmarks.{name}")
        if name == "core":
            import torch

            devices = [torch.device("cpu"), *([torch.device("cuda")] if torch.cuda.is_available() else [])]
            yield [table for device in devices for table in module.measure(device)]
        else:
            yield module.measure()


def main() -> int:
    """Write a report to a file, or print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*NAMES, []], help=f"of {', '.join(NAMES)}")
    parser.add_argument("--out", type=Path, help="file to write instead of printing")
    arguments = parser.parse_args()
    tables: list[Table] = []
    for found in run(arguments.names or list(NAMES)):
        tables += found
        if arguments.out:  # after each part: what is measured stays, whatever becomes of the next
            arguments.out.write_text(markdown(machine(), tables), encoding="utf-8")
    if not arguments.out:
        print(markdown(machine(), tables))
    for table in tables:
        for goal in table.goals:
            if not goal.is_met:
                print("missed:", " | ".join(goal.row()), file=sys.stderr)
    return exit_code(tables)


if __name__ == "__main__":
    raise SystemExit(main())
