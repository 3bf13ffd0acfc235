"""The strip under the loss with the live settings of the run that trains, by the same rows as the form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from lab.api import Setting
from lab.base.run_state import TRAINING
from lab.host import Plugins
from lab.shell.session.live_settings import LivePart, LiveValues, live_parts, rank
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.card import VerticalScroll
from lab.widgets.core.controls import follow_in_tab_order
from lab.widgets.core.i18n import language, tr, tr_registered
from lab.widgets.core.theme import INSIDE, ROW, control_height, px
from lab.widgets.forms.form import Form
from lab.widgets.forms.groups import Section
from lab.widgets.forms.rows import format_for

COLUMN, GAP = 216, 20
"""The smallest width of a column and the space between two columns, in pixels."""
TALL = 760
"""The height in pixels of the place from which the strip is open until the user folds it."""
LINES = 2
"""Most rows that are visible in a place that is lower; the others scroll."""
SUMMED_UP = 4
"""Most settings that the heading sums up."""


class LiveStrip(QFrame):
    """The live settings of the selected run, hidden unless it trains or is paused.

    Args:
        registry: The runs.
        plugins: The plugins that provide the cards of their recipes.
        change: Changes a live setting of the selected run, by its path in the recipe.
    """

    def __init__(self, registry: RunRegistry, plugins: Plugins, change: Callable[[str, Any], object]) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self._registry, self._plugins, self._change = registry, plugins, change
        self._run: RunModel | None = None
        self._parts: list[tuple[LivePart, Form]] = []
        self._rows: list[QWidget] = []
        self._values = LiveValues()
        self._shown: tuple[object, ...] = ()
        self._columns = 0
        self._opened: bool | None = None  # by the user
        self._available = 0
        self.section = Section(
            tr("Live settings"), tr("Changes take effect at the next step, and leave a flag on the curve.")
        )
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, INSIDE, 0)
        self._grid.setHorizontalSpacing(GAP)
        self._grid.setVerticalSpacing(0)
        self._area = VerticalScroll(inside)
        self.section.rows.addWidget(self._area)
        self.section.head.clicked.connect(self._remember)
        self.section.toggled.connect(self._fit)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(INSIDE, 0, 0, 0)
        rows.addWidget(self.section)
        self.hide()
        registry.selection_changed.connect(self.refresh)
        registry.ended.connect(self.refresh)
        registry.data_changed.connect(self._on_data)

    # -------------------------------------------------------------------------------------------------------- contents

    def refresh(self, *_: object) -> None:
        """Show the settings of the selected run, if it can be changed now."""
        run = self._registry.selected
        trains = run is not None and run.state in TRAINING and run.control is not None
        shown = (run, trains, run.changed if trains and run is not None else None)
        if len(shown) == len(self._shown) and all(one is other for one, other in zip(shown, self._shown, strict=True)):
            return
        self._shown = shown
        if run is not None and trains:
            if run is not self._run:
                self._take(run)
            self._show_values()
        self.setVisible(trains and bool(self._rows))

    def _on_data(self, run: RunModel) -> None:
        if run is self._registry.selected:
            self.refresh()

    def _take(self, run: RunModel) -> None:
        """Make the rows of another run."""
        self._run, self._values = run, LiveValues()
        for row in self._rows:
            self._grid.removeWidget(row)
        for _, form in self._parts:
            form.discard()
        self._parts, rows = [], []
        for part in live_parts(run.recipe, self._plugins, counts=run.counts):
            form = Form(type(part.config), prefix=part.path, scattered=True, parent=self)
            form.hide()
            names = [setting.name for setting in part.settings]
            form.make_rows(names)
            form.edited.connect(partial(self._edit, part.path))
            self._parts.append((part, form))
            rows += [(f"{part.path}.{name}", form.row(name)) for name in names]
        self._rows = [row for _, row in sorted(rows, key=lambda item: rank(item[0]))]
        self._columns = 0
        self._arrange()

    def _show_values(self) -> None:
        if self._run is None:
            return
        facts = []
        for part, form in self._parts:
            values = self._values.of(part, self._run.changed)
            form.show_values(values, part.config.stored())
            for setting in part.settings:
                text = f"{_name_of(setting)} {format_for(setting, values.get(setting.name))}"
                facts.append((rank(f"{part.path}.{setting.name}"), text))
        facts.sort(key=lambda fact: fact[0])
        self.section.head.show_summary(", ".join(text for _, text in facts[:SUMMED_UP]))

    def _edit(self, part: str, name: str, value: object) -> None:
        """Send an accepted entry to the run."""
        if self._run is None or self._run is not self._registry.selected:
            return
        path = f"{part}.{name}"
        self._values.give(path, value, self._run.changed)
        self._change(path, value)
        self._show_values()

    # ---------------------------------------------------------------------------------------------------------- layout

    def set_available(self, height: int) -> None:
        """Fit the strip into a place of this height in pixels; a high one opens it until the user folds it."""
        self._available = height
        self._follow()
        self._fit()

    def _follow(self) -> None:
        self.section.set_open(self._available >= px(TALL) if self._opened is None else self._opened)

    def _remember(self) -> None:
        self._opened = self.section.is_open

    def state_dict(self) -> dict[str, Any]:
        """Return whether the user opened or folded the strip."""
        return {} if self._opened is None else {"open": self._opened}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned; other values are left out."""
        opened = state.get("open")
        self._opened = opened if isinstance(opened, bool) else None
        self._follow()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the rows in as many columns as fit."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Lay the rows out in columns, from left to right."""
        fitting = max(1, (self.width() - 3 * INSIDE + GAP) // (px(COLUMN) + GAP))
        columns = min(fitting, len(self._rows))
        if columns == self._columns or not self._rows:
            return
        for column in range(max(columns, self._columns)):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)
        self._columns = columns
        for index, row in enumerate(self._rows):
            self._grid.addWidget(row, index // columns, index % columns, Qt.AlignmentFlag.AlignTop)
        follow_in_tab_order(self.section.head, self._area)
        self._fit()

    def _fit(self, *_: object) -> None:
        """Give the rows the height that they need, or a few lines of it in a low place."""
        if not self._columns:
            return
        lines = -(-len(self._rows) // self._columns)
        shown = lines if self._available >= px(TALL) else min(lines, LINES)
        self._area.setFixedHeight(shown * control_height(ROW))


def _name_of(setting: Setting) -> str:
    """Return the title of a setting within a sentence; German nouns keep their capital."""
    title = tr_registered(setting.title)
    return title.lower() if language.code == "en" else title
