"""ARPA files: n-gram models as SRILM and KenLM write them, read, written, and used for probabilities."""

from __future__ import annotations

import gzip
import io
import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from lab.api import BadInput, read_bytes
from lab_ngram.counts import Counts, Floats, Grams, Ints
from lab_ngram.smoothing import Smoothed, smoothed

if TYPE_CHECKING:
    from lab_ngram.settings import NgramConfig

START, END, UNKNOWN = "<s>", "</s>", "<unk>"
ZERO = -99.0
"""log10 of a probability of zero, as the format writes it."""

SPACE, NEWLINE = "\u2581", "\u00b6"
"""Signs for a space and for the end of a line within a word."""

GZIP = b"\x1f\x8b"


@dataclass(frozen=True, eq=False)
class Entries:
    """The n-grams of one order, in the order of the file.

    Args:
        tokens: (K, m) indices into the words of the file.
        log10: (K,) log10 of the probability of the last word after the others.
        backoff: (K,) log10 of the factor on shorter contexts where no longer n-gram fits; NaN if none is written.
    """

    tokens: Ints
    log10: Floats
    backoff: Floats


@dataclass(frozen=True, eq=False)
class Arpa:
    """A whole file: its words, and its n-grams by order from 1."""

    words: tuple[str, ...]
    orders: tuple[Entries, ...]

    @cached_property
    def indices(self) -> dict[str, int]:
        """The index of each word."""
        return {word: index for index, word in enumerate(self.words)}

    @cached_property
    def _trie(self) -> tuple[Counts, list[tuple[Floats, Floats]]]:
        """The n-grams as a trie, with log10 (K + 1,) and back-off (contexts + 1,) of each order by its nodes.

        A context that the file leaves out, as pruned files do, gets its own node with NaN for its probability.
        """
        V = len(self.words)
        rows = [entries.tokens for entries in self.orders]
        for m in range(len(rows) - 1, 0, -1):
            rows[m - 1] = np.concatenate([rows[m - 1], rows[m][:, :m]])
        grams: list[Grams] = []
        values: list[tuple[Floats, Floats]] = []
        behind = np.zeros(2)  # back-off of the contexts of an order
        for m, (row, entries) in enumerate(zip(rows, self.orders, strict=True), 1):
            nodes = np.zeros(len(row), np.int64)
            for position, shorter in enumerate(grams):
                nodes = shorter.find(nodes, row[:, position])
            codes, first = np.unique(nodes * V + row[:, m - 1], return_index=True)
            listed = np.append(first < len(entries.log10), False)
            at = np.append(np.minimum(first, max(0, len(entries.log10) - 1)), 0)
            values.append((np.where(listed, entries.log10[at], np.nan), behind))
            behind = np.where(listed, np.nan_to_num(entries.backoff[at]), 0.0)
            grams.append(Grams.of(codes, np.ones_like(codes), len(grams[-1]) if grams else 1, V))
        return Counts(tuple(grams), V, np.zeros(0, np.int64)), values

    def log10(self, tokens: Ints) -> Floats:
        """Return (T,) words of one sentence -> (T − 1,) log10 of the probability of each but the first in its context.

        A word without its own probability has −∞.
        """
        counts, values = self._trie
        text, wanted = tokens[None, :-1], tokens[None, 1:]
        found = np.full(wanted.shape, -np.inf)
        for grams, (own, behind), contexts in zip(
            counts.grams, values, counts.contexts_in(text, counts.order), strict=True
        ):
            p = own[grams.find(contexts, wanted)]
            found = np.where(np.isnan(p), found + behind[contexts], p)
        sentence: Floats = found[0]
        return sentence

    def sentence(self, words: Sequence[str]) -> Ints:
        """Return the indices (T,) of a sentence's words between <s> and </s>; unknown words get that of <unk>.

        Raises:
            BadInput: A word is unknown and the file has no <unk>, or the file lacks <s> or </s>.
        """
        indices = self.indices
        unknown = indices.get(UNKNOWN, indices.get(UNKNOWN.upper()))
        found = [indices.get(word, unknown) for word in (START, *words, END)]
        if None in found or START not in indices or END not in indices:
            missing = next((word for word in (START, END, *words) if word not in indices), "")
            raise BadInput(f"the ARPA file has no word {missing!r}, and no {UNKNOWN} instead", field="TEXT")
        return np.array(found, np.int64)


def of_model(counts: Counts, made: Smoothed, labels: Sequence[str]) -> Arpa:
    """Return the ARPA file of a model.

    Args:
        counts: The counts of the model.
        made: The smoothed counts.
        labels: The text of each symbol.

    Raises:
        BadInput: The smoothing only uses the longest context, which the format cannot express.
    """
    if not made.backs_off:
        raise BadInput(
            "an ARPA file backs off to shorter contexts for unseen n-grams, and this smoothing only uses the longest",
            field="architecture.smoothing",
            remedy="Choose one that backs off to shorter contexts, such as modified-kneser-ney",
        )
    if not made.levels:
        raise BadInput("an ARPA file starts at order 1", field="architecture.order", value="0")
    words = _words(labels) if counts.start is None else tuple(labels)
    orders = []
    for m, level in enumerate(made.levels, 1):
        tokens, p = counts.texts(m), level.seen[:-1]
        last = m == len(made.levels)
        rest = np.ones(len(p)) if last else made.levels[m].rest[: len(p)]
        if m == 1:  # every symbol has an entry, seen or not
            all_p, all_rest = np.full(len(words), level.rest[0] / counts.predicted), np.ones(len(words))
            all_p[tokens[:, 0]], all_rest[tokens[:, 0]] = p, rest
            all_p[len(labels) :] = 0.0
            if counts.start is not None:
                all_p[counts.start] = 1.0  # as KenLM writes it
            tokens, p, rest = np.arange(len(words))[:, None], all_p, all_rest
        orders.append(Entries(tokens, _log10(p), np.full(len(p), np.nan) if last else _log10(rest)))
    return Arpa(words, tuple(orders))


def of_text(words: Sequence[str], config: NgramConfig) -> Arpa:
    """Return the ARPA file of one sentence from <s> to </s>, counted as KenLM's lmplz does, with an entry for <unk>.

    Args:
        words: The sentence.
        config: Order and smoothing; only Kneser and Ney's smoothings work.

    Raises:
        BadInput: The smoothing would give <s> a probability, which it must not have.
    """
    if not config.smoothing.endswith("kneser-ney"):
        raise BadInput(
            f"cannot be used for sentences with {START}", field="smoothing", value=config.smoothing,
            allowed="modified-kneser-ney, kneser-ney",
        )  # fmt: skip
    names = list(dict.fromkeys([UNKNOWN, START, END, *words]))
    indices = {name: index for index, name in enumerate(names)}
    tokens = np.array([indices[word] for word in (START, *words, END)])
    counts = Counts.none(config.order, len(names), start=1).and_of(tokens)
    return of_model(counts, smoothed(counts, config.order, config), names)


def _log10(p: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.maximum(np.log10(p), ZERO)


def word(text: str) -> str:
    """Return a text as one word of a file, with visible signs for spaces and line ends."""
    return text.replace(" ", SPACE).replace("\n", NEWLINE)


def _words(labels: Sequence[str]) -> tuple[str, ...]:
    """Return a unique word for each symbol, followed by the three words of the format unless they are among them.

    A symbol that cannot be written, or whose word is already used, is named by its number.
    """
    words: dict[str, None] = {}
    for index, label in enumerate(labels):
        name = word(label)
        fits = name not in words and name not in (START, END) and _can_stand(name)
        words[name if fits else f"<symbol-{index}>"] = None
    for name in (START, END, UNKNOWN):
        words.setdefault(name)
    return tuple(words)


def _can_stand(name: str) -> bool:
    """Return True if the name is one word for programs that split at ASCII spaces, and can be written as UTF-8."""
    try:
        return name.encode().split() == [name.encode()]
    except UnicodeEncodeError:
        return False


# ---- files


def content(arpa: Arpa, *, compressed: bool = False) -> bytes:
    """Return the content of a file. Every number is the same when read again."""
    data = ("\n".join(_lines(arpa)) + "\n").encode("utf-8")
    return gzip.compress(data, mtime=0) if compressed else data


def _lines(arpa: Arpa) -> Iterator[str]:
    yield "\\data\\"
    for m, entries in enumerate(arpa.orders, 1):
        yield f"ngram {m}={len(entries.log10)}"
    for m, entries in enumerate(arpa.orders, 1):
        yield ""
        yield f"\\{m}-grams:"
        for tokens, log10, backoff in zip(
            entries.tokens.tolist(), entries.log10.tolist(), entries.backoff.tolist(), strict=True
        ):
            words = " ".join([arpa.words[token] for token in tokens])
            behind = "" if math.isnan(backoff) else f"\t{_number(backoff)}"
            yield f"{_number(log10)}\t{words}{behind}"
    yield ""
    yield "\\end\\"


def _number(value: float) -> str:
    """Return the shortest decimals that are read as exactly this number."""
    return repr(value).removesuffix(".0")


LARGEST = 2**28
"""Most bytes of a file, unpacked; one of a million n-grams has about 2**25."""


def read(path: Path) -> Arpa:
    r"""Read a file, compressed or not; anything before \data\ is ignored.

    Raises:
        BadInput: The file is damaged; the problem names the line.
        OSError: The file cannot be read, or is not a regular file.
        ValueError: It has more than LARGEST bytes.
    """
    data = read_bytes(path, LARGEST)
    if data[:2] == GZIP:
        try:
            with gzip.open(io.BytesIO(data)) as unpacked:
                data = unpacked.read(LARGEST + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise BadInput(f"the compressed file is damaged: {error}", field=path.name) from None
        if len(data) > LARGEST:
            raise ValueError(f"it unpacks to more than {LARGEST >> 20} MiB")
    return _Reader(data.split(b"\n"), path.name).arpa()


class _Reader:
    """A reader of the lines of one file."""

    def __init__(self, lines: Iterable[bytes], name: str) -> None:
        self._lines, self._name, self._number = iter(lines), name, 0

    def arpa(self) -> Arpa:
        while self._next() != b"\\data\\":
            pass
        line, sizes = self._next(), list[int]()
        while line.startswith(b"ngram "):
            order, _, count = line.removeprefix(b"ngram ").partition(b"=")
            if order.strip() != str(len(sizes) + 1).encode() or not count.strip().isdigit():
                raise self._damaged(f"ngram {len(sizes) + 1}=COUNT is expected")
            sizes.append(int(count))
            line = self._next()
        if not sizes:
            raise self._damaged("ngram 1=COUNT is expected")
        words: dict[bytes, int] = {}
        orders = []
        for m, size in enumerate(sizes, 1):
            if line != f"\\{m}-grams:".encode():
                raise self._damaged(f"\\{m}-grams: is expected")
            orders.append(self._entries(m, size, words))
            line = self._next()
        if line != b"\\end\\":
            raise self._damaged("\\end\\ is expected")
        return Arpa(tuple(name.decode() for name in words), tuple(orders))

    def _entries(self, m: int, size: int, words: dict[bytes, int]) -> Entries:
        rows: dict[tuple[int, ...], None] = {}
        log10, backoff = list[float](), list[float]()
        for _ in range(size):
            fields = self._next().split()
            if len(fields) not in (m + 1, m + 2):
                raise self._damaged(f"expected {size} lines with a number, {m} words and an optional number")
            if m == 1:
                words[self._text(fields[1])] = len(words)
            try:
                row = tuple([words[name] for name in fields[1 : m + 1]])
            except KeyError as error:
                raise self._damaged(f"{error.args[0].decode(errors='replace')!r} is not among the 1-grams") from None
            rows[row] = None
            if len(rows) != len(log10) + 1 or (m == 1 and len(words) < len(rows)):
                raise self._damaged("this n-gram is listed twice")
            log10.append(self._value(fields[0], most=0.0))
            backoff.append(self._value(fields[m + 1], most=math.inf) if len(fields) == m + 2 else math.nan)
        tokens = np.array(list(rows), np.int64).reshape(len(rows), m)
        return Entries(tokens, np.array(log10), np.array(backoff))

    def _value(self, field: bytes, most: float) -> float:
        try:
            value = float(field)
        except ValueError:
            value = math.nan
        if not value <= most or value == math.inf:
            bound = "" if most else ", at most 0,"
            raise self._damaged(f"{field.decode(errors='replace')!r} is not the log10{bound} of a number")
        return value

    def _text(self, name: bytes) -> bytes:
        try:
            name.decode()
        except UnicodeDecodeError:
            raise self._damaged("a word is not UTF-8") from None
        return name

    def _next(self) -> bytes:
        """Return the next line that is not blank."""
        for line in self._lines:
            self._number += 1
            if stripped := line.strip():
                return stripped
        raise self._damaged("the file ends too soon")

    def _damaged(self, what: str) -> BadInput:
        return BadInput(f"line {self._number}: {what}", field=self._name)
