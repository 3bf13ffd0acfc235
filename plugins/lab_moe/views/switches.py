"""Experts that the user switches off, and the validation loss without them, computed in the background."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from lab.api import Problem
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.messages import problem_line
from lab.widgets.readings.base import Line
from lab.widgets.readings.context import Effect, ViewContext

Off = Mapping[int, Collection[int]]
"""The experts that are switched off, by block; both from 0."""


class ExpertSwitches(QObject):
    """The experts that are switched off, and the loss without them.

    Args:
        context: Evaluates the model.
        parent: The parent object.

    Attributes:
        off: The experts that are switched off.
        message: One line about them.
        buttons: What the user can do.
    """

    changed = Signal()
    """Other experts were switched off or on."""

    def __init__(self, context: ViewContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._cancel_evaluation: Callable[[], None] | None = None
        self._wide = True
        self.off: dict[int, frozenset[int]] = {}
        self.message = Line()
        self._again = Button(tr("Again"), hint=tr("Evaluate the model as it is now"))
        self._again.clicked.connect(self._evaluate)
        self._cancel = Button(tr("Cancel"), hint=tr("End the evaluation"))
        self._cancel.clicked.connect(self.cancel)
        self._all_on = Button(tr("All on"), hint=tr("Switch all experts on again"))
        self._all_on.clicked.connect(self.reset)
        self.buttons = QWidget()
        row = QHBoxLayout(self.buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for button in (self._again, self._cancel, self._all_on):
            row.addWidget(button)
        self.reset()

    def set_wide(self, wide: bool) -> None:
        """Set whether there is room for a hint."""
        self._wide = wide
        self._show(self.message.full_text)

    def switch(self, block: int | None, expert: int, experts: int) -> None:
        """Switch an expert off, or on again.

        Args:
            block: The index of the block, from 0; None outside the blocks.
            expert: The index of the expert, from 0.
            experts: The number of experts in the block.
        """
        if block is None:
            self._show(tr("Only experts of blocks can be switched off."))
            return
        off = self.off.get(block, frozenset()) ^ {expert}
        if len(off) == experts:
            self._show(tr("One expert of each block stays on, as the tokens need one."))
            return
        self.off = {**self.off, block: off} if off else {at: of for at, of in self.off.items() if at != block}
        self.changed.emit()
        if self.off:
            self._evaluate()
        else:
            self.reset()

    def reset(self) -> None:
        """Switch all experts on, and show no result."""
        self._end()
        self.off = {}
        self._show(hint())
        self.changed.emit()

    def cancel(self) -> None:
        """End the evaluation; the experts stay switched off."""
        self._end()
        self._show(tr("Cancelled: without {experts} nothing was evaluated.", experts=names_of(self.off)))

    def _end(self) -> None:
        if self._cancel_evaluation is not None:
            self._cancel_evaluation()
            self._cancel_evaluation = None

    def _evaluate(self) -> None:
        self._end()
        title = tr("Evaluating without {experts}", experts=names_of(self.off))
        done = partial(self._take, self.off)
        self._cancel_evaluation = self._context.evaluate_without(interventions_of(self.off), title, done)
        self._show(f"{title} …")

    def _take(self, off: Off, found: Effect | Problem) -> None:
        self._cancel_evaluation = None
        self._show(problem_line(found) if isinstance(found, Problem) else message_of(found, off))

    def _show(self, message: str) -> None:
        """Show a message, and the buttons that apply now."""
        self.message.set_full_text(message)
        self.message.setVisible(self._wide or message != hint())
        self._cancel.setVisible(self._cancel_evaluation is not None)
        self._again.setVisible(self._cancel_evaluation is None and bool(self.off))
        self._all_on.setVisible(bool(self.off))


def hint() -> str:
    """Return the hint shown before the first click."""
    return tr("Click the bar of an expert to compute the validation loss without it.")


def interventions_of(off: Off) -> list[str]:
    """Return the interventions that switch experts off ("expert:2.5"), blocks and experts counted from 1."""
    return [f"expert:{block + 1}.{expert + 1}" for block, experts in sorted(off.items()) for expert in sorted(experts)]


def message_of(found: Effect, off: Off) -> str:
    """Return the cost of switching experts off, in one sentence."""
    change = found.loss - found.intact
    sign = "+" if change >= 0 else "−"
    step = tr("step {step}", step=number_text(found.step)) if found.step else tr("untrained")
    return tr(
        "validation loss {before} → {after} ({change} nats) without {experts} · {step}",
        before=number_text(found.intact, ".3f"), after=number_text(found.loss, ".3f"),
        change=f"{sign}{number_text(abs(change), '.3f')}",
        experts=names_of(off), step=step,
    )  # fmt: skip


def names_of(off: Off) -> str:
    """Return the names of experts: "expert 3 of block 2, experts 1 and 4 of block 3"."""
    parts = []
    for block, experts in sorted(off.items()):
        numbers = [str(expert + 1) for expert in sorted(experts)]
        if len(numbers) == 1:
            parts.append(tr("expert {n} of block {block}", n=numbers[0], block=block + 1))
        else:
            some, last = ", ".join(numbers[:-1]), numbers[-1]
            parts.append(tr("experts {some} and {last} of block {block}", some=some, last=last, block=block + 1))
    return ", ".join(parts)
