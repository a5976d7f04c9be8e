"""`pip install .` gives other people rope_core: all of it, and nothing else."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an unpacked wheel, built from a copy: a build leaves files in the tree."""
    folder = tmp_path_factory.mktemp("package")
    source = folder / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    wheel = [sys.executable, "-m", "pip", "wheel", source, "--no-deps", "--no-build-isolation", "--wheel-dir", folder]
    subprocess.run(wheel, check=True, capture_output=True)
    [built] = folder.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts}


def test_the_wheel_holds_rope_core_whole_and_alone(installed: Path) -> None:
    packages = [path.name for path in installed.iterdir() if path.suffix != ".dist-info"]
    assert packages == ["rope_core"]
    assert files(installed / "rope_core") == files(ROOT / "rope_core")


def test_the_installed_package_imports_nothing_of_the_app(installed: Path) -> None:
    code = """
import sys
sys.path.insert(0, sys.argv[1])
import rope_core
assert rope_core.__file__.startswith(sys.argv[1]), rope_core.__file__
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""
    result = subprocess.run([sys.executable, "-c", code, installed], cwd=installed.parent, capture_output=True, text=True, check=True)
    loaded = set(result.stdout.split())
    assert "torch" in loaded
    assert not loaded & {"streamlit", "plotly", "babel", "uvicorn", "transformers", "figures", "ui"}
