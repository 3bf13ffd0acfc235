"""Summaries of corpora, shown to people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lab.api import Examples, LongText, Text
from lab.widgets.core.i18n import tr

NAMED = 3
"""Most skipped files that are named; the others are counted."""


def corpus_summary(given: Text | LongText | Examples) -> str:
    """Return a one-line summary of a corpus: its reader, its length, and what was left out."""
    if isinstance(given, Examples):
        return tr("{v} symbols, examples of up to {n} tokens", v=f"{len(given.symbols):,}", n=f"{given.longest:,}")
    count = given.characters if isinstance(given, LongText) else len(given.text)
    how = reader_facts(given.facts)
    parts = [*([how] if how else []), tr("{n} characters", n=f"{count:,}")]
    if given.dropped:
        parts.append(tr("{n} left out", n=f"{given.dropped:,}"))
    return "; ".join([", ".join(parts), *skipped_files(given.facts)])


def reader_facts(facts: Mapping[str, Any]) -> str:
    """Return the reader of a file, its encoding, and its counts of files, rows or pages; "" if nothing is known."""
    parts = [str(facts["reader"])] if facts.get("reader") else []
    parts += [str(facts["encoding"])] if facts.get("encoding") else []
    if isinstance(facts.get("column"), str) and facts["column"]:
        parts.append(tr("column: {name}", name=facts["column"]))
    counts = {
        "files": (tr("1 file"), tr("{n} files", n=_count(facts, "files"))),
        "rows": (tr("1 row"), tr("{n} rows", n=_count(facts, "rows"))),
        "pages": (tr("1 page"), tr("{n} pages", n=_count(facts, "pages"))),
    }
    parts += [labels[facts[name] != 1] for name, labels in counts.items() if isinstance(facts.get(name), int)]
    return ", ".join(parts)


def skipped_files(facts: Mapping[str, Any]) -> list[str]:
    """Return a note about the skipped files of a folder, in a list; [] if none was skipped."""
    skipped, named = facts.get("skipped"), facts.get("skipped_files")
    if not isinstance(skipped, int) or not skipped:
        return []
    some = [str(one) for one in named[:NAMED]] if isinstance(named, list) else []
    some += ["…"] if skipped > len(some) else []
    one = tr("1 file skipped") if skipped == 1 else tr("{n} files skipped", n=f"{skipped:,}")
    return [tr("{count} ({names})", count=one, names=", ".join(some))]


def breakable(text: str) -> str:
    """Return a text in which a label can also break lines inside long addresses and paths."""
    return re.sub(r"(\S{20})(?=\S)", "\\1\u200b", text)


def _count(facts: Mapping[str, Any], name: str) -> str:
    return f"{facts[name]:,}" if isinstance(facts.get(name), int) else ""
