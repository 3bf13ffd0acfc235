"""The built-in objectives: of tokens, of classes, of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lab.api import (
    Batch,
    LanguageModel,
    Loss,
    Objective,
    Shaped,
    Source,
    State,
    Task,
    class_task,
    detach_state,
    input_shape_of,
    masked_rows,
    uniforms,
)
from lab.base import BadInput
from lab.layers import right_rows, unreduced_cross_entropy, written_loss
from lab.layers.documents import Documents
from lab.layers.restarts import extend_documents
from lab.training.builtins import MaskedConfig, RegressionConfig, SequenceToSequenceConfig, SmoothedConfig

F1 = "F1"
"""The metric of classes: the harmonic mean of precision and recall, as the mean of the classes that occur."""


def _column(rows: Any, name: str) -> np.ndarray:
    if name not in rows:
        raise BadInput(
            f"this corpus has {', '.join(rows)}, but no {name!r}",
            field="objective.name",
            remedy="Choose an objective for this kind of corpus; text is for causal, carried and masked",
        )
    column: np.ndarray = rows[name]
    return column


def _scored(targets: np.ndarray) -> int:
    return int(np.count_nonzero(targets >= 0))


def _padded(rows: np.ndarray) -> tuple[Tensor, Tensor]:
    """Return tokens (B, T) and their mask, False behind the end of a row; an empty row reads one symbol 0."""
    mask = rows >= 0
    mask[:, :1] = True
    return torch.from_numpy(np.maximum(rows, 0)), torch.from_numpy(mask)


def _as_rows(model: LanguageModel, batch: Batch) -> bool:
    """Return True if a model must be given each document of a batch as a row of its own."""
    return "documents" in batch.inputs and not getattr(model, "reads_documents", False)


def drawn_nats(logits: Tensor, targets: Tensor) -> Tensor:
    """Return nats (…) of labels drawn from the softmax of logits (…, V), 0 where a target (…) is not scored."""
    chances = logits.detach().float().softmax(dim=-1).flatten(0, -2)
    drawn = torch.multinomial(chances, 1).view(targets.shape)
    return unreduced_cross_entropy(logits, torch.where(targets >= 0, drawn, -1))


def _nats(objective: Objective, model: LanguageModel, batch: Batch, *, causal: bool, drawn: bool = False) -> Tensor:
    """Return nats per target (B, T), smoothed in training as the objective's setting says, or of drawn labels.

    Documents are read separately: by the model itself if it knows them, else each as a row of its own.
    """
    smoothing = _smoothing(objective, model)

    def score(tokens: Tensor, targets: Tensor, **given: Any) -> Tensor:
        logits = model(tokens, **given)
        return -(drawn_nats(logits, targets) if drawn else unreduced_cross_entropy(logits, targets, smoothing))

    scores: Any = score if smoothing or drawn else model.score
    inputs: dict[str, Any] = dict(batch.inputs)
    tokens = inputs.pop("tokens")
    if _as_rows(model, batch):
        found: Tensor = Documents(inputs["documents"], causal=causal).separately(scores, tokens, batch.targets)
    else:
        found = scores(tokens, batch.targets, **inputs)
    return -found


class Causal(Objective):
    """−log p(x_{t+1} | x_1 … x_t) at every position of a window; only at answers for examples."""

    reads_documents = True

    def __init__(self, config: Any = None) -> None:
        super().__init__(config or SmoothedConfig())

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return windows of T + 1 tokens: the first T are read, the last T are targets."""
        given = source.rows(examples, seed)
        rows = _column(given, "tokens")  # (B, T + 1)
        tokens, targets = rows[:, :-1], rows[:, 1:]
        if "scored" in given:
            targets = np.where(given["scored"][:, 1:], targets, -1)
        weight = _scored(targets)
        if weight < targets.size:
            tokens = np.maximum(tokens, 0)
        inputs = {"tokens": torch.from_numpy(tokens)}
        if "documents" in given:
            inputs["documents"] = torch.from_numpy(given["documents"][:, :-1])
        return Batch(inputs, torch.from_numpy(targets), weight, right_or_wrong="scored" in given)

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats per target; for answers also "accuracy", and "faultless", the share of rows without an error.

        The training loss is smoothed as the setting says (Szegedy et al. 2016, section 7), an evaluation's is not.
        """
        del carry
        if _as_rows(model, batch) or not batch.right_or_wrong:
            return Loss(_nats(self, model, batch, causal=True))
        logits = model.forward(batch.inputs["tokens"])  # (B, T, V)
        hits = (logits.detach().argmax(dim=-1) == batch.targets) & batch.scored
        metrics = {"accuracy": (hits.sum(), batch.weight), "faultless": right_rows(hits, batch.scored)}
        return Loss(unreduced_cross_entropy(logits, batch.targets, _smoothing(self, model)), metrics)

    def drawn_loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Tensor | None:
        """Return nats of drawn tokens."""
        del carry
        return _nats(self, model, batch, causal=True, drawn=True)


class Carried(Causal):
    """Causal on a text read as one stream in lanes: truncated backpropagation through time (Mikolov et al. 2010)."""

    carries = True
    reads = frozenset({"text"})

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return the next window of each lane, marked as fresh if the lanes start again."""
        batch = super().batch(source, examples, seed)
        starts_again = getattr(source, "fresh", None)
        batch.fresh = bool(starts_again(examples)) if starts_again else False
        return batch

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats per target, from the state after the last batch, or a fresh one where a document begins."""
        logits, state = self._read(model, batch, carry)
        nats = unreduced_cross_entropy(logits, batch.targets, _smoothing(self, model))
        return Loss(nats, carry=detach_state(state))

    def drawn_loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Tensor | None:
        """Return nats of drawn tokens, from the state after the last batch."""
        return drawn_nats(self._read(model, batch, carry)[0], batch.targets)

    def _read(self, model: LanguageModel, batch: Batch, carry: State) -> tuple[Tensor, State]:
        """Return logits (B, T, V) and the next state."""
        tokens = batch.inputs["tokens"]
        if carry is None or batch.fresh:
            carry = model.start(tokens.shape[0])
        if "documents" in batch.inputs:
            return extend_documents(model, tokens, carry, batch.inputs["documents"])
        return model.extend(tokens, carry)


class Masked(Objective):
    """Hidden tokens predicted from both sides; most of them show "mask", some another token (Devlin et al. 2018).

    Of labelled texts the labels are not read: an encoder learns from the texts alone, before it learns a few labels.
    """

    needs = "masked"
    reads = frozenset({"text", "examples", "labels"})
    reads_documents = True
    symbols = ("mask",)
    unit = "nats per hidden token"
    has_perplexity = False

    def __init__(self, config: Any = None) -> None:
        super().__init__(config or MaskedConfig())

    def task(self, source: Shaped) -> Task:
        """Return a bidirectional task with one more symbol."""
        return Task(source.vocabulary_size + 1, source.context_length, causal=False)

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return rows of T tokens with some hidden, at least one in each; only those are scored.

        Of labelled texts, and where a row is shorter than the others, "mask" (B, T) bool is False behind its end; of
        documents, what stands there is one of its own, which no other reads.
        """
        rows = source.rows(examples, seed)
        tokens = _column(rows, "inputs") if "label" in rows else _column(rows, "tokens")[:, :-1]  # (B, T)
        hidden = masked_rows(tokens, source, examples, seed, self.config, self.symbol(source, "mask"))
        inputs = {"tokens": torch.from_numpy(hidden.shown)}
        if "documents" in rows:
            inputs["documents"] = torch.from_numpy(rows["documents"][:, :-1] + (tokens < 0))
        elif "label" in rows or tokens.min(initial=0) < 0:
            inputs["mask"] = _padded(tokens)[1]
        return Batch(inputs, torch.from_numpy(hidden.targets), _scored(hidden.targets))

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats per hidden token, smoothed in training as by Causal."""
        del carry
        return Loss(_nats(self, model, batch, causal=False))

    def drawn_loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Tensor | None:
        """Return nats of drawn tokens in place of the hidden ones."""
        del carry
        return _nats(self, model, batch, causal=False, drawn=True)


class SequenceToSequence(Objective):
    """−log p(y_t | y_1 … y_{t−1}, source) of each token and of the end (Sutskever et al. 2014).

    The training loss is smoothed as its setting says (Szegedy et al. 2016, section 7), that of an evaluation is not.
    With less teacher forcing, the decoder reads in training some of the tokens that it found likeliest itself (Bengio
    et al. 2015); an evaluation always reads the right ones.
    """

    needs = "sequence-to-sequence"
    reads = frozenset({"pairs"})
    symbols = ("begin", "end")

    def __init__(self, config: Any = None) -> None:
        super().__init__(config or SequenceToSequenceConfig())

    def task(self, source: Shaped) -> Task:
        """Return a causal task with a source side of the same vocabulary, and room for "begin" in a target."""
        size = source.vocabulary_size + len(self.symbols)
        return Task(size, source.context_length + 1, source_vocabulary_size=size)

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return a batch whose decoder reads "begin" and the target, and predicts the target and "end".

        With less teacher forcing it has "forced" (B, T) bool, True where the right token is read in training.
        """
        rows = source.rows(examples, seed)
        inputs, targets = self._read(rows), self._written(source, _column(rows, "target"))
        tokens = np.full_like(targets, self.symbol(source, "begin"))
        tokens[:, 1:] = np.maximum(targets[:, :-1], 0)
        if self.config.teacher_forcing < 1:
            forced = uniforms(seed, examples, tokens.shape[1]) < self._forced_share(examples)[:, None]
            inputs = {**inputs, "forced": torch.from_numpy(forced)}
        return Batch({"tokens": torch.from_numpy(tokens), **inputs}, torch.from_numpy(targets), _scored(targets))

    def _forced_share(self, examples: np.ndarray) -> np.ndarray:
        """Return the share of right tokens that are read of each example, (B,)."""
        over, least = self.config.forcing_examples, self.config.teacher_forcing
        done = np.minimum(examples / over, 1.0) if over else np.ones(len(examples))
        return np.asarray(1 - (1 - least) * done)

    def _read(self, rows: Any) -> dict[str, Tensor]:
        """Return what the encoder reads."""
        tokens, mask = _padded(_column(rows, "source"))
        return {"source": tokens, "source_mask": mask}

    def _written(self, source: Source, target: np.ndarray) -> np.ndarray:
        """Return targets (B, T) with "end" behind the last token of each: (B, T + 1)."""
        lengths = np.count_nonzero(target >= 0, axis=1)
        ended = np.concatenate([target, np.full((len(target), 1), -1, target.dtype)], axis=1)
        ended[np.arange(len(target)), lengths] = self.symbol(source, "end")
        return ended

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats per target, "accuracy", the share of right tokens, and "exact match", that of faultless rows."""
        del carry
        return written_loss(self._logits(model, batch), batch, _smoothing(self, model))

    def drawn_loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Tensor | None:
        """Return nats of drawn tokens."""
        del carry
        return drawn_nats(self._logits(model, batch), batch.targets)

    def _logits(self, model: LanguageModel, batch: Batch) -> Tensor:
        """Return logits (B, T, V)."""
        inputs: dict[str, Any] = dict(batch.inputs)
        tokens, forced = inputs.pop("tokens"), inputs.pop("forced", None)
        if forced is None or not getattr(model, "training", False):
            logits: Tensor = model(tokens, **inputs)
            return logits
        return _reading_own(model, tokens, forced, inputs)


def _reading_own(model: LanguageModel, tokens: Tensor, forced: Tensor, given: dict[str, Tensor]) -> Tensor:
    """Return logits (B, T, V) of a model that reads the token it found likeliest where a right one is not forced.

    Args:
        model: A model that writes.
        tokens: (B, T), the right ones.
        forced: (B, T) bool; the first token is always right.
        given: The model's other inputs.
    """
    state, read = model.start(tokens.shape[0], **given), tokens[:, :1]
    every: list[Tensor] = []
    for t in range(tokens.shape[1]):
        logits, state = model.extend(read, state)
        every.append(logits)
        if t + 1 < tokens.shape[1]:
            own = logits.detach().argmax(dim=-1)
            read = torch.where(forced[:, t + 1 : t + 2], tokens[:, t + 1 : t + 2], own)
    return torch.cat(every, dim=1)


class Captions(SequenceToSequence):
    """−log p(y_t | y_1 … y_{t−1}, image) (Vinyals et al. 2015, eq. 2); the image is the model's "source"."""

    reads = frozenset({"images"})

    def task(self, source: Shaped) -> Task:
        """Return a causal task whose source is an image."""
        size = source.vocabulary_size + len(self.symbols)
        return Task(size, source.context_length + 1, input_shape=input_shape_of(source))

    def _read(self, rows: Any) -> dict[str, Tensor]:
        return {"source": torch.from_numpy(_column(rows, "inputs"))}


class Classification(Objective):
    """−log p(label | input), of each input or of each of its tokens.

    The training loss is smoothed as its setting says (Szegedy et al. 2016, section 7), that of an evaluation is not.
    """

    needs = "classification"
    reads = frozenset({"labels", "vectors", "images"})
    unit = "nats per label"
    has_perplexity = False

    def __init__(self, config: Any = None) -> None:
        super().__init__(config or SmoothedConfig())

    def task(self, source: Shaped) -> Task:
        """Return a task over classes; inputs that are not tokens have a shape."""
        return class_task(source)

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return inputs, for tokens with their "mask" (B, T) bool, and labels."""
        rows = source.rows(examples, seed)
        label = _column(rows, "label")
        return Batch(_inputs(rows), torch.from_numpy(label), _scored(label))

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats per label, "accuracy", the share of right labels, and the counts of "F1"."""
        del carry
        logits = _outputs(model, batch)  # (B, classes) or (B, T, classes)
        likeliest, wanted = logits.detach().argmax(dim=-1)[batch.scored], batch.targets[batch.scored]
        hits = likeliest == wanted
        metrics = {"accuracy": (hits.sum(), batch.weight)}
        metrics[F1] = class_counts(likeliest, wanted, logits.shape[-1]), batch.weight
        return Loss(unreduced_cross_entropy(logits, batch.targets, _smoothing(self, model)), metrics)

    def drawn_loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Tensor | None:
        """Return nats of drawn labels."""
        del carry
        return drawn_nats(_outputs(model, batch), batch.targets)

    def figure(self, name: str, mean: Tensor) -> Tensor:
        """Return macro-averaged F1 of its counts, and other metrics as they are."""
        return macro_f1(mean) if name == F1 else mean


class _Numbers(Objective):
    """The base of objectives whose targets are numbers. Sources have "inputs" and "numbers", and `outputs`."""

    needs = "regression"
    reads = frozenset({"vectors"})
    has_perplexity = False

    def task(self, source: Shaped) -> Task:
        """Return a task of as many outputs as the source has numbers."""
        return Task(
            source.vocabulary_size,
            source.context_length,
            causal=False,
            input_shape=input_shape_of(source),
            outputs=getattr(source, "outputs", None),
        )

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return inputs and numbers (B, K)."""
        rows = source.rows(examples, seed)
        numbers = _column(rows, "numbers")
        return Batch(_inputs(rows), torch.from_numpy(numbers), int(np.count_nonzero(~np.isnan(numbers))))


class Regression(_Numbers):
    """(ŷ − y)² of each number, |ŷ − y|, or the Huber loss with δ: (ŷ − y)² / 2, linear from |ŷ − y| = δ on.

    The gradient of |ŷ − y| at 0 is 0. Huber's is Huber 1964.
    """

    def __init__(self, config: Any = None) -> None:
        super().__init__(config or RegressionConfig())
        self.unit = {"squares": "mean squared error", "absolute": "mean absolute error", "huber": "mean Huber loss"}[
            self.config.loss
        ]

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return the loss of each number, and "MSE", the squared errors."""
        del carry
        found, wanted = _outputs(model, batch), batch.targets.nan_to_num()
        squares = (found - wanted).square() * batch.scored
        metrics = {"MSE": (squares.detach().sum(), batch.weight)}
        if self.config.loss == "squares":
            return Loss(squares, metrics)
        if self.config.loss == "absolute":
            return Loss((found - wanted).abs() * batch.scored, metrics)
        return Loss(F.huber_loss(found, wanted, reduction="none", delta=self.config.delta) * batch.scored, metrics)


class Binary(_Numbers):
    """−y log σ(ŷ) − (1 − y) log(1 − σ(ŷ)) of each number y in [0, 1], as for labels that do not exclude each other."""

    unit = "nats per label"

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return inputs and numbers (B, K).

        Raises:
            BadInput: A number is not in [0, 1].
        """
        batch = super().batch(source, examples, seed)
        outside = batch.targets[(batch.targets < 0) | (batch.targets > 1)]
        if outside.numel():
            raise BadInput(
                "a number of this corpus is no probability",
                field="objective.name",
                value=f"{outside[0].item():g}",
                allowed="0 to 1",
                remedy="Choose the objective regression, or give labels 0 and 1",
            )
        return batch

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats per number, and "accuracy", the share of numbers on the right side of 1/2."""
        del carry
        logits, wanted = _outputs(model, batch), batch.targets.nan_to_num()
        hits = ((logits.detach() > 0) == (wanted > 0.5)) & batch.scored
        nats = F.binary_cross_entropy_with_logits(logits, wanted, reduction="none") * batch.scored
        return Loss(nats, {"accuracy": (hits.sum(), batch.weight)})


def class_counts(found: Tensor, wanted: Tensor, classes: int) -> Tensor:
    """Return how often each class was found rightly, found, and wanted: (3 · classes,) int64, which add up exactly."""
    rightly = wanted[found == wanted]
    return torch.cat([torch.bincount(each, minlength=classes) for each in (rightly, found, wanted)])


def macro_f1(counts: Tensor) -> Tensor:
    """Return the mean over classes of 2 · rightly found / (found + wanted), without classes that never occur.

    Args:
        counts: (3 · classes,) of `class_counts`, or multiples of them.
    """
    rightly, found, wanted = counts.double().view(3, -1)
    occurrences = found + wanted
    occurs = occurrences > 0
    of_classes: Tensor = 2 * rightly / occurrences.where(occurs, 1)
    total: Tensor = of_classes.sum() / occurs.sum().clamp(min=1)
    return total


def _smoothing(objective: Objective, model: LanguageModel) -> float:
    """Return the ε of label smoothing, which is for training alone."""
    return float(objective.config.label_smoothing) if getattr(model, "training", False) else 0.0


def _inputs(rows: Any) -> dict[str, Tensor]:
    """Return inputs as they are, or tokens with their mask."""
    inputs = _column(rows, "inputs")
    if inputs.dtype.kind == "f":
        return {"tokens": torch.from_numpy(inputs)}
    tokens, mask = _padded(inputs)
    return {"tokens": tokens, "mask": mask}


def _outputs(model: LanguageModel, batch: Batch) -> Tensor:
    """Return the model's output for a batch.

    Raises:
        ValueError: Its shape is not that of the targets, with one more axis for classes.
    """
    inputs: dict[str, Any] = dict(batch.inputs)
    outputs: Tensor = model(inputs.pop("tokens"), **inputs)
    shape = outputs.shape if batch.targets.is_floating_point() else outputs.shape[:-1]
    if shape != batch.targets.shape:
        gave, wanted = tuple(outputs.shape), tuple(batch.targets.shape)
        raise ValueError(f"{type(model).__name__} returned {gave} for targets {wanted}")
    return outputs
