"""The parameters of the page Attention."""

from __future__ import annotations

from locales import N_
from parameters.types import Choice, Number, Parameter

ATTENTION: dict[str, Parameter] = {
    "attention_view": Choice(
        label=N_("View"),
        help=N_("Scores before the softmax, weights after it, scores sorted by distance, or v and what the weights make of it."),
        options={"scores": N_("Scores"), "weights": N_("Weights"), "diagonals": N_("By distance"), "values": N_("v and output")},
    ),
    "encoding": Choice(
        label=N_("Position encoding"),
        help=N_("How the scores learn where tokens stand."),
        options={
            "rope": N_("RoPE"),
            "sinusoidal": N_("sinusoidal, added"),
            "alibi": N_("ALiBi"),
            "t5": N_("T5 bias"),
            "none": N_("none"),
        },
    ),
    "tokens_seen": Number(
        label=N_("Number of tokens"),
        help=N_("At positions 0, 1, 2 and so on."),
        default=32,
        low=2,
        high=256,
    ),
    "alike": Choice(
        label=N_("q and k"),
        help=N_("Every token has its own q and k, or all have the same q and the same k; v always differs."),
        options={"random": N_("random"), "alike": N_("all alike")},
    ),
    "attention_seed": Number(
        label=N_("Random seed"),
        help=N_("Another seed draws other vectors."),
        default=0,
        low=0,
        high=9999,
    ),
    "causal": Choice(
        label=N_("Mask"),
        help=N_("Causal: a query sees only its own position and those before it."),
        options={"causal": N_("causal"), "full": N_("none, all keys")},
    ),
    "alibi_head": Number(
        label=N_("ALiBi head h"),
        help=N_("Head h of 8 takes 2^-h off the score for every token of distance."),
        default=1,
        low=1,
        high=8,
    ),
}
