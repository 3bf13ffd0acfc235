"""Models of which it is known what a probe must find."""

import functools
from dataclasses import dataclass

import pytest
import torch

from lab.api import Task
from lab.layers import LanguageModel
from lab_transformer import TransformerConfig
from lab_transformer.model import build

torch.set_num_threads(1)


@dataclass
class Width:
    """The config of models without settings."""

    dropout: float = 0.0


class Mapped(LanguageModel):
    """Reports the maps that a function of the tokens makes, a list with one per layer."""

    def __init__(self, maps, vocabulary=40, axes=("batch", "head", "query", "key"), reach=None):
        super().__init__(Width(), Task(vocabulary, 64))
        self.maps, self.axes, self.reach = maps, axes, reach

    def forward(self, tokens, **given):
        for layer, values in enumerate(self.maps(tokens)):
            self.report("mixing", values, axes=self.axes, layer=layer)
        return torch.zeros(*tokens.shape, self.task.vocabulary_size)


def task_of(card):
    """A task of what an architecture reads: tokens, else vectors, else images."""
    if "tokens" in card.inputs:
        return Task(97, 24)
    return Task(1, 1, causal=False, input_shape=(6,) if "vectors" in card.inputs else (8, 8, 3), classes=5)


@pytest.fixture(scope="session")
def shallow_tree():
    """Return a function that makes the tree of a built-in architecture with two layers, once for all tests."""
    from lab.diagnostics.structure.tree import tree_of
    from lab.host import Plugins

    cards = Plugins(safe_mode=True).cards("architectures")

    @functools.cache
    def shallow_tree(name):
        card = cards[name]
        settings = {"layers": 2} if "layers" in card.config.model_fields else {}
        return tree_of(card, card.config(**settings), task_of(card))

    return shallow_tree


@pytest.fixture
def mapped():
    """Return a function that makes a model that reports given maps."""
    return Mapped


@pytest.fixture
def transformer():
    """Return a function that makes a transformer of two layers with weights large enough to differ."""

    def transformer(task=None, **settings):
        with torch.random.fork_rng():
            torch.manual_seed(0)
            model = build(TransformerConfig(**{"layers": 2, "width": 16, "heads": 2, **settings}), task or Task(11, 32))
            for parameter in model.parameters():
                parameter.data += 0.3 * torch.randn_like(parameter)
        return model.eval()

    return transformer
