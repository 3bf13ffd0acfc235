"""Samples of corpora, made in a thread: the start of a text or some examples, and figures."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lab.api import (
    ENTROPY_RATE,
    Conversations,
    Examples,
    Images,
    LabelledTexts,
    LongText,
    Pairs,
    Rows,
    Text,
    Vectors,
)
from lab.base.jobs import Cancelled
from lab.base.problems import Problem, problem_of
from lab.shell.session.corpus.labels import reader_facts, skipped_files
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr, tr_n, tr_registered

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.training.resolution import Resolved

CHARACTERS = 600
"""Most characters of a text that are shown."""
EXAMPLES = 8
LONGEST = 400
"""Most characters of an example that are shown."""
COUNTED = 1 << 24
"""Most characters of a text in which different characters are counted."""

Piece = tuple[str, bool]
"""A piece of an example: its characters, and True if they are scored."""


@dataclass(frozen=True)
class Sample:
    """A sample of a corpus.

    Args:
        figures: (name, value) of each figure.
        text: The start of a text; "" for examples.
        examples: The first examples, each in pieces; () for a text.
        longest: Number of tokens of the longest example; 0 for a text.
    """

    figures: tuple[tuple[str, str], ...]
    text: str = ""
    examples: tuple[tuple[Piece, ...], ...] = ()
    longest: int = 0


def make_sample(corpus: Resolved, job: Job) -> Sample | Problem:
    """Return a sample of a corpus, or the problem that prevents it; in a thread.

    Args:
        corpus: The card and its settings.
        job: The job of the thread.
    """
    from lab.training.material import read_corpus

    try:
        given = read_corpus(corpus)
        return Cancelled().problem if job.cancelled else sample_of(given)
    except Exception as error:  # noqa: BLE001 - a plugin's code
        return problem_of(error, plugin=corpus.plugin, doing=corpus.card.title)


def sample_of(given: Text | LongText | Examples | Rows) -> Sample:
    """Return a sample of a corpus that was read."""
    if isinstance(given, Rows):
        return _of_rows(given)
    return _of_examples(given) if isinstance(given, Examples) else _of_text(given)


def _of_text(given: Text | LongText) -> Sample:
    text = given.text if isinstance(given, Text) else given.beginning
    count = len(text) if isinstance(given, Text) else given.characters
    different = len(set(text if isinstance(given, LongText) else text[:COUNTED]))
    figures = [
        (tr("Length"), tr_n("1 character", "{n} characters", count)),
        (tr("Vocabulary"), tr("V = {n} different characters", n=number_text(different))),
    ]
    if given.starts:
        figures.append((tr("Documents"), number_text(len(given.starts))))
    for name, value in given.floors.items():
        title = tr("Entropy rate") if name == ENTROPY_RATE else tr_registered(name[:1].upper() + name[1:])
        bits = value / math.log(2)
        shown = tr(
            "{nats} nats = {bits} bits per character", nats=number_text(value, ".3f"), bits=number_text(bits, ".3f")
        )
        figures.append((title, shown))
    how = "; ".join(filter(None, [reader_facts(given.facts), *skipped_files(given.facts)]))
    figures += [(tr("Format"), how)] if how else []
    return Sample(tuple(figures), text=text[:CHARACTERS] + (" …" if count > CHARACTERS else ""))


def _of_rows(given: Rows) -> Sample:
    figures = [(tr("Length"), tr_n("1 row", "{n} rows", len(given)))]
    if given.floors:
        squares = isinstance(given, Vectors) and not given.classes
        best = number_text(min(given.floors.values()), ".3f")
        loss = tr("mean squared error {value}", value=best) if squares else tr("{nats} nats", nats=best)
        figures.append((tr("Best possible loss"), loss))
    count = min(EXAMPLES, len(given))
    return Sample(tuple(figures), examples=tuple(_row(given, number) for number in range(count)))


def _row(given: Rows, number: int) -> tuple[Piece, ...]:
    """Return a row in pieces; what is predicted is marked."""
    if isinstance(given, Conversations):
        turns = given.conversations[number]
        return _cut([piece for turn in turns for piece in ((f"{turn.role}: ", False), (f"{turn.text} ", turn.learned))])
    if isinstance(given, LabelledTexts) and given.by_token:
        labels: Any = given.labels[number]
        words = zip(given.texts[number], labels, strict=True)
        return _cut(
            [piece for word, label in words for piece in ((f"{word}/", False), (f"{given.classes[label]} ", True))]
        )
    source, target = _source_and_target(given, number)
    return _cut([(f"{source} → ", False), (target, True)])


def _source_and_target(given: Rows, number: int) -> tuple[str, str]:
    if isinstance(given, Pairs):
        return given.sources[number], given.targets[number]
    if isinstance(given, LabelledTexts):
        label: Any = given.labels[number]
        return str(given.texts[number]), given.classes[label]
    if isinstance(given, Vectors):
        values = ", ".join(number_text(float(value), ".3g") for value in given.inputs[number])
        if given.classes:
            return values, given.classes[int(given.targets[number])]
        return values, ", ".join(number_text(float(value), ".3g") for value in given.targets[number])
    if isinstance(given, Images):
        _, height, width, _ = given.pixels.shape
        picture = tr("a picture of {width} × {height} pixels", width=width, height=height)
        return picture, given.captions[number] if given.labels is None else given.classes[int(given.labels[number])]
    raise TypeError(type(given).__name__)


def _cut(pieces: list[Piece]) -> tuple[Piece, ...]:
    """Return pieces with a sign for each character that cannot be shown, cut after LONGEST characters."""
    shown: list[Piece] = []
    length = 0
    for text, marked in pieces:
        some = text[: max(0, LONGEST - length)]
        shown.append(("".join(sign if sign.isprintable() else glyphs(sign) for sign in some), marked))
        length += len(text)
        if length > LONGEST:
            return (*shown, ("…", False))
    return tuple(shown)


def _of_examples(given: Examples) -> Sample:
    import numpy as np

    drawn = given.draw(np.arange(EXAMPLES), 0, "train")
    rows = [
        _pieces(given, row[row >= 0].tolist(), scored[row >= 0].tolist())
        for row, scored in zip(drawn.tokens, drawn.scored, strict=True)
    ]
    figures = (
        (tr("Best possible loss"), tr("{nats} nats per scored token", nats=number_text(given.entropy, ".3f"))),
        (tr("Vocabulary"), tr("V = {n} symbols", n=number_text(len(given.symbols)))),
        (
            tr("Length"),
            tr("{n}; the longest example has {m} tokens", n=number_text(given.length), m=number_text(given.longest)),
        ),
    )
    return Sample(figures, examples=tuple(rows), longest=given.longest)


def _pieces(given: Examples, tokens: list[int], scored: list[bool]) -> tuple[Piece, ...]:
    """Return an example in pieces of scored or unscored characters; trailing spaces count as unscored."""
    pieces: list[Piece] = []
    length = 0
    for token, is_scored in zip(tokens, scored, strict=True):
        shown = _shown(given.symbols[token])
        body = shown.rstrip(" ") if len(shown) > 1 else shown
        for text, marked in ((body, is_scored), (shown[len(body) :], False)):
            if text and pieces and pieces[-1][1] == marked:
                pieces[-1] = (pieces[-1][0] + text, marked)
            elif text:
                pieces.append((text, marked))
        length += len(shown)
        if length > LONGEST:
            return (*pieces, ("…", False))
    return tuple(pieces)


def _shown(symbol: str) -> str:
    """Return a symbol with its characters made visible, except the space at the end of a longer symbol."""
    return f"{glyphs(symbol[:-1])} " if len(symbol) > 1 and symbol.endswith(" ") else glyphs(symbol)
