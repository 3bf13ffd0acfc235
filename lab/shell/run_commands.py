"""The commands for the selected run, and those for all runs."""

from __future__ import annotations

from lab.shell.actions import Actions, Command
from lab.shell.run_desk import RunDesk
from lab.widgets.words import text


def register_run_commands(actions: Actions, desk: RunDesk) -> None:
    """Registers them, in the order of the menu."""
    group = text("Runs")
    for name, title, do, shortcut in (
        ("resume", text("Resume this run"), desk.resume, ""),
        ("further", text("Train further…"), desk.further, ""),
        ("branch", text("Branch from a checkpoint…"), desk.branch, "Ctrl+B"),
        ("verify", text("Verify that it resumes exactly"), desk.verify, ""),
        ("keep", text("Save now"), desk.keep, "Ctrl+Shift+S"),
        ("replay", text("Replay its live edits as a schedule"), desk.replay, ""),
        ("rename", text("Rename"), desk.rename, "F2"),
        ("star", text("Star, or take the star away"), desk.star, ""),
        ("tags", text("Tags…"), desk.tags, ""),
        ("note", text("Note…"), desk.note, ""),
        ("export", text("Export as bundle, table, page or script…"), desk.export, ""),
        ("checkpoint", text("Export its model for transformers…"), desk.export_model, ""),
        ("delete", text("Delete"), desk.delete, ""),
    ):
        actions.add(Command(f"run.{name}", title, group, shortcut), do, enabled=_Can(desk, name))
    for name, title, do, shortcut in (
        ("table", text("Table of runs"), desk.toggle_table, "Ctrl+T"),
        ("find", text("Find a run"), desk.find, "Ctrl+F"),
    ):
        actions.add(Command(f"runs.{name}", title, group, shortcut), do)


class _Can:
    """Whether an order can be given now."""

    def __init__(self, desk: RunDesk, name: str) -> None:
        self._desk, self._name = desk, name

    def __call__(self) -> bool:
        return self._desk.can(self._name)
