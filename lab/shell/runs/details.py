"""The details of the selected run below the list: state, parent, verification, tags and note."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QStringListModel, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCompleter, QFrame, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.base.run_state import RunState
from lab.shell.runs.rows import lineage, verification_of
from lab.shell.session.runs.commands import RunCommands
from lab.shell.session.runs.formatting import state_label
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.controls import Button, label, plain_tip, set_role
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.messages import message_text
from lab.widgets.core.theme import INSIDE
from lab.widgets.runs.list_model import Index

LONGEST = 10_000
"""Most characters of a note."""


class RunDetails(QFrame):
    """The details of the selected run: its state, parent and verification, and fields for tags and note.

    Args:
        registry: The runs.
        run_commands: The commands for runs.
        choose_text: Asks for the file with the text of a run, and resumes the run with it.
    """

    def __init__(
        self, registry: RunRegistry, run_commands: RunCommands, choose_text: Callable[[RunModel], object]
    ) -> None:
        super().__init__()
        self.setProperty("role", "plain")
        self._registry, self._commands, self._choose_text = registry, run_commands, choose_text
        self._run: RunModel | None = None
        self._lacks: tuple[RunModel, Problem] | None = None
        self.name = _Line("strong")
        self.star = Button(hint=tr("Star this run"), icon_name="star off")
        self.star.clicked.connect(self._star)
        self.state = label("", "note")
        self.state.setWordWrap(True)
        self.resume = Button(
            tr("Resume"),
            hint=tr("Resume from the last checkpoint, or from the start if there is none"),
            icon_name="start",
            role="",
        )
        self.resume.clicked.connect(self._resume)
        self.start_now = Button(
            tr("Start now"),
            hint=tr("Move it to the front of the queue; a run that trains can be stopped for it"),
            role="",
        )
        self.parent_button = Button(hint=tr("Select the run from which it was branched"), icon_name="branch")
        self.parent_button.clicked.connect(self._select_parent)
        self.parent_button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.verified = label("", "note")
        self.verified.setWordWrap(True)
        self.cancel = Button(tr("Cancel"), hint=tr("Stop verifying; the steps trained so far are compared"))
        self.cancel.clicked.connect(self._cancel)
        self.problem = label("", "bad")
        self.problem.setWordWrap(True)
        self.choose = Button(tr("Select corpus file…"), hint=tr("Select the file with the text of this run"), role="")
        self.choose.clicked.connect(self._choose)
        self.tags = TagsField()
        self.tags.submitted.connect(self._tag)
        self.note = _FlatField(tr("Add a note"), tr("Note"))
        self.note.setMaxLength(LONGEST)
        self.note.editingFinished.connect(self._annotate)
        self._lay_out()
        run_commands.lacks_text.connect(self._show_lack)
        registry.selection_changed.connect(self.refresh)
        registry.list_changed.connect(self.refresh)
        self.refresh()

    def _lay_out(self) -> None:
        rows = QVBoxLayout(self)
        rows.setContentsMargins(INSIDE, 0, INSIDE, 0)
        rows.setSpacing(4)
        line = QFrame()
        line.setProperty("role", "line")
        rows.addWidget(line)
        rows.addSpacing(4)
        for widgets in ((self.name, self.star), (self.verified, self.cancel)):
            row = QHBoxLayout()
            row.setSpacing(4)
            row.addWidget(widgets[0], 1)
            row.addWidget(widgets[1], 0, Qt.AlignmentFlag.AlignTop)
            rows.addLayout(row)
            if widgets[0] is self.name:
                rows.addWidget(self.state)
                rows.addSpacing(2)
                rows.addWidget(self.resume)
                rows.addWidget(self.start_now)
                rows.addWidget(self.parent_button)
        for widget in (self.problem, self.choose, self.tags, self.note):
            rows.addWidget(widget)

    def refresh(self) -> None:
        """Show the current state of the selected run."""
        run = self._registry.selected
        if run is not self._run:
            self._store_edits()
            self._run = run
            self.tags.show_tags(() if run is None else run.label.tags)
            self.note.setText("" if run is None else run.label.note)
            self.note.setCursorPosition(0)
        self.setVisible(run is not None)
        if run is None:
            return
        if not self.tags.hasFocus():
            self.tags.show_tags(run.label.tags)
        if not self.note.hasFocus() and self.note.text() != _one_line(run.label.note):
            self.note.setText(_one_line(run.label.note))
            self.note.setCursorPosition(0)
        self.tags.offer(self._registry.tags())
        self.name.show_text(run.name)
        starred = run.label.star
        hint = tr("Remove the star") if starred else tr("Star this run")
        if self.star.toolTip() != hint:
            self.star.set_face("", "star" if starred else "star off", hint)
        number = self._commands.queue_position(run)
        self.state.setText(tr("queued at position {n}", n=number) if number else state_of(run))
        self.start_now.setVisible(number > 0)
        self.resume.setVisible(self._commands.can_resume(run))
        parent = self._registry.by_id((run.parent or {}).get("id"))
        origin = lineage(run, parent.name if parent is not None else "")
        self.parent_button.setVisible(bool(origin))
        if origin:
            self.parent_button.setText(self.parent_button.fontMetrics().elidedText(
                origin, Qt.TextElideMode.ElideRight, max(60, self.width() - 2 * INSIDE - 34)
            ))  # fmt: skip
            self.parent_button.setToolTip(origin)
            self.parent_button.setEnabled(parent is not None)
        self._show_verification(run)
        lacks = self._lacks is not None and self._lacks[0] is run
        self.problem.setVisible(lacks)
        self.choose.setVisible(lacks)

    def _show_verification(self, run: RunModel) -> None:
        verifying, result = run.verifying is not None, run.verification
        self.cancel.setVisible(verifying)
        self.verified.setVisible(verifying or result is not None)
        if run.verifying is not None:
            set_role(self.verified, "note")
            self.verified.setText(tr("verifying, {share} %", share=round(100 * run.verifying)))
        elif result is not None:
            set_role(self.verified, {"exact": "good", "close": "warn"}.get(result.kind, "bad"))
            labels = {
                "exact": tr("✓ exact"),
                "close": tr("≈ close: differs by at most {much}", much=number_text(result.largest or 0, ".2g")),
            }
            self.verified.setText(labels.get(result.kind, tr("✕ not reproducible")))
            self.verified.setToolTip(plain_tip("\n".join(filter(None, (verification_of(run), result.why)))))

    def changeEvent(self, event: QEvent) -> None:
        """Elide the texts again when the font changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "tags"):
            self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide the texts to the new width."""
        super().resizeEvent(event)
        self.refresh()

    # -------------------------------------------------------------------------------------------------------- commands

    def edit_tags(self) -> None:
        """Move the focus to the tags."""
        self.tags.setFocus()
        self.tags.selectAll()

    def edit_note(self) -> None:
        """Move the focus to the note."""
        self.note.setFocus()

    def _store_edits(self) -> None:
        """Store unfinished edits of the previously selected run."""
        if self._run is not None and self.tags.isModified():
            self.tags.finish()
        if self._run is not None and self.note.isModified():
            self._annotate()

    def _star(self) -> None:
        if self._run is not None:
            self._registry.label(self._run, star=not self._run.label.star)

    def _tag(self, tags: tuple[str, ...]) -> None:
        if self._run is not None and tags != self._run.label.tags:
            self._registry.label(self._run, tags=tags)

    def _annotate(self) -> None:
        self.note.setModified(False)
        note = self.note.text().strip()
        if self._run is not None and note != _one_line(self._run.label.note):
            self._registry.label(self._run, note=note)

    def _resume(self) -> None:
        if self._run is not None and self._commands.can_resume(self._run):
            self._commands.resume(self._run)

    def _select_parent(self) -> None:
        parent = None if self._run is None else self._registry.by_id((self._run.parent or {}).get("id"))
        if parent is not None:
            self._registry.select(parent.key)

    def _cancel(self) -> None:
        if self._run is not None:
            self._commands.cancel_verifying(self._run)

    def _show_lack(self, run: RunModel, problem: Problem) -> None:
        self._lacks = run, problem
        self.problem.setText(tr("The training text of this run was not found: {why}", why=message_text(problem.what)))
        self._registry.select(run.key)
        self.refresh()

    def _choose(self) -> None:
        if self._lacks is not None:
            run, self._lacks = self._lacks[0], None
            self.refresh()
            self._choose_text(run)


class _FlatField(QLineEdit):
    """A field that looks like a label until it has the focus."""

    def __init__(self, placeholder: str, name: str) -> None:
        super().__init__()
        self.setProperty("role", "flat")
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(name)
        self.textChanged.connect(self._set_tool_tip)

    def _set_tool_tip(self, text: str) -> None:
        self.setToolTip(plain_tip(text) if text else "")


class TagsField(_FlatField):
    """A field for tags, separated by spaces; they are completed from the tags of other runs."""

    submitted = Signal(tuple)
    """The tags, when the user has finished editing."""

    def __init__(self) -> None:
        super().__init__(tr("Add tags"), tr("Tags, separated by spaces"))
        self._known = QStringListModel(self)
        completer = _TagCompleter(self._known, self)
        self.setCompleter(completer)
        self.editingFinished.connect(self.finish)

    def show_tags(self, tags: Sequence[str]) -> None:
        """Show the tags of a run."""
        if self.text() != " ".join(tags):
            self.setText(" ".join(tags))
            self.setCursorPosition(0)

    def offer(self, tags: Sequence[str]) -> None:
        """Offer these tags for completion."""
        if self._known.stringList() != list(tags):
            self._known.setStringList(list(tags))

    def finish(self) -> None:
        """Emit the tags in the field."""
        self.setModified(False)
        self.submitted.emit(tuple(dict.fromkeys(self.text().replace(",", " ").split())))


class _TagCompleter(QCompleter):
    """A completer for the last tag of a field."""

    def __init__(self, model: QStringListModel, field: QLineEdit) -> None:
        super().__init__(model, field)
        self._field = field
        self.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)

    def splitPath(self, path: str) -> list[str]:
        """Return the tag that is being typed."""
        return [path.replace(",", " ").rpartition(" ")[2]]

    def pathFromIndex(self, index: Index) -> str:
        """Return the content of the field with that tag completed."""
        before, space, _ = self._field.text().rpartition(" ")
        return f"{before}{space}{index.data()}"


class _Line(QWidget):
    """One line of text, elided to its width."""

    def __init__(self, role: str) -> None:
        super().__init__()
        self._text = ""
        self._label = label("", role)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._label)

    @property
    def text(self) -> str:
        """The complete text."""
        return self._text

    def show_text(self, text: str) -> None:
        """Show another text."""
        if text != self._text:
            self._text = text
            self._label.setAccessibleName(text)
            self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide the text to the new width."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        shown = self._label.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        self._label.setText(shown)
        self.setToolTip(plain_tip(self._text) if shown != self._text else "")


def state_of(run: RunModel) -> str:
    """Return a text with the state and step of a run, and its last checkpoint if it ended early."""
    step = number_text(run.step)
    if run.state == RunState.INTERRUPTED:
        text = tr("interrupted at step {step}", step=step)
    elif run.state in (RunState.QUEUED, RunState.PREPARING):
        return state_label(run)
    else:
        text = tr("{state} · step {step} of {all}", state=state_label(run), step=step, all=number_text(run.last_step))
    if run.active is None and run.state in (RunState.INTERRUPTED, RunState.FAILED) and run.loaded:
        last = run.checkpoints[-1] if run.checkpoints else None
        saved = tr("no checkpoint") if last is None else tr("last checkpoint {step}", step=number_text(last))
        return f"{text}, {saved}"
    return text


def _one_line(note: str) -> str:
    """Return a note as one line, as its field shows it."""
    return " ".join(note.split("\n"))
