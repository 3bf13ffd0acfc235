"""The tokens of long texts, as files in the cache folder that are mapped into memory."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import mmap
import os
import sys
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, LabError, LongText, Tokenizer
from lab.base.files.reading import read_json
from lab.base.files.temporary import sweep
from lab.base.files.writing import make_folder, write_atomically, write_json
from lab.base.folders import cache_folder
from lab.base.jobs import Cancelled
from lab.base.locks import file_lock
from lab.base.system import profile
from lab.text.corpora.long_files import at_line_ends
from lab.text.documents import DocumentTokenizer, borders

ENCODED = 1 << 17
"""Number of characters tokenized at once: few enough that Cancel works within a second."""

_FORM = 1  # raise when the same text and tokenizer would give another file
_READ = 1 << 22  # bytes checked at once

Tokens = NDArray[np.unsignedinteger[Any]]


def tokens_of(
    text: LongText,
    tokenizer: Tokenizer,
    *,
    progress: Callable[[int, int], None] = lambda _, __: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Tokens:
    """Return all tokens of a long text, mapped into memory from a cached file.

    The text is tokenized in pieces of up to ENCODED characters, cut after the end of a line if there is one. For
    tokenizers of characters or bytes this gives the encoding of the complete text; for others it may differ at the
    borders of the pieces, which no token crosses. Documents are tokenized one by one, each in such pieces, with the end
    symbol before the first one and after each.

    Args:
        text: The text; the hash of its pieces is checked.
        tokenizer: A tokenizer fitted to it, a DocumentTokenizer if it has documents; its vocabulary is part of the name
            of the file.
        progress: Called with the bytes of text that are done, and their total.
        cancelled: Called every ENCODED characters; True ends the work.

    Returns:
        (N,) the smallest unsigned integers that hold the vocabulary, read-only. The file stays while they are used.

    Raises:
        BadInput: The text changed since it was opened, cannot be read, or cannot be encoded.
        Cancelled: It was cancelled; no file remains.
        LabError: The file cannot be written; no file remains.
    """
    kind = np.min_scalar_type(tokenizer.vocabulary_size - 1)
    file = make_folder(cache_folder() / "tokens") / f"{_key(text, tokenizer)}.tokens"

    def check() -> None:
        if cancelled():
            raise Cancelled

    tokens = _cached(file, kind, check)
    if tokens is None:
        with file_lock(file.parent / "lock", check):
            tokens = _cached(file, kind, check)  # another process may have made it meanwhile
            if tokens is None:
                sweep(file.parent)
                _make(file, text, tokenizer, kind, progress, check)
                tokens = _cached(file, kind, check)
                _make_room(file)
    if tokens is None:
        remedy = "Check that disk, or move the lab's folder to another with LAB_HOME"
        raise LabError("a file was damaged as soon as it was written", field="folder", value=file.parent, remedy=remedy)
    progress(text.bytes, text.bytes)
    return tokens


def _key(text: LongText, tokenizer: Tokenizer) -> str:
    """Return the name of the file: a hash of the text, and of the tokenizer's class and vocabulary."""
    inner = tokenizer.text if isinstance(tokenizer, DocumentTokenizer) else tokenizer
    cut_by = [f"{type(inner).__module__}.{type(inner).__qualname__}", tokenizer.vocabulary()]
    key = json.dumps([_FORM, ENCODED, text.sha256, *cut_by], sort_keys=True)
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def _checksum_file(file: Path) -> Path:
    return file.with_suffix(".json")


def _cached(file: Path, kind: np.dtype[Any], check: Callable[[], None]) -> Tokens | None:
    """Return the tokens of an intact file; None if it must be made."""
    try:
        stated = read_json(_checksum_file(file))
        with file.open("rb") as opened:
            _hold(opened)
            size, checksum = 0, 0
            while chunk := opened.read(_READ):
                check()
                size += len(chunk)
                checksum = zlib.crc32(chunk, checksum)
            if stated != {"kind": kind.name, "bytes": size, "crc32": checksum}:
                return None
            mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        return None
    with contextlib.suppress(OSError):
        os.utime(file)  # files are removed by time of last use
    return np.frombuffer(mapped, kind)


def _make(
    file: Path,
    text: LongText,
    tokenizer: Tokenizer,
    kind: np.dtype[Any],
    progress: Callable[[int, int], None],
    check: Callable[[], None],
) -> None:
    size, checksum = 0, 0

    def write(temporary: Path) -> None:
        nonlocal size, checksum
        digest, done = hashlib.sha256(), 0

        def read() -> Iterator[str]:
            nonlocal done
            for piece in _pieces(text):
                data = piece.encode()
                digest.update(data)
                done += len(data)
                yield piece

        with temporary.open("xb") as out:
            for tokens in _encoded(read(), text.starts, tokenizer):
                check()
                encoded = _checked(tokens, tokenizer.vocabulary_size).astype(kind).tobytes()
                out.write(encoded)
                size += len(encoded)
                checksum = zlib.crc32(encoded, checksum)
                progress(done, text.bytes)
            for data in borders(text.starts):
                digest.update(data)
            if digest.hexdigest() != text.sha256:
                raise BadInput("changed since it was opened", field="corpus", value=text.name, remedy="Open it again")
            out.flush()
            os.fsync(out.fileno())

    write_atomically(file, write)
    write_json(_checksum_file(file), {"kind": kind.name, "bytes": size, "crc32": checksum})


def _pieces(text: LongText) -> Iterator[str]:
    """Yield the pieces to tokenize; turn a read error into BadInput, since it is not an error of writing."""
    try:
        yield from at_line_ends(text.pieces(), ENCODED)
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise BadInput(what, field="corpus", value=text.name, remedy="Check that file and its disk") from None


def _encoded(pieces: Iterator[str], starts: Sequence[int], tokenizer: Tokenizer) -> Iterator[NDArray[np.integer[Any]]]:
    """Yield the tokens of a text, piece by piece; of documents with the end symbol before the first and after each."""
    if not starts or not isinstance(tokenizer, DocumentTokenizer):
        yield from map(tokenizer.encode, pieces)
        return
    end = np.array([tokenizer.end])
    yield end
    for piece, is_last in cut_at(pieces, starts, ENCODED):
        tokens = tokenizer.encode(piece)
        yield np.concatenate([tokens, end]) if is_last else tokens


def cut_at(pieces: Iterator[str], starts: Sequence[int], size: int) -> Iterator[tuple[str, bool]]:
    """Yield the documents of a text in pieces of up to `size` characters, and whether a document ends with a piece.

    A longer document is cut after the last end of a line in each piece, or anywhere. The cuts depend on the text alone.

    Args:
        pieces: The text, of which one character stands between two documents.
        starts: Where each document starts.
        size: The largest number of characters of a piece.
    """
    lengths = iter(int(later) - int(start) - 1 for start, later in itertools.pairwise(starts))
    left, at, held = next(lengths, None), 0, ""  # of the current document; the position in what is held
    for piece in pieces:
        held, at = held[at:] + piece, 0
        while left is not None:
            if left > size and len(held) - at >= size:
                cut = held.rfind("\n", at, at + size) + 1 or at + size
                yield held[at:cut], False
                left -= cut - at
                at = cut
            elif left <= size and len(held) - at > left:
                yield held[at : at + left], True
                at += left + 1
                left = next(lengths, None)
            else:
                break
        while left is None and len(held) - at > size:  # the last document, of which the end is not known
            cut = held.rfind("\n", at, at + size) + 1 or at + size
            yield held[at:cut], False
            at = cut
    yield held[at:], True


def _checked(tokens: NDArray[np.integer[Any]], vocabulary_size: int) -> NDArray[np.integer[Any]]:
    """Return the tokens after checking their range, since a smaller integer type would change them."""
    low, high = int(tokens.min(initial=0)), int(tokens.max(initial=0))
    if low < 0 or high >= vocabulary_size:
        raise ValueError(f"symbol numbers run from 0 to {vocabulary_size - 1}; these from {low} to {high}")
    return tokens


def _make_room(new: Path) -> None:
    """Remove unused files beyond what the profile of this machine allows, least recently used first."""
    most = profile.now().cache_bytes
    with contextlib.suppress(OSError):
        files = sorted((file.stat().st_mtime_ns, file.stat().st_size, file) for file in new.parent.glob("*.tokens"))
        total = sum(size for _, size, _ in files)
        for _, size, file in files:
            if total <= most:
                break
            if file != new and _remove(file):
                total -= size


def _remove(file: Path) -> bool:
    """Remove a token file unless it is in use. Return True if it is gone."""
    try:
        with file.open("rb") as opened:
            _hold(opened, file_lock=True)
        file.unlink()  # Windows refuses where it is mapped
        _checksum_file(file).unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _hold(opened: IO[bytes], *, file_lock: bool = False) -> None:
    """Mark a file as in use while it is open or mapped: a mapping holds the descriptor.

    Raises:
        OSError: `file_lock` was requested and another process holds it, or the drive has no locks.
    """
    if sys.platform == "win32":
        return  # a mapped file cannot be removed there
    import fcntl

    if file_lock:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    else:
        with contextlib.suppress(OSError):
            fcntl.flock(opened, fcntl.LOCK_SH)
