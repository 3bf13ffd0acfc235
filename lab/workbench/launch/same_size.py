"""The width with which a model has as many parameters as another one, or costs as much, for a fair comparison."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from lab.base import BadInput
from lab.base.torch_lock import torch_lock
from lab.recipes import Recipe
from lab.training.resolution import Cards
from lab.workbench.launch.preflight import Estimator, model_of

STEP, WIDEST = 4, 8192
"""The widths that are tried are the multiples of STEP up to WIDEST."""


@dataclass(frozen=True)
class SameSize:
    """The width of a model that has about as many parameters as another one.

    Args:
        width: The setting `architecture.width`.
        parameters: The number of parameters with it, or the other figure that was searched for.
    """

    width: int
    parameters: int


def nearest_width(
    recipe: Recipe, amount: int, cards: Cards, estimator: Estimator, *, figure: str = "parameters"
) -> SameSize:
    """Return the width with which the model of a recipe comes nearest to a number of parameters, or another figure.

    Its other settings stay as they are; widths that do not go with them are left out.

    Args:
        recipe: The recipe; it is not changed.
        amount: The figure to come near to.
        cards: The registered cards.
        estimator: Reads the corpus of the recipe, for the size of its vocabulary.
        figure: "parameters", "active_parameters" or "flops_per_token".

    Raises:
        BadInput: Something in the recipe cannot be used, or the architecture has no width.
        LabError: A plugin's code raised.
    """
    from lab.diagnostics.cost import measure

    checked = estimator.check(recipe, cards)
    model = checked.architecture
    kind, stored = type(model.config), model.config.stored()
    if "width" not in kind.model_fields:
        raise BadInput(
            "has no width that could be matched",
            field="architecture",
            value=model.card.name,
            remedy="Choose an architecture with a width",
        )

    def count(width: int) -> int | None:
        try:
            config = kind.read({**stored, "width": width}, version=model.config.version)
        except BadInput:  # this width does not go with the other settings
            return None
        made = model_of(replace(model, config=config), checked.task)
        if made is None:
            return None
        if figure == "parameters":
            return int(sum(parameter.numel() for parameter in made.parameters()))
        with torch_lock:
            cost = measure(model.card, config, checked.task, model=made)
        found = getattr(cost, figure)
        return None if found is None else round(found)

    return _nearest(amount, count)


def _nearest(amount: int, count: Callable[[int], int | None]) -> SameSize:
    """Return the width whose count is nearest, by bisection, since wider models have and cost more."""
    widths, counts = list(range(STEP, WIDEST + 1, STEP)), dict[int, int]()
    low, high = 0, len(widths)
    while low < high:
        middle = (low + high) // 2
        found = count(widths[middle])
        if found is None:
            del widths[middle]
            high -= 1
        else:
            counts[widths[middle]] = found
            low, high = (middle + 1, high) if found < amount else (low, middle)
    if not counts:
        raise BadInput("no width goes with the other settings", field="architecture.width", remedy="Change these first")
    width = min(counts, key=lambda one: abs(counts[one] - amount))
    return SameSize(width, counts[width])
