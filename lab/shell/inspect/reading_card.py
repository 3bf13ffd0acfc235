"""The card of a reading in Inspect: its view by axes or a plugin's own, and what replaces a view that fails."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget

from lab.api import Reading
from lab.api.architecture import load
from lab.base.problems import Problem, problem_of
from lab.host import Plugins
from lab.shell.inspect.gallery.reading_selection import Key
from lab.shell.inspect.history import History, has_history, with_now
from lab.shell.inspect.inspection_view import InspectionView, names_of_pair, title_of_card
from lab.shell.inspect.view_context import CardContext
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuButton, follow_in_tab_order, tab_stops
from lab.widgets.core.i18n import number_text, tr, tr_registered
from lab.widgets.readings.axis_choice import ChoosingView
from lab.widgets.readings.base import Training
from lab.widgets.readings.mixing import MixingView
from lab.widgets.readings.views import ReadingView, view_for
from lab.widgets.timeline.pair import ViewPair
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.snapshots import Limits, kinds_of

FRAME = re.compile(r'File "(.+)", line (\d+), in ')
"""A frame of a trace."""


class ReadingCard(Card):
    """All readings of one id and axes, one per block, in the view that their axes ask for.

    Args:
        key: Their id and axes, which say what view it is.
        plugins: Where plugins' own views are found.
        own: The name of a plugin's own view; "" for that of the kit.
        model_provider: Provides the model; None where nobody may use it, and views have no foot.
        background: Brings evaluations off the main thread.

    Attributes:
        foot: What a plugin has below its view; None where it has nothing.
    """

    block_picked = Signal(int)
    """The user picked another block in the view."""
    head_picked = Signal(int)
    """The user picked another head in the view."""

    def __init__(
        self,
        key: Key,
        plugins: Plugins,
        own: str = "",
        model_provider: ModelProvider | None = None,
        background: Background | None = None,
    ) -> None:
        view = plugins.cards("views")[own] if own else None
        self._make = view_for(key[1]) if view is None else view.make
        self._axes = () if view is None or view.replaces else tuple(view.axes)
        super().__init__(title_of_card(key) if view is None or view.replaces else tr_registered(view.title))
        self._key = key
        self._owner = plugins.owner("views", own) if own else None
        self._view: Any = None
        self._pinned: Any = None
        self._compared: tuple[InspectionView, int | None, Limits] | None = None  # what the pinned view shows
        self._block: int | None = None
        self._shown: InspectionView | None = None
        self._snapshots: Sequence[Inspection] = ()
        self._context: CardContext | None = None
        self._stops: list[QWidget] = []  # where the tab key stops in the foot
        self.foot: Any = None
        if model_provider is not None and background is not None:
            self._context = CardContext(self, plugins, self._owner or "", model_provider, background)
        try:
            self._view = self._make()
            self._history = History()
            self._history.export.hide()
            self._over = Button(tr("over steps"), hint=tr("Show these numbers over the steps of the training"))
            self._over.setCheckable(True)
            self._over.toggled.connect(self._turn)
            self._over.hide()
            for control in (self._over, *getattr(self._view, "options", ()), self._history.export):
                self.add_control(control)
            self._pair = ViewPair(self._view)
            self._faces = QStackedWidget()
            self._faces.addWidget(self._pair)
            self._faces.addWidget(self._history)
            self.set_content(self._faces)
            if view is not None and view.foot is not None and self._context is not None:
                self._add_foot(load(view.foot), self._context)
        except Exception as error:  # noqa: BLE001 - a plugin's view
            self._break(problem_of(error, plugin=self._owner, doing=self.title))
        if isinstance(self._view, ReadingView):
            self._view.picked.connect(self._choose_in_pinned)
            self._view.picked.connect(self._update_history)
            self._view.layer_picked.connect(self.block_picked)
            self._view.head_picked.connect(self.head_picked)

    def _add_foot(self, make: Any, context: CardContext) -> None:
        context.view = self._view
        self.foot = make(context)
        layout = self.body.layout()
        if self.foot is not None and layout is not None:
            layout.addWidget(self.foot)
            self._refresh_foot()

    def _refresh_foot(self) -> None:
        if self.foot is None:
            return
        self.foot.refresh()
        stops = tab_stops(self.foot)
        if stops != self._stops and tab_stops(self._faces):  # what is made late comes last in Qt's order
            follow_in_tab_order(tab_stops(self._faces)[-1], self.foot)
        self._stops = stops

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the foot follow the size of the card."""
        super().resizeEvent(event)
        if self.state == "broken":
            return
        try:
            self._refresh_foot()
        except Exception as error:  # noqa: BLE001 - a plugin's view
            self._break(problem_of(error, plugin=self._owner, doing=self.title))

    def show_inspection(
        self,
        shown: InspectionView,
        pinned: InspectionView | None,
        block: int | None,
        limits: Limits,
        snapshots: Sequence[Inspection] = (),
    ) -> None:
        """Show its readings of an inspection, and those of a pinned one alongside; a broken card shows neither.

        Args:
            shown: The inspection; it has readings of this card.
            pinned: The pinned one, or that of another run; None where there is none.
            block: The selected block.
            limits: Over all snapshots, so that a colour means the same value in all of them.
            snapshots: The snapshots of the run, in order.
        """
        if self.state == "broken":
            return
        try:
            if self._context is not None:
                self._context.update_model()
                self._context.update_shown(shown.inspection)
            is_longer = [one.step for one in snapshots] != [one.step for one in self._snapshots]
            if is_longer and isinstance(self._view, ReadingView) and self._view.shows_training:
                self._compared = None  # a pinned inspection is drawn again with the new snapshots
            self._snapshots = snapshots
            self._set_compared(self._view, pinned)
            self._show_in(self._view, shown, block, limits)
            self._block = block
            own = None if pinned is None else pinned.scale
            self._show_pinned(pinned, shown, block, limits if own is None else own)
            self._shown = shown
            self._update_history()
            self._refresh_foot()
        except Exception as error:  # noqa: BLE001 - a plugin's view or its readings
            self._break(problem_of(error, plugin=self._owner, doing=self.title))
        else:
            if pinned is not None:
                self._pair.name(*names_of_pair(shown, pinned))
            self.set_title(self.title, " · ".join(filter(None, (shown.name, self._block_note(block)))))
            self.show_content()
            self._hold_height()

    def event(self, event: QEvent) -> bool:
        """Ask for another height if the view needs one, as with another size of the type."""
        handled = bool(super().event(event))
        if event.type() == QEvent.Type.LayoutRequest:
            self._hold_height()
        return handled

    def _hold_height(self) -> None:
        """Ask for the height that the view needs to be legible."""
        if isinstance(self._view, ReadingView) and self._view.least_height:
            self.setMinimumHeight(self.minimumSizeHint().height())

    def show_missing(self, shown: InspectionView) -> None:
        """Show that an inspection has nothing for this card; a broken card stays broken."""
        if self.state == "broken":
            return
        self._shown = None
        self._history.clear()
        self.set_title(self.title, shown.name)
        step = number_text(shown.inspection.step)
        self.show_empty(tr("This was not recorded at step {step}. “now” shows it if the model has it.", step=step))

    def _block_note(self, block: int | None) -> str:
        """Return a note if the view shows another block than the selected one, which reports nothing here."""
        reading = self._view.shown if isinstance(self._view, ReadingView) else None
        if reading is None or reading.layer is None or block is None or reading.layer == block:
            return ""
        return tr("block {shown}; block {selected} has none", shown=reading.layer + 1, selected=block + 1)

    def _show_in(self, view: Any, shown: InspectionView, block: int | None, limits: Limits) -> None:
        readings = shown.groups[self._key]
        if not isinstance(view, ReadingView):
            readings = [one for one in readings if not self._axes or one.axes == self._axes]
            of_block = [one for one in readings if one.layer == block]
            view.show_readings(of_block or readings, shown.inspection.labels)
            return
        if view.shows_training:
            view.set_training(self._training_of(view, shown))
        view.symbol = shown.inspection.symbol
        view.all_readings = shown.inspection.readings
        view.set_limits({(one.name, one.layer): [limits.get(kind) for kind in kinds_of(one)] for one in readings})
        if block != self._block or view is self._pinned:
            view.set_layer(block)
        view.show_readings(readings, shown.inspection.labels)

    def _training_of(self, view: ReadingView, shown: InspectionView) -> Training:
        """Return what is known of the training of the run of an inspection."""
        if shown.of_other_run:
            return Training(_labelled(shown.snapshots, shown.inspection))
        now = shown.inspection if view is self._view else None
        run = None if self._context is None else self._context.run
        return Training(_labelled(self._snapshots, now), partial(_values_at, run, shown.inspection.step))

    def _set_compared(self, view: Any, other: InspectionView | None) -> None:
        """Give a view the readings of this card that are shown alongside; none where there are none."""
        if isinstance(view, ReadingView):
            readings = [] if other is None else other.groups.get(self._key, [])
            view.set_comparison(readings, other.inspection.labels if other is not None and readings else ())

    def _show_pinned(
        self, pinned: InspectionView | None, shown: InspectionView, block: int | None, limits: Limits
    ) -> None:
        """Show the pinned inspection in a view of its own, drawn again only where something in it differs."""
        if pinned is None or self._key not in pinned.groups:
            if self._pinned is not None:
                self._pair.pin(None)
                self._pinned = self._compared = None
            return
        is_new = self._pinned is None
        if self._pinned is None:
            self._pinned = self._make()
            self._pair.pin(self._pinned)
            hidden = QWidget(self._pinned)  # the options of the other view apply to both
            hidden.hide()
            for control in getattr(self._pinned, "options", ()):
                control.setParent(hidden)
        self._set_compared(self._pinned, shown)
        if self._compared is None or self._compared[0] is not pinned or self._compared[1:] != (block, limits):
            self._show_in(self._pinned, pinned, block, limits)
        if is_new and isinstance(self._pinned, ReadingView):
            self._choose_in_pinned()
            self._pinned.picked.connect(self._choose_in_view)
            self._pinned.layer_picked.connect(self.block_picked)
            self._pinned.head_picked.connect(self.head_picked)
        self._compared = pinned, block, limits

    def _update_history(self) -> None:
        """Offer the history where few numbers were recorded, and show it where it is switched on."""
        view, shown = self._view, self._shown
        has_one = isinstance(view, ReadingView) and has_history(view, self._snapshots)
        self._over.setVisible(has_one)
        is_on = has_one and self._over.isChecked() and shown is not None
        self._faces.setCurrentWidget(self._history if is_on else self._pair)
        if is_on != self._history.export.isVisibleTo(self):  # what is exported is what is seen
            self._history.export.setVisible(is_on)
            for control in view.options if has_one else ():
                if not isinstance(control, MenuButton):  # menus apply to both
                    control.setVisible(not is_on)
        if is_on and shown is not None:
            self._history.show_history(view, self._snapshots, shown.inspection)
        else:
            self._history.clear()

    def _turn(self, _on: bool) -> None:
        self._update_history()

    def _choose_in_pinned(self) -> None:
        if self._pinned is not None:
            with QSignalBlocker(self._pinned):
                self._pinned.choose_as(self._view)

    def _choose_in_view(self) -> None:
        with QSignalBlocker(self._view):
            self._view.choose_as(self._pinned)

    @property
    def subject(self) -> tuple[str, int | None] | None:
        """The name and the block of the reading that is seen; None where there is none."""
        if self._shown is None or self.state != "content":
            return None
        readings = self._shown.groups[self._key]
        of_block = [one for one in readings if one.layer == self._block]
        shown = self._view.shown if isinstance(self._view, ReadingView) else None
        reading = shown or (of_block or readings)[0]
        return reading.name, reading.layer

    @property
    def choice(self) -> str:
        """The selected slice of a view that shows one of several; "" for other views."""
        return self._view.choice if isinstance(self._view, ChoosingView) else ""

    @choice.setter
    def choice(self, choice: str) -> None:
        if choice and isinstance(self._view, ChoosingView):
            self._view.choice = choice

    def select_head(self, head: int) -> None:
        """Show a head that was picked in another card, here and in what is pinned."""
        for view in (self._view, self._pinned):
            if isinstance(view, ReadingView):
                view.set_head(head)
        if isinstance(self._view, ReadingView):
            self._update_history()

    def show_map(self, name: str) -> None:
        """Show the map of a name, where the card has several and one of that name."""
        if isinstance(self._view, MixingView) and self._view.has_map(name):
            self._view.show_map(name)

    def wait(self, message: str) -> None:
        """Show what is waited for in place of readings; a broken card stays broken."""
        if self.state != "broken":
            self.set_title(self.title)
            self.show_empty(message)

    def on_uncaught(self, problem: Problem) -> None:
        """Show the card as broken if the trace of an uncaught error leads through its plugin's view.

        Qt calls views without the lab, so that nothing catches what they raise there.
        """
        if self._owner is not None and self._view is not None and problem.trace and self._leads_here(problem.trace):
            self._break(replace(problem, plugin=self._owner))

    def _leads_here(self, trace: str) -> bool:
        frames = [(found[1], int(found[2])) for found in FRAME.finditer(trace)]
        roots = [one for one in (self._view, self.foot) if one is not None]
        widgets = [each for root in roots for each in (root, *root.findChildren(QObject))]  # the pinned view is alike
        kinds = {kind for widget in widgets for kind in type(widget).__mro__ if not kind.__module__.startswith("lab.")}
        return any(
            file == own and first <= line < first + count
            for own, first, count in map(_lines_of, kinds)
            for file, line in frames
        )

    def _break(self, problem: Problem) -> None:
        self.set_title(self.title)
        self.show_broken(problem)
        if isinstance(self._view, QWidget):  # with its timers and options
            for gone in (self._view, *getattr(self._view, "options", ())):
                gone.hide()
                gone.deleteLater()
            if self._pinned is not None:
                self._pair.pin(None)
        if isinstance(self.foot, QWidget):
            self.foot.hide()
            self.foot.deleteLater()
        self._view = self._pinned = self.foot = None
        if self._context is not None:
            self._context.view = None


def _lines_of(kind: type) -> tuple[str, int, int]:
    """Return the file of a Python class, its first line and its number of lines; ("", 0, 0) for any other."""
    try:
        lines, first = inspect.getsourcelines(kind)
        return inspect.getsourcefile(kind) or "", first, len(lines)
    except (OSError, TypeError):
        return "", 0, 0


def _labelled(snapshots: Sequence[Inspection], now: Inspection | None) -> list[tuple[str, Sequence[Reading]]]:
    """Return the readings of snapshots with labels, and at the end what is seen now, where that came after them."""
    found: list[tuple[str, Sequence[Reading]]] = [(number_text(one.step), one.readings) for one in snapshots]
    if now is not None and len(with_now(snapshots, now)) > len(snapshots):
        found.append((tr("now"), now.readings))
    return found


def _values_at(run: RunModel | None, step: int, prefix: str) -> dict[str, float]:
    """Return the last finite value up to a step of each series whose name begins with a prefix."""
    if run is None:
        return {}
    found = {}
    for name in (one for one in run.curves.names() if one.startswith(prefix)):
        steps, values = run.curves.steps(name), run.curves.values(name)
        index = int(np.searchsorted(steps, step, side="right")) - 1
        if index >= 0 and np.isfinite(values[index]):
            found[name] = float(values[index])
    return found
