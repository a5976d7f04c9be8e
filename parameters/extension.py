"""The parameters of the page about context extension, one method a block."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files

from locales import N_
from parameters.shared import POWERS
from parameters.types import SUPPORTED, Choice, Number, Parameter, Value, Vector
from rope_core.scaling.base import MAX_FACTOR

_STATED = json.loads(files("rope_core").joinpath("phi35_longrope.json").read_text(encoding="utf-8"))
PHI_LISTS: dict[str, tuple[float, ...]] = {name: tuple(_STATED[name]) for name in ("short_factor", "long_factor")}
"""The divisors of Phi-3.5-mini, to the last digit of its config."""


def _divisors(label: str, name: str) -> Vector:
    return Vector(
        label=label,
        help=N_(
            "One divisor a pair: as they stand, these are the lists of Phi-3.5-mini, rounded for reading but used exactly where the head "
            "has 48 pairs, and elsewhere interpolated over its pairs as an illustration."
        ),
        default=", ".join(f"{divisor:.4g}" for divisor in PHI_LISTS[name]),
        shortest=1,
        longest=256,
        low=0.01,
        high=1000,
    )


def _length(values: Mapping[str, Value]) -> float:
    """Return the length that the stretched head serves: never less than the trained one."""
    return max(float(values["target"]), float(values["context"]))


METHOD = Choice(
    label=N_("Method"),
    help=N_("How the speeds change for texts that are longer than those of the training."),
    options={
        "linear": N_("linear"),
        "ntk": N_("NTK-aware"),
        "dynamic": N_("dynamic NTK"),
        "yarn": N_("YaRN"),
        "parts": N_("NTK-by-parts"),
        "llama3": N_("Llama 3"),
        "longrope": N_("LongRoPE"),
        "proportional": N_("proportional"),
        "none": N_("none"),
    },
)
LISTS = {name: _divisors(label, name) for name, label in (("short_factor", N_("short_factor")), ("long_factor", N_("long_factor")))}

EXTENSION: dict[str, Parameter] = {
    "ext_view": Choice(
        label=N_("View"),
        help=N_(
            "New speeds over old ones, angles that training never showed, bands of wavelengths, the attention factor, the score, or what "
            "happens to cached keys while a text grows."
        ),
        options={
            "ratio": N_("Speeds"),
            "unseen": N_("Unseen angles"),
            "bands": N_("Bands"),
            "attention": N_("Attention factor"),
            "curve": N_("Score"),
            "decode": N_("While decoding"),
        },
    ),
    "method": METHOD,
    "target": Number(
        label=N_("Target length"),
        help=N_(
            "The longest text that the stretched head must serve, in tokens; unless it is stated, the factor s is this length over the "
            "context length."
        ),
        default=32_768,
        low=1,
        high=SUPPORTED,
        scale="log",
        marks=POWERS,
        limit=lambda values: float(values["context"]) * MAX_FACTOR,
    ),
    "stated_factor": Number(
        label=N_("factor s of the config"),
        help=N_(
            "Some models, such as Llama 3.1, state a factor that is not their length over the trained one; less than 1 counts as 1, and 0 "
            "leaves s to the lengths."
        ),
        default=0,
        low=0,
        high=1_000_000,
        step=0,
        scale="positions",
    ),
    "ramp": Choice(
        label=N_("Ramp"),
        help=N_(
            "Linear in the index of the pair, as engines compute it, or in its turns within the trained length, as the paper writes it."
        ),
        options={"index": N_("by index"), "rotation": N_("by turns")},
    ),
    "truncate": Choice(
        label=N_("Ends of the ramp"),
        help=N_("truncate of a model config: round both ends outwards to whole pairs, or leave them where they fall."),
        options={"on": N_("rounded"), "off": N_("as they fall")},
    ),
    "beta_fast": Number(
        label=N_("beta_fast"),
        help=N_("A pair that turns at least so often within the trained length is kept."),
        default=32,
        low=0.01,
        high=10_000,
        step=0,
        scale="log",
    ),
    "beta_slow": Number(
        label=N_("beta_slow"),
        help=N_("A pair that turns at most so often within the trained length is divided by s; at most beta_fast."),
        default=1,
        low=0.01,
        high=10_000,
        step=0,
        scale="log",
        limit=lambda values: float(values["beta_fast"]),
    ),
    "attention_rule": Choice(
        label=N_("Attention factor A"),
        help=N_("From the stretch as in the paper, or DeepSeek's ratio of two factors, mscale and mscale_all_dim."),
        options={"paper": N_("as in the paper"), "ratio": N_("mscale ratio")},
    ),
    "attention_factor": Number(
        label=N_("attention_factor"),
        help=N_("A of your own; 0 leaves it to the method."),
        default=0,
        low=0,
        high=4,
        step=0,
    ),
    "mscale": Number(
        label=N_("mscale"),
        help=N_("Numerator of the ratio; 0 counts as missing, and then the paper's rule holds."),
        default=1,
        low=0,
        high=4,
        step=0,
    ),
    "mscale_all_dim": Number(
        label=N_("mscale_all_dim"),
        help=N_("Denominator of the ratio, and what the softmax is multiplied by; 0 counts as missing, and then the paper's rule holds."),
        default=1,
        low=0,
        high=4,
        step=0,
    ),
    "high_freq_factor": Number(
        label=N_("high_freq_factor"),
        help=N_("A pair that turns at least so often within the trained length is kept."),
        default=4,
        low=0.01,
        high=1024,
        step=0,
        scale="log",
    ),
    "low_freq_factor": Number(
        label=N_("low_freq_factor"),
        help=N_("A pair that turns at most so often within the trained length is divided by s; at most high_freq_factor."),
        default=1,
        low=0.01,
        high=1024,
        step=0,
        scale="log",
        limit=lambda values: float(values["high_freq_factor"]),
    ),
    "dynamic_factor": Number(
        label=N_("factor of the config"),
        help=N_(
            "How fast the base grows with the length: factor of the model config; at 1, dynamic NTK at the target is NTK-aware scaling."
        ),
        default=2,
        low=1,
        high=128,
        step=0,
        scale="log",
    ),
    "rotary_fraction": Number(
        label=N_("Share of the pairs that turn"),
        help=N_("The fastest pairs turn as before, the others stand still."),
        default=0.25,
        low=0,
        high=1,
        step=0,
    ),
    **LISTS,
    "key_at": Number(
        label=N_("Position n of the cached key"),
        help=N_("The query stands at the last position of the target length."),
        default=4000,
        low=0,
        high=SUPPORTED,
        scale="positions",
        limit=lambda values: _length(values) - 1,
    ),
    "cached_length": Number(
        label=N_("Length when the key was cached"),
        help=N_("The key was turned with the table of this length, and nobody turns it again."),
        default=4096,
        low=1,
        high=SUPPORTED,
        scale="log",
        marks=POWERS,
        limit=lambda values: _length(values),
    ),
}
