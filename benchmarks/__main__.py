"""Run the benchmarks, all or some: ``python -m benchmarks [NAME ...] [--out FILE]``. The exit code is 1 if a goal is missed."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.report import Table, exit_code, grid, machine, markdown

BEGIN, END = "<!-- capacity -->", "<!-- end of capacity -->"
CAPACITY = "Classroom"
NAMES = ("drag", "route", "moves", "classroom", "core", "start", "memory")


def run(names: list[str]) -> Iterator[list[Table]]:
    """Measure what is named, in this order, and yield the tables of each."""
    for name in names:
        print(f"{name} …", file=sys.stderr, flush=True)
        module = importlib.import_module(f"benchmarks.{name}")
        if name == "core":
            import torch

            devices = [torch.device("cpu"), *([torch.device("cuda")] if torch.cuda.is_available() else [])]
            yield [table for device in devices for table in module.measure(device)]
        else:
            yield module.measure()


def write_capacity(tables: list[Table], page: Path = Path("docs/deploy.md")) -> None:
    """Copy what a class met to the page that says how many processes to run, between the two comments that stand there for it."""
    for table in tables:
        if table.heading == CAPACITY:
            before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
            _, _, after = rest.partition(END)
            page.write_text(f"{before}{BEGIN}\n\n{grid(table.columns, table.rows)}\n\n{END}{after}", encoding="utf-8")


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
            write_capacity(tables)
    if not arguments.out:
        print(markdown(machine(), tables))
    for table in tables:
        for goal in table.goals:
            if not goal.is_met:
                print("missed:", " | ".join(goal.row()), file=sys.stderr)
    return exit_code(tables)


if __name__ == "__main__":
    raise SystemExit(main())
