"""The intervention of n-gram models: answers without the higher orders."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lab_ngram.model import NgramModel

if TYPE_CHECKING:
    from torch import Tensor

    from lab.layers import LanguageModel


def targets(model: LanguageModel, tokens: Tensor) -> list[str]:
    """Return the orders that can be left out; below the lowest, all tokens are equally likely."""
    del tokens
    return [str(order) for order in range(1, model.order + 1)] if isinstance(model, NgramModel) else []


@contextlib.contextmanager
def without_orders(model: NgramModel, addresses: Sequence[str], tokens: Tensor) -> Iterator[None]:
    """Answer with an order below the lowest of these inside the context."""
    del tokens
    before = model.config.answer_order
    model.config.answer_order = min(map(int, addresses)) - 1
    try:
        yield
    finally:
        model.config.answer_order = before
