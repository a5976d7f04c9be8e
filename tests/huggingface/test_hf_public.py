"""Configs from public places, most of them written for other programs, against the tables that these programs compute."""

import json
from collections import Counter
from pathlib import Path

import pytest

from rope_core import HfConfigError, attention_factor, inverse_frequencies, parse_config

DATA = Path(__file__).resolve().parents[1] / "data"
EXPECTED = json.loads((DATA / "public_configs_expected.json").read_text(encoding="utf-8"))
READ = sorted(name for name, row in EXPECTED.items() if not row.get("error_expected"))
REFUSED = sorted(EXPECTED.keys() - set(READ))


def source(name):
    return (DATA / "public_configs" / name).read_bytes()


def test_every_file_has_an_expectation():
    assert sorted(path.name for path in (DATA / "public_configs").iterdir()) == sorted(EXPECTED)
    assert len(EXPECTED) == 51


@pytest.mark.parametrize("name", READ)
def test_a_public_config_gives_the_table_that_its_engine_computes(name):
    expected, rope = EXPECTED[name], parse_config(source(name))
    for kind, row in expected["by_layer_type"].items():
        head = rope.layers.get(kind, rope.layers.get("all"))
        if row is None:
            assert head is None
            continue
        speeds = inverse_frequencies(head)
        assert float(speeds[0]) == pytest.approx(row["inv_freq_first"], rel=2e-6)
        assert float(speeds[-1]) == pytest.approx(row["inv_freq_last"], rel=2e-6)
        assert len(speeds) == row["pairs"]
        assert attention_factor(head) == pytest.approx(row["attention_factor"], rel=1e-9)
        assert head.layout == expected.get("layout", head.layout)
    rotating = {kind for kind, row in expected["by_layer_type"].items() if row is not None}
    assert set(expected["layers_that_rotate"] or ()) == rotating
    assert {kind for kind, head in rope.layers.items() if head is not None} == rotating
    if "layer_counts" in expected:
        assert Counter(rope.layer_types) == expected["layer_counts"]


@pytest.mark.parametrize("name", REFUSED)
def test_a_text_that_is_no_config_is_refused(name):
    with pytest.raises(HfConfigError):
        parse_config(source(name))
