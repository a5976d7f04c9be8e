"""Claims of the pages Frequencies and Glossary."""

from itertools import pairwise

from tests.truth.heads import TAU, Head, cosines, head_of, plain_of, sweep
from tests.truth.learn import always
from tests.truth.sentences import claim, says, value


def about(text, exact):
    """Return whether four written digits, or one decimal, are those of a number."""
    return says(text, exact, 0.6) or abs(value(text) - exact) <= 6e-4 * abs(exact)


claim(
    "frequencies", "With 1 rad per token no two positions ever get the same code.", "tokens, so no two positions ever get the same code."
)(always)
claim("frequencies", "Pair 0 turns by 1 rad per token whatever the base.", "met in steps of the speed of the pair.")(always)
claim(
    "frequencies",
    "With the speeds of RoPE all pairs would have to be back at once:",
    "For p + T to be a position, T must be a whole number of tokens.",
)(always)
claim("frequencies", "No number of turns is a whole number of tokens", "A full bar is a whole circle")(always)


def ends(speeds):
    """Return the fastest pair, and the slowest of those that turn, the last of several."""
    moving = [i for i, speed in enumerate(speeds) if speed > 0]
    slowest = min(speeds[i] for i in moving)
    return max(range(len(speeds)), key=lambda i: (speeds[i], -i)), max(i for i in moving if speeds[i] <= slowest * (1 + 1e-13))


@claim(
    "frequencies",
    "Pair {first}, the fastest, turns by {fast} rad per token: one turn in {short} tokens. Pair {last}, the slowest, "
    "turns by {slow} rad per token: one turn in {long} tokens.",
    "Pair {first}, the fastest, turns by {fast} rad per token: one turn in {short} tokens. Pair {last}, the slowest "
    "of those that turn, by {slow} rad per token: one turn in {long} tokens.",
)
def frequency_ends(settings, first, fast, short, last, slow, long):
    speeds = head_of(settings).speeds()
    assert (int(first), int(last)) == ends(speeds)
    for pair, speed, turn in ((int(first), fast, short), (int(last), slow, long)):
        assert abs(value(speed) - speeds[pair]) <= 6e-6 * speeds[pair]
        assert about(turn, TAU / speeds[pair])


@claim("frequencies", "The only pair turns by {fast} rad per token: one turn in {short} tokens.")
def frequency_only(settings, fast, short):
    [speed] = head_of(settings).speeds()
    assert abs(value(fast) - speed) <= 6e-6 * speed
    assert about(short, TAU / speed)


def open_pairs(speeds, length):
    return [i for i, speed in enumerate(speeds) if length * speed < TAU]


@claim(
    "frequencies",
    "{longer} of {pairs} pairs never finish a turn in {context} steps: pair {first} ({speed} rad per token) and all after it.",
)
def frequency_unfinished(settings, longer, pairs, context, first, speed):
    head = head_of(settings)
    still_open = open_pairs(head.speeds(), head.length)
    assert still_open == list(range(int(first), head.pairs))
    assert (int(longer), int(pairs), value(context)) == (len(still_open), head.pairs, head.length)
    assert abs(value(speed) - head.speeds()[int(first)]) <= 6e-6 * value(speed)


@claim("frequencies", "{longer} of {pairs} pairs never finish a turn in {context} steps; the first of them is pair {first}")
def frequency_some_unfinished(settings, longer, pairs, context, first):
    head = head_of(settings)
    still_open = open_pairs(head.speeds(), head.length)
    assert (int(longer), int(pairs), value(context), int(first)) == (len(still_open), head.pairs, head.length, still_open[0])


@claim("frequencies", "Every pair makes at least one turn in {context} steps.")
def frequency_finished(settings, context):
    head = head_of(settings)
    assert value(context) == head.length
    assert not open_pairs(head.speeds(), head.length)


@claim("frequencies", "That is at the scaled speeds; at those of the plain law there are {count} such pairs.")
def frequency_scaled(settings, count):
    head = head_of(settings)
    assert head.method
    assert int(count) == len(open_pairs(head.plain, head.length))


@claim(
    "frequencies",
    "{pairs} pair{s:text}, from {fast} to {slow} rad per token; one turn takes {short} to {long} tokens. Pairs that take longer than the "
    "context of {context} token{t:text}: {longer}.",
)
def frequency_alt(settings, pairs, s, fast, slow, short, long, longer, context, t):
    head = head_of(settings)
    speeds = head.speeds()
    first, last = ends(speeds)
    assert (int(pairs), value(context), int(longer)) == (head.pairs, head.length, len(open_pairs(speeds, head.length)))
    assert abs(value(fast) - speeds[first]) <= 6e-6 * speeds[first]
    assert about(long, TAU / speeds[last])


@claim(
    "frequencies", "In {length} tokens pair {first} makes {fast} turns and pair {last} {slow}; {longer} of {pairs} pairs never finish one."
)
def frequency_turns_alt(settings, length, first, fast, last, slow, longer, pairs):
    head = head_of(settings)
    speeds = head.speeds()
    assert (value(length), int(first), int(last), int(pairs)) == (head.length, *ends(speeds), head.pairs)
    assert about(slow, head.length * speeds[int(last)] / TAU)
    assert about(fast, head.length * speeds[int(first)] / TAU)
    assert int(longer) == len(open_pairs(speeds, head.length))


@claim("frequencies", "steps of one token turn pair {first} ({speed} rad per token) {fast} times, pair {last} {slow} times: {degrees}°.")
def frequency_steps(settings, first, speed, fast, last, slow, degrees):
    head = head_of(settings)
    speeds = head.speeds()
    assert (int(first), int(last)) == ends(speeds)
    assert about(fast, head.length * speeds[int(first)] / TAU)
    assert about(degrees, 360 * head.length * speeds[int(last)] / TAU)


@claim("frequencies", "A longer text turns them to angles that they have not met.")
def frequency_new_angles(settings):
    head = head_of(settings)
    assert not head.method
    assert all(head.length * head.plain[i] < TAU for i in open_pairs(head.plain, head.length))  # the next position is new


@claim("frequencies", "From position 0 to {end}, one step fewer, pair {last} sweeps {share} % of its circle.")
def frequency_sweeps(settings, end, last, share):
    head = head_of(settings)
    speeds = head.speeds()
    assert (value(end), int(last)) == (head.length - 1, ends(speeds)[1])
    assert abs(value(share) - 100 * sweep(speeds[int(last)], head.length)) <= 6e-4 * value(share)


@claim(
    "frequencies",
    "At base {base} the speed falls from each pair to the next by the factor {law:text} = {factor}: even steps on a log axis.",
)
def frequency_law(settings, base, law, factor):
    head = head_of(settings)
    ratios = [a / b for a, b in pairwise(head.plain)]
    assert all(abs(ratio - value(factor)) <= 6e-6 * ratio for ratio in ratios)


@claim("frequencies", "With one pair the base changes nothing: pair 0 turns by 1 rad per token whatever the base.")
def frequency_one_pair(settings):
    assert head_of(settings).pairs == 1


@claim("frequencies decay", "{kept} of {pairs} pairs keep the speed of the plain law")
def method_keeps(settings, kept, pairs):
    head = head_of(settings)
    speeds = head.speeds()
    assert int(pairs) == head.pairs
    assert int(kept) == sum(abs(now / fast - 1) < 1e-11 for now, fast in zip(speeds, head.plain, strict=True))


@claim("frequencies decay", "Shown are the speeds of sequences up to {length} tokens; longer ones have others.")
def method_grows(settings, length):
    head = head_of(settings)
    assert value(length) == head.length
    assert head.method in ("dynamic", "longrope")


@claim("frequencies decay", "Cos and sin are multiplied by A = {factor}, scores of the rotated coordinates by A² = {square}.")
def method_factor(settings, factor, square):
    head = head_of(settings)
    assert abs(value(factor) - head.factor) <= 6e-6 * head.factor
    assert abs(value(square) - head.factor**2) <= 6e-6 * head.factor**2


# Sweep, one speed, other laws.


@claim("frequencies", "The only pair takes {first} tokens for one turn at every base.")
def sweep_of_one(settings, first):
    assert settings.whole("head_dim") == 2
    assert about(first, TAU)


@claim(
    "frequencies",
    "The wavelength of pair 0 is {first} tokens at every base. That of pair {last} goes from {low} tokens at base "
    "100 to {high} at base 1,000,000,000.",
)
def sweep_range(settings, first, last, low, high):
    width = settings.whole("head_dim")
    assert int(last) == width // 2 - 1
    for text, base in ((low, 1e2), (high, 1e9)):
        assert about(text, TAU * base ** ((width - 2) / width))


@claim(
    "frequencies",
    "Pairs that take longer than {context} token{s:text} for one turn, of {pairs} in all: {low} at base 100, {own} at your base of "
    "{base}, and {high} at base 1,000,000,000.",
)
def sweep_longer(settings, pairs, low, context, s, own, base, high):
    head = plain_of(settings)
    for text, each in ((low, 1e2), (own, head.base), (high, 1e9)):
        assert int(text) == len(open_pairs(Head(head.width, head.width, each, head.length).plain, head.length))


@claim(
    "frequencies",
    "All pairs turn by 2π / {period} = {speed} rad per token, so tokens at p and p + {again} get the same code: the "
    "mean cosines at distance {third} and 0 differ by {error} (rounding).",
)
def period_same(settings, period, speed, again, third, error):
    assert value(period) == value(again) == value(third) == settings.whole("equal_period")
    assert abs(value(speed) - TAU / value(period)) <= 6e-6 * value(speed)
    assert value(error) < 1e-12


@claim(
    "frequencies",
    "With the speeds of RoPE the mean cosine at distance {period} is {own}. From 1 to {reach} its highest is {high}, at distance {best}.",
)
def period_highest(settings, period, own, reach, high, best):
    head = plain_of(settings)
    mean = cosines(tuple(head.plain), int(value(reach)) + 1) / head.pairs
    assert says(own, mean[int(value(period))])
    assert mean[1:].max() <= mean[int(value(best))] + 1e-12
    assert abs(value(high) - mean[1:].max()) <= 1e-9


@claim(
    "frequencies",
    "With one speed for all pairs the mean cosine is {start} at distance 0 and {back} at {period}; with the speeds "
    "of RoPE it is {own} there.",
)
def period_alt(settings, start, back, period, own):
    assert value(start) == value(back) == 1
    head = plain_of(settings)
    assert says(own, cosines(tuple(head.plain), int(value(period)) + 1)[-1] / head.pairs)


def apart(speeds, distance):
    return max(abs(distance * speed - TAU * round(distance * speed / TAU)) for speed in speeds)


@claim(
    "frequencies",
    "distance {near} is {turns} turns and {gap} rad, the nearest from 1 to {reach}.",
    "distance {near} comes within {gap} rad of full turns, the nearest of 1 to {reach}; none is exact.",
)
def return_nearest(_settings, near, gap, reach, turns=None):
    gaps = {distance: apart([1.0], distance) for distance in range(1, int(value(reach)) + 1)}
    assert min(gaps.values()) == gaps[int(near)] > 0
    assert abs(value(gap) - gaps[int(near)]) <= 0.06 * value(gap)


@claim("frequencies", "at the best distance from 1 to {reach}, {best}, the worst pair is still {gap} rad away from where it was.")
def return_best(settings, reach, best, gap):
    speeds = plain_of(settings).plain
    gaps = {distance: apart(speeds, distance) for distance in range(1, int(value(reach)) + 1)}
    assert gaps[int(value(best))] <= min(gaps.values()) + 1e-9
    assert abs(value(gap) - gaps[int(value(best))]) <= 6e-3 * value(gap) + 1e-9


def laws(settings):
    head = plain_of(settings)
    last = head.plain[-1]
    even = [1 - i * (1 - last) / max(1, head.pairs - 1) for i in range(head.pairs)]
    return head, head.plain, even


@claim(
    "frequencies",
    "At distances 1, 10 and 100 the mean cosine is {a}, {b}, {c} under the geometric law and {d}, {e}, {f} under the linear one.",
)
def law_means(settings, a, b, c, d, e, f):
    head, geometric, linear = laws(settings)
    for speeds, texts in ((geometric, (a, b, c)), (linear, (d, e, f))):
        for distance, text in zip((1, 10, 100), texts, strict=True):
            assert says(text, cosines(tuple(speeds), 101)[distance] / head.pairs)


@claim("frequencies", "near there the mean cosine reaches {high}, at distance {best}.")
def law_revival(settings, view, high, best):
    head, _, linear = laws(settings)
    at = int(value(best))
    assert says(high, cosines(tuple(linear), at + 1)[at] / head.pairs)


@claim("frequencies", "Under the geometric law its highest value from distance {first} to {last} is {high}. {verdict:text}.")
def law_verdict(settings, view, first, last, high, verdict):
    head, geometric, linear = laws(settings)
    start, stop = int(value(first)), int(value(last)) + 1
    own, even = (cosines(tuple(speeds), stop)[start:].max() / head.pairs for speeds in (geometric, linear))
    assert says(high, own)
    if head.pairs == 2:
        assert "With two pairs the linear and the geometric law are the same" in verdict
    elif "makes far tokens look near" in verdict:
        assert own < 0.9 * even
    elif "nearly as high" in verdict:
        assert 0.9 * even <= own <= even
    else:
        assert "at least as high" in verdict
        assert own >= even - 1e-12


claim(
    "frequencies",
    "so after 2π / {step} = {meeting} tokens all pairs point the same way again",
    "so all pairs point the same way again near distance {meeting}",
)(always)
claim("frequencies", "With one pair all three laws are the same: {speed} rad per token.")(
    lambda settings, speed: settings.whole("head_dim") == 2
)


# Glossary.


@claim(
    "glossary",
    "pair 0 by {fast} rad at every base, pair {last}, the slowest, by {slow} rad.",
    "pair 0 turns by {fast} rad per token, pair {last} by {slow}.",
)
def glossary_ends(settings, fast, last, slow):
    head = plain_of(settings)
    assert (value(fast), int(last)) == (1, head.pairs - 1)
    assert abs(value(slow) - head.plain[-1]) <= 6e-6 * head.plain[-1]


@claim("glossary", "{longer} are longer than L = {length}.")
def glossary_longer(settings, longer, length):
    head = plain_of(settings)
    assert (value(length), int(longer)) == (head.length, len(open_pairs(head.plain, head.length)))


@claim("glossary", "Within the context length L = {length} every one of the {pairs} pairs makes at least one turn.")
def glossary_all(settings, length, pairs):
    head = plain_of(settings)
    assert (value(length), int(pairs), open_pairs(head.plain, head.length)) == (head.length, head.pairs, [])


@claim("glossary", "there are pairs that make less than one turn: {longer} of {pairs}. A longer text turns them to unseen angles.")
def glossary_some(settings, longer, pairs):
    head = plain_of(settings)
    assert (int(longer), int(pairs)) == (len(open_pairs(head.plain, head.length)), head.pairs)
