"""GPT-2's rule to cut a text into runs that no subword crosses: words with the space before them, digits, signs."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

LONGEST_RUN = 512
"""Number of characters after which a run without white space, or of only white space, is cut to learn subwords."""

_SLICE = 1 << 14
_BETWEEN = re.compile(r"(?<=\S)(?=[ \n])")  # always the end of a run: a space starts the next one
_LONG = re.compile(rf"\S{{{LONGEST_RUN}}}|\s{{{LONGEST_RUN}}}")


def _letters() -> str:
    shown = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAC + 1), *range(0xAE, 0xFF + 1)]
    others = iter(range(256, 512))
    return "".join(chr(byte if byte in shown else next(others)) for byte in range(256))


LETTERS = _letters()
"""The letter of each byte in GPT-2's files and in the library: itself if it is visible; byte 32 is "Ġ"."""

BYTES = bytes(sorted(range(256), key=lambda byte: LETTERS[byte]))
"""The byte of each of the first 256 symbols: they are numbered by their letters, so that "!" is 0 and a space 220."""

_BYTE = {letter: byte for byte, letter in enumerate(LETTERS)}


def to_bytes(letters: str) -> bytes:
    """Return the bytes of the library's letters: "Ġthe" is b" the".

    Raises:
        KeyError: One is not the letter of a byte.
    """
    return bytes(_BYTE[letter] for letter in letters)


def library() -> Any:
    """Return the package `tokenizers`, imported on first use."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")  # if unset, it warns when the process forks
    import tokenizers

    return tokenizers


def cutter() -> Any:
    """Return the library's rule: GPT-2's pattern, no space put before the text, each byte as a letter."""
    return library().pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)


def slices(text: str, between: re.Pattern[str] = _BETWEEN) -> Iterator[str]:
    """Yield the text in pieces of some thousand characters, cut at the ends of runs: each has the same runs by itself.

    Args:
        text: The text.
        between: A pattern at which a run always ends.
    """
    start = 0
    while len(text) - start > _SLICE:
        position = between.search(text, start + _SLICE)
        if position is None:
            break
        yield text[start : position.start()]
        start = position.start()
    if start < len(text):
        yield text[start:]


def learnt_slices(text: str) -> Iterator[str]:
    """Yield slices with runs longer than LONGEST_RUN cut too, so that learning subwords does not take too long."""
    for part in slices(text):
        start = 0
        for run in _LONG.finditer(part):
            yield part[start : run.end()]
            start = run.end()
        if start < len(part):
            yield part[start:]


def runs(text: str) -> Iterator[bytes]:
    """Yield the runs of a text in order, as bytes."""
    cut = cutter().pre_tokenize_str
    for part in slices(text):
        for letters, _ in cut(part):
            yield to_bytes(letters)


def counted_runs(text: str, cancelled: Callable[[], bool] = lambda: False) -> Counter[bytes]:
    """Return the counts of the runs from which subwords are learned; those counted so far on cancellation."""
    cut = cutter().pre_tokenize_str
    counts: Counter[str] = Counter()
    for part in learnt_slices(text):
        if cancelled():
            break
        counts.update(letters for letters, _ in cut(part))
    return Counter({to_bytes(letters): count for letters, count in counts.items()})
