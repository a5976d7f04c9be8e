"""Methods that extend RoPE to a longer context, one file each.

``SCALINGS`` is the only list of them: a new method is one new file and one new line here.
"""

from __future__ import annotations

from rope_core.scaling.base import Head, Scaling
from rope_core.scaling.dynamic_ntk import DynamicNtkScaling
from rope_core.scaling.linear import LinearScaling
from rope_core.scaling.llama3 import Llama3Scaling
from rope_core.scaling.longrope import LongRopeScaling
from rope_core.scaling.ntk import NtkScaling
from rope_core.scaling.proportional import ProportionalScaling
from rope_core.scaling.yarn import YarnScaling, yarn_attention_factor

SCALINGS: dict[str, type[Scaling]] = {
    method.rope_type: method
    for method in (
        LinearScaling,
        NtkScaling,
        DynamicNtkScaling,
        YarnScaling,
        Llama3Scaling,
        LongRopeScaling,
        ProportionalScaling,
    )
}

__all__ = [
    "SCALINGS",
    "DynamicNtkScaling",
    "Head",
    "LinearScaling",
    "Llama3Scaling",
    "LongRopeScaling",
    "NtkScaling",
    "ProportionalScaling",
    "Scaling",
    "YarnScaling",
    "yarn_attention_factor",
]
