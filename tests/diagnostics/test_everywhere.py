"""Probes for models of all architectures: each reads a model or says in a sentence why it does not."""

from pathlib import Path

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task, checked_readings
from lab.host import Plugins
from lab.testing.cards import offer_of
from lab_ngram import NgramConfig
from lab_ngram.model import NgramModel

STRANGERS = Path(__file__).parents[1] / "strangers"
EVERYWHERE = {name: card for name, card in Plugins().cards("probes").items() if card.everywhere}
READ = {
    "both_ways": {"head-scores", "influence", "logit-lens", "rollout"},
    "dilated_convolution": {"influence"},
    "gated_scan": {"head-scores", "influence", "logit-lens", "memory", "rollout", "state"},
    "gru_cells": {"influence", "memory", "state"},
    "suffix_counts": {"influence"},
    "two_experts": {"head-scores", "influence", "logit-lens", "rollout"},
}
"""The probes that read the models of third-party plugins; the others refuse them."""


def readers_of(model):
    """The probes that read a model; whatever else they raise than BadInput is a fault."""
    reading, refusals, tokens = set(), [], torch.tensor([[1, 2, 3, 1, 2]])
    for name, card in EVERYWHERE.items():
        try:
            with torch.no_grad():
                found = checked_readings(card.make(None)(model, tokens))
        except BadInput as error:
            refusals.append(error.problem.what)
        else:
            assert found
            reading.add(name)
    assert all(len(words.split()) > 3 for words in refusals)
    return reading


def test_they_are_offered_for_all_architectures():
    found = {"eigenvalues", "head-scores", "influence", "logit-lens", "memory", "rollout", "state"}
    assert found <= EVERYWHERE.keys()


def test_maps_and_influence_are_read_of_counts_of_n_grams_too():
    model = NgramModel(NgramConfig(order=2), Task(10, 8))
    model.count(np.array([1, 2, 3, 4, 5] * 20))
    assert readers_of(model.eval()) == {"head-scores", "influence", "rollout"}


@pytest.mark.parametrize("stranger", READ)
def test_they_read_third_party_models_or_refuse_them(stranger):
    (card,) = offer_of(None, STRANGERS / f"{stranger}.py").architectures.values()
    small = {name: 2 if name == "layers" else 16 for name in ("layers", "width") if name in card.config.model_fields}
    task = Task(10, 16, causal="causal" in card.tasks)
    model = card.make(card.config(**small), task).eval()
    if model.learns == "counting":
        model.count(np.array([1, 2, 3, 4, 5] * 20))
    assert readers_of(model) == READ[stranger]
