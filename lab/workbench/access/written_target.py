"""The target that a model writes for a source, for probes to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lab.api import Objective

if TYPE_CHECKING:
    import torch

    from lab.api import LanguageModel


def written_target(
    model: LanguageModel, objective: Objective, source: Sequence[int], size: int, device: torch.device
) -> list[int]:
    """Return the target that a sequence-to-sequence model writes by itself, always its likeliest token.

    Args:
        model: The model, in eval mode.
        objective: The objective it was trained on.
        source: The tokens of the source.
        size: The number of symbols of the tokenizer.
        device: Where the model is.
    """
    from lab.decoding.builtins import GreedyConfig
    from lab.decoding.request import request_for
    from lab.decoding.strategies import Greedy
    from lab.decoding.stream import generate

    request = request_for(model, objective, source, size)
    tokens = generate(
        request.model, request.prompt, strategy=Greedy(GreedyConfig()), stops=request.stops(), seed=0,
        symbols=request.symbols, count=model.task.context_length - 1, alternatives=1, device=device,
    )  # fmt: skip
    return [token.token for token in tokens if token.end is None or token.end.reason == "length"]
