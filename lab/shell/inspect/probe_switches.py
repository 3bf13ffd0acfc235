"""The switches of probes in the panel of Inspect, each with the reason why its probe found nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.shell.inspect.probes import Offer
from lab.widgets.core.controls import CheckBox, label, plain_tip
from lab.widgets.core.i18n import tr, tr_registered


class ProbeSwitches(QWidget):
    """The probes that run with each inspection."""

    switched = Signal(str, bool)
    """A person switched a probe on or off."""

    def __init__(self) -> None:
        super().__init__()
        self._offers: list[Offer] = []
        self._on: dict[str, bool] = {}
        self._decided: set[str] = set()  # probes that a person switched, or that were switched by `decide`
        self._boxes: dict[str, CheckBox] = {}
        self._notes: dict[str, QLabel] = {}
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 8, 0, 0)
        self._rows.setSpacing(4)
        self._rows.addWidget(label(tr("Probes"), "strong"))
        self.hide()

    @property
    def on(self) -> list[str]:
        """The probes that are on, in their order."""
        return [offer.name for offer in self._offers if self._on[offer.name]]

    def offer(self, offers: Sequence[Offer]) -> None:
        """Offer probes; those whose readings every run records are on until a person switches them off."""
        for offer in offers:
            self._on.setdefault(offer.name, offer.recorded)
        if list(offers) == self._offers:
            return
        self._offers = list(offers)
        for gone in (*self._boxes.values(), *self._notes.values()):
            self._rows.removeWidget(gone)
            gone.hide()
            gone.deleteLater()
        self._boxes, self._notes = {}, {}
        for offer in offers:
            box, note = CheckBox(tr_registered(offer.title)), label("", "note")
            box.setToolTip(plain_tip(f"{tr_registered(offer.title)}\n{tr_registered(offer.summary)}"))
            box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            box.setChecked(self._on[offer.name])
            box.setProperty("probe", offer.name)
            box.toggled.connect(self._switch)
            note.setWordWrap(True)
            note.setContentsMargins(24, 0, 0, 0)
            note.hide()
            self._rows.addWidget(box)
            self._rows.addWidget(note)
            self._boxes[offer.name], self._notes[offer.name] = box, note
        self.setVisible(bool(offers))

    @property
    def spare(self) -> list[str]:
        """The model's own probes that no run records and nobody has switched yet."""
        return [offer.name for offer in self._offers if offer.own and offer.name not in self._decided | set(self.on)]

    def decide(self, used: Collection[str]) -> None:
        """Switch on the spare probes that were run; the others stay off until a person switches them on."""
        for name in self.spare:
            self._decided.add(name)
            self._on[name] = name in used
            with QSignalBlocker(self._boxes[name]):
                self._boxes[name].setChecked(name in used)

    def show_problems(self, problems: Mapping[str, Problem]) -> None:
        """Show why probes found nothing.

        Args:
            problems: By name of the probe; the others found something.
        """
        for name, note in self._notes.items():
            note.setText(problems[name].line() if name in problems else "")
            note.setVisible(name in problems)

    def recorded(self) -> Collection[str]:
        """Return the probes whose readings every run records."""
        return [offer.name for offer in self._offers if offer.recorded]

    def _switch(self, on: bool) -> None:
        name = str(self.sender().property("probe"))
        self._on[name] = on
        self._decided.add(name)
        self._notes[name].hide()
        self.switched.emit(name, on)
