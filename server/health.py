"""Ask a server whether it is healthy: ``python -m server.health http://127.0.0.1:8501``, the check of the image, which has no curl.

It asks under the base path and for a host that the server answers to, as the server's own environment variables say.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from urllib.request import Request, urlopen

PATIENCE = 3  # seconds


def request(url: str, environment: Mapping[str, str]) -> Request:
    """Return the request for the health of a server that has this environment."""
    base = environment.get("STREAMLIT_SERVER_BASE_URL_PATH", "").strip("/")
    names = environment.get("STREAMLIT_SERVER_ALLOWED_HOSTS", "").replace(",", " ").split()
    host = names[0].strip("[]").replace("*", "any") if names else "localhost"
    return Request(f"{url}{base and '/' + base}/_stcore/health", headers={"Host": f"[{host}]" if ":" in host else host})


if __name__ == "__main__":
    with urlopen(request(sys.argv[1], os.environ), timeout=PATIENCE):
        pass
