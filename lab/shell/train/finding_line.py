"""The line of the loss card about what the doctor found in the selected run, with the first remedy."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from lab.shell.session.findings import KnownFindings, Remedies
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.train.gauges.findings_card import finding_line, hint_of
from lab.widgets.core.controls import Button, ElidedButton
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import message_text
from lab.widgets.core.theme import CONTROL, control_height


class FindingLine(QWidget):
    """One quiet line, hidden while the doctor finds nothing, and once it was dismissed for what it says.

    Args:
        registry: The runs.
        findings: The findings of the runs.
        remedies: Applies remedies.
    """

    clicked = Signal()
    """The findings are to be shown."""

    def __init__(self, registry: RunRegistry, findings: KnownFindings, remedies: Remedies) -> None:
        super().__init__()
        self._registry, self.findings, self.remedies = registry, findings, remedies
        self._dismissed: dict[str, str] = {}  # the line that was dismissed, by key of the run
        self.message = ElidedButton(icon_name="warning")
        self.message.setStyleSheet("text-align: left;")
        self.message.clicked.connect(self.clicked)
        self.remedy = Button()
        self.remedy.clicked.connect(self._apply)
        self.close_button = Button(hint=tr("Hide this line for this run"), icon_name="close")
        self.close_button.clicked.connect(self._dismiss)
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 0, 8, 0)
        row.setSpacing(4)
        row.addWidget(self.message, 1)
        row.addWidget(self.remedy)
        row.addWidget(self.close_button)
        follow_type(self, lambda line: line.setFixedHeight(control_height(CONTROL)))
        registry.selection_changed.connect(self.refresh)
        registry.data_changed.connect(self._on_data)
        registry.ended.connect(self.refresh)
        self.refresh()

    def _on_data(self, run: RunModel) -> None:
        if run is self._registry.selected:
            self.refresh()

    def refresh(self, *_: object) -> None:
        """Show the findings of the selected run."""
        run = self._registry.selected
        found = self.findings.of(run)
        line = finding_line(found)
        is_shown = run is not None and bool(line) and self._dismissed.get(run.key) != line
        self.setVisible(is_shown)
        if not is_shown:
            return
        self.message.set_full_text(line, tail=f" · {tr('Show…')}")
        remedies = found[0].finding.remedies
        self.remedy.setVisible(bool(remedies))
        if remedies:
            self.remedy.set_face(message_text(remedies[0].what), "", hint_of(remedies[0]))

    def _apply(self) -> None:
        run = self._registry.selected
        found = self.findings.of(run)
        if run is not None and found and found[0].finding.remedies:
            self.remedies.apply(run, found[0].finding, found[0].finding.remedies[0])

    def _dismiss(self) -> None:
        run = self._registry.selected
        if run is not None:
            self._dismissed[run.key] = finding_line(self.findings.of(run))
        self.refresh()
