"""A button that opens the list of runs: those of the same vocabulary first, and why others cannot be chosen."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QMenu

from lab.base.folders import runs_folder
from lab.shell.play.choices import Fit, RunChoice, RunOffer, offers_of
from lab.shell.runtime.background import Background
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import number_text, tr

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.access.model_access import ModelAccess

MOST = 40
"""Most runs of each kind in the list."""

_numbers = itertools.count()


@dataclass(frozen=True)
class Runs:
    """The runs among which is chosen.

    Args:
        registry: The runs.
        background: Reads their files in a thread.
        reference: Returns the model whose vocabulary comes first; None if none does.
    """

    registry: RunRegistry
    background: Background
    reference: Callable[[], ModelAccess | None]


class RunPicker(Button):
    """Opens the list of runs.

    Args:
        face: The text on it.
        hint: Its tip.
        runs: The runs.
        takes_others: Whether a run of another vocabulary can be chosen.
        role: As of Button.
    """

    picked = Signal(object)
    """The RunChoice that the user made."""

    def __init__(self, face: str, hint: str, runs: Runs, *, takes_others: bool, role: str = "quiet") -> None:
        super().__init__(face, hint=hint, role=role)
        self._runs, self._takes_others = runs, takes_others
        self._number = next(_numbers)
        self.menu_of_runs = QMenu(self)
        self.menu_of_runs.setToolTipsVisible(True)
        self.clicked.connect(self.open)

    def open(self) -> None:
        """Read the runs, and then open the list."""
        registry, reference = self._runs.registry, self._runs.reference()
        shown = [run for run in registry.runs if run in registry.shown]
        runs = [*shown, *(run for run in registry.runs if run not in shown)]

        def work(_job: Job) -> list[RunOffer]:
            return offers_of(runs, reference)

        self._runs.background.run(tr("Listing the runs"), work, self._show, replaces=f"runs of picker {self._number}")

    def _show(self, offers: Sequence[RunOffer]) -> None:
        if not self.isVisible():
            return
        self._fill(offers)
        self.menu_of_runs.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _fill(self, offers: Sequence[RunOffer]) -> None:
        menu = self.menu_of_runs
        menu.clear()
        for fit in Fit:
            group = [offer for offer in offers if offer.fit is fit]
            if group and menu.actions():
                menu.addSeparator()
            for offer in group[:MOST]:
                self._add(menu, offer)
            if len(group) > MOST:
                left = tr("{n} further runs: show one with the eye in the list", n=number_text(len(group) - MOST))
                menu.addAction(left).setEnabled(False)
        if not offers:
            menu.addAction(tr("There is no run yet")).setEnabled(False)

    def _add(self, menu: QMenu, offer: RunOffer) -> None:
        """Add a run, with its checkpoints below it."""
        name, reason = offer.run.name, _reason(offer)
        title = (f"{name} – {reason}" if reason else name).replace("&", "&&")
        can_be_picked = offer.fit is Fit.SAME or (offer.fit is Fit.OTHER and self._takes_others)
        if not can_be_picked or len(offer.steps) < 2:
            action = menu.addAction(title, partial(self._pick, RunChoice(offer.run)))
            action.setEnabled(can_be_picked)
            return
        below = menu.addMenu(title)
        below.addAction(tr("as it is now"), partial(self._pick, RunChoice(offer.run)))
        for step in reversed(offer.steps):
            caption = tr("step {n}", n=number_text(step))
            below.addAction(caption, partial(self._pick, RunChoice(offer.run, step)))

    def _pick(self, choice: RunChoice) -> None:
        self.picked.emit(choice)


def run_name_button(runs: Runs, title: str, on_named: Callable[[str], object]) -> RunPicker:
    """Return a button that opens the list of runs for a setting that names one.

    Args:
        runs: The runs; those of another vocabulary cannot be chosen.
        title: The title of the setting, for screen readers.
        on_named: Called with the name of the run, as the setting takes it.
    """
    hint = tr("Pick a run with the vocabulary of this model")
    button = RunPicker(tr("Pick…"), hint, runs, takes_others=False)
    button.setAccessibleName(tr("{name}: pick a run", name=title))

    def take(choice: RunChoice) -> None:
        path = None if choice.run is None else choice.run.path
        if path is not None:
            name = path.name if path.parent == runs_folder() else str(path)
            on_named(name if choice.step is None else f"{name}@{choice.step}")

    button.picked.connect(take)
    return button


def _reason(offer: RunOffer) -> str:
    """Return why a run cannot be chosen, or what tells it from those of the same vocabulary."""
    if offer.fit is not Fit.OTHER:
        return offer.reason
    symbols = number_text(offer.symbols)
    return tr("another vocabulary: {tokenizer}, {n} symbols", tokenizer=offer.tokenizer, n=symbols)
