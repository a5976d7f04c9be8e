"""Run the benchmarks, all or some: ``python -m benchmarks [NAME ...] [--out FILE]``. The exit code is 1 if a goal is missed."""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from benchmarks.report import Table, exit_code, machine, markdown

NAMES = ("interaction", "live", "classroom", "core", "paint", "memory")


def run(names: list[str]) -> list[Table]:
    """Measure what is named, in this order."""
    tables: list[Table] = []
    for name in names:
        print(f"{name} …", file=sys.stderr, flush=True)
        module = importlib.import_module(f"benchmarks.{name}")
        if name == "core":
            import torch

            devices = [torch.device("cpu"), *([torch.device("cuda")] if torch.cuda.is_available() else [])]
            tables += [table for device in devices for table in module.measure(device)]
        else:
            tables += module.measure()
    return tables


def main() -> int:
    """Write a report to a file, or print it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*NAMES, []], help=f"of {', '.join(NAMES)}")
    parser.add_argument("--out", type=Path, help="file to write instead of printing")
    arguments = parser.parse_args()
    tables = run(arguments.names or list(NAMES))
    text = markdown(machine(), tables)
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")
    else:
        print(text)
    for table in tables:
        for goal in table.goals:
            if not goal.is_met:
                print("missed:", " | ".join(goal.row()), file=sys.stderr)
    return exit_code(tables)


if __name__ == "__main__":
    raise SystemExit(main())
