"""The figures of a recipe's corpus of rows: what is in them, and the losses of the simplest models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lab.api import Rows
from lab.recipes import Recipe
from lab.text.rows.floors import floors_of_rows
from lab.text.rows.page import SHOWN, RowsPage, rows_page
from lab.training.material import read_material, row_splits
from lab.training.resolution import Resolved

ANY_LENGTH = 2**20
"""A context that every row fits, to count rows before a length is chosen."""


@dataclass(frozen=True)
class RowFigures:
    """The figures of rows.

    Args:
        rows: The rows.
        page: What is in them, and the first rows of training.
        floors: The losses of the simplest models by name, in nats per target or in mean squared error.
    """

    rows: Rows
    page: RowsPage
    floors: Mapping[str, float]


def row_figures(everything: Mapping[str, Resolved], recipe: Recipe, shown: int = SHOWN) -> RowFigures:
    """Read the corpus of a recipe, which gives rows, and return its figures.

    Args:
        everything: The result of `resolve_all` for the recipe.
        recipe: The recipe.
        shown: Most rows of training that are shown.

    Raises:
        BadInput: The corpus cannot be read or tokenized.
        LabError: A plugin's code raised, or broke its contract.
    """
    material = read_material(everything, 1 - recipe.training.validation_share)
    assert isinstance(material.given, Rows)  # the card says so
    any_length = recipe.with_values({"training": {"context_length": ANY_LENGTH}})
    size = material.tokenizer.vocabulary_size
    train, validation = row_splits(material.given, material.columns, size, any_length, carries=False)
    page = rows_page(material.given, material.columns, train, validation, shown)
    has_targets = train.classes is not None or train.outputs is not None
    simplest = floors_of_rows(train, validation) if has_targets else {}
    return RowFigures(material.given, page, {**simplest, **material.given.floors})
