"""The place Compare: the comparison of the shown runs, or a way to show such runs; and the table of many runs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from lab.shell.compare.page import ComparisonPage
from lab.shell.runtime.background import Background
from lab.shell.session.comparison.evaluator import SameTextEvaluator
from lab.shell.session.runs.comparability import Comparability, Difference, comparability_of, differences
from lab.shell.session.runs.loss_unit import BYTES
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.i18n import tr, tr_n
from lab.widgets.core.theme import BETWEEN

if TYPE_CHECKING:
    from lab.host import Plugins
    from lab.shell.compare.many.arms_page import ArmsPage
    from lab.shell.compare.studies.page import StudiesPage
    from lab.shell.session.studies import StudyController

MOST_OFFERED = 4
"""Most runs that the button of the empty card shows at once, the selected one included."""
MOST_CHECKED = 50
"""Most runs, the newest ones, among which it finds those that compare."""


class ComparePlace(QWidget):
    """The place Compare. It follows the shown runs while it is visible.

    Args:
        registry: The runs.
        drawing: Schedules the drawing.
        evaluator: Evaluates runs on the same text.
        train: Opens Train, where another run can be started.
        background: Reads and compares many runs in threads.
        plugins: The plugins, for the models of these.
        controller: Returns what trains studies; called when their page is opened.

    Attributes:
        page: The comparison.
        arms: The table of many runs; None before it is opened.
        studies: The page of studies; None before it is opened.
    """

    def __init__(
        self,
        registry: RunRegistry,
        drawing: Drawing,
        evaluator: SameTextEvaluator,
        train: Callable[[], object],
        background: Background,
        plugins: Plugins,
        controller: Callable[[], StudyController],
    ) -> None:
        super().__init__()
        self._controller = controller
        self._registry, self._drawing, self._train = registry, drawing, train
        self._background, self._plugins = background, plugins
        self.page = ComparisonPage(registry, evaluator)
        self.card = Card(tr("Are the losses comparable?"))
        self.card.set_content(self.page)
        self.arms: ArmsPage | None = None
        self.studies: StudiesPage | None = None
        self._table, self._studies = Card(tr("Many runs")), Card(tr("Studies"))
        self._pages = QStackedWidget()
        self._pages.addWidget(self.card)
        self._pages.addWidget(self._table)
        self._pages.addWidget(self._studies)
        self._tabs = QButtonGroup(self)
        tabs = QHBoxLayout()
        tabs.setContentsMargins(BETWEEN, 4, 0, 0)
        tabs.setSpacing(4)
        for number, title in enumerate((tr("Shown runs"), tr("Many runs"), tr("Studies"))):
            button = Button(title)
            button.setCheckable(True)
            self._tabs.addButton(button, number)
            tabs.addWidget(button)
        tabs.addStretch(1)
        self._tabs.button(0).setChecked(True)
        self._tabs.idClicked.connect(self.open_page)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, BETWEEN, 0)
        rows.setSpacing(4)
        rows.addLayout(tabs)
        rows.addWidget(self._pages, 1)
        for signal in (registry.list_changed, registry.selection_changed, registry.unit_changed):
            signal.connect(self._changed)
        registry.data_changed.connect(self._changed)
        registry.ended.connect(self._changed)

    def open_page(self, number: int) -> None:
        """Open the comparison of the shown runs (0), the table of many (1), or studies (2), made when first opened."""
        if number == 1 and self.arms is None:
            from lab.shell.compare.many.arms_page import ArmsPage

            self.arms = ArmsPage(self._registry, self._background, self._plugins)
            self._table.set_content(self.arms)
            self._table.show_content()
        if number == 2 and self.studies is None:
            from lab.shell.compare.studies.page import StudiesPage

            self.studies = StudiesPage(self._background, self._controller())
            self._studies.set_content(self.studies)
            self._studies.show_content()
        self._tabs.button(number).setChecked(True)
        self._pages.setCurrentIndex(number)

    def _changed(self, *_: object) -> None:
        if self.isVisible():
            self._drawing.changed(self)

    def showEvent(self, event: QShowEvent) -> None:
        """Show the runs that are shown now."""
        super().showEvent(event)
        self.draw()

    def draw(self) -> None:
        """Compare the runs that are shown now; with fewer than two, offer to show others."""
        found = self._comparability()
        self.page.show_runs(found)
        several = len(self._registry.shown) > 1 and found.runs  # one of them may only have started
        if several or self.page.evaluator.model.works:
            self.card.show_content()
            return
        offered = self.offered()
        what = tr("With two runs or more, this place says who is ahead, which losses are comparable, "
                  "and what the runs reach on the same text.")  # fmt: skip
        if not offered:
            why = tr("There is no second run with a loss yet.")
            self.card.show_empty(f"{what} {why}", tr("Train another run"), self._train)
            return
        names = ", ".join(run.name for run in offered)
        which = tr("These can be shown: {runs}. The eye in the list shows others.", runs=names)
        action = tr_n("Show 1 run", "Show {n} runs", len(offered))
        self.card.show_empty(f"{what} {which}", action, self.show_offered)

    def offered(self) -> list[RunModel]:
        """Return the selected run, if it has a loss, and the newest others; those whose losses compare with its first.

        Without a selected run they compare with the newest one. The list is empty if fewer than two runs have a loss.
        """
        selected = self._registry.selected
        runs = [selected, *self._registry.runs] if selected is not None else self._registry.runs
        measured = list(islice(dict.fromkeys(run for run in runs if run.loss is not None), MOST_CHECKED))
        if len(measured) < 2:
            return []
        reference, *others = measured
        comparable = [run for run in others if not set(differences(run, reference)) - {Difference.STEPS}]
        return [reference, *(comparable or others)[: MOST_OFFERED - 1]]

    def show_offered(self) -> None:
        """Show the runs that the empty card names."""
        self._registry.show([run.key for run in self.offered()], True)

    def evaluate(self) -> None:
        """Evaluate the shown runs on the same text, if that is possible."""
        self.draw()
        if self.page.evaluate.isEnabled():
            self.page.start()

    def close_down(self) -> None:
        """Cancel the evaluation, as the window closes or is replaced."""
        self.page.evaluator.cancel()

    def _comparability(self) -> Comparability:
        registry = self._registry
        return comparability_of(registry.shown, registry.selected, by_bytes=registry.loss_unit == BYTES)

    @property
    def cards(self) -> list[Card]:
        """The cards of this place."""
        return [self.card, self._table, self._studies]
