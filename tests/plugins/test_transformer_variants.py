"""Every setting of the transformer: the cache writes the same text, names stay, and each setting does what it says."""

import copy

import pytest
import torch

from lab.api import BadInput, Task
from lab.decoding.builtins import GreedyConfig
from lab.decoding.strategies import Greedy
from lab.decoding.stream import generate
from lab_transformer import TransformerConfig
from lab_transformer.model import build, without_order

CONTEXT, VOCABULARY = 24, 13
POSITIONS = ["none", "sinusoidal", "learned", "rotary", "alibi", "t5"]
ATTENTION = {
    "all heads": {},
    "grouped": {"kv_heads": 2, "qk_norm": True},
    "multi-query, sink": {"kv_heads": 1, "sink": True, "head_width": 10},
    "window": {"window": 6},
    "dilated window": {"window": 3, "dilation": 3, "sink": True},
    "window and first tokens": {"window": 4, "global_tokens": 2, "attention_cap": 3.0},
}
SMALL = {"layers": 2, "width": 24, "heads": 4, "relative_buckets": 8, "relative_distance": 16}


def made(task=None, **settings):
    """A transformer in float64 and in evaluation, its weights far from zero."""
    torch.manual_seed(0)
    model = build(TransformerConfig(**(SMALL | settings)), task or Task(VOCABULARY, CONTEXT)).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.3 * torch.randn_like(parameter))
    return model


@torch.no_grad()
def written_without_cache(model, prompt, tokens):
    """Greedy text, each token of which reads all before it anew."""
    seen = list(prompt)
    for _ in range(tokens):
        seen.append(int(model(torch.tensor([seen]))[0, -1].argmax()))
    return seen[len(prompt) :]


PAIRS = [
    pytest.param(positions, attention, marks=() if (i + j) % 3 == 0 else pytest.mark.long)
    for i, positions in enumerate(POSITIONS)
    for j, attention in enumerate(ATTENTION)
]
"""Those that are always tested are a third, with each kind of both."""


@pytest.mark.short(
    "none-all heads",
    "rotary-window",
    "alibi-window and first tokens",
    "t5-dilated window",
    "learned-grouped",
    "sinusoidal-multi-query, sink",
)
@pytest.mark.parametrize(("positions", "attention"), PAIRS)
def test_greedy_text_is_the_same_with_and_without_the_cache(positions, attention):
    model = made(positions=positions, **ATTENTION[attention])
    prompt = [1, 5, 2]
    fits = CONTEXT - len(prompt) if model.reach else 2 * CONTEXT  # without a reach also beyond what is trained
    stream = generate(model, prompt, strategy=Greedy(GreedyConfig()), seed=0, symbols=VOCABULARY, count=fits)
    found = [token.token for token in stream]
    assert found == written_without_cache(model, prompt, fits)


@pytest.mark.short("t5", "rotary", "none")
@pytest.mark.parametrize("positions", POSITIONS)
@torch.no_grad()
def test_the_text_is_the_same_in_float32_where_a_long_past_lies_in_two_parts(positions):
    model = made(Task(VOCABULARY, 600), positions=positions).float()
    tokens = torch.randint(VOCABULARY, (1, 560))
    _, state = model.extend(tokens[:, :520], model.start(1), last=1)
    steps = []
    for t in range(520, 560):
        logits, state = model.step(tokens[:, t], state)
        steps.append(logits)
    torch.testing.assert_close(torch.stack(steps, dim=1), model(tokens)[:, 520:], rtol=0, atol=1e-4)


@pytest.mark.parametrize("positions", POSITIONS)
def test_only_windows_with_relative_positions_have_no_end(positions):
    assert made(positions=positions).reach == CONTEXT
    absolute = positions in ("sinusoidal", "learned")
    assert made(positions=positions, window=4).reach == (CONTEXT if absolute else None)


def test_the_names_of_all_parameters_stay():
    model = made(positions="t5", kv_heads=2, sink=True, qk_norm=True, bias=True, tie=False, feed_forward="geglu")
    block = {name.removeprefix("blocks.0."): tuple(tensor.shape) for name, tensor in model.tables().items()}
    assert block["relative.weight"] == (8, 4)
    assert block["token.project.weight"] == ((4 + 2 + 2) * 6, 24)
    assert block["token.sink"] == (4,)
    assert block["token.query_norm.weight"] == block["token.key_norm.weight"] == (6,)
    assert block["channel.inner.weight"] == (2 * 64, 24)
    assert {name for name in block if not name.startswith(("blocks.", "token", "channel"))} == {
        "embedding.weight", "relative.weight", "norm.weight", "norm.bias", "output.weight",
    }  # fmt: skip


def test_one_table_of_biases_serves_all_blocks_of_a_model_and_of_its_copy():
    model = made(positions="t5")
    for one in (model, copy.deepcopy(model)):
        assert all(block.token.position_bias is one.relative for block in one.blocks)
    model.score(torch.zeros(1, 5, dtype=torch.long), torch.ones(1, 5, dtype=torch.long)).sum().backward()
    assert model.relative.weight.grad.abs().max() > 0


@pytest.mark.parametrize(("positions", "attention"), PAIRS)
@torch.no_grad()
def test_without_order_the_outputs_permute_as_the_inputs_do(positions, attention):
    model = made(positions=positions, **ATTENTION[attention])
    tokens, order = torch.randint(VOCABULARY, (2, 20)), torch.randperm(20)
    before = model(tokens)
    plain = without_order(model)
    torch.testing.assert_close(plain(tokens[:, order]), plain(tokens)[:, order], rtol=0, atol=1e-10)
    assert (model(tokens[:, order]) - model(tokens)[:, order]).abs().max() > 1e-3
    assert torch.equal(model(tokens), before)


@pytest.mark.parametrize("settings", [{"window": 4, "global_tokens": 1}, {"positions": "t5"}, {"positions": "alibi"}])
@torch.no_grad()
def test_an_encoder_reads_both_ways(settings):
    model = made(Task(VOCABULARY, CONTEXT, causal=False), **settings)
    tokens = torch.randint(VOCABULARY, (1, 12))
    other = tokens.clone()
    other[0, 7] = (other[0, 7] + 1) % VOCABULARY
    changed = (model(tokens) != model(other)).any(dim=-1)[0]
    assert changed[5]
    assert changed[11]


@pytest.mark.parametrize("norm", ["layer", "rms", "none"])
def test_norms_are_what_they_are_called(norm):
    model = made(norm=norm, norm_epsilon=0.01)
    x = torch.randn(1, 3, 24, dtype=torch.float64)
    if norm == "none":
        assert torch.equal(model.norm(x), x)
        assert not [name for name in model.tables() if "norm" in name]
    else:
        centred = x - x.mean(dim=-1, keepdim=True) if norm == "layer" else x
        expected = centred / (centred.square().mean(dim=-1, keepdim=True) + 0.01).sqrt() * model.norm.weight
        torch.testing.assert_close(model.norm(x), expected)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"dilation": 2}, "dilation needs a window: set window"),
        ({"global_tokens": 2}, "global tokens need a window: set window"),
        ({"parallel": "two-norms", "norm_place": "post"}, "set parallel one-norm"),
        ({"positions": "t5", "relative_buckets": 32, "relative_distance": 16}, "32 buckets up to distance 16"),
        ({"positions": "t5", "relative_buckets": 7}, "t5 needs an even number"),
        ({"positions": "rotary", "rotary_share": 0.01}, "pairs of channels, not 0"),
        ({"heads": 4, "kv_heads": 3}, "heads 4 are not a multiple of kv_heads 3"),
    ],
)
def test_what_cannot_be_together_is_refused_in_a_sentence(settings, message):
    with pytest.raises(BadInput, match=message):
        TransformerConfig.read(settings)
