"""States that start again where a document begins, for models that carry them from one window to the next."""

from __future__ import annotations

import itertools
from typing import Any

import torch
from torch import Tensor

from lab.api import LanguageModel, State
from lab.api.state import map_state
from lab.layers.model import LanguageModel as Model
from lab.layers.stack import ResidualStack


@torch.no_grad()
def can_restart(model: Model) -> bool:
    """Return True if single rows of the state of a model can start again.

    They can if the state has the same form before and after some tokens, as that of a recurrence has: a cache of keys
    has grown, and a count of tokens is that of all rows. The count of a ResidualStack is left out where no positions
    are added to its input.
    """
    if not model.causal:
        return False
    was_training = model.training
    device = next((parameter.device for parameter in model.parameters()), None)
    try:
        before = model.eval().start(1)
        after = model.extend(torch.zeros(1, 2, dtype=torch.long, device=device), before)[1]
    finally:
        model.train(was_training)
    return bool(_form(before, model) == _form(after, model))


def extend_documents(model: LanguageModel, tokens: Tensor, state: State, documents: Tensor) -> tuple[Tensor, State]:
    """Read more tokens of packed rows onto a state that starts again at the beginning of each document.

    Args:
        model: A model whose state can restart.
        tokens: (B, T).
        state: The state before them.
        documents: (B, T) the number of each token's document, 0 for the one that began before the first token.

    Returns:
        Logits (B, T, V) and the new state.
    """
    begins = torch.diff(documents, dim=1, prepend=torch.zeros_like(documents[:, :1])) > 0
    starts = sorted({0, *torch.nonzero(begins.any(dim=0)).flatten().tolist()})
    fresh, logits = model.start(tokens.shape[0]), []
    for first, end in itertools.pairwise([*starts, tokens.shape[1]]):
        read, state = model.extend(tokens[:, first:end], _restarted(state, fresh, begins[:, first]))
        logits.append(read)
    return torch.cat(logits, dim=1), state


def _restarted(state: State, fresh: State, rows: Tensor) -> State:
    """Return a state of which the rows (B,) that are True are those of a fresh state of the same form."""
    if isinstance(state, Tensor):
        return torch.where(rows.view(-1, *[1] * (state.ndim - 1)), fresh.to(state.dtype), state)
    if isinstance(state, dict):
        return {name: _restarted(part, fresh[name], rows) for name, part in state.items()}
    if isinstance(state, tuple | list):
        parts = [_restarted(part, other, rows) for part, other in zip(state, fresh, strict=True)]
        return type(state)(*parts) if hasattr(state, "_fields") else type(state)(parts)
    return state


def _form(state: State, model: Model) -> Any:
    """Return a state with the shape of each tensor in its place."""
    form = map_state(lambda tensor: tuple(tensor.shape), state)
    if isinstance(model, ResidualStack) and not _adds_positions(model):
        del form["position"]
    return form


def _adds_positions(model: ResidualStack) -> bool:
    """Return True if the input of the blocks depends on how many tokens were read before."""
    tokens = torch.zeros(1, 1, dtype=torch.long, device=model.output.weight.device)
    first, other = model.embed(tokens, 0), model.embed(tokens, 1)
    return not torch.equal(first, other)
