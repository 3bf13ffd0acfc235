"""A model of its own around torch's GRU cell: only `start` and `step` are written."""

from torch import nn

from lab.api import Architecture, ModelConfig, hookimpl, setting
from lab.layers import LanguageModel


class GRUConfig(ModelConfig):
    width: int = setting(64, ge=1, le=4096, unit="channels", help="Channels of embedding and state.")


class GRU(LanguageModel):
    def __init__(self, config, task):
        super().__init__(config, task)
        self.embedding = nn.Embedding(task.vocabulary_size, config.width)
        self.cell = nn.GRUCell(config.width, config.width)
        self.head = nn.Linear(config.width, task.vocabulary_size)

    def start(self, batch):
        return {"hidden": self.head.weight.new_zeros(batch, self.config.width)}

    def step(self, tokens, state):
        hidden = self.cell(self.embedding(tokens), state["hidden"])
        self.report("state", hidden, axes=("batch", "channel"))
        return self.head(hidden), {"hidden": hidden}


@hookimpl
def lab_register_architectures(register):
    register(Architecture("gru", "GRU", "recurrent", "One gated recurrent cell.", config=GRUConfig, build=GRU))
