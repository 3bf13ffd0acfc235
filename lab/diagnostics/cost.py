"""The cost of a model, measured on the meta device: nothing is allocated and nothing computed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import conv_flop_count, flop_registry, shape_wrapper

from lab.api import Architecture, Cost, Task, state_bytes
from lab.base import BadInput
from lab.base.jobs import Cancelled, is_interrupted
from lab.diagnostics.activations import SavedForBackward
from lab.diagnostics.structure.repeats import Repeats

LOOPED = (8, 16)
"""Lengths at which operations of a loop over tokens are counted: on the meta device every operation takes time, too."""

DRAWS = (torch.Tensor.normal_, torch.Tensor.uniform_)
"""The methods that draw initial weights, in addition to the functions of torch.nn.init."""


MOST_CALLS = 100_000
"""Most calls of torch that building a model, or measuring its cost, may take; a model of 1,000 blocks takes more."""


class TooLarge(BadInput):
    """The refusal to build or measure a model that would take too long even without numbers."""


def blueprint(architecture: Architecture, config: Any, task: Task) -> Any:
    """Make the model on the meta device: all shapes and no numbers.

    Raises:
        TooLarge: It has too many parts.
    """
    with _same_gradients(), torch.device("meta"), _Undrawn():
        return architecture.make(config, task)


def _same_gradients() -> AbstractContextManager[None]:
    """Return a context after which gradients are recorded if they are now."""
    return torch.set_grad_enabled(torch.is_grad_enabled())


class _Limited(TorchFunctionMode):
    """A mode that counts calls of torch, and refuses more than `MOST_CALLS`.

    Calls are counted rather than seconds, so that the same model is refused on every machine. The end of
    `torch.no_grad` is a call as well, so whoever uses this restores whether gradients are recorded.
    The calls of a job that was cancelled are refused, too.
    """

    def __init__(self) -> None:
        super().__init__()
        self._left = MOST_CALLS
        self._ended = False

    def __torch_function__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        del types
        self._count()
        return function(*args, **(kwargs or {}))

    def _count(self) -> None:
        if not self._ended and is_interrupted():
            self._ended = True
            raise Cancelled
        self._left -= 1
        if self._left == -1:  # once, so that what is left on the way out can be restored
            raise TooLarge(
                "is too large to estimate",
                field="architecture",
                allowed=f"at most {MOST_CALLS:,} calls of torch",
                remedy="Make it smaller (fewer layers or experts, a shorter context)",
            )


class _Undrawn(_Limited):
    """A mode that skips drawing initial weights on the meta device, which takes most of the time there."""

    def __torch_function__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        del types
        self._count()
        given = dict(kwargs or {})
        if getattr(function, "__module__", "") == "torch.nn.init" or function in DRAWS:
            tensor = args[0] if args else given["tensor"]
            if tensor.device.type == "meta":
                return tensor
        return function(*args, **given)


def measure(architecture: Architecture, config: Any, task: Task, *, flops: bool = True, model: Any = None) -> Cost:
    """Return parameters, operations per token, bytes of decoding state, and activations saved per token.

    Operations are those of matrix products, forward and backward, at the full context length, and the `extra_flops` of
    mixers; a multiplication with an addition counts as two. Those on a source, as long as the context, belong to the
    tokens that are written after it. Vectors and images with labels have no tokens, and nothing is given per token.
    If a module loops over tokens because it has no form for sequences, they are counted at two short lengths and
    extrapolated linearly.

    Args:
        architecture: The card; its own `cost` is used if it has one.
        config: Its settings.
        task: The task it is built for.
        flops: Whether to count operations, which takes longest.
        model: Its blueprint, if there is one already.

    Raises:
        TooLarge: It would take too long.
    """
    if architecture.cost is not None:
        return architecture.cost(config, task)
    model = blueprint(architecture, config, task) if model is None else model
    with _same_gradients(), _Limited(), Repeats():
        return _measured(model, task, flops=flops)


def _measured(model: Any, task: Task, *, flops: bool) -> Cost:
    sizes = {name: parameter.numel() for name, parameter in model.named_parameters()}
    active = {name: size * _share(model, name) for name, size in sizes.items()}
    learns = flops and model.learns == "gradient"
    return Cost(
        parameters=sum(sizes.values()),
        active_parameters=round(sum(active.values())),
        flops_per_token=_flops(model, task) if learns else None,
        state_bytes=_state_bytes(model, task),
        blocks=_by_block(sizes),
        activation_bytes=_activation_bytes(model, task) if learns else None,
    )


def _by_block(sizes: dict[str, int]) -> dict[str, int]:
    """Return the parameters of each block, and of each module outside the blocks."""
    blocks: dict[str, int] = {}
    for name, size in sizes.items():
        parts = name.split(".")
        number = next((i for i, part in enumerate(parts) if part.isdigit()), 0)
        block = ".".join(parts[: number + 1])
        blocks[block] = blocks.get(block, 0) + size
    return blocks


def _share(model: nn.Module, parameter: str) -> float:
    """Return the share of a parameter that one token uses: the product of the modules' `active_share` above it."""
    share, path = 1.0, parameter.split(".")
    for depth in range(len(path)):
        module = model.get_submodule(".".join(path[:depth])) if depth < len(path) else None
        share *= getattr(module, "active_share", {}).get(path[depth], 1.0)
    return share


def _flops(model: Any, task: Task) -> float | None:
    return _at_full_length(model, task, _flops_per_token)


def _activation_bytes(model: Any, task: Task) -> float | None:
    return _at_full_length(model, task, _saved_per_token)


def _at_full_length(model: Any, task: Task, per_token: Callable[[Any, Task, int], float]) -> float | None:
    if not counts_tokens(task):
        return None
    lengths = lengths_of(model, task)
    few, more = per_token(model, task, lengths[0]), per_token(model, task, lengths[-1]) if len(lengths) > 1 else 0.0
    return few if len(lengths) == 1 else extrapolated(few, more, task)


def counts_tokens(task: Task) -> bool:
    """Return True if a training counts the tokens that a model of this task reads or writes, not its examples."""
    return task.input_shape is None or not (task.matching or task.classes or task.outputs)


def pass_of(model: Any, task: Task, length: int, batch: int = 1) -> Callable[[], Tensor]:
    """Return a call of a blueprint with rows of full length: it scores tokens, or returns outputs or comparisons.

    A source is as long as the tokens that are written after it.

    Args:
        model: The blueprint.
        task: What it was built for.
        length: Tokens of each row.
        batch: Rows.
    """
    tokens = torch.zeros(batch, length, dtype=torch.long, device="meta")
    inputs = tokens if task.input_shape is None else torch.zeros(batch, *task.input_shape, device="meta")
    if task.classes is not None or task.outputs is not None:
        return functools.partial(model, inputs)
    if task.matching:
        return functools.partial(model, tokens, source=inputs)
    return functools.partial(model.score, tokens, tokens, **_source(task, inputs))


def _source(task: Task, inputs: Tensor) -> dict[str, Tensor]:
    """Return the inputs as the source of a model that has one."""
    return {"source": inputs} if task.source_vocabulary_size is not None or task.input_shape is not None else {}


def lengths_of(model: Any, task: Task) -> tuple[int, ...]:
    """Return the lengths at which operations per token are counted: the context length, or two if a module loops."""
    T = task.context_length
    if task.input_shape is not None:  # the share of a source of fixed size does not grow with the length
        return (T,)
    return LOOPED if LOOPED[1] < T and any(_loops(module) for module in model.modules()) else (T,)


def extrapolated(few: float, more: float, task: Task) -> float:
    """Return what a token takes at the context length, from what it takes at the two lengths of LOOPED."""
    return few + (more - few) * (task.context_length - LOOPED[0]) / (LOOPED[1] - LOOPED[0])


def _loops(module: Any) -> bool:
    """Return True if a module's sequence form is derived from its step."""
    writes = getattr(module, "writes", None)
    return writes is not None and writes("step") and not writes("extend") and not writes("forward")


class FlopCounter(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """A context that counts the operations of matrix products and convolutions, by the formulas of torch.

    Unlike torch's `FlopCounterMode` it follows no modules and asks no operation how it is composed, which takes most of
    the time on the meta device; and it takes the groups of convolutions into account: torch 2.13 takes the gradient of
    the weights of a depthwise convolution for that of a dense one.

    Attributes:
        total: The operations so far.
    """

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.total = 0

    def __torch_dispatch__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Carry out an operation and count it."""
        del types
        result = function(*args, **(kwargs or {}))
        formula = _formulas().get(function._overloadpacket)
        if formula is not None:
            self.total += formula(*args, **(kwargs or {}), out_val=result)
        return result


@functools.cache
def _formulas() -> dict[Any, Callable[..., int]]:
    wrapped = shape_wrapper(_backward_of_convolution)  # type: ignore[no-untyped-call]
    return {**flop_registry, torch.ops.aten.convolution_backward: wrapped}


def _backward_of_convolution(gradient: Any, inputs: Any, weight: Any, *given: Any, **_: Any) -> int:
    """Return the operations of both gradients, from shapes: each takes as many products as the convolution itself."""
    transposed, wanted = given[4], given[7]  # after the sizes of the bias, stride, padding and dilation; the mask
    products: int = conv_flop_count(inputs, weight, gradient, transposed=transposed)
    return products * sum(map(bool, wanted[:2]))


def _flops_per_token(model: Any, task: Task, length: int) -> float:
    with FlopCounter() as counter:
        pass_of(model, task, length)().sum().backward()  # type: ignore[no-untyped-call]
    mixers = [module for module in model.modules() if getattr(module, "extra_flops", None) is not None]
    return float(counter.total + sum(mixer.extra_flops(length) for mixer in mixers)) / length


def _saved_per_token(model: Any, task: Task, length: int) -> float:
    with SavedForBackward(model) as saved:
        pass_of(model, task, length)()
    return saved.bytes / length


def _state_bytes(model: Any, task: Task) -> int | None:
    if not model.causal or task.classes is not None or task.outputs is not None:
        return None
    tokens = torch.zeros(1, task.context_length, dtype=torch.long, device="meta")
    inputs = tokens if task.input_shape is None else torch.zeros(1, *task.input_shape, device="meta")
    with torch.no_grad():
        return state_bytes(model.extend(tokens, model.start(1, **_source(task, inputs)), last=1)[1])
