"""The right dock of Inspect: the moment, the block, the probe text, and which readings are shown."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSizePolicy, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.shell.inspect.probe_switches import ProbeSwitches
from lab.shell.inspect.reading_card import Key
from lab.widgets.core.controls import Button, CheckBox, ChoiceBox, label, plain_tip, refresh_style
from lab.widgets.core.i18n import tr
from lab.widgets.core.side_panel import SidePanel
from lab.widgets.core.theme import token_font
from lab.widgets.timeline.timeline import TimelineBar


class InspectPanel(SidePanel):
    """What is looked at."""

    moment_chosen = Signal()
    pin_requested = Signal()
    beside_chosen = Signal()
    layer_chosen = Signal()
    text_given = Signal()
    readings_chosen = Signal()

    def __init__(self) -> None:
        super().__init__(tr("What is shown"))
        self._recorded: list[int] = []
        self._layers: list[int] = []
        self._readings: list[Key] = []
        self._switched: dict[Key, bool] = {}
        self._add_moment()
        self._add_beside()
        self._add_layer()
        self._add_text()
        self.rows.addSpacing(8)
        self._heading = label(tr("Readings"), "strong")
        self._heading.hide()  # until there are some
        self.rows.addWidget(self._heading)
        self._boxes = QVBoxLayout()
        self._boxes.setSpacing(4)
        self.rows.addLayout(self._boxes)
        self.probes = ProbeSwitches()
        self.rows.addWidget(self.probes)
        self.rows.addStretch()
        note = label(tr("Maps show where information may come from, not why."), "note")
        note.setWordWrap(True)
        self.foot.addWidget(note)
        self._follow_moment()

    def _add_moment(self) -> None:
        self.film = TimelineBar()
        self.film.moved.connect(self._moment_moved)
        self.film.pin_requested.connect(self.pin_requested)
        self.rows.addWidget(self.film)

    def _add_beside(self) -> None:
        self._beside = ChoiceBox()
        self._beside.setToolTip(tr("Another run on the same text, at the same step where it recorded moments"))
        self._beside.addItem(tr("nothing"), "")
        self._beside.setEnabled(False)
        self._beside.currentIndexChanged.connect(self.beside_chosen)
        self._add_choice(tr("Beside"), self._beside)

    def _add_layer(self) -> None:
        self._layer = ChoiceBox()
        self._layer.setEnabled(False)
        self._layer.currentIndexChanged.connect(self.layer_chosen)
        self._add_choice(tr("Block"), self._layer)

    def _add_choice(self, name: str, choice: ChoiceBox) -> None:
        choice.setAccessibleName(name)
        row = QHBoxLayout()
        row.addWidget(label(name, "strong"), 2)
        row.addWidget(choice, 3)
        self.rows.addLayout(row)

    def _add_text(self) -> None:
        self.rows.addSpacing(8)
        self.rows.addWidget(label(tr("Probe text"), "strong"))
        self._text = QPlainTextEdit()
        self._text.setFont(token_font())
        self._text.setFixedHeight(92)
        self._text.setTabChangesFocus(True)
        self._text.setAcceptDrops(False)  # the window opens what is dropped
        self._text.setAccessibleName(tr("Probe text"))
        self._text.setPlaceholderText(tr("Empty: the start of the validation text"))
        self._text.textChanged.connect(self._text_edited)
        self.rows.addWidget(self._text)
        self._own_text = label(tr("What was recorded was read on the run's own probe text."), "note")
        self._own_text.setWordWrap(True)
        self.rows.addWidget(self._own_text)
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.rows.addWidget(self._problem)
        self._read = Button(tr("Read it"), hint=tr("Look into the model while it reads this text"), role="")
        self._read.clicked.connect(self._give_text)
        self.rows.addWidget(self._read, 0, Qt.AlignmentFlag.AlignLeft)
        self._given = ""

    # ---------------------------------------------------------------------------------------------------- what it says

    @property
    def moment(self) -> int | None:
        """The step that is looked at; None for now."""
        return self.film.step

    @property
    def recorded(self) -> bool:
        """Whether the moment that is looked at was recorded; else a model is asked."""
        return self.moment in self._recorded

    @property
    def layer(self) -> int | None:
        """The block that is looked at."""
        found = self._layer.currentData()
        return None if found is None else int(found)

    @property
    def text(self) -> str:
        """The probe text that was given; "" for the run's own."""
        return self._given

    @property
    def chosen_readings(self) -> list[Key]:
        """The readings that are shown, in their order."""
        return [key for key in self._readings if self._switched.get(key)]

    # ------------------------------------------------------------------------------------------------- what it is told

    def offer_moments(self, recorded: Sequence[int] | None) -> None:
        """Offers the moments of a run, from before any training on; stays where it was, or now.

        Args:
            recorded: Its recorded steps; None without a run, where there is no moment but now.
        """
        self._recorded = list(recorded or ())
        steps = [] if recorded is None else sorted({0, *recorded})
        self.film.set_snapshots(steps, steps.index(self._recorded[0]) if self._recorded else len(steps))
        self._follow_moment()

    def show_step(self, step: int) -> None:
        """Says of which step the readings are."""
        self.film.show_status(tr("step {step}", step=f"{step:,}"))

    @property
    def beside(self) -> str:
        """The key of the run that is wanted beside; "" for none."""
        return str(self._beside.currentData() or "")

    def offer_runs(self, runs: Sequence[tuple[str, str]], chosen: str) -> None:
        """Offers runs to lie beside.

        Args:
            runs: Key and name of each.
            chosen: The key of the one that does; "" for none.
        """
        offered = [("", tr("nothing")), *runs]
        box = self._beside
        with QSignalBlocker(box):
            if offered != [(box.itemData(place), box.itemText(place)) for place in range(box.count())]:
                box.clear()
                for key, name in offered:
                    box.addItem(name, key)
            box.setCurrentIndex(max(0, box.findData(chosen)))
        box.setEnabled(bool(runs))

    def offer_layers(self, layers: Sequence[int]) -> None:
        """Offers the blocks that reported; stays with the one that is chosen."""
        if list(layers) == self._layers:
            return
        chosen = self.layer
        self._layers = list(layers)
        with QSignalBlocker(self._layer):
            self._layer.clear()
            for layer in layers:
                self._layer.addItem(tr("{n} of {all}", n=layer + 1, all=layers[-1] + 1), layer)
            self._layer.setCurrentIndex(
                max(0, self._layer.findData(chosen if chosen is not None else layers[0])) if layers else -1
            )
        self._layer.setEnabled(len(layers) > 1)

    def offer_readings(self, keys: Sequence[Key], first: int) -> None:
        """Offers readings; the first few are shown until a person chooses."""
        if list(keys) == self._readings:
            return
        self._readings = list(keys)
        self._heading.setVisible(bool(keys))
        while self._boxes.count():
            item = self._boxes.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        before: QWidget = self._read
        for place, key in enumerate(keys):
            self._switched.setdefault(key, place < first)
            along = f"{key[0]}  ({' × '.join(key[1])})" if key[1] else key[0]
            box = CheckBox(along if len(key[1]) < 3 else key[0])
            box.setToolTip(plain_tip(along))
            box.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)  # long names give way
            box.setChecked(self._switched[key])
            box.setProperty("reading", place)
            box.toggled.connect(self._switch)
            self._boxes.addWidget(box)
            QWidget.setTabOrder(before, box)
            before = box

    def want_readings(self, keys: Sequence[Key]) -> None:
        """Has these readings shown once they are offered, or at once."""
        self._switched |= dict.fromkeys(keys, True)
        for item in map(self._boxes.itemAt, range(self._boxes.count())):
            box = item.widget() if item is not None else None
            if isinstance(box, CheckBox) and self._readings[int(box.property("reading"))] in keys:
                box.setChecked(True)

    def show_problem(self, problem: Problem | None) -> None:
        """Says why there is nothing new to see."""
        self._problem.setText("" if problem is None else problem.line())
        self._problem.setVisible(problem is not None)
        refresh_style(self._text, "state", "bad" if problem is not None and self._given else "")

    # ------------------------------------------------------------------------------------------------------ a person's

    def _moment_moved(self) -> None:
        self._follow_moment()
        self.moment_chosen.emit()

    def _follow_moment(self) -> None:
        """Names the moment, and gives the text away only where it is what a model reads."""
        if self.moment is not None:
            self.show_step(self.moment)
        self.film.now.setEnabled(self.moment is not None)
        self._text.setEnabled(not self.recorded)
        self._own_text.setVisible(self.recorded)
        self.probes.setEnabled(not self.recorded)
        self._text_edited()

    def _text_edited(self) -> None:
        self._read.setEnabled(not self.recorded and self._text.toPlainText() != self._given)

    def _give_text(self) -> None:
        self._given = self._text.toPlainText()
        self._read.setEnabled(False)
        self.text_given.emit()

    def _switch(self, shown: bool) -> None:
        box = self.sender()
        self._switched[self._readings[int(box.property("reading"))]] = shown
        self.readings_chosen.emit()
