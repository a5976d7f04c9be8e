"""What a first visit needs is imported, and frozen, before it comes: else each collection of garbage would look at it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VISITS = """
import asyncio, sys
import app
async def live():
    async with app.lifespan(app.app):
        return set(sys.modules)
before = asyncio.run(live())
from tests.visit import open_page
from lessons.registry import PAGES
for page in PAGES:
    open_page(page)
print(*sorted(name for name in set(sys.modules) - before))
"""
LIBRARIES = {"pandas", "pyarrow", "PIL", "torch", "numpy", "plotly", "babel", "dateutil", "latex2mathml", "segno"}
ROOMS = {"rope_core", "figures", "locales", "compute", "parameters", "lessons", "exports", "server", "ui"}


def test_visits_to_all_pages_import_nothing_more() -> None:
    done = subprocess.run([sys.executable, "-c", VISITS], cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    late = [name for name in done.stdout.splitlines()[-1].split() if name.partition(".")[0] in LIBRARIES | ROOMS]
    assert late == []
