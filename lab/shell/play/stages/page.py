"""The stages of the next token: the figure, the draw below it, and what can be done with the token."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from lab.shell.play.uses import draw_sentence
from lab.widgets.core.controls import Button, label
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import tr
from lab.widgets.tokens.draw_line import DrawLine
from lab.widgets.tokens.stages import StageColumn, StagesFigure
from lab.workbench.access.next_token import TokenStages


class StagesPage(QWidget):
    """The stages of a next token, its draw, and buttons that draw again or take the token.

    Args:
        filter_title: Returns the title of a filter by its name.

    Attributes:
        figure: The bars.
        line: The draw.
    """

    picked = Signal(str)
    """The text of a token that the user takes."""
    redraw = Signal()
    """The user wants another draw."""

    def __init__(self, filter_title: Callable[[str], str]) -> None:
        super().__init__()
        self._filter_title = filter_title
        self._found: TokenStages | None = None
        self.sentence = label("", "note")
        self.sentence.setWordWrap(True)
        self.figure = StagesFigure()
        self.figure.picked.connect(self._pick)
        self.line = DrawLine()
        self.figure.marked.connect(self.line.mark)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(self.figure)
        self.again = Button(tr("Draw again"), hint=tr("Draw with another seed"), icon_name="back")
        self.again.clicked.connect(self.redraw)
        self.taken = Button(
            tr("Take it"), hint=tr("Append the token to the prompt, and show the next one"), icon_name="add"
        )
        self.taken.clicked.connect(self._take)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.again)
        foot.addWidget(self.taken)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 4, 0, 0)
        rows.setSpacing(6)
        rows.addWidget(area, 1)
        rows.addWidget(self.line)
        rows.addWidget(self.sentence)
        rows.addLayout(foot)

    def show_stages(self, found: TokenStages, *, can_continue: bool) -> None:
        """Show the stages of a token.

        Args:
            found: The stages.
            can_continue: Whether a token continues the prompt.
        """
        self._found = found
        titles = [tr("model"), *(self._filter_title(stage.name) for stage in found.stages[1:])]
        columns = [
            StageColumn(title, one.left, one.entropy, one.retained, one.probabilities, one.logits)
            for title, one in zip(titles, found.stages, strict=True)
        ]
        columns.append(columns[-1].renormalised(tr("renormalised")))
        self.figure.show_stages(found.labels, columns, found.picked)
        draw = found.draw
        if draw is not None and draw.uniform is not None and found.line:
            pieces = [(piece.start, piece.end, piece.token) for piece in found.line]
            self.line.show_uniform(found.labels, pieces, draw.uniform, found.picked)
        elif draw is not None and draw.times is not None:
            self.line.show_race(found.labels, draw.times.tolist(), found.picked)
        self.line.setVisible(draw is not None and (bool(found.line) or draw.times is not None))
        self.again.setVisible(draw is not None and draw.method != "largest")
        self.sentence.setText(draw_sentence(found))
        text = found.texts[found.picked]
        self.taken.setText(tr("Take {token}", token=glyphs(found.labels[found.picked])))
        self.taken.setEnabled(can_continue and bool(text))

    def _take(self) -> None:
        if self._found is not None:
            self._pick(self._found.picked)

    def _pick(self, row: int) -> None:
        if self._found is not None and self._found.texts[row] and self.taken.isEnabled():
            self.picked.emit(self._found.texts[row])
