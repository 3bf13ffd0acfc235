"""Text cut into the runs that no subword crosses, by GPT-2's rule: words with the space before them, digits, signs."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

LONGEST_RUN = 512
"""Characters after which a run without white space, or of nothing else, is cut where subwords are learned."""

_SLICE = 1 << 14
_BETWEEN = re.compile(r"(?<=\S)(?=[ \n])")  # a run never goes on here: a space begins one, and no word takes it in
_LONG = re.compile(rf"\S{{{LONGEST_RUN}}}|\s{{{LONGEST_RUN}}}")


def _letters() -> str:
    shown = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAC + 1), *range(0xAE, 0xFF + 1)]
    others = iter(range(256, 512))
    return "".join(chr(byte if byte in shown else next(others)) for byte in range(256))


LETTERS = _letters()
"""The letter of each byte in GPT-2's files and in the library: itself where it shows itself; byte 32 is "Ġ"."""

BYTES = bytes(sorted(range(256), key=lambda byte: LETTERS[byte]))
"""The byte of each of the first 256 symbols: they are numbered by their letters, so that "!" is 0 and a space 220."""

_BYTE = {letter: byte for byte, letter in enumerate(LETTERS)}


def to_bytes(letters: str) -> bytes:
    """The bytes of what the library writes: "Ġthe" is b" the".

    Raises:
        KeyError: One is no letter of a byte.
    """
    return bytes(_BYTE[letter] for letter in letters)


def library() -> Any:
    """The package `tokenizers`, imported when it is first used."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")  # unset, it warns when the process forks
    import tokenizers

    return tokenizers


def cutter() -> Any:
    """The library's rule: GPT-2's pattern, no space put before the text, each byte as a letter."""
    return library().pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)


def slices(text: str, between: re.Pattern[str] = _BETWEEN) -> Iterator[str]:
    """The text in pieces of some thousand characters, cut only where a run ends: cut alone, they give the same runs.

    Args:
        text: The text.
        between: Where a run ends for sure.
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
    """The same, with runs longer than LONGEST_RUN cut too: what subwords are learned from, in bearable time."""
    for part in slices(text):
        start = 0
        for run in _LONG.finditer(part):
            yield part[start : run.end()]
            start = run.end()
        if start < len(part):
            yield part[start:]


def runs(text: str) -> Iterator[bytes]:
    """The runs of a text that has UTF-8 in order, as its bytes."""
    cut = cutter().pre_tokenize_str
    for part in slices(text):
        for letters, _ in cut(part):
            yield to_bytes(letters)


def counted_runs(text: str, cancelled: Callable[[], bool] = lambda: False) -> Counter[bytes]:
    """How often each run comes that subwords are learned from; those counted so far where it is cancelled."""
    cut = cutter().pre_tokenize_str
    counts: Counter[str] = Counter()
    for part in learnt_slices(text):
        if cancelled():
            break
        counts.update(letters for letters, _ in cut(part))
    return Counter({to_bytes(letters): count for letters, count in counts.items()})
