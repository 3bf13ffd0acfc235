"""The pictures of a lesson: files of its own folder, of a bounded size, whose dimensions are read beforehand."""

from __future__ import annotations

import os
import struct
from pathlib import Path

from lab.base.files.reading import is_link, open_regular, read_bytes

LARGEST = 4 * 2**20
"""Most bytes of a picture."""
WIDEST = 4096
"""Most pixels of a side."""
_PNG = b"\x89PNG\r\n\x1a\n"


def picture_problem(folder: Path, name: str) -> str | None:
    """Return what is wrong with a picture that a text of the folder names, as a sentence; None if it can be shown."""
    if "://" in name or name.startswith(("/", "\\", "data:", "file:")) or ".." in Path(name).parts or "\0" in name:
        return "a picture has to be a file in the folder of the lesson"
    path = folder / name
    try:
        if any(is_link(folder.joinpath(*Path(name).parts[: depth + 1])) for depth in range(len(Path(name).parts))):
            return "a picture may not be a link to another file"
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            head = file.read(32)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        return f"the picture cannot be read: {reason or error}"
    if size > LARGEST:
        return f"the picture has {size / 2**20:.0f} MiB, and at most {LARGEST / 2**20:.0f} are allowed"
    if not head.startswith(_PNG) or len(head) < 24:
        return "the picture is no PNG file"
    width, height = struct.unpack(">II", head[16:24])
    if not 0 < width <= WIDEST or not 0 < height <= WIDEST:
        return f"the picture has {width} × {height} pixels, and a side may have {WIDEST}"
    return None


def read_picture(folder: Path, file: Path) -> bytes:
    """Return a picture of a lesson; b"" if it may not be shown.

    Args:
        folder: The folder of the lesson.
        file: The path of the picture, which a text may have made up.
    """
    try:
        if picture_problem(folder, file.relative_to(folder).as_posix()) is None:
            return read_bytes(file, LARGEST)
    except (OSError, ValueError):  # it is elsewhere, or has changed since
        pass
    return b""
