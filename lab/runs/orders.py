"""Orders to the process that writes a run: a file of JSON lines in the run's folder, to which any process adds.

Each line names the process it is for, so that who resumes the run later does not follow it. A line is data and never
code; a copy or a bundle of the run does without the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

from lab.base.problems import LabError
from lab.runs.folder import SAME_PROCESS, RunFolder
from lab.runs.records import append_line, read_record

ORDERS = "orders.jsonl"
"""The file in a run's folder."""


def append_order(run: RunFolder, order: Mapping[str, Any]) -> None:
    """Tells the process that trains a run what to do. It looks several times a second.

    Args:
        run: The run.
        order: As lab.training.control has them: {"do": "pause"}.

    Raises:
        LabError: Nobody trains this run, or the order could not be written.
    """
    if run.status().state != "running":
        raise LabError("nobody trains this run now", field="run", value=run.name, remedy="Resume it")
    append_line(run.path / ORDERS, {"to": read_record(run.path / "status.json").get("writer"), "order": order})


class OrderReader:
    """The orders to this process in a run's folder, each told once.

    Args:
        run: The run's folder; this process writes it.
    """

    def __init__(self, run: Path) -> None:
        self._file = run / ORDERS
        self._read = 0

    def take(self) -> list[dict[str, Any]]:
        """The orders that came since the last call. What is no order, or one to another process, is passed over."""
        try:
            if self._file.stat().st_size <= self._read:
                return []
            with self._file.open("rb") as file:
                file.seek(self._read)
                whole, newline, _ = file.read().rpartition(b"\n")
        except OSError:  # no orders yet
            return []
        self._read += len(whole) + len(newline)
        return [order for line in whole.splitlines() if (order := _order_to_me(line)) is not None]


def _order_to_me(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
        writer, order = record["to"], record["order"]
        mine = writer["pid"] == os.getpid() and abs(writer["started"] - psutil.Process().create_time()) < SAME_PROCESS
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    return order if mine and isinstance(order, dict) else None
