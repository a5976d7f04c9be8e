"""The numbers of a page as lines that call rope_core: what a notebook runs to compute them again.

Each function gives lines that leave a dictionary ``columns``, with the columns of the page's file. They call the public names of
rope_core alone, as anybody's program would, and nothing of this app.
"""

from __future__ import annotations

from rope_core import RopeConfig

IMPORTS = "import math\nfrom dataclasses import replace\n\nimport numpy as np\nimport torch\n\nimport rope_core as rc\n"


def with_config(*configs: RopeConfig, lines: str, **values: object) -> str:
    """Write lines that begin with settings: ``config`` for the first, ``other`` for the second."""
    kinds = sorted({type(each).__name__ for config in configs for each in (config, config.scaling) if each is not None})
    named = "".join(f"{name} = {config!r}\n" for name, config in zip(("config", "other"), configs, strict=False))
    return f"{IMPORTS}from rope_core import {', '.join(kinds)}\n\n{named}{fill(lines, **values)}"


def plain(lines: str, **values: object) -> str:
    """Write lines that need no settings of a head."""
    return f"{IMPORTS}\n{fill(lines, **values)}"


def fill(lines: str, **values: object) -> str:
    """Put values into lines, where they stand as $name: braces are Python's own."""
    for name, value in values.items():
        lines = lines.replace(f"${name}$", repr(value))
    return lines


BINS = """
def bins(reach, count):  # even on a log axis, at least one distance each
    return np.unique(np.rint(np.geomspace(1, reach + 1, count + 1)).astype(np.int64))
"""
INTEGERS = """
def spread(reach, count):  # whole distances, even on a log axis where they can be
    return np.unique(np.rint(np.geomspace(1, reach, count)).astype(np.int64))
"""
