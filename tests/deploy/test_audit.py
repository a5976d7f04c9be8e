"""`make audit` never says that all is well when nobody could be asked."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_an_audit_without_a_network_fails_and_says_so() -> None:
    nowhere = dict.fromkeys(("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"), "http://127.0.0.1:9")  # nothing listens on port 9
    environment = os.environ | nowhere | {"no_proxy": "", "NO_PROXY": ""}
    result = subprocess.run([sys.executable, ROOT / "scripts/audit.py"], env=environment, capture_output=True, text=True)
    assert result.returncode == 2
    assert "Nothing was audited: the advisory service cannot be reached." in result.stderr


def test_the_audit_is_no_part_of_the_tests() -> None:
    plan = subprocess.run(["make", "-n", "test"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "audit" not in plan
    assert "nginx.sh" in plan
