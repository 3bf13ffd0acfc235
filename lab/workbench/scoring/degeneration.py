"""The table of degeneration: texts that each way of decoding writes, measured beside the corpus' own."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, RunReader
from lab.base.jobs import Cancelled
from lab.base.problems import attributed
from lab.base.units import perplexity
from lab.host import Plugins
from lab.recipes import Decoding
from lab.recipes.assignments import parse_value
from lab.workbench.access.decoding import DecodingParts
from lab.workbench.access.text_use import TextUse
from lab.workbench.access.threads import one_thread

if TYPE_CHECKING:
    from lab.workbench.access.model_access import BorrowedModel, ModelAccess

GRID = (
    "greedy", "beam-search=4", "beam-search=8", "sampling",
    "temperature=0.3", "temperature=0.5", "temperature=0.7", "temperature=0.9", "temperature=1.2",
    "top-k=2", "top-k=5", "top-k=10", "top-k=20", "top-k=40", "top-k=40,temperature=0.7",
    "top-p=0.3", "top-p=0.5", "top-p=0.7", "top-p=0.9", "top-p=0.95", "top-p=0.98", "typical=0.9", "min-p=0.05",
)  # fmt: skip
"""The settings of a table in which none are named."""
TEXTS, PROMPT, TOKENS = 32, 32, 200
"""Texts of each setting, tokens of their prompts, and tokens that are written after each."""
ROWS = 128
"""Hypotheses that a model reads at once."""
PHRASE = 4
"""Words of the sequences whose repetition is counted."""
MEASURES = ("perplexity", "repetition", "repeated", "self_bleu", "distinct_1", "distinct_2", "distinct_3", "zipf")
"""The measures of a row, in the order of the columns."""
FIELD = "setting"
"""The field of problems with a setting."""


@dataclass(frozen=True)
class Measures:
    """The measures of N texts.

    Args:
        perplexity: exp of the mean nats per token under the model, before any filter.
        repetition: Share of texts that end in a phrase of two tokens or more, three times or more in a row.
        repeated: Mean share of sequences of four words that came before in the same text.
        self_bleu: Mean BLEU-4 of each text with the others as references, in words.
        distinct_1: Share of distinct words among those of all texts.
        distinct_2: Share of distinct pairs of words.
        distinct_3: Share of distinct triples of words.
        zipf: The exponent of Zipf's law of the words.
    """

    perplexity: float
    repetition: float
    repeated: float
    self_bleu: float
    distinct_1: float
    distinct_2: float
    distinct_3: float
    zipf: float

    def as_dict(self) -> dict[str, float]:
        """Return the measures by name."""
        return {name: getattr(self, name) for name in MEASURES}


@dataclass(frozen=True)
class Row:
    """A way of decoding, and what it wrote.

    Args:
        setting: As the user writes it.
        measures: Of its texts.
        texts: The texts, without their prompts.
    """

    setting: str
    measures: Measures
    texts: tuple[str, ...] = field(repr=False)


@dataclass
class Table:
    """Ways of decoding beside the corpus itself.

    Args:
        human: The measures of the corpus' own continuations of the same prompts.
        prompts: The prompts.
        originals: Those continuations.
        tokens: Tokens of each text.
        step: Optimizer updates that the model had.
        rows: The settings, in their order.
    """

    human: Measures
    prompts: tuple[str, ...]
    originals: tuple[str, ...]
    tokens: int
    step: int
    rows: list[Row] = field(default_factory=list)

    def nearest(self, measure: str = "perplexity") -> str | None:
        """Return the setting whose measure is nearest to that of the corpus: the first of equals; None of no rows."""
        own = getattr(self.human, measure)
        known = [row for row in self.rows if math.isfinite(getattr(row.measures, measure))]
        best = min(known, key=lambda row: abs(getattr(row.measures, measure) - own), default=None)
        return None if best is None or not math.isfinite(own) else best.setting


def decoding_of(setting: str, plugins: Plugins) -> Decoding:
    """Return the decoding that a setting describes.

    Args:
        setting: Names of filters and at most one strategy with commas between them, each with its first setting if that
            is not the default: "greedy", "beam-search=8", "top-k=40,temperature=0.7". Filters are applied in this
            order, by sampling unless a strategy is named.
        plugins: Where strategies and filters are found.

    Raises:
        BadInput: There is no such card, or it does not allow its value.
    """
    strategies, filters = plugins.cards("strategies"), plugins.cards("filters")
    strategy: dict[str, Any] = {"name": "sampling"}
    picked: list[dict[str, Any]] = []
    for word in filter(None, (part.strip() for part in setting.split(","))):
        name, sign, value = (part.strip() for part in word.partition("="))
        kind = "strategies" if name in strategies else "filters"
        if name not in strategies and name not in filters:
            allowed = ", ".join([*strategies, *filters])
            raise BadInput("names no strategy and no filter", field=FIELD, value=word, allowed=allowed)
        config = plugins.card(kind, name).config
        entry = {"name": name}
        if sign:
            first = next(iter(config.model_fields), None)
            if first is None:
                raise BadInput("has no settings", field=FIELD, value=word, remedy="Give its name alone")
            given = {first: parse_value(value)}
            try:
                config.read(given)
            except BadInput as error:
                raise BadInput(replace(error.problem, field=FIELD, value=word)) from None
            entry |= given
        if kind == "strategies":
            strategy = entry
        else:
            picked.append(entry)
    return Decoding.read({"strategy": strategy, "filters": picked, "end_of_text": False})


Progress = Callable[[float, str], object]


def degeneration_table(
    access: ModelAccess,
    settings: Sequence[str] = GRID,
    *,
    texts: int = TEXTS,
    prompt: int = PROMPT,
    tokens: int = TOKENS,
    seed: int = 0,
    device: str | None = None,
    report: Callable[[Table], object] = lambda _table: None,
    progress: Progress = lambda _share, _setting: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Table:
    """Let a run continue pieces of its validation text in each way, and measure what it writes (Holtzman et al. 2020).

    The pieces are spread evenly over the validation text and do not overlap. All texts have the same length, so the
    end of a text does not end them.

    Args:
        access: The run.
        settings: As of `decoding_of`.
        texts: Texts of each setting; fewer if the validation text has no room for them.
        prompt: Tokens of each prompt.
        tokens: Tokens after each prompt.
        seed: Of the first text; the others have those after it.
        device: Where to compute; see ModelAccess.borrow.
        report: Called with the table after each row, from this thread.
        progress: Called with the share that is done, and the setting that is being measured.
        cancelled: Called between tokens; True ends it with the rows that are done.

    Raises:
        BadInput: A setting is not allowed, the run continues no text, or its validation text is too short.
        LabError: A plugin's code raised.
    """
    plugins, tokenizer = access.plugins, access.tokenizer
    decodings = {setting: decoding_of(setting, plugins) for setting in settings}
    pieces = validation_pieces(access, texts, prompt + tokens)
    parts = DecodingParts(plugins, tokenizer, access.tokenizer_plugin, prompt, _refuse_other_run)
    for decoding in decodings.values():  # a wrong one is refused before hours of work
        parts.strategy(decoding)
        parts.filters(decoding, {})
    with access.borrow_for_evaluation(device) as borrowed:
        with attributed(access.tokenizer_plugin, "Decoding"):
            prompts = tuple(tokenizer.decode(piece[:prompt]) for piece in pieces)
            originals = tuple(tokenizer.decode(piece[prompt:]) for piece in pieces)
        nats = np.concatenate([_nats_of(borrowed, piece, prompt) for piece in pieces])
        human = _measured(pieces[:, prompt:].tolist(), originals, nats)
        table = Table(human, prompts, originals, tokens, borrowed.step)
        report(table)
        costs = [math.sqrt(parts.strategy(decoding).width) for decoding in decodings.values()]
        done = 0.0
        for (setting, decoding), cost in zip(decodings.items(), costs, strict=True):
            written, surprisals = [], []
            try:
                batches = _written(borrowed, parts, decoding, pieces[:, :prompt], tokens, seed)
                for share, numbers, values in batches:
                    progress((done + cost * share) / sum(costs), setting)
                    written += numbers
                    surprisals += values
                    if cancelled():
                        return table
            except Cancelled:
                return table
            done += cost
            with attributed(access.tokenizer_plugin, "Decoding"):
                shown = tuple(tokenizer.decode(text) for text in written)
            table.rows.append(Row(setting, _measured(written, shown, np.array(surprisals)), shown))
            report(table)
    return table


def validation_pieces(access: ModelAccess, count: int, length: int) -> NDArray[np.int64]:
    """Return (N, length) tokens of pieces of the validation text, spread evenly over it without overlap; N ≤ count.

    Raises:
        BadInput: The run continues no text, or its validation text is shorter than one piece.
    """
    from lab.text.mixed import MixedSource
    from lab.text.streams import TokenSource

    if access.text_use is not TextUse.PROMPT:
        remedy = "Choose a run that was trained to continue text"
        name = access.recipe.objective.name
        raise BadInput("this run continues no text", field="objective.name", value=name, remedy=remedy)
    source = access.evaluation_data().source
    if not isinstance(source, TokenSource | MixedSource):
        raise BadInput("this run learns from examples, and examples are no text", field="corpus")
    text = source.tokens
    room = min(count, len(text) // length)
    if room < 1:
        what = f"needs pieces of {length} tokens, and the validation text has {len(text)}"
        raise BadInput(what, field="tokens", remedy="Ask for shorter texts, or a shorter prompt")
    starts = np.linspace(0, len(text) - length, room).astype(np.int64)
    return np.stack([np.asarray(text[start : start + length], np.int64) for start in starts])


def _nats_of(borrowed: BorrowedModel, piece: NDArray[np.int64], prompt: int) -> NDArray[np.float64]:
    """Return nats of the tokens of a piece after its prompt, with as much context as a written text has."""
    from lab.diagnostics.texts.surprisal import score_in_stream, score_in_windows

    model, device = borrowed.model, borrowed.device
    if model.reach is None:
        scores = score_in_stream(model, piece, alternatives=1, device=device)
    else:
        stride = max(1, model.reach // 2)
        scores = score_in_windows(model, piece, length=model.reach, stride=stride, alternatives=1, device=device)
    return scores.nats[prompt:]


def _refuse_other_run(name: str, field: str) -> RunReader:
    """Refuse a setting that names another run: its model would have to follow each of the texts.

    Raises:
        BadInput: Always.
    """
    remedy = "Leave out ways of decoding that read a second model"
    raise BadInput("reads another run, and texts of a table are written by one", field=field, value=name, remedy=remedy)


def _written(
    borrowed: BorrowedModel,
    parts: DecodingParts,
    decoding: Decoding,
    prompts: NDArray[np.int64],
    tokens: int,
    seed: int,
) -> Iterator[tuple[float, list[list[int]], list[float]]]:
    """Yield the share that is done, and, once a batch of texts is written, its tokens and their nats."""
    from lab.decoding.stream import generate_together

    model = borrowed.model
    width = parts.strategy(decoding).width
    at_once = max(1, ROWS // width)
    for first in range(0, len(prompts), at_once):
        some = prompts[first : first + at_once]
        texts: list[list[int]] = [[] for _ in some]
        nats: list[float] = []
        steps = generate_together(
            model, some.tolist(), [parts.strategy(decoding) for _ in some], filters=parts.filters(decoding, {}),
            seeds=range(seed + first, seed + first + len(some)), symbols=parts.tokenizer.vocabulary_size, count=tokens,
            device=borrowed.device,
        )  # fmt: skip
        for number in itertools.count(1):
            with one_thread():
                new = next(steps, None)
            if new is None:
                break
            for text, own in zip(texts, new, strict=True):
                text += [token.token for token in own]
                nats += [-math.log(token.probability) if token.probability else math.inf for token in own]
            yield (first + len(some) * number / tokens) / len(prompts), [], []
        yield (first + len(some)) / len(prompts), texts, nats


def _measured(numbers: Sequence[Sequence[int]], texts: Sequence[str], nats: NDArray[np.float64]) -> Measures:
    """Return the measures of texts, given as tokens and as text, with the nats of all their tokens."""
    from lab.diagnostics.texts.degeneration import (
        distinct,
        repeated_ngrams,
        repetition_share,
        self_bleu,
        words_of,
        zipf_coefficient,
    )

    words = [words_of(text) for text in texts]
    return Measures(
        perplexity(float(nats.mean())) if len(nats) else math.nan,
        repetition_share(numbers),
        repeated_ngrams(words, PHRASE),
        self_bleu(words),
        distinct(words, 1),
        distinct(words, 2),
        distinct(words, 3),
        zipf_coefficient(words),
    )
