"""The selective scan over a plain loop and over mamba.py's, and a Mamba model's training step over mamba.py's."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

from lab.bench.pairs import compare
from lab.host import Plugins

BATCH, CONTEXT, WIDTH, STATE, LAYERS = 8, 256, 128, 16, 4
"""Size of the model; its scans have twice as many channels."""
VOCABULARY = 65
NOT_INSTALLED = "not measured: mambapy is not installed"
NAMES = {
    "token_norm.weight": "norm.weight",
    "token.A_log": "mixer.A_log",
    "token.D": "mixer.D",
    "token.project.weight": "mixer.in_proj.weight",
    "token.convolution.weight": "mixer.conv1d.weight",
    "token.convolution.bias": "mixer.conv1d.bias",
    "token.select.weight": "mixer.x_proj.weight",
    "token.step_size.weight": "mixer.dt_proj.weight",
    "token.step_size.bias": "mixer.dt_proj.bias",
    "token.output.weight": "mixer.out_proj.weight",
}
"""Names of a block's weights: ours to mamba.py's."""


def scan(pairs: int) -> dict[str, Any]:
    """Measure scans and training steps per second, by as many threads as torch uses.

    A step is forward, cross entropy, backward, a clipped gradient and fused AdamW, in float32 on the same tokens; both
    models start with the same weights, and their losses are compared first. Theirs is assembled as in mambapy.lm.LM,
    which itself cannot be imported without mamba_ssm.

    Args:
        pairs: Measurements of each side; a third of them for the plain loop.

    Returns:
        "threads"; "scan" with "over_loop" and "over_mambapy", and "step" with "over_mambapy", each as `compare`
        returns it or the reason why it was not measured; "step" also has the milliseconds of each part of ours.
    """
    import torch

    ours, loop, theirs = _scans()
    over_loop = compare(ours, loop, max(1, pairs // 3))
    over_theirs = None if theirs is None else compare(ours, theirs, pairs)
    rate = (over_theirs or over_loop)["ours"]
    return {
        "unit": "per second",
        "threads": torch.get_num_threads(),
        "scan": {
            "shape": [BATCH, CONTEXT, 2 * WIDTH, STATE],
            "over_loop": over_loop,
            "over_mambapy": over_theirs or NOT_INSTALLED,
        },
        "step": _steps(pairs, scan_milliseconds=1000 / rate),
    }


def _scans() -> tuple[Callable[[], float], Callable[[], float], Callable[[], float] | None]:
    import torch

    from lab.layers import selective_scan

    generator = torch.Generator().manual_seed(0)
    D, N = 2 * WIDTH, STATE
    x, gradient = (torch.randn(BATCH, CONTEXT, D, generator=generator) for _ in range(2))
    dt = torch.rand(BATCH, CONTEXT, D, generator=generator) * 0.1
    A = -torch.arange(1.0, N + 1).repeat(D, 1)
    B, C = (torch.randn(BATCH, CONTEXT, N, generator=generator) for _ in range(2))
    inputs = [each.requires_grad_() for each in (x, dt, A, B, C)]

    def scan_inputs() -> tuple[Any, Any]:
        return (dt[..., None] * A).exp(), dt[..., None] * B[:, :, None] * x[..., None]

    def looped() -> Any:
        a, b = scan_inputs()
        h, y = x.new_zeros(BATCH, D, N), []
        for a_t, b_t, C_t in zip(a.unbind(1), b.unbind(1), C.unbind(1), strict=True):
            h = a_t * h + b_t
            y.append((h @ C_t[..., None])[..., 0])
        return torch.stack(y, dim=1)

    def rate(forward: Callable[[], Any]) -> Callable[[], float]:
        def measured() -> float:
            started = time.perf_counter()
            torch.autograd.grad(forward(), inputs, gradient)
            return 1 / (time.perf_counter() - started)

        measured()
        return measured

    ours = rate(lambda: selective_scan(x, dt, A, B, C)[0])
    pscan = _mambapy("pscan")
    if pscan is None:
        return ours, rate(looped), None
    return ours, rate(looped), rate(lambda: (pscan.pscan(*scan_inputs()) @ C[..., None])[..., 0])


def _steps(pairs: int, scan_milliseconds: float) -> dict[str, Any]:
    import torch

    from lab.api import Task

    card = Plugins(safe_mode=True).card("architectures", "mamba")
    config = card.config(layers=LAYERS, width=WIDTH, state=STATE, tie=True)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        ours = card.make(config, Task(VOCABULARY, CONTEXT)).train()
    tokens = torch.randint(VOCABULARY, (BATCH, CONTEXT + 1), generator=torch.Generator().manual_seed(0))
    theirs = _their_model(ours)
    losses = [_loss(model, tokens).item() for model in (ours, theirs) if model is not None]
    if not math.isclose(losses[0], losses[-1], rel_tol=1e-4):
        raise RuntimeError(f"the two models differ: {losses}")
    parts = {"forward": 0.0, "backward": 0.0, "optimizer": 0.0}
    steps = [_step(model, tokens, parts if model is ours else {}) for model in (ours, theirs) if model is not None]
    for once in steps:
        once()
    parts.update(dict.fromkeys(parts, 0.0))
    if theirs is None:
        found: Any = NOT_INSTALLED
        for _ in range(pairs):
            steps[0]()
    else:
        found = compare(steps[0], steps[1], pairs)
    return {
        "parameters": sum(each.numel() for each in ours.parameters()),
        "over_mambapy": found,
        "milliseconds": {name: 1000 * seconds / pairs for name, seconds in parts.items()}
        | {"scans, of these": LAYERS * scan_milliseconds},
    }


def _loss(model: Any, tokens: Any) -> Any:
    import torch.nn.functional as F

    logits = model(tokens[:, :-1])
    return F.cross_entropy(logits.reshape(-1, VOCABULARY), tokens[:, 1:].reshape(-1))


def _step(model: Any, tokens: Any, parts: dict[str, float]) -> Callable[[], float]:
    """Return a function that makes a step, adds the seconds of each part to `parts`, and returns its rate."""
    import torch

    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)

    def once() -> float:
        times = [time.perf_counter()]
        loss = _loss(model, tokens)
        times.append(time.perf_counter())
        loss.backward()
        times.append(time.perf_counter())
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        times.append(time.perf_counter())
        for name, started, ended in zip(list(parts), times, times[1:], strict=False):
            parts[name] += ended - started
        return 1 / (times[-1] - times[0])

    return once


def _their_model(ours: Any) -> Any:
    """Return mamba.py's model of the same size with the same weights; None if it is not installed."""
    import torch
    from torch import nn

    theirs = _mambapy("mamba")
    if theirs is None:
        return None
    config = theirs.MambaConfig(d_model=WIDTH, n_layers=LAYERS, d_state=STATE, pscan=True, use_cuda=False)
    blocks, norm = theirs.Mamba(config), theirs.RMSNorm(WIDTH, config.rms_norm_eps)
    embedding, head = nn.Embedding(VOCABULARY, WIDTH), nn.Linear(WIDTH, VOCABULARY, bias=False)
    given, found = ours.state_dict(), blocks.state_dict()
    with torch.no_grad():
        for layer in range(LAYERS):
            for name, their_name in NAMES.items():
                found[f"layers.{layer}.{their_name}"].copy_(given[f"blocks.{layer}.{name}"])
        norm.weight.copy_(given["norm.weight"])
        embedding.weight.copy_(given["embedding.weight"])
    head.weight = embedding.weight
    return nn.Sequential(embedding, blocks, norm, head).train()


def _mambapy(module: str) -> Any:
    import importlib

    try:
        return importlib.import_module(f"mambapy.{module}")
    except ImportError:
        return None
