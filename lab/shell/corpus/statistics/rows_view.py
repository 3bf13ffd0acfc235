"""The page about data in rows: figures, the shares of classes, and the first rows as a table or as pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QScrollArea, QTextEdit, QVBoxLayout, QWidget

from lab.api import Images, LabelledTexts, Rows, Vectors
from lab.base.problems import LabError, Problem
from lab.shell.corpus.statistics.point_cloud import PointCloud, class_colour
from lab.shell.runtime.background import Background
from lab.shell.session.draft import Draft
from lab.widgets.core.card import Card
from lab.widgets.core.controls import label
from lab.widgets.core.i18n import number_text, tr, tr_registered
from lab.widgets.core.theme import BETWEEN, mixed, themes
from lab.widgets.figures.view import ExportButton
from lab.widgets.lists.bar_list import Bar, BarList
from lab.widgets.tokens.next_tokens import percent

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.host import Plugins
    from lab.recipes import Choice, Recipe
    from lab.training.resolution import Resolved
    from lab.training.row_summary import RowSummary

FIRST = 40
"""Most rows that are shown."""
COLUMNS, SIDE = 8, 64
"""Pictures in a row, and the least length of the longer side of one in pixels."""
WORK = "summary of rows"
"""The key of the counting among the work of the background."""


class RowsView(QWidget):
    """The page about rows, with cards of figures, classes, and the first rows.

    Args:
        background: Counts in a thread.
        draft: The draft, whose tokenizer splits the texts.
    """

    def __init__(self, background: Background, draft: Draft) -> None:
        super().__init__()
        self._background, self._draft = background, draft
        self._counted: tuple[Rows, Choice, Choice, float] | None = None
        self._found: RowSummary | None = None
        self.figures = Card(tr("The rows"))
        self._inside = QGridLayout()
        self._inside.setHorizontalSpacing(16)
        self._inside.setVerticalSpacing(2)
        self._inside.setColumnStretch(1, 1)
        inside = QWidget()
        inside.setLayout(self._inside)
        self.figures.set_content(inside)
        self.bars = BarList(tr("Shares of the classes"))
        self.classes = Card(tr("Classes"))
        self.classes.set_content(self.bars)
        self.first = Card(tr("First rows of training"))
        self.table = QTextEdit()
        self.table.setReadOnly(True)
        self.table.setAcceptDrops(False)  # the window opens what is dropped
        self.table.setProperty("role", "reading")
        self.table.setAccessibleName(tr("First rows of training"))
        self.table.setTabChangesFocus(True)
        self.pictures = QScrollArea()
        self.pictures.setWidgetResizable(True)
        self.pictures.setAccessibleName(tr("First rows of training"))
        self.points = PointCloud()
        self._export = ExportButton(self.points)
        self.first.add_control(self._export)
        below = QWidget()
        row = QHBoxLayout(below)
        row.setContentsMargins(0, 0, 0, 0)
        for view in (self.table, self.pictures, self.points):
            row.addWidget(view, 1)
        self.first.set_content(below)
        above = QHBoxLayout()
        above.setSpacing(BETWEEN)
        above.addWidget(self.figures, 2)
        above.addWidget(self.classes, 1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(BETWEEN)
        rows.addLayout(above, 1)
        rows.addWidget(self.first, 2)
        themes.changed.connect(self._write)

    def show_rows(self, rows: Rows) -> None:
        """Count rows and show them, unless they are shown."""
        recipe = self._draft.recipe
        read = rows, recipe.tokenizer, recipe.objective, recipe.training.validation_share
        if self._counted is None or self._counted[0] is not rows or self._counted[1:] != read[1:]:
            self._counted = read
            self._count()

    def _count(self) -> None:
        try:
            everything = self._draft.resolved()
        except LabError as error:
            self.figures.show_broken(error.problem)
            return
        self.figures.show_empty(tr("Counting the rows."), tr("Cancel"), self._cancel)
        for card in (self.classes, self.first):
            card.hide()
        work = partial(_summarize, everything, self._draft.recipe, self._draft.plugins)
        self._background.run(tr("Counting the rows"), work, self._take, self._refuse, replaces=WORK)

    def _cancel(self) -> None:
        self._background.cancel(WORK)
        self.figures.show_empty(tr("Not counted: counting was cancelled."), tr("Count the rows"), self._count)

    def _refuse(self, problem: Problem) -> None:
        self.figures.show_broken(problem)

    def _take(self, found: RowSummary) -> None:
        self._found = found
        self._show_summary(found)
        shares = found.page.classes
        most = max(shares.values(), default=1.0)
        self.bars.set_bars(
            (tr("class"), tr("share")),
            [
                Bar(name, share / most, (percent(share),), tr("{name}: {share}", name=name, share=percent(share)))
                for name, share in sorted(shares.items(), key=lambda one: -one[1])
            ],
        )
        self.classes.setVisible(bool(shares))
        self.figures.show_content()
        self._write()
        self.first.show()

    def _show_summary(self, found: RowSummary) -> None:
        while (item := self._inside.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        for number, (name, value) in enumerate(lines_of(found)):
            text = label(value)
            text.setWordWrap(True)
            self._inside.addWidget(label(name, "dim"), number, 0, Qt.AlignmentFlag.AlignTop)
            self._inside.addWidget(text, number, 1)
        self._inside.setRowStretch(len(lines_of(found)), 1)

    def _write(self) -> None:
        """Show the first rows, in the colours of the theme."""
        found = self._found
        if found is None:
            return
        rows = found.rows
        is_plane = (
            isinstance(rows, Vectors) and rows.inputs.shape[1] + (0 if rows.classes else rows.targets.shape[1]) == 2
        )
        self.table.setVisible(not isinstance(rows, Images))
        self.pictures.setVisible(isinstance(rows, Images))
        for view in (self.points, self._export):
            view.setVisible(is_plane)
        if isinstance(rows, Images):
            self.pictures.setWidget(_grid_of(rows, found.page.examples))
        else:
            self.table.setHtml(table_of(rows, found.page.examples))
        if isinstance(rows, Vectors) and is_plane:
            self.points.show_vectors(rows)


def lines_of(found: RowSummary) -> list[tuple[str, str]]:
    """Return (name, value) of each line of the summary of rows, in the language of the window."""
    page = found.page
    parts = tr(
        "{n}: {training} for training, {validation} for validation",
        n=number_text(page.rows), training=number_text(page.training), validation=number_text(page.validation),
    )  # fmt: skip
    figures = [(tr("Rows"), parts)]
    if page.parts:
        of_parts = ", ".join(f"{name} {number_text(count)}" for name, count in page.parts.items())
        figures.append((tr("Parts"), of_parts))
    for name, one in page.lengths.items():
        shown = tr(
            "{shortest} to {longest} tokens, median {median}",
            shortest=number_text(one.shortest), longest=number_text(one.longest), median=number_text(one.median, ",g"),
        )  # fmt: skip
        figures.append((tr("Length: {part}", part=tr_registered(name)), shown))
    if page.images:
        height, width, channels = page.images
        colours = tr("grey") if channels == 1 else tr("red, green, blue")
        size = tr("{height} × {width} pixels, {colours}", height=height, width=width, colours=colours)
        figures.append((tr("Pictures"), size))
    if page.roles:
        turns = ", ".join(f"{role} {number_text(count)}" for role, count in page.roles.items())
        figures.append((tr("Turns"), turns))
    if page.learned is not None:
        figures.append((tr("Learned"), tr("{share} of the tokens are scored", share=percent(page.learned))))
    for title, ranges in ((tr("Reads"), page.ranges), (tr("Predicts"), page.targets)):
        for column in ranges:
            shown = tr(
                "{smallest} to {largest}, mean {mean}",
                smallest=number_text(column.smallest, ".4g"), largest=number_text(column.largest, ".4g"),
                mean=number_text(column.mean, ".4g"),
            )  # fmt: skip
            figures.append((f"{title}: {column.name}", shown))
    if page.copied is not None:
        copied = tr("the source is the right target in {share} of the validation rows", share=percent(page.copied))
        figures.append((tr("Copying"), copied))
    if found.floors:
        known = sorted(found.floors.items(), key=lambda one: -one[1])
        shown = ", ".join(f"{tr_registered(name)} {number_text(value, '.4f')}" for name, value in known)
        units = {
            "mean squared error": tr("{floors} (mean squared error)", floors=shown),
            "mean absolute error": tr("{floors} (mean absolute error)", floors=shown),
            "mean Huber loss": tr("{floors} (mean Huber loss)", floors=shown),
        }
        figures.append((tr("Reference lines"), units.get(found.unit) or tr("{floors} (nats per target)", floors=shown)))
    return figures


def table_of(rows: Rows, examples: Sequence[Mapping[str, Any]]) -> str:
    """Return the first rows as a table in HTML."""
    dim = themes.now.dim
    head: Sequence[str]
    cells: list[list[str]]
    if examples and "turns" in examples[0]:
        head = (tr("row"), tr("turns"))
        cells = [[_turns(row["turns"])] for row in examples]
    elif examples and "source" in examples[0]:
        head = (tr("row"), tr("source"), tr("target"))
        cells = [[_text(row["source"]), _text(row["target"])] for row in examples]
    elif isinstance(rows, LabelledTexts) and rows.by_token:
        head = (tr("row"), tr("tokens with their labels"))
        cells = [[_tokens(row, rows.classes)] for row in examples]
    elif isinstance(rows, LabelledTexts):
        head = (tr("row"), tr("text"), tr("label"))
        cells = [[_text(row["text"]), _coloured(row["label"], rows.classes)] for row in examples]
    elif isinstance(rows, Vectors):
        inputs = rows.features or [str(number + 1) for number in range(rows.inputs.shape[1])]
        head = (tr("row"), *inputs, *((tr("class"),) if rows.classes else rows.outputs or (tr("numbers"),)))
        cells = [
            [*(number_text(value, ".4g") for value in row["inputs"]),
             *([_coloured(row["label"], rows.classes)] if rows.classes else
               [number_text(value, ".4g") for value in row["numbers"]])]
            for row in examples
        ]  # fmt: skip
    else:
        raise TypeError(type(rows).__name__)
    titles = "".join(f'<th align="left" style="color:{dim}">{escape(name)}</th>' for name in head)
    lines = "".join(
        f'<tr><td style="color:{dim}">{number_text(row["row"])}</td>{"".join(f"<td>{one}</td>" for one in line)}</tr>'
        for row, line in zip(examples, cells, strict=True)
    )
    return f'<table cellspacing="0" cellpadding="4" width="100%"><tr>{titles}</tr>{lines}</table>'


def _text(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _coloured(name: str, classes: Sequence[str], shown: str = "") -> str:
    """Return the name of a class, or another text, on a ground in the colour of the class."""
    ground = mixed(class_colour(classes.index(name)), themes.now.panel, 0.25)
    return f'<span style="background-color:{ground}">&nbsp;{_text(shown or name)}&nbsp;</span>'


def _tokens(row: Mapping[str, Any], classes: Sequence[str]) -> str:
    dim, pairs = themes.now.dim, zip(row["text"], row["label"], strict=True)
    shown = (
        f'{_coloured(name, classes, token)} <span style="color:{dim}">{escape(name)}</span>' for token, name in pairs
    )
    return " &nbsp; ".join(shown)


def _turns(turns: Sequence[Mapping[str, Any]]) -> str:
    shown = []
    for turn in turns:
        text = f"<b>{_text(turn['text'])}</b>" if turn["learned"] else _text(turn["text"])
        shown.append(f'<span style="color:{themes.now.dim}">{escape(turn["role"])}:</span> {text}')
    return "<br>".join(shown)


def _grid_of(rows: Images, examples: Sequence[Mapping[str, Any]]) -> QWidget:
    """Return the first pictures, each above its class or its caption."""
    grid = QGridLayout()
    grid.setSpacing(8)
    for index, row in enumerate(examples):
        picture, name = QLabel(), label(row.get("label") or row["caption"], "note")
        picture.setPixmap(pixmap_of(rows.pixels[row["row"] - 1]))
        picture.setAccessibleName(name.text())
        name.setWordWrap(True)
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(picture)
        column.addWidget(name)
        column.addStretch()
        grid.addLayout(column, index // COLUMNS, index % COLUMNS)
    grid.setRowStretch(grid.rowCount(), 1)
    inside = QWidget()
    inside.setLayout(grid)
    return inside


def pixmap_of(pixels: Any) -> QPixmap:
    """Return a picture of pixels (H, W, C) uint8, enlarged by a whole number without smoothing."""
    height, width, channels = pixels.shape
    colours = np.ascontiguousarray(np.repeat(pixels, 3, axis=2) if channels == 1 else pixels[:, :, :3])
    image = QImage(colours.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888).copy()
    by = max(1, SIDE // max(height, width))
    return QPixmap.fromImage(image.scaled(by * width, by * height))


def _summarize(everything: Mapping[str, Resolved], recipe: Recipe, plugins: Plugins, job: Job) -> RowSummary:
    """Count rows; in a thread."""
    from lab.training.row_summary import summarize_rows

    del job
    return summarize_rows(everything, recipe, plugins, FIRST)
