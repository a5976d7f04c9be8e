"""Install pinned requirements into .venv, once: ``python3 scripts/install.py requirements.txt``.

Under one pin PyPI serves Linux a CUDA build of torch of several gigabytes, PyTorch's CPU index one of a tenth. Without an NVIDIA GPU
torch therefore comes from the CPU index, and from PyPI where that does not answer. ``TORCH_INDEX=URL`` names another index, an empty
one means PyPI; the choice is remembered.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
CPU_INDEX = "https://download.pytorch.org/whl/cpu"


def main(name: str) -> None:
    """Bring .venv to the state that the requirements file ``name`` asks for; do nothing when it is there."""
    pins = (ROOT / "requirements.txt").read_text()
    wanted = pins + (ROOT / name).read_text()
    remembered = VENV / "torch-index"
    before = remembered.read_text() if remembered.exists() else None
    index = os.environ.get("TORCH_INDEX", default_index() if before is None else before)

    stamp = VENV / f"installed-{name}"
    state = "\n".join([python_version(), index, wanted])
    if stamp.exists() and stamp.read_text() == state:
        return

    if not succeeds(PYTHON, "-m", "pip", "--version"):
        run(sys.executable, "-m", "venv", "--clear", VENV)
    source = ["--index-url", index] if index and answers(index) else []
    if index and not source:
        print(f"{index} does not answer: torch comes from PyPI.", flush=True)
    # pip holds any build of a pinned version for the right one, so a new choice of index has to be forced.
    force = ["--force-reinstall"] if before not in (None, index) else []
    install("--no-deps", *source, *force, re.findall(r"^torch==\S+", pins, re.MULTILINE)[0])
    install("-r", name)

    remembered.write_text(index)
    stamp.write_text("\n".join([python_version(), index, wanted]))


def default_index() -> str:
    """The CPU index on a Linux without an NVIDIA GPU; PyPI has the right build for everyone else."""
    has_gpu = shutil.which("nvidia-smi") is not None and succeeds("nvidia-smi", "-L")
    return CPU_INDEX if sys.platform == "linux" and not has_gpu else ""


def answers(index: str) -> bool:
    """Whether ``index`` offers torch within 4 seconds; in a process of its own, because a name lookup knows no timeout."""
    probe = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1])"
    return succeeds(sys.executable, "-c", probe, f"{index.rstrip('/')}/torch/", timeout=4)


def python_version() -> str:
    """The version of .venv's Python, empty where there is none: a system upgrade can change it under our feet."""
    if not PYTHON.exists():
        return ""
    return subprocess.run([PYTHON, "-c", "import sys; print(sys.version)"], capture_output=True, text=True).stdout


def install(*arguments: str) -> None:
    run(PYTHON, "-m", "pip", "--disable-pip-version-check", "install", *arguments)


def run(*command: str | Path) -> None:
    """Run ``command``; where it fails, its own words are the message."""
    if code := subprocess.run(command, cwd=ROOT).returncode:
        sys.exit(code)


def succeeds(*command: str | Path, timeout: float = 30) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=timeout).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    main(sys.argv[1])
