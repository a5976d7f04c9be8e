"""The page about models: every model of the catalogue, configs of one's own, broken ones, and the way to other pages."""

import io
import itertools
import json
from pathlib import Path

import numpy as np
import pytest

from lessons.extension.settings import read_extension
from lessons.models import PAGE, findings
from lessons.models.parts import elsewhere
from lessons.models.settings import read
from lessons.models.state import Pasted, before
from lessons.models.views import view
from lessons.view import Code, Download, Fold, Line, Offer, Prose, Table
from locales import CATALOGUES, speaking
from parameters import parameters_of
from parameters.head_config import model_head
from parameters.methods import from_text
from parameters.models import by_slug
from parameters.own_config import parse_text
from parameters.settings import Settings
from parameters.shared import SHARED
from rope_core import HfConfigError, RopeConfigError, attention_factor, inverse_frequencies, parse_config

DATA = Path(__file__).resolve().parents[1] / "data"
CONFIGS = sorted((DATA / "configs").glob("*.json"))
STATED = {row["hf_id"]: row for row in json.loads((DATA / "models.json").read_text(encoding="utf-8"))}
VIEWS = ("wavelengths", "turns", "layers", "ratio")
COMBINATIONS = [
    "deepseek-v3,gpt-oss-20b,gemma-4-26b-a4b,phi-3.5-mini-instruct",
    "llama-4-scout-17b-16e-instruct,qwen2.5-vl-7b-instruct,qwen3.5-27b,gemma-3-4b-it",
    "internlm2_5-7b-chat,exaone-4.0-32b,modernbert-base",
]
NOTHING_TURNS = [name for name, model in by_slug().items() if model.config is None]
BROKEN = {
    "no json": ("{head_dim: 64}", "JSON"),
    "cut off": ('{"head_dim": 64', "last brace"),
    "a list": ("[1, 2]", "object"),
    "a string": ('"text"', "object"),
    "no width": ('{"max_position_embeddings": 2048}', "head_dim"),
    "odd width": ('{"head_dim": 7}', "even"),
    "text for a number": ('{"head_dim": "64"}', "number"),
    "infinite": ('{"head_dim": 64, "rope_theta": 1e999}', "finite"),
    "unknown method": ('{"head_dim": 64, "rope_scaling": {"rope_type": "magic"}}', "magic"),
    "method without factor": ('{"head_dim": 64, "rope_scaling": {"rope_type": "linear"}}', "factor"),
    "too deep": ("[" * 5000, "deep"),
    "too large": ('{"a": "' + "x" * 1_000_001 + '"}', "bytes"),
}


def opened(**address):
    """What a link opens; nothing in it is refused."""
    settings, problems = Settings.read("models", {name: str(value) for name, value in address.items()})
    assert not problems
    return settings


def own(text, **address):
    return opened(models_way="own", models_config=parse_text(text).document, **address)


def look(shown):
    """All that a reader sees and takes from a view, as text."""
    figure = (shown.figure.traces, shown.figure.plain_layout)
    words = (shown.alt, shown.sentences, shown.verdict, shown.formula, shown.code)
    return json.dumps([figure, words, shown.columns], default=np.ndarray.tolist, sort_keys=True)


def flat(parts):
    """Parts with those inside lines and folds."""
    for part in parts:
        yield part
        if isinstance(part, Line):
            yield from flat(part.parts)
        if isinstance(part, Fold):
            yield from flat(part.parts())


def texts(parts):
    return [part.text for part in flat(parts) if isinstance(part, Prose)]


def refused(text):
    with pytest.raises(RopeConfigError) as caught:
        parse_text(text)
    return Pasted(refused=findings.refusal(caught.value))


class TestSettings:
    @pytest.mark.parametrize("names", [*COMBINATIONS, NOTHING_TURNS[0], "qwen3-8b"])
    def test_controls_are_what_the_view_depends_on(self, names, subtests):
        document = parse_text(CONFIGS[0].read_text(encoding="utf-8")).document
        other = {
            "models_names": ["gpt-oss-20b", "mistral-7b-v0.1"],
            "models_config": [document, parse_text(CONFIGS[5].read_text(encoding="utf-8")).document],
            "models_beside": ["gpt-oss-20b", ""],
            "models_way": ["own", "catalogue"],
            "models_layer": [1, 0],
            "models_length": [10_000_000, 0],
            "base": [500.0],
            "head_dim": [64],
            "rotary": [0.5],
            "layout": ["interleaved"],
            "context": [100],
            "scaling": ['{"rope_type":"linear","factor":2}'],
        }
        assert other.keys() | {"models_view"} == parameters_of("models").keys()
        for way, mode in itertools.product(("catalogue", "own"), VIEWS):
            settings = Settings("models").replace(
                models_way=way, models_names=names, models_beside=names.partition(",")[0], models_view=mode
            )
            seen = look(view(settings))
            for name, values in other.items():
                with subtests.test(way=way, mode=mode, name=name):
                    moved = any(look(view(settings.replace(**{name: value}))) != seen for value in values)
                    assert moved == (name in PAGE.controls(settings))

    def test_length_is_live_where_it_matters(self):
        for mode, names, live in (("turns", "qwen3-8b", True), ("ratio", "qwen3-8b", False), ("ratio", "phi-3.5-mini-instruct", True)):
            settings = Settings("models").replace(models_view=mode, models_names=names)
            assert PAGE.live(settings) == ("models_length" if live else None)
            assert ("models_length" in PAGE.controls(settings)) == live

    @pytest.mark.parametrize("given", ["no-such-model", "<b>x</b>", "a,b,c,d,e,f", "x" * 5000, "`qwen3-8b`"])
    def test_link_with_other_names_gives_one_notice_and_the_usual_models(self, given):
        settings, (problem,) = Settings.read("models", {"models_names": given})
        assert "Models must be up to 4 models of the catalogue" in problem.sentence
        assert len(problem.sentence) < 300
        assert settings == Settings("models")

    @pytest.mark.parametrize("given", ["x", "-1", "1e3", "9" * 500, "²"])
    def test_link_with_another_row_gives_one_notice(self, given):
        settings, problems = Settings.read("models", {"models_layer": given})
        assert len(problems) == 1
        assert settings == Settings("models")

    def test_row_of_a_model_that_is_not_shown_counts_as_the_first(self):
        assert look(view(opened(models_layer=2, models_names="qwen3-8b"))) == look(view(opened(models_names="qwen3-8b")))

    def test_rows_are_named_for_their_control(self):
        assert PAGE.labels(Settings("models")) == {
            "models_layer": ["Llama 3.1 8B", "Gemma 3 4B · full_attention", "Gemma 3 4B · sliding_attention"]
        }

    @pytest.mark.parametrize("given", ["x", "{}", "[1]", '{"head_dim":7}', "{" * 3000, "x" * 10_000, '{"head_dim":1e999}'])
    def test_broken_link_gives_one_notice_and_the_example(self, given):
        settings, (problem,) = Settings.read("models", {"models_way": "own", "models_config": given})
        assert problem.sentence.startswith("Your own config: `")
        assert len(problem.sentence) < 300
        assert look(view(settings)) == look(view(opened(models_way="own")))


class TestTries:
    def test_every_try_names_a_model_and_a_row_that_are_shown(self):
        for start in (Settings("models"), Settings("models").replace(models_layer=2, models_way="own", models_beside="qwen3-8b")):
            for each in PAGE.tries(start):
                settings = start.replace(**each.values)
                assert settings.whole("models_layer") < len(read(settings).rows)
                assert settings["models_view"] == each.values["models_view"]

    def test_numbers_of_phi_change_beyond_its_trained_length(self):
        (values,) = [each.values for each in PAGE.tries(Settings("models")) if "Phi" in each.label]
        settings = Settings("models").replace(**values)
        assert look(view(settings)) != look(view(settings.replace(models_length=4096)))


class TestCatalogue:
    def test_every_model_opens_in_every_view_and_language_with_its_name(self, subtests):
        for (name, model), code in itertools.product(by_slug().items(), CATALOGUES):
            with subtests.test(model=name, language=code), speaking(code):
                for mode, length in itertools.product(VIEWS, (0, 10_000_000)):
                    shown = view(opened(models_names=name, models_view=mode, models_length=length))
                    assert model.name in shown.alt
                    assert model.name in shown.verdict
                    assert any(model.name in text for text in shown.sentences)

    @pytest.mark.parametrize("names", COMBINATIONS)
    def test_four_models_stand_side_by_side_in_every_view_and_each_row_in_detail(self, names):
        for mode in VIEWS:
            assert len(view(opened(models_names=names, models_view=mode)).figure.data) >= names.count(",") + 1
        looks = {look(view(opened(models_names=names, models_layer=row))) for row in range(len(read(opened(models_names=names)).rows))}
        assert len(looks) == len(PAGE.labels(opened(models_names=names))["models_layer"])

    def test_no_model_at_all_shows_one(self):
        settings = opened(models_names="")
        assert "Gemma 3 4B" in view(settings).alt
        assert texts(before(settings)) == ["No model is chosen: Gemma 3 4B is shown as an example."]
        assert before(opened(models_names="qwen3-8b")) == ()

    @pytest.mark.parametrize("mode", VIEWS)
    @pytest.mark.parametrize("names", [*COMBINATIONS, NOTHING_TURNS[0]])
    def test_notebook_computes_the_columns_again(self, names, mode):
        shown = view(opened(models_names=names, models_view=mode))
        found = {}
        exec(shown.notebook_code, found)
        assert list(found["columns"]) == list(shown.columns)
        for name, column in found["columns"].items():
            np.testing.assert_array_equal(column, shown.columns[name])

    def test_verdict_states_what_a_config_comes_to(self):
        # 32 log(4096 / 2 pi) / log(150000) = 17.4, and 0.1 ln 32 + 1 = 1.34657
        assert view(opened(models_names="gpt-oss-20b")).verdict == (
            "**gpt-oss-20b**: YaRN, factor 32; trained on `4,096` tokens, stated length `131,072` tokens; pairs that finish no turn within "
            "`4,096` tokens: `14` of `32`; attention factor A = `1.34657`."
        )
        assert "nothing turns" in view(opened(models_names=NOTHING_TURNS[0])).verdict


class TestOwn:
    def test_example_stands_there_before_anything_is_pasted(self):
        settings = opened(models_way="own")
        assert texts(before(settings)) == ["Nothing is pasted yet: Gemma 3 4B is shown as an example. What you paste stays in this visit."]
        assert len(view(settings).figure.data) == 2

    @pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
    def test_pasted_text_shows_its_numbers_and_all_that_was_found_in_it(self, path):
        text = path.read_text(encoding="utf-8")
        rope, settings = parse_config(text), own(text)
        slow = inverse_frequencies(rope.main)[-1].item()
        shown = view(settings, Pasted(document=settings["models_config"], findings=rope.findings))
        drawn = np.concatenate([trace["y"] for trace in shown.figure.data])
        assert np.isclose(drawn, 2 * np.pi / slow, rtol=1e-12).any()
        assert look(shown) == look(view(settings))
        lines = [line for line in texts(shown.parts) if line.startswith(":") and "material" in line]
        assert len(lines) == min(len(rope.findings), findings.MOST)

    def test_findings_of_another_text_are_forgotten(self):
        settings, finding = own('{"head_dim": 8}'), parse_config('{"head_dim": 8, "rope_tetha": 7}').findings
        for document, remembered in ((settings["models_config"], True), ("{}", False), ("", False)):
            shown = view(settings, Pasted(document=document, findings=finding))
            assert any("rope_tetha" in text for text in texts(shown.parts)) == remembered

    def test_state_names_the_source(self):
        settings = own('{"head_dim": 8}')
        document = settings["models_config"]
        assert texts(before(settings))[0].startswith("These numbers came with the link.")
        assert texts(before(settings, Pasted(document=document)))[0] == "Shown: the text that was pasted."
        assert texts(before(settings, Pasted(document=document, file="a`b.json")))[0] == "Shown: the file `ab.json`."
        (discard,) = [part for part in flat(before(settings)) if isinstance(part, Offer)]
        assert settings.replace(**discard.values) == opened(models_way="own")

    @pytest.mark.parametrize("kind", BROKEN)
    def test_broken_text_is_refused_in_sentences_and_the_last_config_stays(self, kind):
        text, word = BROKEN[kind]
        pasted = refused(text)
        for settings, stays in ((own(CONFIGS[0].read_text(encoding="utf-8")), True), (opened(models_way="own"), False)):
            lines = texts(before(settings, pasted))
            assert lines[0].startswith("**This config cannot be read.** Errors: ")
            errors = [line for line in lines if "**Error**" in line]
            assert errors
            assert any(word in line for line in errors)
            assert all(len(line) < 500 for line in errors)
            assert ("The last config that could be read is still shown." in lines) == stays
            assert ("Until one can be read, an example is shown." in lines) != stays
            assert not any("Nothing is pasted yet" in line for line in lines)

    def test_refusal_stands_alone(self):
        settings = own('{"model_type": "llama", "head_dim": 8, "rope_tetha": 7}')
        assert [part for part in view(settings, refused("{")).parts if getattr(part, "key", "") == "findings"] == []

    @pytest.mark.parametrize("text", ['{"head_dim": 8}', '{"head_dim": 8, "model_type": "my_model"}'])
    def test_what_is_assumed_is_called_so_beside_the_numbers(self, text):
        parsed, settings = parse_text(text), own(text)
        shown = view(settings, Pasted(document=parsed.document, findings=parsed.rope.findings, rope=parsed.rope))
        assert shown.verdict.endswith("**Assumed** in part, see the warnings.")
        assert any(isinstance(part, Fold) and part.title.endswith("(assumed in part)") for part in shown.parts)

    def test_engines_that_read_a_config_differently_stand_side_by_side(self):
        text = (DATA / "public_configs/v5_saved_read_by_v4.json").read_text(encoding="utf-8")
        parsed, settings = parse_text(text), own(text)
        shown = view(settings, Pasted(document=parsed.document, findings=parsed.rope.findings, rope=parsed.rope))
        (engines,) = [part.columns for part in shown.parts if isinstance(part, Table)]
        assert engines["Engine"] == ["transformers 5.24", "transformers 4"]
        main = parsed.rope.main
        speeds = [base ** (2 / main.rotary_dim - 1) for base in (main.base, 10_000)]
        assert [float(speed) for speed in engines["Speed of the last pair (rad per token)"]] == pytest.approx(speeds, rel=1e-5)
        assert not [part for part in view(own('{"head_dim": 8}')).parts if isinstance(part, Table)]

    def test_config_that_cannot_be_read_is_not_said_to_have_nothing_to_note(self):
        settings = own('{"head_dim": 8, "max_position_embeddings": 2, "rope_theta": 7, "num_hidden_layers": 1}')
        assert "Nothing to note about these configs." in texts(view(settings).parts)
        assert "Nothing to note about these configs." not in texts(view(settings, refused("{")).parts)

    def test_all_mistakes_are_named_at_once(self):
        text = '{"head_dim": 64, "rope_scaling": {"rope_type": "yarn", "factor": "4", "beta_fast": "x", "beta_slow": true, "truncate": 1}}'
        with pytest.raises(HfConfigError) as caught:
            parse_config(text)
        errors = [finding.key for finding in caught.value.findings if finding.level == "error"]
        assert len(errors) >= 3
        lines = [line for line in texts(before(opened(models_way="own"), refused(text))) if "**Error**" in line]
        assert len(lines) == len(errors)
        assert all(f"`{key}`" in line for key, line in zip(errors, lines, strict=True))

    def test_text_of_a_file_is_shown_as_code_or_not_at_all(self):
        evil = "<img src=x onerror=alert(1)>`**b**[a](http://b.c)"
        config = {"head_dim": 8, evil: 1, "rope_tetha": evil, "layer_types": [evil, "b"], "rope_parameters": {evil: {}, "b": {"x": evil}}}
        text = json.dumps(config)
        settings = own(text)
        pasted = Pasted(document=settings["models_config"], findings=parse_config(text).findings, file=evil)
        shown = view(settings, pasted)
        tables = [heading for part in flat(shown.parts) if isinstance(part, Table) for heading in part.columns]
        for said in (*texts(before(settings, pasted)), *texts(shown.parts), *tables, *shown.sentences, shown.verdict):
            outside = "".join(said.split("`")[::2])
            assert "<img" not in outside
            assert "http" not in outside
        assert "<img" not in json.dumps([shown.figure.traces, shown.figure.plain_layout], default=np.ndarray.tolist)

    def test_config_that_no_link_can_hold_is_offered_as_a_file(self):
        divisors = [1 + index / 7 for index in range(128)]
        method = {"rope_type": "longrope", "short_factor": divisors, "long_factor": divisors, "original_max_position_embeddings": 64}
        config = {"head_dim": 256, "max_position_embeddings": 640, "rope_theta": 7.0, "rope_scaling": method}
        settings = own(json.dumps(config))
        assert any("The link leaves your config out" in text for text in texts(before(settings)))
        (file,) = [part for part in before(settings) if isinstance(part, Download)]
        assert parse_config(file.content()).main.base == 7


CARRIED = {
    "meta-llama-3.1-8b": ("meta-llama/Meta-Llama-3.1-8B", {"method": "llama3", "stated_factor": 8}),
    "llama-3.2-1b": ("meta-llama/Llama-3.2-1B", {"method": "llama3", "stated_factor": 32}),
    "deepseek-v3": ("deepseek-ai/DeepSeek-V3", {"method": "yarn", "stated_factor": 0, "attention_rule": "ratio", "truncate": "on"}),
    "kimi-k2-instruct": ("moonshotai/Kimi-K2-Instruct", {"method": "yarn", "stated_factor": 0, "attention_rule": "ratio"}),
    "gpt-oss-20b": ("openai/gpt-oss-20b", {"method": "yarn", "stated_factor": 0, "attention_rule": "paper", "truncate": "off"}),
    "phi-3.5-mini-instruct": ("microsoft/Phi-3.5-mini-instruct", {"method": "longrope"}),
    "internlm2_5-7b-chat": ("internlm/internlm2_5-7b-chat", {"method": "dynamic", "dynamic_factor": 2, "target": 65_536}),
    "gemma-3-4b-it": ("google/gemma-3-4b-it", {"method": "linear"}),
    "qwen3-8b": ("Qwen/Qwen3-8B", {"method": "none"}),
}
"""Models of every method with their rows in the data, and what the page about context extension calls what these do not spell out."""
OPTIONS = ("beta_fast", "beta_slow", "mscale", "mscale_all_dim", "low_freq_factor", "high_freq_factor", "short_factor", "long_factor")
SHARED_WORDS = {"original_max_position_embeddings": "original_max_position"}


def stated(model):
    """What the data says of a model: its row, and the object that states its method."""
    row = STATED[CARRIED[model][0]]
    scaling = row.get("scaling", {})
    return row, scaling.get("full_attention", scaling)


def elsewhere_of(model, page):
    """Another page, as the button opens it from the page about models."""
    offers = {part.page: part for part in flat(view(opened(models_names=model)).parts) if isinstance(part, Offer)}
    assert offers[page].enabled
    settings, problems = Settings.read(page, Settings(page).replace(**offers[page].values).write())
    assert not problems
    return settings


class TestElsewhere:
    @pytest.mark.parametrize("model", CARRIED)
    def test_context_extension_has_every_value_that_the_config_states(self, model):
        settings, (row, scaling) = elsewhere_of(model, "extension"), stated(model)
        base = row.get("global_theta") or row["rope_theta"]
        assert (settings["base"], settings["head_dim"], settings["scaling"]) == (base, row["head_dim"], "")
        assert settings["rotary"] * row["head_dim"] == pytest.approx(row["rotary_dim"])
        assert settings["layout"] == row["pairing"]
        trained = row["max_position_embeddings"] / scaling["factor"] if CARRIED[model][1]["method"] == "linear" else None
        assert settings["context"] == (trained or row.get("original_max_position_embeddings", row["max_position_embeddings"]))
        lists = {name: list(settings.vector(name)) for name in ("short_factor", "long_factor")}
        expected = {"target": row["max_position_embeddings"]} | {name: scaling[name] for name in OPTIONS if name in scaling}
        expected |= CARRIED[model][1]
        assert {name: lists.get(name, settings[name]) for name in expected} == expected

    @pytest.mark.parametrize("page", ["frequencies", "decay"])
    @pytest.mark.parametrize("model", CARRIED)
    def test_shared_values_are_those_that_the_config_states(self, model, page):
        settings, (row, scaling) = elsewhere_of(model, page), stated(model)
        base = row.get("global_theta") or row["rope_theta"]
        assert (settings["base"], settings["head_dim"], settings["layout"]) == (base, row["head_dim"], row["pairing"])
        assert settings["rotary"] * row["head_dim"] == pytest.approx(row["rotary_dim"])
        assert settings["context"] == row.get("original_max_position_embeddings", row["max_position_embeddings"])
        written, method = json.loads(settings["scaling"] or '{"rope_type":"none"}'), CARRIED[model][1]["method"]
        assert written.pop("rope_type") == method
        defaults = {"beta_fast": 32, "beta_slow": 1, "truncate": True}
        if method == "longrope":  # its config leaves the factor to the lengths
            assert written.pop("factor") == row["max_position_embeddings"] / row["original_max_position_embeddings"]
        expected = {SHARED_WORDS.get(name, name): new for name, new in scaling.items() if name not in ("type", "rope_type", "rope_theta")}
        if method == "longrope":
            expected["original_max_position"] = row["original_max_position_embeddings"]
        assert written == {name: new for name, new in expected.items() if defaults.get(name) != new}

    def test_every_value_of_every_model_is_carried_to_the_other_pages(self, subtests):
        for name, model in by_slug().items():
            for layer, config in model.rope.layers.items():
                with subtests.test(model=name, layer=layer):
                    if config is not None and config.trained_length <= 10_000_000:
                        pages = elsewhere(config)
                        assert set(pages) == {"extension", "frequencies", "decay"}
                        longest = min(config.max_position, 10_000_000)
                        assert pages["extension"]["target"] >= longest >= pages["extension"]["context"]

    @pytest.mark.parametrize(
        ("name", "target"),
        [
            ("meta-llama-3.1-8b", 131_072),
            ("deepseek-v3", 163_840),
            ("gpt-oss-20b", 131_072),
            ("phi-3.5-mini-instruct", 131_072),
            ("gemma-3-4b-it", 131_072),
            ("internlm2_5-7b-chat", 65_536),
            ("qwen3-8b", 40_960),
        ],
    )
    def test_other_pages_open_with_the_same_speeds(self, name, target):
        config = by_slug()[name].config
        head, notices = model_head(elsewhere_of(name, "frequencies"))
        assert not notices
        np.testing.assert_allclose(inverse_frequencies(head).numpy(), inverse_frequencies(config).numpy(), rtol=1e-12)
        settings = elsewhere_of(name, "extension")
        assert settings["target"] == target
        extended = read_extension(settings)
        scaled = inverse_frequencies(extended.chosen, target).numpy()
        np.testing.assert_allclose(scaled, inverse_frequencies(config, target).numpy(), rtol=1e-12)

    def test_layers_that_turn_nothing_open_no_page(self):
        shown = view(opened(models_names=NOTHING_TURNS[0]))
        assert not [part for part in flat(shown.parts) if isinstance(part, Offer)]
        assert any("no other page has anything to show of them" in text for text in texts(shown.parts))

    def test_page_that_cannot_show_a_row_is_not_offered_and_named(self):
        shown = view(own('{"head_dim": 1024, "max_position_embeddings": 8}'))
        assert not any(part.enabled for part in flat(shown.parts) if isinstance(part, Offer))
        (said,) = [text for text in texts(shown.parts) if text.startswith("Not offered: Context extension, Frequencies, Distance decay.")]
        assert said.endswith("Why: Head width d must be a multiple of 2 from 2 to 512, and here it is `1,024`.")

    @pytest.mark.parametrize("model", CARRIED)
    def test_context_extension_opens_with_the_method_of_the_model_alone(self, model):
        assert elsewhere_of(model, "extension")["ext_view"] == "unseen"


class TestFiles:
    def test_fold_holds_markdown_json_and_tables_that_load_without_pickle(self):
        parts = list(flat(view(opened(models_names="gpt-oss-20b,gemma-3-4b-it")).parts))
        codes = [part for part in parts if isinstance(part, Code)]
        assert [code.language for code in codes] == ["markdown", "json", "json"]
        assert codes[0].text.count("\n") == 19
        new, old = (json.loads(code.text) for code in codes[1:])
        assert dict(parse_config(new).layers) == dict(parse_config(old).layers) == dict(by_slug()["gpt-oss-20b"].rope.layers)
        (download,) = [part for part in parts if isinstance(part, Download)]
        assert download.file_name == "rope-lab-gpt-oss-20b.npz"
        file = np.load(io.BytesIO(download.content()), allow_pickle=False)
        config = by_slug()["gpt-oss-20b"].config
        assert file["cos"].shape == file["sin"].shape == (4096, 32)
        assert file["cos"].dtype == np.float32
        assert file["inv_freq"].dtype == np.float64
        angles = np.outer(np.arange(4096), file["inv_freq"])
        np.testing.assert_allclose(file["cos"], attention_factor(config) * np.cos(angles), atol=2e-7)
        np.testing.assert_allclose(file["sin"], attention_factor(config) * np.sin(angles), atol=2e-7)
        assert str(file["layout"]) == "half"
        assert json.loads(str(file["settings"]))["head_dim"] == 64

    @pytest.mark.parametrize(("name", "refused"), [("gemma-3-4b-it", False), ("gemma-4-26b-a4b", True)])
    def test_layers_that_differ_have_no_words_in_version_4_where_the_model_never_had_it(self, name, refused):
        lines = texts(view(opened(models_names=name)).parts)
        assert any("no place for layers that differ" in line for line in lines) is refused

    @pytest.mark.parametrize("code", CATALOGUES)
    def test_parts_of_every_model_can_be_opened(self, code):
        with speaking(code):
            for name in by_slug():
                assert any(isinstance(part, Table) for part in flat(view(opened(models_names=name)).parts))


def test_presets_and_the_page_agree_about_the_method():
    assert from_text(elsewhere_of("gpt-oss-20b", "decay").text("scaling")).rope_type == "yarn"
    assert set(SHARED) <= elsewhere(by_slug()["gpt-oss-20b"].config)["decay"].keys()
