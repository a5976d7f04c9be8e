"""The device that compute runs on."""

import pytest
import torch

from rope_core import best_device


@pytest.mark.parametrize(("available", "kind"), [(True, "cuda"), (False, "cpu")])
def test_the_best_device_is_cuda_where_there_is_one(monkeypatch, available, kind):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: available)
    assert best_device() == torch.device(kind)
