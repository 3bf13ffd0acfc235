"""The card of a corpus page: a sentence that explains it, and parts of the page as they are counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.widgets.core.card import Card
from lab.widgets.core.controls import label
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import INSIDE


class PartsCard(Card):
    """A card that shows some parts of a corpus page. Each kind names its `parts` and gives `fill`.

    Args:
        title: What it shows.
        sentence: What that means.

    Attributes:
        parts: Names of the parts that it shows.
        extra: Names of parts without which it can do.
        wants: Names of all of them.
        found: The ones that there are.
    """

    parts: ClassVar[tuple[str, ...]]
    extra: ClassVar[tuple[str, ...]] = ()

    def __init__(self, title: str, sentence: str) -> None:
        super().__init__(title)
        self._name, self.wants = title, (*self.parts, *self.extra)
        self._lines: list[str] = []
        self.found: dict[str, Any] = {}
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

    def take(self, found: Mapping[str, Any], waiting: str) -> None:
        """Shows what there is of its parts: what was counted, or the problem that kept it from being.

        Args:
            found: Parts by name.
            waiting: Said while there is none of them.
        """
        mine = {name: found[name] for name in self.wants if name in found}
        self.found = {name: value for name, value in mine.items() if not isinstance(value, Problem)}
        problems = [value for name, value in mine.items() if isinstance(value, Problem) and name in self.parts]
        if any(name in self.found for name in self.parts):
            self.show_content()
            self._lines = self.fill()
        else:
            self._lines = []
            self.set_title(self._name)
            if not problems:
                self.show_empty(waiting)
            elif problems[0].trace:
                self.show_broken(problems[0])
            else:
                self.show_empty(problems[0].line())
        self.setAccessibleDescription("; ".join(self._lines))

    def fill(self) -> list[str]:
        """Shows what is in `found`, some of the parts; says it in lines of words."""
        raise NotImplementedError

    def show_read(self, read: int) -> None:
        """Says beside the title that a part reads only the beginning of the text; 0 for all of it."""
        self.set_title(self._name, tr("the first {n} characters", n=f"{read:,}") if read else "")

    @property
    def told(self) -> str:
        """All of it as text; "" while there is nothing."""
        return "\n".join([self._name, *self._lines]) if self._lines else ""
