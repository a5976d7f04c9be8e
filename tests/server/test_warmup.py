"""What a first visit needs is imported, and frozen, before it comes: else each collection of garbage would look at it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VISITS = """
import gc, sys
import app
from server.warmup import warm_up
warm_up()
gc.collect()
gc.freeze()
before = set(sys.modules)
from tests.visit import open_page
from lessons.registry import PAGES
from streamlit.testing.v1 import AppTest
for page in PAGES:
    open_page(page)
print(*sorted(name for name in set(sys.modules) - before))
"""
HEAVY = {"pandas", "pyarrow", "PIL", "torch", "numpy", "lessons", "figures", "compute", "parameters", "rope_core", "babel", "dateutil"}


def test_visits_to_all_pages_import_nothing_heavy() -> None:
    done = subprocess.run([sys.executable, "-c", VISITS], cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    late = [name for name in done.stdout.splitlines()[-1].split() if name.partition(".")[0] in HEAVY]
    assert late == []
