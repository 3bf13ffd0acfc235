"""The objectives of encoders beside hidden tokens: the next sentence, and replaced tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from lab.api import BadInput, Batch, Loss, Objective, Shaped, Source, State, Task, fixed_numbers, masked_rows, uniforms
from lab_encoder.objective_settings import NextSentenceConfig, ReplacedConfig

if TYPE_CHECKING:
    from lab.api import LanguageModel
    from lab_encoder.electra import Electra
    from lab_encoder.model import Encoder

SPECIAL = 3
"""Symbols of the objective in a row of two pieces."""
SHORTEST = 8
"""Fewest tokens of a row of two pieces."""
PAIRS, LENGTHS = 20_063, 20_064
"""Second numbers of the seeds of which piece follows, and of where rows are cut."""


class NextSentence(Objective):
    """Hidden tokens of two pieces of text, and whether the second follows the first (Devlin et al. 2018, section 3.1).

    A row is "begin" A "separator" B "separator". In half of the rows B is what follows A in the text, in the others the
    beginning of another row. With `maskings` a row has so many pairs, as BERT's were made once before the training.
    The training loss is that of hidden tokens plus that of the next sentence; an evaluation's is that of hidden tokens
    alone, so that it stands beside those of other masked runs.

    Args:
        config: The settings.
    """

    needs = "next-sentence"
    reads = frozenset({"text"})
    symbols = ("mask", "begin", "separator")
    unit = "nats per hidden token"
    has_perplexity = False

    def __init__(self, config: Any = None) -> None:
        super().__init__(config or NextSentenceConfig())

    def task(self, source: Shaped) -> Task:
        """Return a bidirectional task of two pieces, with three more symbols."""
        size = source.vocabulary_size + len(self.symbols)
        return Task(size, source.context_length, causal=False, next_sentence=True)

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return rows of T tokens, "segments" (B, T) and "follows" (B,), 1 where the second piece follows the first.

        Raises:
            BadInput: A row is too short for two pieces.
        """
        T = source.context_length
        if T < SHORTEST:
            raise BadInput(
                "is too short for two pieces of text with three symbols around them",
                field="training.context_length",
                value=T,
                allowed=f"at least {SHORTEST}",
            )
        here = _tokens(source, examples, seed)[:, : T - SPECIAL]  # (B, T − 3)
        count = max(1, int(source.examples))
        ways = self.config.maskings
        numbers = fixed_numbers(here, examples, seed, ways) if ways else examples
        draws = uniforms(seed + PAIRS, numbers, 2)
        others = (numbers % count + 1 + (draws[:, 1] * (count - 1)).astype(np.int64)) % count
        there = _tokens(source, others, seed)[:, : here.shape[1]]
        follows = (draws[:, 0] < 0.5) | (there == here).all(axis=1)  # another number may draw the row itself
        lengths = np.maximum(2, np.count_nonzero(here >= 0, axis=1))
        at = 1 + ((0.25 + 0.5 * uniforms(seed + LENGTHS, numbers, 1)[:, 0]) * (lengths - 1)).astype(np.int64)
        tokens = np.full((len(examples), T), -1, np.int64)
        segments = np.zeros_like(tokens)
        for row, (first, second) in enumerate(zip(here, there, strict=True)):
            cut, length = int(at[row]), int(lengths[row])
            after = first[cut:length] if follows[row] else second[: length - cut]
            after = after[after >= 0]  # the end of a text is padded
            tokens[row, 1 : 1 + cut] = first[:cut]
            tokens[row, 2 + cut : 2 + cut + len(after)] = after
            tokens[row, 2 + cut + len(after) :] = np.where(np.arange(T - 2 - cut - len(after)) == 0, -2, -1)
            tokens[row, [0, 1 + cut]] = -3, -2
            segments[row, 2 + cut :] = 1
        text = tokens >= 0
        hidden = masked_rows(tokens, source, examples, seed, self.config, self.symbol(source, "mask"), text)
        shown = np.where(tokens == -3, self.symbol(source, "begin"), hidden.shown)
        shown = np.where(tokens == -2, self.symbol(source, "separator"), shown)
        inputs = {
            "tokens": torch.from_numpy(shown),
            "segments": torch.from_numpy(segments),
            "follows": torch.from_numpy(follows.astype(np.int64)),
        }
        if (tokens == -1).any():
            inputs["mask"] = torch.from_numpy(tokens != -1)
        return Batch(inputs, torch.from_numpy(hidden.targets), int(np.count_nonzero(hidden.targets >= 0)))

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats per hidden token, and of the next sentence "next-sentence accuracy" and "next-sentence loss".

        In training the loss of a row's next sentence is spread over its hidden tokens, times as many as are expected,
        so that on average both means are added; each row is computed from itself alone.
        """
        del carry
        encoder: Encoder = model  # type: ignore[assignment]
        given: dict[str, Any] = dict(batch.inputs)
        tokens, wanted = given.pop("tokens"), given.pop("follows")
        x = encoder.residual(tokens, given.get("mask"), segments=given["segments"])
        nats = _nats(encoder.head(x[batch.scored]), batch)
        logits = encoder.follows(x)
        pair = F.cross_entropy(logits, wanted, reduction="none")
        hits = (logits.detach().argmax(dim=-1) == wanted).sum()
        metrics = {
            "next-sentence accuracy": (hits, len(wanted)),
            "next-sentence loss": (pair.detach().sum(), len(wanted)),
        }
        if getattr(model, "training", False):
            expected = max(1.0, self.config.share * (tokens.shape[1] - SPECIAL))
            hidden = batch.scored.sum(dim=1)
            nats = nats + (expected * pair / hidden.clamp(min=1))[:, None] * batch.scored
        return Loss(nats, metrics)


class ReplacedTokens(Objective):
    """Which tokens a generator has replaced: −log p(replaced or not) of each token (Clark et al. 2020, section 3.1).

    The generator learns to predict hidden tokens; one of its guesses, drawn from its distribution, stands in place of
    each in what the discriminator reads. The training loss is the discriminator's plus the generator's divided by λ,
    which is the paper's divided by λ, where as many tokens are hidden as expected; an evaluation's is the
    discriminator's alone.

    Args:
        config: The settings.
    """

    needs = "replaced-tokens"
    reads = frozenset({"text", "examples"})
    symbols = ("mask",)
    unit = "nats per token told apart"
    has_perplexity = False

    def __init__(self, config: Any = None) -> None:
        super().__init__(config or ReplacedConfig())

    def task(self, source: Shaped) -> Task:
        """Return a bidirectional task with one more symbol."""
        return Task(source.vocabulary_size + 1, source.context_length, causal=False)

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return rows with some tokens hidden, the tokens themselves as targets, and "draws" (B, T) for the generator.

        "hidden" (B, T) bool are the tokens that the generator replaces.
        """
        tokens = _tokens(source, examples, seed)[:, :-1]
        hidden = masked_rows(tokens, source, examples, seed, self.config, self.symbol(source, "mask"))
        draws = uniforms(seed + PAIRS, examples, tokens.shape[1])
        inputs = {
            "tokens": torch.from_numpy(hidden.shown),
            "hidden": torch.from_numpy(hidden.targets >= 0),
            "draws": torch.from_numpy(draws.astype(np.float32)),
        }
        if tokens.min(initial=0) < 0:
            inputs["mask"] = torch.from_numpy(tokens >= 0)
            inputs["mask"][:, 0] = True
        return Batch(inputs, torch.from_numpy(tokens), int(np.count_nonzero(tokens >= 0)))

    def loss(self, model: LanguageModel, batch: Batch, carry: State = None) -> Loss:
        """Return nats of each token, and the metrics of the discriminator and of the generator.

        "accuracy" is the share of tokens judged rightly, "found" that of the replaced tokens that are found, "replaced"
        the share of tokens that were replaced, and "generator loss" its nats per hidden token.
        """
        del carry
        electra: Electra = model  # type: ignore[assignment]
        given: dict[str, Any] = dict(batch.inputs)
        tokens, hidden, draws = (given.pop(name) for name in ("tokens", "hidden", "draws"))
        logits = electra.filled(tokens, hidden=hidden, **given)  # (N, V)
        wanted = batch.targets[hidden]
        of_generator = F.cross_entropy(logits, wanted, reduction="none")
        drawn = _drawn(logits.detach(), draws[hidden], len(self.symbols))
        shown = batch.targets.clamp(min=0).masked_scatter(hidden, drawn)
        replaced = (shown != batch.targets) & batch.scored
        judged = electra.replaced(shown, **given)
        nats = F.binary_cross_entropy_with_logits(judged, replaced.to(judged.dtype), reduction="none") * batch.scored
        right = ((judged.detach() > 0) == replaced) & batch.scored
        found = ((judged.detach() > 0) & replaced).sum()
        metrics = {
            "accuracy": (right.sum(), batch.weight),
            "replaced": (replaced.sum(), batch.weight),
            "generator loss": (of_generator.detach().sum(), max(1, len(wanted))),
        }
        if int(replaced.sum()):
            metrics["found"] = found, int(replaced.sum())
        if getattr(model, "training", False):
            more = of_generator / (self.config.discriminator_weight * self.config.share)
            nats = nats + nats.new_zeros(nats.shape).masked_scatter(hidden, more.to(nats.dtype))
        return Loss(nats, metrics)


def _tokens(source: Source, examples: np.ndarray, seed: int) -> np.ndarray:
    rows = source.rows(examples, seed)
    if "tokens" not in rows:
        raise BadInput(
            f"this corpus has {', '.join(rows)}, but no text",
            field="objective.name",
            remedy="Choose a text as the corpus, or another objective",
        )
    return np.asarray(rows["tokens"])


def _nats(logits: Tensor, batch: Batch) -> Tensor:
    """Return nats in the shape of the targets, from logits (N, V) of the scored ones."""
    nats = F.cross_entropy(logits, batch.targets[batch.scored], reduction="none")
    return nats.new_zeros(batch.targets.shape).masked_scatter(batch.scored, nats)


def _drawn(logits: Tensor, draws: Tensor, own: int) -> Tensor:
    """Return a symbol drawn from each row of logits (N, V), without the last `own` ones, by uniform numbers (N,)."""
    shares = logits[:, : logits.shape[1] - own].float().softmax(dim=-1).cumsum(dim=-1)
    picked = (shares < draws[:, None] * shares[:, -1:]).sum(dim=-1)
    return picked.clamp(max=shares.shape[1] - 1)
