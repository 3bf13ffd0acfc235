"""Corpora from what people bring: a file, a folder, pasted text. Every fault is told with its place and a remedy."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from lab.api import BadInput, ModelConfig, Problem, Text, setting
from lab.text.encodings import decoded

SUFFIXES = frozenset({".txt", ".text", ".md", ".markdown", ".rst"})
"""What a text file in a folder is recognised by; a single file may be called anything."""

MEMORY_PER_BYTE = 13
"""Bytes of memory that a byte of text takes at most on its way to tokens: up to 4 as text, 8 as int64, 1 as stored."""

_NAMED = 20  # skipped files that the facts name; the others are counted


class FileConfig(ModelConfig):
    """Where the text lies."""

    path: str = setting(
        help="A UTF-8 text file, or a folder whose text files (.txt, .text, .md, .markdown, .rst) are joined.",
        min_length=1,
    )


class PastedConfig(ModelConfig):
    """The text itself."""

    text: str = setting(help="The text to learn from; it becomes part of the recipe.")


def read_file(config: FileConfig) -> Text:
    """The text of a file, or of all text files of a folder in the order of their relative paths.

    Hidden files and folders are left out, links to folders are not followed, files of a folder that cannot be read
    or are no UTF-8 are skipped and named in the facts. Files of a folder are joined with a blank line.

    Raises:
        BadInput: Nothing usable lies there, or more than the memory holds; about "corpus.path".
    """
    field, value = "corpus.path", config.path
    with _told(field, value):
        path = Path(config.path).expanduser()
        name = path.name or path.resolve().name or "corpus"
        if path.is_dir():
            text, facts = _read_folder(path, field, value)
        elif path.exists() and not path.is_file():
            raise BadInput("is neither a file nor a folder", field=field, value=value, remedy="Choose a text file")
        else:
            _check_memory(path.stat().st_size, field, value)
            text, notes = decoded(path.read_bytes(), field=field, value=value)
            facts = {"normalised": notes}
    _refuse_blank(text, field, value)
    return Text(text, name, facts=facts)


def read_pasted(config: PastedConfig) -> Text:
    """The text that the config itself carries.

    Raises:
        BadInput: It is empty or no text; about "corpus.text".
    """
    field, value = "corpus.text", repr(config.text[:40])
    try:
        data = config.text.encode()
    except UnicodeEncodeError as error:
        what = f"holds half of a surrogate pair, U+{ord(config.text[error.start]):04X}, at character {error.start}"
        raise BadInput(what, field=field, value=value, remedy="Remove that character") from None
    text, notes = decoded(data, field=field, value=value)
    _refuse_blank(text, field, value)
    return Text(text, "pasted text", facts={"normalised": notes})


def _read_folder(folder: Path, field: str, value: str) -> tuple[str, dict[str, Any]]:
    kinds = f"files ending in {', '.join(sorted(SUFFIXES))}"
    refused: list[OSError] = []
    files = _text_files(folder, refused)
    if not files:
        if refused:
            raise refused[0]
        remedy = "Choose a folder with text files, or one file of any name"
        raise BadInput("holds no text file", field=field, value=value, allowed=kinds, remedy=remedy)
    skipped = [f"{Path(error.filename).relative_to(folder).as_posix()}: {error.strerror}" for error in refused]
    _check_memory(sum(file.stat().st_size for file in files if file.is_file()), field, value)
    parts: list[str] = []
    normalised: set[str] = set()
    for file in files:
        name = file.relative_to(folder).as_posix()
        try:
            if not file.is_file():
                raise BadInput("is no regular file, or a link to nothing")  # noqa: TRY301 - told like the other faults
            text, notes = decoded(file.read_bytes(), field=field, value=value)
        except BadInput as error:
            skipped.append(f"{name}: {error.problem.what}")
        except OSError as error:
            skipped.append(f"{name}: {error.strerror}")
        else:
            normalised.update(notes)
            parts.append(text.rstrip("\n"))
    if not parts:
        what = f"holds no text file that can be read; the first of {len(skipped)}: {skipped[0]}"
        raise BadInput(what, field=field, value=value, allowed=kinds, remedy="Save its files again as UTF-8")
    text = "\n\n".join(part for part in parts if part) + "\n"
    return text, {
        "normalised": sorted(normalised),
        "files": len(parts),
        "skipped": len(skipped),
        "skipped_files": skipped[:_NAMED],
    }


def _text_files(folder: Path, refused: list[OSError]) -> list[Path]:
    """The text files below a folder by relative path; folders that may not be listed go to `refused`."""
    found = []
    for place, folders, files in os.walk(folder, onerror=refused.append):  # links to folders are not followed
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [
            Path(place, name)
            for name in files
            if not name.startswith(".") and os.path.splitext(name)[1].lower() in SUFFIXES  # noqa: PTH122 - a bare name
        ]
    return sorted(found, key=lambda file: file.relative_to(folder).as_posix())


def _check_memory(size: int, field: str, value: str) -> None:
    import psutil  # type: ignore[import-untyped]

    free = psutil.virtual_memory().available
    if size * MEMORY_PER_BYTE > free:
        raise BadInput(
            f"is too large for this machine: {size / 1e6:.0f} MB of text need {size * MEMORY_PER_BYTE / 1e6:.0f} MB "
            f"of memory, {free / 1e6:.0f} MB are free",
            field=field,
            value=value,
            allowed=f"at most {free / MEMORY_PER_BYTE / 1e6:.0f} MB of text now",
            remedy="Take a part of it, or close other programs",
        )


def _refuse_blank(text: str, field: str, value: str) -> None:
    if not text or text.isspace():
        what = "holds nothing but white space" if text else "is empty"
        raise BadInput(what, field=field, value=value, remedy="Give some text; a few thousand characters are a start")


@contextlib.contextmanager
def _told(field: str, value: str) -> Iterator[None]:
    """Turns the operating system's refusal to read into a BadInput with a remedy."""
    try:
        yield
    except FileNotFoundError:
        problem = Problem("there is no such file or folder", remedy=f"Relative paths start from {Path.cwd()}")
    except PermissionError:
        problem = Problem("may not be read", remedy="Change its permissions, or copy it to a folder of yours")
    except OSError as error:
        problem = Problem(f"cannot be read: {error.strerror or error}", remedy="Look at that file and its disk")
    except (ValueError, RuntimeError) as error:  # a NUL in the path; "~nobody"
        problem = Problem(f"is no path: {error}", remedy="Choose a file or folder")
    else:
        return
    raise BadInput(replace(problem, field=field, value=value))
