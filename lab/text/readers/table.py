"""Which files can be read, by the end of their names, and the reader of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from lab.text.readers.base import Given, Reading, read_text
from lab.text.readers.documents import read_html, read_pdf, read_word
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
    ".docx": read_word,
}
"""What a file in a folder is recognised by; a single file of any other name is read as plain text."""


def open_file(given: Given) -> Reading:
    """The file looked at by the reader that its name asks for.

    Raises:
        BadInput: It cannot be used; or a column is asked for where there are none.
        OSError: It cannot be read.
    """
    suffix = suffix_of(given.path.name)
    if given.column and suffix not in TABLES:
        raise given.column_problem("this file is no table, it has no columns", [])
    return READERS.get(suffix, read_text)(given)


def suffix_of(name: str) -> str:
    """The end of a file's name in small letters: ".txt"."""
    return Path(name).suffix.lower()
