"""How tokens move one another: rollout against a product written out, influence against finite differences."""

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task
from lab.diagnostics.flow import influence, rollout
from lab.layers import LanguageModel

TOKENS = torch.tensor([[1, 2, 3, 4, 5, 1]])


def found(probe, model, tokens=TOKENS):
    """The one map of a probe, (query, key)."""
    with torch.no_grad():
        (reading,) = probe(None)(model, tokens)
    assert reading.axes == ("query", "key")
    return np.asarray(reading.values)


def test_rollout_multiplies_the_layers_with_half_of_each_token_kept(mapped):
    random = torch.Generator().manual_seed(0)
    maps = [torch.rand(1, 3, 6, 6, generator=random).tril() for _ in range(3)]
    maps = [each / each.sum(-1, keepdim=True) for each in maps]
    expected = np.eye(6)
    for each in maps:
        expected = (each[0].mean(0).numpy() / 2 + np.eye(6) / 2) @ expected
    flow = found(rollout, mapped(lambda tokens: maps))
    np.testing.assert_allclose(flow, expected, atol=1e-6)
    np.testing.assert_allclose(flow.sum(-1), 1, atol=1e-6)


def test_rollout_takes_negative_weights_for_nothing(mapped):
    signed = torch.tensor([[1.0, 0.0], [-5.0, 1.0]])
    flow = found(rollout, mapped(lambda tokens: [signed], axes=("query", "key")), TOKENS[:, :2])
    np.testing.assert_allclose(flow, np.eye(2))


def test_rollout_needs_maps(mapped):
    with pytest.raises(BadInput, match="reports no map"):
        found(rollout, mapped(lambda tokens: []))


def rest_of(model, x):
    """From embeddings (B, T, C) to logits."""
    for block in model.blocks:
        x = block(x)
    return model.head(x)


def test_influence_is_the_slope_of_the_next_token_s_logit(transformer):
    model, step = transformer().double(), 1e-5
    values = found(influence, model)
    with torch.no_grad():
        x = model.embed(TOKENS)  # (1, T, C)
        wanted = torch.cat([TOKENS[0, 1:], model(TOKENS)[0, -1:].argmax(-1)])
        for s in range(TOKENS.shape[1]):
            moved = torch.zeros(16, *x.shape[1:], dtype=x.dtype)
            moved[:, s] = step * torch.eye(16)  # one channel in each row
            slopes = (rest_of(model, x + moved) - rest_of(model, x - moved)) / (2 * step)  # (C, T, V)
            expected = slopes[:, range(len(wanted)), wanted].norm(dim=0)
            np.testing.assert_allclose(values[:, s], expected, rtol=1e-4, atol=1e-7)


def test_the_future_has_no_influence_on_a_causal_model(transformer):
    values = found(influence, transformer())
    assert not np.triu(values, 1).any()
    assert np.tril(values).any()


def test_the_future_has_influence_on_a_bidirectional_model(transformer):
    values = found(influence, transformer(Task(11, 32, causal=False)))
    assert values[np.triu_indices(len(values), 1)].all()


class Sum(LanguageModel):
    """A model with `step` alone: the state is the sum of all embeddings, halved at each token."""

    def __init__(self):
        super().__init__(None, Task(7, 32))
        self.table = torch.nn.Embedding(7, 4)
        self.output = torch.nn.Linear(4, 7)

    def start(self, batch, **given):
        return torch.zeros(batch, 4)

    def step(self, tokens, state):
        state = 0.5 * state + self.table(tokens)
        return self.output(state), state


def test_a_model_that_reads_token_by_token_is_followed_through_its_state():
    model = Sum()
    values = found(influence, model)
    norms = model.output.weight.norm(dim=-1)[TOKENS[0, 1:]].detach().numpy()
    distance = np.subtract.outer(np.arange(6), np.arange(6))[:-1]
    expected = np.where(distance >= 0, 0.5 ** np.abs(distance), 0) * norms[:, None]
    np.testing.assert_allclose(values[:-1], expected, atol=1e-6)


def test_a_text_too_long_for_a_pass_per_token_is_refused(transformer):
    with pytest.raises(BadInput, match="at most 64"):
        found(influence, transformer(Task(11, 65)), torch.ones(1, 65, dtype=torch.long))


def test_a_model_whose_tokens_are_looked_up_nowhere_is_refused(mapped):
    with pytest.raises(BadInput, match="no embedding"):
        found(influence, mapped(lambda tokens: []))
