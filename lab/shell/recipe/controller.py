"""The configuration in the window: it starts runs, and shows what is refused and what a run costs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QWidget

from lab.base.notices import notify
from lab.base.problems import Problem
from lab.base.run_state import STARTING_OR_SAVING, TRAINING
from lab.base.units import short
from lab.recipes import Recipe
from lab.shell.recipe.panel import DraftPanel
from lab.shell.session.session import Session
from lab.widgets.core.i18n import localized, number_text, tr
from lab.workbench import Workbench

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.launch.preflight import Preflight
    from lab.workbench.launch.same_size import SameSize

PATIENCE = 2000
"""Milliseconds that a start waits for the cost of the run, which needs the text; after them it starts without it."""
SHOW_WAITING_AFTER = 300
"""Milliseconds after which "…" replaces costs that are still being computed."""


OFFERED = 8
"""Most runs whose number of parameters the menu of presets offers."""


class View(Protocol):
    """An object that shows places."""

    def show_form(self) -> None:
        """Open Train with the form of the draft."""

    def show_place_of_runs(self) -> None:
        """Open Train if the open place shows no run."""

    def finish_entry(self) -> None:
        """Take the focus from a field, which finishes the entry that is being typed."""


class DraftController(QObject):
    """The panel of the configuration, and what a window does with it.

    Args:
        window: The window.
        view: Shows places.
        session: The session, whose draft it is.
    """

    def __init__(self, window: QWidget, view: View, session: Session) -> None:
        super().__init__(window)
        self._view, self._session = view, session
        self.panel = DraftPanel(session.draft, session.plugins, self.start_new, session.background)
        costs = self.panel.costs
        costs.follow(session.registry)
        self.panel.schedule_editor.follow(session.registry)
        self._waiting = QTimer(self, singleShot=True, interval=SHOW_WAITING_AFTER)
        self._waiting.timeout.connect(costs.show_waiting)
        self.panel.presets.runs = self._sized_runs
        self.panel.presets.same_size_wanted.connect(self._match_size)
        session.refused.connect(self.show_refusal)
        session.costs.computed.connect(self._show_costs)
        self._wanted: Callable[[], object] | None = None  # a start that waits for the cost of the run
        self._wanted_recipe = session.draft.recipe
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE)
        self._patience.timeout.connect(self._start_wanted)
        session.draft.changed.connect(self._forget_another)

    def _sized_runs(self) -> tuple[tuple[str, str], ...]:
        """Return key and label of the newest runs whose number of parameters is known."""
        sized = [(run, run.parameters) for run in self._session.registry.runs if run.parameters and not run.counts]
        return tuple((run.key, f"{run.name} · {localized(short(count or 0))}") for run, count in sized[:OFFERED])

    def _match_size(self, key: str) -> None:
        """Give the draft the width with which it has about as many parameters as a run."""
        run, recipe = self._session.registry.by_key(key), self._session.draft.recipe
        if run is None or run.parameters is None:
            return
        work = partial(_same_size, self._session.workbench, recipe, run.parameters)
        taken = partial(self._take_size, recipe, run.name, run.parameters)
        title = tr("Finding the width for as many parameters")
        self._session.background.run(title, work, taken, self.panel.show_problem, replaces="same size")

    def _take_size(self, recipe: Recipe, name: str, wanted: int, found: SameSize) -> None:
        draft = self._session.draft
        if draft.recipe is not recipe:  # it was edited meanwhile
            return
        problem = draft.apply({"architecture": {"width": found.width}})
        if problem is not None:
            self.panel.show_problem(problem)
            return
        notify("info", tr(
            "Width {width}: {parameters} parameters; {run} has {wanted}",
            width=number_text(found.width), parameters=number_text(found.parameters), run=name,
            wanted=number_text(wanted),
        ))  # fmt: skip

    def reveal(self, field: str) -> None:
        """Show a field of the configuration."""
        self._view.show_form()
        self.panel.reveal(field)

    def start_or_pause(self) -> None:
        """Pause or resume the selected run, or start a run of the draft if that is not possible."""
        if self._session.state in TRAINING:
            self._session.pause_or_resume()
        elif self._session.state not in STARTING_OR_SAVING:
            self.start_new()

    def start_new(self) -> None:
        """Start a run of the draft, unless an entry of its form is invalid."""
        if self._is_valid():
            self._view.show_place_of_runs()
            self._start(self._session.start)

    def start_in_process(self) -> None:
        """Start a run of the draft at once, in a process of its own."""
        if self._is_valid():
            self._start(partial(self._session.start, alongside=True))

    def _start(self, start: Callable[[], object]) -> None:
        """Start a run once its cost is known or takes long, after a question if it does not fit this machine."""
        if self._session.costs.compute_now():
            self._wanted, self._wanted_recipe = start, self._session.draft.recipe
            self._patience.start()
            self.panel.show_checking(True)
        else:
            self.panel.ask_before(start)

    def _forget_another(self) -> None:
        """Start nothing if the configuration changed while its cost was computed."""
        if self._session.draft.recipe is not self._wanted_recipe:
            self._forget_start()

    def _start_wanted(self) -> None:
        wanted = self._wanted
        self._forget_start()
        if wanted is not None:  # after a problem the start says where it is
            self.panel.ask_before(wanted)

    def _forget_start(self) -> None:
        self._patience.stop()
        if self._wanted is not None:
            self._wanted = None
            self.panel.show_checking(False)

    def _is_valid(self) -> bool:
        self._view.finish_entry()
        self.panel.forget_problem()
        problem = next(iter(self.panel.sections.problems.values()), None)
        if problem is not None:
            self._reveal(problem)  # the form shows it for as long as the entry is invalid
        return problem is None

    def show_refusal(self, problem: Problem) -> None:
        """Show a problem of the draft at its field and above the Start button."""
        self._reveal(problem)
        self.panel.show_problem(problem)

    def _reveal(self, problem: Problem) -> None:
        self._view.show_form()
        if problem.field:
            self.panel.reveal(problem.field)

    def _show_costs(self, found: Preflight | Problem | None) -> None:
        """Show the cost of a run; None while it is being computed."""
        if found is None:
            self._waiting.start()
            return
        self._waiting.stop()
        if isinstance(found, Problem):
            self.panel.costs.show_none()
            self.panel.show_problem(found)
        else:
            self.panel.costs.show_costs(found, measured=self._session.costs.measured)
        self._start_wanted()


def _same_size(workbench: Workbench, recipe: Recipe, parameters: int, job: Job) -> SameSize:
    """Find the width; in a thread."""
    del job
    return workbench.same_size(recipe, parameters)
