"""What engines make of a config that they read differently. Only what was run, or read in the code that is named, is said."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from rope_core.config import RopeConfig
from rope_core.errors import RopeConfigError
from rope_core.huggingface.families import family_defaults, model_types
from rope_core.huggingface.rope import EngineReading, HfRope
from rope_core.huggingface.section import Section, shown, wording
from rope_core.scaling import DynamicNtkScaling, LinearScaling, LongRopeScaling, NtkScaling, YarnScaling, yarn_attention_factor

TRANSFORMERS_5, TRANSFORMERS_4, VLLM, SGLANG, MLX = "transformers 5.24", "transformers 4", "vLLM", "SGLang", "mlx-lm"
RUN_5 = "run: transformers 5.24.0"
CODE_4 = "vllm issues 42624 and 44158"
CODE_VLLM = "vllm/model_executor/layers/rotary_embedding"


class Case(NamedTuple):
    """What a rule looks at.

    Attributes:
        config: The keys at the top.
        rope: The rope object of the main layers.
        main: Their settings.
        model_type: The type whose rules apply.
    """

    config: Section
    rope: Section
    main: RopeConfig
    model_type: str | None


def read_engines(config: Section, ropes: Mapping[str, Section], rope: HfRope) -> tuple[EngineReading, ...]:
    """Return the readings of engines that differ, ours first; empty if none is known to differ."""
    name = next((name for name, head in rope.layers.items() if head is not None and head == rope.main), None)
    found = ropes.get(str(name)) or next(iter(ropes.values()), None)
    if rope.main is None or found is None:
        return ()
    case = Case(config, found, rope.main, rope.model_type)
    return next((tuple(readings) for rule in RULES if (readings := list(rule(case)))), ())


def _reading(engine: str, template: str, config: RopeConfig | None, source: str, **values: Any) -> EngineReading:
    return EngineReading(engine, template, values, config, source)


def _plain(case: Case, base: float | None = None) -> RopeConfig:
    return replace(case.main, scaling=None, base=base or case.main.base)


def _two_bases(case: Case) -> Iterator[EngineReading]:
    """A base at the top beside another one in the rope object."""
    inner, outer = case.rope.values.get("rope_theta"), case.config.values.get("rope_theta")
    if not (isinstance(inner, int | float) and isinstance(outer, int | float)) or inner == outer or min(inner, outer) <= 1:
        return
    takes = wording("takes rope_theta = {value:g}")
    yield _reading(TRANSFORMERS_5, takes, case.main, RUN_5, value=float(inner))
    yield _reading(TRANSFORMERS_4, takes, replace(case.main, base=float(outer)), CODE_4, value=float(outer))


def _unread_by_4(case: Case) -> Iterator[EngineReading]:
    """A rope object as version 5 writes it, which version 4 does not know: it takes the default of the class."""
    written = case.rope.where == "rope_parameters" and "rope_scaling" not in case.config and "rope_theta" not in case.config
    default = family_defaults(case.model_type).get("base")
    if not written or case.model_type not in model_types("in_transformers_4") or default is None or "rope_theta" not in case.rope:
        return
    plain = _plain(case, float(default))
    if plain == case.main:
        return
    yield _reading(TRANSFORMERS_5, wording("reads rope_parameters"), case.main, RUN_5)
    rule = wording("passes over rope_parameters and takes the default of the class, rope_theta = {value:g}, without a method")
    yield _reading(TRANSFORMERS_4, rule, plain, CODE_4, value=float(default))


def _longrope(case: Case) -> Iterator[EngineReading]:
    scaling = case.main.scaling
    if not isinstance(scaling, LongRopeScaling) or scaling.short_factor == scaling.long_factor:
        return
    rule = wording("takes short_factor up to {value:,} tokens and long_factor for longer texts")
    yield _reading(
        TRANSFORMERS_5, rule, case.main, "run: _compute_longrope_parameters, transformers 5.24.0", value=scaling.original_max_position
    )
    rule = wording("takes long_factor for every text if it is started for more than {value:,} tokens")
    long = replace(case.main, scaling=replace(scaling, short_factor=scaling.long_factor))
    yield _reading(VLLM, rule, long, f"{CODE_VLLM}/phi3_long_rope_scaled_rope.py", value=scaling.original_max_position)


def _dynamic(case: Case) -> Iterator[EngineReading]:
    scaling = case.main.scaling
    if not isinstance(scaling, DynamicNtkScaling) or scaling.factor == 1 or case.main.rotary_dim < 4:
        return
    rule = wording("raises the base with the length of the text, beyond {value:,} tokens")
    yield _reading(TRANSFORMERS_5, rule, case.main, "run: dynamic_rope_update, transformers 5.24.0", value=case.main.max_position)
    growth = scaling.factor**2 - scaling.factor + 1
    rule = wording("takes one base for all lengths, that of a text of {value:g} times the stated length")
    fixed = replace(case.main, scaling=NtkScaling(growth)) if growth <= 1e6 else None
    yield _reading(VLLM, rule, fixed, f"{CODE_VLLM}/dynamic_ntk_scaling_rope.py; issues 3488, 5093, 41236", value=scaling.factor)


def _yarn_factors(case: Case) -> Iterator[EngineReading]:
    """An attention factor that older versions of vLLM did not read."""
    scaling = case.main.scaling
    named = case.rope.values.get("rope_type", case.rope.values.get("type")) == "yarn"
    stated = any(key in case.rope for key in ("attention_factor", "mscale", "mscale_all_dim"))
    if not isinstance(scaling, YarnScaling) or not named or not stated or "qk_rope_head_dim" in case.config:
        return  # vLLM reads DeepSeek's numbers in another class
    usual, taken = yarn_attention_factor(scaling.factor), scaling.attention_factor_for(case.main, None)
    if math.isclose(usual, taken, rel_tol=1e-12):
        return
    rule = wording("multiplies cos and sin by {value:.9g}")
    yield _reading(TRANSFORMERS_5, rule, case.main, "run: _compute_yarn_parameters, transformers 5.24.0", value=taken)
    older = replace(case.main, scaling=replace(scaling, attention_factor=usual))
    rule = wording("passes over attention_factor and mscale, and multiplies cos and sin by {value:.9g}")
    yield _reading("vLLM at 07b12f1b", rule, older, f"{CODE_VLLM}/__init__.py at 07b12f1b", value=usual)
    yield _reading(
        "vLLM at 0cd57848",
        wording("multiplies cos and sin by {value:.9g}"),
        case.main,
        f"{CODE_VLLM}/yarn_scaling_rope.py at 0cd57848",
        value=taken,
    )


def _other_names(case: Case) -> Iterator[EngineReading]:
    """Methods that transformers does not know under their name."""
    name = case.rope.values.get("rope_type") or case.rope.values.get("type")
    scaling = case.main.scaling
    refuses = wording("warns when the config is read, and fails with KeyError when the model is built")
    if name == "telechat3-yarn" and isinstance(scaling, YarnScaling):
        rule = wording("multiplies cos and sin by {value:.9g}")
        yield _reading(VLLM, rule, case.main, f"{CODE_VLLM}: TeleChat3RoPEScaledRotaryEmbedding", value=scaling.attention_factor)
        usual = yarn_attention_factor(scaling.factor)
        yield _reading(
            MLX, rule, replace(case.main, scaling=replace(scaling, attention_factor=usual)), "mlx_lm/models/rope_utils.py", value=usual
        )
        yield _reading(TRANSFORMERS_5, refuses, None, RUN_5)
    elif name in ("ntk", "deepseek_yarn"):
        yield _reading(VLLM, wording("reads rope_type {value}"), case.main, f"{CODE_VLLM}/__init__.py", value=shown(name))
        yield _reading(TRANSFORMERS_5, refuses, None, RUN_5)
    elif name == "grok":
        yield _reading(SGLANG, wording("keeps plain speeds under the name original"), _plain(case), "python/sglang/srt/models/grok.py")
        rule = wording("would read the same numbers under the name yarn, without an attention factor")
        yield _reading(SGLANG, rule, case.main, "python/sglang/srt/models/grok.py: ScalingRotaryEmbedding")
    elif name == "su":
        rule = wording("is LongRoPE in the code of Phi-3, which first had this name")
        yield _reading("Phi-3", rule, case.main, "modeling_phi3.py of microsoft/Phi-3-mini-128k-instruct")
        yield _reading(TRANSFORMERS_5, wording("fails with KeyError: it wants original_max_position_embeddings first"), None, RUN_5)


def _condensed(case: Case) -> Iterator[EngineReading]:
    ratio = case.config.values.get("rope_condense_ratio")
    if isinstance(ratio, bool) or not isinstance(ratio, int | float) or ratio <= 1 or case.main.scaling is not None:
        return
    yield _reading(TRANSFORMERS_5, wording("passes over rope_condense_ratio"), case.main, RUN_5)
    try:
        scaled = replace(case.main, scaling=LinearScaling(ratio))
    except RopeConfigError:
        return
    rule = wording("divides all positions by {value:g}, as the model was trained")
    yield _reading("FastChat", rule, scaled, "CondenseRotaryEmbedding in the training code of LongChat", value=float(ratio))


def _whole_head(case: Case) -> Iterator[EngineReading]:
    """A share of the head that the class does not read in its plain table."""
    partial = case.main.rotary_dim < case.main.head_dim and case.main.scaling is None
    if (
        partial
        and "partial_rotary_factor" in {*case.config.values, *case.rope.values}
        and family_defaults(case.model_type).get("ignores_share")
    ):
        rule = wording("turns the whole head: its class does not read partial_rotary_factor")
        yield _reading("partial_rotary_factor", wording("is followed here"), case.main, "the config itself")
        yield _reading(TRANSFORMERS_5, rule, replace(case.main, rotary_dim=case.main.head_dim), RUN_5)


def _qwen(case: Case) -> Iterator[EngineReading]:
    """The first Qwen raises its base in steps: 2 to the power of ceil(log2(length / seq_length) + 1), less 1."""
    if case.model_type != "qwen" or case.config.values.get("use_dynamic_ntk") is not True or case.main.rotary_dim < 4:
        return
    source = "modeling_qwen.py of Qwen/Qwen-7B: get_ntk_alpha"
    yield _reading("Qwen", wording("takes the plain base up to {value:,} tokens"), case.main, source, value=case.main.max_position)
    rule = wording("takes a base with an alpha of {value:g} up to {longer:,} tokens")
    longer = 2 * case.main.max_position
    yield _reading("Qwen", rule, replace(case.main, scaling=NtkScaling(3.0)), source, value=3.0, longer=longer)


RULES: tuple[Callable[[Case], Iterator[EngineReading]], ...] = (
    *(_other_names, _two_bases, _unread_by_4, _longrope, _dynamic, _yarn_factors, _condensed, _qwen, _whole_head),
)
"""The first that applies is shown."""
