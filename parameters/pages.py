"""The parameters of the pages, a table each; those about context extension and about models have files of their own."""

from __future__ import annotations

from collections.abc import Mapping

from locales import N_
from parameters.shared import length, position, real, seed, whole
from parameters.types import SUPPORTED, Choice, Parameter, Text, Value, Vector, Words

START: dict[str, Parameter] = {
    "start_view": Choice(
        N_("View"),
        N_("One token turns its hands; two tokens keep the angle between them."),
        options={"one": N_("One token"), "two": N_("Two tokens")},
    ),
    "position": position(N_("Position m"), N_("Where the token stands in the text, counted from 0."), 12),
    "gap": position(N_("Distance between the two tokens"), N_("The second token stands this many places after the first."), 3),
}
PAIR: dict[str, Parameter] = {
    "pair_view": Choice(
        N_("View"),
        N_("The plane of the pair, the same vector at several positions, or both tokens shifted together."),
        options={"plane": N_("q and k in the plane"), "positions": N_("Several positions"), "shift": N_("Shift both")},
    ),
    "m": position(N_("Position m of q"), N_("Where the query stands."), 7),
    "n": position(N_("Position n of k"), N_("Where the key stands."), 2),
    "shift": whole(
        N_("Shift of both positions"), N_("Both tokens move on by so many places; the distance between them stays."), 0, between=(0, 100)
    ),
    "speed": Choice(
        N_("Speed"),
        N_("Take the speed of a pair of the head, or an angle of your own."),
        options={"pair": N_("of a pair"), "own": N_("of my own")},
    ),
    "pair": whole(
        N_("Pair i"),
        N_("Pair 0 is the fastest, the last one the slowest."),
        8,
        between=(0, 255),
        limit=lambda values: float(values["head_dim"]) / 2 - 1,
    ),
    "degrees": real(N_("Angle per token (degrees)"), N_("How far the pair turns from one token to the next."), 30, between=(0, 360)),
    "q": Vector("q", N_("Two numbers: the query before rotation."), default="1.5, 0.5", shortest=2, longest=2, low=-100, high=100),
    "k": Vector("k", N_("Two numbers: the key before rotation."), default="0.5, 1.2", shortest=2, longest=2, low=-100, high=100),
    "at": Vector(
        N_("Positions"),
        N_("One to eight whole numbers."),
        default="0, 1, 2, 10, 50",
        shortest=1,
        longest=8,
        low=0,
        high=SUPPORTED,
        whole=True,
    ),
}
HEAD: dict[str, Parameter] = {
    "head_view": Choice(
        N_("View"),
        N_("The pairs of one vector, the matrix in both layouts, a mistake, the cos and sin tables, or the ways to write it in code."),
        options={"pairs": N_("Pairs"), "matrix": N_("Matrix"), "mix": N_("Layouts mixed"), "table": N_("Tables")}
        | {"code": N_("Three implementations")},
    ),
    "head_position": position(N_("Position m"), N_("Where the token stands in the text, counted from 0."), 12),
    "head_seed": seed(N_("Another seed draws another vector.")),
    "head_distance": position(N_("Distance m - n"), N_("It stays the same while both positions shift."), 5, high=1_000_000),
}


def _count_of_words(values: Mapping[str, Value]) -> float:
    """Return how many tokens there are: all words, where words are shown."""
    are_words = values["alike"] == "words" and values["attention_view"] != "diagonals"
    return len(WORDS.parse(str(values["attention_words"])) or ()) if are_words else 256


WORDS = Words(
    N_("Words"),
    N_("A token each; where a word stands twice, only position tells its tokens apart."),
    default="the dog chased the cat because the cat was quick",
)
ATTENTION: dict[str, Parameter] = {
    "attention_view": Choice(
        N_("View"),
        N_("Scores before the softmax, weights after it, scores sorted by distance, or v and what the weights make of it."),
        options={"scores": N_("Scores"), "weights": N_("Weights"), "diagonals": N_("By distance"), "values": N_("v and output")},
    ),
    "encoding": Choice(
        N_("Position encoding"),
        N_("How the scores learn where tokens stand."),
        options={"rope": N_("RoPE"), "sinusoidal": N_("sinusoidal, added"), "alibi": N_("ALiBi"), "t5": N_("T5 bias"), "none": N_("none")},
    ),
    "alike": Choice(
        N_("q and k"),
        N_("The same word has the same q, k and v; or every token has its own; or all have the same q and the same k, and v differs."),
        options={"words": N_("words"), "random": N_("random"), "alike": N_("all alike")},
    ),
    "attention_words": WORDS,
    "tokens_seen": whole(N_("Number of tokens"), N_("At positions 0, 1, 2 and so on."), 32, between=(2, 256), limit=_count_of_words),
    "attention_seed": seed(N_("Another seed draws other vectors.")),
    "causal": Choice(
        N_("Mask"),
        N_("Causal: a query sees only its own position and those before it."),
        options={"causal": N_("causal"), "full": N_("none, all keys")},
    ),
    "alibi_head": whole(N_("ALiBi head h"), N_("Head h of 8 takes 2^-h off the score for every token of distance."), 1, between=(1, 8)),
}
FREQUENCIES: dict[str, Parameter] = {
    "freq_view": Choice(
        N_("View"),
        N_("Speed and wavelength of each pair, turns within the context, a sweep of the base, one speed for all, or other laws."),
        options={"speeds": N_("Speeds"), "turns": N_("Turns"), "sweep": N_("Sweep of the base"), "equal": N_("All alike")}
        | {"laws": N_("Other laws")},
    ),
    "equal_speed": Choice(
        N_("One speed for all pairs"),
        N_("A speed whose period is a whole number of tokens, or 1 rad per token."),
        options={"period": N_("2π / T"), "one": N_("1 rad per token")},
    ),
    "equal_period": whole(N_("Period T (tokens)"), N_("All pairs make one turn in T tokens."), 32, between=(2, 4096), scale="log"),
}
NUMBERS = N_("Up to 512 numbers; fewer than d are repeated, those beyond d are left out.")
DECAY: dict[str, Parameter] = {
    "decay_view": Choice(
        N_("View"),
        N_("The score itself, many random q and k, bounds on the score, or the frequencies that it is made of."),
        options={"score": N_("Score"), "random": N_("Random q and k"), "bound": N_("Bounds"), "spectrum": N_("Spectrum")},
    ),
    "reach": length(N_("Largest distance"), N_("The distance m - n at the right end of the axis, in tokens."), 8192, low=2),
    "vectors": Choice(
        N_("q and k"),
        N_("All ones; a key built so that the score peaks at a chosen distance; or numbers of your own."),
        options={"ones": N_("q = k = ones"), "peak": N_("peak at a distance"), "typed": N_("typed")},
    ),
    "peak": position(N_("Distance of the peak"), N_("The key is the query turned by this many tokens."), 100),
    "q_head": Vector("q", NUMBERS, default="1, 0, -1, 0.5", shortest=1, longest=512, low=-1000, high=1000),
    "k_head": Vector("k", NUMBERS, default="1, 0.5, 0, 1", shortest=1, longest=512, low=-1000, high=1000),
    "seed": seed(N_("Another seed draws other vectors.")),
    "tokens": whole(
        N_("Tokens in the spectrum"),
        N_("How many tokens of the score curve the Fourier transform sees."),
        4096,
        between=(16, 1_048_576),
        scale="log",
        marks=[2**power for power in range(4, 21)],
    ),
}
BASES: dict[str, Parameter] = {
    "bases_view": Choice(
        N_("View"),
        N_("Where the sum first turns negative, the sum itself, or how many coordinates come round within the context."),
        options={"first": N_("First negative distance"), "heat": N_("Sum at every distance"), "critical": N_("Critical dimension")},
    )
}
GLOSSARY: dict[str, Parameter] = {
    "glossary_view": Choice(
        N_("View"),
        N_("Where the symbols stand in a picture of the speeds, or of the wavelengths."),
        options={"speeds": N_("Speeds"), "lengths": N_("Wavelengths")},
    ),
    "term": Text(
        N_("Search the glossary"),
        N_("A symbol, a word in any language of the app, or a name from a config; the figure marks what is found."),
    ),
}
