"""The commands for the selected run and for all runs."""

from __future__ import annotations

from functools import partial

from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Actions, Command
from lab.shell.runs.controller import RunsController
from lab.widgets.core.i18n import tr


def register_runs_commands(actions: Actions, runs: RunsController) -> None:
    """Register the commands of the menu of the selected run, in its order."""
    group = CommandGroup.RUN
    sections = {"export": tr("Export and share"), "checkpoint": tr("Export and share")}
    for name, title, do, shortcut in (
        ("resume", tr("Resume"), runs.resume, ""),
        ("further", tr("Train further…"), runs.train_further, ""),
        ("branch", tr("Branch from a checkpoint…"), runs.branch, "Ctrl+B"),
        ("tune", tr("Fine-tune from a checkpoint…"), runs.tune, ""),
        ("merge", tr("Merge the adapter into the weights"), runs.merge, ""),
        ("verify", tr("Verify reproducibility"), runs.verify, ""),
        ("keep", tr("Save checkpoint"), runs.save, "Ctrl+Shift+S"),
        ("replay", tr("Use recipe with live edits as a schedule"), runs.replay, ""),
        ("rename", tr("Rename"), runs.rename, "F2"),
        ("star", tr("Add or remove the star"), runs.star, ""),
        ("tags", tr("Tags…"), runs.tags, ""),
        ("note", tr("Note…"), runs.note, ""),
        ("export", tr("Export as bundle, table, page or script…"), runs.export, ""),
        ("checkpoint", tr("Export model for Hugging Face transformers…"), runs.export_model, ""),
        ("delete", tr("Delete"), runs.delete, ""),
    ):
        command = Command(f"run.{name}", title, group, shortcut, section=sections.get(name, ""))
        actions.add(command, do, enabled=partial(runs.can, name))
    command = Command("queue.now", tr("Start now"), group, section=tr("In the queue"))
    actions.add(command, runs.start_now, enabled=partial(runs.can, "now"))


def register_list_commands(actions: Actions, runs: RunsController) -> None:
    """Register the commands that show the list and the table of runs, in the View menu."""
    for name, title, do, shortcut in (
        ("table", tr("Table of runs"), runs.toggle_table, "Ctrl+T"),
        ("find", tr("Find a run"), runs.find, "Ctrl+F"),
    ):
        actions.add(Command(f"runs.{name}", title, CommandGroup.VIEW, shortcut), do)
