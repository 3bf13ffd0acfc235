"""The commands for the selected run, and those for all runs."""

from __future__ import annotations

from lab.shell.actions.registry import Actions, Command
from lab.shell.runs.controller import RunsController
from lab.widgets.core.i18n import tr


def register_run_commands(actions: Actions, desk: RunsController) -> None:
    """Registers them, in the order of the menu."""
    group = tr("Runs")
    for name, title, do, shortcut in (
        ("resume", tr("Resume this run"), desk.resume, ""),
        ("further", tr("Train further…"), desk.further, ""),
        ("branch", tr("Branch from a checkpoint…"), desk.branch, "Ctrl+B"),
        ("verify", tr("Verify that it resumes exactly"), desk.verify, ""),
        ("keep", tr("Save now"), desk.keep, "Ctrl+Shift+S"),
        ("replay", tr("Replay its live edits as a schedule"), desk.replay, ""),
        ("rename", tr("Rename"), desk.rename, "F2"),
        ("star", tr("Star, or take the star away"), desk.star, ""),
        ("tags", tr("Tags…"), desk.tags, ""),
        ("note", tr("Note…"), desk.note, ""),
        ("export", tr("Export as bundle, table, page or script…"), desk.export, ""),
        ("checkpoint", tr("Export its model for transformers…"), desk.export_model, ""),
        ("delete", tr("Delete"), desk.delete, ""),
    ):
        actions.add(Command(f"run.{name}", title, group, shortcut), do, enabled=_Can(desk, name))
    for name, title, do, shortcut in (
        ("table", tr("Table of runs"), desk.toggle_table, "Ctrl+T"),
        ("find", tr("Find a run"), desk.find, "Ctrl+F"),
    ):
        actions.add(Command(f"runs.{name}", title, group, shortcut), do)


class _Can:
    """Whether an order can be given now."""

    def __init__(self, desk: RunsController, name: str) -> None:
        self._desk, self._name = desk, name

    def __call__(self) -> bool:
        return self._desk.can(self._name)
