"""The page Plane of Play: a network learns points in the plane live, and the mouse drags, adds and removes them."""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, QTimer
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSlider, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.shell.play.plane.model import FINEST, LAYERS, NOISE, ROWS, WIDTH, Knob, PlaneModel, State, recipe_for
from lab.shell.play.working import side_by_side
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, ChoiceBox, label
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import BETWEEN
from lab.widgets.figures.view import ExportButton
from lab.widgets.planes.plane import Extent, PlaneMap
from lab.workbench.analysis.plane_fit import Frame, PlaneFit

if TYPE_CHECKING:
    from lab.base.jobs import Job

POLL = 33
"""Milliseconds between two looks for a new frame."""
SETTLE = 250
"""Milliseconds after the last move of a slider until its fit is made."""
MAKING, FITTING = "making a plane", "fitting a plane"
"""The keys of the jobs."""


class PlanePage(QWidget):
    """The page Plane.

    Args:
        model_provider: Provides the selected run and its recipe.
        background: Runs work in threads.
    """

    def __init__(self, model_provider: ModelProvider, background: Background) -> None:
        super().__init__()
        self._model_provider, self._background = model_provider, background
        self.model = PlaneModel()
        self._ready = False
        self._drawn: Frame | None = None
        self._points: object = None
        self._moved: dict[str, int] = {}  # the sliders that were moved, until their fit is made
        self.card = Card(tr("Plane"))
        self.plane = PlaneMap(editable=True)
        self.plane.moved.connect(self._move)
        self.plane.added.connect(self._add)
        self.plane.removed.connect(self._remove)
        self.card.add_control(ExportButton(self.plane))
        self.card.set_content(self.plane)
        self._make_controls()
        side_by_side(self, self.card, self.controls, sizes=(720, 320))
        self._poll = QTimer(self)
        self._poll.setInterval(POLL)
        self._poll.timeout.connect(self._draw)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE)
        self._settle.timeout.connect(self._apply)
        self._show()

    def _make_controls(self) -> None:
        self.controls = Card(tr("Network and points"))
        self.train = Button(tr("Train"), hint=tr("Train the network on these points, or pause"), role="primary")
        self.train.setCheckable(True)
        self.train.toggled.connect(self._train)
        self.one_step = Button(tr("Step"), hint=tr("Make one update"), role="")
        self.one_step.clicked.connect(self._step)
        self.again = Button(tr("Restart"), hint=tr("Start again with the first weights; the points stay"), role="")
        self.again.clicked.connect(self._restart)
        self.reload = Button(tr("Load run"), hint=tr("Take recipe and points of the selected run"), role="")
        self.reload.clicked.connect(self.open_selected)
        self._class = ChoiceBox()
        self._class.setAccessibleName(tr("Class of new points"))
        self._surface = ChoiceBox()
        self._surface.setAccessibleName(tr("Surface"))
        self._surface.currentIndexChanged.connect(self._show_surface)
        self._lines = Button(tr("Linear regions"), hint=tr("Draw and count the regions in which the network is linear"))
        self._lines.setCheckable(True)
        self._lines.toggled.connect(self._show_surface)
        self._figures, self._regions = label("", "strong"), label("", "note")
        self._problem = label("", "bad")
        note = label(
            tr("Drag points with the mouse, click beside them to add one, click with the right button to remove one. "
               "Keys: arrows select, Shift and arrows move, Insert adds, Delete removes."), "note",
        )  # fmt: skip
        for each in (note, self._problem, self._figures, self._regions):
            each.setWordWrap(True)
        buttons = QHBoxLayout()
        buttons.setSpacing(6)
        for button in (self.train, self.one_step, self.again):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        self._sliders: dict[str, tuple[QWidget, QSlider, QWidget]] = {}
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, BETWEEN, 0)
        rows.setSpacing(8)
        rows.addLayout(buttons)
        rows.addWidget(self._figures)
        rows.addWidget(self._problem)
        rows.addLayout(self._grid)
        choices = QGridLayout()
        for row, (name, box) in enumerate(((tr("New points"), self._class), (tr("Surface"), self._surface))):
            choices.addWidget(label(name, ""), row, 0)
            choices.addWidget(box, row, 1)
        choices.setColumnStretch(1, 1)
        rows.addLayout(choices)
        rows.addWidget(self._lines, 0, Qt.AlignmentFlag.AlignLeft)
        rows.addWidget(self._regions)
        rows.addWidget(note)
        rows.addWidget(self.reload, 0, Qt.AlignmentFlag.AlignLeft)
        rows.addStretch(1)
        self.controls.set_content(content)
        for name in (NOISE, ROWS, WIDTH, LAYERS):
            self._add_slider(name)

    def _add_slider(self, name: str) -> None:
        titles = {
            NOISE: tr("Noise"), ROWS: tr("Points"), WIDTH: tr("Units per layer"), LAYERS: tr("Hidden layers"),
        }  # fmt: skip
        slider = QSlider(Qt.Orientation.Horizontal)
        slider.setAccessibleName(titles[name])
        slider.valueChanged.connect(partial(self._slide, name))
        title, value = label(titles[name], ""), label("", "note")
        row = len(self._sliders)
        for column, each in enumerate((title, slider, value)):
            self._grid.addWidget(each, row, column)
        self._sliders[name] = (title, slider, value)

    # ------------------------------------------------------------------------------------------------------------ life

    def begin(self) -> None:
        """Start using models, once the lab is ready."""
        self._ready = True
        if self.isVisible():
            self._open_first()

    def close_down(self) -> None:
        """Stop all work of this page."""
        self._poll.stop()
        self._settle.stop()
        self._background.cancel(FITTING)
        self._background.cancel(MAKING)

    @property
    def cards(self) -> list[Card]:
        """The cards of the page."""
        return [self.card, self.controls]

    def showEvent(self, event: object) -> None:
        """Open a recipe when the page is shown for the first time, and go on."""
        super().showEvent(event)  # type: ignore[arg-type]
        self._open_first()
        if self.model.fit is not None:
            self._run(self.model.fit)

    def hideEvent(self, event: object) -> None:
        """Stop working while it is hidden."""
        super().hideEvent(event)  # type: ignore[arg-type]
        self._poll.stop()
        self._background.cancel(FITTING)

    def _open_first(self) -> None:
        if self._ready and self.model.state is State.EMPTY:
            self.open_selected()

    def open_selected(self) -> None:
        """Open the recipe of the selected run, if it is of vectors."""
        if not self._ready:
            return
        access, run = self._model_provider.current("play")
        recipe = access.recipe if run is not None else self._model_provider.draft.recipe
        self._make(self.model.open(recipe_for(recipe, access.plugins)))

    def _make(self, number: int) -> None:
        """Make the fit of the recipe in a thread."""
        access, _ = self._model_provider.current("play")
        recipe, plugins = self.model.recipe, access.plugins
        assert recipe is not None  # `open` set it

        def work(_job: Job) -> PlaneFit:
            return PlaneFit(recipe, plugins)

        done, failed = partial(self._made, number), partial(self._failed, number)
        self._background.run(tr("Preparing the plane"), work, done, failed, replaces=MAKING)
        self._show()

    def _made(self, number: int, fit: PlaneFit) -> None:
        if not self.model.take(number, fit):
            return
        self._drawn, self._points = None, None
        self._offer()
        if self.isVisible():
            self._run(fit)
        self._show()

    def _failed(self, number: int, problem: Problem) -> None:
        if self.model.refuse(number, problem):
            self._background.cancel(FITTING)
            self._show()

    def _run(self, fit: PlaneFit) -> None:
        """Let a fit work in a thread."""

        def work(job: Job) -> None:
            fit.work(lambda: job.cancelled)

        self._background.run(tr("Fitting the plane"), work, _ignore, self._stopped, replaces=FITTING)
        self._poll.start()

    def _stopped(self, problem: Problem) -> None:
        self._poll.stop()
        self._problem.setText(problem_line(problem))
        self._problem.show()

    # --------------------------------------------------------------------------------------------------------- the user

    def _train(self, on: bool) -> None:
        self.model.train(on)
        self.train.setText(tr("Pause") if on else tr("Train"))

    def _step(self) -> None:
        if self.model.fit is not None:
            self.model.fit.make_step()

    def _restart(self) -> None:
        if self.model.fit is not None:
            self.model.fit.restart()

    def _move(self, number: int, x: float, y: float) -> None:
        if self.model.fit is not None:
            self.model.fit.move(number, x, y)
            self._show_points()

    def _add(self, x: float, y: float) -> None:
        fit = self.model.fit
        if fit is not None:
            fit.add(x, y, float(self._class.currentData() or 0))
            self._show_points()
            self.plane.select(len(fit.points[0]) - 1)

    def _remove(self, number: int) -> None:
        if self.model.fit is not None:
            self.model.fit.remove(number)
            self._show_points()

    def _slide(self, name: str, value: int) -> None:
        self._moved[name] = value
        self._show_slider(name, value)
        self._settle.start()

    def _apply(self) -> None:
        """Make the fit of the sliders that were moved."""
        moved, self._moved = self._moved, {}
        number = None
        for name, value in moved.items():
            number = self.model.change(name, value) or number
        if number is not None:
            self._make(self.model.number)

    def _show_surface(self) -> None:
        fit = self.model.fit
        if fit is not None:
            fit.show(self._surface.currentData(), regions=self._lines.isChecked())

    # ------------------------------------------------------------------------------------------------------------- show

    def _offer(self) -> None:
        """Offer the classes and units of the fit, and the sliders of its recipe."""
        fit = self.model.fit
        if fit is None:
            return
        with QSignalBlocker(self._class), QSignalBlocker(self._surface):
            at, shown = self._class.currentIndex(), self._surface.currentData()
            self._class.clear()
            for number, name in enumerate(fit.classes or ("0", "1")):
                self._class.addItem(name, number)
            self._class.setCurrentIndex(max(0, min(at, self._class.count() - 1)))
            self._surface.clear()
            self._surface.addItem(tr("prediction"), None)
            for layer, count in fit.layers.items():
                for unit in range(count):
                    self._surface.addItem(
                        tr("layer {layer}, unit {unit}", layer=layer + 1, unit=unit + 1), (layer, unit)
                    )
            self._surface.setCurrentIndex(max(0, self._surface.findData(shown)))
        self._show_surface()
        knobs = {knob.name: knob for knob in self.model.knobs()}
        for name, widgets in self._sliders.items():
            for widget in widgets:
                widget.setVisible(name in knobs)
            if name in knobs and name not in self._moved:
                self._set_slider(widgets[1], knobs[name])

    def _set_slider(self, slider: QSlider, knob: Knob) -> None:
        with QSignalBlocker(slider):
            slider.setRange(knob.low, knob.high)
            slider.setValue(knob.value)
        self._show_slider(knob.name, knob.value)

    def _show_slider(self, name: str, value: int) -> None:
        text = number_text(value / FINEST, ".2f") if name == NOISE else number_text(value)
        shown = self._sliders[name][2]
        shown.setText(text)  # type: ignore[attr-defined]

    def _show(self) -> None:
        """Show the state of the page."""
        state, problem = self.model.state, self.model.problem
        has_fit = self.model.fit is not None
        for button in (self.train, self.one_step, self.again, self._lines):
            button.setEnabled(has_fit)
        self.reload.setEnabled(self._ready)
        self._problem.setText("" if problem is None else problem_line(problem))
        self._problem.setVisible(problem is not None)
        if state in (State.LOADING, State.EMPTY) and not has_fit:
            self.card.show_empty(tr("Preparing the plane…") if state is State.LOADING else tr("Points in the plane."))
        elif state is State.REFUSED and problem is not None:
            self.card.show_empty(problem_line(problem))
        else:
            self.card.show_content()

    def _show_points(self) -> None:
        fit = self.model.fit
        if fit is None:
            return
        points, targets = fit.points
        if points is not self._points:
            self._points = points
            self.plane.set_points(points, targets)

    def _draw(self) -> None:
        """Draw the newest frame."""
        fit = self.model.fit
        frame = None if fit is None else fit.frame
        if fit is None or frame is None or frame is self._drawn:
            return
        self._drawn = frame
        extent = frame.extent
        shown = Extent(extent.left, extent.right, extent.bottom, extent.top)
        self.plane.set_surface(frame.values, shown, fit.classes)
        self.plane.set_regions(None if frame.regions is None else frame.regions.astype(np.float32))
        self._show_points()
        with contextlib.suppress(ValueError):
            self._figures.setText(self._sentence(frame))
        regions = tr_n("1 linear region on the grid", "{n} linear regions on the grid", frame.region_count)
        self._regions.setText(regions if frame.region_count else "")
        self._regions.setVisible(frame.region_count > 0)

    def _sentence(self, frame: Frame) -> str:
        parts = [tr_n("1 step", "{n} steps", frame.step), tr("loss {loss}", loss=number_text(frame.loss, ".3f"))]
        if frame.accuracy == frame.accuracy:
            parts.append(tr("accuracy {share}", share=f"{100 * frame.accuracy:.0f} %"))
        return " · ".join(parts)


def _ignore(_value: object) -> None:
    """Do nothing when the thread of a fit ends."""
