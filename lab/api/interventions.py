"""Interventions: named, reversible changes to a model that is evaluated, and the points of a model they act on.

Inside a model `y = self.hook_point("heads", y, ("batch", "head", "token", "unit"))` returns its argument and costs one
attribute read, unless an intervention acts on this very instance.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from lab.api.architecture import load
from lab.api.config import ModelConfig
from lab.api.readings import layer_of
from lab.api.registrations import NoSettings, Registration

if TYPE_CHECKING:
    from torch import Tensor

    from lab.api.model import LanguageModel

BLOCK_INPUT, BLOCK_OUTPUT = "block input", "block output"
"""Hook points of a block: the residual stream before and after it, or only its output if it is not in the stream."""
TOKEN_MIXER, CROSS_MIXER, CHANNEL_MIXER = "token mixer", "cross mixer", "channel mixer"
"""Hook points after the mixers of a block, and after what reads a source, before they are added to the stream."""
TOKEN_BYPASS, CROSS_BYPASS, CHANNEL_BYPASS = "token bypass", "cross bypass", "channel bypass"
"""Hook points of the stream as it bypasses these mixers, before what they compute is added to it."""
PARALLEL_BYPASS = "parallel bypass"
"""The hook point of the stream as it bypasses both mixers of a block with parallel branches."""


@dataclass(frozen=True)
class Intervention(Registration):
    """A reversible change to a model: a head that is switched off, a block that is skipped.

    `build(model, addresses, tokens)` returns a context manager: inside, the model is changed at these addresses;
    afterwards it computes the same as before, bit for bit, also if an exception left the context. The model is in eval
    mode and nothing else uses it. `tokens` (1, T) are a text that the model can read, for changes that are measured on
    one, such as a mean. An intervention has no settings, and no recipe names it.

    On the command line an intervention is written NAME:ADDRESS ("head:2.3"), several are separated by commas. An
    address contains no comma and no "*"; blocks and their parts are counted from 1, as in "2.3".

    Args:
        targets: A function, or "package.module:function": (model, tokens (1, T)) -> the addresses in this model, in
            order; [] if there is nothing that it can change.
        singular: What one of its parts is called, with "{n}" for its number or name inside its block: "expert {n}".
        plural: What its parts are called together: "experts". Without both, the user reads its name.
    """

    build: Callable[[LanguageModel, Sequence[str], Tensor], AbstractContextManager[object]] | str
    config: type[ModelConfig] = field(init=False, default=NoSettings)
    targets: Callable[[LanguageModel, Tensor], Sequence[str]] | str = field(kw_only=True)
    singular: str = field(kw_only=True, default="")
    plural: str = field(kw_only=True, default="")

    def addresses(self, model: LanguageModel, tokens: Tensor) -> list[str]:
        """Return the addresses in a model that it can change.

        Args:
            model: In eval mode.
            tokens: (1, T) of a text that the model can read.
        """
        return list(load(self.targets)(model, tokens))


@dataclass(frozen=True)
class HookPoint:
    """A point of a model at which an intervention may replace the values that pass.

    Args:
        name: The name of the values that pass ("heads").
        axes: One name of lab.api.AXES per dimension.
        layer: Block index in the whole stack; None outside the blocks.
        path: Path of the module in the model ("blocks.1.token").
    """

    name: str
    axes: tuple[str, ...]
    layer: int | None
    path: str


Edit: TypeAlias = "Callable[[HookPoint, Tensor], Tensor]"
"""(point, values) -> the values with which the model continues, of the same shape."""


def hooked(model: Any, edit: Edit) -> AbstractContextManager[None]:
    """Pass the values at every hook point of THIS model instance through `edit` inside the `with`.

    Edits of an enclosing `with` come first.

    Args:
        model: A lab.layers.LanguageModel.
        edit: Called at every hook point of every pass; it returns the very same tensor if it changes nothing.
    """
    return _attached(model, "_edits", edit)


def watched(model: Any, watch: Callable[[HookPoint, Tensor], object]) -> AbstractContextManager[None]:
    """Call `watch` with the values at the hook points of THIS model instance inside the `with`.

    Nothing can be changed, so that modules compute as they do without it: points that exist for edits alone are not
    passed, and values of several tokens may come at once.

    Args:
        model: A lab.layers.LanguageModel.
        watch: Called at every hook point of every pass, after the edits.
    """
    return _attached(model, "_watchers", watch)


@contextlib.contextmanager
def _attached(model: Any, attribute: str, call: Callable[[HookPoint, Tensor], Any]) -> Iterator[None]:
    modules = [(path, module) for path, module in model.named_modules() if hasattr(module, "hook_point")]
    known = {id(module): (path, layer_of(path)) for path, module in modules}

    def at(module: object, name: str, values: Tensor, axes: tuple[str, ...]) -> Any:
        path, layer = known[id(module)]
        return call(HookPoint(name, axes, layer, path), values)

    for _, module in modules:
        setattr(module, attribute, (*getattr(module, attribute), at))
    try:
        yield
    finally:
        for _, module in modules:
            left = tuple(other for other in getattr(module, attribute) if other is not at)
            if left:
                setattr(module, attribute, left)
            else:
                delattr(module, attribute)  # the class attribute () is visible again


def hook_points(model: Any, tokens: Tensor) -> dict[HookPoint, tuple[int, ...]]:
    """Return the hook points that a model passes on a text, in order, with the shapes of the values there.

    Args:
        model: A lab.layers.LanguageModel in eval mode.
        tokens: (1, T).
    """
    import torch

    found: dict[HookPoint, tuple[int, ...]] = {}

    def note(point: HookPoint, values: Tensor) -> Tensor:
        found.setdefault(point, tuple(values.shape))
        return values

    with hooked(model, note), torch.no_grad():
        model(tokens)
    return found
