"""Commands to the process that writes a run: a file of JSON lines in the run's folder that any process appends to.

Each line names the process it is for, so that a process that resumes the run later ignores it. A line is data, never
code; copies and bundles of the run leave the file out.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.base.files.reading import read_bytes
from lab.base.problems import LabError
from lab.base.processes import is_alive
from lab.base.run_state import RunState
from lab.runs.folder import RunFolder
from lab.runs.records import append_line, parse_record

COMMANDS_FILE = "orders.jsonl"
"""The name of the file in a run's folder."""


def append_command(run: RunFolder, command: Mapping[str, Any]) -> None:
    """Send a command to the process that trains a run. It checks for commands several times a second.

    Args:
        run: The run.
        command: A command of lab.training.control: {"do": "pause"}.

    Raises:
        LabError: No process trains this run, or the command could not be written.
    """
    if run.status().state != RunState.RUNNING:
        raise LabError("this run is not training", field="run", value=run.name, remedy="Resume it")
    append_line(run.path / COMMANDS_FILE, {"to": run.writer, "order": command})


class CommandReader:
    """The commands to this process in a run's folder, each returned once.

    Args:
        run: The run's folder; this process writes it.
    """

    def __init__(self, run: Path) -> None:
        self._file = run / COMMANDS_FILE
        self._read = 0

    def take(self) -> list[dict[str, Any]]:
        """Return the commands since the last call. Invalid lines and commands to other processes are ignored."""
        try:
            if self._file.stat().st_size <= self._read:
                return []
            complete, newline, _ = read_bytes(self._file, start=self._read).rpartition(b"\n")
        except (OSError, ValueError):  # no commands yet, or more than people send
            return []
        self._read += len(complete) + len(newline)
        return [command for line in complete.splitlines() if (command := _command_to_me(line)) is not None]


def _command_to_me(line: bytes) -> dict[str, Any] | None:
    try:
        record = parse_record(line.decode())
        writer, command = record["to"], record["order"]
        mine = writer["pid"] == os.getpid() and is_alive(os.getpid(), writer["started"])
    except (ValueError, TypeError, KeyError):
        return None
    return command if mine and isinstance(command, dict) else None
