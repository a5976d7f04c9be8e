"""The checker of shapes can fail, and leaves numbers to the functions themselves."""

import pytest
import torch
from jaxtyping import Float64, TypeCheckError, jaxtyped
from torch import Tensor

import rope_core
from tests.shape_checker import check_shapes


def test_an_answer_of_another_shape_is_refused():
    @jaxtyped(typechecker=check_shapes)
    def row(x: Tensor) -> Float64[Tensor, "S D"]:
        return x

    with pytest.raises(TypeCheckError, match="return value"):
        row(torch.zeros(3, dtype=torch.float64))


def test_an_argument_of_another_dtype_is_refused():
    @jaxtyped(typechecker=check_shapes)
    def same(x: Float64[Tensor, " P"]) -> Tensor:
        return x

    with pytest.raises(TypeCheckError, match="parameter 'x'"):
        same(torch.zeros(3))


def test_a_number_that_the_function_checks_itself_passes():
    @jaxtyped(typechecker=check_shapes)
    def same(x: Tensor, factor: float) -> Tensor:
        return x

    assert torch.equal(same(torch.ones(1), 2), torch.ones(1))


def test_the_checker_watches_rope_core():
    assert hasattr(rope_core.geometric_frequencies, "__wrapped__"), "run with --jaxtyping-packages, as pyproject.toml does"
