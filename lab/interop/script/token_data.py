"""Documents and mixtures that an exported script reads; this is copied into the script of a run on these."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lab.interop.script.loop import Plan
from lab.interop.script.row_data import arrays_in, columns_in
from lab.text.rows.source import RowShape
from lab.training.material import mixed_row_splits, mixed_splits, text_splits

TRAINING, VALIDATION = ".training", ".validation"
"""Ends of the names of the arrays of a part."""


@dataclass
class DocumentData:
    """The documents of a run, one after another.

    Args:
        sha256: The hash of the arrays: "tokens", and "border", the number of tokens for training.
        vocabulary_size: Symbols of the tokenizer of the run, the end symbol of documents among them.
        end: The end symbol.
    """

    sha256: str
    vocabulary_size: int
    end: int

    def read(self, plan: Plan, file: Path) -> tuple[Any, Any]:
        """Return the training and validation splits of a file; refuse other tokens than the run's."""
        arrays = arrays_in(file, self.sha256)
        given: Any = plan  # a plan holds the same settings of the data as a recipe
        border = int(arrays["border"][0])
        size, carries = self.vocabulary_size, plan.objective.carries
        return text_splits(arrays["tokens"], size, given, carries=carries, border=border, end=self.end)


@dataclass
class MixtureData:
    """The texts of a mixture.

    Args:
        sha256: The hash of the arrays, two for each part: "0.training", "0.validation".
        vocabulary_size: Symbols of the tokenizer of the run.
        end: The end symbol, if a part has documents.
        parts: The settings of the parts.
    """

    sha256: str
    vocabulary_size: int
    end: int | None
    parts: tuple[str, ...]

    def read(self, plan: Plan, file: Path) -> tuple[Any, Any]:
        """Return the training and validation splits of a file; refuse other tokens than the run's."""
        arrays = arrays_in(file, self.sha256)
        tokens = {
            name: (arrays[f"{index}{TRAINING}"], arrays[f"{index}{VALIDATION}"])
            for index, name in enumerate(self.parts)
        }
        given: Any = plan
        return mixed_splits(
            lambda: [plan.weights[name] for name in self.parts], tokens, self.vocabulary_size, given, self.end
        )


@dataclass
class RowMixtureData:
    """The rows of a mixture.

    Args:
        sha256: The hash of their arrays.
        vocabulary_size: Symbols of the tokenizer of the run.
        shape: The shape of the rows.
        sizes: The number of rows of each part, by its setting.
    """

    sha256: str
    vocabulary_size: int
    shape: RowShape
    sizes: dict[str, int]

    def read(self, plan: Plan, file: Path) -> tuple[Any, Any]:
        """Return the training and validation splits of a file; refuse other rows than the run's."""
        columns = columns_in(arrays_in(file, self.sha256))
        given: Any = plan
        size = self.vocabulary_size
        return mixed_row_splits(
            lambda: [plan.weights[name] for name in self.sizes], columns, self.sizes, self.shape, size, given
        )
