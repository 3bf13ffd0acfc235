"""A causal convolution along the sequence, of which only `forward` is written."""

import torch
from torch import nn
from torch.nn import functional as F

from lab.api import Architecture, StackConfig, hookimpl, setting
from lab.layers import ResidualStack, TokenMixer


class ConvolutionConfig(StackConfig):
    kernel: int = setting(4, ge=1, le=64, unit="tokens", help="Tokens that one layer reads, its own included.")


class Convolution(TokenMixer):
    def __init__(self, slot):
        super().__init__()
        self.history = slot.config.kernel - 1
        self.weight = nn.Parameter(torch.randn(slot.width, 1, slot.config.kernel) / slot.config.kernel)

    def forward(self, x):
        padded = F.pad(x.transpose(1, 2), (self.weight.shape[-1] - 1, 0))  # (B, C, K - 1 + T)
        return F.conv1d(padded, self.weight, groups=x.shape[-1]).transpose(1, 2)


def build(config, task):
    return ResidualStack(config, task, token_mixer=Convolution, positions="sinusoidal")


@hookimpl
def lab_register_architectures(register):
    register(
        Architecture(
            name="convolution",
            title="Causal convolution",
            family="convolution",
            summary="Every token reads the three before it.",
            config=ConvolutionConfig,
            build=build,
            presets={"wide": {"architecture": {"kernel": 20}}},
        )
    )
