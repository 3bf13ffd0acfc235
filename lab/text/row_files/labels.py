"""Texts with a label, or words with a label each, from two columns of a table."""

from __future__ import annotations

from typing import Any, Literal

from lab.api import LabelledTexts, setting
from lab.text.corpora.files import errors_as_bad_input
from lab.text.row_files.cells import classes_of, label_in, text_in
from lab.text.row_files.tables import RowTable, TableConfig, open_table

_TEXTS = ("text", "tokens", "words", "sentence", "content", "body", "review")
_LABELS = ("label", "labels", "class", "category", "tags", "tag", "pos_tags", "ner_tags", "sentiment", "topic")


class LabelsFileConfig(TableConfig):
    """A table of labelled texts and its two columns."""

    text: str = setting(
        "", help="The column with the text or the words. Empty: the one called text or the like, or the first of two."
    )
    label: str = setting(
        "", help="The column with the label or labels. Empty: the one called label or the like, or the second of two."
    )
    labelled: Literal["text", "words"] = setting(
        "text",
        help="What has a label: each text, or each of its words. Words and their labels are lists, or are separated by "
        "spaces.",
    )


def read_labels(config: LabelsFileConfig) -> LabelledTexts:
    """Return the labelled texts of a table.

    Raises:
        BadInput: It is not there, cannot be read, or lacks a column; a row is bad; or there is but one class.
    """
    with errors_as_bad_input("corpus.path", config.path):
        table = open_table(config, (config.text, config.label, *_TEXTS, *_LABELS))
        columns = [
            table.column("text", config.text, _TEXTS, 0, taken=config.label),
            table.column("label", config.label, _LABELS, 1, taken=config.text),
        ]
        if config.labelled == "words":
            rows, facts = table.collect(config, columns, lambda number, values: _words(table, number, values, columns))
            names = classes_of(table, [label for _, labels in rows for label in labels], "label", columns[1])
            index = {name: number for number, name in enumerate(names)}
            by_word = [[index[label] for label in labels] for _, labels in rows]
            return LabelledTexts(table.name, [words for words, _ in rows], by_word, names, facts=facts)

        def read(number: int, values: list[Any]) -> tuple[str, str]:
            text, label = values
            return text_in(table, number, text, columns[0]), label_in(table, number, label, columns[1])

        texts, facts = table.collect(config, columns, read)
        names = classes_of(table, [label for _, label in texts], "label", columns[1])
        index = {name: number for number, name in enumerate(names)}
        labels = [index[label] for _, label in texts]
        return LabelledTexts(table.name, [text for text, _ in texts], labels, names, facts=facts)


def _words(table: RowTable, number: int, values: list[Any], columns: list[str]) -> tuple[list[str], list[str]]:
    """Return the words of a row and the label of each."""
    words, labels = (value.split() if isinstance(value, str) else value for value in values)
    for column, value in zip(columns, (words, labels), strict=True):
        if not isinstance(value, list) or not value:
            raise table.row_problem(number, f"the column {column!r} holds no list", "Write a list")
    if len(words) != len(labels):
        raise table.row_problem(number, f"{len(words)} words have {len(labels)} labels", "Give each word one label")
    return (
        [text_in(table, number, word, columns[0]) for word in words],
        [label_in(table, number, label, columns[1]) for label in labels],
    )
