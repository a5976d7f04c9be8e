"""Every model type of the installed transformers: what rotates is read as its class computes it, and nothing else is read as rotating."""

import importlib
import inspect
import json
import math
import re
import tomllib
import warnings
from functools import cache

import pytest
import torch
from huggingface_hub.errors import StrictDataclassError
from transformers import CONFIG_MAPPING
from transformers.models.clvp.modeling_clvp import ClvpRotaryPositionalEmbedding
from transformers.models.llama4.modeling_llama4 import Llama4VisionRotaryEmbedding
from transformers.models.roformer.modeling_roformer import RoFormerSinusoidalPositionalEmbedding

from rope_core import HfConfigError, inverse_frequencies, parse_config
from rope_core.huggingface import families
from scripts import turning as writer

pytestmark = pytest.mark.usefixtures("near_search")

TURNING = tomllib.loads(writer.TARGET.read_text(encoding="utf-8"))
NEVER, PARTS = TURNING["never"].split(), TURNING["parts"]
FAMILIES = families.data("families.toml")
AXIAL = sorted(name for name, row in FAMILIES.items() if "axial" in row)
REFUSED = {"lightglue", "esmfold2"}
IF_STATED = families.model_types("rotated_if_stated")
ODD = {"glm4v_moe", "qwen3_omni_moe", "qwen3_omni_moe_thinker"}
"""A default head of their text part has an odd width, which cannot turn in pairs."""


@cache
def saved(name):
    """Return the default config of a type as transformers saves it; None for a class that needs arguments."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return json.dumps(CONFIG_MAPPING[name]().to_dict(), default=str)
        except (ValueError, TypeError, StrictDataclassError):
            return None


def test_every_type_is_one_that_rotates_one_that_does_not_or_a_model_of_parts():
    own = families.data("own_code.toml").keys() & set(CONFIG_MAPPING)
    kinds = [set(NEVER), set(PARTS), (set(FAMILIES) | own | IF_STATED | REFUSED) - set(PARTS)]
    assert set().union(*kinds) == set(CONFIG_MAPPING)
    assert sum(map(len, kinds)) == len(set(CONFIG_MAPPING)) > 800
    assert len(NEVER) > 400
    assert len(FAMILIES) > 200


@pytest.mark.parametrize("name", NEVER)
def test_a_type_without_rotation_is_read_as_such(name):
    for config in filter(None, ({"model_type": name}, saved(name))):
        rope = parse_config(config)
        assert rope.layers == {"all": None}
        assert rope.basis == "known"
        assert rope.findings


@pytest.mark.parametrize("name", sorted(IF_STATED))
def test_a_type_that_rotates_on_request_does_so_on_request_alone(name):
    assert parse_config(saved(name)).main is None
    key = {
        "zamba2": {"use_mem_rope": True},
        "esm": {"position_embedding_type": "rotary"},
        "granitemoehybrid": {"position_embedding_type": "rope", "layer_types": ["mamba", "attention"], "num_hidden_layers": 2},
    }
    stated = key.get(name, {"position_embeddings_type": "rotary"})
    config = json.loads(saved(name)) | stated
    assert parse_config(config).main.base == 10_000


@pytest.mark.parametrize("name", sorted(PARTS))
def test_a_model_of_parts_is_read_as_the_part_that_rotates(name):
    path, kind = PARTS[name]
    config = json.loads(saved(name))
    if name in ODD:
        with pytest.raises(HfConfigError, match="even number of coordinates"):
            parse_config(config)
        return
    rope = parse_config(config)
    inner = config
    for key in path.split("."):
        inner = inner[key]
    alone = parse_config(inner | {"model_type": kind})
    assert rope.layers == alone.layers
    assert rope.basis == "known"
    assert rope.main is not None


@pytest.mark.parametrize("name", sorted(PARTS))
def test_a_model_of_parts_without_its_part_is_not_made_up(name):
    if families.family_defaults(name) and name not in families.model_types("parts_alone") | ODD:
        rope = parse_config({"model_type": name})
        assert (rope.model_type, rope.basis) == (name, "known")
    else:
        with pytest.raises(HfConfigError, match=rf"even number|{re.escape(PARTS[name][0])}"):
            parse_config({"model_type": name})


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_angles_without_speeds_are_refused(name):
    with pytest.raises(HfConfigError, match="no table of speeds"):
        parse_config(saved(name))


# Images: pairs by row and by column


def axial_table(name):
    """Return the speeds of the live class of an image encoder: both axes where they differ."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config = CONFIG_MAPPING[name]()
    module = importlib.import_module(type(config).__module__.replace("configuration_", "modeling_"))
    for key, kind in vars(module).items():
        if inspect.isclass(kind) and kind.__module__ == module.__name__ and key.endswith(("RotaryEmbedding", "RopePositionEmbedding")):
            try:
                table = getattr(kind(config), "inv_freq", None)
            except (AttributeError, KeyError, TypeError, ValueError):  # of another part of the model
                continue
            if table is not None and (
                "Vision" in key or "axial" in str(getattr(config, "rope_parameters", "axial")) or name in WITHOUT_NAME
            ):
                return table.double()
    return None


WITHOUT_NAME = {"efficientloftr", "eomt_dinov3"}
NO_TABLE = {"llama4_vision_model"}
"""Its class keeps angles instead of speeds, see below."""


def ours(source):
    rope = parse_config(source)
    assert rope.axial
    assert rope.basis == "known"
    return torch.cat([inverse_frequencies(head) for head in rope.layers.values()])


@pytest.mark.parametrize("name", [name for name in AXIAL if name not in NO_TABLE])
def test_an_image_encoder_has_the_speeds_of_its_class(name):
    theirs = axial_table(name)
    assert theirs is not None
    for source in ({"model_type": name}, saved(name)):
        torch.testing.assert_close(ours(source), theirs, rtol=2e-6, atol=0)


def test_llama_4_turns_the_first_patch_by_one_unit_of_every_speed():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        angles = Llama4VisionRotaryEmbedding(CONFIG_MAPPING["llama4_vision_model"]()).freqs_ci[0, 0].angle().double()
    speeds = ours(saved("llama4_vision_model"))
    torch.testing.assert_close(angles, torch.cat([speeds, speeds]), rtol=1e-5, atol=1e-7)


def test_v_jepa_2_has_a_third_of_the_pairs_for_each_axis():
    source = inspect.getsource(importlib.import_module("transformers.models.vjepa2.modeling_vjepa2"))
    assert "omega = 1.0 / 10000**omega" in source
    assert "self.d_dim = int(2 * ((self.attention_head_size // 3) // 2))" in source
    (head,) = parse_config({"model_type": "vjepa2"}).layers.values()
    assert (head.head_dim, head.rotary_dim, head.base) == (64, 20, 10_000)


# Types whose config class has no rotary settings


def test_clvp_takes_its_width_from_the_projection():
    config = CONFIG_MAPPING["clvp_encoder"]()
    theirs = ClvpRotaryPositionalEmbedding(config).inv_freq.double()
    torch.testing.assert_close(inverse_frequencies(parse_config(saved("clvp_encoder")).main), theirs, rtol=2e-6, atol=0)
    wide = json.loads(saved("clvp_encoder")) | {"projection_dim": 1536}
    assert parse_config(wide).main.rotary_dim == 64


def test_roformer_adds_the_sines_of_its_speeds():
    head = parse_config(saved("roformer")).main
    table = RoFormerSinusoidalPositionalEmbedding(4, head.head_dim)
    table._init_weight() if hasattr(table, "_init_weight") else table.weight.data.copy_(table.create_weight())
    sines = table.weight.detach()[1, : head.pairs].double()
    torch.testing.assert_close(inverse_frequencies(head).sin(), sines, rtol=1e-5, atol=1e-7)
    assert head.layout == "interleaved"


def test_zamba_2_reads_twice_the_hidden_size():
    config = {"model_type": "zamba2", "use_mem_rope": True, "hidden_size": 2560, "num_attention_heads": 32, "kv_channels": 80}
    assert parse_config(config).main.head_dim == 160
    assert parse_config(config | {"attention_head_dim": 128}).main.head_dim == 128


def test_layers_of_afmoe_with_full_attention_have_no_rotation():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        config = CONFIG_MAPPING["afmoe"]()
    rope = parse_config({"model_type": "afmoe"})
    assert list(rope.layer_types) == config.layer_types
    assert rope.layers["full_attention"] is None
    assert "if self.is_local_attention:\n" in inspect.getsource(importlib.import_module("transformers.models.afmoe.modeling_afmoe"))


# The data file


def test_turning_toml_is_of_the_installed_version():
    import transformers

    assert transformers.__version__ in writer.TARGET.read_text(encoding="utf-8").splitlines()[0]


@pytest.mark.parametrize("name", ["bert", "vit", "whisper", "jamba", "gpt_neo", "zamba", "llama", "pixtral", "gemma3_text", "bros"])
def test_models_are_searched_for_rotary_modules(name):
    assert writer.rotates(name) == (name in {"llama", "pixtral", "gemma3_text"})


@pytest.mark.parametrize("name", ["llava", "sam3", "qwen2_vl", "glm5_next", "colpali"])
def test_models_of_parts_are_searched_for_the_part(name):
    assert writer.part(name) == tuple(PARTS[name])
    assert math.prod(map(len, PARTS[name])) > 0


@pytest.mark.exhaustive
def test_turning_toml_is_what_the_script_writes():
    assert writer.TARGET.read_text(encoding="utf-8") == writer.write()
