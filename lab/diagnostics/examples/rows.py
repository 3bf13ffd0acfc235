"""The input of probes for models of vectors and images: one row of the validation split, with others around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lab.api import BadInput, LanguageModel, Objective, ProbedRows, Reading, State

MOST_ROWS = 1000
"""Most rows of the validation split that probes read."""
MOST_NUMBERS = 4_000_000
"""Most numbers of all these rows together."""


class WithRows:
    """A model with the rows on which probes read it; all else is that of the model.

    Args:
        model: The model.
        rows: The rows.
    """

    def __init__(self, model: LanguageModel, rows: ProbedRows) -> None:
        self._model, self.probed_rows = model, rows

    def __getattr__(self, name: str) -> Any:
        """Return what the model has of this name."""
        if name.startswith("__") or name in ("_model", "probed_rows"):  # of an object that is being copied
            raise AttributeError(name)
        return getattr(self._model, name)

    def __call__(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return what the model gives for rows; one that compares images with captions gets that of the row."""
        rows = self.probed_rows
        if rows.captions and not given:
            caption = rows.targets[rows.example : rows.example + 1]
            tokens, given = caption.clamp(min=0), {"mask": caption >= 0, "source": tokens}
        found: Tensor = self._model(tokens, **given)
        return found

    forward = __call__

    def start(self, batch: int) -> State:
        """Return the state of the model before any token."""
        return self._model.start(batch)


@dataclass(frozen=True, eq=False)
class RowsInput:
    """The input of a probe for models of vectors or images, as lab.diagnostics.source.ProbeInput is for texts.

    Args:
        rows: The rows.
    """

    rows: ProbedRows
    labels: tuple[str, ...] = ()
    source: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The number of the row that is inspected, from 1."""
        return str(self.rows.number)

    def batch(self, device: torch.device) -> Tensor:
        """Return what a probe is called with, (1, F) or (1, H, W, C)."""
        return self.rows.inputs[self.rows.example : self.rows.example + 1].to(device)

    def bound(self, model: LanguageModel) -> Any:
        """Return the model as probes call it."""
        device = next((tensor.device for tensor in model.tables().values()), torch.device("cpu"))
        inputs, targets = self.rows.inputs.to(device), self.rows.targets.to(device)
        return WithRows(model, replace(self.rows, inputs=inputs, targets=targets, model=model))

    def labelled(self, readings: Sequence[Reading], model: LanguageModel) -> list[Reading]:
        """Return the readings of a probe as they are."""
        del model
        return list(readings)


def reads_rows(source: Any, objective: Objective) -> bool:
    """Return True if the rows of a split are vectors or images with a target that probes know what to do with."""
    columns = getattr(source, "columns", {})
    targets = {"label", "numbers", *(["target"] if objective.needs == "contrastive" else [])}
    return getattr(source, "input_shape", None) is not None and not targets.isdisjoint(columns)


def rows_input(
    source: Any,
    objective: Objective,
    facts: Mapping[str, Any],
    example: str | None = None,
    decode: Callable[[Sequence[int]], str] | None = None,
) -> RowsInput:
    """Return what probes read of a split of vectors or images.

    Args:
        source: The split.
        objective: What the model is trained for.
        facts: The facts of the corpus, of which "columns" names the numbers of vectors.
        example: The number of the row to inspect, from 1; None or "" takes the first.
        decode: Returns the text of a caption's tokens; needed for images with captions.

    Raises:
        BadInput: There is no row of this number, or the rows have no targets that can be compared.
    """
    ordered = source.ordered()
    count = int(ordered.examples)
    number = number_of_row(example, count)
    size = max(1, int(np.prod(source.input_shape)))
    taken = np.arange(min(count, MOST_ROWS, max(16, MOST_NUMBERS // size)), dtype=np.int64)
    if number > len(taken):
        taken = np.append(taken, number - 1)
    rows = ordered.rows(taken, 0)
    captions: tuple[str, ...] = ()
    targets = rows.get("label", rows.get("numbers"))
    if targets is None and decode is not None and reads_rows(source, objective):
        read = objective.batch(ordered, taken, 0).inputs
        captions = tuple(decode(row[row >= 0].tolist()) for row in rows["target"])
        targets = read["tokens"].where(read["mask"], -1).numpy()
    if targets is None or "inputs" not in rows:
        raise BadInput("probes need rows with a class or with numbers", field="corpus", remedy="Choose another run")
    position = int(np.flatnonzero(taken == number - 1)[0])
    features, outputs = _columns(facts, source)
    inputs, wanted = (torch.from_numpy(np.ascontiguousarray(one)) for one in (rows["inputs"], targets))
    names = tuple(getattr(source, "class_names", ()) or ())
    found = ProbedRows(
        inputs,
        wanted,
        position,
        number,
        objective,
        classes=names,
        features=features,
        outputs=outputs,
        captions=captions,
    )
    return RowsInput(found)


def number_of_row(text: str | None, count: int) -> int:
    """Return the number of a row, from 1, that a user wrote.

    Raises:
        BadInput: It is none.
    """
    written = (text or "").strip()
    if not written:
        return 1
    number = int(written) if written.isascii() and written.isdecimal() and len(written) < 16 else 0
    if not 1 <= number <= count:
        raise BadInput(
            "this model reads rows of numbers: the text must be the number of a row of the validation split",
            field="text",
            value=written[:40],
            allowed=f"1 to {count:,}",
            remedy="Give such a number, or leave it empty for the first row",
        )
    return number


def _columns(facts: Mapping[str, Any], source: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the numbers of a vector, and of those that are predicted."""
    shape, outputs = tuple(source.input_shape), int(getattr(source, "outputs", None) or 0)
    described = facts.get("facts", {}) if isinstance(facts.get("facts", {}), Mapping) else {}
    columns = [str(name) for name in described.get("columns", ())] if len(shape) == 1 else []
    features = tuple(columns[: shape[0]]) if len(columns) >= (shape or (0,))[0] else ()
    named = tuple(columns[shape[0] :]) if len(columns) == (shape or (0,))[0] + outputs else ()
    return features, named or tuple(str(number) for number in range(1, outputs + 1))
