"""Ask the index for known security holes in everything that is installed: ``.venv/bin/python scripts/audit.py``.

Ends with 0 if it knows of none, with 1 if it knows some, and with 2 if it could not be asked about all.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path

OWN = "rope-lab"


def pins() -> list[str]:
    """Name what is installed, torch without the mark of its build: advisories know releases."""
    found = {(distribution.name, distribution.version.partition("+")[0]) for distribution in distributions()}
    return sorted(f"{name}=={version}" for name, version in found if name != OWN)


def main() -> int:
    """Say what was found."""
    with tempfile.TemporaryDirectory() as folder:
        listing = Path(folder) / "installed.txt"
        listing.write_text("\n".join(pins()))
        options = ["--requirement", str(listing), "--no-deps", "--disable-pip", "--format", "json", "--progress-spinner", "off"]
        result = subprocess.run([sys.executable, "-m", "pip_audit", *options], capture_output=True, text=True)
    try:
        packages = json.loads(result.stdout)["dependencies"]
    except ValueError:
        packages = []
    unknown = [package["name"] for package in packages if "skip_reason" in package]
    if len(unknown) == len(packages):
        print("Nothing was audited: the advisory service cannot be reached.", *result.stderr.splitlines()[-1:], sep="\n", file=sys.stderr)
        return 2
    holes = [(package, hole) for package in packages for hole in package.get("vulns", [])]
    for package, hole in holes:
        print(f"{package['name']} {package['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'no release'}")
    if unknown:
        print(f"The advisory service knows nothing of {len(unknown)} of {len(packages)}: {', '.join(unknown)}", file=sys.stderr)
    if not holes and not unknown:
        print(f"No known holes in {len(packages)} packages.")
    return 1 if holes else 2 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
