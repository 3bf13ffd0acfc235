"""Probes: what a model reports of itself, and how surprised it is."""

import numpy as np
import pytest
import torch

from lab.api import BadInput, NoSettings, Task
from lab.diagnostics.probes import reports, surprise
from lab.host import Plugins
from lab.layers import LanguageModel
from lab_ngram import NgramConfig
from lab_ngram.model import NgramModel
from lab_transformer import TransformerConfig
from lab_transformer.model import build

torch.set_num_threads(1)
TOKENS = torch.tensor([[1, 2, 3, 4, 5]])


@pytest.fixture
def model():
    """A transformer of two layers."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return build(TransformerConfig(layers=2, width=16, heads=2), Task(10, 8)).eval()


@pytest.fixture
def n_gram():
    """A bigram that has counted one text."""
    model = NgramModel(NgramConfig(order=2), Task(10, 8))
    model.count(np.array([1, 2, 3, 4, 5] * 20))
    return model.eval()


def test_reports_are_all_readings_of_one_forward_pass(model):
    readings = reports(None)(model, TOKENS)
    attention = [reading for reading in readings if reading.axes == ("head", "query", "key")]
    assert sorted({reading.layer for reading in attention}) == [0, 1]
    for reading in attention:
        np.testing.assert_allclose(np.asarray(reading.values).sum(-1), 1, atol=1e-5)


def test_a_probe_leaves_the_model_as_it_was(model):
    before = {name: tensor.clone() for name, tensor in model.tables().items()}
    first, again = reports(None)(model, TOKENS), reports(None)(model, TOKENS)
    assert [reading.name for reading in first] == [reading.name for reading in again]
    assert all(torch.equal(before[name], tensor) for name, tensor in model.tables().items())


@pytest.mark.parametrize("name", ["model", "n_gram"])
def test_surprise_is_the_cost_of_each_token_after_those_before_it(request, name):
    model = request.getfixturevalue(name)
    with torch.no_grad():
        (reading,) = surprise(None)(model, TOKENS)
        shares = model(TOKENS[:, :-1])[0].float().log_softmax(-1)
    assert (reading.axes, reading.units) == (("token",), "nats")
    expected = [0, *(-shares[place, token].item() for place, token in enumerate(TOKENS[0, 1:]))]
    np.testing.assert_allclose(reading.values, expected, atol=1e-5)


def test_a_single_token_costs_nothing(model):
    with torch.no_grad():
        (reading,) = surprise(None)(model, TOKENS[:, :1])
    assert reading.values.tolist() == [0]


def test_both_are_registered():
    assert {"reports", "surprise"} <= Plugins().cards("probes").keys()


def test_surprise_refuses_a_model_that_reads_both_ways():
    class BothWays(LanguageModel):
        causal = False

        def forward(self, tokens, **given):
            return torch.zeros(*tokens.shape, 7)

    with pytest.raises(BadInput, match="reads both ways"):
        surprise(NoSettings())(BothWays(None, Task(7, 8, causal=False)), torch.zeros(1, 4, dtype=torch.long))
