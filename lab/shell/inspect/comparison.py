"""What lies beside the moment that is looked at: another moment of the run, or another run on the same text."""

from __future__ import annotations

import bisect
import time
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from lab.base.problems import Problem
from lab.shell.inspect.probes import Found, Looking
from lab.shell.inspect.reading_card import Scene, scene_of
from lab.shell.runtime.background import Background
from lab.shell.session.moments import Moments
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.subjects import model_name
from lab.widgets.core.i18n import tr
from lab.widgets.tokens.samples import sample_at
from lab.workbench import SavedRun
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.snapshots import Limits, limits_of, widened

INFLUENCE = "influence"
"""The probe whose map models of every kind have: without it two of them may have nothing to compare."""
REST = 25
"""How many times the cost of a look passes before the next one into a model that trains."""
AT_LEAST = 2.0
"""Seconds between two looks into a model that trains."""


class Beside(QObject):
    """A pinned scene, or one of another run that follows the moment and the text of the selected one.

    Args:
        book: The runs.
        background: Brings work off the main thread.
        parent: Its parent.

    Attributes:
        view: The other run; None where a moment is pinned, or nothing.
        scene: What is shown; None where nothing is, or not yet.
        problem: Why the other run cannot be shown; None where it is, or was not asked for.
    """

    came = Signal()
    """There is something else to show, or nothing more, or a problem."""

    def __init__(self, book: RunRegistry, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._book, self._background = book, background
        self._moments = Moments(background, self)
        self._moments.found.connect(self._bring)
        self._moments.came.connect(self._bring)
        self.view: RunModel | None = None
        self.scene: Scene | None = None
        self.problem: Problem | None = None
        self._wanted: tuple[Scene, int | None, tuple[str, ...]] | None = None  # shown, its moment, probes
        self._asked: tuple[object, ...] = ()
        self._began = self._ended = 0.0

    # ---------------------------------------------------------------------------------------------------------- orders

    def pin(self, scene: Scene | None) -> None:
        """Keeps a scene as it is; None shows nothing beside."""
        self.lay(None)
        self.scene = scene
        self.came.emit()

    def lay(self, view: RunModel | None) -> None:
        """Lays another run beside; None takes it away, and gives its model back."""
        if self.view is not None and isinstance(self.view.run, SavedRun):
            self.view.run.forget_model()
        self.view, self.scene, self.problem, self._asked = view, None, None, ()
        self._moments.follow(view)
        if view is not None:
            self._moments.find()
            self._bring()
        self.came.emit()

    def follow(self, shown: Scene, moment: int | None, probes: Sequence[str]) -> None:
        """Brings the other run to a moment, on the text that was read there.

        Args:
            shown: What is shown of the selected run.
            moment: The step of it; None for now.
            probes: Those that are asked of a model beside what it reports.
        """
        self._wanted = shown, moment, tuple(probes)
        self._bring()

    def think(self) -> None:
        """Looks again while the other run trains, seldom enough to leave it its speed."""
        view = self.view
        if view is None or not view.works or self._wanted is None:
            return
        if time.perf_counter() - self._ended > AT_LEAST:
            self._moments.find()
        self._bring()

    @property
    def limits(self) -> Limits:
        """What the colours of both reach to because of what is shown here, whose scale is not its own."""
        scene = self.scene
        if scene is None or scene.scale is not None:
            return {}
        return widened(self._moments.limits, scene.limits) if self.view is not None else scene.limits

    # ------------------------------------------------------------------------------------------------------------ work

    def _bring(self) -> None:
        view, wanted = self.view, self._wanted
        if view is None or wanted is None:
            return
        shown, moment, probes = wanted
        step = None if moment is None else self._nearest(moment)
        if step is None:
            if self._moments.step is not None:  # nothing of that moment stays beside now
                self.scene, self._asked = None, ()
                self._moments.look_at(None)
                self.came.emit()
            self._ask(view, shown.look.text, probes)
            return
        self._moments.look_at(step)
        found = self._moments.at(step)
        if isinstance(found, Inspection) and (self.scene is None or self.scene.look.readings is not found.readings):
            self._show(view, found)
        elif isinstance(found, Problem) and self.problem is not found:
            self._refuse(found)

    def _nearest(self, moment: int) -> int | None:
        """The recorded step at a moment, or the last before it, or the first; None where none was recorded."""
        steps = self._moments.steps
        return steps[max(0, bisect.bisect_right(steps, moment) - 1)] if steps else None

    def _ask(self, view: RunModel, words: str, probes: tuple[str, ...]) -> None:
        """Looks into the model as it is now, unless that was done."""
        asked = (view.key, view.step, words, probes)
        now = time.perf_counter()
        rests = self._asked[:1] + self._asked[2:] == asked[:1] + asked[2:] and now - self._ended < self._rest
        if asked == self._asked or rests:
            return
        self._asked, self._began = asked, now
        looking = Looking(view.run, words, view, [*probes, *([] if INFLUENCE in probes else [INFLUENCE])])
        title = tr("Looking into {name}", name=model_name(view, view.step))
        self._background.run(title, looking.work, self._take, self._fail, replaces="look beside")

    @property
    def _rest(self) -> float:
        return max(AT_LEAST, REST * (self._ended - self._began)) if self._ended > self._began else 1e9

    def _take(self, found: Found) -> None:
        if self.view is not None and self._wanted is not None and self._moments.step is None:
            self._show(self.view, found.look)
        self._ended = time.perf_counter()

    def _fail(self, problem: Problem) -> None:
        self._ended = time.perf_counter()
        if self._moments.step is None:
            self._refuse(problem)

    def _refuse(self, problem: Problem) -> None:
        self.scene, self.problem = None, problem
        self.came.emit()

    def _show(self, view: RunModel, look: Inspection) -> None:
        name = model_name(view, look.step) + self._of_another_text(look)
        samples = view.samples or [(one.step, one.sample) for one in self._moments.looks if one.sample is not None]
        place = sample_at(samples, look.step)
        if look.sample is None and place >= 0:
            look = replace(look, sample=samples[place][1])
        selected = self._book.selected
        alike = selected is not None and selected.recipe.architecture.name == view.recipe.architecture.name
        scale = None if alike else widened(self._moments.limits, limits_of(look.readings))
        scene = scene_of(look, name)
        self.scene = replace(scene, of_other_run=True, scale=scale, looks=self._moments.looks)
        self.problem = None
        self.came.emit()

    def _of_another_text(self, look: Inspection) -> str:
        """What is to be said of the text that it has read; "" where it is that of the selected run, or its start."""
        shown = None if self._wanted is None else self._wanted[0].look
        if shown is None or all(one == other for one, other in zip(look.labels, shown.labels, strict=False)):
            return ""
        if shown.text.startswith(look.text) or look.text.startswith(shown.text):
            return tr(" · cut by its own tokenizer")
        return tr(" · on its own text")


def others(book: RunRegistry) -> list[RunModel]:
    """The runs that can lie beside the selected one: all others that have begun, newest first."""
    return [view for view in book.views if view is not book.selected and (view.active is None or view.step)]
