"""The eigenvalues of the matrix by which one token multiplies the state of a layer, computed by the layers."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from lab.api import BadInput, LanguageModel, ProbeFunction, Reading, layer_of
from lab.diagnostics.state.carried import undisturbed


def eigenvalues(config: Any) -> ProbeFunction:
    """Return the probe that calls the method `eigenvalues(x)` of each module on its input in a forward pass.

    The method takes the module's input (B, T, C) and returns (n,) complex numbers: inside the unit circle a state
    fades, on it the state stays, and the angle is its rotation per token.
    """
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        named = model.named_modules()  # type: ignore[attr-defined]
        modules = {path: module for path, module in named if callable(getattr(module, "eigenvalues", None))}
        with undisturbed(model), contextlib.ExitStack() as held:
            inputs = {path: held.enter_context(_inputs(module)) for path, module in modules.items()}
            model(tokens)
            found = {path: modules[path].eigenvalues(x[0]) for path, x in inputs.items() if x}
        if not found:
            raise BadInput("no layer of this model computes eigenvalues of its state", remedy="Choose another probe")
        axes, coordinates = ("quantity", "state"), {"quantity": ("real", "imaginary")}
        return [
            Reading("eigenvalues", axes, _parts(values), layer_of(path), path, None, coordinates)
            for path, values in found.items()
        ]

    return probe


def _parts(values: Tensor) -> Tensor:
    """Return real and imaginary parts, (2, n)."""
    values = values.detach().flatten()
    return torch.stack([values.real, values.imag if values.is_complex() else torch.zeros_like(values)])


@contextlib.contextmanager
def _inputs(module: nn.Module) -> Iterator[list[Tensor]]:
    """Record the first input of a module, (B, T, C), of `forward` or `extend`; torch's hooks see only `forward`."""
    inputs: list[Tensor] = []
    names = [name for name in ("forward", "extend") if hasattr(module, name)]
    for name in names:
        setattr(module, name, _recording(getattr(module, name), inputs))
    try:
        yield inputs
    finally:
        for name in names:
            delattr(module, name)  # the method of its class is visible again


def _recording(call: Callable[..., Any], inputs: list[Tensor]) -> Callable[..., Any]:
    def method(x: Tensor, *more: Any, **named: Any) -> Any:
        if not inputs:
            inputs.append(x)
        return call(x, *more, **named)

    return method
