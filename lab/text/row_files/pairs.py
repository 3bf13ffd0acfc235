"""Pairs of texts from two columns of a table."""

from __future__ import annotations

from lab.api import Pairs, setting
from lab.text.corpora.files import errors_as_bad_input
from lab.text.row_files.cells import text_in
from lab.text.row_files.tables import TableConfig, open_table

_SOURCES = ("source", "src", "input", "question", "prompt", "english", "en", "text")
_TARGETS = ("target", "trg", "tgt", "output", "answer", "response", "translation", "summary")


class PairsFileConfig(TableConfig):
    """A table of pairs and its two columns."""

    source: str = setting(
        "", help="The column with the text to read. Empty: the one called source or the like, or the first of two."
    )
    target: str = setting(
        "",
        help="The column with the text to write. Empty: the one called target or the like, or the second of two.",
    )
    prefix: str = setting(
        "",
        max_length=100,
        help="Text in front of each source, which tells the tasks of a mixture apart: “translate: ”. Empty: none.",
        cite="Raffel et al. 2020, section 2.4",
    )


def read_pairs(config: PairsFileConfig) -> Pairs:
    """Return the pairs of a table.

    Raises:
        BadInput: It is not there, cannot be read, or lacks a column; or a row is bad.
    """
    with errors_as_bad_input("corpus.path", config.path):
        table = open_table(config, (config.source, config.target, *_SOURCES, *_TARGETS))
        columns = [
            table.column("source", config.source, _SOURCES, 0, taken=config.target),
            table.column("target", config.target, _TARGETS, 1, taken=config.source),
        ]
        rows, facts = table.collect(
            config,
            columns,
            lambda number, values: [
                text_in(table, number, value, column) for value, column in zip(values, columns, strict=True)
            ],
        )
        return Pairs(table.name, [config.prefix + row[0] for row in rows], [row[1] for row in rows], facts=facts)
