"""Texts too long for memory: one pass over their pieces says how long they are, what they hash to and how they begin.

What the pass found is kept in the cache folder, so that the same file is open at once the next time.
"""

from __future__ import annotations

import functools
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, LabError, LongText
from lab.base.folders import cache_folder
from lab.base.jobs import Cancelled
from lab.base.writing import make_folder, write_json

PIECE = 1 << 22
"""Characters of a piece of a long text, at most."""
BEGINNING = 1 << 25
"""Characters of the beginning that a tokenizer is fitted to."""
KEPT = 200
"""Files whose pass is remembered; the oldest are forgotten."""

_FORM = 1  # raise when the same file would give another pass
_SETTLED = 2.0  # seconds behind which a change of a file shows in its time stamp on every file system
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
    r"""The text of a file or folder that is too long for memory.

    Args:
        source: Where it lies; its size and time stamp tell whether it is the one that was read before.
        pieces: Its text, normalised (\n at the end of lines), in any pieces of a few MiB, the same text at each call.
        name: What people call it.
        facts: What else decides its content.
        cancelled: Asked once per piece; True ends it.
        progress: Told the bytes that were read, and of how many.

    Returns:
        The text in pieces of up to PIECE characters that end behind the end of a line wherever they hold one.

    Raises:
        BadInput: The file cannot be read, or changed while it was.
        Cancelled: It was cancelled; nothing is kept.
    """
    begun = time.time()
    stamp = _stamp(source, name)
    cut = functools.partial(_cut, pieces)
    key = json.dumps([_FORM, BEGINNING, PIECE, *stamp, facts], sort_keys=True, default=str)
    kept = cache_folder() / "long-files" / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.json"
    found = _kept(kept)
    if found is None:
        whole = sum(size for _, size, _ in stamp[1])
        found = _pass(cut(), whole, cancelled, progress)
        if _stamp(source, name) != stamp:
            raise BadInput("changed while it was read", field="corpus", value=name, remedy="Open it again")
        if begun - max(changed for _, _, changed in stamp[1]) / 1e9 > _SETTLED:
            _keep(kept, found)
    later = found.pop("later")
    return LongText(cut, name, _beginning(cut()) + later, **found, facts=facts)


def at_line_ends(chunks: Iterable[str], size: int) -> Iterator[str]:
    """A text in pieces of up to `size` characters, cut behind the last end of a line in each, or else anywhere.

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


def _cut(pieces: Callable[[], Iterator[str]]) -> Iterator[str]:
    return at_line_ends(pieces(), PIECE)


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
    whole: int,
    cancelled: Callable[[], bool],
    progress: Callable[[int, int], None],
) -> dict[str, Any]:
    """What LongText says of the text, and "later": each character that does not stand in its beginning."""
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
        progress(min(size, whole), whole)
    later = np.flatnonzero(seen & ~early).astype("<u4").tobytes().decode("utf-32-le")
    return {"characters": characters, "bytes": size, "sha256": digest.hexdigest(), "later": later}


def _note(seen: NDArray[np.bool_], data: bytes) -> None:
    """Notes which characters UTF-8 holds. ASCII that is known is left out first: that is nearly all, and fast."""
    known = np.flatnonzero(seen[:128]).astype(np.uint8).tobytes()
    rest = data.translate(None, known).decode()
    seen[np.frombuffer(rest.encode("utf-32-le"), "<u4")] = True


def _stamp(source: Path, name: str) -> tuple[str, list[tuple[str, int, int]]]:
    """Where a file or folder lies, and (path, bytes, nanoseconds of the last change) of all its files."""
    try:
        place = source.resolve(strict=True)
        files = sorted(file for file in place.rglob("*") if file.is_file()) if place.is_dir() else [place]
        stats = [(file, file.stat()) for file in files]
    except OSError as error:
        what = f"cannot be read: {error.strerror or error}"
        raise BadInput(what, field="corpus", value=name, remedy="Look at that file and its disk") from None
    return str(place), [(file.relative_to(place).as_posix(), stat.st_size, stat.st_mtime_ns) for file, stat in stats]


def _kept(file: Path) -> dict[str, Any] | None:
    """What an earlier pass found; None where nothing is kept, or it is damaged."""
    kinds = {"characters": int, "bytes": int, "sha256": str, "later": str}
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    if not isinstance(found, dict) or {name: type(value) for name, value in found.items()} != kinds:
        return None
    return found


def _keep(file: Path, found: Mapping[str, Any]) -> None:
    """Keeps what a pass found. Where that cannot be written the next opening takes another pass."""
    try:
        make_folder(file.parent)
        write_json(file, found)
        for old in sorted(file.parent.glob("*.json"), key=lambda other: other.stat().st_mtime)[:-KEPT]:
            old.unlink()
    except (LabError, OSError):
        pass
