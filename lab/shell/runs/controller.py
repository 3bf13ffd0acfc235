"""The controller of the runs in a window: list, details of the selected run, table, and their commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from lab.base.last_folder import last_folder, remember_folder
from lab.base.run_state import RunState
from lab.runs.records import BUNDLE
from lab.shell.actions.entry import Entry, Kind
from lab.shell.actions.registry import Actions, fill_menu
from lab.shell.runs.details import RunDetails
from lab.shell.runs.panel import RunsPanel, RunsSide
from lab.shell.runs.question import RunQuestion
from lab.shell.runs.table import RunsTable
from lab.shell.runtime.export_files import unused
from lab.shell.session.runs.model import RunModel
from lab.shell.session.session import Session
from lab.widgets.core.i18n import number_text, tr

if TYPE_CHECKING:
    from lab.workbench.launch.preflight import Preflight

MENU = (
    "run.resume", "run.further", "run.branch", "run.tune", "run.merge", "run.verify", "run.keep", "",
    "run.rename", "run.star", "run.tags", "run.note", "",
    "run.export", "run.link", "run.handin", "run.checkpoint", "run.recipe", "run.replay", "run.folder", "",
    "queue.now", "queue.sooner", "queue.later", "queue.remove", "run.stop", "run.delete",
)  # fmt: skip
"""The commands in the menu of a run, "" for a separator; those of the queue are shown only for queued runs."""
LABELLED = "polarity"
"""The corpus of labelled texts that a training for classes begins with."""
GENTLE = 3e-4
"""The learning rate of a training for classes, with which a model forgets little."""
STOP = "stop"
"""The choice to stop the runs that train, so that a queued one starts."""
MOST_STEPS = 10**9
OFFERED = 20
"""Most runs of the bin that the palette offers."""


class RunsController(QObject):
    """Combines list, details and table of the runs, and carries out the commands for the selected run.

    Args:
        window: The window over which the table and the dialogs open.
        session: The session with the runs.
        start: Starts a run; called by the button of the empty list.
        ask_about: Calls the function it is given, after a question if a run with these figures would not fit this
            machine.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        start: Callable[[], object],
        ask_about: Callable[[Preflight, Callable[[], object]], object],
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._ask_about = window, session, ask_about
        self._commands, self._transfers, self._registry = session.run_commands, session.transfers, session.registry
        self.panel = RunsPanel(session.registry, session.background, start, self.toggle_table)
        self.details = RunDetails(session.registry, session.run_commands, self.choose_text)
        self.details.start_now.clicked.connect(self.start_now)
        self.panel.add_foot(self.details)
        self.side = RunsSide(session.registry, self.panel, window)
        self.question = RunQuestion(window)
        transfers, background = session.transfers, session.background
        self.table = RunsTable(
            self.panel, session.registry, transfers, background, session.plugins, self.question, window
        )
        self.panel.deleted.connect(self.delete)
        session.run_commands.show_interrupted.connect(self._find_interrupted)

    # ---------------------------------------------------------------------------------------------------------- state

    @property
    def selected(self) -> RunModel | None:
        """The run on which the toolbar acts."""
        return self._registry.selected

    def can(self, name: str) -> bool:
        """Return True if a command is available for the selected run."""
        run = self.selected
        match name:
            case "resume":
                return self._commands.can_resume(run)
            case "further":
                return self._commands.can_train_further(run)
            case "branch" | "tune":
                return self._commands.can_branch(run)
            case "merge":
                return run is not None and self._transfers.can_merge(run)
            case "verify":
                return self._commands.can_verify(run)
            case "keep":
                return self._commands.can_save(run)
            case "replay":
                return run is not None and bool(run.changed)
            case "delete":
                return run is not None and not run.works
            case "now":
                return run is not None and run.state == RunState.QUEUED
            case "rename" | "star" | "tags" | "note" if run is not None and run.state == RunState.QUEUED:
                return True
        return run is not None and run.path is not None

    def entries(self) -> list[Entry]:
        """Return entries of the palette for the runs that can be restored from the bin."""
        return [
            Entry(
                f"restore {path}",
                tr("Restore {run}", run=name),
                tr("from the bin"),
                partial(self._transfers.restore, [path]),
                kind=Kind.RUN,
            )
            for name, path in self._transfers.binned[:OFFERED]
        ]

    def open_menu(self, actions: Actions, position: QPoint) -> None:
        """Open the menu of the selected run at a position on the screen."""
        actions.refresh()
        commands = {action.command.key: action for action in actions.all()}
        menu = QMenu(self._window)
        shown = [name for name in MENU if not name.startswith("queue.") or commands[name].isEnabled()]
        fill_menu(menu, [commands[name] if name else None for name in shown])
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(position)

    # -------------------------------------------------------------------------------------------------------- commands

    def toggle_table(self) -> None:
        """Open or close the table of runs."""
        self.side.fold()
        self.table.toggle()

    def find(self) -> None:
        """Move the focus to the search."""
        if self.table.isHidden():
            self.side.unfold()
            self.panel.focus_search()
        else:
            self.table.field.setFocus()

    def resume(self) -> None:
        """Resume the selected run."""
        if self.selected is not None:
            self._commands.resume(self.selected)

    def start_now(self) -> None:
        """Move the selected run to the front of the queue; if others train, ask whether they are stopped for it."""
        run = self.selected
        blocking = [] if run is None else self._session.queue_commands.start_now(run)
        if run is None or not blocking:
            return
        others = ", ".join(one.name for one in blocking)

        def answer(choice: str) -> str:
            for one in blocking if choice == STOP else []:
                if one.control is not None:
                    one.control.stop()
            self._registry.list_changed.emit()
            return ""

        title = tr("Start {run} now", run=run.name)
        note = tr("It is the next one in the queue. A run that is stopped is saved and can be resumed.")
        choices = [("", tr("Wait until {runs} has ended", runs=others)), (STOP, tr("Stop {runs} first", runs=others))]
        self.question.ask_choice(title, note, tr("Start"), answer, choices)

    def train_further(self) -> None:
        """Ask for a larger number of steps, and train the selected run further."""
        run = self.selected
        if run is not None:
            note = tr(
                "This run has made {step} of {all} steps. Enter the new total number of steps.",
                step=number_text(run.step),
                all=number_text(run.last_step),
            )
            default = str(run.step + max(1, run.recipe.training.steps))
            title, button = tr("Train {run} further", run=run.name), tr("Train")
            self.question.ask(title, note, button, partial(self._resume_with_steps, run), default=default)

    def _resume_with_steps(self, run: RunModel, answer: str) -> str:
        """Resume a run up to a number of steps once its cost is known.

        Returns:
            A message if the answer cannot be used, else "".
        """
        try:
            steps = int(re.sub(r"[\s,_.]", "", answer))
        except ValueError:
            return tr("Enter a whole number")
        if not run.step < steps <= MOST_STEPS:
            return tr("Enter more than {step}", step=number_text(run.step))
        self._commands.compute_remaining(run, steps, partial(self._ask_and_resume, run, steps))
        return ""

    def _ask_and_resume(self, run: RunModel, steps: int, figures: Preflight | None) -> None:
        """Resume a run up to a number of steps, after a question if that does not fit this machine."""

        def resume() -> None:
            if self._commands.can_train_further(run):  # it may have been resumed or deleted meanwhile
                self._commands.resume(run, steps=steps)

        if figures is None:
            resume()
        else:
            self._ask_about(figures, resume)

    def branch(self) -> None:
        """Ask for a checkpoint of the selected run, and make a branch from it the draft."""
        if self.selected is not None:
            self._commands.find_checkpoints(self.selected, partial(self._ask_step, self.selected, weights_only=False))

    def tune(self) -> None:
        """Ask for a checkpoint of the selected run, and make a training that begins with its weights the draft."""
        if self.selected is not None:
            self._commands.find_checkpoints(
                self.selected, partial(self._ask_step, self.selected, weights_only=True), complete=False
            )

    def classify(self) -> None:
        """Make a training for classes that begins with the last weights of the selected run the draft.

        Its corpus is the first one of labelled texts; another can be chosen before the start.
        """
        if self.selected is not None:
            answer = partial(self._tune_for_classes, self.selected)
            self._commands.find_checkpoints(self.selected, answer, complete=False)

    def _tune_for_classes(self, run: RunModel, steps: list[int]) -> None:
        if not steps:
            self._ask_step(run, steps, weights_only=True)
            return
        changes = {
            "corpus": {"name": LABELLED},
            "objective": {"name": "classification"},
            "training": {"optimizer": {"learning_rate": GENTLE}},
        }
        self._commands.branch(run, steps[-1], weights_only=True, changes=changes)

    def merge(self) -> None:
        """Make a run whose weights are those of the selected one with its adapter folded in."""
        if self.selected is not None:
            self._transfers.merge(self.selected)

    def _ask_step(self, run: RunModel, steps: list[int], *, weights_only: bool) -> None:
        title = tr("Fine-tune {run}", run=run.name) if weights_only else tr("Branch from {run}", run=run.name)
        if not steps:
            message = tr("{run} has no checkpoint yet. Use Save checkpoint while it trains to make one.", run=run.name)
            self.question.show_message(title, message)
            return

        def answer(step: str) -> str:
            self._commands.branch(run, int(step), weights_only=weights_only)
            return ""

        note = tr("This replaces the configuration with that of the checkpoint. Change it as you like, then start.")
        if weights_only:
            note = tr(
                "This replaces the configuration with that of the checkpoint. The next run begins at step 0 with its "
                "weights: choose a text, an adapter or a learning rate, then start."
            )
        choices = [(str(step), tr("step {step}", step=number_text(step))) for step in steps]
        self.question.ask_choice(title, note, tr("Use as configuration"), answer, choices)

    def verify(self) -> None:
        """Train the last steps of the selected run again, and compare them."""
        if self.selected is not None:
            self._commands.verify(self.selected)

    def save(self) -> None:
        """Let the selected run save a checkpoint now."""
        if self.selected is not None:
            self._commands.save(self.selected)

    def replay(self) -> None:
        """Make a recipe that repeats the selected run with its live edits the draft."""
        if self.selected is not None:
            self._commands.replay(self.selected)

    def rename(self) -> None:
        """Let the user edit the name of the selected run in its row."""
        if not self.table.isHidden():
            self.table.table.rename()
            return
        self.side.unfold()
        self.panel.list.rename()

    def star(self) -> None:
        """Star the selected run, or remove its star."""
        if self.selected is not None:
            self._registry.label(self.selected, star=not self.selected.label.star)

    def tags(self) -> None:
        """Move the focus to the tags of the selected run."""
        self.side.unfold()
        self.details.edit_tags()

    def note(self) -> None:
        """Move the focus to the note of the selected run."""
        self.side.unfold()
        self.details.edit_note()

    def delete(self) -> None:
        """Move the selected run to the bin, or remove it from the queue."""
        if self.selected is not None and not self._registry.withdraw(self.selected):
            self._transfers.delete([self.selected])

    def export(self) -> None:
        """Ask for a file and export the selected run to it, in the format of its suffix."""
        run = self.selected
        if run is None:
            return
        kinds = [(tr("Bundle, to open in LM Lab"), BUNDLE), *self._transfers.forms()]
        filters = ";;".join(f"{label} (*{suffix})" for label, suffix in kinds)
        name = _file_name(run.name)
        title = tr("Export {run}", run=run.name)
        start = str(last_folder() / f"{name}{BUNDLE}")
        file, selected = QFileDialog.getSaveFileName(self._window, title, start, filters)
        if not file:
            return
        suffix = next((end for label, end in kinds if selected.startswith(label)), BUNDLE)
        path = Path(file)
        if not path.name.lower().endswith(tuple(end for _, end in kinds)):
            path = unused(path.with_name(path.name + suffix))
        elif path.name == f"{name}{BUNDLE}" and suffix != BUNDLE:  # the proposed name, with another format selected
            path = unused(path.with_suffix(suffix))
        remember_folder(path.parent)
        self._transfers.export(run, path)

    def export_model(self) -> None:
        """Ask for a folder, and write the model of the selected run to it in the format of transformers."""
        run = self.selected
        if run is None:
            return
        title = tr("Export the model of {run} as a folder", run=run.name)
        start = str(unused(last_folder() / _file_name(run.name)))
        folder, _ = QFileDialog.getSaveFileName(self._window, title, start)
        if folder:
            remember_folder(Path(folder).parent)
            self._transfers.export_model(run, Path(folder))

    def choose_text(self, run: RunModel) -> None:
        """Ask for the file with the text of a run, and resume the run with it."""
        title = tr("Select the text of {run}", run=run.name)
        file, _ = QFileDialog.getOpenFileName(self._window, title, str(last_folder()), tr("All files (*)"))
        if file:
            remember_folder(Path(file).parent)
            self._commands.resume_with(run, Path(file))

    def _find_interrupted(self) -> None:
        self.side.unfold()
        self.panel.search_for("state=interrupted")


def _file_name(name: str) -> str:
    """Return a file name made from the name of a run."""
    return re.sub(r"[^\w.,=+-]+", "-", name).strip("-.")[:80] or "run"
