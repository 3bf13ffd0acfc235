"""Linear and softmax attention: how their cost grows with the context, and where linear attention becomes faster."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

SHORT, LONG = (64, 128, 256, 512), (1024, 2048, 4096, 8192, 16384)
"""Contexts in which one form may become faster than another, and those for fitting the growth of the cost."""
HEADS, WIDTH = 4, 32
"""Number of heads, and channels of each head."""
ROUNDS = 5
"""Measurements of each form at each context; the smallest counts, as disturbances only add time."""
LEAST_SECONDS = 0.02
"""A measurement repeats short passes for this long, and takes the smallest time."""


def linear(rounds: int = ROUNDS, short: Sequence[int] = SHORT, long: Sequence[int] = LONG) -> dict[str, Any]:
    """Measure processor time of a forward and a backward pass of each form of linear attention, and of softmax.

    Args:
        rounds: Measurements of each form at each context, in turn.
        short: Contexts below those for the fit.
        long: Contexts over which cost ∝ contextⁿ is fitted.

    Returns:
        "threads", "heads", "width", and by form: "milliseconds" by context, the "exponent" n, and for linear forms
        "overtakes_at", the context from which on the form is faster than softmax attention: interpolated between two
        measured ones on a log-log scale, the first one if it is faster from there on, None if it never is.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        contexts = [*short, *long]
        passes = [_passes(context) for context in contexts]
        least = {name: np.full(len(contexts), np.inf) for name in passes[0]}
        for _ in range(rounds):
            for index, forms in enumerate(passes):
                for name, once in forms.items():
                    least[name][index] = min(least[name][index], _milliseconds(once))
    finally:
        torch.set_num_threads(threads)
    found: dict[str, Any] = {"threads": 1, "heads": HEADS, "width": WIDTH, "rounds": rounds}
    softmax = least["softmax"]
    for name, times in least.items():
        slope = np.polyfit(np.log(long), np.log(times[len(short) :]), 1)[0]
        found[name] = {
            "milliseconds": {str(context): float(took) for context, took in zip(contexts, times, strict=True)},
            "exponent": float(slope),
        }
        if name != "softmax":
            found[name]["overtakes_at"] = overtaking(contexts, times.tolist(), softmax.tolist())
    found["largest_exponent"] = max(found[name]["exponent"] for name in least if name != "softmax")
    return found


def overtaking(contexts: Sequence[int], ours: Sequence[float], theirs: Sequence[float]) -> float | None:
    """Return the context from which on `ours` takes less time than `theirs`; None if it takes more at the last one."""
    excess = np.log(np.asarray(ours) / np.asarray(theirs))
    slower = np.flatnonzero(excess >= 0)
    if not len(slower):
        return float(contexts[0])
    last = int(slower[-1])
    if last == len(contexts) - 1:
        return None
    share = excess[last] / (excess[last] - excess[last + 1])
    return float(contexts[last] * (contexts[last + 1] / contexts[last]) ** share)


def _passes(context: int) -> dict[str, Callable[[], object]]:
    """Return functions for a forward and backward pass of each form over one row of synthetic tokens."""
    import torch
    from torch import Tensor
    from torch.nn.functional import logsigmoid, normalize, scaled_dot_product_attention

    from lab.layers import decayed_attention, delta_attention

    generator = torch.Generator().manual_seed(0)
    q, k, v, gate = (torch.randn(1, context, HEADS, WIDTH, generator=generator) for _ in range(4))
    by_head, by_channel = logsigmoid(gate[..., 0] + 3), logsigmoid(gate + 3)
    key, beta = normalize(k, dim=-1), gate[..., 0].sigmoid()

    def softmax(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        return scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), is_causal=True)

    def ready(form: Callable[..., Any], *given: Tensor) -> Callable[[], object]:
        learned = [x.clone().requires_grad_() for x in given]

        def once() -> object:
            found = form(*learned)
            o = found if isinstance(found, Tensor) else found[0]
            return torch.autograd.grad(o, learned, torch.ones_like(o))

        return once

    return {
        "no decay": ready(decayed_attention, q, k, v),
        "decay by head": ready(decayed_attention, q, k, v, by_head),
        "decay by channel": ready(decayed_attention, q, k, v, by_channel),
        "delta": ready(delta_attention, q, key, v, beta),
        "delta with decay": ready(delta_attention, q, key, v, beta, by_head),
        "softmax": ready(softmax, q, k, v),
    }


def _milliseconds(once: Callable[[], object]) -> float:
    """Return the smallest processor time of one pass, of as many passes as fit into a short time."""
    started = before = time.process_time()
    least = float("inf")
    while before - started <= LEAST_SECONDS:
        once()
        after = time.process_time()
        least, before = min(least, after - before), after
    return 1000 * least
