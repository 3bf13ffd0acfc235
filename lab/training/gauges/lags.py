"""The gradient by lag: how much the loss of the last token depends on the tokens before it."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from lab.api import Batch, LanguageModel
from lab.runs.metrics.gauges import GRADIENT_BY_LAG
from lab.training.gauges.weights import Values


def gradient_by_lag(model: LanguageModel, objective: Any, batch: Batch) -> Values:
    """Return the length of the gradient of the last token's loss by the embeddings of earlier ones.

    Each is relative to that of the last token read, lag 0, in the root mean square over the rows (Pascanu et al. 2013,
    section 2). Only models that read a text through an `nn.Embedding` have them.

    Args:
        model: A copy of the model in eval mode.
        objective: The objective of the training; its targets are the next tokens.
        batch: Rows (B, T) of tokens without padding.
    """
    embedding = _embedding(model)
    tokens = batch.inputs.get("tokens")
    if embedding is None or tokens is None or tokens.ndim != 2 or batch.targets.shape != tokens.shape:
        return []
    outputs: list[Tensor] = []

    def detach(_module: nn.Module, _given: Any, output: Tensor) -> Tensor:
        outputs.append(output.detach().requires_grad_())
        return outputs[-1]

    hook = embedding.register_forward_hook(detach)
    try:
        with torch.enable_grad():
            nats = objective.loss(model, batch).nats
    finally:
        hook.remove()
    length = tokens.shape[1]
    whole = len(outputs) == 1 and outputs[0].shape[:2] == tokens.shape
    if nats.shape != tokens.shape or not (whole or len(outputs) == length) or not nats.requires_grad:
        return []
    found = torch.autograd.grad(nats[:, -1].sum(), outputs, allow_unused=True)
    if any(gradient is None for gradient in found):
        return []
    each = found[0] if whole else torch.stack(list(found), dim=1)  # (B, T, C)
    lengths = each.float().square().sum(dim=-1).mean(dim=0).sqrt().flip(0)  # (T,) by lag
    ratios = lengths / lengths[0].clamp(min=torch.finfo(torch.float32).tiny)
    lags = lags_of(length)
    return [(GRADIENT_BY_LAG, [*map(str, lags)], ratios[lags])]


def lags_of(length: int) -> list[int]:
    """Return the lags that are recorded: 1, 2, 4, …, and the longest."""
    doubled = [1 << power for power in range(length.bit_length()) if 1 << power < length - 1]
    return [*doubled, length - 1] if length > 1 else []


def _embedding(model: LanguageModel) -> nn.Embedding | None:
    """Return the embedding of the tokens: the first one with room for the vocabulary."""
    size = model.task.vocabulary_size
    modules: Any = model
    found = (part for part in modules.modules() if isinstance(part, nn.Embedding) and part.num_embeddings >= size)
    return next(found, None)
