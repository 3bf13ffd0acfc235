"""Corpora from a file, a folder or pasted text. Every error names its location and a remedy."""

from __future__ import annotations

import contextlib
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from lab.api import BadInput, LongText, ModelConfig, Problem, Text, setting
from lab.text.corpora.long_files import read_long, read_long_documents
from lab.text.readers.base import Given, Reading
from lab.text.readers.encodings import encoded
from lab.text.readers.table import READERS, TABLES, open_file, suffix_of

LONG = 64 << 20
"""Characters beyond which a text is read piece by piece instead of held in memory."""

MEMORY_PER_BYTE = 13
"""Bytes of memory per byte of text while it is tokenized: up to 4 as text, 8 as int64, 1 as stored."""

_NAMED = 20  # skipped files that the facts name; others are counted
_FIELD = "corpus.path"


class FileConfig(ModelConfig):
    """The path of a text."""

    path: str = setting(
        path=True,
        help="A file of text, code, CSV, JSON lines, Parquet, HTML, PDF or Word, or a folder whose files of these "
        "kinds are joined. UTF-8 is read unchanged, other encodings are detected and named.",
        min_length=1,
    )
    column: str = setting(
        "",
        help="The column of a table with the text. Empty: the one called text, content or body, or the only one with "
        "text; for CSV otherwise all columns, joined by tabs.",
    )
    documents: bool = setting(
        False,
        help="Treat each row of a table and each file of a folder as a document of its own, which ends with an end "
        "symbol. Off: one continuous text.",
    )

    @classmethod
    def unused(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the column where none is given and the path is that of a file that is not a table."""
        suffix = suffix_of(str(values.get("path", "")))
        is_plain = bool(suffix) and suffix not in TABLES
        return frozenset({"column"}) if is_plain and not values.get("column") else frozenset()


class PastedConfig(ModelConfig):
    """A text in the recipe."""

    text: str = setting(help="The text to learn from; it becomes part of the recipe.")


def read_file(config: FileConfig) -> Text | LongText:
    """Return the text of a file, or of all files of known kinds in a folder in the order of their relative paths.

    Hidden files and folders are left out, links to folders are not followed, files of a folder that cannot be read
    are skipped and named in the facts. Files of a folder are joined with a blank line, and so are the rows of a table,
    unless they are documents.

    Returns:
        A LongText if it has more than LONG characters.

    Raises:
        BadInput: It holds nothing usable, or more than the memory holds; about "corpus.path" or "corpus.column".
    """
    with errors_as_bad_input(_FIELD, config.path):
        path = Path(config.path).expanduser()
        name = path.name or path.resolve().name or "corpus"
        given = Given(path, _FIELD, config.path, config.column)
        if path.is_dir():
            reading = _open_folder(given)
        elif path.exists() and not path.is_file():
            raise given.problem("is neither a file nor a folder", "Choose a file of text")
        else:
            _check_memory(min(path.stat().st_size, LONG), given)
            reading = open_file(given)
        return text_of(reading, name, given, documents=config.documents)


def text_of(reading: Reading, name: str, given: Given, *, documents: bool = False) -> Text | LongText:
    """Return a text that was opened: in memory if it is short enough, else as a LongText.

    Args:
        reading: The opened file or folder.
        name: Its name for the user.
        given: Its path, and the field of its problems.
        documents: Whether its rows or files are documents.

    Raises:
        BadInput: It is blank or one document, or it cannot be read to its end.
        OSError: It cannot be read.
    """
    if documents:
        return _of_documents(reading, name, given)
    counts: Counter[str] = Counter()
    chunks, size = [], 0
    for piece in reading.pieces(counts):
        chunks.append(piece)
        size += len(piece)
        if size > LONG:
            del chunks
            return read_long(
                given.path, partial(_checked, lambda: reading.pieces(Counter()), given), name, reading.facts
            )
    text = "".join(chunks)
    _refuse_blank(text, given.field, given.value)
    return Text(text, name, facts=reading.facts | dict(counts))


def _of_documents(reading: Reading, name: str, given: Given) -> Text | LongText:
    """Return the documents of a text that was opened.

    Raises:
        BadInput: There are fewer than two.
    """
    bodies, size = [], 0
    for document in reading.documents():
        if not document or document.isspace():
            continue
        bodies.append(document)
        size += len(document) + 1
        if size > LONG and len(bodies) > 1:
            del bodies
            documents = partial(_checked, reading.documents, given)
            return read_long_documents(given.path, documents, name, reading.facts)
    text = Text.of(bodies, name, facts=reading.facts)
    _refuse_blank(text.text, given.field, given.value)
    if len(text.starts) < 2:
        raise BadInput(
            "there is only one document here",
            field=f"{given.field.rpartition('.')[0]}.documents",
            value="true",
            allowed="a table with several rows, or a folder with several files",
            remedy="Switch it off for one continuous text",
        )
    return text


def _checked(read: Callable[[], Iterator[str]], given: Given) -> Iterator[str]:
    with errors_as_bad_input(given.field, given.value):
        yield from read()


def read_pasted(config: PastedConfig) -> Text:
    """Return the text that the config contains.

    Raises:
        BadInput: It is empty or not text; about "corpus.text".
    """
    field, value = "corpus.text", repr(config.text[:40])
    try:
        data = config.text.encode()
    except UnicodeEncodeError as error:
        what = f"holds half of a surrogate pair, U+{ord(config.text[error.start]):04X}, at character {error.start}"
        raise BadInput(what, field=field, value=value, remedy="Remove that character") from None
    found = encoded(lambda: iter(filter(None, [data])), field=field, value=value)
    text = "".join(found.pieces())
    _refuse_blank(text, field, value)
    return Text(text, "pasted text", facts={"normalised": list(found.changes)})


def _open_folder(folder: Given) -> Reading:
    """Open the files of a folder that can be read completely, each read once."""
    kinds = f"files ending in {', '.join(READERS)}"
    refused: list[OSError] = []
    files = _known_files(folder.path, refused)
    if not files:
        if refused:
            raise refused[0]
        raise folder.problem("holds no file of text", "Choose a folder with texts, or one file of any name", kinds)
    skipped = [f"{Path(error.filename).relative_to(folder.path).as_posix()}: {error.strerror}" for error in refused]
    size = sum(file.stat().st_size for file in files if file.is_file())
    _check_memory(min(size, LONG), folder)
    good: list[Callable[[], Iterator[str]]] = []
    readings: list[Reading] = []
    facts: dict[str, set[str]] = {"reader": set(), "encoding": set(), "normalised": set()}
    counts: Counter[str] = Counter()
    held = 0
    for file in files:
        name = file.relative_to(folder.path).as_posix()
        given = replace(folder, path=file, column=folder.column if suffix_of(name) in TABLES else "")
        try:
            if not file.is_file():
                raise given.problem("is not a regular file, or a dangling link", "")
            reading = open_file(given)
            found: Counter[str] = Counter(pages=reading.facts.get("pages", 0))
            chunks: list[str] = []
            for piece in _without_last_newlines(reading.pieces(found)):
                held += len(piece)
                if held <= LONG:
                    chunks.append(piece)
        except BadInput as error:
            skipped.append(f"{name}: {error.problem.what}")
        except OSError as error:
            skipped.append(f"{name}: {error.strerror}")
        else:
            for fact, values in facts.items():
                value = reading.facts.get(fact, [])
                values.update([value] if isinstance(value, str) else value)
            counts.update(found)
            good.append(_again(reading, chunks if held <= LONG else None))
            readings.append(reading)
    if not good:
        what = f"holds no file that can be read; the first of {len(skipped)}: {skipped[0]}"
        raise folder.problem(what, "Save its files again as UTF-8 text", kinds)

    def pieces(_: Counter[str]) -> Iterator[str]:
        started = False
        for file_pieces in good:
            fresh = started
            for piece in file_pieces():
                yield f"\n\n{piece}" if fresh else piece
                fresh, started = False, True
        yield "\n"

    return Reading(
        pieces,
        {
            "reader": ", ".join(sorted(facts["reader"])),
            "encoding": ", ".join(sorted(facts["encoding"])),
            "normalised": sorted(facts["normalised"]),
            **{name: count for name, count in counts.items() if count},
            "files": len(good),
            "skipped": len(skipped),
            "skipped_files": skipped[:_NAMED],
        },
        lambda: (document for reading in readings for document in reading.documents()),
    )


def _again(reading: Reading, chunks: list[str] | None) -> Callable[[], Iterator[str]]:
    """Return a function that yields the text of a file of a folder, from memory or by reading it again."""
    return lambda: _without_last_newlines(reading.pieces(Counter())) if chunks is None else iter(chunks)


def _without_last_newlines(pieces: Iterator[str]) -> Iterator[str]:
    held = ""
    for piece in pieces:
        body = (held + piece).rstrip("\n")
        held = (held + piece)[len(body) :]
        if body:
            yield body


def _known_files(folder: Path, refused: list[OSError]) -> list[Path]:
    """Return the files of known kinds below a folder by relative path; unreadable folders go to `refused`."""
    found = []
    for directory, folders, files in os.walk(folder, onerror=refused.append):  # links to folders are not followed
        folders[:] = [name for name in folders if not name.startswith(".")]
        found += [Path(directory, name) for name in files if not name.startswith(".") and suffix_of(name) in READERS]
    return sorted(found, key=lambda file: file.relative_to(folder).as_posix())


def _check_memory(size: int, given: Given) -> None:
    import psutil  # type: ignore[import-untyped]

    free = psutil.virtual_memory().available
    if size * MEMORY_PER_BYTE > free:
        what = (
            f"is too large for this machine: {size / 1e6:.0f} MB of text need {size * MEMORY_PER_BYTE / 1e6:.0f} MB "
            f"of memory, {free / 1e6:.0f} MB are free"
        )
        allowed = f"at most {free / MEMORY_PER_BYTE / 1e6:.0f} MB of text now"
        raise given.problem(what, "Use a part of it, or close other programs", allowed)


def _refuse_blank(text: str, field: str, value: str) -> None:
    if not text or text.isspace():
        what = "holds nothing but white space" if text else "is empty"
        raise BadInput(what, field=field, value=value, remedy="Give some text; a few thousand characters are a start")


@contextlib.contextmanager
def errors_as_bad_input(field: str, value: str) -> Iterator[None]:
    """Turn errors of the operating system into BadInput with a remedy, and add the field and value of the problem."""
    try:
        yield
    except BadInput as error:
        if error.problem.field is not None:
            raise
        problem = error.problem
    except FileNotFoundError:
        problem = Problem("there is no such file or folder", remedy=f"Relative paths start from {Path.cwd()}")
    except PermissionError:
        problem = Problem("may not be read", remedy="Change its permissions, or copy it to a folder of your own")
    except OSError as error:
        problem = Problem(f"cannot be read: {error.strerror or error}", remedy="Check that file and its disk")
    except (ValueError, RuntimeError) as error:  # a NUL in the path; "~nobody"
        problem = Problem(f"is not a path: {error}", remedy="Choose a file or folder")
    else:
        return
    raise BadInput(replace(problem, field=field, value=value)) from None
