"""The logit lens, held against the model cut off after each block."""

import copy

import numpy as np
import pytest
import torch

from lab.api import BadInput, StackConfig, Task
from lab.diagnostics.lens import logit_lens
from lab.layers import Attention, ResidualStack

TOKENS = torch.tensor([[1, 2, 3, 4, 5, 1, 2, 3]])


def seen_by(model, tokens=TOKENS):
    """The one reading of the lens."""
    with torch.no_grad():
        (reading,) = logit_lens(None)(model, tokens)
    return reading


def cut_off(model, blocks, tokens=TOKENS):
    """Log-probabilities (T, V) of a copy that has fewer blocks."""
    short = copy.deepcopy(model)
    short.blocks = short.blocks[:blocks]
    with torch.no_grad():
        return short(tokens)[0].log_softmax(-1).numpy()


def test_each_layer_guesses_what_the_model_would_without_those_after_it(transformer):
    model = transformer()
    reading = seen_by(model)
    assert reading.axes == ("quantity", "layer", "token")
    assert reading.coordinates == {
        "quantity": ("choice", "KL to the end", "rank of the truth"), "layer": ("embedding", "1", "2"),
    }  # fmt: skip
    end, truth = cut_off(model, 2), TOKENS[0, 1:].numpy()
    for blocks in range(3):
        lens = cut_off(model, blocks)
        choice, lost, rank = reading.values[:, blocks]
        assert choice.tolist() == lens.argmax(-1).tolist()
        np.testing.assert_allclose(lost, (np.exp(end) * (end - lens)).sum(-1), atol=1e-5)
        order = np.argsort(-lens[:-1], axis=-1)
        assert rank[:-1].tolist() == (1 + (order == truth[:, None]).argmax(-1)).tolist()
        assert np.isnan(rank[-1])  # nothing comes after it


def test_at_the_end_nothing_is_lost(transformer):
    assert np.abs(seen_by(transformer()).values[1, -1]).max() < 1e-6


def test_the_rank_of_a_token_that_a_bidirectional_model_sees_is_its_own(transformer):
    model = transformer(Task(11, 32, causal=False))
    rank = seen_by(model).values[2, -1]
    scores = cut_off(model, 2)
    assert rank.tolist() == [1 + (row > row[token]).sum() for row, token in zip(scores, TOKENS[0], strict=True)]


def test_a_model_without_a_last_norm_is_read_by_its_head_alone():
    config = StackConfig(layers=2, width=16)
    torch.manual_seed(0)
    model = ResidualStack(
        config, Task(11, 32), token_mixer=lambda slot: Attention(slot, heads=2), norm=lambda slot: torch.nn.Identity()
    ).eval()
    with torch.no_grad():
        start = model.embedding.weight[TOKENS[0]] @ model.output.weight.T
    assert seen_by(model).values[0, 0].tolist() == start.argmax(-1).tolist()


def test_one_token_is_read_too(transformer):
    assert seen_by(transformer(), TOKENS[:, :1]).values.shape == (3, 3, 1)


def test_a_model_without_a_residual_stream_is_refused(mapped):
    with pytest.raises(BadInput, match="no residual stream that its head can read"):
        seen_by(mapped(lambda tokens: []))
