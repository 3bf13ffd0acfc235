"""The view alongside the inspection: a pinned one, or another run at the same step on the same text."""

from __future__ import annotations

import bisect
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from lab.base.problems import Problem
from lab.host import Plugins
from lab.shell.inspect.inspection_view import InspectionView, view_of
from lab.shell.inspect.model import LEAST_PAUSE, ComparisonModel, Request, Result
from lab.shell.inspect.probes import inspect_model
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import model_name
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.snapshots import Snapshots
from lab.widgets.core.i18n import tr
from lab.widgets.tokens.samples import sample_at
from lab.workbench import SavedRun
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.snapshots import Limits, limits_of, widened

INFLUENCE = "influence"
"""The probe whose map models of every kind have: without it two models may have nothing to compare."""


class Comparison(QObject):
    """Fetches what is compared: another run follows the step and the text of the selected one.

    Args:
        model: Its state.
        registry: The runs.
        background: Brings work off the main thread.
        plugins: Where plugins' own views are found.
        parent: Its parent.
    """

    changed = Signal()
    """Something else is to be shown, or nothing any more, or a problem."""

    def __init__(
        self,
        model: ComparisonModel,
        registry: RunRegistry,
        background: Background,
        plugins: Plugins,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.model = model
        self._registry, self._background, self._plugins = registry, background, plugins
        self._snapshots = Snapshots(background, self)
        self._snapshots.list_changed.connect(self._update)
        self._snapshots.loaded.connect(self._update)

    def close_down(self) -> None:
        """Read nothing more of the compared run."""
        self._snapshots.close_down()

    def pin(self, view: InspectionView | None) -> None:
        """Pin an inspection; None shows nothing alongside."""
        self._release()
        self.model.pin(view)
        self._snapshots.follow(None)
        self.changed.emit()

    def compare(self, run: RunModel | None) -> None:
        """Compare with another run; None with nothing."""
        self._release()
        self.model.compare(run)
        self._snapshots.follow(run)
        if run is not None:
            self._snapshots.find()
            self._update()
        self.changed.emit()

    def toggle_pin(self, shown: InspectionView | None) -> InspectionView | None:
        """Pin what is shown, or unpin what is pinned. Return what is pinned now."""
        is_pinned = self.model.run is None and self.model.view is not None
        self.pin(None if is_pinned else shown)
        return self.model.view

    def select(self, key: str) -> None:
        """Compare with the run of a key; with none for an unknown key."""
        self.compare(next((run for run in self._others() if run.key == key), None))

    def offered_runs(self) -> tuple[list[tuple[str, str]], str]:
        """Return key and name of the runs to compare with, and the key of the compared one, "" for none.

        A run that is gone is not compared any more.
        """
        runs, compared = [(run.key, run.name) for run in self._others()], self.model.run
        if compared is not None and compared.key not in dict(runs):
            self.pin(None)
        return runs, "" if self.model.run is None else self.model.run.key

    def _others(self) -> list[RunModel]:
        """Return all runs that have started besides the selected one, newest first."""
        runs, selected = self._registry.runs, self._registry.selected
        return [run for run in runs if run is not selected and (run.active is None or run.step)]

    def follow(self, shown: InspectionView, step: int | None, probes: Sequence[str]) -> None:
        """Have the other run follow what is shown of the selected one; see `ComparisonModel.follow`."""
        self.model.follow(shown, step, probes)
        self._update()

    def refresh(self) -> None:
        """Inspect the other run again while it trains, rarely enough not to slow it down."""
        run = self.model.run
        if run is None or not run.works or self.model.wanted is None:
            return
        if self.model.requests.seconds_since(time.perf_counter()) > LEAST_PAUSE:
            self._snapshots.find()
        self._update()

    @property
    def limits(self) -> Limits:
        """The limits that this adds to the colours of both sides; none where it has a scale of its own."""
        view = self.model.view
        if view is None or view.scale is not None:
            return {}
        return widened(self._snapshots.limits, view.limits) if self.model.run is not None else view.limits

    def _release(self) -> None:
        """Release the model of the run that was compared."""
        run = self.model.run
        if run is not None and isinstance(run.source, SavedRun):
            run.source.forget_model()

    def _update(self) -> None:
        """Show the snapshot of the other run that belongs to the wanted step, or inspect its model."""
        run, wanted = self.model.run, self.model.wanted
        if run is None or wanted is None:
            return
        shown, selected_step, probes = wanted
        step = None if selected_step is None else self._nearest(selected_step)
        if step is None:
            if self._snapshots.step is not None:  # a snapshot does not stay alongside the model as it is now
                self.model.wait()
                self._snapshots.select(None)
                self.changed.emit()
            self._inspect(run, shown.inspection.text, probes)
            self._show_newest(run, shown.inspection.text)
            return
        self._snapshots.select(step)
        found, view = self._snapshots.at(step), self.model.view
        if isinstance(found, Inspection) and (view is None or view.inspection.readings is not found.readings):
            self._show(run, found)
        elif isinstance(found, Problem) and self.model.problem is not found:
            self._refuse(found)

    def _show_newest(self, run: RunModel, text: str) -> None:
        """Show the newest snapshot of the other run on the same text until its model has been inspected."""
        steps = self._snapshots.steps
        found = self._snapshots.at(steps[-1]) if steps and self.model.view is None else None
        if isinstance(found, Inspection) and found.text == text and self.model.requests.pending:
            self._show(run, found)

    def _nearest(self, selected_step: int) -> int | None:
        """Return the recorded step at or last before a step, else the first; None where none was recorded."""
        steps = self._snapshots.steps
        return steps[max(0, bisect.bisect_right(steps, selected_step) - 1)] if steps else None

    def _inspect(self, run: RunModel, text: str, probes: tuple[str, ...]) -> None:
        """Inspect the model as it is now, unless that was done."""
        with_influence = [*probes, *([] if INFLUENCE in probes else [INFLUENCE])]
        request = self.model.request(run, text, with_influence, time.perf_counter())
        if request is None:
            return
        title = tr("Inspecting {name}", name=model_name(run, run.step))
        work = partial(inspect_model, request)
        taken, failed = partial(self._take, request), partial(self._fail, request)
        self._background.run(title, work, taken, failed, replaces="inspect other run")

    def _take(self, request: Request, result: Result) -> None:
        if self._is_awaited(request) and request.run is not None:
            self._show(request.run, result.inspection)
        self.model.requests.end(request.number, time.perf_counter(), result.work)

    def _fail(self, request: Request, problem: Problem) -> None:
        if self._is_awaited(request):
            self._refuse(problem)
        self.model.requests.end(request.number, time.perf_counter())

    def _is_awaited(self, request: Request) -> bool:
        """Return True if an answer is still to be shown, and no snapshot took its place."""
        return self.model.requests.is_current(request.number) and self._snapshots.step is None

    def _refuse(self, problem: Problem) -> None:
        self.model.refuse(problem)
        self.changed.emit()

    def _show(self, run: RunModel, inspection: Inspection) -> None:
        name = model_name(run, inspection.step) + self._note_on_text(inspection)
        recorded = self._snapshots.inspections
        samples = run.samples or [(one.step, one.sample) for one in recorded if one.sample is not None]
        index = sample_at(samples, inspection.step)
        if inspection.sample is None and index >= 0:
            inspection = replace(inspection, sample=samples[index][1])
        selected = self._registry.selected
        is_alike = selected is not None and selected.recipe.architecture.name == run.recipe.architecture.name
        scale = None if is_alike else widened(self._snapshots.limits, limits_of(inspection.readings))
        view = view_of(inspection, name, self._plugins.cards("views"))
        self.model.show(replace(view, of_other_run=True, scale=scale, snapshots=recorded))
        self.changed.emit()

    def _note_on_text(self, inspection: Inspection) -> str:
        """Return a note on the text that the other run read; "" where it is that of the selected run, or its start."""
        shown = None if self.model.wanted is None else self.model.wanted[0].inspection
        if shown is None or all(one == other for one, other in zip(inspection.labels, shown.labels, strict=False)):
            return ""
        if shown.text.startswith(inspection.text) or inspection.text.startswith(shown.text):
            return tr(" · its own tokenizer")
        return tr(" · its own text")
