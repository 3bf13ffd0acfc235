"""The place Learn, with pages for lessons, the answers of a class and the plan of a term; `add_page` adds others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from lab.base import LabError
from lab.base.notices import notify
from lab.widgets.core.card import Card, title_row
from lab.widgets.core.controls import Button, follow_in_tab_order
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import BETWEEN

if TYPE_CHECKING:
    from lab.shell.learn.lessons_page import LessonsPage
    from lab.shell.learn.reader import MakeLinked
    from lab.shell.session.session import Session


class LearnPlace(QWidget):
    """The place Learn. A page is imported and made when it is first opened, so that the window opens sooner.

    Args:
        session: The session.
        parent: Its parent.

    Attributes:
        lessons: The page of the lessons; None before it is opened.
        make_explorable: Makes the explorables that lessons name; None leaves their titles.
    """

    view_requested = Signal(str)
    """The key of a place that is to be opened."""
    help_requested = Signal(str)
    """A page of the help is to be shown."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.lessons: LessonsPage | None = None
        self.make_explorable: MakeLinked | None = None
        self._buttons = QButtonGroup(self)
        self._buttons.idClicked.connect(self._open)
        self._stack = QStackedWidget()
        self._keys: list[str] = []
        self._makers: list[Callable[[], QWidget]] = []
        self._made: dict[str, QWidget] = {}
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(4)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.addLayout(self._row)
        head.addStretch(1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(BETWEEN, 4, BETWEEN, 0)
        rows.setSpacing(8)
        rows.addWidget(title_row(head))
        rows.addWidget(self._stack, 1)
        self.add_page("lessons", tr("Lessons"), self._lessons)
        self.add_page("class", tr("Answers of a class"), self._class)
        self.add_page("plan", tr("Plan of a term"), self._plan)

    def add_page(self, key: str, title: str, make: Callable[[], QWidget]) -> None:
        """Add a page at the right end, such as the worked examples.

        Args:
            key: Its key for `open_page`.
            title: The label of its button.
            make: Makes the page when it is first opened.
        """
        button = Button(title)
        button.setCheckable(True)
        self._buttons.addButton(button, len(self._keys))
        self._row.addWidget(button)
        self._keys.append(key)
        self._makers.append(make)

    def open_page(self, key: str) -> QWidget:
        """Open a page, and return it."""
        if key not in self._made:
            made = self._made[key] = self._makers[self._keys.index(key)]()
            self._stack.addWidget(made)
            follow_in_tab_order(self._buttons.button(len(self._keys) - 1), made)
        self._stack.setCurrentWidget(self._made[key])
        self._buttons.button(self._keys.index(key)).setChecked(True)
        return self._made[key]

    def showEvent(self, event: QShowEvent) -> None:
        """Open the lessons when the place is shown first."""
        super().showEvent(event)
        if not self._made:
            self.open_page("lessons")

    @property
    def cards(self) -> list[Card]:
        """The cards of the pages that were opened so far."""
        return self.findChildren(Card)

    def close_down(self) -> None:
        """Stop what runs, as the window closes or is replaced."""
        if self.lessons is not None:
            self.lessons.close_down()

    def _open(self, number: int) -> None:
        self.open_page(self._keys[number])

    def _lessons(self) -> QWidget:
        from lab.shell.learn.lessons_page import LessonsPage

        made = self.lessons = LessonsPage(self._session, self.make_explorable, self)
        made.view_requested.connect(self.view_requested)
        made.help_requested.connect(self.help_requested)
        made.example_requested.connect(self._show_example)
        return made

    def _class(self) -> QWidget:
        from lab.shell.learn.class_page import ClassPage

        return ClassPage(self._session, self)

    def _plan(self) -> QWidget:
        from lab.shell.learn.plan_page import PlanPage

        made = PlanPage(self._session, self)
        made.demonstration_requested.connect(self._demonstrate)
        return made

    def _demonstrate(self, name: str) -> None:
        """Play a lesson by itself."""
        self.open_page("lessons")
        if self.lessons is not None:
            self.lessons.demonstrate(name)

    def _show_example(self, name: str) -> None:
        """Show a worked example, if there is a page of them."""
        if "examples" in self._keys:
            show = getattr(self.open_page("examples"), "show_example", None)
            if show is not None:
                try:
                    show(name)
                except LabError as error:  # a lesson of somebody else may name an example that there is not
                    notify("warning", error.problem)
