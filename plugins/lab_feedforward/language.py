"""Language models that read a window of tokens: Bengio's network, log-bilinear, logistic, causal convolutions."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.layers import LanguageModel, Reports
from lab_feedforward.settings import read_by

if TYPE_CHECKING:
    from lab.api import Task
    from lab_feedforward.settings import (
        BengioConfig,
        EmbeddedConfig,
        LogBilinearConfig,
        LogisticConfig,
        TokenConvolutionConfig,
        WindowConfig,
    )


def windows(x: Tensor, size: int) -> Tensor:
    """Return the last `size` positions up to each, zeros before the start, (B, T, C) to (B, T, size, C)."""
    return F.pad(x, (0, 0, size - 1, 0)).unfold(1, size, 1).transpose(2, 3)


class Windowed(LanguageModel):
    """A model whose predictions read the last `config.window` tokens.

    Args:
        config: The settings.
        task: The task that the model is built for.
    """

    def __init__(self, config: WindowConfig, task: Task) -> None:
        super().__init__(config, task)
        self.history = config.window - 1


class Embedded(Windowed):
    """One with a vector for each token; before the start of a text the vectors are zeros.

    Args:
        config: The settings.
        task: The task that the model is built for.
    """

    def __init__(self, config: EmbeddedConfig, task: Task) -> None:
        super().__init__(config, task)
        self.embedding = nn.Embedding(task.vocabulary_size, config.width)
        nn.init.normal_(self.embedding.weight, std=config.embedding_std)

    def read(self, tokens: Tensor) -> Tensor:
        """Return the vectors of the window of each token, (B, T, window, C)."""
        x = self.embedding(tokens)
        self.report("embedding", x, axes=("batch", "token", "channel"))
        return windows(x, cast("EmbeddedConfig", self.config).window)


class Bengio(Embedded):
    """y = b + W x + U tanh(d + H x), x the vectors of the window one after the other (Bengio et al. 2003, eq. 1).

    Args:
        config: The settings; dropout is read at each step.
        task: The task that the model is built for.
    """

    def __init__(self, config: BengioConfig, task: Task) -> None:
        super().__init__(config, task)
        numbers = config.window * config.width
        self.hidden = nn.Linear(numbers, config.hidden)
        self.output = nn.Linear(config.hidden, task.vocabulary_size)
        self.direct = nn.Linear(numbers, task.vocabulary_size, bias=False) if config.direct else None
        for layer in (self.hidden, self.output):
            nn.init.xavier_uniform_(layer.weight)
            nn.init.zeros_(layer.bias)
        if self.direct is not None:
            nn.init.zeros_(self.direct.weight)

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return logits (B, T, V) of tokens (B, T)."""
        del given
        x = self.read(tokens).flatten(2)
        units = self.hook_point("units", torch.tanh(self.hidden(x)), ("batch", "token", "unit"))
        self.report("activation", units, axes=("batch", "token", "unit"), layer=0)
        units = F.dropout(units, cast("BengioConfig", self.config).dropout, self.training)
        logits: Tensor = self.output(units)
        return logits if self.direct is None else logits + self.direct(x)


class LogBilinear(Embedded):
    """Logits r̂ · r_w + b_w with r̂ = Σ C_i r_{w_i}: the vector of the next token is predicted (Mnih & Hinton 2007).

    Args:
        config: The settings.
        task: The task that the model is built for.
    """

    def __init__(self, config: LogBilinearConfig, task: Task) -> None:
        super().__init__(config, task)
        shape = (config.window, config.width) if config.diagonal else (config.window, config.width, config.width)
        self.position = nn.Parameter(torch.empty(shape))
        self.bias = nn.Parameter(torch.zeros(task.vocabulary_size))
        nn.init.normal_(self.position, std=(config.window * (1 if config.diagonal else config.width)) ** -0.5)

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return logits (B, T, V) of tokens (B, T)."""
        del given
        x = self.read(tokens)
        sums = "btiv,iv->btv" if self.position.ndim == 2 else "btiv,ivw->btw"
        predicted = torch.einsum(sums, x, self.position)
        predicted = self.hook_point("predicted", predicted, ("batch", "token", "channel"))
        self.report("predicted vector", predicted, axes=("batch", "token", "channel"))
        return F.linear(predicted, self.embedding.weight, self.bias)


class Positions(Reports, nn.Module):
    """Σ W_i[w_i]: a table of weights for each position of the window, the last being that of the token itself.

    What a position adds passes a hook point of its own, as a head, so that each can be switched off.

    Args:
        window: Tokens of the window.
        size: Those of the vocabulary.
    """

    def __init__(self, window: int, size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(window, size, size))

    def forward(self, tokens: Tensor, bias: Tensor) -> Tensor:
        """Return the sums above a bias, (B, T, V), of tokens (B, T); before the start of a text nothing is added."""
        logits = bias.expand(*tokens.shape, -1)
        window, length = len(self.weight), tokens.shape[1]
        for position in range(max(window - length, 0), window):
            distance = window - 1 - position
            added = F.embedding(tokens[:, : length - distance], self.weight[position])
            added = F.pad(added, (0, 0, distance, 0))[:, :, None]
            added = self.hook_point(f"position {position + 1}", added, ("batch", "token", "head", "unit"))
            logits = logits + added[:, :, 0]
        return logits


class Logistic(Windowed):
    """Logits b + Σ W_i[w_i]: a table of weights for each position of the window, logistic regression on its tokens.

    Args:
        config: The settings.
        task: The task that the model is built for.
    """

    def __init__(self, config: LogisticConfig, task: Task) -> None:
        super().__init__(config, task)
        self.position = Positions(config.window, task.vocabulary_size)
        self.bias = nn.Parameter(torch.zeros(task.vocabulary_size))

    @property
    def weight(self) -> Tensor:
        """The tables, (window, V, V)."""
        return self.position.weight

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return logits (B, T, V) of tokens (B, T)."""
        del given
        return self.position(tokens, self.bias)  # type: ignore[no-any-return]


class TokenConvolution(LanguageModel):
    """Causal convolutions over tokens with residual connections: x + relu(conv(x)) (Bai et al. 2018).

    Args:
        config: The settings; dropout is read at each step.
        task: The task that the model is built for.
    """

    def __init__(self, config: TokenConvolutionConfig, task: Task) -> None:
        super().__init__(config, task)
        self.history = read_by(config) - 1
        self.embedding = nn.Embedding(task.vocabulary_size, config.width)
        self.layers = nn.ModuleList(
            nn.Conv1d(config.width, config.width, config.kernel, dilation=2**layer if config.dilated else 1)
            for layer in range(config.layers)
        )
        self.output = nn.Linear(config.width, task.vocabulary_size)
        nn.init.normal_(self.embedding.weight, std=0.5)
        for layer in self.convolutions:
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            nn.init.zeros_(cast("Tensor", layer.bias))
        nn.init.xavier_uniform_(self.output.weight)
        nn.init.zeros_(self.output.bias)

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return logits (B, T, V) of tokens (B, T)."""
        del given
        x = self.embedding(tokens).transpose(1, 2)
        dropout = cast("TokenConvolutionConfig", self.config).dropout
        for number, layer in enumerate(self.convolutions):
            before = (layer.kernel_size[0] - 1) * layer.dilation[0]
            maps = F.relu(layer(F.pad(x, (before, 0)))).transpose(1, 2)
            maps = self.hook_point("units", maps, ("batch", "token", "unit"))
            self.report("activation", maps, axes=("batch", "token", "unit"), layer=number)
            x = x + F.dropout(maps, dropout, self.training).transpose(1, 2)
        return self.output(x.transpose(1, 2))  # type: ignore[no-any-return]

    @property
    def convolutions(self) -> list[nn.Conv1d]:
        """The convolutions, from the one above the embedding."""
        return list(self.layers)  # type: ignore[arg-type]


def build_bengio(config: BengioConfig, task: Task) -> Bengio:
    """Return the network of Bengio et al. 2003."""
    return Bengio(config, task)


def build_log_bilinear(config: LogBilinearConfig, task: Task) -> LogBilinear:
    """Return the log-bilinear model."""
    return LogBilinear(config, task)


def build_logistic(config: LogisticConfig, task: Task) -> Logistic:
    """Return logistic regression on a window of tokens."""
    return Logistic(config, task)


def build_token_convolution(config: TokenConvolutionConfig, task: Task) -> TokenConvolution:
    """Return the causal convolutional model."""
    return TokenConvolution(config, task)
