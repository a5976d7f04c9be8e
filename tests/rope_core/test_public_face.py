"""The public names of the package."""

from types import FunctionType

import rope_core

FACE = [
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


def test_the_public_names_are_these():
    assert rope_core.__all__ == FACE


def test_every_public_name_is_there():
    assert [name for name in FACE if not hasattr(rope_core, name)] == []


def test_every_public_function_and_class_has_a_docstring():
    public = {name: getattr(rope_core, name) for name in FACE}
    assert [name for name, thing in public.items() if isinstance(thing, type | FunctionType) and not thing.__doc__] == []


def test_nothing_else_is_public_but_modules():
    others = {name for name in vars(rope_core) if not name.startswith("_")} - set(FACE)
    assert {name for name in others if type(getattr(rope_core, name)).__name__ != "module"} == set()
