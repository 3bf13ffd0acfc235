"""The objective of margins: the perceptron's rule, the hinge, and ADALINE's squares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lab.api import BadInput, Batch, Loss, Objective, Shaped, Source, State, Task, class_task

if TYPE_CHECKING:
    from lab.api import LanguageModel


class Margin(Objective):
    """A loss of the margin m = logit of the right class − largest logit of the others; of (B,) labels.

    - "perceptron": max(0, −m), with the gradient of −m where m = 0 too. Its gradient step with rate 1 on one example is
      Rosenblatt's rule (Rosenblatt 1958).
    - "hinge": max(0, 1 − m) (Crammer & Singer 2001).
    - "squares": (f − t)² with targets t = ±1, the mean over the classes' logits f; of two classes f is the difference
      of their logits (Widrow & Hoff 1960).

    Args:
        config: The settings.
    """

    needs = "classification"
    reads = frozenset({"labels", "vectors", "images"})
    unit = "margin loss"
    has_perplexity = False

    def task(self, source: Shaped) -> Task:
        """Return a task over classes."""
        return class_task(source)

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return inputs and labels.

        Raises:
            BadInput: The corpus has no classes, or one for each token.
        """
        rows = source.rows(examples, seed)
        label = rows.get("label")
        if label is None or label.ndim != 1 or "inputs" not in rows:
            raise BadInput(
                "a margin needs one class for each row",
                field="objective.name",
                remedy="Choose a corpus with a class for each row, or another objective",
            )
        inputs = torch.from_numpy(rows["inputs"])
        given = (
            {"tokens": inputs} if inputs.is_floating_point() else {"tokens": inputs.clamp(min=0), "mask": inputs >= 0}
        )
        if "mask" in given:
            given["mask"][:, 0] = True
        return Batch(given, torch.from_numpy(label), int(np.count_nonzero(label >= 0)))

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return the loss of each label, "accuracy", and "mistakes": the share that the perceptron's rule corrects."""
        del carry
        inputs: dict[str, Any] = dict(batch.inputs)
        logits = model(inputs.pop("tokens"), **inputs)  # (B, classes)
        scored, wanted = batch.scored, batch.targets.clamp(min=0)
        missing = -margins(logits, wanted)
        hits = (logits.detach().argmax(dim=-1) == wanted) & scored
        metrics = {
            "accuracy": (hits.sum(), batch.weight),
            "mistakes": (((missing.detach() >= 0) & scored).sum(), batch.weight),
        }
        match self.config.loss:
            case "perceptron":
                found = missing * (missing >= 0)
            case "hinge":
                found = F.relu(1 + missing)
            case _:
                found = _squares(logits, wanted)
        return Loss(found * scored, metrics)


def margins(logits: Tensor, wanted: Tensor) -> Tensor:
    """Return the logit of the right class minus the largest of the others, (B,)."""
    right = logits.gather(1, wanted[:, None])
    others = logits.scatter(1, wanted[:, None], float("-inf"))
    return right[:, 0] - others.amax(dim=1)


def _squares(logits: Tensor, wanted: Tensor) -> Tensor:
    if logits.shape[1] == 2:
        return (logits[:, 1] - logits[:, 0] - (2 * wanted - 1)).square()
    targets = 2 * F.one_hot(wanted, logits.shape[1]).to(logits) - 1
    return (logits - targets).square().mean(dim=1)
