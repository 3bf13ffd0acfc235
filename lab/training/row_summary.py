"""The summary of a recipe's corpus of rows: what is in them, and the losses of the simplest models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lab.api import Objective, Rows
from lab.recipes import Recipe
from lab.text.rows.page import SHOWN, RowsPage, rows_page
from lab.text.rows.source import RowSource
from lab.training.corpus_fit import fits, fitting, target_of
from lab.training.material import Material, read_material
from lab.training.resolution import Cards, Resolved

ANY_LENGTH = 2**20
"""A context that every row fits, to count rows before a length is chosen."""


@dataclass(frozen=True)
class RowSummary:
    """A summary of rows.

    Args:
        rows: The rows.
        page: What is in them, and the first rows of training.
        floors: The losses of the simplest models by name.
        unit: Their unit, that of the objective.
    """

    rows: Rows
    page: RowsPage
    floors: Mapping[str, float]
    unit: str


def summarize_rows(everything: Mapping[str, Resolved], recipe: Recipe, cards: Cards, shown: int = SHOWN) -> RowSummary:
    """Read the corpus of a recipe, which gives rows, and return its summary.

    Floors are those of the recipe's objective, or of the first one that fits if it does not fit the rows.

    Args:
        everything: The result of `resolve_all` for the recipe.
        recipe: The recipe.
        cards: The registered cards.
        shown: Most rows of training that are shown.

    Raises:
        BadInput: The corpus cannot be read or tokenized.
        LabError: A plugin's code raised, or broke its contract.
    """
    material = read_material(everything, 1 - recipe.training.validation_share)
    assert isinstance(material.given, Rows)  # the card says so
    any_length = recipe.with_values({"training": {"context_length": ANY_LENGTH}})
    splits = material.splits(any_length, carries=False)
    train, validation = splits
    assert isinstance(train, RowSource)
    assert isinstance(validation, RowSource)
    page = rows_page(material.given, material.columns, train, validation, shown)
    objective = _objective_of(material, everything["objective"], cards)
    floors = {} if objective is None else material.floors(splits, objective)
    return RowSummary(material.given, page, floors, "" if objective is None else objective.unit)


def _objective_of(material: Material, named: Resolved, cards: Cards) -> Objective | None:
    """Return the objective that is named, or the first one that fits the rows if it does not; None without any."""
    assert isinstance(material.given, Rows)
    kind, target = material.given.kind, target_of(material.given)
    objective: Objective = named.make()
    return objective if fits(objective, kind, target) else next(iter(fitting(cards, kind, target).values()), None)
