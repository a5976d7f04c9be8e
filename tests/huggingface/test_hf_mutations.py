"""Any config leads to settings or to one kind of error; and every finding is a short sentence."""

import copy
import json
import random
import string
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from rope_core import HfConfigError, HfRope, RopeConfig, inverse_frequencies, parse_config
from tests.huggingface.stock import SAMPLES, llama3, longrope, scaled, short, yarn

BLOCKS = [0, *(pytest.param(block, marks=pytest.mark.exhaustive) for block in range(1, 8))]
MUTATED, INVENTED, OBJECTS, ANYTHING = 2_200, 250, 100, 100
"""Examples in each block: more than 20,000 in all, of which a normal run has one block."""


@pytest.fixture(autouse=True)
def single_thread(near_search):
    """Use one thread, which is faster for tensors this small."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


EXTREMES: list[Any] = [
    *(0, 1, -1, 2, 3, 7, 64, 2**31, 2**53 + 1, 10**30, 10**400, 0.0, -0.0, 0.5, 1e-300, 1e300, 5e-324),
    *(float("nan"), float("inf"), float("-inf"), True, False, None, "", "1e6", "linear", "yarn", "\ud800", "x" * 3_000),
    *([], [1], [[]], [None], ["full_attention", "sliding_attention"], [16, 24, 24], [1.0] * 32, {}, {"a": None}, {"a": {}}),
]
KEYS = [
    *("model_type", "head_dim", "hidden_size", "num_attention_heads", "num_hidden_layers", "rope_theta", "rope_scaling", "rope_parameters"),
    *("text_config", "layer_types", "partial_rotary_factor", "rotary_dim", "qk_rope_head_dim", "qk_nope_head_dim", "no_rope_layers"),
    *("sliding_window_pattern", "rope_local_base_freq", "compress_rope_theta", "global_head_dim", "per_layer_config", "rope_ratio"),
    *("factor", "rope_type", "type", "original_max_position_embeddings", "beta_fast", "beta_slow", "truncate", "mscale", "mscale_all_dim"),
    *("attention_factor", "low_freq_factor", "high_freq_factor", "short_factor", "long_factor", "mrope_section", "mrope_interleaved"),
    *("alpha", "full_attention", "sliding_attention", "main", "compress", "rope_interleave", "rope_thet", "sliding_window", "alibi"),
]
MODEL_TYPES = [
    *("llama", "gemma3_text", "gemma4_text", "deepseek_v3", "deepseek_v4", "llama4_text", "phi3", "phimoe", "olmo3", "cohere2", "exaone4"),
    *("modernbert", "chatglm", "gptj", "bert", "ernie4_5_vl_moe_text", "qwen3_vl_text", "molmo2_text", "hunyuan_v1_dense", "mimo_v2_flash"),
]


STOCK = [
    *SAMPLES.values(),
    *(short(), yarn(), llama3(), longrope(), scaled("linear"), scaled("dynamic"), scaled("proportional", partial_rotary_factor=0.5)),
    short(rope_parameters={"full_attention": yarn()["rope_scaling"], "sliding_attention": None}, layer_types=["full_attention"]),
    short(model_type="deepseek_v4", num_hidden_layers=3, compress_rope_theta=1e5),
]


def any_value(rng: random.Random, depth: int = 3) -> Any:
    choice = rng.random()
    if depth == 0 or choice < 0.6:
        plain = [*EXTREMES, rng.randint(-10, 300), rng.uniform(-2, 1e6), rng.choice(MODEL_TYPES), rng.choice(KEYS)]
        return copy.deepcopy(rng.choice(plain))
    if choice < 0.75:
        return [any_value(rng, depth - 1) for _ in range(rng.randint(0, 4))]
    return {rng.choice([*KEYS, "x", "\udfff"]): any_value(rng, depth - 1) for _ in range(rng.randint(0, 5))}


def mutate(rng: random.Random, config: dict[str, Any]) -> None:
    """Change one thing in one of the objects of a config."""
    places = [config]
    for place in places:
        places += [inner for inner in place.values() if isinstance(inner, dict)]
    place = rng.choice(places)
    key = rng.choice(list(place)) if place and rng.random() < 0.7 else rng.choice(KEYS)
    value = place.get(key)
    match rng.randrange(7):
        case 0:
            place.pop(key, None)
        case 1:
            letter = rng.randrange(len(key)) if key else 0
            place[key[:letter] + rng.choice(["", "_", "x"]) + key[letter + 1 :]] = place.pop(key, 1)
        case 2:
            place[key] = copy.deepcopy(rng.choice(EXTREMES))
        case 3:
            place[key] = {rng.choice(KEYS): value} if rng.random() < 0.5 else [value]
        case 4:
            place[key] = str(value)
        case 5:
            other = rng.choice(list(place) or [key])
            place[key], place[other] = place.get(other), value
        case _:
            place[key] = rng.choice(MODEL_TYPES) if key == "model_type" else any_value(rng, 2)


def outcome(source: Any) -> HfRope | HfConfigError:
    try:
        return parse_config(source)
    except HfConfigError as error:  # any other exception fails the test
        return error


def check(source: Any) -> str:
    """Parse any source, check the result, and return its kind."""
    result = outcome(source)
    if isinstance(result, HfConfigError):
        assert 0 < len(str(result)) < 400
        assert str(result).isprintable()
    if isinstance(result, HfRope):
        check_rope(result)
        assert all(finding.level != "error" for finding in result.findings)
    else:
        assert str(result) == next(finding.message for finding in result.findings if finding.level == "error")
    for finding in result.findings:
        assert all(len(sentence) < 400 and sentence.isprintable() for sentence in (finding.message, finding.fix))
        assert all(len(str(value)) < 200 for value in finding.values.values())
        assert finding.template[-1] not in ".!?"
    assert len(result.findings) == len({(finding.level, finding.message) for finding in result.findings})
    if isinstance(result, HfRope):
        return "settings"
    return "error" if all(finding.key for finding in result.findings) else "no config"  # an error about no key


def check_rope(rope: HfRope) -> None:
    assert rope.layers
    assert set(rope.layer_types) <= set(rope.layers)
    for config in rope.layers.values():
        assert config is None or isinstance(config, RopeConfig)
    if rope.main is not None and rope.main.pairs < 1_000:
        assert inverse_frequencies(rope.main).isfinite().all()
    assert rope.softmax_factor >= 1
    assert rope.pair_axes is None or set(rope.pair_axes) <= set("thw")


def written(rng: random.Random, config: dict[str, Any]) -> Any:
    """Return a config as an object, as text or as bytes; occasionally damaged or with repeated keys."""
    choice = rng.random()
    if choice < 0.5:
        return config
    text = json.dumps(config)
    if choice < 0.6:
        text = text.replace("{", '{"rope_theta": 3, "factor": 2, "head_dim": 8,', 1).replace(",}", "}")
    if choice > 0.9:
        position = rng.randrange(len(text) + 1)
        text = text[:position] + rng.choice(string.printable + "é\x00") + text[position + rng.randrange(3) :]
    return text if choice < 0.75 else text.encode(rng.choice(["utf-8", "utf-16", "utf-32", "utf-8-sig"]), "surrogatepass")


def examples(block: int, most: int, *strategies: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], int]:
    """Return a function that runs a check on the examples of one block and returns their number."""

    def run(one: Callable[..., None]) -> int:
        seen = 0

        # Whole configs are large on purpose, and hypothesis considers reading one slow.
        @seed(block)
        @settings(max_examples=most, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
        @given(st.tuples(*strategies))
        def counted(drawn: tuple[Any, ...]) -> None:
            nonlocal seen
            seen += 1
            one(*drawn)

        counted()
        return seen

    return run


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20) | st.sampled_from(MODEL_TYPES),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=8), inner, max_size=6),
    max_leaves=12,
)
randoms = st.randoms(use_true_random=False)  # drawn by hypothesis, which can then look for the smallest failing config


def test_there_are_more_than_20_000_examples():
    assert len(BLOCKS) * (MUTATED + INVENTED + OBJECTS + ANYTHING) > 20_000


@pytest.mark.parametrize("block", BLOCKS)
def test_mutated_configs_are_read_or_rejected(block):
    outcomes: Counter[str] = Counter()

    def mutated(stock: str, times: int, rng: random.Random) -> None:
        config = json.loads(stock)
        for _ in range(times):
            mutate(rng, config)
        outcomes[check(written(rng, config))] += 1

    stock = st.sampled_from([json.dumps(config) for config in STOCK])
    assert examples(block, MUTATED, stock, st.sampled_from([1, 1, 2, 3, 6]), randoms)(mutated) >= MUTATED
    assert min(outcomes[each] for each in ("settings", "error", "no config")) > MUTATED // 100  # all three occur
    assert outcomes["settings"] > MUTATED // 10


@pytest.mark.parametrize("block", BLOCKS)
def test_invented_objects_are_read_or_rejected(block):
    def invented(rng: random.Random) -> None:
        check(written(rng, {rng.choice(KEYS): any_value(rng) for _ in range(rng.randint(0, 12))}))

    assert examples(block, INVENTED, randoms)(invented) >= INVENTED


@pytest.mark.parametrize("block", BLOCKS)
def test_any_json_object_is_read_or_rejected(block):
    objects = st.dictionaries(st.sampled_from(KEYS) | st.text(max_size=8), json_values, max_size=8)
    assert examples(block, OBJECTS, objects)(lambda config: check(config) and None) >= OBJECTS


@pytest.mark.parametrize("block", BLOCKS)
def test_anything_is_read_or_rejected(block):
    sources = st.text(max_size=200) | st.binary(max_size=200) | json_values
    assert examples(block, ANYTHING, sources)(lambda source: check(source) and None) >= ANYTHING
