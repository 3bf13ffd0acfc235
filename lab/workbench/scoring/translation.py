"""Translations: the hypotheses of a strategy with their scores, and the alignment of source and target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, capture
from lab.base.problems import attributed
from lab.recipes import Decoding
from lab.workbench.access.generation import own_symbol, read_source
from lab.workbench.access.model_access import BorrowedModel, ModelAccess
from lab.workbench.access.text_use import TextUse
from lab.workbench.access.threads import one_thread

if TYPE_CHECKING:
    from lab.api import Objective

ALIGNMENT = "cross attention"
"""The reading whose weights align the tokens of a target with those of its source."""
MOST = 200
"""Most tokens of a translation where nothing else is asked for."""
BEAMS = 4
"""Hypotheses of the beam search that translates where nothing else is asked for."""


@dataclass(frozen=True)
class Hypothesis:
    """A translation that a strategy wrote to its end.

    Args:
        text: The translation.
        score: The score by which the strategy compares it with others.
        tokens: The number of each token; the tokenizer's, and the next one for the end of the target.
        labels: The label of each token, the one that ends it included.
        nats: (T,) −log p of each token among those that may be written, before any filter.
        alignment: By layer, the weight with which each token reads each token of the source, (T, S), the mean of the
            layer's heads; empty for a model without attention to its source.
    """

    text: str
    score: float
    tokens: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    nats: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    alignment: Mapping[int, NDArray[np.float64]] = field(default_factory=dict)

    @property
    def log_probability(self) -> float:
        """The log-probability of the translation under the model, in nats."""
        return -float(self.nats.sum())

    @property
    def mean_alignment(self) -> NDArray[np.float64] | None:
        """The mean of the layers' alignments, (T, S); None if there is none."""
        return np.mean(list(self.alignment.values()), axis=0) if self.alignment else None


@dataclass(frozen=True)
class Translation:
    """A source and what a model wrote for it.

    Args:
        step: Optimizer updates that the model had; 0 is untrained.
        source: The text that was read.
        labels: The label of each of its tokens.
        hypotheses: The best first; () if the strategy ended none.
    """

    step: int
    source: str
    labels: tuple[str, ...]
    hypotheses: tuple[Hypothesis, ...]


def beam_search(width: int = BEAMS, length_penalty: float | None = None) -> Decoding:
    """Return a decoding by beam search without filters.

    Args:
        width: Number of hypotheses.
        length_penalty: The exponent of the length; None takes the strategy's own.
    """
    settings: dict[str, Any] = {} if length_penalty is None else {"length_penalty": length_penalty}
    return Decoding.read({"strategy": {"name": "beam-search", "width": width, **settings}, "filters": []})


def check_translates(access: ModelAccess) -> Objective:
    """Return the objective of a run that writes the target of a source.

    Raises:
        BadInput: The run does something else with a text.
    """
    if access.text_use is not TextUse.SOURCE:
        raise BadInput(
            "this run translates nothing: it was not trained to write a target from a source",
            field="objective.name",
            value=access.recipe.objective.name,
            remedy="Choose a run on pairs with the objective sequence-to-sequence",
        )
    return access.objective()


def translate(
    access: ModelAccess,
    source: str,
    *,
    decoding: Decoding | None = None,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    count: int = MOST,
    align: bool = True,
    device: str | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Translation:
    """Return what a model writes for a source.

    Args:
        access: The model.
        source: At least one token of the vocabulary, and no more than the model reads.
        decoding: Strategy, filters and what ends the text; None means beam search.
        settings: The first setting of filters, by their names.
        seed: Of the translation.
        count: Most tokens.
        align: Whether the tokens of each hypothesis are aligned with those of the source.
        device: Where to compute; see ModelAccess.borrow.
        cancelled: Called before each token; True ends it without a hypothesis.

    Raises:
        BadInput: The run translates nothing, or the source or a setting cannot be used.
        LabError: A plugin's code raised.
    """
    objective = check_translates(access)
    with access.borrow(device, own=True) as borrowed:
        return translate_on(
            access, borrowed, objective, source, decoding=decoding or beam_search(), settings=settings or {},
            seed=seed, count=count, align=align, cancelled=cancelled,
        )  # fmt: skip


def translate_on(
    access: ModelAccess,
    borrowed: BorrowedModel,
    objective: Objective,
    source: str,
    *,
    decoding: Decoding,
    settings: Mapping[str, Any],
    seed: int,
    count: int,
    align: bool,
    cancelled: Callable[[], bool] = lambda: False,
) -> Translation:
    """Return what a borrowed model writes for a source; the arguments are those of `translate`."""
    tokenizer, plugin = access.tokenizer, access.tokenizer_plugin
    read = read_source(source, tokenizer, plugin, objective)
    writer = access.writer(borrowed)
    ended = writer.ended_texts(
        source, decoding=decoding, settings=settings, seed=seed, count=count, cancelled=cancelled
    )
    found = []
    for one in ended:
        text = writer.text_of(one)
        if not align:
            found.append(Hypothesis(text, one.score, one.tokens))
            continue
        numbers = _numbers(one.tokens, tokenizer.vocabulary_size, objective)
        with attributed(access.model_plugin, "Aligning"), one_thread():
            nats, alignment = aligned(borrowed, objective, tokenizer.vocabulary_size, read, numbers)
        labels = tuple(_label(number, tokenizer, objective) for number in numbers)
        found.append(Hypothesis(text, one.score, one.tokens, labels, nats, alignment))
    with attributed(plugin, "Naming the tokens"):
        labels = tuple(_label(token, tokenizer, objective) for token in read)
    return Translation(borrowed.step, source, labels, tuple(found))


def aligned(
    borrowed: BorrowedModel, objective: Objective, size: int, source: Sequence[int], target: Sequence[int]
) -> tuple[NDArray[np.float64], dict[int, NDArray[np.float64]]]:
    """Return −log p of each token of a target (T,), and by layer the weights of the source's tokens (T, S).

    Args:
        borrowed: The model.
        objective: The objective that it was trained on.
        size: The number of symbols of the tokenizer.
        source: The tokens of the source.
        target: The tokens of the target, in the model's numbers.
    """
    import torch

    read = [size + objective.symbols.index("begin"), *target[:-1]]
    tokens, given = (torch.tensor([row], device=borrowed.device) for row in (read, source))
    with torch.no_grad(), capture(borrowed.model, [ALIGNMENT]) as readings:
        logits = borrowed.model(tokens, source=given)[0]
    written = {"end", *objective.written_symbols}
    hidden = [size + number for number, name in enumerate(objective.symbols) if name not in written]
    logits[:, hidden] = -torch.inf  # as in decoding, where they are never written
    nats = -logits.double().log_softmax(dim=-1)[torch.arange(len(target)), torch.tensor(target)].cpu().numpy()
    found = {}
    for reading in readings:
        if reading.name == ALIGNMENT:
            weights = np.asarray(reading.values, np.float64)  # (1, H, T, S), or without the row's axis
            found[reading.layer or 0] = weights.reshape(-1, *weights.shape[-2:]).mean(axis=0)
    return nats, found


def _numbers(tokens: Sequence[int], size: int, objective: Objective) -> list[int]:
    """Return the model's numbers of written tokens: the objective's own symbols are drawn under the next ones."""
    return [
        token if token < size else size + objective.symbols.index(own_symbol(token - size, objective))
        for token in tokens
    ]


def _label(number: int, tokenizer: Any, objective: Objective) -> str:
    from lab.diagnostics.source import symbol_label

    return symbol_label(number, tokenizer, objective)
