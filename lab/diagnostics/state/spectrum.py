"""The probe of the norm and the effective rank of each layer's state, token by token."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from lab.api import LanguageModel, ProbeFunction, Reading
from lab.diagnostics.state.carried import carried, undisturbed

AT_ONCE = 2**22
"""Size of the states that are collected until they are measured together."""


def state(config: Any) -> ProbeFunction:
    """Return the probe of the norm and the effective rank of each layer's state after each token, per head.

    The effective rank is exp(−Σ p log p), p the singular values over their sum (Roy & Vetterli 2007, definition 1): the
    number of directions in which a matrix is large. A state (B, H, K, V) has H matrices, one (B, D, N) is one matrix,
    and one (B, H) has only a norm. A state of zeros has rank 0, one that is not finite has NaN.
    """
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        with undisturbed(model):
            layers = carried(model, tokens)
            now = model.start(1)
            measured: list[list[tuple[Tensor, Tensor | None]]] = [[] for _ in layers]
            held: list[list[Tensor]] = [[] for _ in layers]
            for t in range(tokens.shape[1]):
                now = model.extend(tokens[:, t : t + 1], now, last=1)[1]
                for layer, states in zip(layers, held, strict=True):
                    states.append(layer.of(now)[0])
                if sum(len(states) * states[0].numel() for states in held) >= AT_ONCE or t + 1 == tokens.shape[1]:
                    for states, found in zip(held, measured, strict=True):
                        found.append(_measured(torch.stack(states)))
                        states.clear()
        readings = []
        for layer, found in zip(layers, measured, strict=True):
            norms, ranks = zip(*found, strict=True)
            for name, pieces in (("state norm", norms), ("effective rank", ranks)):
                if pieces[0] is not None:
                    readings.append(Reading(name, ("token", "head"), torch.cat(pieces), layer.layer, layer.path))
        return readings

    return probe


def _measured(states: Tensor) -> tuple[Tensor, Tensor | None]:
    """Return norm and effective rank (n, heads) of n states; None as the rank of vectors."""
    states = states.detach().cpu().to(torch.complex128 if states.is_complex() else torch.float64)
    if states.ndim < 3:
        return states.flatten(1).norm(dim=1, keepdim=True), None
    matrices = states.flatten(1, -3) if states.ndim > 3 else states[:, None]  # (n, heads, rows, columns)
    return matrices.flatten(2).norm(dim=2), effective_rank(matrices)


def effective_rank(matrices: Tensor) -> Tensor:
    """Return the exponential of the entropy of normalised singular values: (…, M, N) in double precision -> (…).

    It uses the eigenvalues of the smaller of A Aᴴ and Aᴴ A, which is ten times as fast; singular values below 1e-8 of
    the largest are lost, but do not contribute to the entropy.
    """
    if matrices.shape[-2] > matrices.shape[-1]:
        matrices = matrices.mH
    finite = matrices.isfinite().flatten(-2).all(-1)
    gram = torch.where(finite[..., None, None], matrices @ matrices.mH, 0)
    singular = torch.linalg.eigvalsh(gram).clamp(min=0).sqrt()
    total = singular.sum(-1, keepdim=True)
    shares = singular / total.clamp(min=torch.finfo(total.dtype).tiny)
    ranks: Tensor = (-torch.xlogy(shares, shares).sum(-1)).exp() * (total[..., 0] > 0)
    return ranks.masked_fill(~finite, torch.nan)
