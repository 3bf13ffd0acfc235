"""What experts are worth: the validation loss with all of them, and with some of some blocks switched off."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lab.base import BadInput
from lab.base.jobs import Cancelled

if TYPE_CHECKING:
    import torch

    from lab.api import Objective
    from lab.layers import LanguageModel

Off = Mapping[int, Collection[int]]
"""By block the numbers of experts, both from 0, as readings count them."""


@dataclass(frozen=True)
class Without:
    """Two losses on the same tokens.

    Args:
        loss: Nats per target without the experts that are switched off.
        intact: Nats per target with all.
        targets: How many were scored.
        protocol: How the text was read.
    """

    loss: float
    intact: float
    targets: int
    protocol: str


def loss_without(
    model: LanguageModel,
    off: Off,
    objective: Objective,
    source: Any,
    *,
    protocol: str | None = None,
    device: torch.device,
    limit: int,
    cancelled: Callable[[], bool],
) -> Without:
    """Evaluates a model that nobody else uses meanwhile, with all experts and without some.

    Args:
        model: The model.
        off: What is switched off meanwhile: the tokens of these experts go to others.
        objective: What it is trained to do.
        source: The split to read.
        protocol: As of an evaluation; None takes the model's own.
        device: Where the model is.
        limit: Targets to read; 0 reads all.
        cancelled: Asked between batches.

    Raises:
        BadInput: There is no such expert, a block would have none left, or the protocol is not for this model.
        Cancelled: It was cancelled.
    """
    from lab.text.streams import TokenSource
    from lab.training.evaluation import Evaluation, default_protocol, evaluate

    read = protocol or default_protocol(model, objective, of_text=isinstance(source, TokenSource))

    def evaluated() -> Evaluation:
        found = evaluate(model, objective, source, protocol=read, device=device, limit=limit, cancelled=cancelled)
        if cancelled():
            raise Cancelled
        return found

    with switched_off(model, off):
        without = evaluated()
    intact = evaluated()
    return Without(without.loss, intact.loss, intact.targets, read)


@contextlib.contextmanager
def switched_off(model: LanguageModel, off: Off) -> Iterator[None]:
    """Inside, no token goes to these experts.

    Raises:
        BadInput: There is no such expert, or a block would have none left.
    """
    blocks = _blocks(model)
    for block, experts in off.items():
        _check(blocks, block, experts)
    before = [(module, module.off) for modules in blocks.values() for module in modules]
    try:
        for block, modules in blocks.items():
            for module in modules:
                module.off = frozenset(off.get(block, ()))
        yield
    finally:
        for module, experts in before:
            module.off = experts


def _blocks(model: LanguageModel) -> dict[int, list[Any]]:
    """By block the modules of it whose experts can be switched off.

    Raises:
        BadInput: There are none.
    """
    from lab.api.readings import layer_of

    blocks: dict[int, list[Any]] = {}
    for path, module in model.named_modules():
        layer = layer_of(path)
        if layer is not None and isinstance(getattr(module, "off", None), frozenset):
            blocks.setdefault(layer, []).append(module)
    if not blocks:
        raise BadInput("this model has no experts that can be switched off", field="experts")
    return blocks


def _check(blocks: Mapping[int, list[Any]], block: int, experts: Collection[int]) -> None:
    if block not in blocks:
        there = ", ".join(str(number + 1) for number in blocks)
        raise BadInput("is no block with experts", field="experts", value=block + 1, allowed=f"the blocks {there}")
    number = min(module.number for module in blocks[block])
    unknown = next((expert for expert in sorted(experts) if not 0 <= expert < number), None)
    if unknown is not None:
        allowed = f"the experts 1 to {number}"
        raise BadInput(f"is no expert of block {block + 1}", field="experts", value=unknown + 1, allowed=allowed)
    if len(set(experts)) == number:
        allowed = f"up to {number - 1} of its {number} experts"
        raise BadInput(f"block {block + 1} would have no expert left", field="experts", allowed=allowed)
