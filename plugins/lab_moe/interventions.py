"""The intervention that switches experts off: their tokens go to the others."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lab.api import BadInput, LanguageModel, layer_of

if TYPE_CHECKING:
    from torch import Tensor


def experts_of(model: Any) -> dict[int, list[Any]]:
    """Return the modules whose experts can be switched off, by block; see lab_moe.experts.Experts.off."""
    blocks: dict[int, list[Any]] = {}
    for path, module in model.named_modules():
        layer = layer_of(path)
        if layer is not None and isinstance(getattr(module, "off", None), frozenset):
            blocks.setdefault(layer, []).append(module)
    return blocks


def expert_targets(model: LanguageModel, tokens: Tensor) -> list[str]:
    """Return the addresses of all experts."""
    del tokens
    numbers = {block: min(module.number for module in modules) for block, modules in experts_of(model).items()}
    return [f"{block + 1}.{expert + 1}" for block, number in sorted(numbers.items()) for expert in range(number)]


@contextlib.contextmanager
def without_experts(model: LanguageModel, addresses: Sequence[str], tokens: Tensor) -> Iterator[None]:
    """Send the tokens of these experts to others inside the context.

    Raises:
        BadInput: A block would have no expert left.
    """
    del tokens
    blocks, off = experts_of(model), dict[int, set[int]]()
    for address in addresses:
        block, expert = (int(number) - 1 for number in address.split("."))
        off.setdefault(block, set()).add(expert)
    for block, experts in off.items():
        number = min(module.number for module in blocks[block])
        if len(experts) == number:
            allowed = f"up to {number - 1} of its {number} experts"
            raise BadInput(f"block {block + 1} would have no expert left", field="without", allowed=allowed)
    before = [(module, module.off) for modules in blocks.values() for module in modules]
    try:
        for block, modules in blocks.items():
            for module in modules:
                module.off = module.off | frozenset(off.get(block, ()))
        yield
    finally:
        for module, experts in before:
            module.off = experts
