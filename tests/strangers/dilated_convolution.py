"""Dilated causal convolutions with gated activation units, residual and skip connections (WaveNet)."""

import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Architecture, Register, StackConfig, Task, hookimpl, setting
from lab.layers import LanguageModel, Reports

LAB_API_VERSION = 1


class DilatedConvolutionConfig(StackConfig):  # has width and dropout
    layers: int = setting(8, ge=1, le=1000, unit="layers", help="Stacked gated convolutions.")
    cycle: int = setting(
        8,
        ge=1,
        le=12,
        unit="layers",
        help="Layers over which the dilation doubles, from 1, before it starts at 1 again.",
        cite="van den Oord et al. 2016, section 2.1",
    )
    kernel: int = setting(
        2, ge=2, le=16, unit="tokens", help="Tokens that one convolution reads, including the current one."
    )


class Layer(Reports, nn.Module):
    def __init__(self, config: DilatedConvolutionConfig, index: int) -> None:
        super().__init__()
        self.config = config  # dropout is live
        C, dilation = config.width, 2 ** (index % config.cycle)
        self.history = (config.kernel - 1) * dilation
        self.dilated = nn.Conv1d(C, 2 * C, config.kernel, dilation=dilation)
        self.skip = nn.Linear(C, C)
        self.residual = nn.Linear(C, C) if index < config.layers - 1 else None  # the last layer's is never read

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:  # (B, T, C) -> the stream and the skip, (B, T, C) each
        both: Tensor = self.dilated(F.pad(x.transpose(1, 2), (self.history, 0)))  # (B, 2C, T)
        filtered, gate = both.transpose(1, 2).chunk(2, dim=-1)
        gate = gate.sigmoid()
        self.report("gate", gate, axes=("batch", "token", "unit"))
        z = self.hook_point("units", filtered.tanh() * gate, ("batch", "token", "unit"))
        z = F.dropout(z, self.config.dropout, self.training)
        return x if self.residual is None else x + self.residual(z), self.skip(z)


class DilatedConvolution(LanguageModel):  # forward alone
    def __init__(self, config: DilatedConvolutionConfig, task: Task) -> None:
        super().__init__(config, task)
        C, V = config.width, task.vocabulary_size
        self.embedding = nn.Embedding(V, C)
        layers = [Layer(config, index) for index in range(config.layers)]
        self.layers = nn.ModuleList(layers)
        self.head = nn.Sequential(nn.ReLU(), nn.Linear(C, C), nn.ReLU(), nn.Linear(C, V))
        self.history = sum(layer.history for layer in layers)

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        embedded: Tensor = self.embedding(tokens)
        self.report("embedding", embedded, axes=("batch", "token", "channel"))
        x = F.dropout(embedded, self.config.dropout, self.training)
        skips = []
        for layer in self.layers:
            x, skip = layer(x)
            skips.append(skip)
        logits: Tensor = self.head(sum(skips))
        return logits


@hookimpl
def lab_register_architectures(register: Register[Architecture]) -> None:
    register(
        Architecture(
            name="dilated-convolution",
            title="Dilated convolution",
            family="convolution",
            summary="WaveNet for text: gated causal convolutions whose reach doubles from layer to layer.",
            config=DilatedConvolutionConfig,
            build=DilatedConvolution,
            presets={
                "wavenet": {"architecture": {"layers": 30, "cycle": 10}, "training": {"context_length": 1024}},
            },
            equations=(
                r"z_k = \tanh(W_{f,k} \ast x_k) \odot \sigma(W_{g,k} \ast x_k)",
                r"x_{k+1} = x_k + R_k z_k",
                r"p = \mathrm{softmax}(A \, \mathrm{relu}(B \, \mathrm{relu}(\sum_k S_k z_k)))",
            ),
            references=("van den Oord et al. 2016, WaveNet: A Generative Model for Raw Audio",),
        )
    )
