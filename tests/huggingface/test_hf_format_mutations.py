"""Every format and other texts, changed at random: a result or one kind of error; and long texts, read in time to their length."""

import json
import random
import string
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import pytest
import torch

from parameters.own_config import ParsedConfig, parse_text
from rope_core import HfConfigError, RopeConfigError, parse_config
from rope_core.huggingface.mending import LONGEST, mended_text
from tests.huggingface.finding_cases import CASES
from tests.huggingface.hostile import HOSTILE, keys
from tests.huggingface.test_hf_mutations import EXTREMES, check, mutate, written
from tests.huggingface.text_cases import FILES, LLAMA, NAMED, gguf_file, safetensors

PUBLIC = {path.name: path.read_bytes() for path in (Path(__file__).resolve().parents[1] / "data/public_configs").iterdir()}
OBJECTS = [
    json.dumps(CASES[name]) for name in CASES if name.startswith(("GGUF", "Meta", "Mistral", "Megatron", "TensorRT", "image", "Grok"))
]
OBJECTS += [text.decode() for name, text in PUBLIC.items() if name.endswith(".json") and name not in ("cp1252.json", "true_dot.json")]
OBJECTS += [json.dumps(document) for document, _ in FILES.values()]
TEXTS = [*(text for text, _ in NAMED.values()), *(text.decode("utf-8", "replace") for text in PUBLIC.values())]
BINARY = [
    gguf_file(LLAMA, ("rope_freqs.weight",)),
    gguf_file({"general.architecture": "gemma3", "gemma3.block_count": 2}),
    safetensors("x.1.y"),
]
BLOCKS = [(0, 300), *(pytest.param(block, 2_600, marks=pytest.mark.exhaustive) for block in range(1, 9))]


@pytest.fixture(autouse=True)
def single_thread(near_search):
    """Use one thread, which is faster for tensors this small."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def mutated_object(rng):
    config = json.loads(rng.choice(OBJECTS))
    for _ in range(rng.choice([1, 1, 2, 4])):
        mutate(rng, config)
        if rng.random() < 0.3 and config:  # what this format calls things, beside the keys of transformers
            config[rng.choice(list(config))] = rng.choice(EXTREMES)
    return written(rng, config)


def mutated_text(rng):
    text = rng.choice(TEXTS)
    for _ in range(rng.choice([1, 2, 4])):
        start, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        piece = rng.choice(["", text[start:end], "".join(rng.choices(string.printable, k=3)), "```\n", "//", ",}", "'", "“", "None", "..."])
        text = text[:start] + piece + text[rng.choice([start, min(end, start + 3)]) :]
    return text if rng.random() < 0.7 else text.encode("utf-8", "surrogatepass")


def mutated_file(rng):
    raw = bytearray(rng.choice(BINARY))
    for _ in range(rng.choice([1, 3, 9])):
        raw[rng.randrange(len(raw))] = rng.choice([0, 1, 4, 8, 9, 127, 255, rng.randrange(256)])
    return bytes(raw[: rng.choice([len(raw), rng.randrange(len(raw))])])


def test_the_blocks_hold_20_000_mutations():
    assert sum(block.values[1] if hasattr(block, "values") else 0 for block in BLOCKS) > 20_000


@pytest.mark.parametrize(("block", "count"), BLOCKS)
def test_every_format_that_is_changed_at_random_is_read_or_refused(block, count):
    rng, outcomes = random.Random(block), Counter()
    for _ in range(count):
        source = rng.choice([mutated_object, mutated_object, mutated_text, mutated_file])(rng)
        outcomes[check(source)] += 1
        if isinstance(source, str):
            check(mended_text(source)[0])
        if isinstance(source, str | bytes):
            try:
                assert isinstance(parse_text(source), ParsedConfig)
            except RopeConfigError as error:
                assert str(error).isprintable()  # noqa: PT017 - any other exception fails the test
    assert min(outcomes[each] for each in ("settings", "error", "no config")) > count // 50


@pytest.mark.parametrize(
    "config",
    [
        {"general.architecture": ["llama"], "llama.block_count": 2},
        {"general.architecture": 3},
        {"general.architecture": None, "x.rope.freq_base": "y", "x.context_length": 10**400},
        {"hidden_size": 64, "num_attention_heads": 4, "rope_theta": [10**400, 7], "num_hidden_layers": 2},
        {"num_layers": 2, "kv_channels": 64, "rotary_percent": 1.0, "seq_len_interpolation_factor": {"x" * 90: ["y" * 90] * 50}},
        {"num_layers": 2, "kv_channels": 64, "rotary_percent": 1.0, "use_rope_scaling": True, "rope_scaling_factor": ["y" * 900]},
    ],
)
def test_what_mutations_have_broken_once_is_refused(config):
    assert check(config) in ("error", "no config")


def duration(work, source):
    """Seconds of the processor that the fastest of three readings takes."""
    times = []
    for _ in range(3):
        start = time.process_time()
        with suppress(HfConfigError):
            work(source)
        times.append(time.process_time() - start)
    return min(times)


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize(("work", "size"), [(parse_config, 900_000), (mended_text, LONGEST - 1)], ids=["read", "mended"])
def test_time_grows_no_faster_than_the_text(name, work, size):
    short, long = (duration(work, HOSTILE[name](length)) for length in (size // 16, size))
    assert long < 16 * 6 * max(short, 0.0005)  # growth with the square would make it 256 times as long


def test_as_many_keys_as_there_may_be_are_compared_in_time_to_their_number():
    few, many = (duration(parse_config, keys(count)) for count in (60, 960))
    assert many < 16 * 6 * max(few, 0.0005)
