"""The place Train: the loss, other quantities of the training, and samples of generated text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.scales import NORM, run_colour, unit_named
from lab.shell.session.snapshots import Snapshots
from lab.shell.train.gauges.page import GaugesPage
from lab.shell.train.live_strip import LiveStrip
from lab.shell.train.loss_card import LossCard
from lab.shell.train.model_card import ModelCard
from lab.shell.train.run_card import RunCard
from lab.shell.train.series_card import RATE, SPEED, SeriesCard
from lab.widgets.core.card import Card
from lab.widgets.core.drawing import Drawing
from lab.widgets.core.i18n import tr
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import BETWEEN, px, themes
from lab.widgets.tokens.samples import SamplesView

ROOM_BELOW, CROWDED_ROOM_BELOW = 400, 560
"""The least height of the place in pixels at which the window shows the cards below the loss by itself; that of a
crowded window grows with the type. With less, as beside the log in the smallest window, no chart could be read."""

WITHOUT_SAMPLES = ("labels", "vectors", "images")
"""Kinds of rows that begin no text which a model could continue or answer; captions are written of images."""


HIDING = ("masked", "next-sentence", "replaced-tokens")
"""The objectives that predict hidden tokens from both sides."""

CAPTIONS = "captions"
"""The objective that writes what is in an image."""


class SamplesCard(RunCard):
    """The card of the texts that the selected run generated at its evaluations.

    Args:
        registry: The runs.
        drawing: Schedules the drawing.
    """

    shows_selected_only = True
    inspect_requested = Signal()
    """The user wants to see the model of the selected run in Inspect, since it writes nothing."""

    def __init__(self, registry: RunRegistry, drawing: Drawing) -> None:
        super().__init__(tr("Samples"), registry, drawing)
        self._view = SamplesView()
        self.set_content(self._view)
        self.draw()

    def show_step(self, step: int | None) -> None:
        """Show the newest sample up to a step; None shows the newest of all."""
        self._view.show_step(step)

    def draw(self) -> None:
        """Show the texts."""
        run = self._registry.selected
        has_captions = run is not None and bool(run.samples) and run.recipe.objective.name == CAPTIONS
        caption = tr("The first validation image: its right caption → what the model writes")
        self.set_caption(caption if has_captions else "")
        if run is not None and not run.samples and self._registry.is_reading(run):
            self.show_reading(run)
            return
        if run is None or not run.samples:
            self.set_title(tr("Samples"))
            if run is not None and run.recipe.objective.name in HIDING:
                both = tr("This model predicts hidden tokens from both sides, and writes nothing. Inspect shows how.")
                self.show_empty(both, tr("Inspect"), self.inspect_requested.emit)
            else:
                self.show_empty(_why_empty(run))
            return
        self.show_content()
        every = tr("every {n} steps", n=run.recipe.training.evaluate_every)
        self.set_title(tr("Samples"), f"{run.name} · {every}" if len(run.samples) > 1 else run.name)
        self._view.show_samples(run.samples, run_colour(run))


def _why_empty(run: RunModel | None) -> str:
    """Return why the card has no text of a run, or what appears in it."""
    if run is not None and run.reads in WITHOUT_SAMPLES and run.recipe.objective.name != CAPTIONS:
        return tr("This run generates no text at its evaluations.")
    if run is not None and not run.recipe.training.sample_tokens:
        return tr("This run generates no text at its evaluations: its sample length is 0.")
    return tr("Text that the model generates at each evaluation appears here.")


class TrainPlace(QWidget):
    """The cards of Train in splitters: the loss at the top, the others below it.

    Args:
        registry: The runs.
        drawing: Schedules the drawing of cards.
        loss: The card of the loss, whose crosshair the other charts share.
        snapshots: The snapshots of the selected run; the one that Inspect shows is marked.
        model: The card with the drawing of the model, which takes the place of the others.
        live: The strip with the live settings, under the loss.
        gauges: The page about the layers, which takes the place of the charts.
    """

    def __init__(
        self,
        registry: RunRegistry,
        drawing: Drawing,
        loss: LossCard,
        snapshots: Snapshots,
        model: ModelCard,
        live: LiveStrip,
        gauges: GaugesPage,
    ) -> None:
        super().__init__()
        self.loss, self.crosshair = loss, loss.crosshair
        self.loss.x_axis_changed.connect(self.show_by)
        self.norm = SeriesCard(registry, drawing, self.crosshair, NORM)
        self.rate = SeriesCard(registry, drawing, self.crosshair, RATE)
        self.speed = SeriesCard(registry, drawing, self.crosshair, SPEED)
        self.samples = SamplesCard(registry, drawing)
        self.live, self.model, self.gauges = live, model, gauges
        # from the outside to the inside: each move of a finished part would style everything in it again
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self._pages = QStackedWidget(self)
        layout.addWidget(self._pages)
        self.all = Splitter(Qt.Orientation.Vertical, self._pages)
        self._pages.addWidget(self.all)
        self._pages.addWidget(model)
        self._pages.addWidget(gauges)
        upper = QWidget(self.all)
        rows = QVBoxLayout(upper)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(BETWEEN)
        rows.addWidget(self.loss, 1)
        rows.addWidget(live)
        self.below = Splitter(Qt.Orientation.Horizontal, self.all)
        self.below.addWidget(self.norm)
        self._rates = Splitter(Qt.Orientation.Vertical, self.below)
        self._rates.addWidget(self.rate)
        self._rates.addWidget(self.speed)
        self.below.addWidget(self.samples)
        self.all.setSizes([500, 370])
        self.below.setSizes([300, 300, 300])
        self.loss.model_requested.connect(self.show_model)
        self.loss.gauges_requested.connect(self.show_gauges)
        self.loss.finding.clicked.connect(self.show_gauges)
        for page in (model, gauges):
            page.closed.connect(self.show_charts)
        self._crowded = themes.crowded
        self._opened_below: bool | None = None  # by the user; None for what suits the mode and the height
        themes.changed.connect(self._fit_below)
        self._snapshots = snapshots
        snapshots.step_changed.connect(self._mark_snapshot)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the strip of the live settings and the cards below the loss into the height."""
        super().resizeEvent(event)
        self.live.set_available(self.height())
        self._fit_below()

    @property
    def shows_below(self) -> bool:
        """True unless the cards below the loss are folded; at first they are where the place is too low for them."""
        if self._opened_below is None:
            return self.height() >= (px(CROWDED_ROOM_BELOW) if self._crowded else ROOM_BELOW)
        return self._opened_below

    @property
    def splitters(self) -> dict[str, Splitter]:
        """The splitters whose sizes are stored, by name; while the cards below are folded, only theirs."""
        inner = {"train below": self.below, "train rates": self._rates}
        outer = {} if self.below.isHidden() else {"train": self.all}
        return {**outer, **inner}

    def toggle_below(self) -> None:
        """Fold the cards below the loss away, or show them again."""
        self._opened_below = not self.shows_below
        self._fit_below()

    def _fit_below(self) -> None:
        """Show or hide the cards below the loss."""
        if self._crowded != themes.crowded:
            self._crowded, self._opened_below = themes.crowded, None
        self.below.setVisible(self.shows_below)

    def _mark_snapshot(self) -> None:
        """Mark the step of the snapshot that Inspect shows."""
        self.loss.marked_step = self._snapshots.step
        self.loss.changed()
        self.samples.show_step(self._snapshots.step)

    @property
    def shows_model(self) -> bool:
        """True while the drawing of the model is shown instead of the charts."""
        return self._pages.currentWidget() is self.model

    def show_model(self) -> None:
        """Show the drawing of the model instead of the charts."""
        self._pages.setCurrentWidget(self.model)
        self.model.area.setFocus()

    @property
    def shows_gauges(self) -> bool:
        """True while the page about the layers is shown instead of the charts."""
        return self._pages.currentWidget() is self.gauges

    def show_gauges(self) -> None:
        """Show the page about the layers instead of the charts."""
        self._pages.setCurrentWidget(self.gauges)
        self.gauges.maps[0].view.setFocus()

    def toggle_gauges(self) -> None:
        """Show the page about the layers, or the charts if it is shown."""
        if self.shows_gauges:
            self.show_charts()
        else:
            self.show_gauges()

    def show_part(self, wanted: str) -> None:
        """Show a part of the model in its drawing, as `lab.api.Explanation.parts` names it."""
        self.show_model()
        self.model.find_part(wanted)

    def show_equations(self) -> None:
        """Show the drawing of the model, and over it the equations of its architecture."""
        self.show_model()
        self.model.show_equations()

    def show_equations_of(self, parts: Sequence[str]) -> None:
        """Show the drawing of the model, and over it the equations of the first of some parts that has any."""
        self.show_model()
        self.model.find_equations(parts)

    def show_charts(self) -> None:
        """Show the charts and samples again."""
        self._pages.setCurrentWidget(self.all)

    def set_wide(self, wide: bool) -> None:
        """Show or hide the cards of learning rate and speed; the menu of the first card offers their quantities too."""
        self._rates.setVisible(wide)

    def show_by(self, by: str) -> None:
        """Set the x axis of all charts of the place."""
        for card in (self.norm, self.rate, self.speed):
            card.show_by(unit_named(by))

    @property
    def cards(self) -> list[Card]:
        """The cards of this place."""
        return [self.loss, self.norm, self.rate, self.speed, self.samples, self.model, *self.gauges.cards]
