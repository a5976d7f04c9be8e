"""Fixtures for reading many configs quickly."""

import pytest

from rope_core.huggingface import extras


@pytest.fixture
def near_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search only 32 distances for the first negative sum of cosines: that search takes ten times as long as everything else."""
    monkeypatch.setattr(extras, "LONGEST_SEARCH", 32)
