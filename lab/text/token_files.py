"""The tokens of long texts, as files in the cache folder that are mapped into memory instead of being read."""

from __future__ import annotations

import contextlib
import hashlib
import json
import mmap
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, LabError, LongText, Tokenizer
from lab.base.folders import cache_folder
from lab.base.jobs import Cancelled
from lab.base.locks import file_lock
from lab.base.writing import make_folder, write_atomically, write_json
from lab.text.corpora.long_files import at_line_ends

ENCODED = 1 << 17
"""Characters that are cut into tokens at a time: few enough that Cancel is heard within a second."""
KEPT_BYTES = 16 * 2**30
"""Bytes of token files that are kept; those beyond are removed, the ones used longest ago first."""

_FORM = 1  # raise when the same text and tokenizer would give another file
_READ = 1 << 22  # bytes that are checked at a time
_PATIENCE = 0.2  # seconds between two looks whether another process is done

Tokens = NDArray[np.unsignedinteger[Any]]


def tokens_of(
    text: LongText,
    tokenizer: Tokenizer,
    *,
    progress: Callable[[int, int], None] = lambda _, __: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Tokens:
    """All tokens of a long text, mapped into memory from a file that is made once and kept.

    The text is cut into tokens piece by piece, each up to ENCODED characters and behind the end of a line wherever it
    holds one. For tokenizers that read character by character or byte by byte that is the encoding of the whole text;
    for others it may differ at the borders of the pieces, across which no token reaches.

    Args:
        text: The text; that its pieces hash to what it says is checked.
        tokenizer: Fitted to its beginning.
        progress: Told the bytes of text that are done, and of how many.
        cancelled: Asked every ENCODED characters; True ends it.

    Returns:
        (N,) the smallest unsigned integers that hold the vocabulary, read-only. While they are used the file stays.

    Raises:
        BadInput: The text changed since it was opened, cannot be read, or holds what the tokenizer cannot encode.
        Cancelled: It was cancelled; nothing is left of it.
        LabError: The file cannot be written; nothing is left of it.
    """
    kind = np.min_scalar_type(tokenizer.vocabulary_size - 1)
    file = make_folder(cache_folder() / "tokens") / f"{_key(text, tokenizer)}.tokens"

    def check() -> None:
        if cancelled():
            raise Cancelled

    tokens = _kept(file, kind, check)
    if tokens is None:
        with file_lock(file.parent / "lock", check):
            tokens = _kept(file, kind, check)  # another may have made it in the meantime
            if tokens is None:
                _sweep(file.parent)
                _make(file, text, tokenizer, kind, progress, check)
                tokens = _kept(file, kind, check)
                _make_room(file)
    if tokens is None:
        remedy = "Look at that disk, or move the lab's folder to another with LAB_HOME"
        raise LabError("a file was damaged as soon as it was written", field="folder", value=file.parent, remedy=remedy)
    progress(text.bytes, text.bytes)
    return tokens


def _key(text: LongText, tokenizer: Tokenizer) -> str:
    """What the file is found by: the text, and the tokenizer by its class and vocabulary."""
    cut_by = [f"{type(tokenizer).__module__}.{type(tokenizer).__qualname__}", tokenizer.vocabulary()]
    key = json.dumps([_FORM, ENCODED, text.sha256, *cut_by], sort_keys=True)
    return hashlib.sha256(key.encode()).hexdigest()[:32]


def _beside(file: Path) -> Path:
    return file.with_suffix(".json")


def _kept(file: Path, kind: np.dtype[Any], check: Callable[[], None]) -> Tokens | None:
    """The tokens of a file that is there whole; None where it must be made."""
    try:
        stated = json.loads(_beside(file).read_text(encoding="utf-8"))
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
        os.utime(file)  # the order in which files are removed is that of use
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

    def write(aside: Path) -> None:
        nonlocal size, checksum
        digest, done = hashlib.sha256(), 0
        with aside.open("xb") as out:
            for piece in _pieces(text):
                check()
                data = piece.encode()
                digest.update(data)
                encoded = _checked(tokenizer.encode(piece), tokenizer.vocabulary_size).astype(kind).tobytes()
                out.write(encoded)
                size += len(encoded)
                checksum = zlib.crc32(encoded, checksum)
                done += len(data)
                progress(done, text.bytes)
            if digest.hexdigest() != text.sha256:
                raise BadInput("changed since it was opened", field="corpus", value=text.name, remedy="Open it again")
            out.flush()
            os.fsync(out.fileno())

    write_atomically(file, write)
    write_json(_beside(file), {"kind": kind.name, "bytes": size, "crc32": checksum})


def _pieces(text: LongText) -> Iterator[str]:
    """The text as it is cut into tokens; that it cannot be read is no fault of the file that is written."""
    try:
        yield from at_line_ends(text.pieces(), ENCODED)
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise BadInput(what, field="corpus", value=text.name, remedy="Look at that file and its disk") from None


def _checked(tokens: NDArray[np.integer[Any]], vocabulary_size: int) -> NDArray[np.integer[Any]]:
    """The tokens, which a smaller type must not turn into others."""
    low, high = int(tokens.min(initial=0)), int(tokens.max(initial=0))
    if low < 0 or high >= vocabulary_size:
        raise ValueError(f"symbol numbers run from 0 to {vocabulary_size - 1}; these from {low} to {high}")
    return tokens


def _sweep(folder: Path) -> None:
    """Removes what writers left that were killed."""
    for left in folder.glob(".*.new"):
        with contextlib.suppress(OSError):
            left.unlink()


def _make_room(new: Path) -> None:
    """Removes files beyond KEPT_BYTES that nobody uses, those used longest ago first."""
    with contextlib.suppress(OSError):
        files = sorted((file.stat().st_mtime_ns, file.stat().st_size, file) for file in new.parent.glob("*.tokens"))
        kept = sum(size for _, size, _ in files)
        for _, size, file in files:
            if kept <= KEPT_BYTES:
                break
            if file != new and _remove(file):
                kept -= size


def _remove(file: Path) -> bool:
    """Removes a token file unless somebody uses it. Returns whether it is gone."""
    try:
        with file.open("rb") as opened:
            _hold(opened, alone=True)
        file.unlink()  # Windows refuses where it is mapped
        _beside(file).unlink(missing_ok=True)
    except OSError:
        return False
    return True


def _hold(opened: IO[bytes], *, alone: bool = False) -> None:
    """Marks a file as used, for as long as it is open or mapped: a mapping keeps the descriptor.

    Raises:
        OSError: It was asked for alone, and somebody holds it, or the drive knows no locks.
    """
    if sys.platform == "win32":
        return  # what is mapped there cannot be removed anyway
    import fcntl

    if alone:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    else:
        with contextlib.suppress(OSError):
            fcntl.flock(opened, fcntl.LOCK_SH)
