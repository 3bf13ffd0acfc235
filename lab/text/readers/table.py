"""The table of readers by the suffix of a file's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from lab.text.readers.base import Given, Reading, read_text
from lab.text.readers.documents import read_docx, read_html, read_pdf
from lab.text.readers.tables import read_csv, read_json_lines, read_parquet

Reader = Callable[[Given], Reading]

TEXT = (".txt", ".text", ".md", ".markdown", ".rst", ".tex")
CODE = (
    ".py .pyi .c .h .cc .cpp .cxx .hpp .cs .java .kt .scala .js .mjs .ts .jsx .tsx .go .rs .swift .rb .php .pl .lua .r "
    ".jl .hs .ml .lisp .clj .erl .ex .sh .sql"
)
TABLES: Mapping[str, Reader] = {
    ".csv": read_csv,
    ".tsv": read_csv,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".parquet": read_parquet,
}
READERS: Mapping[str, Reader] = {
    **dict.fromkeys((*TEXT, *CODE.split()), read_text),
    **TABLES,
    **dict.fromkeys((".html", ".htm", ".xhtml"), read_html),
    ".pdf": read_pdf,
    ".docx": read_docx,
}
"""Readers by suffix; a single file with any other suffix is read as plain text."""


def open_file(given: Given) -> Reading:
    """Open the file with the reader for its suffix.

    Raises:
        BadInput: It cannot be used; or a column is named and it has none.
        OSError: It cannot be read.
    """
    suffix = suffix_of(given.path.name)
    if given.column and suffix not in TABLES:
        raise given.column_problem("this file is not a table and has no columns", [])
    return READERS.get(suffix, read_text)(given)


def suffix_of(name: str) -> str:
    """Return the suffix of a file's name in lower case: ".txt"."""
    return Path(name).suffix.lower()
