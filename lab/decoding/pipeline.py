"""Filters one after another, and the distribution after each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lab.base import LabError

if TYPE_CHECKING:
    from torch import Tensor

    from lab.api import FilterFunction, Histories

MODEL = "model"
"""The name of the first stage: the distribution of the model itself."""


@dataclass(frozen=True)
class NamedFilter:
    """A filter with the name of its card and the plugin that registered it."""

    name: str
    apply: FilterFunction
    plugin: str = ""


@dataclass(frozen=True)
class Stage:
    """The distribution after a filter.

    Args:
        name: The filter's name; MODEL before the first.
        probabilities: (H, V) of the hypotheses, or (V,) of one; 0 for a removed token.
        logits: Those that it has, of the same shape; −inf for a removed token.
    """

    name: str
    probabilities: Tensor
    logits: Tensor


@dataclass
class Pipeline:
    """The filters of one step, in their order. What one leaves is what the next one gets.

    Args:
        filters: The filters.
        histories: The tokens of each hypothesis so far.
        records: Whether the stages are recorded.

    Attributes:
        stages: The distribution before the first filter and after each one, if they are recorded.
    """

    filters: Sequence[NamedFilter]
    histories: Histories
    records: bool = False
    stages: list[Stage] = field(default_factory=list)

    def __call__(self, logits: Tensor) -> Tensor:
        """Return logits (H, V) after all filters.

        Raises:
            LabError: A filter leaves no token for any hypothesis, or returns other shapes, NaN or +inf.
        """
        self.stages = []
        self._record(MODEL, logits)
        for one in self.filters:
            shape = tuple(logits.shape)  # before the call, which may change it in place
            found = one.apply(logits, self.histories)
            self._check(one, shape, found)
            logits = found
            self._record(one.name, logits)
        return logits

    def _record(self, name: str, logits: Tensor) -> None:
        if self.records:
            shares = logits.softmax(dim=-1).nan_to_num(0.0)  # NaN: a row without any token
            self.stages.append(Stage(name, shares, logits))

    def _check(self, one: NamedFilter, given: tuple[int, ...], found: Tensor) -> None:
        if not hasattr(found, "is_floating_point") or not found.is_floating_point():
            what = f"the filter {one.name} returns {getattr(found, 'dtype', type(found).__name__)} for logits"
            raise LabError(what, field=f"filters.{one.name}", plugin=one.plugin)
        if tuple(found.shape) != given:
            what = f"the filter {one.name} returns {tuple(found.shape)} for logits {given}"
            raise LabError(what, field=f"filters.{one.name}", plugin=one.plugin)
        best = float(found.max())
        if best == -float("inf"):
            remedy = "Loosen it, or move it behind the filters that leave it too little"
            raise LabError(f"the filter {one.name} leaves no token", field=f"filters.{one.name}", remedy=remedy)
        if best != best or best == float("inf"):
            what = f"the filter {one.name} returns {best}"
            raise LabError(what, field=f"filters.{one.name}", plugin=one.plugin)
