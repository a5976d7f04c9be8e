"""Where the tests compute, what every test may ask for, and what no test may do."""

import functools
import logging
import os
import re
from collections.abc import Iterator

import hypothesis
import jaxtyping
import pytest
import torch
from streamlit.components.v2 import manifest_scanner

import tests.shape_checker  # noqa: F401  # --jaxtyping-packages names it, and finds only what is imported

os.environ["HF_HUB_OFFLINE"] = "1"  # no test asks the network
torch.set_num_threads(1)  # tests run on all cores already; threads of one would wait for those of another

# The same examples on every run, and no clock: a slow machine is no failure.
hypothesis.settings.register_profile("rope", derandomize=True, deadline=None, max_examples=40)
hypothesis.settings.load_profile("rope")

# Each new AppTest would read the metadata of all that is installed.
manifest_scanner.scan_component_manifests = functools.cache(manifest_scanner.scan_component_manifests)

OUTDATED: list[str] = []
"""What Streamlit has said of calls that it will remove; Python's own DeprecationWarning is an error like every other warning."""


def _listen(logger: logging.Logger, record: logging.LogRecord, handle=logging.Logger.handle) -> None:
    if logger.name.startswith("streamlit") and re.search(r"deprecat|will be removed", text := record.getMessage(), re.IGNORECASE):
        OUTDATED.append(text)
    handle(logger, record)


logging.Logger.handle = _listen


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--device", default="cpu", help="device of the tensors that tests make: cpu or cuda")


@pytest.fixture(scope="session")
def device(request: pytest.FixtureRequest) -> torch.device:
    wanted = torch.device(request.config.getoption("--device"))
    if wanted.type == "cuda" and not torch.cuda.is_available():
        pytest.skip("--device cuda was asked for, and this machine has no CUDA device")
    return wanted


@pytest.fixture(autouse=True)
def outdated() -> Iterator[list[str]]:
    """Fail a test in which something called what Streamlit will remove."""
    yield OUTDATED
    said, OUTDATED[:] = OUTDATED[:], []
    assert said == []


@pytest.fixture
def unchecked_shapes() -> Iterator[None]:
    """Switch the shape checker off: neither torch.compile nor torch.export can see through it."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
