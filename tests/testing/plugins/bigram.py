"""Counts of pairs: a model that learns by counting."""

import numpy as np
import torch

from lab.api import Architecture, ModelConfig, hookimpl, setting
from lab.layers import LanguageModel


class BigramConfig(ModelConfig):
    added: float = setting(0.5, gt=0, le=10, live=True, help="What is added to every count.", cite="Laplace 1814")


class Bigram(LanguageModel):
    learns = "counting"
    history = 0

    def __init__(self, config, task):
        super().__init__(config, task)
        self.pairs = torch.zeros(task.vocabulary_size, task.vocabulary_size, dtype=torch.float64)
        self.ending = None

    def count(self, tokens):
        if self.ending is not None:
            tokens = np.concatenate([[self.ending], tokens])
        pairs = torch.from_numpy(tokens[:-1] * len(self.pairs) + tokens[1:])
        self.pairs = self.pairs + torch.bincount(pairs, minlength=self.pairs.numel()).view_as(self.pairs)
        self.ending = int(tokens[-1])

    def forward(self, tokens):
        counts = self.pairs + self.config.added
        return (counts / counts.sum(dim=1, keepdim=True)).log()[tokens]

    def tables(self):
        return {"pairs": self.pairs}

    def load_tables(self, tables):
        self.pairs = tables["pairs"]


@hookimpl
def lab_register_architectures(register):
    register(Architecture("bigram", "Bigram", "counting", "Counts pairs.", config=BigramConfig, build=Bigram))
