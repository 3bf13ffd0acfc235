"""The eigenvalues of what one token multiplies the state of each layer by, as the layers say them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from lab.api import BadInput, LanguageModel, ProbeFunction, Reading, layer_of
from lab.diagnostics.carried import undisturbed


def eigenvalues(config: Any) -> ProbeFunction:
    """What the method `eigenvalues(x)` of each module gives for what it read in a forward pass over the text.

    Such a method takes the module's input (B, T, C) and gives (n,) complex numbers: inside the unit circle a state
    fades, on it it stays, and the angle is by how much it turns with each token.
    """
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        named = model.named_modules()  # type: ignore[attr-defined]
        telling = {path: module for path, module in named if callable(getattr(module, "eigenvalues", None))}
        with undisturbed(model), contextlib.ExitStack() as listening:
            inputs = {path: listening.enter_context(_inputs(module)) for path, module in telling.items()}
            model(tokens)
            found = {path: telling[path].eigenvalues(x[0]) for path, x in inputs.items() if x}
        if not found:
            raise BadInput("no layer of this model says what it multiplies its state by", remedy="Choose another probe")
        axes, places = ("quantity", "state"), {"quantity": ("real", "imaginary")}
        return [
            Reading("eigenvalues", axes, _parts(values), layer_of(path), path, None, places)
            for path, values in found.items()
        ]

    return probe


def _parts(values: Tensor) -> Tensor:
    """Real and imaginary parts, (2, n)."""
    values = values.detach().flatten()
    return torch.stack([values.real, values.imag if values.is_complex() else torch.zeros_like(values)])


@contextlib.contextmanager
def _inputs(module: nn.Module) -> Iterator[list[Tensor]]:
    """What a module reads first inside, (B, T, C), whether it is called or asked to extend its state.

    Hooks would hear calls alone.
    """
    heard: list[Tensor] = []
    names = [name for name in ("forward", "extend") if hasattr(module, name)]
    for name in names:
        setattr(module, name, _heard(getattr(module, name), heard))
    try:
        yield heard
    finally:
        for name in names:
            delattr(module, name)  # the method of its class shows again


def _heard(call: Callable[..., Any], heard: list[Tensor]) -> Callable[..., Any]:
    def method(x: Tensor, *more: Any, **named: Any) -> Any:
        if not heard:
            heard.append(x)
        return call(x, *more, **named)

    return method
