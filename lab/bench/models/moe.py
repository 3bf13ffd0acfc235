"""A mixture of experts over a dense model of equal active parameters, and its dispatch over simpler ones."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from lab.bench.pairs import compare
from lab.host import Plugins

BATCH, CONTEXT, WIDTH, LAYERS = 8, 256, 256, 4
EXPERTS, ACTIVE, HIDDEN = 8, 2, 344
"""HIDDEN: units of each expert, so that the active ones together are 8/3 of WIDTH, as usual for SwiGLU."""
VOCABULARY = 65
BASELINE = "dense, equal active parameters"


def moe(pairs: int) -> dict[str, Any]:
    """Measure training steps and dispatches per second, by as many threads as torch uses.

    A step is forward, cross entropy plus the routers' losses, backward, a clipped gradient and fused AdamW, in float32
    on the same tokens. A dispatch is one layer of experts, forward and backward, compared with every expert on every
    token, a loop over experts that picks tokens with a mask and adds them up in place, and the same sorted dispatch
    with one operation per group's product.

    Args:
        pairs: Measurements of each side.

    Returns:
        "step" with "tokens_per_second" as `compare` returns it, and the parameters of both; "dispatch" with "
        ""over_dense",
        "over_mask_loop" and "over_split_loop"; "threads", and the shapes.
    """
    import torch

    return {
        "threads": torch.get_num_threads(),
        "model": {"layers": LAYERS, "width": WIDTH, "experts": EXPERTS, "chosen": ACTIVE, "hidden": HIDDEN},
        "tokens": [BATCH, CONTEXT],
        "step": _steps(pairs),
        "dispatch": _dispatches(pairs),
    }


def _steps(pairs: int) -> dict[str, Any]:
    import torch

    from lab.api import Task

    card = Plugins(safe_mode=True).card("architectures", "moe")
    sparse = card.config(layers=LAYERS, width=WIDTH, experts=EXPERTS, chosen=ACTIVE, hidden=HIDDEN)
    dense = card.baseline(BASELINE, sparse)
    task = Task(VOCABULARY, CONTEXT)
    tokens = torch.randint(VOCABULARY, (BATCH, CONTEXT + 1), generator=torch.Generator().manual_seed(0))
    models = [card.make(config, task).train() for config in (sparse, dense)]
    ours, theirs = (_step(model, tokens) for model in models)
    for once in (ours, theirs) * 3:
        once()
    return {
        "parameters": [sum(each.numel() for each in model.parameters()) for model in models],
        "active_parameters": [_active(card, config, task) for config in (sparse, dense)],
        "tokens_per_second": compare(ours, theirs, pairs),
    }


def _active(card: Any, config: Any, task: Any) -> int:
    from lab.diagnostics.cost import measure

    active: int = measure(card, config, task, flops=False).active_parameters
    return active


def _step(model: Any, tokens: Any) -> Callable[[], float]:
    """Return a function that makes a step and returns its tokens per second."""
    import torch

    from lab.layers import AuxiliaryLosses

    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
    added = AuxiliaryLosses().attach(model)

    def once() -> float:
        started = time.perf_counter()
        loss = -model.score(tokens[:, :-1], tokens[:, 1:]).mean()
        for _, value, weight, *_ in added.take():
            loss = loss + weight * value
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return float(BATCH * CONTEXT / (time.perf_counter() - started))

    return once


def _dispatches(pairs: int) -> dict[str, Any]:
    import torch
    import torch.nn.functional as F

    from lab.layers.dispatch import Assignments, dispatched, grouped_linear

    generator = torch.Generator().manual_seed(0)

    def draw(*shape: int) -> Any:
        return (torch.randn(*shape, generator=generator) / math.sqrt(shape[-1])).requires_grad_()

    N = BATCH * CONTEXT
    x, inner, outer = draw(N, WIDTH), draw(EXPERTS, 2 * HIDDEN, WIDTH), draw(EXPERTS, WIDTH, HIDDEN)
    gates, index = draw(N, EXPERTS).softmax(-1).detach().topk(ACTIVE, dim=-1)
    gates.requires_grad_()
    gradient = draw(N, WIDTH).detach()

    def gated(units: Any) -> Any:
        gate, value = units.chunk(2, dim=-1)
        return F.silu(gate) * value

    def sorted_by(product: Callable[..., Any]) -> Any:
        def work(rows: Any, counts: Any) -> Any:
            return product(gated(product(rows, inner, counts)), outer, counts)

        assigned = Assignments(torch.arange(N).repeat_interleave(ACTIVE), index.flatten(), gates.flatten())
        return dispatched(x, assigned, EXPERTS, work)

    def split(rows: Any, weight: Any, counts: Any) -> Any:
        groups = zip(rows.split(counts.tolist()), weight.unbind(), strict=True)
        return torch.cat([group @ matrix.mT for group, matrix in groups])

    def every() -> Any:
        table = torch.zeros(N, EXPERTS).scatter(1, index, gates)
        return sum(table[:, i, None] * (gated(x @ inner[i].mT) @ outer[i].mT) for i in range(EXPERTS))

    def masked() -> Any:
        y = torch.zeros_like(x)
        for i in range(EXPERTS):
            token, choice = torch.where(index == i)
            y = y.index_add(0, token, (gated(x[token] @ inner[i].mT) @ outer[i].mT) * gates[token, choice, None])
        return y

    def rate(forward: Callable[[], Any]) -> Callable[[], float]:
        def measured() -> float:
            started = time.perf_counter()
            torch.autograd.grad(forward(), (x, inner, outer, gates), gradient)
            return 1 / (time.perf_counter() - started)

        measured()
        return measured

    ours = rate(lambda: sorted_by(grouped_linear))
    others: dict[str, Callable[[], Any]] = {
        "over_dense": every,
        "over_mask_loop": masked,
        "over_split_loop": lambda: sorted_by(split),
    }
    expected = every()
    for name, other in others.items():
        if not torch.allclose(other(), expected, atol=1e-4):
            raise RuntimeError(f"{name} computes something else")
    return {name: compare(ours, rate(other), pairs) for name, other in others.items()}
