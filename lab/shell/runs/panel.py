"""The runs on the left: a list with search, filter and order, or a narrow rail of dots."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QMenu, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from lab.shell.runs.rows import LOSS, TRAIN, heading, losses, ordered, orders, row_of
from lab.shell.runs.search import RunsSearch, toggle_condition
from lab.shell.runtime.background import Background
from lab.shell.session.runs.formatting import state_label
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.card import title_row
from lab.widgets.core.controls import Button, MenuButton, MenuChoices, label, plain_tip, refresh_style, set_role
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import INSIDE, themes
from lab.widgets.runs.delegate import rail_width
from lab.widgets.runs.list_view import RunList, RunRail

MANY = 9
"""Number of runs from which on the search is shown."""
SIDE = 4
"""Pixels between the rows and the edges of the panel."""
OUTSIDE = 10
"""Pixels between the panel and the edge of the window."""
TAGS = 12
"""Most tags that the filter offers."""
CONDITIONS = ("tag=baseline", "state=finished", "layers>=4", "validation_loss<1.5")
"""One example of each kind of condition."""


class RunsPanel(QFrame):
    """The panel with the list of runs.

    Args:
        registry: The runs.
        background: Runs searches in threads.
        start: Starts a run; called by the button of the empty list.
        open_table: Opens the table of runs.
    """

    menu_requested = Signal(str, QPoint)
    """The user opened the context menu of a run, at a position on the screen."""
    picked = Signal()
    """The user selected a run."""
    deleted = Signal()
    """The user requested to delete the selected run."""
    refreshed = Signal()
    """The list was updated."""

    def __init__(
        self,
        registry: RunRegistry,
        background: Background,
        start: Callable[[], object],
        open_table: Callable[[], object],
    ) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self._registry = registry
        self.search = RunsSearch(background, self)
        self.search.found.connect(self.refresh)
        self._count = label("", "note")
        self._order = MenuButton(tr("order"), orders(), self._refresh_by)
        self._table = Button(hint=tr("Table of runs (Ctrl+T)"), icon_name="table")
        self._table.clicked.connect(open_table)
        head = QHBoxLayout()
        head.setContentsMargins(INSIDE, 0, 8, 0)
        head.setSpacing(4)
        head.addWidget(label(tr("Runs"), "title"))
        head.addSpacing(4)
        head.addWidget(self._count)
        head.addStretch()
        head.addWidget(self._order)
        head.addWidget(self._table)
        self._find = QLineEdit()
        self._find.setPlaceholderText(tr("Search, or tag=…"))
        self._find.setAccessibleName(tr("Find a run"))
        self._find.setClearButtonEnabled(True)
        self._find.textChanged.connect(self._search)
        self._filter = Button(hint=tr("Filter by state, star or tag"), icon_name="filter")
        self._conditions = QMenu(self._filter)
        self._conditions.aboutToShow.connect(self._offer_conditions)
        self._filter.setMenu(self._conditions)
        find = QHBoxLayout()
        find.setContentsMargins(INSIDE, 0, 8, 0)
        find.setSpacing(4)
        find.addWidget(self._find)
        find.addWidget(self._filter)
        self.list = RunList()
        self.list.selected.connect(self._select)
        self.list.shown_changed.connect(registry.show)
        self.list.renamed.connect(self._rename)
        self.list.menu_requested.connect(self.menu_requested)
        self.list.deleted.connect(self.deleted)
        self._measure = MenuButton(tr("value shown"), self._losses(), self._refresh_by, steady=True)
        self._measure.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        unit = tr("The unit is that of the loss chart.")
        before = tr("Until the first evaluation of a run, its training loss is shown, marked “train”.")
        self._measure.set_hints({TRAIN: unit, LOSS: f"{before} {unit}"})
        self._unit = QHBoxLayout()
        self._unit.setContentsMargins(INSIDE, 0, 8, 0)
        self._unit.addStretch()
        self._unit.addWidget(self._measure)
        message = tr("Every run you start is listed here, with its curves and its model.")
        self._nothing = _EmptyPage(message, tr("Start the first run"), start)
        self._none_found = _EmptyPage(tr("No run matches."), tr("Show all runs"), self._find.clear)
        self._pages = QStackedLayout()
        pages = QVBoxLayout()  # a stack takes no margins
        pages.setContentsMargins(SIDE, 0, SIDE, 0)
        pages.addLayout(self._pages)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 8, 0, 8)
        self._rows.setSpacing(6)
        self._rows.addWidget(title_row(head))
        self._rows.addLayout(find)
        self._rows.addLayout(self._unit)
        self._rows.addLayout(pages, 1)
        for page in (self._nothing, self._none_found, self.list):
            self._pages.addWidget(page)  # not earlier: a layout without a parent would show it as a window
        self.refresh()
        self.choices = MenuChoices(order=self._order, value=self._measure)
        registry.list_changed.connect(self.refresh)
        registry.selection_changed.connect(self.refresh)
        registry.unit_changed.connect(self._show_unit)
        themes.changed.connect(self.refresh)

    def add_foot(self, details: QWidget) -> None:
        """Add the details of the selected run below the list."""
        self._rows.addWidget(details)

    @property
    def measure(self) -> str:
        """The quantity by which runs are compared."""
        return self._measure.value

    def _refresh_by(self, choice: str) -> None:
        del choice
        self.refresh()

    def _losses(self) -> list[tuple[str, str]]:
        """Return the losses by which runs are compared, with the unit of the chart."""
        return [(measure, heading(measure, self._registry.loss_unit)) for measure in losses()]

    def _show_unit(self) -> None:
        self._measure.set_choices(self._losses())
        self.refresh()

    def refresh(self) -> None:
        """Show the current state of the runs."""
        everything, unit = self._registry.runs, self._registry.loss_unit
        runs = ordered(self.search.select(everything), self._order.value, self.measure, unit)
        searched = bool(self.search.text)
        count = len(everything)
        self._count.setText("" if not count else f"{len(runs)} / {count}" if searched else str(count))
        for widget in (self._find, self._filter):
            widget.setVisible(count >= MANY or searched or self._find.hasFocus())
        for widget in (self._order, self._table):
            widget.setVisible(count > 1)
        self._measure.setVisible(bool(everything))
        self._pages.setCurrentWidget(self._nothing if not count else self._none_found if not runs else self.list)
        self.list.set_rows([row_of(run, self.measure, unit) for run in runs], count)
        problem = self.search.problem
        self._none_found.show_message(tr("No run matches.") if problem is None else problem_line(problem))
        refresh_style(self._find, "state", "" if problem is None else "bad")
        tip = _help() if problem is None else plain_tip(problem_line(problem))
        if self._find.toolTip() != tip:
            self._find.setToolTip(tip)
        if self._registry.selected is not None:
            self.list.select(self._registry.selected.key)
        self.refreshed.emit()

    # ------------------------------------------------------------------------------------------------------- searching

    def focus_search(self) -> None:
        """Move the focus to the search."""
        self._find.setVisible(True)
        self._find.setFocus()
        self._find.selectAll()

    def search_for(self, text: str) -> None:
        """Search for a text."""
        if text != self._find.text():
            self._find.setText(text)

    def _search(self, text: str) -> None:
        self.search.set_text(text)
        self.refresh()

    def _offer_conditions(self) -> None:
        self._conditions.clear()
        states = {run.state: state_label(run) for run in self._registry.runs}
        choices = [(f"state={state}", title) for state, title in states.items()]
        choices += [("star=yes", tr("starred"))] if any(run.label.star for run in self._registry.runs) else []
        choices += [(f"tag={tag}", tag) for tag in self._registry.tags()[:TAGS]]
        terms = self.search.text.split()
        for condition, title in choices:
            action = self._conditions.addAction(title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(condition in terms)
            action.setData(condition)
            action.triggered.connect(self._toggle_condition)

    def _toggle_condition(self) -> None:
        condition = str(self.sender().data())  # type: ignore[attr-defined]
        self._find.setText(toggle_condition(self._find.text(), condition))

    # ---------------------------------------------------------------------------------------------- selecting, renaming

    def _select(self, key: str) -> None:
        self._registry.select(key)
        self.picked.emit()

    def _rename(self, key: str, name: str) -> None:
        run = self._registry.by_key(key)
        if run is not None:
            self._registry.label(run, name=name)


class _EmptyPage(QWidget):
    """The page of an empty list: a message, and a button for what to do."""

    def __init__(self, message: str, title: str, do: Callable[[], object]) -> None:
        super().__init__()
        self._text = text = label(message, "dim")
        text.setWordWrap(True)
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        button = Button(title, role="")
        button.clicked.connect(do)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(INSIDE, INSIDE, INSIDE, INSIDE)
        rows.setSpacing(12)
        rows.addStretch()
        rows.addWidget(text)
        rows.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        rows.addStretch()

    def show_message(self, message: str) -> None:
        """Show another message."""
        if message != self._text.text():
            self._text.setText(message)


class RunsSide(QWidget):
    """The content of the left dock: the list, or a rail that opens the list over the centre.

    Args:
        registry: The runs.
        panel: The list.
        window: The window over whose centre the list opens.
    """

    requested = Signal()
    """The list is needed, but the open place has none."""

    def __init__(self, registry: RunRegistry, panel: RunsPanel, window: QWidget) -> None:
        super().__init__()
        self._registry, self._panel, self._window = registry, panel, window
        self._rail = RunRail()
        self._frame = QFrame()
        self._frame.setProperty("role", "panel")
        inside = QVBoxLayout(self._frame)
        inside.setContentsMargins(0, 4, 0, 4)
        inside.addWidget(self._rail)
        self._wide = True
        self._rows = QHBoxLayout(self)
        self._rows.setContentsMargins(OUTSIDE, 0, 0, 0)
        self._rows.setSpacing(0)
        self._rows.addWidget(panel)
        self._rows.addWidget(self._frame)
        self._frame.hide()
        self._rail.selected.connect(registry.select)
        self._rail.opened.connect(self.toggle)
        self._rail.menu_requested.connect(panel.menu_requested)
        panel.picked.connect(self.fold)
        registry.list_changed.connect(self._refresh)
        registry.selection_changed.connect(self._refresh)

    def set_wide(self, wide: bool) -> None:
        """Show the list or the rail."""
        if wide == self._wide:
            return
        self._wide = wide
        self._frame.setVisible(not wide)
        if wide:
            set_role(self._panel, "panel")
            self._rows.insertWidget(0, self._panel)
            self._panel.show()
        else:
            set_role(self._panel, "overlay")  # so that it stands out from the cards below it
            self._panel.setParent(self._window)
            self._panel.hide()
        self._refresh()

    @property
    def open_over(self) -> bool:
        """True while the list is open over the centre."""
        return not self._wide and self._panel.isVisible()

    def toggle(self) -> None:
        """Open or close the list over the centre."""
        if self._wide:
            return
        if self._panel.isVisible():
            self.fold()
            return
        corner = self.mapTo(self._window, QPoint(self.width() + 4, 0))
        self._panel.setGeometry(corner.x(), corner.y(), 260, self.height())
        self._panel.show()
        self._panel.raise_()
        self._panel.list.setFocus()

    def unfold(self) -> None:
        """Show the list, over the centre if there is only the rail."""
        if not self.isVisible():
            self.requested.emit()
        if not self._wide and not self._panel.isVisible():
            self.toggle()

    def fold(self) -> None:
        """Close the list if it is open over the centre."""
        if not self._wide:
            self._panel.hide()

    def changeEvent(self, event: QEvent) -> None:
        """Draw the dots in the colours of a new theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "_rail"):
            self._refresh()

    def sizeHint(self) -> QSize:
        """Return a size with the width of the list or the rail."""
        return QSize(250 if self._wide else self.narrow_width, 400)

    @property
    def narrow_width(self) -> int:
        """The width with the rail."""
        return OUTSIDE + rail_width() + 2

    def _refresh(self) -> None:
        if not self._wide:
            self._rail.set_rows([row_of(run) for run in self._registry.runs])
            if self._registry.selected is not None:
                self._rail.select(self._registry.selected.key)


def _help() -> str:
    """Return the tool tip that explains the search."""
    text = tr("Enter words of a name, note, tag, architecture or state, or conditions:")
    return plain_tip("\n".join([text, *CONDITIONS]))
