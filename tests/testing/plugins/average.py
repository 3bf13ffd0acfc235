"""A decaying average of the past: the smallest token mixer that learns."""

import math

import torch

from lab.api import Mixer, ModelConfig, hookimpl, setting
from lab.layers import TokenMixer


class AverageConfig(ModelConfig):
    slowest: float = setting(
        0.98, ge=0.5, lt=1, help="Share of the old value that the slowest channel keeps per token."
    )


class Average(TokenMixer):
    def __init__(self, slot):
        super().__init__()
        slowest = math.log(slot.config.slowest / (1 - slot.config.slowest))
        self.decay = torch.nn.Parameter(torch.linspace(-3, slowest, slot.width))

    def start(self, batch):
        return self.decay.new_zeros(batch, len(self.decay))  # (B, C)

    def step(self, x, state):
        keep = self.decay.sigmoid()
        state = keep * state + (1 - keep) * x
        self.report("state", state, axes=("batch", "channel"))
        return state, state


@hookimpl
def lab_register_mixers(register):
    register(Mixer(name="average", title="Decaying average", kind="token", config=AverageConfig, build=Average))
