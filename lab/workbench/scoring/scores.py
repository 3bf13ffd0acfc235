"""The score of a text under a run: surprisal per token, its sum, and what follows from it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, Text, Tokenizer
from lab.base.problems import attributed
from lab.base.units import bits, perplexity
from lab.text.documents import DocumentTokenizer
from lab.text.rows.turns import TurnTokenizer
from lab.workbench.access.text_use import TextUse
from lab.workbench.launch.summary import reads_later

if TYPE_CHECKING:
    from lab.diagnostics.texts.guesses import GuessBounds
    from lab.diagnostics.texts.surprisal import TokenScores
    from lab.workbench.access.model_access import BorrowedModel, ModelAccess

MOST_BYTES = 1 << 20
"""The largest text that is scored token by token."""
PSEUDO = "hidden one by one"
"""The protocol of a model that predicts hidden tokens: each token is hidden alone."""
FIELD = "text"
"""The field of problems with the text."""


@dataclass(frozen=True)
class TextScore:
    """A text of N tokens under a run.

    Args:
        text: The text.
        tokens: (N,) its symbols, with those that the lab puts before it.
        labels: The labels of its tokens.
        sizes: (N,) bytes of text of each token, 0 for symbols of the lab.
        values: What the model gives for each token.
        names: The label of each likeliest token, by its number.
        step: Optimizer updates that the model had; 0 is untrained.
        protocol: "windows", "stream" or "strided:N", as of an evaluation, or PSEUDO.
        context_length: The most tokens that were read at once; None for a stream.
    """

    text: str
    tokens: NDArray[np.int64]
    labels: tuple[str, ...]
    sizes: NDArray[np.int64]
    values: TokenScores
    names: dict[int, str]
    step: int
    protocol: str
    context_length: int | None

    @property
    def is_pseudo(self) -> bool:
        """True if each token was predicted from both sides, so that the sum is no log-probability of the text."""
        return self.protocol == PSEUDO

    @property
    def scored(self) -> int:
        """The number of scored tokens."""
        return int(self.values.scored.sum())

    @cached_property
    def sums(self) -> NDArray[np.float64]:
        """(N,) −ln of the product of the probabilities up to each token: the chain rule, as a running sum of nats."""
        return np.cumsum(np.where(self.values.scored, self.values.nats, 0.0))

    @property
    def nats(self) -> float:
        """−ln of the probability of the scored tokens; their pseudo-probability if `is_pseudo`."""
        return float(self.sums[-1]) if len(self.sums) else 0.0

    @property
    def nats_per_token(self) -> float:
        """The mean surprisal of the scored tokens."""
        return self.nats / self.scored if self.scored else math.nan

    @property
    def perplexity(self) -> float:
        """exp(nats per token); a pseudo-perplexity if `is_pseudo`."""
        return perplexity(self.nats_per_token) if self.scored else math.nan

    @property
    def bits_per_byte(self) -> float:
        """Bits per byte of the text of the scored tokens."""
        size = int(self.sizes[self.values.scored].sum())
        return bits(self.nats) / size if size else math.nan

    @property
    def bits_per_character(self) -> float:
        """Bits per character of the text of the scored tokens."""
        start = int(self.sizes[: int(np.argmax(self.values.scored))].sum()) if self.scored else 0
        count = len(self.text.encode()[start:].decode(errors="ignore"))
        return bits(self.nats) / count if count and self.is_aligned else math.nan

    @property
    def entropy(self) -> float:
        """The mean entropy in nats of the distributions from which the scored tokens could have come."""
        scored = self.values.scored
        return float(self.values.entropies[scored].mean()) if scored.any() else math.nan

    @property
    def guesses(self) -> GuessBounds:
        """Bounds of the entropy, in bits per token, from the ranks alone, as Shannon found them (1951)."""
        from lab.diagnostics.texts.guesses import guess_bounds

        return guess_bounds(self.values.ranks[self.values.scored].tolist())

    @cached_property
    def ends(self) -> NDArray[np.int64]:
        """(N,) the byte of the text after each token."""
        return np.cumsum(self.sizes)

    @property
    def is_aligned(self) -> bool:
        """True if the tokens stand for the bytes of the text, so that positions in it are known."""
        return int(self.sizes.sum()) == len(self.text.encode())

    def pieces(self) -> list[str]:
        """Return the text that each token adds; a character of several tokens comes with the last of them."""
        if not self.is_aligned:
            return [label.replace("␣", " ") for label in self.labels]
        whole, pieces, start = self.text.encode(), [], 0
        for end in self.ends.tolist():
            try:
                pieces.append(whole[start:end].decode())
                start = end
            except UnicodeDecodeError:
                pieces.append("")
        return pieces

    def context_sentence(self) -> str:
        """Return how much of the text stood before a token when it was scored, as a phrase."""
        if self.is_pseudo:
            return f"each token hidden alone in windows of {self.context_length} tokens"
        if self.context_length is None:
            return "each token after all before it"
        _, _, stride = self.protocol.partition(":")
        if not stride:
            return f"windows of {self.context_length} tokens, each read from its start"
        least = self.context_length - int(stride) + 1
        return f"windows of {self.context_length} tokens; after the first, {least} or more before each token"


def read_text_of(path: Path) -> str:
    """Return the text of a file of a kind that a corpus can be read from.

    Raises:
        BadInput: It is a folder, too large, binary or blank.
    """
    from lab.text.corpora.files import FileConfig, read_file

    if path.is_dir():
        raise BadInput("is a folder", field=FIELD, value=str(path), remedy="Choose a file")
    if path.is_file() and path.stat().st_size > 64 * MOST_BYTES:
        raise _too_large(path.stat().st_size, str(path))
    try:
        given = read_file(FileConfig(path=str(path)))
    except BadInput as error:
        raise BadInput(replace(error.problem, field=FIELD)) from None
    if not isinstance(given, Text):
        raise _too_large(given.bytes, str(path))
    check_size(given.text, str(path))
    return given.text


def check_size(text: str, value: str | None = None) -> None:
    """Refuse a text that is empty or too large to be scored token by token.

    Raises:
        BadInput: It is.
    """
    if not text:
        raise BadInput("is empty", field=FIELD, allowed="at least two tokens", remedy="Paste a text, or open a file")
    size = len(text.encode(errors="surrogatepass"))
    if size > MOST_BYTES:
        raise _too_large(size, value)


def _too_large(size: int, value: str | None) -> BadInput:
    remedy = "Cut it, or ask for its loss alone: lm-lab evaluate RUN --text FILE"
    what = f"has {size:,} bytes, too many to score token by token"
    return BadInput(what, field=FIELD, value=value, allowed=f"at most {MOST_BYTES:,} bytes", remedy=remedy)


def score_text(
    access: ModelAccess,
    text: str,
    *,
    protocol: str | None = None,
    alternatives: int = 5,
    device: str | None = None,
    progress: Callable[[float], object] = lambda _share: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> TextScore:
    """Return the score of a text under a run.

    The first token has nothing before it, and is not scored, unless the run's texts begin with a symbol of the lab.

    Args:
        access: The run.
        text: At least two tokens, and at most MOST_BYTES.
        protocol: "windows", "stream" or "strided:N". None takes the stream if the run is evaluated in one, and else
            windows of the context length that move by half of it.
        alternatives: Number of likeliest tokens at each position.
        device: Where to compute; see ModelAccess.borrow.
        progress: Called with the share that is done.
        cancelled: Called between batches; True ends it.

    Raises:
        BadInput: The text or the protocol cannot be used, or the run predicts no text.
        Cancelled: It was cancelled.
        LabError: There is no model yet, or a plugin's code raised.
    """
    check_size(text)
    use = access.text_use
    if use not in (TextUse.PROMPT, TextUse.HIDDEN):
        remedy = "Choose a run that was trained to continue text, or to predict hidden tokens"
        raise BadInput(
            "this run does not predict each token of a text",
            field="objective.name", value=access.recipe.objective.name, remedy=remedy,
        )  # fmt: skip
    tokenizer, plugin = access.tokenizer, access.tokenizer_plugin
    tokens = encoded(access, text)
    before = symbols_before(tokenizer)
    whole = np.concatenate([np.array(before, np.int64), tokens])
    if len(whole) < 2:
        raise BadInput("is one token, and the first is not predicted", field=FIELD, allowed="at least two tokens")
    options = {"alternatives": alternatives, "progress": progress, "cancelled": cancelled}
    with access.borrow_for_evaluation(device) as borrowed:
        scores, used, length = _scored(access, borrowed, whole, protocol, options)
    with attributed(plugin, "Decoding"):
        names = {int(number): _label(tokenizer, int(number)) for number in np.unique(scores.likeliest)}
        names |= {int(number): _label(tokenizer, int(number)) for number in np.unique(whole)}
        sizes = np.asarray(tokenizer.sizes())[whole]
    labels = tuple(names[int(number)] for number in whole)
    return TextScore(text, whole, labels, sizes, scores, names, borrowed.step, used, length)


def encoded(access: ModelAccess, text: str) -> NDArray[np.int64]:
    """Return the tokens of a text.

    Raises:
        BadInput: The vocabulary of the run lacks a part of it.
        LabError: The tokenizer's code raised.
    """
    try:
        with attributed(access.tokenizer_plugin, "Encoding the text"):
            return np.asarray(access.tokenizer.encode(text), np.int64)
    except BadInput as error:
        raise BadInput(replace(error.problem, field=FIELD)) from None


def symbols_before(tokenizer: Tokenizer) -> list[int]:
    """Return the symbols before a text: the end of the document before it, or the role that writes it."""
    if isinstance(tokenizer, DocumentTokenizer):
        return [tokenizer.end]
    if isinstance(tokenizer, TurnTokenizer):
        return [tokenizer.role(tokenizer.writes)]
    return []


def _label(tokenizer: Tokenizer, number: int) -> str:
    return tokenizer.label(number) if number < tokenizer.vocabulary_size else "⏹"


def _scored(
    access: ModelAccess,
    borrowed: BorrowedModel,
    tokens: NDArray[np.int64],
    protocol: str | None,
    options: dict[str, Any],
) -> tuple[TokenScores, str, int | None]:
    """Return the scores, the protocol that was used, and the tokens of a window."""
    from lab.diagnostics.texts.surprisal import score_hidden, score_in_stream, score_in_windows
    from lab.training.evaluation import check_protocol, default_protocol

    model, objective = borrowed.model, access.objective()
    trained = access.recipe.training.context_length
    length = trained if model.reach is None else min(trained, model.reach)
    given = {**options, "device": borrowed.device}
    if "mask" in objective.symbols:
        if protocol is not None:
            what = "this run predicts hidden tokens, of which each is hidden alone"
            raise BadInput(what, field="--protocol", value=protocol, remedy="Leave it out")
        mask = access.tokenizer.vocabulary_size + objective.symbols.index("mask")
        return score_hidden(model, tokens, mask, length=length, **given), PSEUDO, min(length, len(tokens))
    if reads_later(model):
        what = "this model reads the tokens that it is to predict, so their probabilities mean nothing"
        raise BadInput(what, remedy="Choose a run that reads what stands before a token alone")
    used = protocol or default_protocol(model, objective)
    if protocol is None and used == "windows":
        used = f"strided:{max(1, length // 2)}"
    stride = check_protocol(used, length)
    if used == "stream":
        if model.reach is not None:
            what = f"this model reads at most {model.reach} positions and cannot read the text in one stream"
            raise BadInput(what, field="--protocol", value=used, allowed=f"windows, strided:N with 1 ≤ N ≤ {length}")
        return score_in_stream(model, tokens, **given), used, None
    return score_in_windows(model, tokens, length=length, stride=stride, **given), used, length
