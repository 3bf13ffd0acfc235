"""Evaluation under a named protocol, so that only comparable losses are compared.

- "windows": windows of the context length without overlap, state reset, every target scored once.
- "stream": one pass over the text with a carried state.
- "strided:N": windows of the context length that move by N, with only the last N targets of each scored.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import torch

from lab.api import Objective, State, scored_of
from lab.base import BadInput
from lab.base.units import bits_per_byte, perplexity
from lab.layers import LanguageModel, TokenMixer, unreduced_cross_entropy
from lab.layers.restarts import extend_documents
from lab.text.mixed import MixedRowSource, MixedSource
from lab.text.streams import TokenSource, numbered

PIECE = 512
"""Tokens that a model with a state reads at once: attention within them has quadratic cost."""
NUMBERS_AT_ONCE = 1 << 24
"""Logits computed at once: 64 MiB in float32."""


@dataclass(frozen=True)
class Evaluation:
    """A loss and the way it was measured.

    Args:
        loss: The mean loss of the targets, in its unit.
        targets: The number of scored targets.
        protocol: "windows", "stream" or "strided:N".
        context_length: Tokens per window; None for a stream.
        part: "all", or the part of the text that was read.
        bytes: UTF-8 bytes of the scored targets; None if targets are not text.
        metrics: The objective's other metrics, as means.
        step: The optimizer updates that the model had; None if it belongs to no run.
        unit: The unit of the loss.
        has_perplexity: Whether exp(loss) is a perplexity.
        standard_error: The standard error of the loss, as if targets were drawn one by one; None if it is not known.
    """

    loss: float
    targets: int
    protocol: str
    context_length: int | None
    part: str
    bytes: int | None
    metrics: dict[str, float]
    step: int | None = None
    unit: str = "nats per token"
    has_perplexity: bool = True
    standard_error: float | None = None

    @property
    def perplexity(self) -> float | None:
        """exp(loss); None if targets are not tokens predicted from all before them."""
        return perplexity(self.loss) if self.has_perplexity else None

    @property
    def bits_per_byte(self) -> float | None:
        """Bits per byte of text, comparable across tokenizers; None if targets are not text."""
        return None if not self.bytes else bits_per_byte(self.loss, self.targets, self.bytes)


def default_protocol(model: LanguageModel, objective: Objective, *, of_text: bool = True) -> str:
    """Return the protocol of a model's evaluations unless another one is given.

    "stream" if the model was trained on unbounded text, with a state carried from step to step or by counting.
    A model trained on windows may be misled by tokens further back, so it is evaluated in windows.
    """
    unbounded = objective.carries or model.learns == "counting"
    if not of_text or not unbounded:
        return "windows"
    streams = model.causal and model.reach is None and objective.needs == "causal" and _reads_on(model)
    return "stream" if streams else "windows"


def _reads_on(model: LanguageModel) -> bool:
    """Return True if reading on costs the same at any length; `forward` alone would read all of the text again."""
    parts = [module for module in model.modules() if isinstance(module, LanguageModel | TokenMixer)]
    return all(part.history is not None or part.writes("extend") or part.writes("step") for part in parts)


def check_protocol(protocol: str, context_length: int) -> int | None:
    """Return the stride of a "strided:N"; None for the other protocols.

    Raises:
        BadInput: There is no such protocol.
    """
    if protocol in ("windows", "stream"):
        return None
    name, _, number = protocol.partition(":")
    if name == "strided" and number.isdecimal() and 1 <= int(number) <= context_length:
        return int(number)
    raise BadInput(
        "there is no such protocol",
        field="--protocol",
        value=protocol,
        allowed=f"windows, stream, strided:N with 1 ≤ N ≤ {context_length}, the context length",
    )


@torch.no_grad()
def evaluate(
    model: LanguageModel,
    objective: Objective,
    source: Any,
    *,
    protocol: str,
    device: torch.device,
    sizes: np.ndarray | None = None,
    limit: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
) -> Evaluation:
    """Evaluate the loss on a split. The model is in eval mode meanwhile; only the thread that owns it may call this.

    Args:
        model: The model.
        objective: The objective of its training.
        source: A Source; "stream" and "strided:N" need a TokenSource. Of a mixture each part is evaluated: its loss is
            the metric "loss NAME", and the loss is their mean by the weights in force, as the other metrics are.
        protocol: See the docstring of this module.
        device: The device of the model.
        sizes: (V,) bytes of text of each symbol, for bits per byte.
        limit: Targets to read, in complete windows or rows spread evenly over the split; 0 reads all. A window of text
            and an example count as the context length, a row of data as the mean targets of the rows of the split.
        cancelled: Called between batches; returning True ends the evaluation with what was read so far.

    Raises:
        BadInput: The protocol does not exist, or does not suit this model.
    """
    check_protocol(protocol, source.context_length)
    read = partial(_evaluated, model, objective, protocol=protocol, device=device, sizes=sizes, cancelled=cancelled)
    if isinstance(source, MixedSource | MixedRowSource):
        limit = -(-limit // len(source.parts))
        found = {name: read(part, limit=limit) for name, part in source.parts.items()}
        return _weighted(found, source.shares().tolist(), objective)
    return read(source, limit=limit)[0]


def _evaluated(
    model: LanguageModel,
    objective: Objective,
    source: Any,
    *,
    protocol: str,
    device: torch.device,
    sizes: np.ndarray | None,
    limit: int,
    cancelled: Callable[[], bool],
) -> tuple[Evaluation, dict[str, torch.Tensor]]:
    """Return the evaluation of one split, and the means of which its metrics are figures."""
    stride = check_protocol(protocol, source.context_length)
    was_training = model.training
    model.eval()
    try:
        if protocol == "windows":
            pieces = _windows(model, objective, source, device, limit)
        else:
            _check_streams(model, objective, source, protocol)
            if stride is not None:
                pieces = _strided(model, source, stride, device, limit)
            elif model.history is not None and source.end is None:
                pieces = _overlapping(model, source, model.history, device, limit)
            else:
                pieces = _carried(model, source, device, limit)
        whole = _reads_all(source, protocol, limit)
        nats, squares, targets, size, metrics = 0.0, 0.0, 0, 0, dict[str, list[Any]]()
        for piece_nats, piece_targets, piece_metrics in pieces:
            scored = scored_of(piece_targets)
            nats += float(piece_nats.double().sum())
            squares += float(piece_nats.double().square().sum())
            targets += int(scored.sum())
            if sizes is not None and objective.has_perplexity:
                size += int(sizes[piece_targets[scored].numpy()].sum())
            for name, (total, count) in piece_metrics.items():
                so_far = metrics.setdefault(name, [0.0, 0])
                so_far[0] = so_far[0] + torch.as_tensor(total).double().cpu()
                so_far[1] += count
            if cancelled():
                whole = False
                break
    finally:
        model.train(was_training)
    means = {name: total / count for name, (total, count) in metrics.items() if count}
    found = Evaluation(
        loss=nats / targets if targets else math.nan,
        targets=targets,
        protocol=protocol,
        context_length=None if protocol == "stream" else source.context_length,
        part="all" if whole else f"{targets} targets",
        bytes=size or None,
        metrics={name: float(objective.figure(name, mean)) for name, mean in means.items()},
        unit=objective.unit,
        has_perplexity=objective.has_perplexity,
        standard_error=_standard_error(nats, squares, targets),
    )
    return found, means


def _standard_error(total: float, squares: float, targets: int) -> float | None:
    """Return the standard error of the mean of numbers, from their sum and that of their squares; None of too few."""
    if targets < 2 or not math.isfinite(squares):
        return None
    return math.sqrt(max(0.0, squares - total**2 / targets) / (targets - 1) / targets)


def _weighted(
    parts: dict[str, tuple[Evaluation, dict[str, torch.Tensor]]], shares: list[float], objective: Objective
) -> Evaluation:
    """Return the evaluation of a mixture from those of its parts, as if their targets were drawn by their shares.

    A part of which nothing was read, because the evaluation was cancelled, is left out.
    """
    read = [(*one, share) for one, share in zip(parts.values(), shares, strict=True) if one[0].targets]
    total = sum(share for *_, share in read)
    targets = sum(one.targets for one, *_ in read)
    per_target = sum(share * (one.bytes or 0) / one.targets for one, _, share in read) / total if read else 0.0
    errors = [(share / total, one.standard_error) for one, _, share in read]
    known = bool(read) and all(error is not None for _, error in errors)
    metrics = {f"loss {name}": one.loss for name, (one, _) in parts.items() if one.targets}
    for name in dict.fromkeys(name for _, means, _ in read for name in means):
        found = [(share, means[name]) for _, means, share in read if name in means]
        mean = torch.stack([share * one for share, one in found]).sum(dim=0) / sum(share for share, _ in found)
        metrics[name] = float(objective.figure(name, mean))
    return replace(
        next(iter(parts.values()))[0],
        loss=sum(share * one.loss for one, _, share in read) / total if read else math.nan,
        targets=targets,
        part="all" if all(one.part == "all" for one, _ in parts.values()) else f"{targets} targets",
        bytes=round(per_target * targets) or None,
        metrics=metrics,
        standard_error=math.hypot(*(share * (error or 0.0) for share, error in errors)) if known else None,
    )


_Piece = tuple[torch.Tensor, torch.Tensor, dict[str, tuple[Any, int]]]


@torch.no_grad()
def window_losses(
    model: LanguageModel, objective: Objective, source: Any, *, device: torch.device, limit: int = 0
) -> tuple[np.ndarray, str]:
    """Return the (W,) mean losses of the windows or rows of a split, in their order, and a digest of what is scored.

    A loss is NaN where nothing is scored. Their order and number depend on the split and the limit alone, so that two
    models can be compared window by window.

    Args:
        model: The model; in eval mode meanwhile.
        objective: The objective of its training.
        source: A Source.
        device: The device of the model.
        limit: Targets to read, as for `evaluate`; 0 reads all.
    """
    was_training = model.training
    model.eval()
    try:
        found, digest = [], hashlib.sha256()
        for nats, targets, _ in _windows(model, objective, source, device, limit):
            digest.update(np.ascontiguousarray(targets.cpu().numpy()).tobytes())
            scored = scored_of(targets).reshape(len(targets), -1)
            counts = scored.sum(dim=1)
            found.append((nats.double().reshape(len(targets), -1).sum(dim=1) / counts).numpy())
    finally:
        model.train(was_training)
    return np.concatenate(found) if found else np.empty(0), digest.hexdigest()


def _reads_all(source: Any, protocol: str, limit: int) -> bool:
    if not limit:
        return True
    if protocol == "windows":
        ordered = source.ordered()
        return len(windows_read(ordered, limit)) == int(ordered.examples)
    return limit >= len(source.tokens) - 1


def windows_read(ordered: Any, limit: int) -> np.ndarray:
    """Return the numbers of windows or rows with about `limit` targets, spread evenly over a split; 0 is all."""
    count = int(ordered.examples)
    targets = getattr(ordered, "targets", None) or count * ordered.context_length
    wanted = -(-limit * count // targets)
    if not limit or wanted >= count:
        return np.arange(count)
    return np.linspace(0, count - 1, wanted).round().astype(np.int64)


def _rows_at_once(model: LanguageModel, source: Any) -> int:
    width = 1 if model.learns == "counting" else max(1, source.vocabulary_size)
    return int(max(1, min(NUMBERS_AT_ONCE // (source.context_length * width), 16384 // source.context_length)))


def _windows(
    model: LanguageModel, objective: Objective, source: Any, device: torch.device, limit: int
) -> Iterator[_Piece]:
    ordered = source.ordered()
    numbers = windows_read(ordered, limit)
    rows = objective.compared_rows or _rows_at_once(model, source)
    if objective.compared_rows and len(numbers) > rows:
        numbers = numbers[: len(numbers) // rows * rows]
    for start in range(0, len(numbers), rows):
        batch = objective.batch(ordered, numbers[start : start + rows], 0)
        batch.fresh = True  # resets the state for every window
        loss = objective.loss(model, batch.to(device))
        yield loss.nats.cpu(), batch.targets, loss.metrics


def _logits_at_once(source: TokenSource) -> int:
    return max(1, min(4096, NUMBERS_AT_ONCE // source.vocabulary_size))


def _tokens(source: TokenSource, limit: int) -> torch.Tensor:
    tokens = source.tokens[: limit + 1] if limit else source.tokens
    return torch.from_numpy(tokens.astype(np.int64))


def _strided(
    model: LanguageModel, source: TokenSource, stride: int, device: torch.device, limit: int
) -> Iterator[_Piece]:
    """Score all targets of the first window, then windows that end `stride` further and their last `stride` targets."""
    tokens, T = _tokens(source, limit), source.context_length
    last = len(tokens) - 1  # targets
    ends = [min(T, last), *range(T + stride, last + stride, stride)]
    rows = _rows_at_once(model, source)
    for first in range(0, len(ends), rows):
        some = ends[first : first + rows]
        read, targets = torch.zeros(len(some), T, dtype=torch.long), torch.full((len(some), T), -1)
        for row, wanted_end in enumerate(some):
            end = min(wanted_end, last)
            start = max(0, end - T)
            fresh = end if wanted_end <= T else end - (wanted_end - stride)
            read[row, : end - start] = tokens[start:end]
            targets[row, end - start - fresh : end - start] = tokens[end - fresh + 1 : end + 1]
        yield -model.score(read.to(device), targets.to(device)).cpu(), targets, {}


def _overlapping(
    model: LanguageModel, source: TokenSource, history: int, device: torch.device, limit: int
) -> Iterator[_Piece]:
    """Score a stream with a model that sees no further back than `history`, exactly, in pieces that overlap so far."""
    counts = model.learns == "counting"  # it scores without logits of the full vocabulary
    tokens, piece = _tokens(source, limit), 1 << 16 if counts else _logits_at_once(source)
    for start in range(0, len(tokens) - 1, piece):
        before = max(0, start - history)
        end = min(start + piece, len(tokens) - 1)
        targets = tokens[before + 1 : end + 1].clone()
        targets[: start - before] = -1
        yield -model.score(tokens[None, before:end].to(device), targets[None].to(device)).cpu(), targets[None], {}


def _carried(model: LanguageModel, source: TokenSource, device: torch.device, limit: int) -> Iterator[_Piece]:
    """Score a stream with a model that has a state, piece by piece, each from the state after the one before.

    The state starts again where a document begins, if they are read separately.
    """
    tokens = _tokens(source, limit)
    piece = min(_logits_at_once(source), PIECE)
    state: State = model.start(1)
    for start in range(0, len(tokens) - 1, piece):
        end = min(start + piece, len(tokens) - 1)
        read = tokens[None, start:end]
        if source.end is None:
            logits, state = model.extend(read.to(device), state)
        else:
            documents = torch.from_numpy(numbered(read.numpy(), source.end))
            logits, state = extend_documents(model, read.to(device), state, documents.to(device))
        targets = tokens[None, start + 1 : end + 1]
        yield unreduced_cross_entropy(logits, targets.to(device)).cpu(), targets, {}


def _check_streams(model: LanguageModel, objective: Objective, source: Any, protocol: str) -> None:
    if not model.causal or not isinstance(source, TokenSource) or objective.needs != "causal":
        raise BadInput(
            "this protocol is only for next-token prediction of text",
            field="--protocol",
            value=protocol,
            allowed="windows",
        )
    if source.end is not None and not (protocol == "stream" and objective.carries):
        raise BadInput(
            "this run reads each document separately (training.separate_documents), and this protocol reads on across "
            "their borders",
            field="--protocol",
            value=protocol,
            allowed="windows",
        )
    if protocol == "stream" and model.reach is not None:
        raise BadInput(
            f"this model reads at most {model.reach} positions and cannot read the text in one stream",
            field="--protocol",
            value=protocol,
            allowed=f"windows, strided:N with 1 ≤ N ≤ {source.context_length}",
        )
