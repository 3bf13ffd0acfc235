"""Summaries of corpora, shown to the user."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.api import Examples, LongText, Rows, Text
from lab.base.problems import LabError
from lab.shell.session.draft import Draft
from lab.widgets.core.i18n import number_text, tr, tr_n, tr_registered

NAMED = 3
"""Most skipped files that are named; the others are counted."""


def corpus_name(draft: Draft) -> str:
    """Return the name of the corpus of a draft, as far as it is known before the corpus is read."""
    try:
        resolved = draft.card("corpus")
    except LabError:  # its card is gone
        return draft.recipe.corpus.name
    path = resolved.config.stored().get("path")
    if isinstance(path, str) and path:
        return Path(path).name or path
    download = resolved.config.stored().get("download")
    return download if isinstance(download, str) and download else tr_registered(str(resolved.card.title))


def corpus_summary(given: Text | LongText | Examples | Rows) -> str:
    """Return a one-line summary of a corpus: its reader, its length, and what was left out."""
    if isinstance(given, Examples):
        return tr(
            "{v} symbols, examples of up to {n} tokens", v=number_text(len(given.symbols)), n=number_text(given.longest)
        )
    if isinstance(given, Rows):
        return tr_n("1 row", "{n} rows", len(given))
    count = given.characters if isinstance(given, LongText) else len(given.text)
    how = reader_facts(given.facts)
    parts = [*([how] if how else []), tr_n("1 character", "{n} characters", count)]
    if given.starts:
        parts.append(tr_n("1 document", "{n} documents", len(given.starts)))
    if given.dropped:
        parts.append(tr_n("1 character left out", "{n} characters left out", given.dropped))
    return "; ".join([", ".join(parts), *skipped_files(given.facts)])


def reader_facts(facts: Mapping[str, Any]) -> str:
    """Return the reader of a file, its encoding, and its counts of files, rows or pages; "" if nothing is known."""
    parts = [str(facts["reader"])] if facts.get("reader") else []
    parts += [str(facts["encoding"])] if facts.get("encoding") else []
    if isinstance(facts.get("column"), str) and facts["column"]:
        parts.append(tr("column: {name}", name=facts["column"]))
    files, rows, pages = (facts.get(name) for name in ("files", "rows", "pages"))
    parts += [tr_n("1 file", "{n} files", files)] if isinstance(files, int) else []
    parts += [tr_n("1 row", "{n} rows", rows)] if isinstance(rows, int) else []
    parts += [tr_n("1 page", "{n} pages", pages)] if isinstance(pages, int) else []
    return ", ".join(parts)


def skipped_files(facts: Mapping[str, Any]) -> list[str]:
    """Return a note about the skipped files of a folder, in a list; [] if none was skipped."""
    skipped, named = facts.get("skipped"), facts.get("skipped_files")
    if not isinstance(skipped, int) or not skipped:
        return []
    some = [str(one) for one in named[:NAMED]] if isinstance(named, list) else []
    some += ["…"] if skipped > len(some) else []
    one = tr_n("1 file skipped", "{n} files skipped", skipped)
    return [tr("{count} ({names})", count=one, names=", ".join(some))]


def breakable(text: str) -> str:
    """Return a text in which a label can also break lines inside long addresses and paths."""
    return re.sub(r"(\S{20})(?=\S)", "\\1\u200b", text)
