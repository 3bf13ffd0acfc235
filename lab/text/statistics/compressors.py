"""The size of a text under general compressors, in bits per byte: a floor that needs no model."""

from __future__ import annotations

import bz2
import lzma
import zlib
from typing import Literal, Protocol, TypeAlias, get_args

from lab.text.statistics.progress import Step, unseen

Compressor: TypeAlias = Literal["zlib", "bz2", "lzma"]

COMPRESSORS: tuple[Compressor, ...] = get_args(Compressor)

_SLICE = 1 << 16  # bytes between two steps


class _Stream(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...

    def flush(self) -> bytes: ...


def compressed_bits(train: bytes, validation: bytes, name: Compressor, *, step: Step = unseen) -> float:
    """Return bits per byte of a text after another: (size of both − size of the first) · 8 / bytes of the second.

    zlib looks back 32 KiB and bz2 900 kB, so they forget most of a long first text; lzma looks back 8 MiB.

    A text of a few bytes may fit into the padding of the first; then it costs 0.

    Args:
        train: The first text. If empty, the second is compressed alone.
        validation: The second text; 0 bits if it is empty.
        name: The compressor.
        step: Called with the progress.
    """
    if not validation:
        return 0.0
    alone = compressed_size(name, train, step=step) if train else 0
    return 8 * max(0, compressed_size(name, train, validation, step=step) - alone) / len(validation)


def compressed_size(name: Compressor, *texts: bytes, step: Step = unseen) -> int:
    """Return the bytes of one or more texts, compressed as one.

    zlib and bz2 work at their highest level, 9, lzma at its default one in the xz format. None takes more than 100 MB.

    Args:
        name: The compressor.
        texts: The texts.
        step: Called with the bytes that are done.
    """
    stream = _stream(name)
    size, done, total = 0, 0, sum(map(len, texts))
    for text in texts:
        view = memoryview(text)
        for start in range(0, len(text), _SLICE):
            part = view[start : start + _SLICE]
            size += len(stream.compress(bytes(part)))
            done += len(part)
            step(done, total)
    return size + len(stream.flush())


def _stream(name: Compressor) -> _Stream:
    match name:
        case "zlib":
            return zlib.compressobj(9)
        case "bz2":
            return bz2.BZ2Compressor(9)
        case "lzma":
            return lzma.LZMACompressor()
