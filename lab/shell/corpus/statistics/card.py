"""The base class of statistics cards, which show an explanation and some parts of the statistics."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.widgets.core.card import Card
from lab.widgets.core.controls import MenuButton, label
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import INSIDE, themes


class PartsCard(Card):
    """A card that shows some parts of the statistics. Subclasses set `parts` and implement `fill`.

    Args:
        title: Its title.
        sentence: An explanation of its figures.

    Attributes:
        parts: The names of the parts that it shows.
        extra: The names of further parts that it uses if they are available.
        wants: The names of both.
        found: The counted parts among them, by name.
        menus: Its menus whose choices are stored, by name.
    """

    parts: ClassVar[tuple[str, ...]]
    extra: ClassVar[tuple[str, ...]] = ()

    def __init__(self, title: str, sentence: str) -> None:
        super().__init__(title)
        self._name, self.wants = title, (*self.parts, *self.extra)
        self._lines: list[str] = []
        self.found: dict[str, Any] = {}
        self.menus: dict[str, MenuButton] = {}
        inside = QWidget()
        self.rows = QVBoxLayout(inside)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(6)
        self.sentence = label(sentence, "note")
        self.sentence.setWordWrap(True)
        around = QVBoxLayout()
        around.setContentsMargins(INSIDE, 0, INSIDE, 0)
        around.addWidget(self.sentence)
        self.rows.addLayout(around)
        self.set_content(inside, margin=0)
        themes.changed.connect(self._fit_texts)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the texts the height that they need in the new width."""
        super().resizeEvent(event)
        self._fit_texts()

    def _fit_texts(self) -> None:
        """Let wrapped texts count with all of their lines, so that they take no room from a chart."""
        for text in self.body.findChildren(QLabel):
            if text.wordWrap():
                text.setMinimumHeight(max(0, text.heightForWidth(text.width())))

    def take(self, found: Mapping[str, Any], waiting: str) -> None:
        """Show the counted parts, or the problem that prevented counting.

        Args:
            found: The parts by name, or their problems.
            waiting: The message to show until one of its parts is counted.
        """
        mine = {name: found[name] for name in self.wants if name in found}
        self.found = {name: value for name, value in mine.items() if not isinstance(value, Problem)}
        problems = [value for name, value in mine.items() if isinstance(value, Problem) and name in self.parts]
        if any(name in self.found for name in self.parts):
            self.show_content()
            self._lines = self.fill()
            self._fit_texts()
        else:
            self._lines = []
            self.set_title(self._name)
            if not problems:
                self.show_empty(waiting)
            elif problems[0].trace:
                self.show_broken(problems[0])
            else:
                self.show_empty(problem_line(problems[0]))
        self.setAccessibleDescription("; ".join(self._lines))

    def fill(self) -> list[str]:
        """Show the parts in `found`, and return them as lines of text."""
        raise NotImplementedError

    def show_read(self, read: int) -> None:
        """Show next to the title how many characters were read; 0 means all."""
        self.set_title(self._name, tr("the first {n} characters", n=number_text(read)) if read else "")

    @property
    def summary(self) -> str:
        """Its content as text; "" if it has none."""
        return "\n".join([self._name, *self._lines]) if self._lines else ""
