"""Three independent mistakes in a config of a real model lead to three more findings, each naming its key."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from rope_core import HfConfigError, parse_config
from tests.huggingface.stock import SAMPLES

pytestmark = pytest.mark.usefixtures("near_search")

Config = dict[str, Any]
ORIGINAL = "original_max_position_embeddings"
LENGTHS, WIDTHS = ("max_position_embeddings", "n_positions"), ("hidden_size", "num_attention_heads", "n_embd", "n_head")
BASES = ("rope_theta", "rotary_emb_base", "rope_local_base_freq", "global_rope_theta", "local_rope_theta", "compress_rope_theta")
OUTER = (*LENGTHS, *BASES, "num_hidden_layers", "rotary_dim", "qk_rope_head_dim", "rotary_pct", "partial_rotary_factor", ORIGINAL)
INNER = ("factor", ORIGINAL, "beta_fast", "beta_slow", "low_freq_factor", "high_freq_factor", "mscale", "rope_theta")
REQUIRED = ("factor", "low_freq_factor", "high_freq_factor", "short_factor", "long_factor", ORIGINAL)
ROUNDS = 60


@dataclass(frozen=True)
class Mistake:
    """A change of a config, the places that it makes unusable for other mistakes, and a word that its finding contains."""

    kind: str
    places: frozenset[str]
    word: str
    make: Callable[[Config], object]
    twice: str = ""

    def is_independent(self, other: "Mistake") -> bool:
        return not any(one == two or one.startswith(f"{two}.") or two.startswith(f"{one}.") for one in self.places for two in other.places)


def text_part(config: Config) -> Config:
    return config.get("text_config", config)


def rope_name(text: Config) -> str | None:
    return next((key for key in ("rope_scaling", "rope_parameters") if text.get(key)), None)


def numbers(text: Config) -> list[tuple[str | None, str]]:
    """Return the numbers that are read, with the object that contains them."""
    widths = () if "head_dim" in text or "qk_nope_head_dim" in text else WIDTHS
    width = ("head_dim",) if "qk_nope_head_dim" not in text else ("qk_nope_head_dim",)
    outer: list[tuple[str | None, str]] = [(None, key) for key in (*OUTER, *widths, *width) if text.get(key) is not None]
    name = rope_name(text)
    return outer + [(name, key) for key in INNER if name and key in text[name]]


def place_of(where: str | None, key: str) -> str:
    if where:
        return f"rope.{key}"
    return {"n_positions": "length", "max_position_embeddings": "length"}.get(key, key)


def inside(config: Config, where: str | None) -> Config:
    return text_part(config)[where] if where else text_part(config)


def misspelt(rng: random.Random, key: str) -> str:
    at = rng.randrange(1, len(key) - 1)
    swapped = key[:at] + key[at + 1] + key[at] + key[at + 2 :]
    forms = [key[:at] + key[at + 1 :], key[:at] + key[at] + key[at:], *([swapped] if key[at] != key[at + 1] else [])]
    return rng.choice(forms + {"factor": ["scale", "scaling_factor"], ORIGINAL: ["original_max_position"]}.get(key, []))


def single_numbers(rng: random.Random, text: Config) -> list[Mistake]:
    """Quote, negate, misspell or repeat a number, or make it 0 if 0 is invalid."""
    found = []
    for where, key in numbers(text):
        place = frozenset({place_of(where, key)})
        values = {"quoted": str(text[where][key] if where else text[key]), "negative": -3}
        if key not in ("beta_fast", "beta_slow", "mscale", "qk_rope_head_dim"):  # 0 has a meaning there
            values["zero"] = 0
        for kind, value in values.items():
            found.append(Mistake(kind, place, key, lambda config, w=where, k=key, v=value: inside(config, w).update({k: v})))
        wrong = misspelt(rng, key)
        of_type = {"rope.type"} if where and key in REQUIRED else set()
        found.append(
            Mistake(
                "misspelt",
                place | of_type,
                wrong,
                lambda config, w=where, k=key, new=wrong: inside(config, w).update({new: inside(config, w).pop(k)}),
            )
        )
        found.append(Mistake("twice", place, key, lambda config: None, key))
    return found


def of_methods(rng: random.Random, text: Config) -> list[Mistake]:
    """Mistakes about a method: its name, a missing key, keys left over from another method, a wrong factor."""
    name = rope_name(text)
    if name is None:
        left = {"rope_scaling": {"rope_type": "default", "factor": 4.0, "beta_fast": 32, "beta_slow": 1}}
        return [
            Mistake("leftover", frozenset({"rope"}), "beta_fast", lambda config: text_part(config).update(left)),
            Mistake("container", frozenset({"rope"}), "rope_scaling", lambda config: text_part(config).update(rope_scaling=[4.0])),
        ]
    rope = text[name]
    key = "rope_type" if "rope_type" in rope else "type"
    method, of_type = rope[key], frozenset({"rope.type"})
    unknown = rng.choice(["yarm", "linaer", "foo"])
    left = {"low_freq_factor": 1.0, "high_freq_factor": 4.0} if method != "llama3" else {"beta_fast": 32, "beta_slow": 1}
    found = [
        Mistake("unknown type", of_type, key, lambda config: inside(config, name).update({key: unknown})),
        Mistake("leftover", of_type, next(iter(left)), lambda config: inside(config, name).update(left)),
        Mistake("container", frozenset({"rope"}), name, lambda config: text_part(config).update({name: [4.0]})),
    ]
    if "type" not in rope or "rope_type" not in rope:
        wrong = rng.choice(["kind", "rope_typ"])
        found.append(
            Mistake("misspelt type", of_type, wrong, lambda config: inside(config, name).update({wrong: inside(config, name).pop(key)}))
        )
    for needed in (key for key in REQUIRED if key in rope):
        places = of_type | {f"rope.{needed}"}
        found.append(Mistake("missing", places, needed, lambda config, k=needed: inside(config, name).pop(k)))
    if method == "yarn" and text["max_position_embeddings"] != rope[ORIGINAL]:
        places = of_type | {"length", "rope.factor", f"rope.{ORIGINAL}"}
        found.append(Mistake("wrong factor", places, "factor", lambda config: inside(config, name).update(factor=7.0)))
    for part in (key for key in ("short_factor", "long_factor", "mrope_section") if key in rope):
        places = frozenset({f"rope.{part}"})
        found.append(Mistake("container", places, part, lambda config, k=part: inside(config, name).update({k: "x"})))
    return found


def of_layers_and_widths(text: Config) -> list[Mistake]:
    found = []
    odd = next((key for key in ("qk_rope_head_dim", "rotary_dim") if key in text), "head_dim")
    if odd != "head_dim" or not any(key in json.dumps(text) for key in ("rotary_pct", "partial_rotary_factor")):
        places = frozenset({"head_dim", "hidden_size", "num_attention_heads", odd})
        found.append(Mistake("odd width", places, odd, lambda config: text_part(config).update({odd: 63})))
    if "layer_types" in text:
        found.append(
            Mistake("container", frozenset({"layer_types"}), "layer_types", lambda config: text_part(config).update(layer_types="x"))
        )
    return found


@cache
def complaints(text: str) -> tuple[str, ...]:
    """Return all errors and warnings about a config."""
    try:
        findings = parse_config(text).findings
    except HfConfigError as error:
        findings = error.findings
    return tuple(f"{each.key} | {each.message} | {each.fix}" for each in findings if each.level != "note")


def written(config: Config, mistakes: list[Mistake]) -> str:
    changed = json.loads(json.dumps(config))
    for mistake in mistakes:
        mistake.make(changed)
    text = json.dumps(changed)
    for key in {mistake.twice for mistake in mistakes if mistake.twice}:
        text = text.replace(f'"{key}":', f'"{key}": 3, "{key}":', 1)
    return text


def independent(rng: random.Random, mistakes: list[Mistake], count: int) -> list[Mistake]:
    """Draw mistakes at different places; the kind first, because most mistakes are of few kinds."""
    drawn: list[Mistake] = []
    while len(drawn) < count:
        left = [each for each in mistakes if all(each.is_independent(other) for other in drawn)]
        kind = rng.choice(sorted({each.kind for each in left}))
        drawn.append(rng.choice([each for each in left if each.kind == kind]))
    return drawn


def possible(rng: random.Random, config: Config) -> list[Mistake]:
    text = text_part(config)
    return [*single_numbers(rng, text), *of_methods(rng, text), *of_layers_and_widths(text)]


@pytest.mark.parametrize("name", SAMPLES)
def test_three_independent_mistakes_lead_to_three_more_findings(name):
    rng = random.Random(name)
    before = complaints(json.dumps(SAMPLES[name]))
    for _ in range(ROUNDS):
        drawn = independent(rng, possible(rng, SAMPLES[name]), 3)
        text = written(SAMPLES[name], drawn)
        more = [line for line in complaints(text) if line not in before]
        shown = "\n".join([text, *(f"{each.kind}: {each.word}" for each in drawn), *more])
        assert len(more) == 3, shown
        assert all(any(each.word in line for line in more) for each in drawn), shown


@pytest.mark.parametrize("name", SAMPLES)
def test_one_mistake_leads_to_one_more_finding(name):
    before = complaints(json.dumps(SAMPLES[name]))
    for mistake in possible(random.Random(name), SAMPLES[name]):
        more = [line for line in complaints(written(SAMPLES[name], [mistake])) if line not in before]
        assert len(more) == 1, (mistake.kind, mistake.word, more)
        assert mistake.word in more[0]


def test_all_kinds_of_mistakes_occur():
    kinds = {each.kind for config in SAMPLES.values() for each in possible(random.Random(0), config)}
    assert kinds >= {"quoted", "negative", "zero", "misspelt", "twice", "unknown type", "leftover", "container", "misspelt type"}
    assert kinds >= {"missing", "wrong factor", "odd width"}


QWEN = {
    "model_type": "qwen2",
    "hidden_size": 3584,
    "num_attention_heads": 28,
    "num_hidden_layers": 28,
    "max_position_embeddings": 131_072,
    "rope_theta": 1e6,
    "rope_scaling": {"type": "yarn", "factor": 4.0, ORIGINAL: 32_768},
}


@pytest.mark.parametrize(
    ("outer", "rope", "words"),
    [
        (
            {"max_position_embeddings": "131072", "rope_theta": "1e6", "num_attention_heads": 0},
            QWEN["rope_scaling"],
            ["max_position_embeddings", "num_attention_heads", "rope_theta"],
        ),
        ({"rope_theta": "1e6"}, {"type": "yarn", "scale": 4.0, "original_max_position": 32_768}, ["original_max", "rope_theta", "scale"]),
    ],
)
def test_no_mistake_leads_to_a_finding_about_another_key(outer, rope, words):
    lines = complaints(json.dumps({**QWEN, **outer, "rope_scaling": rope}))
    assert len(lines) == len(words)
    assert all(any(word in line for line in lines) for word in words)
