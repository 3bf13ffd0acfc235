"""Text from a model: read a prompt, draw tokens, decode them piece by piece."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lab.api import Objective, Tokenizer
from lab.base import BadInput
from lab.base.problems import attributed
from lab.host import Plugins
from lab.recipes import Recipe
from lab.text.rows.turns import TurnTokenizer
from lab.workbench.runners.summary import reads_later

if TYPE_CHECKING:
    from torch import Tensor

    from lab.decoding.stream import Token

SHARE_WHILE_TRAINING = 0.05
"""Share of the time that writing may take while the same process trains the model's run."""


@dataclass(frozen=True)
class Piece:
    """A generated token as text.

    Args:
        text: What it adds to the text.
        label: The token as the tokenizer shows it to people.
        probability: Under the model, before the sampler.
        alternatives: (label, text, probability) of the likeliest tokens here; the text is "" where a token is only part
            of a character.
        reread: Whether the model was full, here or already after the prompt, and started again from the last half of
            what it can read.
        step: Optimizer updates that the model had; 0 is untrained.
        drawn: Index of this token among the alternatives; None where it is not among them. Labels do not tell: two
            tokens may have one.
    """

    text: str
    label: str
    probability: float
    alternatives: tuple[tuple[str, str, float], ...]
    reread: bool
    step: int
    drawn: int | None = None


@dataclass(frozen=True)
class LikeliestTokens:
    """The likeliest next tokens after a prompt.

    Args:
        step: Optimizer updates that the model had; 0 is untrained.
        tokens: (label, text, probability), likeliest first; the text is "" where a token is only part of a character.
    """

    step: int
    tokens: tuple[tuple[str, str, float], ...]


class Writer:
    """Generates text with a model that nobody else uses.

    Args:
        model: In eval mode.
        tokenizer: Its tokenizer.
        device: Where it is.
        recipe: What it was trained by; it names the plugins of model and tokenizer.
        plugins: Where samplers and owners are found.
        step: Optimizer updates that the model had.
    """

    def __init__(
        self, model: Any, tokenizer: Tokenizer, device: Any, recipe: Recipe, plugins: Plugins, step: int
    ) -> None:
        self._model, self._tokenizer, self._device, self._plugins = model, tokenizer, device, plugins
        self._step = step
        self._names: dict[int, tuple[str, str]] = {}  # label and text of tokens, once computed
        self._model_plugin = plugins.owner("architectures", recipe.architecture.name)
        self._tokenizer_plugin = plugins.owner("tokenizers", recipe.tokenizer.name)
        self._objective = recipe.objective.name
        from lab.training.resolution import resolve

        self._learned: Objective = resolve(plugins, "objectives", recipe.objective, "objective").make()

    def write(
        self,
        prompt: str,
        *,
        sampler: str = "sampling",
        settings: Mapping[str, Any],
        seed: int,
        count: int,
        alternatives: int = 5,
        trains: Callable[[], bool] | None = None,
    ) -> Iterator[Piece]:
        """Yield `count` tokens after a prompt. Bytes of an incomplete character come with the token that completes it.

        Args:
            prompt: At least one token of the vocabulary.
            sampler: Name of a registered sampler.
            settings: Its settings: temperature, top_k, top_p of "sampling".
            seed: Of this text's own generator.
            count: Tokens.
            alternatives: How many of the likeliest tokens come with each token.
            trains: Called after each token; while it returns True, text is written slowly enough to leave the training
                its speed.

        Raises:
            BadInput: The model does not decode, the prompt cannot be read, or a setting is not allowed.
            LabError: A plugin's code raised.
        """
        self._check_writes()
        card = self._plugins.card("samplers", sampler, field="sampler")
        config = card.config.read(dict(settings), field=sampler)
        with attributed(self._plugins.owner("samplers", sampler), card.title):
            filter_logits = card.make(config)
        end, stream = self._stream(prompt, filter_logits, seed, alternatives)
        pending: list[int] = []
        for left in range(count - 1, -1, -1):
            start = time.perf_counter()
            with attributed(self._model_plugin, "Writing"), one_thread():
                token = next(stream)
            if token.token == end:
                return
            cost = time.perf_counter() - start
            pending.append(token.token)
            with attributed(self._tokenizer_plugin, "Decoding"):
                text = self._tokenizer.decode(pending)
                label = self._tokenizer.label(token.token)
                others = self._labelled(token)
            if text.endswith("\ufffd") and len(pending) < 4 and left:
                text = ""
            else:
                pending = []
            drawn = next((at for at, (other, _) in enumerate(token.alternatives) if other == token.token), None)
            yield Piece(text, label, token.probability, others, token.reread, self._step, drawn)
            if trains is not None and trains():
                time.sleep(cost * (1 / SHARE_WHILE_TRAINING - 1))

    def next_tokens(self, prompt: str, count: int) -> LikeliestTokens:
        """Return the likeliest tokens after a prompt.

        Args:
            prompt: At least one token of the vocabulary.
            count: How many; no more than the vocabulary has.

        Raises:
            BadInput: The model does not decode, or the prompt cannot be read.
            LabError: A plugin's code raised.
        """
        self._check_writes()
        _, stream = self._stream(prompt, lambda logits: logits, seed=0, alternatives=count)
        with attributed(self._model_plugin, "Writing"), one_thread():
            token = next(stream)  # the token that was drawn is not used
        with attributed(self._tokenizer_plugin, "Decoding"):
            return LikeliestTokens(self._step, self._labelled(token))

    def _stream(
        self, prompt: str, sampler: Callable[[Tensor], Tensor], seed: int, alternatives: int
    ) -> tuple[int | None, Iterator[Token]]:
        """Return the symbol that ends the text, if there is one, and the tokens."""
        from lab.decoding.request import request_for
        from lab.decoding.stream import generate

        tokens = self._read_prompt(prompt)
        request = request_for(self._model, self._learned, tokens, self._tokenizer.vocabulary_size)
        if isinstance(self._tokenizer, TurnTokenizer):
            request = replace(request, prompt=self._tokenizer.prompt(tokens), end=self._tokenizer.end)
        stream = generate(
            request.model,
            request.prompt,
            sampler=sampler,
            seed=seed,
            symbols=request.symbols,
            alternatives=alternatives,
            device=self._device,
        )
        return request.end, stream

    def _labelled(self, token: Token) -> tuple[tuple[str, str, float], ...]:
        return tuple((*self._names_of(other), share) for other, share in token.alternatives)

    def _names_of(self, token: int) -> tuple[str, str]:
        """Return label and text of a single token; beyond the tokenizer's there is only the end of a target."""
        if token >= self._tokenizer.vocabulary_size:
            return "⏹", ""
        if token not in self._names:
            text = self._tokenizer.decode([token])
            self._names[token] = self._tokenizer.label(token), "" if "\ufffd" in text else text
        return self._names[token]

    def _check_writes(self) -> None:
        """Refuse a model that writes no text, or none after a prompt.

        Raises:
            BadInput: It is one.
        """
        if self._learned.needs not in ("causal", "masked", "sequence-to-sequence"):
            what, remedy = "this run predicts no text, and cannot write", "Ask lm-lab evaluate how well it predicts"
            raise BadInput(what, field="objective.name", value=self._objective, remedy=remedy)
        if self._learned.needs == "sequence-to-sequence" and self._model.task.source_vocabulary_size is None:
            what, remedy = "this run writes about pictures, and a prompt is text", "Choose a run that reads text"
            raise BadInput(what, field="prompt", remedy=remedy)
        remedy = "Train an architecture, or a form of it, that reads what stands before a token alone"
        if reads_later(self._model):  # by a setting of its own
            what = "this model reads later tokens, though it learned to guess them, and cannot write"
            raise BadInput(what, remedy=remedy)
        if not self._model.causal:
            what = "this model reads both directions and cannot write"
            raise BadInput(what, field="objective.name", value=self._objective, remedy=remedy)

    def _read_prompt(self, prompt: str) -> list[int]:
        if not prompt:
            raise BadInput("is empty", field="prompt", allowed="at least one character", remedy="Write how it begins")
        try:
            with attributed(self._tokenizer_plugin, "Reading the prompt"):
                return [int(token) for token in self._tokenizer.encode(prompt)]
        except BadInput as error:
            problem = error.problem
            raise BadInput(replace(problem, field="prompt", value=problem.value or repr(prompt[:40]))) from None


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Inside, torch computes in one thread: as fast as several for one token, and the others are free for a training.

    Never hold it across a yield: threads that start meanwhile inherit the number.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
