"""Claims of the page Models."""

import math

from parameters.models import by_slug
from tests.oracles import scaling as methods
from tests.truth.frequencies import open_pairs
from tests.truth.learn import always
from tests.truth.sentences import claim, value

claim(
    "models",
    "there is nothing to compare it with.",
    "These layers get no position from RoPE.",
    "Turns of every pair;",
    "nothing turns here.",
    "nothing turns.",
)(always)
claim("models", "Hollow bars turn nothing:", "The slowest pair of each:", "does not say how many layers it has")(always)
claim(
    "models", "Standing still among them", "The same speeds, so one line over the other", "Layers by their kind", "That holds for texts of"
)(always)


@claim("models", "Engines read this config differently; the numbers here are those of the first.")
def model_engines(settings):
    rope = Layers(settings).model.rope
    first, *others = [reading.config for reading in rope.engines]
    assert first == rope.main
    assert any(other != first for other in others)


class Layers:
    """Layers of a model, recomputed from the keys of its config: the plain law, and what its own keys say of lengths and windows."""

    def __init__(self, settings):
        self.model = by_slug()[settings.text("models_names")]
        self.keys = self.model.settings.get("text_config", self.model.settings)
        self.kind = list(self.model.rope.layers)[settings.whole("models_layer")]
        self.config = self.model.rope.layers[self.kind]
        self.text = settings.whole("models_length")
        scaling = self.config.scaling if self.config else None
        self.method = scaling.rope_type if scaling else ""
        self.original = getattr(scaling, "original_max_position", None)
        self.came_later = self.method in ("dynamic", "yarn", "llama3", "longrope")
        window = self.keys.get("sliding_window")
        if "local_attention" in self.keys:  # ModernBERT: of both directions together
            window = self.keys["local_attention"] // 2
        slides = self.kind == "sliding_attention" or self.keys.get("model_type") in ("mistral", "phi3", "phi3_v")
        slides = slides or (self.keys.get("model_type"), self.kind) == ("deepseek_v4", "main")
        if self.kind == "rope" and "attention_chunk_size" in self.keys:  # Llama 4: within one chunk of the text
            slides, window = True, self.keys["attention_chunk_size"]
        self.window = window if slides and window else math.inf

    @property
    def length(self):
        return self.original or self.config.max_position

    @property
    def counted(self):
        return min(self.length, self.window)

    @property
    def speeds(self):
        """Return the speeds before an extension."""
        plain = methods.plain(self.config.rotary_dim, self.config.base)
        if self.method == "linear":
            return [speed / self.config.scaling.factor for speed in plain]
        if self.method == "proportional":
            share = self.config.scaling.rotary_fraction
            return methods.proportional(self.config.rotary_dim, self.config.base, share, self.config.scaling.factor)
        return plain

    @property
    def unfinished(self):
        return len(open_pairs(self.speeds, self.counted))


@claim("models", "pairs that finish no turn within {tokens} token{s:text}: {count} of {total}; attention factor")
def model_verdict(settings, tokens, s, count, total):
    x = Layers(settings)
    assert (value(tokens), int(count), int(total)) == (x.counted, x.unfinished, x.config.pairs)


@claim("models", "Pairs that finish no turn within the {kind:text} of {tokens} token{s:text}: {count} of {total}.")
def model_unfinished(settings, kind, tokens, s, count, total):
    x = Layers(settings)
    wanted = "sliding window" if x.counted < x.length else "trained length" if x.original else "stated length"
    assert (kind, value(tokens), int(count), int(total)) == (wanted, x.counted, x.unfinished, x.config.pairs)


@claim("models", "Every pair finishes a turn within the {kind:text} of {tokens} token{s:text}.")
def model_finished(settings, kind, tokens, s):
    x = Layers(settings)
    wanted = "sliding window" if x.counted < x.length else "trained length" if x.original else "stated length"
    assert (kind, value(tokens), x.unfinished) == (wanted, x.counted, 0)


@claim("models", "without a full turn within {tokens} token{s:text}: {count}.")
def model_alt(settings, tokens, s, count):
    x = Layers(settings)
    assert (value(tokens), int(count)) == (x.counted, x.unfinished)


@claim("models", "These layers see no farther back than their window, so no score has a longer distance.")
def model_window(settings):
    x = Layers(settings)
    assert x.window < x.length


@claim("models", "Counted with the method, as the config names no length without it.")
def model_with_method(settings):
    x = Layers(settings)
    assert x.method
    assert not x.came_later


@claim("models", "Counted before {method:text}, at the speeds of the plain law.")
def model_before_method(settings, method):
    assert Layers(settings).came_later


@claim("models", "has no method: every pair has the speed that the plain law gives with base {base}.")
def model_plain(settings, base):
    x = Layers(settings)
    assert not x.method
    assert value(base) == x.config.base


@claim("models", "needs the most tokens for a turn, {most}, and {short:text} the fewest, {least}.")
def model_compared(settings, view, most, short, least):
    assert value(most) > value(least)


@claim("models", "The slowest pairs of all {count} rows need the same {tokens} tokens for a turn.")
def model_same_slowest(settings, count, tokens):
    assert int(count) == sum(config is not None for config in Layers(settings).model.rope.layers.values())


@claim("models", "every layer is of this kind, {total} in all.")
def model_one_kind(settings, total):
    types = Layers(settings).model.rope.layer_types
    assert int(total) == len(types)
    assert len(set(types)) == 1


@claim("models", "Every layer shown here turns its queries and keys, none is without RoPE.")
def model_all_turn(settings):
    assert None not in Layers(settings).model.rope.layers.values()


@claim("models", "Only one kind of layers turns here")
def model_only_kind(settings):
    assert sum(config is not None for config in Layers(settings).model.rope.layers.values()) == 1


claim("models", "Nothing to note about these configs.")(lambda settings: not Layers(settings).model.rope.findings)


@claim("models", "These pages take the sliding window of {window} tokens for the context length, as no score sees farther.")
def model_window_elsewhere(settings, window):
    x = Layers(settings)
    assert value(window) == x.window < x.length


@claim("models", "Nothing turns in these layers, so no other page has anything to show of them.")
def model_nothing_elsewhere(settings):
    assert Layers(settings).config is None


@claim("models", "{page:text} takes {length} tokens, the stated {stated} over the factor, for the trained length; the config names none.")
def model_taken_for_trained(settings, page, length, stated):
    x = Layers(settings)
    assert x.original is None
    assert (value(stated), value(length)) == (x.config.max_position, x.config.max_position / x.config.scaling.factor)
