"""The text of formatted documents: HTML, PDF, Word. Nothing in them runs, no link is followed."""

from __future__ import annotations

import logging
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from typing import Any

from lab.api import BadInput
from lab.base.extras import need
from lab.base.files.reading import open_regular
from lab.text.readers.base import Given, Reading, encoding_facts

HTML_BYTES = 1 << 24
"""The largest size of an HTML page in bytes: its tree takes about thirty times as much memory."""
WORD_BYTES = 1 << 28
"""The largest unpacked size of a Word file in bytes, including pictures."""

_UNSEEN = ("script", "style", "template", "noscript", "title")
_BLOCKS = (
    "address article aside blockquote body br caption dd details div dl dt fieldset figcaption figure footer form "
    "h1 h2 h3 h4 h5 h6 header hr legend li main nav ol option p pre section summary table tbody tfoot thead tr ul"
)
_LINES = frozenset(_BLOCKS.split())
_SPACE = re.compile(r"[ \t\n\f]+")
_SPACES = re.compile(r" {2,}")
_AROUND_TABS = re.compile(r" *\t *")
_XML = re.compile(r"\s*<\?xml[^>]*>")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # the start of Word files that are old or have a password


def read_html(given: Given) -> Reading:
    """Read the visible text of a page: a line per paragraph, heading, item and table row; cells separated by tabs.

    Raises:
        BadInput: It is not text, or too large.
        OSError: It cannot be read.
    """
    _check_size(given, given.path.stat().st_size, HTML_BYTES, "HTML")
    text = given.encoded(declares=True)

    def pieces(_: Counter[str]) -> Iterator[str]:
        yield _shown("".join(text.pieces()))

    return Reading(pieces, encoding_facts("html", text))


def _shown(markup: str) -> str:
    """Return the lines of a page, in one walk over its tree at any depth of nesting."""
    from bs4 import BeautifulSoup
    from bs4.element import NavigableString, Tag

    page = BeautifulSoup(_XML.sub("", markup, count=1) + "\n", "html.parser")
    lines: list[str] = []
    line: list[str] = []

    def end_line() -> None:
        text = "".join(line)
        text = text.rstrip() if as_written else _AROUND_TABS.sub("\t", _SPACES.sub(" ", text)).strip(" \t")
        if text:
            lines.append(text)
        line.clear()

    open_tags: list[Tag] = [page]
    children = [iter(page.contents)]
    as_written = 0  # how many <pre> are open
    while children:
        node = next(children[-1], None)
        if node is None:
            tag = open_tags.pop()
            children.pop()
            if tag.name in _LINES:
                end_line()
            elif tag.name in ("td", "th"):
                line.append("\t")
            as_written -= tag.name == "pre"
        elif isinstance(node, Tag):
            if node.name in _UNSEEN:
                continue
            if node.name in _LINES:
                end_line()
            as_written += node.name == "pre"
            open_tags.append(node)
            children.append(iter(node.contents))
        elif type(node) is not NavigableString:
            continue  # a comment, a declaration
        elif as_written:
            first, *others = node.split("\n")
            line.append(first)
            for other in others:
                end_line()
                line.append(other)
        else:
            line.append(_SPACE.sub(" ", node))
    end_line()
    return "".join(f"{one}\n" for one in lines).replace("\0", "")


def read_pdf(given: Given) -> Reading:
    """Read the text of a PDF page by page; pictures of text are not read.

    Raises:
        BadInput: It is not a PDF or damaged, has a password, or holds only pictures.
        OSError: It cannot be read.
    """
    with open_regular(given.path) as file:
        pages = len(_pages(given, file))

    def pieces(_: Counter[str]) -> Iterator[str]:
        with open_regular(given.path) as file:
            found = False
            for number, page in enumerate(_pages(given, file), 1):
                try:
                    text = page.extract_text()
                except Exception as error:  # noqa: BLE001 - a damaged file may raise anything
                    raise _damaged(given, "PDF", f"page {number}: {error}") from None
                # fonts without a character table give halves of surrogate pairs
                text = text.replace("\0", "").encode(errors="replace").decode().strip("\n")
                if text and not text.isspace():
                    found = True
                    yield text + "\n"
            if not found:
                what = f"holds no text on its {pages} pages: they are pictures, or empty"
                raise given.problem(what, "Run text recognition (OCR) over it first")

    return Reading(pieces, {"reader": "pdf", "pages": pages})


def _pages(given: Given, file: Any) -> list[Any]:
    """Return the pages of an open PDF, decrypted if it can be read without a password."""
    import pypdf
    from pypdf.errors import DependencyError

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # its warnings are not for users
    try:
        reader = pypdf.PdfReader(file)
        locked = reader.is_encrypted and not reader.decrypt("")
        pages = [] if locked else list(reader.pages)
    except DependencyError:
        raise given.problem("is encrypted", 'To read it install: pip install "lm-lab[documents]"') from None
    except Exception as error:  # noqa: BLE001 - the same
        raise _damaged(given, "PDF", str(error)) from None
    if locked:
        raise given.problem("is locked with a password", "Save it without one")
    if not pages:
        raise _damaged(given, "PDF", "it has no pages")
    return pages


def read_docx(given: Given) -> Reading:
    """Read the text of a Word file (.docx): a line per paragraph and table row, without headers, notes and text boxes.

    Raises:
        BadInput: It is not such a file or damaged, has a password, is too large, or python-docx is not installed.
        OSError: It cannot be read.
    """
    docx = need("docx", "documents", "A Word file")
    with open_regular(given.path) as file:
        if file.read(len(_OLE)) == _OLE:
            what = "is locked with a password, or is an old Word file (.doc)"
            raise given.problem(what, "Save it as .docx without a password")
    try:
        with zipfile.ZipFile(given.path) as packed:
            size = sum(member.file_size for member in packed.infolist())
        _check_size(given, size, WORD_BYTES, "Word, unpacked")
        text = "\n".join(_lines(docx.Document(str(given.path))))
    except (BadInput, OSError):
        raise
    except Exception as error:  # noqa: BLE001 - the same
        raise _damaged(given, "Word file", str(error)) from None

    def pieces(_: Counter[str]) -> Iterator[str]:
        yield text + "\n"

    return Reading(pieces, {"reader": "docx"})


def _lines(block: Any) -> Iterator[str]:
    """Yield the paragraphs and rows of a document or of a table cell, in order."""
    for item in block.iter_inner_content():
        if not hasattr(item, "rows"):
            yield item.text
            continue
        for row in item.rows:
            cells = {id(cell._tc): cell for cell in row.cells}  # a cell that spans columns is listed for each
            yield "\t".join(" ".join(filter(None, _lines(cell))) for cell in cells.values())


def _check_size(given: Given, size: int, most: int, kind: str) -> None:
    if size > most:
        what = f"is too large: {size / 1e6:.0f} MB of {kind}"
        raise given.problem(what, "Take a part of it, or save it as plain text", f"at most {most / 1e6:.0f} MB")


def _damaged(given: Given, kind: str, why: str) -> BadInput:
    why = " ".join(why.split())[:200] or "it cannot be read"
    return given.problem(f"is not a {kind}, or is damaged: {why}", "Open it in its own program and save it again")
