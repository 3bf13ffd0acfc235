"""The influence of tokens on one another: rollout against an explicit product, influence against finite differences."""

import re
from pathlib import Path

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task
from lab.diagnostics.flow import LEAST, influence, rollout
from lab.host import Plugins
from lab.layers import LanguageModel
from lab.testing.cards import offer_of
from lab.testing.model_case import model_cases

MODELS = re.compile("def lab_register_(architectures|mixers)")
FOLDER = Path(__file__).parents[1] / "strangers"
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


class Pairs(LanguageModel):
    """A table of log-probabilities of pairs, looked up in no embedding."""

    history = 0

    def __init__(self, table, learns):
        super().__init__(None, Task(len(table), 32))
        self.table, self.learns = table, learns

    def forward(self, tokens, **given):
        return self.table[tokens]


@pytest.mark.parametrize("learns", ["gradient", "counting"])
def test_without_gradients_each_token_is_replaced_by_others_and_log_p_changes(learns):
    p = np.array([[0, 0.5, 0.5], [0, 0.2, 0.8], [0, 0.9, 0.1]])
    text = torch.tensor([[1, 2, 1, 0, 2]])
    (reading,) = influence(None)(Pairs(torch.from_numpy(p).log(), learns), text)
    assert reading.units == "nats"
    asked = [2, 1, 0, 2, 1]  # of the last position the likeliest
    nats = np.log(np.maximum(p, LEAST))
    own = [
        np.mean([abs(nats[other, wanted] - nats[token, wanted]) for other in {0, 1, 2} - {token}])
        for token, wanted in zip(text[0].tolist(), asked, strict=True)
    ]
    np.testing.assert_allclose(reading.values, np.diag(own), atol=1e-6)


def test_a_probability_of_zero_counts_as_a_very_small_one():
    p = torch.tensor([[1.0, 0.0], [0.5, 0.5]])
    (reading,) = influence(None)(Pairs(p.log(), "counting"), torch.tensor([[0, 1, 1]]))
    np.testing.assert_allclose(reading.values, np.diag([np.log(0.5 / LEAST)] * 2 + [np.log(2)]), rtol=1e-5)


def test_what_no_influence_can_be_taken_of_is_refused(transformer):
    with pytest.raises(BadInput, match="one symbol"):
        found(influence, Pairs(torch.zeros(1, 1), "counting"), torch.zeros(1, 3, dtype=torch.long))
    model = transformer()
    model.forward = lambda tokens: torch.zeros(len(tokens), 3)  # as of a classification
    with pytest.raises(BadInput, match="no prediction at each token"):
        found(influence, model)


def test_many_texts_at_once_give_what_one_at_a_time_gives(transformer, monkeypatch):
    models = transformer(), Sum(), Pairs(torch.randn(6, 6, generator=torch.Generator().manual_seed(0)), "counting")
    at_once = [found(influence, model) for model in models]
    monkeypatch.setattr("lab.diagnostics.flow.ROWS", 1)
    for model, expected in zip(models, at_once, strict=True):
        np.testing.assert_allclose(found(influence, model), expected, rtol=1e-5, atol=1e-7)


ARCHITECTURES = Plugins().cards("architectures")
STRANGERS = {path.stem: path for path in FOLDER.glob("*.py") if MODELS.search(path.read_text(encoding="utf-8"))}


@pytest.mark.short(
    "transformer-defaults",
    "lstm-*",
    "mamba-*",
    "hybrid-*",
    "encoder-decoder-*",
    "both_ways-*",
    "bag_classifier-*",
    "rwkv6-*",
)
@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.long)], ids=["defaults", "presets"])
@pytest.mark.parametrize("name", [*ARCHITECTURES, *STRANGERS])
def test_the_future_has_no_influence_unless_a_model_reads_it(name, every):
    cards = {name: ARCHITECTURES[name]} if name in ARCHITECTURES else offer_of(None, STRANGERS[name]).architectures
    cases = [one for name, card in cards.items() for one in model_cases(name, card) if one.special is None]
    for case in (one for one in cases if every or one.label.endswith("defaults")):
        model = case.model(loud=True)
        values = found(influence, model, case.tokens(1, 12))
        later = np.triu(values, 1).max()
        if model.causal:
            assert later <= 1e-7 * values.max(), case.label  # the Fourier transforms of S4 leave rounding errors
        else:
            assert later > 1e-3 * values.max(), case.label
        assert model.causal == (case.task.causal and "expert-choice" not in case.label)
        reads = getattr(model.config, "order", 2) > 1
        assert np.diag(values).any() == (values.max() > 0) == reads, case.label
