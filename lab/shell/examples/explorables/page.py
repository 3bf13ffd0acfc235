"""The page of the explorables: their titles on the left, and the card of one of them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from lab.shell.examples.explorables.budget import BudgetCard
from lab.shell.examples.explorables.clock import ClockCard
from lab.shell.examples.explorables.formats import FormatLineCard
from lab.shell.examples.explorables.formats_card import FormatsCard
from lab.shell.examples.explorables.gates import CellCard
from lab.shell.examples.explorables.modes import ModesCard
from lab.shell.examples.explorables.routing import RoutingCard
from lab.shell.examples.explorables.sequences import NucleusCard, SentenceCard, SoftmaxCard
from lab.shell.examples.explorables.vectors import AttentionCard, RotaryCard
from lab.widgets.core.card import Card
from lab.widgets.core.i18n import tr
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import px
from lab.widgets.formulas.explanation import Typeset
from lab.widgets.formulas.marks import SymbolMarks
from lab.widgets.lists.grouped_list import GroupedList, Row

MAKERS: dict[str, Callable[[Typeset | None, SymbolMarks | None], Card]] = {
    "sentence": SentenceCard, "softmax": SoftmaxCard, "nucleus": NucleusCard, "attention": AttentionCard,
    "sinusoids": ClockCard, "rotary": RotaryCard, "cell": CellCard, "modes": ModesCard, "routing": RoutingCard,
    "budget": BudgetCard, "formats": FormatLineCard, "log-sum-exp": FormatsCard,
}  # fmt: skip
"""The class of each explorable's card by key, which texts of lessons and of the help name.

Called with what typesets its formulas, and with the symbol that is pointed at on the page around it.
"""


def titles() -> dict[str, str]:
    """Return the title of each explorable by its key."""
    return {
        "sentence": tr("Chain rule of a sentence"),
        "softmax": tr("Softmax with temperature"),
        "nucleus": tr("Nucleus on a bar chart"),
        "attention": tr("Attention in the plane"),
        "sinusoids": tr("Sinusoids as a clock"),
        "rotary": tr("Rotary positions"),
        "cell": tr("LSTM cell with taps"),
        "modes": tr("A state space as a sum of decaying modes"),
        "routing": tr("Routing of points to experts"),
        "budget": tr("Chinchilla's surface and a budget"),
        "formats": tr("Float formats on the number line"),
        "log-sum-exp": tr("Log-sum-exp in four number formats"),
    }


class ExplorablesPage(QWidget):
    """The explorables, one at a time. A card is made when it is first shown.

    Args:
        make: Makes the card of an explorable by its key, one of MAKERS.
    """

    def __init__(self, make: Callable[[str], Card | None]) -> None:
        super().__init__()
        self._make = make
        self._made: dict[str, Card] = {}
        self._stack = QStackedWidget()
        self.list = GroupedList(tr("Explorables"), tr("Up and down show another one."))
        self.list.setMinimumWidth(px(180))
        self.list.set_rows([Row(key, title) for key, title in titles().items()])
        self.list.selection_changed.connect(self.show_explorable)
        splitter = Splitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.list)
        splitter.addWidget(self._stack)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([px(270), px(950)])
        splitter.setChildrenCollapsible(False)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(splitter)
        self.show_explorable("sentence")

    def show_explorable(self, key: str) -> Card:
        """Show one, and return its card."""
        if key not in self._made:
            card = self._make(key)
            assert card is not None
            self._made[key] = card
            self._stack.addWidget(self._made[key])
        self._stack.setCurrentWidget(self._made[key])
        self.list.show_selected(key)
        return self._made[key]

    @property
    def cards(self) -> list[Card]:
        """The cards that were made so far."""
        return list(self._made.values())
