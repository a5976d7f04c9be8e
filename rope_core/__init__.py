"""Rotary position embedding, computed in float64.

Start with ``RopeConfig``; every function takes one, or the speeds that ``inverse_frequencies`` computes from it.
Functions work on the device of their tensor inputs; those without tensor inputs take ``device=None``.
"""

from rope_core.attention import attention_scores, attention_weights, relative_distances
from rope_core.axes import axial_frequencies, axis_angles, image_positions, mrope_axes
from rope_core.base_search import first_negative
from rope_core.base_table import tabulated_widths
from rope_core.bases import critical_dimension, largest_failing_base, minimum_base
from rope_core.catalogue import CatalogueModel, catalogue_models
from rope_core.config import Layout, RopeConfig
from rope_core.devices import best_device
from rope_core.encodings import alibi_bias, alibi_slopes, sinusoidal_encoding, t5_buckets
from rope_core.errors import RopeConfigError
from rope_core.frequencies import attention_factor, inverse_frequencies, wavelengths
from rope_core.huggingface import Finding, HfConfigError, HfRope, parse_config, to_huggingface
from rope_core.laws import constant_frequencies, geometric_frequencies, linear_frequencies
from rope_core.layouts import layout_permutation
from rope_core.module import RotaryEmbedding
from rope_core.rotation import apply_rotation, cos_sin, rotate, rotation_matrix
from rope_core.scaling import (
    SCALINGS,
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    Scaling,
    YarnScaling,
)
from rope_core.scores import decay_bound, passthrough_score, phasors, score_at, score_bound, score_curve, score_envelope
from rope_core.spectra import angle_coverage, curve_spectrum, line_spectrum

__version__ = "0.1.0"

__all__ = [
    "SCALINGS",
    "CatalogueModel",
    "DynamicNtkScaling",
    "Finding",
    "HfConfigError",
    "HfRope",
    "Layout",
    "LinearScaling",
    "Llama3Scaling",
    "LongRopeScaling",
    "NtkScaling",
    "ProportionalScaling",
    "RopeConfig",
    "RopeConfigError",
    "RotaryEmbedding",
    "Scaling",
    "YarnScaling",
    "alibi_bias",
    "alibi_slopes",
    "angle_coverage",
    "apply_rotation",
    "attention_factor",
    "attention_scores",
    "attention_weights",
    "axial_frequencies",
    "axis_angles",
    "best_device",
    "catalogue_models",
    "constant_frequencies",
    "cos_sin",
    "critical_dimension",
    "curve_spectrum",
    "decay_bound",
    "first_negative",
    "geometric_frequencies",
    "image_positions",
    "inverse_frequencies",
    "largest_failing_base",
    "layout_permutation",
    "line_spectrum",
    "linear_frequencies",
    "minimum_base",
    "mrope_axes",
    "parse_config",
    "passthrough_score",
    "phasors",
    "relative_distances",
    "rotate",
    "rotation_matrix",
    "score_at",
    "score_bound",
    "score_curve",
    "score_envelope",
    "sinusoidal_encoding",
    "t5_buckets",
    "tabulated_widths",
    "to_huggingface",
    "wavelengths",
]
