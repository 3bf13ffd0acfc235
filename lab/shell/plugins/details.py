"""The details of one plugin: where it comes from, its state and problems, its buttons, and what it adds."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from lab.shell.plugins.labels import (
    consent_text,
    effect_text,
    enable_label,
    origin_label,
    problem_texts,
    status_label,
    status_sentence,
)
from lab.shell.plugins.model import BROKEN, Entry
from lab.shell.runtime.folders import open_folder
from lab.widgets.core.controls import Button, label, set_role
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.core.theme import px, token_font
from lab.widgets.readings.base import Line

TRACE = 200
"""Height of the traceback in pixels at a size of the type of 100 percent."""
APART = 12
"""Pixels between two parts of the page."""


class PluginDetails(QScrollArea):
    """The details of the selected plugin. They scroll where they have no room.

    Attributes:
        enable: The button that enables the plugin, with the consent of the user if it is code of others.
        disable: The button that disables it.
    """

    enable_clicked = Signal()
    disable_clicked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._entry: Entry | None = None
        self.setAccessibleName(tr("The selected plugin"))
        self.setProperty("role", "view")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        self.verticalScrollBar().rangeChanged.connect(self._scrolls)
        self._summary = _paragraph()
        self._facts = [(label("", "dim"), Line()) for _ in range(3)]
        self._folder = Button(tr("Show in folder"), hint=tr("Open the folder of this file"), role="")
        self._folder.clicked.connect(self._show_folder)
        self._status, self._problems = _paragraph(), _paragraph("bad")
        self.trace_button = Button(tr("Traceback"), hint=tr("Show where in its code it failed"), role="")
        self.trace_button.setCheckable(True)
        self.trace_button.toggled.connect(self._show_trace)
        self._trace = QPlainTextEdit()
        self._trace.setReadOnly(True)
        self._trace.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._trace.setAccessibleName(tr("Traceback"))
        self._trace.setTabChangesFocus(True)
        follow_type(self._trace, _fit_trace)
        self._consent, self._effect = _paragraph(), _paragraph("note")
        self.enable, self.disable = Button(role=""), Button(tr("Disable"), role="")
        self.enable.clicked.connect(self.enable_clicked)
        self.disable.clicked.connect(self.disable_clicked)
        self._adds_title = label(tr("What it adds"), "strong")
        self._adds = QGridLayout()
        self._adds.setHorizontalSpacing(16)
        self._adds.setVerticalSpacing(6)
        self._adds.setColumnStretch(1, 1)
        self._added: list[tuple[QLabel, QLabel]] = []
        self._lay_out()

    def _lay_out(self) -> None:
        facts = QGridLayout()
        facts.setHorizontalSpacing(16)
        facts.setVerticalSpacing(4)
        facts.setColumnStretch(1, 1)
        for row, (name, value) in enumerate(self._facts):
            facts.addWidget(name, row, 0)
            facts.addWidget(value, row, 1)
        facts.addWidget(self._folder, len(self._facts) - 1, 2)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.enable, self.disable, self.trace_button):
            buttons.addWidget(button)
        buttons.addStretch(1)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 8, 0)
        rows.setSpacing(APART)
        rows.addWidget(self._summary)
        rows.addLayout(facts)
        for widget in (self._status, self._problems, self._consent):
            rows.addWidget(widget)
        rows.addLayout(buttons)
        rows.addWidget(self._effect)
        rows.addWidget(self._trace)
        rows.addWidget(self._adds_title)
        rows.addLayout(self._adds)
        rows.addStretch(1)
        self.setWidget(content)

    def show_entry(self, entry: Entry, adds: Sequence[tuple[str, str]]) -> None:
        """Show a plugin.

        Args:
            entry: The plugin.
            adds: (kind with number, names) for each kind of what it adds.
        """
        if (self._entry is None) or entry.info.name != self._entry.info.name:
            self.trace_button.setChecked(False)
            self.verticalScrollBar().setValue(0)
        self._entry, info = entry, entry.info
        _show(self._summary, tr_registered(entry.title))
        path = "" if entry.path is None else str(entry.path)
        facts = ((tr("From"), origin_label(entry)), (tr("Version"), info.version), (tr("File"), path))
        for (name, value), (title, text) in zip(self._facts, facts, strict=True):
            name.setText(title)
            value.set_full_text(text)
            name.setVisible(bool(text))
            value.setVisible(bool(text))
        self._folder.setVisible(bool(path))
        _show(self._status, status_sentence(entry.status))
        _show(self._problems, "\n".join(problem_texts(entry)))
        set_role(self._problems, "bad" if entry.status in BROKEN else "warn")
        trace = next((problem.trace for problem in reversed(info.problems) if problem.trace), "")
        if self._trace.toPlainText() != trace:
            self._trace.setPlainText(trace)
        self.trace_button.setVisible(bool(trace))
        self._trace.setVisible(bool(trace) and self.trace_button.isChecked())
        _show(self._consent, consent_text(entry) if entry.needs_consent and entry.can_enable else "")
        self.enable.setText(enable_label(entry))
        self.enable.setAccessibleName(tr("{do}: {plugin}", do=enable_label(entry), plugin=info.name))
        self.disable.setAccessibleName(tr("{do}: {plugin}", do=tr("Disable"), plugin=info.name))
        self.enable.setVisible(entry.can_enable)
        self.disable.setVisible(entry.can_disable)
        _show(self._effect, effect_text(entry))
        self._show_additions(adds)
        self.setAccessibleDescription(f"{info.name}, {status_label(entry.status)}")

    def _show_additions(self, adds: Sequence[tuple[str, str]]) -> None:
        while len(self._added) < len(adds):
            kind, names = label("", "dim"), _paragraph()
            row = len(self._added)
            self._adds.addWidget(kind, row, 0, Qt.AlignmentFlag.AlignTop)
            self._adds.addWidget(names, row, 1)
            self._added.append((kind, names))
        for number, (kind, names) in enumerate(self._added):
            title, text = adds[number] if number < len(adds) else ("", "")
            _show(kind, title)
            _show(names, text)
        self._adds_title.setVisible(bool(adds))

    def _show_trace(self, shown: bool) -> None:
        self._trace.setVisible(shown)
        if shown:
            self._trace.setFocus()

    def _show_folder(self) -> None:
        if self._entry is not None and self._entry.path is not None:
            open_folder(self._entry.path.parent)

    def _scrolls(self, _least: int, most: int) -> None:
        """Take the focus for the arrow keys only if there is something to scroll."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if most else Qt.FocusPolicy.NoFocus)


def _paragraph(role: str = "") -> QLabel:
    made = label("", role)
    made.setWordWrap(True)
    return made


def _show(widget: QLabel, text: str) -> None:
    """Show a text, or hide its label if there is none."""
    widget.setText(text)
    widget.setVisible(bool(text))


def _fit_trace(trace: QPlainTextEdit) -> None:
    trace.setFont(token_font("note"))
    trace.setFixedHeight(px(TRACE))
