"""The PyTorch lines that give the speeds of any head: the plain law, and every method that changes it."""

from __future__ import annotations

from rope_core import (
    DynamicNtkScaling,
    LinearScaling,
    Llama3Scaling,
    LongRopeScaling,
    NtkScaling,
    ProportionalScaling,
    RopeConfig,
    YarnScaling,
)


def speeds_code(config: RopeConfig, seq_len: int | None = None) -> str:
    """Write lines that define ``theta``, the radians per token of every pair in float64, and ``A``, which multiplies cos and sin.

    They need torch and math only, and define ``d``, the width of the head, ``turning``, how much of it turns, and ``base`` besides.

    Args:
        config: The head.
        seq_len: Length of the sequence, for methods that depend on it; None means the trained length.
    """
    start = START.format(d=config.head_dim, turning=config.rotary_dim, base=config.base)
    match config.scaling:
        case None:
            return start + LAW.format(name="theta") + ONE
        case LinearScaling(factor=factor):
            lines = LINEAR.format(factor=factor) + ONE
        case NtkScaling(factor=factor):
            lines = NTK.format(factor=factor) + ONE
        case DynamicNtkScaling(factor=factor):
            trained = config.max_position
            lines = DYNAMIC.format(factor=factor, trained=trained, length=trained if seq_len is None else max(seq_len, trained)) + ONE
        case YarnScaling():
            lines = _yarn(config.scaling, config)
        case Llama3Scaling(factor=factor, original_max_position=trained) as llama:
            lines = BLEND.format(factor=factor, trained=trained, ramp=_by_turns(llama.low_freq_factor, llama.high_freq_factor)) + ONE
        case LongRopeScaling():
            lines = _longrope(config.scaling, config, seq_len)
        case ProportionalScaling(rotary_fraction=share, factor=factor):
            lines = PROPORTIONAL.format(share=share, divided=".clone()" if factor == 1 else f" / {factor!r}") + ONE
        case other:
            raise TypeError(f"no lines for {type(other).__name__}")
    return start + LAW.format(name="plain") + lines


def _yarn(yarn: YarnScaling, config: RopeConfig) -> str:
    if yarn.ramp == "rotation":
        ramp = _by_turns(yarn.beta_slow, yarn.beta_fast)
    else:
        ramp = INDEX_RAMP.format(fast=yarn.beta_fast, slow=yarn.beta_slow, whole=WHOLE if yarn.truncate else "")
    if yarn.attention_factor is not None:
        magnitude = repr(yarn.attention_factor)
    elif yarn.mscale and yarn.mscale_all_dim:
        magnitude = MSCALE.format(above=yarn.mscale, below=yarn.mscale_all_dim)
    else:
        magnitude = "0.1 * math.log(factor) + 1"  # 1 for a factor of 1
    return BLEND.format(factor=yarn.factor, trained=yarn.length(config), ramp=ramp) + MAGNITUDE.format(magnitude=magnitude)


def _by_turns(few: float, many: float) -> str:
    return HARD_SWITCH.format(many=many) if few == many else TURNS_RAMP.format(few=few, many=many)


def _longrope(longrope: LongRopeScaling, config: RopeConfig, seq_len: int | None) -> str:
    trained = longrope.original_max_position
    long = seq_len is not None and seq_len > trained
    divisors = longrope.long_factor if long else longrope.short_factor
    which = f"of sequences beyond {trained} tokens" if long else f"of sequences up to {trained} tokens"
    factor = config.max_position / trained if longrope.factor is None else longrope.factor
    if longrope.attention_factor is not None:
        magnitude = repr(longrope.attention_factor)
    elif factor <= 1:
        magnitude = "1.0"
    else:
        magnitude = f"math.sqrt(1 + math.log({factor!r}) / math.log({trained}))"
    return LONGROPE.format(which=which, divisors=_rows(divisors)) + MAGNITUDE.format(magnitude=magnitude)


def _rows(numbers: tuple[float, ...]) -> str:
    texts = [repr(number) for number in numbers]
    return "".join(f"    {', '.join(texts[start : start + 8])},\n" for start in range(0, len(texts), 8))


START = """
import math
import torch

d, turning, base = {d}, {turning}, {base!r}  # width, and how much of it turns
"""
LAW = """# radians per token of every pair
{name} = base ** (-torch.arange(0, turning, 2, dtype=torch.float64) / turning)
"""
ONE = """A = 1.0  # multiplies cos and sin
"""
MAGNITUDE = """A = {magnitude}  # multiplies cos and sin
"""
LINEAR = """theta = plain / {factor!r}  # the same as dividing every position
"""
NTK = """stretch = {factor!r}  # pair 0 stays, the last one slows by all of it
theta = plain * stretch ** -torch.linspace(0, 1, turning // 2, dtype=torch.float64)
"""
DYNAMIC = """factor, trained, length = {factor!r}, {trained}, {length}  # of the sequence
stretch = 1 + factor * (length - trained) / trained
theta = plain * stretch ** -torch.linspace(0, 1, turning // 2, dtype=torch.float64)
"""
BLEND = """factor, trained = {factor!r}, {trained}

{ramp}
theta = plain * kept + plain / factor * (1 - kept)
"""
INDEX_RAMP = """def pair_of(turns):  # the pair, not a whole one, that turns so often in training
    return turning * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(base))

low, high = pair_of({fast!r}), pair_of({slow!r})
{whole}low, high = max(low, 0), min(high, turning - 1)
high = low + 0.001 if low == high else high
index = torch.arange(turning // 2, dtype=torch.float64)
kept = 1 - ((index - low) / (high - low)).clamp(0, 1)  # 1: the speed stays, 0: it is divided
"""
WHOLE = """low, high = math.floor(low), math.ceil(high)
"""
TURNS_RAMP = """turns = plain * trained / (2 * math.pi)  # within the trained length
kept = ((turns - {few!r}) / ({many!r} - {few!r})).clamp(0, 1)  # 1: the speed stays, 0: it is divided
"""
HARD_SWITCH = """turns = plain * trained / (2 * math.pi)  # within the trained length
kept = (turns >= {many!r}).double()  # 1: the speed stays, 0: it is divided
"""
MSCALE = "(0.1 * {above!r} * math.log(factor) + 1) / (0.1 * {below!r} * math.log(factor) + 1)"
LONGROPE = """divisors = torch.tensor([  # {which}
{divisors}], dtype=torch.float64)
theta = plain / divisors
"""
PROPORTIONAL = """theta = plain{divided}
theta[int({share!r} * d // 2) :] = 0  # these pairs stand still
"""
