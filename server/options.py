"""Options of the server from the environment, under the names that Streamlit documents.

``streamlit run`` reads all of them by itself; under uvicorn nobody does, so that a container could not be told its address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from typing import Any

from streamlit import config

HOST = re.compile(r"\*|(\*\.)?[\w-]+(\.[\w-]+)*", re.ASCII)
"""A name or an address of version 4; with ``*.`` in front of it all names below it."""


def read_environment(environment: Mapping[str, str]) -> None:
    """Set what the environment says; the rest stays as ``.streamlit/config.toml`` has it."""
    for option, value in options(environment).items():
        config.set_option(option, value, "environment variable")


def options(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the value of each option that the environment sets."""
    return {option: read(name, environment[name]) for name, (option, read) in VARIABLES.items() if environment.get(name)}


def _path(name: str, text: str) -> str:
    path = text.strip("/")
    if not re.fullmatch(r"([\w.~-]+(/[\w.~-]+)*)?", path, re.ASCII) or ".." in path:
        raise ValueError(f"{name} must be a path such as rope or lab/rope, got {text!r}")
    return path


def _names(_: str, text: str) -> list[str]:
    return text.replace(",", " ").split()


def _hosts(name: str, text: str) -> list[str]:
    hosts = [host.strip("[]") for host in _names(name, text)]
    for host in hosts:
        if not HOST.fullmatch(host) and not _is_address(host):
            raise ValueError(f"{name} must be names such as rope.school.example or *.lab.example, without a port, got {host!r}")
    return hosts


def _is_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


VARIABLES: dict[str, tuple[str, Callable[[str, str], Any]]] = {
    "STREAMLIT_SERVER_BASE_URL_PATH": ("server.baseUrlPath", _path),
    "STREAMLIT_SERVER_ALLOWED_HOSTS": ("server.allowedHosts", _hosts),
    "STREAMLIT_SERVER_CORS_ALLOWED_ORIGINS": ("server.corsAllowedOrigins", _names),
}
