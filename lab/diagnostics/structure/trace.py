"""A pass through a model on the meta device, with a record of the module that each operation belongs to."""

from __future__ import annotations

import bisect
import contextlib
import functools
import inspect
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from lab.base.jobs import check_cancelled
from lab.diagnostics.cost import FlopCounter
from lab.diagnostics.structure.repeats import Repeats

FORMS = ("forward", "through", "extend", "read", "step")
"""The methods whose output is the output of a module, from the best one on; others come after them."""
QUIET = "lab.layers.reports"
"""The module whose methods are not parts of the computation."""

Value = tuple[int, int]
"""A tensor of the trace: the operation that made it, −1 for none, and the number of the output."""


@dataclass
class Operation:
    """One operation of the forward pass.

    Args:
        home: Path of the module that it belongs to, or of the parameter that it reads.
        reads: The tensors that it reads.
        adds: Whether it adds two tensors of one shape.
    """

    home: str
    reads: tuple[Value, ...]
    adds: bool = False


@dataclass
class Trace:
    """The record of one pass.

    Attributes:
        operations: Those of the forward pass, in order.
        called: The modules that were called, in the order of their first call.
        shapes: The shape of each module's output, by its path.
        flops: Operations, forward and backward, by the path that they belong to.
        inputs: The numbers of the whole numbers that are read and were not computed: the tokens.
    """

    operations: list[Operation] = field(default_factory=list)
    called: dict[str, None] = field(default_factory=dict)
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    flops: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    inputs: set[int] = field(default_factory=set)

    @functools.cached_property
    def inside(self) -> dict[str, list[int]]:
        """The numbers of the operations of each path, with everything inside it, in order."""
        found: dict[str, list[int]] = {}
        paths: dict[str, list[str]] = {}
        for number, operation in enumerate(self.operations):
            around = paths.get(operation.home)
            if around is None:
                around = paths[operation.home] = list(paths_around(operation.home))
            for path in around:
                found.setdefault(path, []).append(number)
        return found

    @functools.cached_property
    def from_outside(self) -> list[bool]:
        """For each operation, whether it reads the model's input, directly or not; states before the text do not."""
        found: list[bool] = []
        for operation in self.operations:
            reads = (found[number] if number >= 0 else index in self.inputs for number, index in operation.reads)
            found.append(any(reads))
        return found


def traced(model: nn.Module, run: Callable[[], Any], *, backward: bool) -> Trace:
    """Run a model on the meta device and record its operations.

    Args:
        model: A model on the meta device.
        run: Calls it; the result is summed for the backward pass.
        backward: Whether operations are counted, forward and backward; otherwise the forward pass alone is recorded.
    """
    recorder = _Recorder(model)
    with recorder.watching(), contextlib.ExitStack() as modes:
        modes.enter_context(Repeats())
        if backward:
            recorder.counter = modes.enter_context(FlopCounter())
        modes.enter_context(recorder)
        result = run()
        if backward:
            recorder.goes_back = True
            result.sum().backward()
    return recorder.trace


def shapes_in(model: nn.Module, run: Callable[[], Tensor]) -> dict[str, tuple[int, ...]]:
    """Run a model on the meta device and return the output shape of each module by its path."""
    recorder = _Recorder(model)
    with recorder.watching(), Repeats():
        run()
    return recorder.trace.shapes


class _Recorder(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """The mode that sees every operation, and the modules that are being called."""

    def __init__(self, model: nn.Module) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.trace = Trace()
        self.counter: FlopCounter | None = None
        self.goes_back = False
        self._modules = dict(model.named_modules())
        self._parameters: dict[int, list[str]] = defaultdict(list)
        for name, parameter in model.named_parameters(remove_duplicate=False):
            self._parameters[id(parameter)].append(name)
        self._stack = [""]
        self._best: dict[str, int] = {}  # by module: the rank of the form whose output shape is recorded
        self._made: dict[int, Value] = {}
        self._derived: dict[int, str] = {}  # tensors computed from one parameter alone, by id
        self._alive: list[Any] = []  # so that no id is used twice
        self._numbers: list[int] = []  # of each operation: autograd's number when it started
        self._outside = 0

    # The modules that are being called

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Record calls of all methods of the model's modules inside the `with`."""
        wrapped = [(module, name) for path, module in self._modules.items() for name in self._wrap(path, module)]
        try:
            yield
        finally:
            for module, name in wrapped:
                module.__dict__.pop(name, None)
            for parameter in {parameter for module, _ in wrapped for parameter in module.parameters(recurse=False)}:
                parameter.grad = None

    def _wrap(self, path: str, module: nn.Module) -> list[str]:
        names = [name for name in methods_of(type(module)) if name not in module.__dict__]  # type: ignore[arg-type]
        for name in names:
            module.__dict__[name] = self._recorded(path, name, getattr(module, name))
        return names

    def _recorded(self, path: str, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        rank = FORMS.index(name) if name in FORMS else len(FORMS)

        @functools.wraps(call)
        def recorded(*args: Any, **kwargs: Any) -> Any:
            check_cancelled()
            if self._stack[-1] == path and rank:
                result = call(*args, **kwargs)
            else:
                self.trace.called.setdefault(path)
                self._stack.append(path)
                try:
                    result = call(*args, **kwargs)
                finally:
                    self._stack.pop()
            output = result[0] if isinstance(result, tuple) and result else result
            if isinstance(output, Tensor) and rank < self._best.get(path, len(FORMS) + 1):
                self._best[path] = rank
                self.trace.shapes[path] = tuple(output.shape)
            return result

        return recorded

    # The operations

    def __torch_dispatch__(
        self, function: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        del types
        check_cancelled()
        if self.goes_back and len(self._stack) == 1:
            home = self._home_of_gradient()
            with self._counting(home):
                return function(*args, **(kwargs or {}))
        tensors = list(_tensors_in((*args, *(kwargs or {}).values())))
        name = function.__name__
        home, derived = self._home_of([] if is_new(name) else tensors)
        if name.startswith("add.") and not derived and any(id(tensor) in self._derived for tensor in tensors):
            home = self._stack[-1]  # the sum of positions and embeddings is part of neither
        self._numbers.append(torch.autograd._get_sequence_nr())  # type: ignore[attr-defined]
        number = len(self.trace.operations)
        reads = tuple(self._value_of(tensor) for tensor in tensors)
        with self._counting(home):
            result = function(*args, **(kwargs or {}))
        made = list(_tensors_in((result,)))
        adds = name.startswith(("add.", "add_.")) and len(tensors) == 2 and tensors[0].shape == tensors[1].shape
        self.trace.operations.append(Operation(home, reads, adds))
        for index, tensor in enumerate(made):
            self._alive.append(tensor)
            self._made[id(tensor)] = number, index
            if derived:
                self._derived[id(tensor)] = derived
        return result

    @contextlib.contextmanager
    def _counting(self, home: str) -> Iterator[None]:
        before = self.counter.total if self.counter is not None else 0
        yield
        if self.counter is not None:
            counted = self.counter.total - before
            if counted:
                self.trace.flops[home] += counted

    def _home_of(self, tensors: Sequence[Tensor]) -> tuple[str, str]:
        """Return where an operation belongs, and the parameter from which alone its result is computed, or ""."""
        here = self._stack[-1]
        names = [self._parameter_of(tensor, here) for tensor in tensors]
        inside = next((name for name in names if name and is_inside(name, here)), here)
        alone = inside if tensors and inside != here and all(names) else ""
        return inside, alone

    def _parameter_of(self, tensor: Tensor, here: str) -> str:
        names = self._parameters.get(id(tensor))
        if names is None:
            return self._derived.get(id(tensor), "")
        return next((name for name in names if is_inside(name, here)), names[0])

    def _value_of(self, tensor: Tensor) -> Value:
        value = self._made.get(id(tensor))
        if value is None:
            self._alive.append(tensor)
            self._outside += 1
            value = self._made[id(tensor)] = -1, self._outside
            if not tensor.is_floating_point():
                self.trace.inputs.add(self._outside)
        return value

    def _home_of_gradient(self) -> str:
        """Return where the operation belongs whose gradient is being computed.

        Autograd numbers its nodes in the order of the forward pass, each just before its operation starts.
        """
        node: Any = torch._C._current_autograd_node()
        if node is None:
            return ""
        index = bisect.bisect_right(self._numbers, node._sequence_nr())
        return self.trace.operations[index].home if index < len(self.trace.operations) else ""


@functools.lru_cache(maxsize=512)
def methods_of(kind: type) -> tuple[str, ...]:
    """Return the public methods by which a module may be called: those of its own classes, and `forward`."""
    names = ["forward"]
    for cls in kind.__mro__:
        if cls.__module__.startswith("torch.") or cls.__module__ in (QUIET, "builtins", "typing"):
            continue
        names += [name for name, value in vars(cls).items() if inspect.isfunction(value) and not name.startswith("_")]
    return tuple(name for name in dict.fromkeys(names) if name == "forward" or not hasattr(nn.Module, name))


def is_new(function: str) -> bool:
    """Return True if an operation only makes a tensor like another one, as states before the text are made."""
    return function.startswith(("new_", "empty", "zeros", "ones", "full")) or "_like" in function


def paths_around(path: str) -> Iterator[str]:
    """Yield a path and the paths of everything around it, down to "" for the model."""
    yield from itertools.accumulate(path.split("."), lambda a, b: f"{a}.{b}") if path else ()
    yield ""


def is_inside(path: str, outer: str) -> bool:
    """Return True if a path is that of a part inside another one, "" being the model."""
    return not outer or path.startswith(f"{outer}.")


def _tensors_in(values: Sequence[Any]) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, list | tuple):
            yield from _tensors_in(value)
