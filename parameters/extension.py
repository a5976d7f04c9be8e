"""The parameters of the page about context extension, one method a block."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files

from locales import N_
from parameters.shared import length, position, real
from parameters.types import Choice, Parameter, Value, Vector
from rope_core.scaling.base import MAX_FACTOR

_STATED = json.loads(files("rope_core").joinpath("phi35_longrope.json").read_text(encoding="utf-8"))
PHI_LISTS: dict[str, tuple[float, ...]] = {name: tuple(_STATED[name]) for name in ("short_factor", "long_factor")}
"""The divisors of Phi-3.5-mini, to the last digit of its config."""


def _divisors(label: str, name: str) -> Vector:
    text = N_(
        "One divisor a pair: as they stand, these are the lists of Phi-3.5-mini, rounded for reading but used exactly where the head "
        "has 48 pairs, and elsewhere interpolated over its pairs as an illustration."
    )
    divisors = ", ".join(f"{divisor:.4g}" for divisor in PHI_LISTS[name])
    return Vector(label, text, default=divisors, shortest=1, longest=256, low=0.01, high=1000)


def _length(values: Mapping[str, Value]) -> float:
    """Return the length that the stretched head serves: never less than the trained one."""
    return max(float(values["target"]), float(values["context"]))


METHOD = Choice(
    N_("Method"),
    N_("How the speeds change for texts that are longer than those of the training."),
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
KEPT = N_("A pair that turns at least so often within the trained length is kept.")

EXTENSION: dict[str, Parameter] = {
    "ext_view": Choice(
        N_("View"),
        N_(
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
    "target": length(
        N_("Target length"),
        N_(
            "The longest text that the stretched head must serve, in tokens; unless it is stated, the factor s is this length over the "
            "context length."
        ),
        32_768,
        limit=lambda values: float(values["context"]) * MAX_FACTOR,
    ),
    "stated_factor": position(
        N_("factor s of the config"),
        N_(
            "Some models, such as Llama 3.1, state a factor that is not their length over the trained one; less than 1 counts as 1, and 0 "
            "leaves s to the lengths."
        ),
        0,
        high=1_000_000,
        step=0,
    ),
    "ramp": Choice(
        N_("Ramp"),
        N_("Linear in the index of the pair, as engines compute it, or in its turns within the trained length, as the paper writes it."),
        options={"index": N_("by index"), "rotation": N_("by turns")},
    ),
    "truncate": Choice(
        N_("Ends of the ramp"),
        N_("truncate of a model config: round both ends outwards to whole pairs, or leave them where they fall."),
        options={"on": N_("rounded"), "off": N_("as they fall")},
    ),
    "beta_fast": real(N_("beta_fast"), KEPT, 32, between=(0.01, 10_000), scale="log"),
    "beta_slow": real(
        N_("beta_slow"),
        N_("A pair that turns at most so often within the trained length is divided by s; at most beta_fast."),
        1,
        between=(0.01, 10_000),
        scale="log",
        limit=lambda values: float(values["beta_fast"]),
    ),
    "attention_rule": Choice(
        N_("Attention factor A"),
        N_("From the stretch as in the paper, or DeepSeek's ratio of two factors, mscale and mscale_all_dim."),
        options={"paper": N_("as in the paper"), "ratio": N_("mscale ratio")},
    ),
    "attention_factor": real(N_("attention_factor"), N_("A of your own; 0 leaves it to the method."), 0, between=(0, 4)),
    "mscale": real(N_("mscale"), N_("Numerator of the ratio; 0 counts as missing, and then the paper's rule holds."), 1, between=(0, 4)),
    "mscale_all_dim": real(
        N_("mscale_all_dim"),
        N_("Denominator of the ratio, and what the softmax is multiplied by; 0 counts as missing, and then the paper's rule holds."),
        1,
        between=(0, 4),
    ),
    "high_freq_factor": real(N_("high_freq_factor"), KEPT, 4, between=(0.01, 1024), scale="log"),
    "low_freq_factor": real(
        N_("low_freq_factor"),
        N_("A pair that turns at most so often within the trained length is divided by s; at most high_freq_factor."),
        1,
        between=(0.01, 1024),
        scale="log",
        limit=lambda values: float(values["high_freq_factor"]),
    ),
    "dynamic_factor": real(
        N_("factor of the config"),
        N_("How fast the base grows with the length: factor of the model config; at 1, dynamic NTK at the target is NTK-aware scaling."),
        2,
        between=(1, 128),
        scale="log",
    ),
    "rotary_fraction": real(
        N_("Share of the pairs that turn"), N_("The fastest pairs turn as before, the others stand still."), 0.25, between=(0, 1)
    ),
    **LISTS,
    "key_at": position(
        N_("Position n of the cached key"),
        N_("The query stands at the last position of the target length."),
        4000,
        limit=lambda values: _length(values) - 1,
    ),
    "cached_length": length(
        N_("Length when the key was cached"),
        N_("The key was rotated with the table of this length, and stays as it is."),
        4096,
        limit=lambda values: _length(values),
    ),
}
