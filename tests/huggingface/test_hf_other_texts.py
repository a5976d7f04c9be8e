"""What people paste and upload in place of a config: each is named for what it is, or read if nothing has to be guessed."""

import json

import pytest
import torch
from safetensors.torch import save

from rope_core import HfConfigError, parse_config
from rope_core.huggingface.mending import LONGEST, mended_text
from tests.huggingface.stock import SHORT, short
from tests.huggingface.text_cases import FILES, LLAMA, MENDED, NAMED, PACKED, TEXT, gguf_file, safetensors


def refused(source):
    with pytest.raises(HfConfigError) as caught:
        parse_config(source)
    return next(finding for finding in caught.value.findings if finding.level == "error")


@pytest.mark.parametrize("name", NAMED)
def test_a_text_is_named_for_what_it_is_with_what_to_do(name):
    text, sentence = NAMED[name]
    for source in (text, text.encode()):
        finding = refused(source)
        assert sentence in finding.message
        assert finding.fix


@pytest.mark.parametrize("name", FILES)
def test_another_file_is_named_for_what_it_is_with_what_to_do(name):
    document, sentence = FILES[name]
    finding = refused(document)
    assert sentence in finding.message
    assert finding.fix


@pytest.mark.parametrize("name", FILES)
def test_keys_of_another_file_do_no_harm_in_a_config(name):
    document, _ = FILES[name]
    if "rope" not in name:
        assert parse_config(SHORT | document).layers == parse_config(SHORT).layers


@pytest.mark.parametrize("name", NAMED)
def test_a_text_is_read_if_nothing_has_to_be_guessed(name):
    text, notes = mended_text(NAMED[name][0])
    if name in MENDED:
        assert [note.level for note in notes] == ["note"]
        if name != "curly quotes":
            assert parse_config(text) == parse_config(SHORT)
    else:
        assert (text, notes) == (NAMED[name][0], ())


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Add this:\n\n```\n{'head_dim': 64, # narrow\n 'bos': None,}\n```\nThat is all.", 4),
        ("\ufeff" + '{"head_dim": 64}', 1),
        ('config = {"head_dim": 64, /* one\ntwo */ "b": [1, 2,],}', 3),
        ("LlamaConfig {'head_dim': 64, 'name': 'it\\'s \"new\"', 'path': '//x # y'}", 2),
        ('{"head_dim": 64, "path": "//x # y, }", "quote": "\\"", }', 1),
    ],
)
def test_several_things_are_undone_at_once_and_strings_are_left_alone(text, count):
    mended, notes = mended_text(text)
    document = json.loads(mended)
    assert document["head_dim"] == 64
    assert len(notes) == count
    assert document.get("path", "//x # y") in ("//x # y", "//x # y, }")
    assert document.get("name", 'it\'s "new"') == 'it\'s "new"'


def test_lines_are_counted_in_the_text_that_was_given():
    text = 'Before.\n\n```json\n{\n "head_dim": 64,\n "a": 1, // here\n}\n```\n'
    assert [note.values["line"] for note in mended_text(text)[1]] == [3, 6, 7]


@pytest.mark.parametrize(
    "text", ["", "{}", TEXT, "```\n```", "```\n{}\n```\n```\n{}\n```", "// {", "'", "{,}", "x" * (LONGEST + 1), "[1,]"]
)
def test_other_texts_are_left_as_they_are(text):
    assert mended_text(text) == (text, ())


# Files


def test_only_the_header_of_a_gguf_file_is_read():
    rope = parse_config(gguf_file(LLAMA, ("token_embd.weight",)) + b"\xff" * 100_000)
    assert (rope.source_format, rope.main.base, rope.main.head_dim, rope.main.layout) == ("GGUF", 500_000, 128, "interleaved")
    assert len(rope.layer_types) == 32
    assert rope.basis == "known"


def test_a_gguf_file_with_a_tensor_of_bands_says_that_they_are_not_read():
    rope = parse_config(gguf_file(LLAMA, ("rope_freqs.weight",)))
    assert rope.basis == "assumed"
    assert any("rope_freqs.weight" in finding.message for finding in rope.findings)


def test_a_gguf_file_that_is_cut_off_says_so():
    whole = gguf_file(LLAMA)
    for end in range(4, whole.index(b"llama.context"), 997):
        assert "cut off" in refused(whole[:end]).message
    assert "version" in refused(b"GGUF\x01\x00\x00\x00" + whole[8:]).message


def test_a_safetensors_file_is_named_with_the_layers_that_it_holds():
    names = [f"model.layers.{layer}.self_attn.q_proj.weight" for layer in range(3)]
    for source in (save({name: torch.zeros(2) for name in names}), safetensors(*names)):
        finding = refused(source)
        assert "weights, here of 3 layers" in finding.message
        assert finding.fix == "give the config.json beside it"
    assert "holds weights and no settings" in refused(save({"x": torch.zeros(2)})).message


@pytest.mark.parametrize("start", PACKED)
def test_a_packed_file_is_named(start):
    assert "a packed file" in refused(start + bytes(100)).message


def test_a_text_in_another_encoding_says_how_to_save_it():
    finding = refused(json.dumps(short(name="Müller"), ensure_ascii=False).encode("cp1252"))
    assert (finding.message, finding.fix) == ("a config must be text in UTF-8, UTF-16 or UTF-32", "save the file as UTF-8")
