"""The card of a reading in Inspect: its view by axes or a plugin's own, and what becomes of one that breaks."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QStackedWidget, QWidget

from lab.api import Reading
from lab.base.problems import Problem, problem_of
from lab.host import Plugins
from lab.shell.inspect.history import History, has_history
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuButton
from lab.widgets.core.i18n import tr
from lab.widgets.readings.mixing import MIXING_AXES, MixingView, readings_of_mixing
from lab.widgets.readings.routing import ROUTING_AXES, readings_of_routing
from lab.widgets.readings.state import STATE_AXES, readings_of_state
from lab.widgets.readings.views import ReadingView, title_of, view_for
from lab.widgets.timeline.pair import Pair
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.moments import Limits, kinds_of, limits_of

Key = tuple[str, tuple[str, ...]]
"""What readings are grouped by: title and axes."""
MAPS: Key = (tr("Token mixing"), MIXING_AXES)
"""The card of the maps between tokens that models of every kind have."""
Groups = dict[Key, list[Reading]]
"""The readings of a look by their card."""
FRAME = re.compile(r'File "(.+)", line (\d+), in ')
"""A frame of a trace."""


@dataclass(frozen=True)
class Scene:
    """A look, as cards show it.

    Args:
        look: The look.
        name: Of which run and step it is.
        groups: Its readings by their card.
        of_other_run: Whether it lies beside the selected run as one of another.
        scale: What its colours reach to, where that run is of another architecture; None for the scale of both.
        looks: The recorded moments of that run, in order; those of the selected run are known elsewhere.
    """

    look: Inspection
    name: str
    groups: Groups
    of_other_run: bool = False
    scale: Limits | None = None
    looks: Sequence[Inspection] = ()

    @property
    def moment(self) -> str:
        """Its step in words."""
        return tr("step {step}", step=f"{self.look.step:,}") if self.look.step else tr("untrained")

    @functools.cached_property
    def limits(self) -> Limits:
        """Of its readings alone."""
        return limits_of(self.look.readings)


def scene_of(look: Inspection, name: str) -> Scene:
    """A look with its readings sorted into cards."""
    together: Groups = {
        MAPS: readings_of_mixing(look.readings),
        (tr("Routing"), ROUTING_AXES): readings_of_routing(look.readings),
        (tr("State"), STATE_AXES): readings_of_state(look.readings),
    }
    groups = {key: found for key, found in together.items() if found}
    sorted_already = {id(one) for found in groups.values() for one in found}
    for reading in look.readings:
        if id(reading) not in sorted_already:
            groups.setdefault((title_of(reading, look.readings), reading.axes), []).append(reading)
    return Scene(look, name, groups)


def names_of(scene: Scene, beside: Scene) -> tuple[str, str]:
    """What a scene and the one beside it are called: two moments of one run, or two runs."""
    if beside.of_other_run:
        return scene.name, beside.name
    return scene.moment, tr("pinned: {moment}", moment=beside.moment)


def importance(key: Key, recorded: Collection[Key] = (), of_probes: Collection[Key] = ()) -> tuple[int, str]:
    """Maps between tokens first, as the model makes them, its state, how far it reaches, heads, values by token."""
    axes = set(key[1])
    ranks = (
        key == MAPS or ({"query", "key"} <= axes and key not in of_probes),
        key[1] in (STATE_AXES, ROUTING_AXES),
        key in recorded and "lag" in axes,
        key in recorded and "head" in axes,
        "expert" in axes or {"token", "order"} <= axes,
        "token" in axes and key not in of_probes,
        key in recorded,
        {"query", "key"} <= axes,
        "token" in axes,
        "vocabulary" in axes,
        True,
    )
    return ranks.index(True), key[0]


class ReadingCard(Card):
    """All readings of one name and axes, one per block, in the view that their axes ask for.

    Args:
        key: Their title and axes, which say what view it is.
        plugins: Where plugins' own views are found.
        own: The name of a plugin's own view; "" for that of the kit.
    """

    def __init__(self, key: Key, plugins: Plugins, own: str = "") -> None:
        view = plugins.cards("views")[own] if own else None
        self._make = view_for(key[1]) if view is None else view.make
        self._axes = () if view is None else tuple(view.axes)
        super().__init__(key[0] if view is None else view.title)
        self._key = key
        self._owner = plugins.owner("views", own) if own else None
        self._view: Any = None
        self._pinned: Any = None
        self._beside: tuple[Scene, int | None, Limits] | None = None  # what the pinned view shows
        self._layer: int | None = None
        self._scene: Scene | None = None
        self._looks: Sequence[Inspection] = ()
        try:
            self._view = self._make()
            self._history = History()
            self._history.export.hide()
            self._over = Button(tr("over training"), hint=tr("What is shown, over the steps of the training"))
            self._over.setCheckable(True)
            self._over.toggled.connect(self._turn)
            self._over.hide()
            for control in (self._over, *getattr(self._view, "options", ()), self._history.export):
                self.add_control(control)
            self._pair = Pair(self._view)
            self._faces = QStackedWidget()
            self._faces.addWidget(self._pair)
            self._faces.addWidget(self._history)
            self.set_content(self._faces)
        except Exception as error:  # noqa: BLE001 - a plugin's view
            self._break(problem_of(error, plugin=self._owner, doing=self.title))
        if isinstance(self._view, ReadingView):
            self._view.picked.connect(self._choose_in_pinned)
            self._view.picked.connect(self._tell_history)

    def show_scene(
        self,
        scene: Scene,
        pinned: Scene | None,
        layer: int | None,
        limits: Limits,
        looks: Sequence[Inspection] = (),
    ) -> None:
        """Shows its readings of one moment, and those of a pinned one beside them, unless it is broken.

        Args:
            scene: The moment; it has readings of this card.
            pinned: The pinned one; None where nothing is.
            layer: The block that is wanted.
            limits: Over all moments, so that the colours mean the same in all of them.
            looks: The recorded moments, in order.
        """
        if self.state == "broken":
            return
        try:
            self._tell_beside(self._view, pinned)
            self._show_in(self._view, scene, layer, limits)
            self._layer = layer
            own = None if pinned is None else pinned.scale
            self._show_pinned(pinned, scene, layer, limits if own is None else own)
            self._scene, self._looks = scene, looks
            self._tell_history()
        except Exception as error:  # noqa: BLE001 - a plugin's view or its readings
            self._break(problem_of(error, plugin=self._owner, doing=self.title))
        else:
            if pinned is not None:
                self._pair.name(*names_of(scene, pinned))
            self.set_title(self.title, scene.name)
            self.show_content()

    def _show_in(self, view: Any, scene: Scene, layer: int | None, limits: Limits) -> None:
        readings = scene.groups[self._key]
        if not isinstance(view, ReadingView):
            readings = [one for one in readings if not self._axes or one.axes == self._axes]
            view.show_readings([one for one in readings if one.layer == layer] or readings, scene.look.labels)
            return
        view.symbol = scene.look.symbol
        view.set_limits({(one.name, one.layer): [limits.get(kind) for kind in kinds_of(one)] for one in readings})
        if layer != self._layer or view is self._pinned:
            view.set_layer(layer)
        view.show_readings(readings, scene.look.labels)

    def _tell_beside(self, view: Any, beside: Scene | None) -> None:
        """Tells a view what stands beside it; nothing where that has no readings of this card."""
        if isinstance(view, ReadingView):
            readings = [] if beside is None else beside.groups.get(self._key, [])
            view.set_comparison(readings, beside.look.labels if beside is not None and readings else ())

    def _show_pinned(self, pinned: Scene | None, scene: Scene, layer: int | None, limits: Limits) -> None:
        """Shows the pinned moment in a view of its own, that is drawn anew only where it shows something else."""
        if pinned is None or self._key not in pinned.groups:
            if self._pinned is not None:
                self._pair.pin(None)
                self._pinned = self._beside = None
            return
        is_new = self._pinned is None
        if self._pinned is None:
            self._pinned = self._make()
            self._pair.pin(self._pinned)
            unseen = QWidget(self._pinned)  # the options of the other view count for both
            unseen.hide()
            for control in getattr(self._pinned, "options", ()):
                control.setParent(unseen)
        self._tell_beside(self._pinned, scene)
        if self._beside is None or self._beside[0] is not pinned or self._beside[1:] != (layer, limits):
            self._show_in(self._pinned, pinned, layer, limits)
        if is_new and isinstance(self._pinned, ReadingView):
            self._choose_in_pinned()
            self._pinned.picked.connect(self._choose_in_view)
        self._beside = pinned, layer, limits

    def _tell_history(self) -> None:
        """Offers what is shown over the training, where it was recorded and is few numbers; shows it where asked to."""
        view, scene = self._view, self._scene
        known = isinstance(view, ReadingView) and has_history(view, self._looks)
        self._over.setVisible(known)
        shown = known and self._over.isChecked() and scene is not None
        self._faces.setCurrentWidget(self._history if shown else self._pair)
        if shown != self._history.export.isVisibleTo(self):  # what is exported is what is seen
            self._history.export.setVisible(shown)
            for control in view.options if known else ():
                if not isinstance(control, MenuButton):  # choices count for both
                    control.setVisible(not shown)
        if shown and scene is not None:
            self._history.show_history(view, self._looks, scene.look)
        else:
            self._history.forget()

    def _turn(self, _on: bool) -> None:
        self._tell_history()

    def _choose_in_pinned(self) -> None:
        if self._pinned is not None:
            with QSignalBlocker(self._pinned):
                self._pinned.choose_as(self._view)

    def _choose_in_view(self) -> None:
        with QSignalBlocker(self._view):
            self._view.choose_as(self._pinned)

    def show_map(self, name: str) -> None:
        """Shows a map of a name, where the card has several and one of that name."""
        if isinstance(self._view, MixingView) and self._view.has_map(name):
            self._view.show_map(name)

    def wait(self, words: str) -> None:
        """Shows no readings but what is waited for, unless it is broken."""
        if self.state != "broken":
            self.set_title(self.title)
            self.show_empty(words)

    def hear(self, problem: Problem) -> None:
        """Breaks where a trace that nobody caught leads through its plugin's view: Qt calls that without the lab."""
        if self._owner is not None and self._view is not None and problem.trace and self._leads_here(problem.trace):
            self._break(replace(problem, plugin=self._owner))

    def _leads_here(self, trace: str) -> bool:
        frames = [(found[1], int(found[2])) for found in FRAME.finditer(trace)]
        widgets = [self._view, *self._view.findChildren(QWidget)]  # of the pinned one the kinds are the same
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
        self._view = self._pinned = None


def _lines_of(kind: type) -> tuple[str, int, int]:
    """The file of a class in Python, its first line and how many it has; of any other ("", 0, 0)."""
    try:
        lines, first = inspect.getsourcelines(kind)
        return inspect.getsourcefile(kind) or "", first, len(lines)
    except (OSError, TypeError):
        return "", 0, 0
