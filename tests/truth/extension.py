"""Claims of the page Context extension."""

import math

import numpy as np

from parameters.extension import PHI_LISTS
from tests.oracles import scaling as methods
from tests.truth.frequencies import about, open_pairs
from tests.truth.heads import TAU, Head, cosines, sweep
from tests.truth.learn import always
from tests.truth.sentences import claim, says, value


class Extension:
    """The page about context extension, recomputed from its address."""

    def __init__(self, settings):
        self.settings = settings
        self.width, self.base = settings.whole("head_dim"), settings.number("base")
        self.trained = settings.whole("context")
        self.length = max(settings.whole("target"), self.trained)
        self.stretch = self.length / self.trained
        self.asked = settings.text("method")
        unusable = (self.asked in ("ntk", "dynamic") and self.width == 2) or (self.asked == "longrope" and self.trained == 1)
        self.method = "none" if unusable else self.asked
        self.pairs = self.width // 2
        self.plain = methods.plain(self.width, self.base)

    @property
    def shares(self):
        """What is kept of every speed, of a method with bands: engines' ramp by index in mpmath, or the paper's by turns."""
        option = self.settings
        if self.method == "yarn" and option["ramp"] == "index":
            kept = {"beta_slow": option.number("beta_slow"), "truncate": option["truncate"] == "on"}
            first, last = methods.yarn_bounds(self.width, self.base, self.trained, **kept)
            return [1 - min(1.0, max(0.0, (i - first) / (last - first))) for i in range(self.pairs)]
        few, many = (1, 4) if self.method == "llama3" else (option.number("beta_slow") if self.method == "yarn" else 1, 32)
        turns = [self.trained * speed / TAU for speed in self.plain]
        if few == many:
            return [float(turn >= many) for turn in turns]
        return [min(1.0, max(0.0, (turn - few) / (many - few))) for turn in turns]

    @property
    def speeds(self):
        if self.method in ("yarn", "parts", "llama3"):
            return [speed * share + speed / self.stretch * (1 - share) for speed, share in zip(self.plain, self.shares, strict=True)]
        lists = {name: np.interp(np.linspace(0, 47, self.pairs), np.arange(48), divisors).round(4) for name, divisors in PHI_LISTS.items()}
        lists = PHI_LISTS if self.pairs == 48 else lists
        return methods.usual(self.method, self.width, self.base, self.trained, self.length, lists)

    @property
    def factor(self):
        option = self.settings
        if self.asked == "yarn" and option["attention_rule"] == "ratio":
            return methods.yarn_attention_factor(self.stretch, None, option.number("mscale"), option.number("mscale_all_dim"))
        if self.asked == "longrope" and self.trained == 1:
            return 1.0
        return methods.usual_attention_factor(self.asked, self.trained, self.length)

    @property
    def used_factor(self):
        return self.factor if self.method == self.asked else 1.0


claim("extension", "The chosen method has the settings above, every other one its usual settings.", "Every distance was counted;")(always)
claim(
    "extension",
    "There are no bands with {m:text}:",
    "Without a method there are no bands: every speed stays.",
    "No real model stands behind these numbers:",
)(always)
claim(
    "extension",
    "whatever the trained length.",
    "With two tables the score no longer depends on the distance alone.",
    "A text of one token has no other distance.",
)(always)
claim("extension", "transformers rebuilds the table when a text grows past the longest so far", "vLLM has one table for every text")(always)
claim("extension", "generate() drops the cache at that point, once", "vLLM takes the long list from the first token on")(always)
claim(
    "extension",
    "such a key keeps that table only where an engine does not rebuild it.",
    "Left out, because they cannot be used",
    "cannot be used here",
)(always)
claim("extension", "LongRoPE's rule is A = √(1 + ln s / ln L), under both of its lists alike", "the model needs fine-tuning.")(always)
claim("extension", "Shortest wavelength {short}, longest {long} tokens.")(
    lambda settings, short, long: about(short, TAU) and about(long, TAU / Extension(settings).plain[-1])
)
claim("extension", "Pairs that keep their whole speed with", "Proportional rotation has no bands:", "With no method:")(always)


@claim("extension", "New speed over old with {method:text}: {first} in pair 0, {end} in pair {last}.")
def extension_left(settings, method, first, end, last):
    x = Extension(settings)
    assert int(last) == x.pairs - 1
    for pair, text in ((0, first), (-1, end)):
        assert abs(value(text) - x.speeds[pair] / x.plain[pair]) <= 6e-5 * value(text)


@claim("extension", "New speed over old with {method:text}: {first} in the only pair.")
def extension_only_left(settings, method, first):
    x = Extension(settings)
    assert x.pairs == 1
    assert abs(value(first) - x.speeds[0]) <= 6e-5 * value(first)


@claim(
    "extension",
    "at distance 0, which a log axis cannot show, the score is {zero} in training and {new} with",
    "Score of q = k = ones: {zero} at distance 0 in training, {new} with",
)
def extension_zero(settings, zero, new):
    x = Extension(settings)
    assert value(zero) == x.width
    assert abs(value(new) - x.width * x.used_factor**2) <= 6e-6 * value(new)


@claim("extension", "With {method:text} it lies between {low} and {high} over")
def extension_range(settings, view, method, low, high):
    x = Extension(settings)
    if x.length <= 20_000:
        curve = 2 * x.used_factor**2 * cosines(tuple(x.speeds), x.length)[1:]
        assert abs(value(low) - curve.min()) <= 6e-6 * abs(curve.min()) + 1e-6
        assert abs(value(high) - curve.max()) <= 6e-6 * abs(curve.max()) + 1e-6


@claim("extension", "Without a method it lies between {low} and {high} at the distances that training never had.")
def extension_beyond(settings, low, high):
    x = Extension(settings)
    assert x.length > x.trained
    if x.length <= 20_000:
        curve = 2 * cosines(tuple(x.plain), x.length)[x.trained :]
        assert abs(value(low) - curve.min()) <= 6e-6 * abs(curve.min()) + 1e-6
        assert abs(value(high) - curve.max()) <= 6e-6 * abs(curve.max()) + 1e-6


@claim("extension", "The target is not longer than the trained length of {trained} token")
def extension_no_target(settings, trained):
    assert value(trained) == settings.whole("context") >= settings.whole("target")


@claim("extension", "With {method:text} one table serves every length")
def extension_one_table(settings, method):
    assert Extension(settings).method not in ("dynamic", "longrope")


@claim("extension", "query at position {query}, key at {key}: score {score}, the same as at distance {distance} anywhere else.")
def extension_score(settings, query, key, score, distance):
    x = Extension(settings)
    r = x.length - 1 - settings.whole("key_at")
    assert (value(query), value(key), value(distance)) == (x.length - 1, settings.whole("key_at"), r)
    exact = 2 * x.used_factor**2 * math.fsum(math.cos(r * speed) for speed in x.speeds)
    assert abs(value(score) - exact) <= 1.01 * 10.0 ** -len(score.partition(".")[2]) + 1e-8


@claim(
    "extension",
    "Texts within {trained} token{s:text} turned by the same table.",
    "Texts within {trained} token are turned by the same table.",
)
def extension_same_table(settings, trained, s=""):
    assert value(trained) == settings.whole("context")


@claim("extension", "are turned by the stretched table too, and not as in training.")
def extension_price(settings):
    x = Extension(settings)
    assert x.stretch > 1
    assert x.method not in ("none", "proportional")


@claim("extension", "{method:text} changes no speed at s = 1: kept and divided are the same there.")
def extension_bands_at_one(settings, method):
    assert Extension(settings).stretch == 1


@claim("extension", "NTK-aware scaling changes nothing at s = 1: the base stays {base}.")
def extension_ntk_at_one(settings, base):
    x = Extension(settings)
    assert x.stretch == 1
    assert abs(value(base) - x.base) <= 6e-6 * x.base


@claim(
    "extension",
    "scaling leaves pair 0 alone and divides the speed of pair {last} by s, those between by powers of it: the same as base {base}.",
    "scaling leaves pair 0 alone and divides the speed of pair {last} by s: the same as base {base}.",
)
def extension_ntk(settings, last, base):
    x = Extension(settings)
    assert int(last) == x.pairs - 1
    law = methods.plain(x.width, x.base * x.stretch ** (x.width / (x.width - 2)))
    assert np.allclose(law, x.speeds, rtol=1e-12)
    assert abs(value(base) - x.base * x.stretch ** (x.width / (x.width - 2))) <= 6e-6 * value(base)


@claim("extension", "Linear scaling divides every speed by s; at s = 1 all of them stay.")
def extension_linear_at_one(settings):
    assert Extension(settings).stretch == 1


@claim("extension", "Linear scaling divides every speed by s. Neighbouring tokens are {step} rad apart in pair 0")
def extension_linear(settings, step):
    assert abs(value(step) - settings.whole("context") / Extension(settings).length) <= 6e-6 * value(step)


@claim(
    "extension",
    "Of {pairs} pairs only the fastest turn as before, here {turning}; the others stand still",
    "Of {pairs} pair only the fastest turn as before, here {turning}; the others stand still",
)
def extension_still(settings, pairs, turning):
    x = Extension(settings)
    assert (int(pairs), int(turning)) == (x.pairs, sum(speed > 0 for speed in x.speeds))
    assert all(speed == fast for speed, fast in zip(x.speeds, x.plain, strict=True) if speed)


claim("extension", "what a slow pair would have told of far distances is given up, and no factor s enters.")(always)


@claim("extension", "So small a share leaves no pair that turns: the score knows no position.")
def extension_all_still(settings):
    assert not any(Extension(settings).speeds)


@claim("extension", "of {pairs} pairs it keeps the fastest, here {count}", "of {pairs} pair it keeps the fastest, here {count}")
def extension_kept_fastest(settings, pairs, count):
    assert (int(pairs), int(count)) == (Extension(settings).pairs, sum(speed > 0 for speed in Extension(settings).speeds))


@claim("extension", "Without a method every pair keeps its speed")
def extension_none(settings):
    assert Extension(settings).method == "none"


@claim(
    "extension",
    "beyond {trained} token{s:text} a pair that has not come round turns on to angles never seen.",
    "beyond {trained} token a pair that has not come round turns on to angles never seen.",
)
def extension_none_beyond(settings, trained, s=""):
    x = Extension(settings)
    assert value(trained) == x.trained < x.length
    assert all((x.trained - 1) * speed < x.trained * speed < TAU or x.trained * speed >= TAU for speed in x.plain)


@claim("extension", "LongRoPE divides every pair by a number of its own, here from {low} to {high}.")
def extension_divisors(settings, low, high):
    x = Extension(settings)
    divisors = [fast / speed for fast, speed in zip(x.plain, x.speeds, strict=True)]
    assert abs(value(low) - min(divisors)) <= 6e-5 * value(low)
    assert abs(value(high) - max(divisors)) <= 6e-5 * value(high)


claim("extension", "LongRoPE divides every pair by a number of its own, here the only one by {low}.")(
    lambda settings, low: settings.whole("head_dim") == 2
)


@claim("extension", "{name:text} of Phi-3.5-mini, whose own factor is 32 and whose own A is {size}.")
def extension_phi(settings, name, size):
    assert Extension(settings).pairs == 48
    assert says(size, math.sqrt(1 + math.log(131_072 / 4096) / math.log(4096)))


# Unseen angles.


def never_round(x):
    return [i for i, speed in enumerate(x.plain) if (x.trained - 1) * speed < TAU]


@claim(
    "extension",
    "Pairs that never came round in training: {open} of {pairs}.",
    "In training {open} of {pairs} pairs never came round: pair {first} and all after it know a part of their circle only.",
)
def extension_open(settings, open, pairs, first=None):
    x = Extension(settings)
    left = never_round(x)
    assert (int(open), int(pairs)) == (len(left), x.pairs)
    assert first is None or left == list(range(int(first), x.pairs))


@claim("extension", "In training pair {first}, the slowest, never came round: it knows a part of its circle only.")
def extension_one_open(settings, first):
    x = Extension(settings)
    assert never_round(x) == [int(first)] == [x.pairs - 1]


@claim("extension", "In training the only pair never came round: it knows a part of its circle only.")
def extension_only_open(settings):
    assert (never_round(Extension(settings)), settings.whole("head_dim")) == ([0], 2)


@claim("extension", "In training every pair came round at least once: no angle lies more than one of its steps from one that it has met.")
def extension_none_open(settings):
    x = Extension(settings)
    assert never_round(x) == []
    for speed in x.plain if x.trained <= 10_000 else ():
        met = np.sort(np.arange(x.trained) * speed % TAU)
        gaps = np.diff(np.append(met, met[0] + TAU))
        assert gaps.max() / 2 <= speed


def new_pairs(x, speeds):
    """Return the shares of the circle that a text has beyond the training, of pairs that go more than a step beyond."""
    found = []
    for fast, speed in zip(x.plain, speeds, strict=True):
        beyond = sweep(speed, x.length) - sweep(fast, x.trained)
        if beyond > fast / TAU * (1 + 1e-9):
            found.append(beyond)
    return found


@claim(
    "extension",
    "Pairs that meet angles at {target} token{s:text} that they never saw: {before} without a method, {after} with "
    "{method:text}, up to {share} of a circle.",
    "Pairs that meet unseen angles at {target} token{s:text}: {before} without a method, {after} with {method:text}.",
)
def extension_unseen(settings, target, s, before, after, method, share=None):
    x = Extension(settings)
    new = new_pairs(x, x.speeds)
    assert (value(target), int(before), int(after)) == (x.length, len(new_pairs(x, x.plain)), len(new))
    assert share is None or says(share, max(new))


@claim("extension", "that they never saw: {before}, up to {share} of a circle.", "that they never saw: {before}.")
def extension_unseen_plain(settings, before, share=None):
    x = Extension(settings)
    new = new_pairs(x, x.plain)
    assert (x.method, int(before)) == ("none", len(new))
    assert share is None or says(share, max(new))


@claim("extension", "that they never saw: {before} without a method, {after} with {method:text}.")
def extension_unseen_counts(settings, before, after, method):
    x = Extension(settings)
    assert (int(before), int(after)) == (len(new_pairs(x, x.plain)), len(new_pairs(x, x.speeds)))


# Bands.


@claim(
    "extension",
    "keeps the speed of {kept} of {pairs} pairs, blends that of {blended}, and divides that of {divided} by s = {stretch}.",
    "keeps the speed of {kept} of {pairs} pair, blends that of {blended}, and divides that of {divided} by s = {stretch}.",
)
def extension_bands(settings, kept, pairs, blended, divided, stretch):
    x = Extension(settings)
    shares = x.shares
    counts = sum(share == 1 for share in shares), sum(0 < share < 1 for share in shares), sum(share == 0 for share in shares)
    assert (int(kept), int(blended), int(divided), int(pairs)) == (*counts, x.pairs)
    assert abs(value(stretch) - x.stretch) <= 6e-6 * x.stretch


@claim(
    "extension",
    "Wavelengths up to {short} token{s:text} are kept, those from {long} token{t:text} on are divided: L over the two bounds",
    "Wavelengths up to {short} token{s:text}, L over the bound, are kept; longer ones are divided.",
)
def extension_edges(settings, short, s, long=None, t=""):
    x = Extension(settings)
    for speed, share in zip(x.plain, x.shares, strict=True):
        wave = TAU / speed
        assert share == 1 or wave > value(short) * (1 - 1e-6)
        assert share == 0 or wave < value(long or short) * (1 + 1e-6)
        if wave <= value(short) * (1 - 1e-5):
            assert share == 1
        if wave >= value(long or short) * (1 + 1e-5):
            assert share == 0


@claim(
    "extension",
    "the ends of the ramp by index then cross, and every pair is kept.",
    "The ramp by index would begin at {low}, where the last pair is {last}: every pair is kept.",
)
def extension_all_kept(settings, low=None, last=None):
    x = Extension(settings)
    assert set(x.shares) == {1}
    assert last is None or int(last) == x.pairs - 1
    if low is None:
        assert x.trained / TAU < settings.number("beta_slow")  # pair 0


@claim("extension", "lie beyond all pairs and cross, so that every pair is divided.")
def extension_all_divided(settings):
    assert set(Extension(settings).shares) == {0}


@claim("extension", "The ramp by index begins at pair {low} and would end at {high}, where the last pair is {last}: none is divided whole.")
def extension_none_whole(settings, low, high, last):
    x = Extension(settings)
    assert min(x.shares) > 0
    assert value(high) > int(last) == x.pairs - 1
    assert all((share == 1) == (i <= value(low) + 1e-5) for i, share in enumerate(x.shares))


@claim("extension", "The ramp by index runs from pair {low} to pair {high}.")
def extension_ramp(settings, low, high):
    x = Extension(settings)
    assert 0 <= value(low) < value(high) <= max(x.pairs - 1, 0.001)
    assert all((share == 1) == (i <= value(low) + 1e-5) for i, share in enumerate(x.shares))
    assert all((share == 0) == (i >= value(high) - 1e-5) for i, share in enumerate(x.shares))


@claim(
    "extension",
    "They differ most at pair {pair}, of which {index} is kept by index and {turns} by turns. The index keeps more "
    "of {more} pair{s:text} and less of {less}.",
)
def extension_ramps(settings, pair, index, turns, more, s, less):
    by_index, by_turns = both_ramps(settings)
    gaps = [abs(a - b) for a, b in zip(by_index, by_turns, strict=True)]
    assert gaps[int(pair)] >= max(gaps) - 1e-9
    assert says(index, by_index[int(pair)])
    assert says(turns, by_turns[int(pair)])
    assert int(less) == sum(a < b - 1e-12 for a, b in zip(by_index, by_turns, strict=True))
    assert int(more) == sum(a > b + 1e-12 for a, b in zip(by_index, by_turns, strict=True))


def both_ramps(settings):
    if settings["method"] == "parts":
        other = settings.replace(method="yarn", ramp="index")
        return Extension(other).shares, Extension(settings).shares
    return Extension(settings.replace(ramp="index")).shares, Extension(settings.replace(ramp="rotation")).shares


@claim("extension", "and the ramp by turns, which the paper writes, agree on every pair here.")
def extension_ramps_agree(settings):
    assert np.allclose(*both_ramps(settings), atol=1e-12)


@claim("extension", "Pairs with a wavelength longer than the trained length of {trained} token{s:text}: {longer} of {pairs}.")
def extension_longer(settings, trained, s, longer, pairs):
    x = Extension(settings)
    assert (value(trained), int(longer), int(pairs)) == (x.trained, len(open_pairs(x.plain, x.trained)), x.pairs)


# The attention factor.


@claim(
    "extension",
    "cos and sin are multiplied by {size}, so scores of the rotated coordinates by {square}.",
    "cos and sin are multiplied by A = {size}, scores of rotated coordinates by A² = {square}.",
    "Cos and sin are multiplied by A = {size}, scores of the rotated coordinates by A² = {square}.",
)
def extension_factor(settings, size, square):
    factor = Extension(settings).factor
    assert abs(value(size) - factor) <= 6e-6 * factor
    assert abs(value(square) - factor**2) <= 6e-6 * factor**2


@claim(
    "extension",
    "DeepSeek's code also multiplies all scores before the softmax by (0.1 · {below} · ln s + 1)² = {growth}, "
    "outside of the rotation; the other views do not hold it. With A², scores of the rotated coordinates grow by "
    "{total} in all.",
)
def extension_softmax(settings, below, growth, total):
    x = Extension(settings)
    exact = (0.1 * value(below) * math.log(x.stretch) + 1) ** 2
    assert value(below) == settings.number("mscale_all_dim")
    assert says(growth, exact)
    assert abs(value(total) - exact * x.factor**2) <= 1e-8 * value(total)


@claim("extension", "A stays 1 so that both parts grow alike.")
def extension_both_parts(settings):
    assert settings.number("mscale") == settings.number("mscale_all_dim")
    assert Extension(settings).factor == 1


@claim("extension", "With equal numbers it is 1 at every stretch")
def extension_ratio(settings):
    assert settings["attention_rule"] == "ratio"


@claim("extension", "There is no such factor here: A = 1 at every stretch. Of the methods on this page, YaRN and LongRoPE alone have one.")
def extension_no_factor(settings):
    assert settings["method"] not in ("yarn", "longrope")


@claim("extension", "It acts at every length, also within the trained one of {trained} token")
def extension_acts(settings, trained):
    assert value(trained) == settings.whole("context")
    assert Extension(settings).factor != 1


claim("extension", "turned vectors are no longer as long as before.")(lambda settings: Extension(settings).factor != 1)
claim("extension", "Here turned vectors are as long as before, and scores as large.")(lambda settings: Extension(settings).factor == 1)


# While decoding.


@claim("extension", "The text never grows beyond the trained length of {trained} token{s:text} one table serves it from end to end.")
def extension_never_grows(settings, trained, s):
    assert value(trained) == Extension(settings).length == settings.whole("context")


@claim("extension", "up to {trained} token{s:text} the short list holds, from token {next} on the long one")
def extension_lists(settings, trained, s, next):
    assert (value(trained), value(next)) == (settings.whole("context"), settings.whole("context") + 1)


@claim(
    "extension",
    "Up to {trained} token{s:text} dynamic NTK changes nothing; beyond, every new token brings a larger base and so "
    "a new table: {tables} tables by the time the text has {target} tokens.",
)
def extension_tables(settings, trained, s, tables, target):
    x = Extension(settings)
    assert (value(trained), value(target), value(tables)) == (x.trained, x.length, x.length - x.trained + 1)


@claim("extension", "Both lengths have the same table, so the cached key is still right.")
def extension_right(settings):
    x = Extension(settings)
    older, trained = settings.whole("cached_length"), x.trained
    assert older == x.length or max(older, x.length) <= trained or (x.method == "longrope" and min(older, x.length) > trained)


@claim("extension", "A text of {cached} token{s:text} has no position {key} yet")
def extension_no_position(settings, cached, s, key):
    assert value(cached) == settings.whole("cached_length") <= value(key) == settings.whole("key_at")


@claim(
    "extension",
    "One table for both: {fresh}. Key cached under the table of {cached} token{s:text} and kept as it was: {stale}. "
    "Both under that older table: {before}.",
)
def extension_stale(settings, fresh, cached, s, stale, before):
    x = Extension(settings)
    head = Head(x.width, x.width, x.base, x.trained, x.method, {"factor": 2} if x.method == "dynamic" else {})
    lists = {name: np.interp(np.linspace(0, 47, x.pairs), np.arange(48), divisors).round(4) for name, divisors in PHI_LISTS.items()}
    head.options.update(lists if x.pairs != 48 else PHI_LISTS)
    query, key = x.length - 1, settings.whole("key_at")
    new, old = head.speeds(x.length), head.speeds(int(value(cached)))
    a = x.used_factor**2
    exact = (
        2 * a * math.fsum(math.cos((query - key) * speed) for speed in new),
        2 * a * math.fsum(math.cos(query * now - key * then) for now, then in zip(new, old, strict=True)),
        2 * a * math.fsum(math.cos((query - key) * speed) for speed in old),
    )
    for text, number in zip((fresh, stale, before), exact, strict=True):
        assert abs(value(text) - number) <= 1.01 * 10.0 ** -len(text.partition(".")[2]) + 1e-8 * x.width
