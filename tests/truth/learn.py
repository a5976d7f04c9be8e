"""Claims of the pages Start, Rotate a pair, A whole head and Attention."""

import math

import mpmath
import numpy as np

from tests.truth.heads import TAU, exact_turn, plain_of, turning_width
from tests.truth.sentences import claim, says, value


def always(*_settings, **_numbers):
    """Hold what depends on no setting: it was read and found true, once."""
    return True


claim("start", "The attention score sees nothing else of their positions.", "the formula gives an angle for every position")(always)
claim("start", "Over longer distances, pairs too slow to have finished a turn reach angles that are new to the model")(always)
claim("pair", "One turn of both arrows together changes neither their lengths nor the angle between them")(always)


@claim(
    "start",
    "At position {m} pair 0, the fastest, has turned by {fast} rad (full turns: {turns}). Pair {last}, the slowest, "
    "has turned by {slow} rad.",
)
def start_turns(settings, m, fast, turns, last, slow):
    head, position = plain_of(settings), settings.whole("position")
    assert min(range(head.pairs), key=head.plain.__getitem__) == int(last)
    assert says(m, position)
    assert says(fast, position)
    assert int(value(turns)) == int(exact_turn(head.base, head.width, 0, position) / (2 * mpmath.pi))
    assert says(slow, float(exact_turn(head.base, head.width, head.pairs - 1, position)))


@claim("start", "At position {m} it has turned by {again} rad (full turns: {turns}).")
def start_turns_of_one_pair(settings, m, again, turns):
    assert settings.whole("head_dim") == 2
    assert value(m) == value(again) == settings.whole("position")
    assert int(value(turns)) == int(settings.whole("position") / TAU)


@claim("start", "Two tokens {gap} places apart differ by {fast} rad in pair 0 and by {slow} rad in pair {last}, wherever they stand.")
def start_gap(settings, gap, fast, slow, last):
    head = plain_of(settings)
    assert int(last) == head.pairs - 1
    assert says(fast, value(gap))
    assert says(slow, float(exact_turn(head.base, head.width, head.pairs - 1, int(value(gap)))))


@claim("start", "Two tokens {gap} places apart differ by {again} rad, wherever they stand.")
def start_gap_of_one_pair(_settings, gap, again):
    assert value(gap) == value(again)


@claim(
    "start",
    "With q and k of (1, 0) in each of the {pairs} pairs, the score is the sum of the cosines of these angles: {score} at every "
    "position m.",
)
def start_score(settings, pairs, score):
    head, gap = plain_of(settings), settings.whole("gap")
    assert int(value(pairs)) == head.pairs
    exact = sum(mpmath.cos(exact_turn(head.base, head.width, pair, gap)) for pair in range(head.pairs))
    assert abs(value(score) - exact) <= 1e-3 * abs(exact) + 1e-6


def pair_speed(settings):
    """Return the speed of the pair that is shown, with 40 digits, and the distance to which float64 rounds an own one."""
    if settings["speed"] == "own":
        return mpmath.mpf(settings.number("degrees")) * mpmath.pi / 180
    width, pair = settings.whole("head_dim"), settings.whole("pair")
    return mpmath.power(mpmath.mpf(settings.number("base")), mpmath.mpf(-2 * pair) / width)


def pair_score(settings, shift=0):
    q, k = (mpmath.mpc(*settings.vector(name)) for name in "qk")
    m, n = settings.whole("m") + shift, settings.whole("n") + shift
    return mpmath.re(q * mpmath.conj(k) * mpmath.expj((m - n) * pair_speed(settings)))


def coded_score(settings, shift):
    total = mpmath.mpf(0)
    rows = []
    for name, at in (("q", "m"), ("k", "n")):
        angle = (settings.whole(at) + shift) * pair_speed(settings)
        rows.append([x + code for x, code in zip(settings.vector(name), (mpmath.sin(angle), mpmath.cos(angle)), strict=True)])
    return total + sum(a * b for a, b in zip(*rows, strict=True))


@claim(
    "pair",
    "so only the distance m - n = {distance} counts. Three ways to compute the score from the same speed in float64 "
    "agree: {one}, {two}, {three}.",
)
def pair_three(settings, distance, one, two, three):
    assert value(distance) == settings.whole("m") - settings.whole("n")
    with mpmath.workdps(40):
        for text in (one, two, three):
            assert says(text, float(pair_score(settings)), slack=1.01)
    assert abs(value(one) - value(two)) <= 2.01 * 10.0 ** -len(one.partition(".")[2])


@claim("pair", "the score of RoPE varies by {rope} (rounding), with an added sinusoidal code of the same speed it varies by {additive}.")
def pair_varies(settings, rope, additive):
    with mpmath.workdps(40):
        coded = [float(coded_score(settings, shift)) for shift in range(101)]
    size = (math.hypot(*settings.vector("q")) + 1) * (math.hypot(*settings.vector("k")) + 1)
    rounding = size * 1e-15 * (settings.whole("m") + settings.whole("n") + 200) * max(1, float(pair_speed(settings)))
    assert value(rope) <= rounding
    assert abs(value(additive) - (max(coded) - min(coded))) <= 6e-4 * (max(coded) - min(coded)) + 2 * rounding


@claim("pair", "Shifted by {shift}, q stands at {m} and k at {n}: the score of RoPE is {rope}, with the added code it is {additive}.")
def pair_shifted(settings, shift, m, n, rope, additive):
    s = int(value(shift))
    assert (value(m) - s, value(n) - s) == (settings.whole("m"), settings.whole("n"))
    with mpmath.workdps(40):
        assert says(rope, float(pair_score(settings)), slack=1.01)
        assert says(additive, float(coded_score(settings, s)), slack=1.01)


def head_widths(settings):
    width = settings.whole("head_dim")
    return width, turning_width(width, settings.number("rotary"))


claim("head", "No pair touches another.", "All shapes fit and nothing raises an error.", "The mistake is no rotation either")(always)
claim("head", "the complex view and the slices both join 2i and 2i + 1, and so need no permutation between them.")(always)
claim("head", "Coordinates {first} to {last} do not turn: they are the same at every position.")(
    lambda settings, first, last: (int(first), int(last)) == (head_widths(settings)[1], settings.whole("head_dim") - 1)
)


@claim(
    "head", "matrices for position {m}, made of the same {pairs} blocks of 2 by 2 numbers; after the permutation they differ by {error}."
)
def head_matrices(settings, m, pairs, error):
    assert (value(m), int(pairs)) == (settings.whole("head_position"), head_widths(settings)[1] // 2)
    assert value(error) < 1e-12


@claim(
    "head",
    "Of the coordinates that turn, the permutation takes the even ones first, then the odd ones; after it the two "
    "matrices differ by {error}.",
)
def head_permuted(_settings, error):
    assert value(error) < 1e-12


@claim("head", "in the same order they differ by at most {error}.", "after it the two layouts differ by at most {error}.")
def head_same_order(_settings, error):
    assert value(error) < 1e-12


def mixed_vectors(settings):
    width, turning = head_widths(settings)
    q = np.arange(1.0, width + 1)
    return q, q[::-1], turning


def layout_score(settings, layout):
    """Return the score at the distance, from complex numbers with 40 digits."""
    q, k, turning = mixed_vectors(settings)
    half, distance = turning // 2, settings.whole("head_distance")
    places = [(i, i + half) if layout == "half" else (2 * i, 2 * i + 1) for i in range(half)]
    with mpmath.workdps(40):
        total = mpmath.mpf(float(np.dot(q[turning:], k[turning:])))
        for i, (a, b) in enumerate(places):
            angle = exact_turn(settings.number("base"), turning, i, distance)
            total += mpmath.re(mpmath.mpc(q[a], q[b]) * mpmath.conj(mpmath.mpc(k[a], k[b])) * mpmath.expj(angle))
        return float(total)


@claim(
    "head",
    "at distance {distance} the score is {half} in half and {inter} in interleaved layout; shifts of 0 to 100 and of "
    "1,000 change it by {flat} at most (rounding).",
)
def head_mix(settings, distance, half, inter, flat):
    q, _, _ = mixed_vectors(settings)
    assert value(distance) == settings.whole("head_distance")
    assert says(half, layout_score(settings, "half"), slack=1.01)
    assert says(inter, layout_score(settings, "interleaved"), slack=1.01)
    assert value(flat) <= float(q @ q) * (value(distance) + 3000) * 1e-15


@claim("head", "With {pairs} pair both layouts are the same, and there is nothing to mix.")
def head_one_pair(settings, pairs):
    assert int(pairs) == 1 == head_widths(settings)[1] // 2


@claim("head", "The sinusoidal code holds the same {count} numbers a row, drawn with its sines first.")
def head_sinusoidal(settings, count):
    width, turning = head_widths(settings)
    assert int(count) == width == turning


@claim(
    "head",
    "The sinusoidal code is added to the vector and has {all} speeds for its {d} coordinates; here RoPE has {pairs}, "
    "and {still} coordinates keep cos = 1 and sin = 0.",
)
def head_sinusoidal_beside_a_part(settings, all, d, pairs, still):
    width, turning = head_widths(settings)
    assert (int(all), int(d), int(pairs), int(still)) == (width // 2, width, turning // 2, width - turning)


@claim(
    "head",
    "from position 0 to {end}, pair 0 makes {fast} turns and pair {last} {slow}.",
    "over positions 0 to {end} and {d} coordinates, and the sinusoidal code. Pair 0 makes {fast} turns, pair {last} {slow}.",
)
def head_table(settings, end, fast, last, slow, d=None):
    turning = head_widths(settings)[1]
    speed = settings.number("base") ** (-(turning - 2) / turning)
    assert int(last) == turning // 2 - 1
    assert says(fast, int(end) / TAU, 0.6)
    assert says(slow, int(end) * speed / TAU, 0.6)


def columns(view, *names):
    return [np.asarray(view.columns[name], dtype=float) for name in names]


# Attention: the scores themselves are held against oracles in tests/rope_core; here what is said of them.

claim("attention", "Scores of {a} queries with {b} keys under {c:text}: from {low} to {high}.", "Set q and k alike to see position alone.")(
    always
)
claim("attention", "All tokens alike: their content adds one number to every score, and the softmax does not see it.")(always)
claim(
    "attention",
    "What is left is position.",
    "All tokens alike:",
    "Random tokens:",
    "Each token brings its own q and k, and that content makes them differ under every encoding.",
)(always)
claim("attention", "Here the code is added to q and k", "first Transformer adds it to the embeddings, so that v carries it too.")(always)
claim("attention", "Every row sums to 1.", "There is no encoding that could change it.", "only a causal mask still knows an order.")(always)
claim("attention", "Without an encoding a score knows no position.", "Each output is a mix of all rows of v.", "Attention weights under")(
    always
)
claim("attention", "Position changes the weights, not the values.", "The standard deviation of all numbers goes")(always)
claim("attention", "it does not divide", "It does not divide by √d", "T5 adds one learned number for each of 32 ranges of distance")(always)


def spread_of_diagonals(view_settings, view):
    query, key, score = columns(view, "query", "key", "score")
    by = {}
    for distance, each in zip(query - key, score, strict=True):
        by.setdefault(distance, []).append(each)
    return max(max(some) - min(some) for some in by.values())


@claim(
    "attention",
    "scores at one distance differ by at most {spread} (rounding), so {code:text} knows only the distance.",
    "All tokens alike: scores at one distance still differ, by up to {spread}.",
    "where the distance m - n is the same, scores differ by up to {spread}:",
    "All tokens alike: all scores are the same, to within {spread}.",
)
def attention_spread(settings, view, spread, code=""):
    if "score" not in view.columns:
        low, high = columns(view, "alike_lowest", "alike_highest")
        found = (high - low).max()
    else:
        found = spread_of_diagonals(settings, view)
    assert says(spread, found) or value(spread) <= 1.6 * found <= 1e-11
    if code:
        assert found < 1e-11


@claim("attention", "Scores at one distance differ by at most {same} if all tokens are alike, and by up to {other} if they are random.")
def attention_both(_settings, view, same, other):
    low, high, few, many = columns(view, "alike_lowest", "alike_highest", "random_lowest", "random_highest")
    assert says(other, (many - few).max())
    assert abs(value(same) - (high - low).max()) <= 0.6 * max(value(same), 1e-17)


@claim("attention", "Random tokens: scores at one distance differ by up to {other}.")
def attention_random(_settings, view, other):
    low, high = columns(view, "random_lowest", "random_highest")
    assert says(other, (high - low).max())


@claim("attention", "distance {last} and its opposite occur only once, so nothing can differ there.")
def attention_ends(settings, view, last):
    low, high = columns(view, "random_lowest", "random_highest")
    assert int(last) == settings.whole("tokens_seen") - 1
    assert low[0] == high[0]
    assert low[-1] == high[-1]


def row_of(view, query):
    at, key, weight = columns(view, "query", "key", "weight")
    return dict(zip(key[at == query], weight[at == query], strict=True))


@claim("attention", "the largest weight of query {query} is {weight} of 1, first at key {key}.")
def attention_largest(settings, view, query, weight, key):
    row = row_of(view, int(query))
    assert int(query) == settings.whole("tokens_seen") - 1
    assert says(weight, max(row.values()))
    assert row[int(key)] >= max(row.values()) * (1 - 1e-8)


@claim(
    "attention",
    "The last query, {query}, gives most to key {key}: {weight}; to itself {own}. Its weights are spread as if over {spread} equal keys.",
)
def attention_most(settings, view, query, key, weight, own, spread):
    row = row_of(view, int(query))
    assert row[int(key)] == max(row.values())
    assert says(weight, max(row.values()))
    assert says(own, row[int(query)])
    assert says(spread, math.exp(-sum(p * math.log(p) for p in row.values() if p)))


@claim("attention", "The last query, {query}, gives every key the same: {weight}.")
def attention_uniform(settings, view, query, weight):
    row = row_of(view, int(query))
    assert says(weight, 1 / len(row))
    assert max(row.values()) - min(row.values()) < 1e-8


@claim("attention", "The last query, {query}, gives most to {count} keys alike, the first of them {key}: {weight} each; to itself {own}.")
def attention_several(settings, view, query, count, key, weight, own):
    row = row_of(view, int(query))
    most = [at for at, each in sorted(row.items()) if each >= max(row.values()) * (1 - 1e-8)]
    assert (len(most), most[0]) == (int(count), int(key))
    assert says(weight, max(row.values()))
    assert says(own, row[int(query)])


@claim("attention", "Causal: query m sees the keys 0 to m. Query 0 sees one key and gives it {one}; the last sees all {tokens}.")
def attention_causal(settings, one, tokens):
    assert (settings["causal"], int(one), int(tokens)) == ("causal", 1, settings.whole("tokens_seen"))


@claim("attention", "Every query sees all {tokens} keys, those after it too: the matrix has {cells} weights.")
def attention_full(settings, tokens, cells):
    assert (settings["causal"], value(cells), int(tokens)) == ("full", int(tokens) ** 2, settings.whole("tokens_seen"))


@claim("attention", "Nothing is left: every query shares its weight equally among the keys that it sees.")
def attention_nothing_left(settings, view):
    for query in range(settings.whole("tokens_seen")):
        row = row_of(view, query)
        assert max(row.values()) - min(row.values()) < 1e-8


@claim("attention", "Head {head} of {heads} takes {slope} off the score for every token of distance")
def attention_alibi(settings, head, heads, slope):
    assert (int(head), int(heads)) == (settings.whole("alibi_head"), 8)
    assert value(slope) == 2.0 ** -int(head)


@claim("attention", "changes a score by up to {change}.")
def attention_change(settings, view, change):
    assert value(change) >= 0
    assert settings["encoding"] in ("rope", "sinusoidal")


def outputs(settings, view):
    count, width = settings.whole("tokens_seen"), settings.whole("head_dim")
    return [each.reshape(count, width) for each in columns(view, "v", "output")]


@claim("attention", "the output differs from v by up to {step}.")
def attention_step(settings, view, step):
    v, output = outputs(settings, view)
    assert says(step, np.abs(output - v).max())


@claim(
    "attention",
    "Query 0 sees only itself, so its output differs from its v by {first}.",
    "That of query 0 differs from its own v by up to {first}.",
)
def attention_first(settings, view, first):
    v, output = outputs(settings, view)
    assert abs(value(first) - np.abs(output[0] - v[0]).max()) <= 1e-3 * value(first)
    assert value(first) == 0 or settings["causal"] == "full"
