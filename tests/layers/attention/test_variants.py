"""Every variant of attention: the cache gives what all at once gives, and the map says what is read."""

import math

import pytest
import torch

from lab.api import BadInput, Slot, StackConfig
from lab.layers import Alibi, Attention, RelativeBias, Rotary, Window
from lab.layers.attention import cache
from lab.layers.attention.masks import Extent, mask_of

WIDTH, HEADS, TOKENS = 24, 4, 33
POSITIONS = {
    "none": lambda causal: {},
    "rotary": lambda causal: {"rotary": Rotary(100.0, share=0.7, pairs="neighbours")},
    "alibi": lambda causal: {"position_bias": Alibi(HEADS)},
    "t5": lambda causal: {"position_bias": RelativeBias(HEADS, buckets=8, farthest=20, causal=causal)},
}
VARIANTS = {
    "all": {},
    "grouped": {"kv_heads": 2},
    "multi-query": {"kv_heads": 1, "head_width": 12},
    "window": {"window": 5},
    "itself alone": {"window": 1},
    "dilated": {"window": 3, "dilation": 3},
    "global": {"window": 3, "global_tokens": 2},
    "dilated, global": {"window": 3, "dilation": 2, "global_tokens": 3, "kv_heads": 2},
    "sink": {"sink": True},
    "sink, window": {"sink": True, "window": 4, "global_tokens": 1, "kv_heads": 2},
    "norm of queries and keys": {"qk_norm": 1e-6},
    "cap": {"cap": 2.0},
    "all of it": {"cap": 2.0, "sink": True, "window": 4, "dilation": 2, "kv_heads": 1, "qk_norm": 1e-5, "bias": True},
}


def made(positions, *, causal=True, dropout=0.0, **settings):
    """Attention in float64, its weights far from zero, in evaluation."""
    torch.manual_seed(0)
    slot = Slot(WIDTH, 0, 2, 16, causal, StackConfig(width=WIDTH, dropout=dropout))
    attention = Attention(slot, heads=HEADS, **POSITIONS[positions](causal), **settings).double().eval()
    parameters = [*attention.parameters()]
    if isinstance(attention.position_bias, RelativeBias):
        parameters += attention.position_bias.double().parameters()
    with torch.no_grad():
        for parameter in parameters:
            parameter.add_(0.5 * torch.randn_like(parameter))
    return attention, torch.randn(2, TOKENS, WIDTH, dtype=torch.float64)


def by_definition(attention, x):
    """softmax(cap(q·k / √D) + bias) over what is read, with one more logit for a sink, head by head."""
    q, k, v = attention.queries_keys_values(x)
    T, group = x.shape[1], attention.heads // attention.kv_heads
    read = mask_of(Extent(T, T), attention.window, x.device)
    outputs, weights = [], []
    for head in range(attention.heads):
        scores = torch.einsum("bqd,bkd->bqk", q[:, head], k[:, head // group]) / math.sqrt(attention.head_width)
        if attention.cap:
            scores = attention.cap * (scores / attention.cap).tanh()
        shares = (scores + attention.positional_scores(T)[head]).exp() * read
        total = shares.sum(dim=-1, keepdim=True)
        if attention.sink is not None:
            total = total + attention.sink[head].exp()
        weights.append(shares / total)
        outputs.append(weights[-1] @ v[:, head // group])
    return attention.output(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("positions", POSITIONS)
@torch.no_grad()
def test_output_and_map_are_the_definition_s(positions, variant):
    for causal in (True, False):
        attention, x = made(positions, causal=causal, **VARIANTS[variant])
        output, weights = by_definition(attention, x)
        torch.testing.assert_close(attention(x), output, rtol=0, atol=1e-10)
        torch.testing.assert_close(attention.mixing_map(x), weights, rtol=0, atol=1e-10)


PAIRS = [
    pytest.param(positions, variant, marks=() if (i + j) % 3 == 0 else pytest.mark.long)
    for i, positions in enumerate(POSITIONS)
    for j, variant in enumerate(VARIANTS)
]
"""Those that are always tested are a third, with each kind of both."""


@pytest.mark.parametrize(("positions", "variant"), PAIRS)
@torch.no_grad()
def test_pieces_and_steps_give_what_all_at_once_gives(positions, variant, monkeypatch):
    attention, x = made(positions, **VARIANTS[variant])
    expected = attention(x)
    for long in (cache.LONG, 6):  # short pasts lie in one part, long ones in two
        monkeypatch.setattr(cache, "LONG", long)
        monkeypatch.setattr(cache, "LATE", 4)
        for sizes in ([1] * TOKENS, [7, 1, 1, 11, 1, 1, 1, 1, 1, 8], [TOKENS - 2, 2]):
            state, found = attention.start(2), []
            for piece in x.split(sizes, dim=1):
                y, state = attention.extend(piece, state)
                found.append(y)
            torch.testing.assert_close(torch.cat(found, dim=1), expected, rtol=0, atol=1e-10)


@pytest.mark.parametrize(("settings", "tokens"), [({}, 33), ({"window": 5}, 4), ({"window": 3, "dilation": 4}, 8)])
def test_the_cache_keeps_what_can_still_be_read(settings, tokens):
    attention, x = made("rotary", **settings)
    _, state = attention.extend(x, attention.start(2))
    assert state.keys.shape == state.values.shape == (2, HEADS, tokens, 6)
    attention, x = made("rotary", global_tokens=2, **settings)
    _, state = attention.extend(x, attention.start(2))
    assert state.keys.shape[2] == (tokens + 2 if settings else tokens)


def test_a_long_past_is_not_copied_at_every_step(monkeypatch):
    monkeypatch.setattr(cache, "LONG", 8)
    attention, x = made("none")
    _, state = attention.extend(x[:, :20], attention.start(2))
    _, after = attention.extend(x[:, 20:21], state)
    assert after.keys is state.keys
    assert after.late_keys.shape[2] == 1
    assert (state.late_keys.shape[2], state.position, after.position) == (0, 20, 21)


@pytest.mark.parametrize("variant", ["sink", "cap", "window", "grouped"])
def test_dropout_falls_on_the_weights_of_every_path_in_training(variant):
    attention, x = made("none", dropout=0.5, **VARIANTS[variant])
    attention.train()
    assert not torch.equal(attention(x), attention(x))
    assert torch.equal(attention.eval()(x), attention(x))


@pytest.mark.parametrize(("positions", "variant"), [("t5", "sink"), ("t5", "cap"), ("alibi", "sink, window")])
def test_tables_and_sinks_are_trained(positions, variant):
    attention, x = made(positions, **VARIANTS[variant])
    attention(x).square().mean().backward()
    if positions == "t5":
        assert attention.position_bias.weight.grad.abs().max() > 0
    if attention.sink is not None:
        assert (attention.sink.grad != 0).all()


def test_masks_made_while_decoding_serve_training():
    for positions in ("alibi", "t5", "none"):
        attention, x = made(positions, window=4, sink=True)
        with torch.inference_mode():
            attention(x)
        attention(x).sum().backward()
        assert attention.project.weight.grad is not None


def test_a_table_of_biases_is_the_model_s_own():
    attention, _ = made("t5")
    assert [name for name, _ in attention.named_parameters()] == ["project.weight", "output.weight"]


def test_a_windowed_layer_has_no_end_and_others_have_the_context_s():
    assert made("rotary")[0].reach == 16
    assert made("rotary", window=4)[0].reach is None


def test_query_heads_share_their_group_s_keys_in_order():
    attention, x = made("none", kv_heads=2)
    q, k, _ = attention.queries_keys_values(x)
    weights = attention.mixing_map(x)
    for head, shared in enumerate((0, 0, 1, 1)):
        scores = (q[:, head] @ k[:, shared].mT / math.sqrt(6)).masked_fill(
            ~mask_of(Extent(TOKENS, TOKENS), Window(), x.device), -math.inf
        )
        torch.testing.assert_close(weights[:, head], scores.softmax(dim=-1))


def test_heads_that_share_no_keys_evenly_are_refused():
    with pytest.raises(BadInput, match=r"kv_heads = 3: does not divide the heads\. Allowed: a divisor of 4"):
        made("none", kv_heads=3)


@pytest.mark.parametrize(("positions", "variant"), PAIRS)
def test_half_precision_is_trained_and_decoded(positions, variant):
    attention, x = made(positions, **VARIANTS[variant])
    attention, x = attention.float(), x.float()
    if isinstance(attention.position_bias, RelativeBias):
        attention.position_bias.float()
    with torch.autocast("cpu", torch.bfloat16):
        y = attention(x)
        _, state = attention.extend(x[:, :-1], attention.start(2))
        last, _ = attention.step(x[:, -1], state)
    assert y.dtype == last.dtype == torch.bfloat16
    torch.testing.assert_close(last, y[:, -1], rtol=0.1, atol=0.1)
    y.float().sum().backward()
    assert all(parameter.grad.isfinite().all() for parameter in attention.parameters())


@pytest.mark.parametrize("positions", ["none", "rotary"])
def test_gradients_of_queries_keys_and_values_are_joined_and_not_added_to_zeros(positions):
    attention, x = made(positions, kv_heads=2)
    nodes = [part.grad_fn for part in attention.queries_keys_values(x)]
    names = set()
    while nodes:
        node = nodes.pop()
        names.add(type(node).__name__)
        nodes += [before for before, _ in node.next_functions if before is not None]
    assert any(name.startswith("Split") for name in names)
    assert not any(name.startswith("Slice") for name in names)
