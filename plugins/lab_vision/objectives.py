"""The objective of images and their captions: which caption belongs to which image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lab.api import (
    BadInput,
    Batch,
    Loss,
    Objective,
    Shaped,
    Source,
    State,
    Task,
    fixed_numbers,
    input_shape_of,
)

if TYPE_CHECKING:
    from lab.api import LanguageModel


class Contrastive(Objective):
    """−log p(caption | image) and −log p(image | caption) among those of a batch, half of each (Radford et al. 2021).

    p is a softmax over the captions, or the images, of the batch. A caption that is written as another one of the batch
    is no wrong answer for its image: both are left out of each other's softmax. With different captions the loss is
    that of the paper, figure 3.

    A caption stands between the symbols "begin" and "end". Chance is ln N nats per pair, in an evaluation ln 64.
    """

    needs = "contrastive"
    reads = frozenset({"images"})
    symbols = ("begin", "end")
    unit = "nats per pair"
    has_perplexity = False
    compared_rows = 64

    def task(self, source: Shaped) -> Task:
        """Return a task of images and texts, with room for the two symbols."""
        return Task(
            source.vocabulary_size + len(self.symbols),
            source.context_length + len(self.symbols),
            causal=False,
            input_shape=input_shape_of(source),
            matching=True,
        )

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return captions (B, T) with "mask" (B, T) bool, and images as "source"; each pair is one target, 0.

        "texts" (B,) are numbers that captions share if they are written alike.

        Raises:
            BadInput: The images have no captions.
        """
        rows = source.rows(examples, seed)
        if "target" not in rows or "inputs" not in rows:
            raise BadInput(
                f"this corpus has {', '.join(rows)}, but no images with captions",
                field="objective.name",
                remedy="Choose a corpus of images with captions, such as shapes with corpus.target=caption",
            )
        tokens, mask = framed(rows["target"], self.symbol(source, "begin"), self.symbol(source, "end"))
        texts = fixed_numbers(rows["target"], examples, 0, 1)
        inputs = {
            "tokens": tokens,
            "mask": mask,
            "source": torch.from_numpy(rows["inputs"]),
            "texts": torch.from_numpy(texts),
        }
        return Batch(inputs, torch.zeros(len(tokens), dtype=torch.long), len(tokens))

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats of each pair, "accuracy" in both directions, and "temperature", which divides the cosines."""
        del carry
        given: dict[str, Any] = dict(batch.inputs)
        tokens, texts = given.pop("tokens"), given.pop("texts")
        logits: Tensor = model(tokens, **given)  # (B, B), an image for each row
        logits = logits.masked_fill(also_fit(texts), float("-inf"))
        right = torch.arange(len(tokens), device=logits.device)
        nats = (
            F.cross_entropy(logits, right, reduction="none") + F.cross_entropy(logits.T, right, reduction="none")
        ) / 2
        found = (logits.detach().argmax(dim=1) == right).sum() + (logits.detach().argmax(dim=0) == right).sum()
        metrics: dict[str, tuple[Tensor, int]] = {"accuracy": (found, 2 * len(tokens))}
        scale = getattr(model, "scale", None)
        if scale is not None:
            metrics["temperature"] = (len(tokens) / scale().detach(), len(tokens))
        return Loss(nats, metrics)


def framed(texts: np.ndarray, begin: int, end: int) -> tuple[Tensor, Tensor]:
    """Return texts between two symbols, (N, T) with −1 behind their ends -> (N, T + 2), and their mask.

    Args:
        texts: The tokens of each text.
        begin: The symbol before them.
        end: The symbol after them, which also stands in the padding.
    """
    tokens = np.full((len(texts), texts.shape[1] + 2), end, np.int64)
    tokens[:, 0] = begin
    tokens[:, 1:-1] = np.where(texts >= 0, texts, end)
    lengths = np.count_nonzero(texts >= 0, axis=1) + 2
    return torch.from_numpy(tokens), torch.from_numpy(np.arange(tokens.shape[1]) < lengths[:, None])


def also_fit(texts: Tensor) -> Tensor:
    """Return (B, B) bool, True where two different rows have the same text, of the numbers of texts (B,)."""
    return (texts[:, None] == texts) & ~torch.eye(len(texts), dtype=torch.bool, device=texts.device)
