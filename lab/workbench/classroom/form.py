"""The form of a page in a browser (multipart/form-data, RFC 7578), read piece by piece: one text and one file."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import BinaryIO

PIECE = 2**16
"""Bytes read at once."""
LONGEST_HEAD, LONGEST_TEXT = 2**13, 2**12
"""Most bytes of the head of a part, and of a text."""
MOST_PARTS = 10

_BOUNDARY = re.compile(r'boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))', re.IGNORECASE)
_NAME = re.compile(rb'^content-disposition:[^\n]*;\s*name="([^"\r\n]{1,40})"', re.IGNORECASE | re.MULTILINE)


def boundary_of(content_type: str) -> bytes | None:
    """Return the boundary between the parts of a form; None if this is the type of something else."""
    found = _BOUNDARY.search(content_type) if content_type.lower().startswith("multipart/form-data") else None
    return None if found is None else (found[1] or found[2]).encode("latin-1", "replace")


def read_form(read: Callable[[int], bytes], boundary: bytes, file: str, target: BinaryIO) -> dict[str, str]:
    """Read a form, and write the content of its file.

    Args:
        read: Returns at most so many bytes of the form; b"" at its end.
        boundary: The boundary between its parts.
        file: The name of the part that is the file.
        target: Where the file is written.

    Returns:
        The texts of the other parts by name.

    Raises:
        ValueError: It is no such form, or a text in it is too long.
        OSError: The file cannot be written.
    """
    form = _Form(read)
    texts: dict[str, str] = {}
    delimiter = b"\r\n--" + boundary
    form.put_back(b"\r\n")  # the first boundary follows no line
    form.until(delimiter, _nowhere)
    for _ in range(MOST_PARTS):
        end = form.take(2)
        if end == b"--":
            return texts
        if end != b"\r\n":
            raise ValueError("a part of the form does not begin where it should")
        form.put_back(b"\r\n")
        head = _Collected(LONGEST_HEAD)
        form.until(b"\r\n\r\n", head.write)
        found = _NAME.search(bytes(head.content).replace(b"\r\n", b"\n"))
        name = "" if found is None else found[1].decode(errors="replace")
        if name == file:
            form.until(delimiter, target.write)
        else:
            text = _Collected(LONGEST_TEXT)
            form.until(delimiter, text.write)
            texts[name] = text.content.decode(errors="replace")
    raise ValueError("the form has too many parts")


class _Form:
    def __init__(self, read: Callable[[int], bytes]) -> None:
        self._read, self._held = read, bytearray()

    def put_back(self, content: bytes) -> None:
        self._held[:0] = content

    def take(self, count: int) -> bytes:
        while len(self._held) < count:
            self._fill()
        taken = bytes(self._held[:count])
        del self._held[:count]
        return taken

    def until(self, end: bytes, write: Callable[[bytes], object]) -> None:
        """Pass on what comes before an end, and drop the end."""
        while True:
            index = self._held.find(end)
            certain = index if index >= 0 else max(0, len(self._held) - len(end) + 1)
            if certain:
                write(bytes(self._held[:certain]))
                del self._held[:certain]
            if index >= 0:
                del self._held[: len(end)]
                return
            self._fill()

    def _fill(self) -> None:
        piece = self._read(PIECE)
        if not piece:
            raise ValueError("the form ends too early")
        self._held += piece


class _Collected:
    def __init__(self, limit: int) -> None:
        self.content, self._limit = bytearray(), limit

    def write(self, piece: bytes) -> None:
        self.content += piece
        if len(self.content) > self._limit:
            raise ValueError("a text in the form is too long")


def _nowhere(piece: bytes) -> None:
    del piece
