"""RotaryEmbedding: the layer of the seed text without its bugs, and its behaviour as a PyTorch module.

Shapes: B batch, H heads, S positions, D head dimension.
"""

import copy
import io
import re
import threading

import numpy as np
import pytest
import torch

from rope_core import DynamicNtkScaling, LongRopeScaling, RopeConfig, RopeConfigError, RotaryEmbedding, YarnScaling, rotate
from tests.methods import make, methods, name_of
from tests.oracles import rotation as oracle

DTYPES = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
CONFIG = RopeConfig(8)
DYNAMIC = RopeConfig(8, max_position=4, scaling=DynamicNtkScaling(2))
LISTS = LongRopeScaling(short_factor=[1, 1.1, 1.2, 1.3], long_factor=[1, 2, 4, 8], original_max_position=6)
LONGROPE = RopeConfig(8, max_position=24, scaling=LISTS)


def vectors(*shape: int, dtype: torch.dtype = torch.float64, device: torch.device | None = None, seed: int = 0) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)).to(device, dtype)


def expected(x: torch.Tensor, config: RopeConfig, *, offset: int = 0, seq_len: int | None = None) -> torch.Tensor:
    return rotate(x, torch.arange(offset, offset + x.shape[-2], device=x.device), config, seq_len=seq_len)


# Values


@pytest.mark.parametrize("layout", ["half", "interleaved"])
@pytest.mark.parametrize("offset", [0, 1, 1000])
def test_queries_and_keys_turn_by_their_positions(layout, offset, device):
    config = RopeConfig(8, rotary_dim=6, layout=layout)
    q, k = vectors(2, 5, 8, device=device)
    for turned, x in zip(RotaryEmbedding(config)(q, k, offset=offset), (q, k), strict=True):
        rows = oracle.turned_rows(x.cpu().numpy(), range(offset, offset + 5), oracle.speeds(6, 10_000), layout)
        torch.testing.assert_close(turned.cpu(), torch.from_numpy(rows), rtol=0, atol=1e-12)


@pytest.mark.parametrize("positions", [[7, 0, -3], [[7, 0, -3], [1, 1, 1]]], ids=["row", "batch"])
def test_positions_of_the_caller_are_used_as_they_are(positions, device):
    q, k, positions = vectors(2, 4, 3, 8, device=device), vectors(2, 2, 3, 8, device=device), torch.tensor(positions, device=device)
    turned_q, turned_k = RotaryEmbedding(CONFIG)(q, k, positions)
    torch.testing.assert_close(turned_q, rotate(q, positions, CONFIG))
    torch.testing.assert_close(turned_k, rotate(k, positions, CONFIG))


def test_offset_and_length_of_a_call_make_the_length_of_the_sequence(device):
    x, module = vectors(3, 8, device=device), RotaryEmbedding(DYNAMIC)
    torch.testing.assert_close(module(x, x, offset=97)[0], expected(x, DYNAMIC, offset=97, seq_len=100))
    positions = torch.arange(97, 100, device=device)
    torch.testing.assert_close(module(x, x, positions, offset=97)[0], expected(x, DYNAMIC, offset=97, seq_len=100))


@pytest.mark.parametrize(("heads_q", "heads_k"), [(8, 8), (8, 2), (8, 1), (1, 8)])
def test_queries_and_keys_may_have_different_numbers_of_heads(heads_q, heads_k, device):
    q, k = vectors(2, heads_q, 5, 8, device=device), vectors(2, heads_k, 5, 8, device=device, seed=1)
    turned_q, turned_k = RotaryEmbedding(CONFIG)(q, k)
    torch.testing.assert_close(turned_q, expected(q, CONFIG))
    torch.testing.assert_close(turned_k, expected(k, CONFIG))


def test_the_module_takes_no_values():
    with pytest.raises(TypeError, match="unexpected keyword argument 'v'"):
        RotaryEmbedding(CONFIG)(torch.ones(5, 8), torch.ones(5, 8), v=torch.ones(5, 8))


@pytest.mark.parametrize("positions", [None, torch.arange(0)], ids=["table", "positions"])
def test_an_empty_sequence_has_an_empty_result(positions, device):
    q = torch.ones(2, 0, 8, device=device)
    positions = positions if positions is None else positions.to(device)
    assert [x.shape for x in RotaryEmbedding(CONFIG)(q, q, positions)] == [(2, 0, 8), (2, 0, 8)]


# Dtypes


@pytest.mark.parametrize("dtype_q", DTYPES)
@pytest.mark.parametrize("dtype_k", DTYPES)
def test_each_result_has_the_dtype_of_its_input(dtype_q, dtype_k, device):
    q, k = vectors(5, 8, dtype=dtype_q, device=device), vectors(5, 8, dtype=dtype_k, device=device, seed=1)
    turned_q, turned_k = RotaryEmbedding(CONFIG)(q, k, offset=1000)
    assert (turned_q.dtype, turned_k.dtype) == (dtype_q, dtype_k)
    torch.testing.assert_close(turned_q, expected(q, CONFIG, offset=1000))
    torch.testing.assert_close(turned_k, expected(k, CONFIG, offset=1000))


@pytest.mark.parametrize("first", DTYPES)
@pytest.mark.parametrize("then", DTYPES)
def test_a_table_of_one_dtype_does_not_serve_another(first, then, device):
    module = RotaryEmbedding(CONFIG)
    x = vectors(5, 8, dtype=then, device=device)
    module(x.to(first), x.to(first), offset=10_000)
    assert torch.equal(module(x, x, offset=10_000)[0], RotaryEmbedding(CONFIG)(x, x, offset=10_000)[0])


def test_no_input_is_modified(device):
    q, k = vectors(2, 5, 8, device=device)
    before = (q.clone(), k.clone())
    RotaryEmbedding(CONFIG)(q, k)
    assert torch.equal(q, before[0])
    assert torch.equal(k, before[1])


# The table that grows


def test_a_shorter_call_after_a_longer_one_is_a_prefix(device):
    module, x = RotaryEmbedding(CONFIG), vectors(100, 8, device=device)
    whole = module(x, x)[0]
    for length in (1, 2, 99, 3):
        assert torch.equal(module(x[:length], x[:length])[0], whole[:length])


def test_a_longer_call_after_a_shorter_one_sees_new_positions(device):
    module, x = RotaryEmbedding(CONFIG), vectors(100, 8, device=device)
    for length in (1, 2, 3, 4, 5, 64, 65, 100):
        torch.testing.assert_close(module(x[:length], x[:length])[0], expected(x[:length], CONFIG))


@pytest.mark.parametrize(
    "config", [RopeConfig(2), RopeConfig(4, max_position=4, scaling=DynamicNtkScaling(2))], ids=["far away", "beyond the trained length"]
)
def test_a_token_far_away_keeps_its_own_row_only(config, device):
    module, x = RotaryEmbedding(config), torch.ones(1, config.head_dim, dtype=torch.float64, device=device)
    turned = module(x, x, offset=9_999_999)[0]
    assert torch.equal(turned, expected(x, config, offset=9_999_999, seq_len=10_000_000))
    file = io.BytesIO()
    torch.save(module, file)
    assert file.tell() < 10_000


@pytest.mark.parametrize("length", [131_071, 131_072, 131_073])
def test_lengths_around_the_longest_table_are_seamless(length, device):
    module, x = RotaryEmbedding(RopeConfig(2)), vectors(length, 2, device=device)
    whole = module(x, x)[0]
    torch.testing.assert_close(whole, expected(x, RopeConfig(2)))
    torch.testing.assert_close(module(x[-1:], x[-1:], offset=length - 1)[0], whole[-1:])
    torch.testing.assert_close(module(x[:3], x[:3])[0], whole[:3])


def test_a_result_does_not_share_memory_with_the_table(device):
    module, x = RotaryEmbedding(CONFIG), torch.ones(5, 8, device=device)
    first = module(x, x)[0].clone()
    module(x, x)[0].zero_()
    assert torch.equal(module(x, x)[0], first)


def test_two_modules_share_nothing(device):
    x = vectors(5, 8, device=device)
    first, second = RotaryEmbedding(CONFIG), RotaryEmbedding(RopeConfig(8, base=10))
    first(x, x)
    torch.testing.assert_close(second(x, x)[0], expected(x, RopeConfig(8, base=10)))
    torch.testing.assert_close(first(x, x)[0], expected(x, CONFIG))


@pytest.mark.parametrize("scaling", methods(pairs=4, length=16), ids=name_of)
def test_every_method_is_right_at_every_length_in_any_order(scaling, device):
    config = RopeConfig(8, max_position=16, scaling=scaling)
    module, x = RotaryEmbedding(config), vectors(64, 8, device=device)
    for length in (8, 64, 16, 17, 3, 40, 64):
        torch.testing.assert_close(module(x[:length], x[:length])[0], expected(x[:length], config, seq_len=length))


@pytest.mark.parametrize("scaling", methods(pairs=4, length=16), ids=name_of)
def test_decoding_token_by_token_is_the_full_pass_up_to_the_trained_length(scaling, device):
    config = RopeConfig(8, max_position=16, scaling=scaling)
    module, x = RotaryEmbedding(config), vectors(16, 8, device=device)
    steps = [module(x[i : i + 1], x[i : i + 1], offset=i)[1] for i in range(16)]
    torch.testing.assert_close(torch.cat(steps), module(x, x)[1], rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    "scaling",
    [make(name, pairs=4, length=16) for name in ("llama3", "proportional")] + [YarnScaling(4, original_max_position=16)],
    ids=name_of,
)
def test_decoding_token_by_token_is_the_full_pass_beyond_it_too_where_speeds_stay(scaling, device):
    config = RopeConfig(8, max_position=64, scaling=scaling)
    module, x = RotaryEmbedding(config), vectors(40, 8, device=device)
    steps = [module(x[i : i + 1], x[i : i + 1], offset=i)[1] for i in range(40)]
    torch.testing.assert_close(torch.cat(steps), module(x, x)[1], rtol=0, atol=1e-14)


def test_a_key_cached_under_the_short_list_is_another_one_under_the_long_list(device):
    module, x = RotaryEmbedding(LONGROPE), vectors(7, 8, device=device)
    cached, whole = module(x[:6], x[:6])[1], module(x, x)[1]
    assert torch.equal(cached, expected(x[:6], LONGROPE))
    assert torch.equal(whole, expected(x, LONGROPE, seq_len=7))
    assert torch.equal(module(x[6:], x[6:], offset=6)[1], whole[6:])
    assert not torch.allclose(cached[1:], whole[1:6])
    assert torch.equal(module(x[:6], x[:6])[1], cached)


def test_threads_that_share_a_module_get_their_own_lengths():
    module, wrong = RotaryEmbedding(DYNAMIC), []

    def decode(length: int) -> None:
        x = vectors(length, 8)
        right = expected(x, DYNAMIC, seq_len=length)
        wrong.extend(length for _ in range(200) if not torch.allclose(module(x, x)[0], right))

    threads = [threading.Thread(target=decode, args=(length,)) for length in (3, 9, 17, 30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# Saving, loading, casting


def test_the_state_is_empty_also_after_a_call(device):
    module = RotaryEmbedding(CONFIG)
    module(torch.ones(5, 8, device=device), torch.ones(5, 8, device=device))
    assert module.state_dict() == {}
    assert list(module.parameters()) == list(module.buffers()) == []


def test_the_state_of_a_used_module_loads_into_a_fresh_one(device):
    used, fresh = RotaryEmbedding(CONFIG), RotaryEmbedding(CONFIG)
    used(torch.ones(5, 8, device=device), torch.ones(5, 8, device=device))
    assert str(fresh.load_state_dict(used.state_dict())) == "<All keys matched successfully>"


@pytest.mark.parametrize("cast", [lambda m: m.half(), lambda m: m.bfloat16(), lambda m: m.to(torch.bfloat16), lambda m: m.double()])
@pytest.mark.parametrize("used", [False, True])
def test_casting_the_model_does_not_round_the_table(cast, used, device):
    module, x = RotaryEmbedding(CONFIG), vectors(5, 8, dtype=torch.float32, device=device)
    right = RotaryEmbedding(CONFIG)(x, x, offset=1857)[0]
    if used:
        module(x, x, offset=1857)
    assert torch.equal(cast(torch.nn.Sequential(module))[0](x, x, offset=1857)[0], right)


@pytest.mark.parametrize("used", [False, True])
def test_a_deep_copy_is_as_right_and_independent(used, device):
    module, x = RotaryEmbedding(DYNAMIC), vectors(9, 8, device=device)
    if used:
        module(x, x)
    copied = copy.deepcopy(module)
    assert copied.config == DYNAMIC
    torch.testing.assert_close(copied(x, x)[0], expected(x, DYNAMIC, seq_len=9))
    torch.testing.assert_close(module(x[:3], x[:3])[0], expected(x[:3], DYNAMIC))


@pytest.mark.parametrize("used", [False, True])
def test_a_saved_module_can_be_loaded(used, device):
    module, x = RotaryEmbedding(DYNAMIC), vectors(9, 8, device=device)
    if used:
        module(x, x)
    file = io.BytesIO()
    torch.save(module, file)
    file.seek(0)
    loaded = torch.load(file, weights_only=False)
    assert loaded.config == DYNAMIC
    assert torch.equal(loaded(x, x)[0], module(x, x)[0])


# Training and inference


@pytest.mark.parametrize("mode", [torch.inference_mode, torch.no_grad])
def test_a_table_made_without_gradients_serves_training_afterwards(mode, device):
    module, x = RotaryEmbedding(CONFIG), vectors(5, 8, device=device)
    with mode():
        module(x, x)
    tracked = x.clone().requires_grad_()
    (module(tracked, tracked)[0] * x).sum().backward()
    torch.testing.assert_close(tracked.grad, rotate(x, -torch.arange(5, device=device), CONFIG))


def test_a_table_made_in_training_serves_inference_afterwards(device):
    module, x = RotaryEmbedding(CONFIG), vectors(5, 8, device=device)
    tracked = x.clone().requires_grad_()
    trained = module(tracked, tracked)[0].detach()
    with torch.inference_mode():
        torch.testing.assert_close(module(x, x)[0], trained)


def test_gradients_reach_queries_and_keys_through_the_table(device):
    module = RotaryEmbedding(CONFIG)
    q, k = vectors(2, 3, 8, device=device).requires_grad_().unbind()
    assert torch.autograd.gradcheck(lambda q, k: module(q, k, offset=7), (q, k))


# Refusals


def refusal(sentence: str) -> object:
    return pytest.raises(RopeConfigError, match=r"^" + re.escape(sentence) + "$")


def test_queries_and_keys_of_two_lengths_are_rejected():
    with refusal("q and k must be (..., S, head_dim) with one S, got shapes (5, 8) and (4, 8)"):
        RotaryEmbedding(CONFIG)(torch.ones(5, 8), torch.ones(4, 8))


@pytest.mark.parametrize(("q", "k"), [((8,), (5, 8)), ((5, 8), (8,)), ((8,), (8,))], ids=str)
def test_vectors_without_an_axis_of_positions_are_rejected(q, k):
    with refusal(f"q and k must be (..., S, head_dim) with one S, got shapes {q} and {k}"):
        RotaryEmbedding(CONFIG)(torch.ones(q), torch.ones(k))


@pytest.mark.parametrize("name", ["q", "k"])
def test_a_wrong_head_is_rejected_by_name(name):
    tensors = {"q": torch.ones(5, 8), "k": torch.ones(5, 8)} | {name: torch.ones(5, 6)}
    with refusal(f"the last axis of {name} must be head_dim = 8 long, got shape (5, 6)"):
        RotaryEmbedding(CONFIG)(**tensors)


@pytest.mark.parametrize("name", ["q", "k"])
def test_vectors_of_integers_are_rejected_by_name(name):
    tensors = {"q": torch.ones(5, 8), "k": torch.ones(5, 8)} | {name: torch.ones(5, 8, dtype=torch.int32)}
    with refusal(f"{name} must be a tensor of float16, bfloat16, float32 or float64, got torch.int32"):
        RotaryEmbedding(CONFIG)(**tensors)


@pytest.mark.parametrize("offset", [-1, 1.0, "1", True, None, torch.tensor([1, 2])], ids=repr)
def test_an_offset_that_is_not_a_count_is_rejected(offset):
    with refusal(f"offset must be an integer of at least 0, got {offset!r}"):
        RotaryEmbedding(CONFIG)(torch.ones(5, 8), torch.ones(5, 8), offset=offset)


def test_an_offset_of_numpy_is_an_offset():
    x, module = torch.ones(5, 8), RotaryEmbedding(CONFIG)
    assert torch.equal(module(x, x, offset=np.int64(7))[0], module(x, x, offset=7)[0])


@pytest.mark.parametrize("positions", [torch.arange(5.0), torch.arange(4), torch.zeros(1, 5, dtype=torch.int64)], ids=str)
def test_positions_that_do_not_match_are_rejected(positions):
    with pytest.raises(RopeConfigError, match=r"^positions must "):
        RotaryEmbedding(CONFIG)(torch.ones(5, 8), torch.ones(5, 8), positions)


def test_keys_on_another_device_are_named_and_not_moved():
    x = torch.ones(5, 8)
    with refusal("k must lie on the device of q, cpu, got meta"):
        RotaryEmbedding(CONFIG)(x, x.to("meta"))


# Compilers: RC-32


@pytest.mark.usefixtures("unchecked_shapes")
@pytest.mark.parametrize(("config", "offset"), [(CONFIG, 0), (DYNAMIC, 5), (LONGROPE, 0)], ids=["plain", "dynamic", "longrope"])
def test_rc32_a_compiled_module_is_one_graph_and_equal_to_eager(config, offset, device):
    torch.compiler.reset()
    module = RotaryEmbedding(config)
    compiled = torch.compile(module, backend="eager", fullgraph=True)
    for length in (3, 7, 3):
        q, k = vectors(2, 1, 2, length, 8, dtype=torch.float32, device=device)
        for turned, right in zip(compiled(q, k, offset=offset), module(q, k, offset=offset), strict=True):
            torch.testing.assert_close(turned, right, rtol=0, atol=1e-6)


@pytest.mark.usefixtures("unchecked_shapes")
def test_rc32_a_compiled_rotation_follows_its_positions(device):
    torch.compiler.reset()
    compiled = torch.compile(rotate, backend="eager", fullgraph=True)
    for length in (3, 7, 3):
        x = vectors(2, length, 8, dtype=torch.float32, device=device)
        positions = torch.arange(length, device=device) + 100
        torch.testing.assert_close(compiled(x, positions, CONFIG), rotate(x, positions, CONFIG), rtol=0, atol=1e-6)


@pytest.mark.usefixtures("unchecked_shapes")
@pytest.mark.parametrize(("config", "strict"), [(CONFIG, True), (DYNAMIC, False), (LONGROPE, False)], ids=["plain", "dynamic", "longrope"])
def test_rc32_an_export_with_an_open_length_serves_every_length(config, strict, device):
    module, x = RotaryEmbedding(config), vectors(1, 2, 8, 8, dtype=torch.float32, device=device)
    length = torch.export.Dim("length", min=2)
    exported = torch.export.export(module, (x, x), dynamic_shapes={"q": {2: length}, "k": {2: length}}, strict=strict).module()
    for length in (8, 16, 3):
        x = vectors(1, 2, length, 8, dtype=torch.float32, device=device)
        torch.testing.assert_close(exported(x, x)[0], module(x, x)[0], rtol=0, atol=1e-6)


@pytest.mark.usefixtures("unchecked_shapes")
def test_rc32_an_export_of_one_length_rejects_another(device):
    x = torch.ones(1, 2, 8, 8, device=device)
    exported = torch.export.export(RotaryEmbedding(CONFIG), (x, x)).module()
    longer = torch.ones(1, 2, 16, 8, device=device)
    with pytest.raises(AssertionError, match=r"q.size\(\)\[2\] == 8"):
        exported(longer, longer)


def test_rc32_a_module_built_on_meta_is_right_after_to_empty(device):
    with torch.device("meta"):
        module = RotaryEmbedding(CONFIG)
    module.to_empty(device=device)
    assert str(module.load_state_dict({})) == "<All keys matched successfully>"
    x = torch.tensor([[0.0] * 8, [1.0] * 4 + [0.0] * 4], dtype=torch.float64, device=device)
    speeds = torch.tensor([1, 0.1, 0.01, 0.001], dtype=torch.float64)
    torch.testing.assert_close(module(x, x)[0][1].cpu(), torch.cat((speeds.cos(), speeds.sin())), rtol=0, atol=1e-15)


def test_rc32_a_module_used_on_meta_is_right_on_a_real_device(device):
    module, x = RotaryEmbedding(CONFIG), vectors(5, 8, device=device)
    assert module(x.to("meta"), x.to("meta"))[0].device.type == "meta"
    torch.testing.assert_close(module(x, x)[0], expected(x, CONFIG))


# A changed config, the end of the range, narrow integers


def test_a_replaced_config_is_followed_at_once(device):
    module, x = RotaryEmbedding(CONFIG), vectors(5, 8, device=device)
    module(x, x)
    module.config = RopeConfig(8, base=10)
    torch.testing.assert_close(module(x, x)[0], expected(x, module.config))


@pytest.mark.parametrize("positions", [None, torch.arange(5)], ids=["table", "positions"])
def test_a_sequence_beyond_the_supported_range_is_rejected(positions):
    x, module = torch.ones(5, 8), RotaryEmbedding(CONFIG)
    assert module(x, x, positions, offset=9_999_995)[0].isfinite().all()
    with refusal("offset + S must be at most 10000000, got 10000001"):
        module(x, x, positions, offset=9_999_996)


@pytest.mark.parametrize("number", [np.int8, np.uint8])
def test_an_offset_of_a_narrow_integer_type_does_not_overflow(number):
    x, module = torch.ones(200, 8), RotaryEmbedding(CONFIG)
    assert torch.equal(module(x, x, offset=number(100))[0], module(x, x, offset=100)[0])
