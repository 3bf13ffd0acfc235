"""All that a window has for its runs: the list, the selected run below it, the table, and their orders."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from lab.runs.records import BUNDLE
from lab.shell.actions.registry import Actions
from lab.shell.runs.details import RunDetails
from lab.shell.runs.panel import RunsPanel, RunsSide
from lab.shell.runs.question import RunQuestion
from lab.shell.runs.table import RunsTable
from lab.shell.runtime.export_files import last_folder, remember_folder, unused
from lab.shell.session.runs.model import RunModel
from lab.shell.session.session import Session
from lab.widgets.core.i18n import tr

MENU = (
    "run.resume", "run.further", "run.branch", "run.verify", "run.keep", "",
    "run.rename", "run.star", "run.tags", "run.note", "",
    "run.export", "run.checkpoint", "run.recipe", "run.replay", "run.folder", "",
    "queue.sooner", "queue.later", "run.stop", "run.delete",
)  # fmt: skip
"""The commands in the menu of a run, in order, with lines between them; those of the queue for a run that waits."""
STEPS_MOST = 10**9


class RunsController(QObject):
    """The runs in a window.

    Args:
        window: The window.
        session: What it works on.
        start: Starts a run, for the empty list.
    """

    def __init__(self, window: QWidget, session: Session, start: Callable[[], object]) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        self._orders, self._moves, self._registry = session.run_commands, session.transfers, session.registry
        self.panel = RunsPanel(session.registry, session.background, start, self.toggle_table)
        self.details = RunDetails(session.registry, session.run_commands, self.choose_text)
        self.panel.add_foot(self.details)
        self.side = RunsSide(session.registry, self.panel, window)
        self.question = RunQuestion(window)
        self.table = RunsTable(
            self.panel, session.registry, session.transfers, session.background, self.question, window
        )
        self.panel.deleted.connect(self.delete)
        session.run_commands.show_interrupted.connect(self._find_interrupted)

    # --------------------------------------------------------------------------------------------------------- looking

    @property
    def selected(self) -> RunModel | None:
        """The run on which the toolbar acts."""
        return self._registry.selected

    def can(self, name: str) -> bool:
        """Whether an order can be given for the selected run now."""
        view = self.selected
        match name:
            case "resume":
                return self._orders.can_resume(view)
            case "further":
                return self._orders.can_go_further(view)
            case "branch":
                return self._orders.can_branch(view)
            case "verify":
                return self._orders.can_verify(view)
            case "keep":
                return self._orders.can_save(view)
            case "replay":
                return view is not None and bool(view.changed)
            case "delete":
                return view is not None and not view.works
        return view is not None and view.path is not None

    def entries(self) -> list[tuple[str, str, Callable[[], object]]]:
        """For the palette: runs that can be brought back from the bin."""
        return [
            (tr("Restore {run}", run=name), tr("from the bin"), _Restore(self._moves.restore, place))
            for name, place in self._moves.binned[:20]
        ]

    def open_menu(self, actions: Actions, place: QPoint) -> None:
        """Opens the menu of the selected run."""
        actions.refresh()
        commands = {action.command.key: action for action in actions.all()}
        menu = QMenu(self._window)
        for name in MENU:
            if not name:
                menu.addSeparator()
            elif not name.startswith("queue.") or commands[name].isEnabled():
                menu.addAction(commands[name])
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    # ---------------------------------------------------------------------------------------------------------- orders

    def toggle_table(self) -> None:
        """Opens the table of runs, or shuts it."""
        self.side.fold()
        self.table.toggle()

    def find(self) -> None:
        """Has a person search among the runs."""
        if self.table.isHidden():
            self.side.unfold()
            self.panel.search_here()
        else:
            self.table.field.setFocus()

    def resume(self) -> None:
        """Takes up the selected run where it was."""
        if self.selected is not None:
            self._orders.resume(self.selected)

    def further(self) -> None:
        """Asks for how many steps the selected run is to be trained in all."""
        view = self.selected
        if view is not None:
            note = tr(
                "It has made {step} of {all} steps. How many shall it make in all?",
                step=f"{view.step:,}",
                all=f"{view.last_step:,}",
            )
            given = str(view.step + max(1, view.recipe.training.steps))
            title, face = tr("Train {run} further", run=view.name), tr("Train")
            self.question.ask(title, note, face, _Further(self._orders.resume, view), given=given)

    def branch(self) -> None:
        """Asks from which checkpoint of the selected run the next one is to begin."""
        if self.selected is not None:
            asking = _Branching(self._orders.branch, self._ask_step, self.selected)
            self._orders.ask_checkpoints(self.selected, asking.ask)

    def _ask_step(self, view: RunModel, steps: list[int], answer: Callable[[str], str]) -> None:
        if not steps:
            words = tr("{run} has no checkpoint yet. A run that trains gets one by Save now.", run=view.name)
            self.question.tell(tr("Branch from {run}", run=view.name), words)
            return
        note = tr("The configuration becomes what held there. Change what you like, then start.")
        choices = [(str(step), tr("step {step}", step=f"{step:,}")) for step in steps]
        title, face = tr("Branch from {run}", run=view.name), tr("Use as configuration")
        self.question.ask_which(title, note, face, answer, choices)

    def verify(self) -> None:
        """Trains the last steps of the selected run anew, and compares."""
        if self.selected is not None:
            self._orders.verify(self.selected)

    def keep(self) -> None:
        """Has the selected run make a checkpoint now."""
        if self.selected is not None:
            self._orders.save(self.selected)

    def replay(self) -> None:
        """Makes a recipe the draft that repeats the live edits of the selected run."""
        if self.selected is not None:
            self._orders.replay(self.selected)

    def rename(self) -> None:
        """Has a person edit the name of the selected run in its place."""
        if not self.table.isHidden():
            self.table.table.rename()
            return
        self.side.unfold()
        self.panel.list.rename()

    def star(self) -> None:
        """Stars the selected run, or takes its star away."""
        if self.selected is not None:
            self._registry.label(self.selected, star=not self.selected.label.star)

    def tags(self) -> None:
        """Has a person edit the tags of the selected run."""
        self.side.unfold()
        self.details.edit_tags()

    def note(self) -> None:
        """Has a person edit the note of the selected run."""
        self.side.unfold()
        self.details.edit_note()

    def delete(self) -> None:
        """Moves the selected run into the bin."""
        if self.selected is not None:
            self._moves.delete([self.selected])

    def export(self) -> None:
        """Asks where to, and exports the selected run in the form of the file's name."""
        view = self.selected
        if view is None:
            return
        kinds = [(tr("Bundle, to open in a lab"), BUNDLE), *self._moves.forms()]
        filters = ";;".join(f"{words} (*{suffix})" for words, suffix in kinds)
        name = _as_file(view.name)
        title = tr("Export {run}", run=view.name)
        start = str(last_folder() / f"{name}{BUNDLE}")
        file, chosen = QFileDialog.getSaveFileName(self._window, title, start, filters)
        if not file:
            return
        suffix = next((end for words, end in kinds if chosen.startswith(words)), BUNDLE)
        place = Path(file)
        if not place.name.lower().endswith(tuple(end for _, end in kinds)):
            place = unused(place.with_name(place.name + suffix))
        elif place.name == f"{name}{BUNDLE}" and suffix != BUNDLE:  # the name that was offered, in another form
            place = unused(place.with_suffix(suffix))
        remember_folder(place.parent)
        self._moves.export(view, place)

    def export_model(self) -> None:
        """Asks where to, and writes the model of the selected run as a folder that transformers reads."""
        view = self.selected
        if view is None:
            return
        title = tr("Export the model of {run} as a folder", run=view.name)
        start = str(unused(last_folder() / _as_file(view.name)))
        place, _ = QFileDialog.getSaveFileName(self._window, title, start)
        if place:
            remember_folder(Path(place).parent)
            self._moves.export_model(view, Path(place))

    def choose_text(self, view: RunModel) -> None:
        """Asks where the text of a run lies, and resumes the run with it."""
        title = tr("Where is the text of {run}?", run=view.name)
        file, _ = QFileDialog.getOpenFileName(self._window, title, "", tr("All files (*)"))
        if file:
            self._orders.resume_with(view, Path(file))

    def _find_interrupted(self) -> None:
        self.side.unfold()
        self.panel.find_words("state=interrupted")


def _as_file(name: str) -> str:
    """The name of a run as that of a file."""
    return re.sub(r"[^\w.,=+-]+", "-", name).strip("-.")[:80] or "run"


class _Restore:
    """A way back from the bin."""

    def __init__(self, restore: Callable[[list[Path]], object], place: Path) -> None:
        self._restore, self._place = restore, place

    def __call__(self) -> None:
        self._restore([self._place])


class _Further:
    """The answer to how many steps a run is to make in all."""

    def __init__(self, resume: Callable[..., object], view: RunModel) -> None:
        self._resume, self._view = resume, view

    def __call__(self, words: str) -> str:
        try:
            steps = int(re.sub(r"[\s,_.]", "", words))
        except ValueError:
            return tr("Say a whole number")
        if not self._view.step < steps <= STEPS_MOST:
            return tr("More than {step} are needed", step=f"{self._view.step:,}")
        self._resume(self._view, steps=steps)
        return ""


class _Branching:
    """The way from a run to one of its checkpoints."""

    def __init__(
        self,
        branch: Callable[[RunModel, int], object],
        ask: Callable[[RunModel, list[int], Callable[[str], str]], object],
        view: RunModel,
    ) -> None:
        self._branch, self._ask, self._view = branch, ask, view

    def ask(self, steps: list[int]) -> None:
        """Asks which, once they are known."""
        self._ask(self._view, steps, self)

    def __call__(self, words: str) -> str:
        self._branch(self._view, int(words))
        return ""
