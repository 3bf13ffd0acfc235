"""The rows of a corpus on which a probe reads a model of vectors or images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lab.api.objective import Batch, Objective
from lab.base import BadInput

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, eq=False)
class ProbedRows:
    """Rows of the validation split, with their targets.

    Args:
        inputs: What the model reads: vectors (N, F) or images (N, H, W, C), float32.
        targets: The class of each row, (N,) int64, or its numbers, (N, K) float32.
        example: The index of the row that the probe is called with.
        number: The number of this row in the validation split, from 1.
        objective: What the model is trained for.
        model: The model itself, for probes that look into its modules.
        classes: The name of each class; () if numbers are predicted.
        features: The name of each number of a vector; () where they have none.
        outputs: The name of each number that is predicted; () for classes.
    """

    inputs: Tensor
    targets: Tensor
    example: int
    number: int
    objective: Objective
    model: Any = None
    classes: tuple[str, ...] = ()
    features: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ()

    @property
    def are_images(self) -> bool:
        """True if the inputs are images."""
        return self.inputs.ndim > 2

    @property
    def gives_probabilities(self) -> bool:
        """True if the softmax of the model's output, or of single numbers its sigmoid, are probabilities."""
        return self.objective.unit == "nats per label"

    def losses(self, model: Any, inputs: Tensor, targets: Tensor) -> Tensor:
        """Return the loss of each target of some rows, (N,) or (N, K), with its graph."""
        return self.objective.loss(model, Batch({"tokens": inputs}, targets, max(1, targets.numel()))).nats


def probed_rows(model: Any) -> ProbedRows:
    """Return the rows on which a probe reads a model.

    Raises:
        BadInput: The model reads tokens.
    """
    rows = getattr(model, "probed_rows", None)
    if not isinstance(rows, ProbedRows):
        raise BadInput("this probe is for models of vectors and images", remedy="Choose another probe")
    return rows
