"""What a reader can set: every parameter with its range, default and words. ``ui/params.py`` makes widgets and links of it."""

from __future__ import annotations

from ui.i18n import N_
from ui.kinds import POSITIONS, SUPPORTED, Carried, Choice, Method, Number, Vector, decades
from ui.parameters_extension import EXTENSION
from ui.parameters_glossary import GLOSSARY
from ui.parameters_models import MODELS

PARAMETERS: dict[str, Number | Choice | Vector | Method | Carried] = (
    {
        # Shared: drawn by the shell, on every page.
        "base": Number(
            label=N_("Base b"),
            help=N_("The number whose powers set the speeds of the pairs; 10,000 in the paper."),
            default=10_000,
            low=1.01,
            high=1e9,
            step=0,
            stops=[1.01, 1.1, 1.5, 2, 5, *decades(1, 9)],
        ),
        "head_dim": Number(
            label=N_("Head width d"),
            help=N_("Coordinates of one query or key; two of them form a pair."),
            default=128,
            low=2,
            high=512,
            step=2,
            stops=[2, 4, 8, 16, 32, 48, 64, 80, 96, 112, 128, 160, 192, 256, 320, 384, 512],
        ),
        "rotary": Number(
            label=N_("Share of the width that turns"),
            help=N_(
                "partial_rotary_factor of a model config: 1 turns all coordinates; at least one pair always turns, and never half of one."
            ),
            default=1,
            low=0.01,
            high=1,
            step=0,
            stops=[0.01, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1],
        ),
        "layout": Choice(
            label=N_("Layout"),
            help=N_(
                "Which coordinates form pair i: half joins i and i + P, where P is the number of pairs; interleaved joins 2i and 2i + 1."
            ),
            options={"half": N_("half"), "interleaved": N_("interleaved")},
        ),
        "context": Number(
            label=N_("Context length"),
            help=N_("The longest sequence that the model was trained on, in tokens."),
            default=4096,
            low=1,
            high=SUPPORTED,
            stops=[1, 8, 64, *(2**power for power in range(8, 24))],
        ),
        "scaling": Method(label=N_("Scaling"), help=N_("The method of context extension whose speeds are shown.")),
        # Start.
        "start_view": Choice(
            label=N_("View"),
            help=N_("One token turns its hands; two tokens keep the angle between them."),
            options={"one": N_("One token"), "two": N_("Two tokens")},
        ),
        "position": Number(
            label=N_("Position m"),
            help=N_("Where the token stands in the text, counted from 0."),
            default=12,
            low=0,
            high=SUPPORTED,
            stops=POSITIONS,
        ),
        "gap": Number(
            label=N_("Distance between the two tokens"),
            help=N_("The second token stands this many places after the first."),
            default=3,
            low=0,
            high=SUPPORTED,
            stops=POSITIONS,
        ),
        # Rotate a pair.
        "pair_view": Choice(
            label=N_("View"),
            help=N_("The plane of the pair, the same vector at several positions, or both tokens shifted together."),
            options={"plane": N_("q and k in the plane"), "positions": N_("Several positions"), "shift": N_("Shift both")},
        ),
        "m": Number(label=N_("Position m of q"), help=N_("Where the query stands."), default=7, low=0, high=SUPPORTED, stops=POSITIONS),
        "n": Number(label=N_("Position n of k"), help=N_("Where the key stands."), default=2, low=0, high=SUPPORTED, stops=POSITIONS),
        "speed": Choice(
            label=N_("Speed"),
            help=N_("Take the speed of a pair of the head, or an angle of your own."),
            options={"pair": N_("of a pair"), "own": N_("of my own")},
        ),
        "pair": Number(
            label=N_("Pair i"), help=N_("Pair 0 is the fastest, the last one the slowest."), default=8, low=0, high=255, stops=range(256)
        ),
        "degrees": Number(
            label=N_("Angle per token (degrees)"),
            help=N_("How far the pair turns from one token to the next."),
            default=30,
            low=0,
            high=360,
            step=0,
            stops=[0, 1, 5, *range(10, 361, 10)],
        ),
        "q": Vector(
            label="q", help=N_("Two numbers: the query before rotation."), default="1.5, 0.5", shortest=2, longest=2, low=-100, high=100
        ),
        "k": Vector(
            label="k", help=N_("Two numbers: the key before rotation."), default="0.5, 1.2", shortest=2, longest=2, low=-100, high=100
        ),
        "at": Vector(
            label=N_("Positions"),
            help=N_("One to eight whole numbers."),
            default="0, 1, 2, 10, 50",
            shortest=1,
            longest=8,
            low=0,
            high=SUPPORTED,
            whole=True,
        ),
        # A whole head.
        "head_view": Choice(
            label=N_("View"),
            help=N_(
                "The pairs of one vector, the matrix in both layouts, a mistake, the cos and sin tables, or the ways to write it in code."
            ),
            options={
                "pairs": N_("Pairs"),
                "matrix": N_("Matrix"),
                "mix": N_("Layouts mixed"),
                "table": N_("Tables"),
                "code": N_("Three implementations"),
            },
        ),
        "head_position": Number(
            label=N_("Position m"),
            help=N_("Where the token stands in the text, counted from 0."),
            default=12,
            low=0,
            high=SUPPORTED,
            stops=POSITIONS,
        ),
        "head_seed": Number(
            label=N_("Random seed"),
            help=N_("Another seed draws another vector."),
            default=0,
            low=0,
            high=9999,
            stops=[*range(10), *range(101, 10_000, 101)],
        ),
        "head_distance": Number(
            label=N_("Distance m - n"),
            help=N_("It stays the same while both positions shift."),
            default=5,
            low=0,
            high=1_000_000,
            stops=[stop for stop in POSITIONS if stop <= 1_000_000],
        ),
        # Frequencies.
        "freq_view": Choice(
            label=N_("View"),
            help=N_("Speed and wavelength of each pair, turns within the context, a sweep of the base, one speed for all, or other laws."),
            options={
                "speeds": N_("Speeds"),
                "turns": N_("Turns"),
                "sweep": N_("Sweep of the base"),
                "equal": N_("All alike"),
                "laws": N_("Other laws"),
            },
        ),
        "equal_speed": Choice(
            label=N_("One speed for all pairs"),
            help=N_("A speed whose period is a whole number of tokens, or 1 rad per token."),
            options={"period": N_("2π / T"), "one": N_("1 rad per token")},
        ),
        "equal_period": Number(
            label=N_("Period T (tokens)"),
            help=N_("All pairs make one turn in T tokens."),
            default=32,
            low=2,
            high=4096,
            stops=[2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 32, 48, 64, 100, 128, 256, 512, 1000, 1024, 2048, 4096],
        ),
        # Distance decay.
        "decay_view": Choice(
            label=N_("View"),
            help=N_("The score itself, many random q and k, bounds on the score, or the frequencies that it is made of."),
            options={"score": N_("Score"), "random": N_("Random q and k"), "bound": N_("Bounds"), "spectrum": N_("Spectrum")},
        ),
        "reach": Number(
            label=N_("Largest distance"),
            help=N_("The distance m - n at the right end of the axis, in tokens."),
            default=8192,
            low=2,
            high=SUPPORTED,
            stops=[
                2,
                16,
                64,
                256,
                1024,
                2048,
                4096,
                8192,
                16384,
                32768,
                65536,
                131072,
                262144,
                524288,
                1048576,
                2097152,
                4194304,
                SUPPORTED,
            ],
        ),
        "vectors": Choice(
            label=N_("q and k"),
            help=N_("All ones; a key built so that the score peaks at a chosen distance; or numbers of your own."),
            options={"ones": N_("q = k = ones"), "peak": N_("peak at a distance"), "typed": N_("typed")},
        ),
        "peak": Number(
            label=N_("Distance of the peak"),
            help=N_("The key is the query turned by this many tokens."),
            default=100,
            low=0,
            high=SUPPORTED,
            stops=POSITIONS,
        ),
        "q_head": Vector(
            label="q",
            help=N_("Up to 512 numbers; fewer than d are repeated, those beyond d are left out."),
            default="1, 0, -1, 0.5",
            shortest=1,
            longest=512,
            low=-1000,
            high=1000,
        ),
        "k_head": Vector(
            label="k",
            help=N_("Up to 512 numbers; fewer than d are repeated, those beyond d are left out."),
            default="1, 0.5, 0, 1",
            shortest=1,
            longest=512,
            low=-1000,
            high=1000,
        ),
        "seed": Number(
            label=N_("Random seed"), help=N_("Another seed draws other vectors."), default=0, low=0, high=9999, stops=range(0, 10_000, 101)
        ),
        "tokens": Number(
            label=N_("Tokens in the spectrum"),
            help=N_("How many tokens of the score curve the Fourier transform sees."),
            default=4096,
            low=16,
            high=1_048_576,
            stops=[2**power for power in range(4, 21)],
        ),
        # Attention.
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
            stops=[2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128, 192, 256],
        ),
        "alike": Choice(
            label=N_("q and k"),
            help=N_("Every token has its own q and k, or all have the same q and the same k; v always differs."),
            options={"random": N_("random"), "alike": N_("all alike")},
        ),
        "attention_seed": Number(
            label=N_("Random seed"), help=N_("Another seed draws other vectors."), default=0, low=0, high=9999, stops=range(0, 10_000, 101)
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
            stops=range(1, 9),
        ),
        # Base and context.
        "bases_view": Choice(
            label=N_("View"),
            help=N_("Where the sum first turns negative, the sum itself, or how many coordinates come round within the context."),
            options={"first": N_("First negative distance"), "heat": N_("Sum at every distance"), "critical": N_("Critical dimension")},
        ),
    }
    | EXTENSION
    | MODELS
    | GLOSSARY
)

SHARED = ("base", "head_dim", "rotary", "layout", "context", "scaling")
"""Drawn by the shell on every page; all others by exactly one page."""
