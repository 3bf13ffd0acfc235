"""Texts too long for memory: one pass over their pieces finds their length, hash and beginning.

The result of the pass is cached, so that the same file opens at once the next time.
"""

from __future__ import annotations

import functools
import hashlib
import json
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, LabError, LongText
from lab.base.files.reading import read_json
from lab.base.files.writing import make_folder, write_file, write_json
from lab.base.folders import cache_folder
from lab.base.jobs import Cancelled
from lab.text.documents import borders

PIECE = 1 << 22
"""The largest number of characters of a piece of a long text."""
BEGINNING = 1 << 25
"""Number of characters of the beginning, which a tokenizer is fitted to."""
BLOCK = 1 << 20
"""About the number of characters of documents that are joined at once."""
CACHED_FILES = 200
"""The number of files whose pass is cached; the oldest are removed."""

_FORM = 1  # raise when the same file would give another pass
_SETTLED = 2.0  # seconds after which a change shows in the time stamp on every file system
_CODE_POINTS = 0x110000


def read_long(
    source: Path,
    pieces: Callable[[], Iterator[str]],
    name: str,
    facts: Mapping[str, Any],
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], None] = lambda _, __: None,
) -> LongText:
    r"""Return the text of a file or folder that is too long for memory.

    Args:
        source: Its path; size and time stamp show whether it is unchanged since the last pass.
        pieces: Its text, normalised (\n at the end of lines), in any pieces of a few MiB, the same text at each call.
        name: Its name for the user.
        facts: What else determines its content.
        cancelled: Called once per piece; True ends the work.
        progress: Called with the bytes that were read, and their total.

    Returns:
        The text in pieces of up to PIECE characters that end after the end of a line if they hold one.

    Raises:
        BadInput: The file cannot be read, or changed during reading.
        Cancelled: It was cancelled; nothing is cached.
    """
    return _read(source, lambda _: pieces(), None, name, facts, cancelled=cancelled, progress=progress)


def read_long_documents(
    source: Path,
    documents: Callable[[], Iterator[str]],
    name: str,
    facts: Mapping[str, Any],
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int, int], None] = lambda _, __: None,
) -> LongText:
    r"""Return the documents of a file or folder that are too long for memory together, as `Text.of` does.

    Args:
        source: As in `read_long`.
        documents: Yields its documents, the same at each call, one at a time in memory; blank ones are left out.
        name: As in `read_long`.
        facts: As in `read_long`.
        cancelled: As in `read_long`.
        progress: As in `read_long`.

    Raises:
        BadInput: As in `read_long`.
        Cancelled: As in `read_long`.
    """
    pieces = functools.partial(_joined, documents)
    return _read(source, pieces, array("q"), name, facts, cancelled=cancelled, progress=progress)


def _read(
    source: Path,
    pieces: Callable[[array[int] | None], Iterator[str]],
    starts: array[int] | None,
    name: str,
    facts: Mapping[str, Any],
    *,
    cancelled: Callable[[], bool],
    progress: Callable[[int, int], None],
) -> LongText:
    """Return a long text; `pieces` adds the start of each document to `starts` if it has some."""
    started = time.time()
    stamp = _stamp(source, name)
    kind = [] if starts is None else ["documents"]
    key = json.dumps([_FORM, BEGINNING, PIECE, *stamp, facts, *kind], sort_keys=True, default=str)
    cache_file = cache_folder() / "long-files" / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"
    found = _cached(cache_file, starts)
    if found is None:
        total = sum(size for _, size, _ in stamp[1])
        found = _pass(at_line_ends(pieces(starts), PIECE), starts, total, cancelled, progress)
        if _stamp(source, name) != stamp:
            raise BadInput("changed while it was read", field="corpus", value=name, remedy="Open it again")
        if started - max(changed for _, _, changed in stamp[1]) / 1e9 > _SETTLED:
            _store(cache_file, found, starts)
    later = found.pop("later")
    cut = functools.partial(_cut, pieces)
    return LongText(cut, name, _beginning(cut()) + later, **found, facts=facts, starts=() if starts is None else starts)


def _joined(documents: Callable[[], Iterator[str]], starts: array[int] | None) -> Iterator[str]:
    """Yield documents with a line break between two of them, in pieces; add the position of each to `starts`."""
    position, size, gathered = 0, 0, list[str]()
    for body in documents():
        if not body or body.isspace():
            continue
        if position:
            gathered.append("\n")
        if starts is not None:
            starts.append(position)
        gathered.append(body)
        position += len(body) + 1
        size += len(body) + 1
        if size >= BLOCK:
            yield "".join(gathered)
            gathered, size = [], 0
    if gathered:
        yield "".join(gathered)


def at_line_ends(chunks: Iterable[str], size: int) -> Iterator[str]:
    """Yield a text in pieces of up to `size` characters, cut after the last end of a line in each, or anywhere.

    The cuts depend on the text alone, not on its chunks.
    """
    held = ""
    for chunk in chunks:
        held += chunk
        start = 0
        while len(held) - start >= size:
            end = held.rfind("\n", start, start + size) + 1 or start + size
            yield held[start:end]
            start = end
        held = held[start:]
    if held:
        yield held


def _cut(pieces: Callable[[array[int] | None], Iterator[str]]) -> Iterator[str]:
    return at_line_ends(pieces(None), PIECE)


def _beginning(pieces: Iterator[str]) -> str:
    parts, wanted = [], BEGINNING
    for piece in pieces:
        parts.append(piece[:wanted])
        wanted -= len(parts[-1])
        if not wanted:
            break
    return "".join(parts)


def _pass(
    pieces: Iterator[str],
    starts: array[int] | None,
    total: int,
    cancelled: Callable[[], bool],
    progress: Callable[[int, int], None],
) -> dict[str, Any]:
    """Return the fields of LongText, and "later": each character that is not in its beginning."""
    digest, characters, size = hashlib.sha256(), 0, 0
    early, seen = np.zeros(_CODE_POINTS, bool), np.zeros(_CODE_POINTS, bool)
    for piece in pieces:
        if cancelled():
            raise Cancelled
        data = piece.encode()
        digest.update(data)
        if characters < BEGINNING:
            _note(early, piece[: BEGINNING - characters].encode())
        _note(seen, data)
        characters += len(piece)
        size += len(data)
        progress(min(size, total), total)
    for data in borders(starts or ()):
        digest.update(data)
    later = np.flatnonzero(seen & ~early).astype("<u4").tobytes().decode("utf-32-le")
    return {"characters": characters, "bytes": size, "sha256": digest.hexdigest(), "later": later}


def _note(seen: NDArray[np.bool_], data: bytes) -> None:
    """Mark the characters that UTF-8 data holds. Known ASCII is removed first: it is nearly all, and this is fast."""
    known = np.flatnonzero(seen[:128]).astype(np.uint8).tobytes()
    rest = data.translate(None, known).decode()
    seen[np.frombuffer(rest.encode("utf-32-le"), "<u4")] = True


def _stamp(source: Path, name: str) -> tuple[str, list[tuple[str, int, int]]]:
    """Return the path of a file or folder, and (path, bytes, nanoseconds of the last change) of all its files."""
    try:
        path = source.resolve(strict=True)
        files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
        stats = [(file, file.stat()) for file in files]
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise BadInput(what, field="corpus", value=name, remedy="Check that file and its disk") from None
    return str(path), [(file.relative_to(path).as_posix(), stat.st_size, stat.st_mtime_ns) for file, stat in stats]


def _cached(file: Path, starts: array[int] | None) -> dict[str, Any] | None:
    """Return the result of an earlier pass, and fill `starts`; None if there is none, or if it is damaged."""
    kinds = {"characters": int, "bytes": int, "sha256": str, "later": str}
    try:
        found = read_json(file)
        stored = None if starts is None else _starts_file(file).read_bytes()
    except (OSError, ValueError):
        return None
    if not isinstance(found, dict) or {name: type(value) for name, value in found.items()} != kinds:
        return None
    if starts is not None and stored is not None:
        if not stored or len(stored) % starts.itemsize:
            return None
        starts.frombytes(stored)
    return found


def _starts_file(file: Path) -> Path:
    return file.with_suffix(".starts")


def _store(file: Path, found: Mapping[str, Any], starts: array[int] | None) -> None:
    """Cache the result of a pass. If that fails the next opening takes another pass."""
    try:
        make_folder(file.parent)
        if starts is not None:
            write_file(_starts_file(file), starts.tobytes())
        write_json(file, found)
        for old in sorted(file.parent.glob("*.json"), key=lambda other: other.stat().st_mtime)[:-CACHED_FILES]:
            old.unlink()
            _starts_file(old).unlink(missing_ok=True)
    except (LabError, OSError):
        pass
