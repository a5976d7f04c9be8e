"""Where the tests compute, and what every test may ask for."""

import os
from collections.abc import Iterator

import hypothesis
import jaxtyping
import pytest
import torch

import tests.shape_checker  # noqa: F401  # --jaxtyping-packages names it, and finds only what is imported

os.environ["HF_HUB_OFFLINE"] = "1"  # no test asks the network

# The same examples on every run, and no clock: a slow machine is no failure.
hypothesis.settings.register_profile("rope", derandomize=True, deadline=None, max_examples=40)
hypothesis.settings.load_profile("rope")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--device", default="cpu", help="device of the tensors that tests make: cpu or cuda")


@pytest.fixture(scope="session")
def device(request: pytest.FixtureRequest) -> torch.device:
    wanted = torch.device(request.config.getoption("--device"))
    if wanted.type == "cuda" and not torch.cuda.is_available():
        pytest.skip("--device cuda was asked for, and this machine has no CUDA device")
    return wanted


@pytest.fixture
def unchecked_shapes() -> Iterator[None]:
    """Switch the shape checker off: neither torch.compile nor torch.export can see through it."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
