"""Text from a model: read a prompt, choose tokens, decode them piece by piece."""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lab.api import Chooser, Objective, Tokenizer
from lab.base import BadInput
from lab.base.problems import attributed
from lab.host import Plugins
from lab.recipes import Choice, Decoding, Recipe
from lab.text.documents import DocumentTokenizer
from lab.text.rows.turns import TurnTokenizer
from lab.workbench.access.beams import BeamRecorder, BeamToken
from lab.workbench.access.decoding import DecodingParts, text_of
from lab.workbench.access.next_token import NextToken
from lab.workbench.access.threads import one_thread, rest
from lab.workbench.launch.summary import reads_later

if TYPE_CHECKING:
    from lab.decoding.request import Request
    from lab.decoding.stops import End
    from lab.decoding.stream import EndedText, Token
    from lab.workbench.access.other_runs import ReadableRun

SHARE_WHILE_TRAINING = 0.05
"""Share of the time that writing may take while the same process trains the model's run."""


END_LABELS = {
    "length": "the requested number of tokens was reached",
    "end of text": "the model ended the text with {text}",
    "stop symbol": "the text ended at the stop symbol {text}",
    "stop string": "the text ended before the stop string {text}",
    "strategy": "the strategy ended the text",
    "filter": "the text is complete for the filter {text}",
}
"""The sentence about the end of a text, by its reason."""


def end_label(end: End) -> str:
    """Return why a text ended, for display, as a sentence without a capital and a full stop."""
    return END_LABELS[end.reason].format(text=repr(end.what))


@dataclass(frozen=True)
class Piece:
    """A generated token as text.

    Args:
        text: What it adds to the text.
        label: The token as the tokenizer shows it to the user.
        probability: Under the model, before the sampler.
        alternatives: (label, text, probability) of the likeliest tokens here; the text is "" where a token is only part
            of a character.
        reread: Whether the model was full, here or already after the prompt, and started again from the last half of
            what it can read.
        step: Optimizer updates that the model had; 0 is untrained.
        drawn: Index of this token among the alternatives; None where it is not among them. Labels do not tell: two
            tokens may have one.
        end: Why the text ends with this token; None if it goes on. What belongs to a stop string, and a stop symbol,
            is not in `text`.
        entropy: Of the model's distribution here, in bits.
        rank: The token's place by its probability, 1 for the likeliest.
        texts: Of the last token: (text, score) of the best texts that ended, best first, where the strategy has several
            hypotheses; the first one is this text.
        figures: Of the last token: the figures of the strategy about the text, by name.
        state_bytes: Size of the model's decoding state when the token was chosen, that of all hypotheses; 0 unknown.
    """

    text: str
    label: str
    probability: float
    alternatives: tuple[tuple[str, str, float], ...]
    reread: bool
    step: int
    drawn: int | None = None
    end: End | None = None
    entropy: float = 0.0
    rank: int = 0
    texts: tuple[tuple[str, float], ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)
    state_bytes: int = 0


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
        plugins: Where strategies, filters and owners are found.
        step: Optimizer updates that the model had.
        open_run: The name of a run on disk -> the run, for strategies and filters that read its model.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Tokenizer,
        device: Any,
        recipe: Recipe,
        plugins: Plugins,
        step: int,
        open_run: Callable[[str], ReadableRun],
    ) -> None:
        self._model, self._tokenizer, self._device, self._plugins = model, tokenizer, device, plugins
        self._step, self._open_run = step, open_run
        self._names: dict[int, tuple[str, str]] = {}  # label and text of tokens, once computed
        self._model_plugin = plugins.owner("architectures", recipe.architecture.name)
        self._tokenizer_plugin = plugins.owner("tokenizers", recipe.tokenizer.name)
        self._recipe, self._objective = recipe, recipe.objective.name
        from lab.training.resolution import resolve

        self._learned: Objective = resolve(plugins, "objectives", recipe.objective, "objective").make()

    def write(
        self,
        prompt: str,
        *,
        decoding: Decoding | None = None,
        settings: Mapping[str, Any],
        seed: int,
        count: int,
        alternatives: int = 5,
        trains: Callable[[], bool] | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        report_beams: Callable[[list[list[Piece]]], object] | None = None,
        around: Callable[[Chooser], Chooser] = lambda strategy: strategy,
    ) -> Iterator[Piece]:
        """Yield at most `count` tokens after a prompt; the last one says why the text ends.

        Bytes of an incomplete character come with the token that completes it. Tokens that may belong to a stop string
        come once that is known.

        Args:
            prompt: At least one token of the vocabulary.
            decoding: Strategy, filters and what ends the text; None means the defaults.
            settings: The first setting of filters in `decoding`, by their names: temperature, top_k, top_p.
            seed: Of this text's own generator.
            count: Most tokens.
            alternatives: How many of the likeliest tokens come with each token.
            trains: Called after each token; while it returns True, text is written slowly enough to leave the training
                its speed.
            cancelled: Called before each token and while writing rests; True ends the text where it is.
            report_beams: Called before the last token of a strategy that keeps several hypotheses, with the tokens of
                the best ones, the text itself among them.
            around: The strategy -> what is asked in its place, such as one that records its steps.

        Raises:
            BadInput: The model does not decode, the prompt cannot be read, or a setting is not allowed.
            LabError: A plugin's code raised.
        """
        decoding = decoding or Decoding()
        request = self.request(prompt)
        parts = self._parts(prompt, request)
        recorder = BeamRecorder(around(parts.strategy(decoding)))
        stream = self._stream(
            request, parts, decoding, settings, strategy=recorder, seed=seed, count=count, alternatives=alternatives
        )
        pending: list[int] = []
        held: list[Piece] = []
        while not cancelled():
            start = time.perf_counter()
            with attributed(self._model_plugin, "Writing"), one_thread():
                token = next(stream, None)
            if token is None:
                return
            if token.end is not None and report_beams is not None and recorder.width > 1:
                report_beams([self._pieces(beam, parts, decoding) for beam in recorder.beams()])
            cost = time.perf_counter() - start
            pending.append(token.token)
            is_stop = token.end is not None and token.end.reason in ("stop symbol", "end of text")
            with attributed(self._tokenizer_plugin, "Decoding"):
                text = self._as_text(pending[:-1] if is_stop else pending)
                label = self._names_of(token.token)[0]
                others = self._labelled(token)
                texts = tuple((self._text_of(one), one.score) for one in token.texts if len(token.texts) > 1)
            if text.endswith("\ufffd") and len(pending) < 4 and token.end is None:
                text = ""
            else:
                pending = []
            drawn = next((at for at, (other, _) in enumerate(token.alternatives) if other == token.token), None)
            held.append(
                Piece(
                    text, label, token.probability, others, token.reread, self._step, drawn, token.end,
                    token.entropy, token.rank, texts, token.figures, token.state_bytes,
                )
            )  # fmt: skip
            yield from _released(held, decoding.stop)
            if trains is not None and trains():
                rest(cost, SHARE_WHILE_TRAINING, trains, cancelled)

    def ended_texts(
        self,
        prompt: str,
        *,
        decoding: Decoding,
        settings: Mapping[str, Any],
        seed: int,
        count: int,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> list[EndedText]:
        """Return the texts that the strategy wrote to their end, best first; a cancelled text is not among them.

        Args:
            prompt: As of `write`.
            decoding: As of `write`.
            settings: As of `write`.
            seed: As of `write`.
            count: As of `write`.
            cancelled: Called before each token.

        Raises:
            BadInput: As of `write`.
            LabError: A plugin's code raised.
        """
        request = self.request(prompt)
        stream = self._stream(
            request, self._parts(prompt, request), decoding, settings, seed=seed, count=count, alternatives=1
        )
        with attributed(self._model_plugin, "Writing"), one_thread():
            for token in stream:
                if token.end is not None:
                    return list(token.texts)
                if cancelled():
                    break
        return []

    def text_of(self, ended: EndedText) -> str:
        """Return the text of a hypothesis that ended, without what ended it."""
        with attributed(self._tokenizer_plugin, "Decoding"):
            return self._text_of(ended)

    def next_tokens(self, prompt: str, count: int) -> LikeliestTokens:
        """Return the likeliest tokens after a prompt.

        Args:
            prompt: At least one token of the vocabulary.
            count: How many; no more than the vocabulary has.

        Raises:
            BadInput: The model does not decode, or the prompt cannot be read.
            LabError: A plugin's code raised.
        """
        plain = Decoding(strategy=Choice(name="greedy"), filters=[])
        token = self._next(prompt, plain, {}, seed=0, alternatives=count)
        with attributed(self._tokenizer_plugin, "Decoding"):
            return LikeliestTokens(self._step, self._labelled(token))

    def next_token(self, prompt: str) -> NextToken:
        """Return what the model predicts after a prompt, on which any decoding can be tried without the model.

        Args:
            prompt: At least one token of the vocabulary.

        Raises:
            BadInput: As of `write`.
            LabError: A plugin's code raised.
        """
        from lab.decoding.stream import next_logits

        request = self.request(prompt)
        with attributed(self._model_plugin, "Writing"), one_thread():
            logits = next_logits(request.model, request.prompt, symbols=request.symbols, device=self._device)
        return NextToken(logits, request, self._parts(prompt, request), self._names_of, self._step)

    def _next(self, prompt: str, decoding: Decoding, settings: Mapping[str, Any], **options: Any) -> Token:
        """Return the next token after a prompt."""
        request = self.request(prompt)
        stream = self._stream(request, self._parts(prompt, request), decoding, settings, count=1, **options)
        with attributed(self._model_plugin, "Writing"), one_thread():
            return next(stream)

    def _pieces(self, beam: Sequence[BeamToken], parts: DecodingParts, decoding: Decoding) -> list[Piece]:
        """Return the tokens of a beam as text; a stop symbol and what belongs to a stop string add none."""
        silent = parts.stops(decoding).symbols
        pieces, pending = [], list[int]()
        with attributed(self._tokenizer_plugin, "Decoding"):
            for one in beam:
                pending.append(one.token)
                text = "" if one.token in silent else self._as_text(pending)
                if text.endswith("\ufffd") and len(pending) < 4:
                    text = ""
                else:
                    pending = []
                label = self._names_of(one.token)[0]
                pieces.append(
                    Piece(text, label, one.probability, (), False, self._step, entropy=one.entropy, rank=one.rank)
                )
        whole = "".join(piece.text for piece in pieces)
        return list(_cut(pieces, min((whole.find(one) for one in decoding.stop if one in whole), default=len(whole))))

    def _stream(
        self,
        request: Request,
        parts: DecodingParts,
        decoding: Decoding,
        settings: Mapping[str, Any],
        *,
        strategy: Chooser | None = None,
        **options: Any,
    ) -> Iterator[Token]:
        from lab.decoding.stream import generate

        return generate(
            request.model,
            request.prompt,
            strategy=strategy or parts.strategy(decoding),
            filters=parts.filters(decoding, settings),
            stops=request.stops(parts.stops(decoding), end_of_text=decoding.end_of_text),
            symbols=request.symbols,
            device=self._device,
            **options,
        )

    def _parts(self, prompt: str, request: Request) -> DecodingParts:
        """Return what makes strategies and filters for the text after a prompt."""
        from lab.workbench.access.other_runs import OtherRun, ReadText

        text = ReadText(prompt, request, self._tokenizer, self._recipe, self._device, self._open_run)
        open_run = partial(OtherRun, text=text)
        return DecodingParts(self._plugins, self._tokenizer, self._tokenizer_plugin, len(request.prompt), open_run)

    def request(self, prompt: str) -> Request:
        """Return what the model is asked for a prompt.

        Raises:
            BadInput: The model writes no text, or none after a prompt, or the prompt cannot be read.
            LabError: The tokenizer's code raised.
        """
        from lab.decoding.request import request_for

        self._check_writes()
        tokens = read_source(prompt, self._tokenizer, self._tokenizer_plugin, self._learned)
        request = request_for(self._model, self._learned, tokens, self._tokenizer.vocabulary_size)
        if isinstance(self._tokenizer, TurnTokenizer):
            request = replace(request, end=self._tokenizer.end)
        if isinstance(self._tokenizer, TurnTokenizer | DocumentTokenizer):
            request = request.between(*self._tokenizer.around())
        return request

    def _text_of(self, ended: EndedText) -> str:
        """Return the text of a hypothesis that ended, without what ended it."""
        by_symbol = ended.end.reason in ("stop symbol", "end of text")
        text = self._as_text(ended.tokens[:-1] if by_symbol else ended.tokens)
        return text.partition(ended.end.what)[0] if ended.end.reason == "stop string" else text

    def _as_text(self, tokens: Sequence[int]) -> str:
        """Return the text of tokens, in which the objective's own symbols stand as "<name>"."""
        size, pieces = self._tokenizer.vocabulary_size, list[str]()
        for is_own, some in itertools.groupby(tokens, key=lambda token: token >= size):
            group = list(some)
            pieces += [self._names_of(one)[1] for one in group] if is_own else [text_of(self._tokenizer, group)]
        return "".join(pieces)

    def _labelled(self, token: Token) -> tuple[tuple[str, str, float], ...]:
        return tuple((*self._names_of(other), share) for other, share in token.alternatives)

    def _names_of(self, token: int) -> tuple[str, str]:
        """Return label and text of a single token; beyond the tokenizer's there is only the end of a target."""
        from lab.decoding.request import END_LABEL

        own = token - self._tokenizer.vocabulary_size
        if own >= 0:
            name = own_symbol(own, self._learned)
            return (END_LABEL, "") if name == "end" else (f"<{name}>", f"<{name}>")
        if token not in self._names:
            text = self._tokenizer.decode([token])
            self._names[token] = self._tokenizer.label(token), "" if "\ufffd" in text else text
        return self._names[token]

    def _check_writes(self) -> None:
        """Refuse a model that writes no text, or none after a prompt.

        Raises:
            BadInput: It is one.
        """
        writes = self._learned.needs in ("causal", "sequence-to-sequence")
        if not writes and "mask" in self._learned.symbols:
            what, remedy = "this run predicts hidden tokens from both sides, and cannot write", "Ask it by lm-lab fill"
            raise BadInput(what, field="objective.name", value=self._objective, remedy=remedy)
        if not writes:
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


def read_source(prompt: str, tokenizer: Tokenizer, plugin: str, objective: Objective) -> list[int]:
    """Return the tokens of a prompt, in which symbols of the objective may stand as "<name>".

    Raises:
        BadInput: As of `read_prompt`.
        LabError: The tokenizer's code raised.
    """
    named = {f"<{name}>": objective.symbols.index(name) for name in objective.source_symbols}
    if not any(name in prompt for name in named):
        return read_prompt(prompt, tokenizer, plugin)
    tokens: list[int] = []
    for piece in re.split(f"({'|'.join(map(re.escape, named))})", prompt):
        if piece in named:
            tokens.append(tokenizer.vocabulary_size + named[piece])
        elif piece:
            tokens += read_prompt(piece, tokenizer, plugin)
    return tokens


def read_prompt(prompt: str, tokenizer: Tokenizer, plugin: str) -> list[int]:
    """Return the tokens of a prompt.

    Args:
        prompt: At least one token of the vocabulary.
        tokenizer: The tokenizer of the model.
        plugin: The plugin that registered it.

    Raises:
        BadInput: The prompt is empty, or the vocabulary lacks a part of it.
        LabError: The tokenizer's code raised.
    """
    if not prompt:
        raise BadInput("is empty", field="prompt", allowed="at least one character", remedy="Write how it begins")
    try:
        with attributed(plugin, "Reading the prompt"):
            return [int(token) for token in tokenizer.encode(prompt)]
    except BadInput as error:
        problem = error.problem
        raise BadInput(replace(problem, field="prompt", value=problem.value or repr(prompt[:40]))) from None


def own_symbol(number: int, objective: Objective) -> str:
    """Return the name of a written symbol that is numbered after the tokenizer's; see `request_for`."""
    written = [*(["end"] if "end" in objective.symbols else []), *objective.written_symbols]
    return written[number] if number < len(written) else "end"


def _released(held: list[Piece], strings: Sequence[str]) -> Iterator[Piece]:
    """Yield and remove the pieces that cannot belong to a stop string; at the end all, cut before the string."""
    end = held[-1].end
    text = "".join(piece.text for piece in held)
    if end is None:
        certain = _possible_start(text, strings)
    else:
        certain = len(text)
        if end.reason == "stop string":
            text = text[: text.find(end.what)] if end.what in text else text
    count, at = 0, 0
    while count < len(held) and at + len(held[count].text) <= certain:
        at += len(held[count].text)
        count += 1
    done, held[:count] = held[:count], []
    yield from _cut(done, len(text))


def _cut(pieces: Sequence[Piece], length: int) -> Iterator[Piece]:
    """Yield pieces with the first characters of their text; those behind it stay as tokens without text."""
    at = 0
    for piece in pieces:
        after = at + len(piece.text)
        yield piece if after <= length else replace(piece, text=piece.text[: max(0, length - at)])
        at = after


def _possible_start(text: str, strings: Sequence[str]) -> int:
    """Return where a stop string that the text does not contain yet may start; its length if nowhere."""
    longest = max(map(len, strings), default=0)
    starts = range(max(0, len(text) - longest + 1), len(text))
    return next((at for at in starts if any(one.startswith(text[at:]) for one in strings)), len(text))
