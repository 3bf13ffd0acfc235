"""What the doctor found in the runs of the window, and the remedies that the user applies."""

from __future__ import annotations

import contextlib
from weakref import WeakKeyDictionary

from lab.api import Finding, Remedy
from lab.base.notices import notify
from lab.base.problems import LabError
from lab.base.run_state import TRAINING
from lab.runs.finding_list import FILE, RuleFinding, read_findings
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.i18n import number_text, tr
from lab.workbench import Workbench
from lab.workbench.analysis.remedies import plan_of


class KnownFindings:
    """The findings of runs, read again when their files change."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[RunModel, tuple[tuple[int, int], list[RuleFinding]]] = WeakKeyDictionary()

    def of(self, run: RunModel | None) -> list[RuleFinding]:
        """Return the findings of a run; none of a damaged file."""
        path = None if run is None else run.path
        if run is None or path is None:
            return []
        try:
            about = (path / FILE).stat()
        except OSError:
            return []
        version = about.st_mtime_ns, about.st_size
        known = self._known.get(run)
        if known is None or known[0] != version:
            found: list[RuleFinding] = []
            with contextlib.suppress(LabError):
                found, _ = read_findings(path)
            known = self._known[run] = version, found
        return known[1]


class Remedies:
    """The remedies of the doctor, each applied in one call.

    Args:
        workbench: The workbench.
        registry: The runs.
    """

    def __init__(self, workbench: Workbench, registry: RunRegistry) -> None:
        self._workbench, self._registry = workbench, registry

    def apply(self, run: RunModel, finding: Finding, remedy: Remedy) -> RunModel | None:
        """Apply a remedy: change the run, or stop it and start another one; return that one, None without one.

        What is refused is reported as a notice.
        """
        control = run.control
        try:
            if remedy.start == "now" and run.state in TRAINING and control is not None:
                for path, value in remedy.changes.items():
                    control.set(path, value)
                return None
            folder = run.source.folder
            if folder is None:
                return None
            plan = plan_of(folder, finding, remedy)
            if run.state in TRAINING and control is not None:
                control.stop()
            if plan.step is None:
                started = self._registry.start(run.recipe_here.with_assignments(*plan.changes))
                notify("info", tr("{run} starts again with: {changes}", run=run.name, changes=", ".join(plan.changes)))
                return started
            started = self._registry.adopt(self._workbench.branch(folder.path, plan.step, plan.changes))
            notify(
                "info",
                tr(
                    "{run} continues from step {step} with: {changes}",
                    run=run.name,
                    step=number_text(plan.step),
                    changes=", ".join(plan.changes),
                ),
            )
        except LabError as error:
            notify("error", error.problem)
            return None
        return started
