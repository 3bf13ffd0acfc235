"""Reports and auxiliary losses: silent until this very instance is listened to."""

import copy

import pytest
import torch
from torch import nn

from lab.api import StackConfig, Task
from lab.layers import AuxiliaryLosses, ChannelMixer, ResidualStack

TOKENS = torch.arange(10).view(2, 5)


class Balanced(ChannelMixer):
    def __init__(self, slot):
        super().__init__()
        self.config = slot.config
        self.gate = nn.Parameter(torch.ones(slot.width))

    def forward(self, x):
        self.add_loss("balance", self.gate.square().mean(), self.config.dropout)
        return x * self.gate


@pytest.fixture
def model():
    config = StackConfig(layers=2, width=4, dropout=0.25)
    return ResidualStack(config, Task(11, 16), token_mixer=None, channel_mixer=Balanced)


def test_an_auxiliary_loss_is_collected_only_with_a_listener(model):
    model(TOKENS)
    losses = AuxiliaryLosses().attach(model)
    assert losses.take() == []
    model(TOKENS)
    terms = losses.take()
    assert [(name, value.item(), *rest) for name, value, *rest in terms] == [
        ("balance", 1.0, 0.25, "blocks.0"),
        ("balance", 1.0, 0.25, "blocks.1"),
    ]
    assert losses.take() == []


def test_its_weight_is_that_of_the_live_config_and_its_value_has_a_gradient(model):
    losses = AuxiliaryLosses().attach(model)
    model.config.change("dropout", 0.5)
    model(TOKENS)
    (_, value, weight, _), _ = losses.take()
    assert weight == 0.5
    value.backward()
    assert model.blocks[0].channel.gate.grad.tolist() == [0.5] * 4


def test_a_copy_of_the_trained_model_is_unheard(model):
    losses = AuxiliaryLosses().attach(model)
    model(TOKENS)
    twin = copy.deepcopy(model)
    losses.take()
    twin(TOKENS)
    assert losses.take() == []


def test_a_report_that_nobody_hears_computes_nothing():
    def never():
        raise AssertionError("computed for nobody")

    class Loud(ChannelMixer):
        def __init__(self, slot):
            super().__init__()

        def forward(self, x):
            assert not self.reporting("gates")
            self.report("gates", never, axes=("batch", "token", "channel"))
            return x

    config = StackConfig(layers=1, width=4)
    ResidualStack(config, Task(11, 16), token_mixer=None, channel_mixer=Loud)(TOKENS)
