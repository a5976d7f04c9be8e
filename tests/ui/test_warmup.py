"""What a first visit needs is there, and frozen, before it comes: garbage is looked for after every run of every visitor."""

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
from lessons.registry import LESSONS
from streamlit.testing.v1 import AppTest
for page in LESSONS:
    open_page(page)
print(*sorted(name for name in set(sys.modules) - before))
"""
HEAVY = {"pandas", "pyarrow", "PIL", "torch", "numpy", "lessons", "figures", "rope_core", "babel", "dateutil"}


def test_visits_to_all_pages_import_nothing_heavy():
    done = subprocess.run([sys.executable, "-c", VISITS], cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    late = [name for name in done.stdout.splitlines()[-1].split() if name.partition(".")[0] in HEAVY]
    assert late == []
