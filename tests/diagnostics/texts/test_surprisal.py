"""Scores of tokens: each once, with the context that its protocol states, and the values of the model's logits."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from lab.api import Task
from lab.base import LabError
from lab.base.jobs import Cancelled
from lab.diagnostics.texts.surprisal import score_hidden, score_in_stream, score_in_windows
from lab_transformer import TransformerConfig
from lab_transformer.model import build

torch.set_num_threads(1)
TEXT = np.random.default_rng(0).integers(0, 6, 23)


def of_logits(logits):
    """A model that gives (T, V) logits whatever it reads."""
    table = torch.as_tensor(logits, dtype=torch.float32)

    def model(tokens):
        return table[: tokens.shape[1]].expand(tokens.shape[0], -1, -1)

    model.task = Task(table.shape[1], 64)
    return model


@pytest.fixture(scope="module")
def transformer():
    """A transformer with random weights, far from even distributions."""
    with torch.random.fork_rng():
        torch.manual_seed(1)
        model = build(TransformerConfig(layers=1, width=16, heads=2), Task(6, 8)).eval()
        for parameter in model.parameters():
            torch.nn.init.normal_(parameter, std=0.5)
    return model.requires_grad_(False)


def test_the_running_product_of_a_b_a_is_that_of_the_lecture():
    """Worked example perplexity-aba: q = .7, .5, .6, so .21 = 2.252 bits, perplexity 1.682."""
    shares = [[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.6, 0.3, 0.1]]
    scores = score_in_windows(of_logits(np.log(shares)), [2, 0, 1, 0], length=8, stride=8)
    assert np.exp(-scores.nats[1:].cumsum()) == pytest.approx([0.7, 0.35, 0.21])
    assert math.exp(scores.nats[1:].mean()) == pytest.approx(1.6823908657)
    assert scores.ranks.tolist() == [0, 1, 1, 1]
    assert scores.entropies[2] == pytest.approx(-(0.2 * math.log(0.2) + 0.5 * math.log(0.5) + 0.3 * math.log(0.3)))
    assert (scores.likeliest[2].tolist(), scores.shares[2].tolist()) == ([1, 2, 0], pytest.approx([0.5, 0.3, 0.2]))


def test_of_equal_tokens_the_one_with_the_smaller_number_is_guessed_first():
    scores = score_in_windows(of_logits([[0, 0, 0], [0, 1, 0]]), [0, 2, 2], length=8, stride=8)
    assert scores.ranks.tolist() == [0, 3, 3]


def test_a_token_that_cannot_come_has_infinite_surprisal_and_the_entropy_stays_finite():
    scores = score_in_windows(of_logits([[0, 0, -math.inf]]), [0, 2], length=8, stride=8)
    assert (scores.nats[1], scores.ranks[1]) == (math.inf, 3)
    assert scores.entropies[1] == pytest.approx(math.log(2))


def test_a_model_without_numbers_is_refused():
    with pytest.raises(LabError, match="logits are not finite"):
        score_in_windows(of_logits([[math.nan, 0]]), [0, 1], length=8, stride=8)


@pytest.mark.parametrize("stride", [1, 3, 8, None])
def test_each_token_is_scored_once_by_the_tokens_of_its_window(transformer, stride):
    scores = score_in_windows(transformer, TEXT, length=8, stride=stride)
    assert scores.scored.tolist() == [False] + [True] * 22
    assert scores.contexts[1:9].tolist() == list(range(1, 9))
    assert scores.contexts[9:].min() == 8 - (stride or 8) + 1
    for at in range(1, 23):
        before = torch.from_numpy(TEXT[None, at - scores.contexts[at] : at])
        logs = transformer(before)[0, -1].double().log_softmax(dim=-1)
        assert scores.nats[at] == pytest.approx(-float(logs[TEXT[at]]), abs=1e-5)


def test_a_stream_reads_all_that_stands_before(transformer):
    scores = score_in_stream(transformer, TEXT[:9])
    whole = score_in_windows(transformer, TEXT[:9], length=8, stride=8)
    assert scores.nats[1:] == pytest.approx(whole.nats[1:], abs=1e-5)
    assert scores.contexts[1:].tolist() == list(range(1, 9))


def test_hidden_tokens_are_each_predicted_alone_from_both_sides():
    def model(tokens):
        """Predict of a hidden token the one to its right, or to its left at the end."""
        assert ((tokens == 6).sum(dim=1) == 1).all()
        right = torch.cat([tokens[:, 1:], tokens[:, -2:-1]], dim=1)
        return 3.0 * torch.nn.functional.one_hot(right, 7).float()

    model.task = SimpleNamespace(vocabulary_size=7)
    scores = score_hidden(model, [4, 4, 1, 2, 2], 6, length=4)
    assert scores.scored.all()
    assert scores.ranks.tolist() == [1, 5, 3, 3, 1]  # of equal tokens the smaller number first
    assert np.unique(scores.contexts).tolist() == [3]


def test_scoring_is_cancelled_between_batches():
    with pytest.raises(Cancelled):
        score_in_windows(of_logits([[0, 0]]), [0, 1], length=8, stride=8, cancelled=lambda: True)


def test_one_token_is_not_scored(transformer):
    assert not score_in_windows(transformer, [3], length=8, stride=8).scored.any()
    assert not score_in_stream(transformer, [3]).scored.any()
