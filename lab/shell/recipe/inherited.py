"""The lines above the start button that describe what the next run inherits from another run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from lab.recipes import Edit
from lab.shell.session.draft import BranchPoint
from lab.widgets.core.controls import Button, label, plain_tip
from lab.widgets.core.i18n import number_text, tr, tr_n

LISTED = 12
"""Most scheduled edits that are listed."""


class InheritedLine(QWidget):
    """A line that describes what the next run inherits, with a button that removes it; hidden if there is nothing.

    Args:
        hint: Tool tip of the button.
        remove: Removes the inheritance from the draft.
    """

    def __init__(self, hint: str, remove: Callable[[], object]) -> None:
        super().__init__()
        self.text = label("", "note")
        self.text.setWordWrap(True)
        self.remove = Button(hint=hint, icon_name="close")
        self.remove.clicked.connect(remove)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.text, 1)
        row.addWidget(self.remove, 0, Qt.AlignmentFlag.AlignTop)

    def show_branch_point(self, point: BranchPoint | None) -> None:
        """Show the run and the step from which the next run branches; None hides the line."""
        self._show("" if point is None else _branch_label(point))

    def show_edits(self, edits: Sequence[Edit]) -> None:
        """Show the number of scheduled edits, and a list of them as a tool tip; () hides the line."""
        self._show(*_edits_label(edits))

    def _show(self, text: str, tip: str = "") -> None:
        self.text.setText(text)
        self.text.setToolTip(plain_tip(tip) if tip else "")
        self.setVisible(bool(text))


def _branch_label(branch_point: BranchPoint) -> str:
    step = number_text(branch_point.step)
    if branch_point.weights_only:
        return tr("Begins with the weights of {run} at step {step}", run=branch_point.name, step=step)
    return tr("Branch from {run} at step {step}", run=branch_point.name, step=step)


def _edits_label(edits: Sequence[Edit]) -> tuple[str, str]:
    """Return a text with the number of scheduled edits, and a list of them."""
    if not edits:
        return "", ""
    first, count = number_text(edits[0].step), len(edits)
    text = tr_n("1 scheduled edit at step {first}", "{n} scheduled edits from step {first}", count, first=first)
    lines = [
        tr("step {step}: {path} = {value}", step=number_text(edit.step), path=edit.path, value=edit.value)
        for edit in edits[:LISTED]
    ]
    return text, "\n".join([*lines, *(["…"] if count > LISTED else [])])
