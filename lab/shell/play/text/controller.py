"""What the user does with the text: branch, edit, undo, choose from the tree, export; and where it is kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from lab.base.files.writing import write_file
from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import LabError
from lab.shell.play.text.difference import ShownRuns, TextDifference
from lab.shell.play.text.document import Document
from lab.shell.play.text.export import WrittenText, csv_of, html_of, json_of
from lab.shell.play.text.pages import TextPages
from lab.shell.play.text.shown import listed, names_of, shown, writers_of
from lab.shell.runtime.background import Background
from lab.shell.runtime.export_files import file_name, unused
from lab.shell.session.model_provider import model_name
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import LIGHT
from lab.widgets.tokens.surprisal import BITS, WRITER, place_colour, quantity, writer_colour
from lab.workbench.access.generation import Piece
from lab.workbench.texts.store import read_trees, write_trees
from lab.workbench.texts.tree import TextTree, copy_of

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.play.model import PlayModel
    from lab.shell.session.runs.model import RunModel

READABLE = 0.25
"""Seconds between two numbers in the tree while a text grows."""


class TextController(QObject):
    """Changes the text on show, keeps it with its run, and exports it.

    Args:
        pages: The text and its tools.
        model: The state of Play.
        background: Reads and writes files in threads.
        selected: Returns the selected run; None for the model of the draft.
        runs: Returns the selected run and the others that are shown.
        options: Returns the arguments of the model's `generate`, which an export names.
    """

    go_on = Signal()
    """The model is to continue the text on show."""
    changed = Signal()
    """Another text is on show."""

    def __init__(
        self,
        pages: TextPages,
        model: PlayModel,
        background: Background,
        selected: Callable[[], RunModel | None],
        runs: Callable[[], ShownRuns],
        options: Callable[[], dict[str, Any]],
    ) -> None:
        super().__init__()
        self._pages, self._model, self._background = pages, model, background
        self._selected, self._options = selected, options
        self._is_saving = self._is_due = self._is_closed = False
        self._in_writing: list[Document] = []
        self._writing = Lock()
        self._refreshed = 0.0
        self._difference = TextDifference(pages, model, background, runs)
        pages.wants.connect(self._do)
        pages.edited.connect(self._edit)
        pages.exported.connect(self._export)
        pages.tree.picked.connect(self._choose)
        pages.tree.deleted.connect(self._delete)

    # ----------------------------------------------------------------------------------------------------- what is done

    def refresh(self) -> None:
        """Offer what can be done now."""
        trees = self._model.document_of(self._selected())
        is_writing, can_edit = self._model.is_busy, self._model.can_branch
        self._pages.offer(trees, is_writing=is_writing, can_edit=can_edit)
        self._difference.follow()

    def follow_runs(self) -> None:
        """Compare the text with another run, if the runs on show are others now and that is wanted."""
        self._difference.follow()

    def grow(self, now: float) -> None:
        """Offer what can be done with a text that grows, not more often than one can read.

        Args:
            now: The time, in seconds.
        """
        if now - self._refreshed >= READABLE:
            self._refreshed = now
            self.refresh()

    def branch(self, index: int, text: str) -> None:
        """Let the model go on from the text before a token, with one of its alternatives there.

        Args:
            index: The index of the token.
            text: What the alternative adds to the text.
        """
        document = self._model.document
        piece = _alternative(document.tokens[index], text)
        if piece is not None:
            document.branch(index, piece)
            self._show()
            self.go_on.emit()

    def _do(self, what: str) -> None:
        document = self._model.document
        if what == "undo" and document.can_undo:
            document.undo()
        elif what == "redo" and document.can_redo:
            document.redo()
        elif what == "continue":
            self.go_on.emit()
            return
        else:
            self.refresh()
            return
        self._show()

    def _edit(self, text: str) -> None:
        if text:
            self._model.document.edit(text)
        self._show()
        self.save()

    def _choose(self, tree: TextTree, number: int) -> None:
        run = self._selected()
        document = self._model.document_of(run)
        if self._model.is_busy or tree not in document.trees:
            return
        document.show_tree(tree, number)
        self._model.show_document(run, listed(names_of(document)) or model_name(run, 0))
        self._show()

    def _delete(self, tree: TextTree, number: int) -> None:
        document = self._model.document_of(self._selected())
        if self._model.is_busy or tree not in document.trees:
            return
        document.delete(tree, number)
        if document is self._model.document:
            self._show()
            if not document.tokens:
                self._pages.show_nothing()
        self.refresh()
        self.save()

    def _show(self) -> None:
        self._model.note_text()
        document = self._model.document
        if document.tokens or document.tree in document.trees:  # an edited prompt is a text, too
            self._pages.show_text(document, self._model.shown_prompt)
        else:
            self._pages.show_nothing()
        self.refresh()
        self.changed.emit()

    # --------------------------------------------------------------------------------------------------- where it stays

    def load(self) -> None:
        """Read what was written with the selected run before, unless that is known."""
        run = self._selected()
        if run is None or run.path is None or self._model.document_of(run).is_loaded:
            return
        taken = partial(self._take, run)
        self._background.run(tr("Reading the texts"), partial(_read, run.path), taken, replaces="reading texts")

    def _take(self, run: RunModel, trees: list[TextTree]) -> None:
        document = self._model.document_of(run)
        document.add_trees(trees)
        if trees and run is self._selected() and self._model.has_no_text:
            tree = trees[-1]
            document.show_tree(tree, max(tree.nodes))
            self._model.show_document(run, listed(names_of(document)) or model_name(run, 0), is_earlier=True)
            self._pages.show_text(document, self._model.shown_prompt)
            self.changed.emit()
        self.refresh()

    def save(self) -> None:
        """Write the texts that changed into the folders of their runs, in a thread, one after the other."""
        if self._is_saving:
            self._is_due = True
            return
        changed = self._changed()
        if not changed:
            return
        loaded = [(path, document) for path, document in changed if document.is_loaded]
        work = [(path, list(map(copy_of, document.trees)), document.shown_last) for path, document in loaded]
        self._in_writing = [document for _, document in loaded]
        for document in self._in_writing:
            document.changed = False
        if work:
            self._is_saving = True
            self._background.run(tr("Saving the texts"), partial(self._write, work), self._saved, self._not_saved)

    def _write(self, work: list[tuple[Path, list[TextTree], int]], _job: Job) -> None:
        for path, trees, shown_last in work:
            with self._writing:
                if self._is_closed:
                    return
                if path.is_dir():  # the run was not deleted meanwhile
                    write_trees(path, trees, shown_last)

    def _mark_changed(self) -> None:
        """Note that what was to be written is perhaps not written."""
        for document in self._in_writing:
            document.changed = True
        self._in_writing = []

    def _changed(self) -> list[tuple[Path, Document]]:
        documents = self._model.documents()
        return [(run.path, one) for run, one in documents if one.changed and run.path is not None]

    def _saved(self, _: None) -> None:
        self._is_saving = False
        self._in_writing = []
        if self._is_due:
            self._is_due = False
            self.save()

    def _not_saved(self, problem: Any) -> None:
        notify("warning", problem)
        self._mark_changed()
        self._saved(None)

    def close(self) -> None:
        """Write what is not written yet, as the window closes."""
        self._difference.close()
        with self._writing:  # what a thread writes now is written first, and nothing older afterwards
            self._is_closed = True
        self._mark_changed()
        for path, document in self._changed():
            document.changed = False
            if not path.is_dir():
                continue  # its run was deleted, and its texts with it
            try:
                if not document.is_loaded:
                    document.add_trees(read_trees(path))
                write_trees(path, document.trees, document.shown_last)
            except LabError as error:
                notify("warning", error.problem)

    # ----------------------------------------------------------------------------------------------------------- export

    def _export(self, kind: str) -> None:
        """Ask for a file and write the text to it; the dialog asks before a file is replaced."""
        document, author = self._model.document, self._model.author
        heading = tr("Text of {model}", model=author)
        start = str(last_folder() / f"{file_name(heading)}.{kind}")
        file, _ = QFileDialog.getSaveFileName(self._pages, tr("Export the text"), start, f"{kind.upper()} (*.{kind})")
        if not file:
            return
        path = Path(file)
        if path.suffix.lower() != f".{kind}":
            path = unused(path.with_name(f"{path.name}.{kind}"))
        remember_folder(path.parent)
        options = self._options()
        decoding = options["decoding"].stored()
        writers = writers_of(document)
        written = WrittenText(document.prompt, list(document.tokens), author, decoding, options["seed"], writers)
        content: Callable[[], str] = partial({"csv": csv_of, "json": json_of}.get(kind, csv_of), written)
        if kind == "html":
            measured = quantity(self._pages.quantity.value)
            shades = dict(zip(map(id, written.pieces), self._pages.differences or (), strict=False))
            content = partial(html_of, written, partial(_ground, measured, shades), measured.spoken, heading)
        self._background.run(tr("Exporting {file}", file=path.name), partial(_put, path, content), self._report)

    def _report(self, path: Path) -> None:
        notify("info", tr("Saved {file} in {folder}", file=path.name, folder=path.parent))


def _alternative(piece: Piece, text: str) -> Piece | None:
    """Return an alternative of a token as a token of its own; None if no alternative adds this text."""
    for at, (label, its, share) in enumerate(piece.alternatives):
        if its == text and text:
            return Piece(its, label, share, piece.alternatives, False, piece.step, at, None, piece.entropy, at + 1)
    return None


def _ground(measured: Any, shades: Mapping[int, float | None], piece: Piece, writer: int) -> str:
    """Return the colour of a token on white, of its own shade if it has one; "" for what the user wrote."""
    token = shown(piece)
    if token.is_typed:
        return ""
    if measured.name == WRITER:
        return writer_colour(writer, LIGHT)
    shade = shades.get(id(piece))
    if shade is not None:
        return place_colour(shade / BITS, LIGHT)
    return place_colour(measured.place(token.probability, token.entropy, token.rank), LIGHT)


def _read(path: Path, _job: Job) -> list[TextTree]:
    return read_trees(path)


def _put(path: Path, content: Callable[[], str], _job: Job) -> Path:
    write_file(path, content())
    return path
