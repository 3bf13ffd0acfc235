"""Experts that a person switches off, and what the validation loss is without them, computed in the background."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from lab.base.problems import Problem
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr
from lab.widgets.readings.base import Line

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.access.inspection import Subject
    from lab.workbench.access.without_experts import Without

Off = Mapping[int, Collection[int]]
"""By block the experts, both from 0."""


class ExpertSwitches(QObject):
    """What is switched off, and what that costs.

    Args:
        model_provider: Provides the model.
        background: Brings the evaluation off the main thread.
        parent: Its parent.

    Attributes:
        off: What is switched off.
        told: Tells it in one line.
        buttons: What can be done about it.
    """

    changed = Signal()
    """Other experts are switched off."""

    def __init__(self, model_provider: ModelProvider, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model_provider, self._background = model_provider, background
        self._measuring: _Measuring | None = None
        self._wide = True
        self.off: dict[int, frozenset[int]] = {}
        self.told = Line()
        self._again = Button(tr("Again"), hint=tr("Evaluate the model as it is now"))
        self._again.clicked.connect(self._measure)
        self._cancel = Button(tr("Cancel"), hint=tr("End the evaluation"))
        self._cancel.clicked.connect(self.cancel)
        self._all_on = Button(tr("All on"), hint=tr("Switch all experts on again"))
        self._all_on.clicked.connect(self.forget)
        self.buttons = QWidget()
        row = QHBoxLayout(self.buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for button in (self._again, self._cancel, self._all_on):
            row.addWidget(button)
        self.forget()

    def set_wide(self, wide: bool) -> None:
        """Says whether there is room for a hint at what can be done."""
        self._wide = wide
        self._say(self.told.full_text)

    def switch(self, block: int | None, expert: int, experts: int) -> None:
        """Switches an expert off, or on again.

        Args:
            block: Its block, from 0; None outside the blocks.
            expert: Its number, from 0.
            experts: How many its block has.
        """
        if block is None:
            self._say(tr("Only experts of blocks can be switched off."))
            return
        off = self.off.get(block, frozenset()) ^ {expert}
        if len(off) == experts:
            self._say(tr("One expert of each block stays on: the tokens have to go somewhere."))
            return
        self.off = {**self.off, block: off} if off else {at: of for at, of in self.off.items() if at != block}
        self.changed.emit()
        if self.off:
            self._measure()
        else:
            self.forget()

    def forget(self) -> None:
        """Switches all on, and forgets what was found."""
        self._end()
        self.off = {}
        self._say(hint())
        self.changed.emit()

    def cancel(self) -> None:
        """Ends the evaluation; what is switched off stays so."""
        self._end()
        self._say(tr("Cancelled: without {experts} nothing was evaluated.", experts=names_of(self.off)))

    def _end(self) -> None:
        if self._measuring is not None:
            self._measuring.cancel()
            self._measuring = None

    def _measure(self) -> None:
        self._end()
        subject, view = self._model_provider.current("inspect")
        made = self._measuring = _Measuring(self, subject, self.off, 0 if view is None else view.step)
        title = tr("Evaluating without {experts}", experts=names_of(self.off))
        self._say(f"{title} …")
        self._background.run(title, made.work, made.take, made.fail, replaces="without experts")

    def take(self, measured: _Measuring, found: Without | Problem) -> None:
        """Tells what an evaluation found, if it is still the one that is wanted; in the main thread."""
        if measured is not self._measuring:
            return
        self._measuring = None
        self._say(found.line() if isinstance(found, Problem) else words_of(found, measured.off, measured.step))

    def _say(self, words: str) -> None:
        """Says something, and offers what can be done now."""
        self.told.set_full_text(words)
        self.told.setVisible(self._wide or words != hint())
        self._cancel.setVisible(self._measuring is not None)
        self._again.setVisible(self._measuring is None and bool(self.off))
        self._all_on.setVisible(bool(self.off))


class _Measuring:
    """One evaluation."""

    def __init__(self, switches: ExpertSwitches, subject: Subject, off: Off, step: int) -> None:
        self._switches, self._subject, self.off, self.step = switches, subject, off, step
        self._cancelled = False
        self._job: Job | None = None

    def cancel(self) -> None:
        """Asks it to end."""
        self._cancelled = True

    def work(self, job: Job) -> Without:
        """Evaluates; in a thread of its own."""
        self._job = job
        return self._subject.without_experts(self.off, cancelled=self._is_over)

    def take(self, found: Without) -> None:
        """Hands over what was found; in the main thread."""
        self._switches.take(self, found)

    def fail(self, problem: Problem) -> None:
        """Hands over why nothing was found; in the main thread."""
        self._switches.take(self, problem)

    def _is_over(self) -> bool:
        return self._cancelled or (self._job is not None and self._job.cancelled)


def hint() -> str:
    """What can be done, as long as nothing was."""
    return tr("Click the bar of an expert: the validation loss without it is computed.")


def words_of(found: Without, off: Off, step: int) -> str:
    """What switching experts off costs, in one sentence."""
    change = found.loss - found.intact
    sign = "+" if change >= 0 else "−"
    return tr(
        "validation loss {before} → {after} ({change} nats) without {experts} · {moment}",
        before=f"{found.intact:.3f}", after=f"{found.loss:.3f}", change=f"{sign}{abs(change):.3f}",
        experts=names_of(off), moment=tr("step {step}", step=f"{step:,}") if step else tr("untrained"),
    )  # fmt: skip


def names_of(off: Off) -> str:
    """Experts in words: "expert 3 of block 2, experts 1 and 4 of block 3"."""
    parts = []
    for block, experts in sorted(off.items()):
        numbers = [str(expert + 1) for expert in sorted(experts)]
        if len(numbers) == 1:
            parts.append(tr("expert {n} of block {block}", n=numbers[0], block=block + 1))
        else:
            some, last = ", ".join(numbers[:-1]), numbers[-1]
            parts.append(tr("experts {some} and {last} of block {block}", some=some, last=last, block=block + 1))
    return ", ".join(parts)
