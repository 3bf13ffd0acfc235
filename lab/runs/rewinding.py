"""Rewinding of a run's records to a step: later ones are removed, so that they can be recorded again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lab.base.files.writing import write_errors_as_problems, write_file
from lab.base.notices import notify
from lab.base.problems import LabError
from lab.runs.checkpoint_list import remove_after
from lab.runs.histograms import HISTOGRAMS
from lab.runs.metrics.writer import MetricWriter
from lab.runs.readings import reading_steps, remove_readings
from lab.runs.records import damaged, read_lines


def rewind(run: Path, step: int) -> None:
    """Remove what was recorded after a step: series, samples, histograms, readings, checkpoints and scheduled edits.

    It is safe to repeat after a crash.

    Args:
        run: The run's folder; the caller is its only writer.
        step: The last step that stays.

    Raises:
        LabError: It could not be written.
    """
    _rewind_metrics(run / "metrics.sqlite", step)
    for lines in ("samples.jsonl", HISTOGRAMS):
        _rewind_lines(run / lines, lambda record: not _is_after(record, step))
    # edits by the user stay; scheduled edits are made and recorded again
    _rewind_lines(run / "events.jsonl", lambda event: not (event.get("scheduled") and _is_after(event, step - 1)))
    for later in reading_steps(run):
        if later > step:
            remove_readings(run, later)
    remove_after(run / "checkpoints", step)


def _rewind_metrics(file: Path, step: int) -> None:
    """Cut the series after the step; if the file is missing, or damaged and moved away, they start again."""
    if step and not file.is_file():
        notify("warning", damaged(file, f"it is missing; the series start after step {step:,}"))
    try:
        with MetricWriter(file) as writer:
            writer.truncate_after(step)
    except LabError as error:
        damaged_copy = file.with_name("metrics.damaged.sqlite")
        if not file.is_file() or not _is_damaged(file):
            raise
        with write_errors_as_problems(file):
            for ending in ("-wal", "-shm", "-journal"):
                file.with_name(file.name + ending).unlink(missing_ok=True)
            file.replace(damaged_copy)
        notify(
            "warning",
            damaged(file, f"{error.problem.what}; it is now {damaged_copy.name}, and the series start again"),
        )
        MetricWriter(file).close()


def _is_damaged(file: Path) -> bool:
    from lab.runs.metrics.reader import MetricReader

    try:
        MetricReader(file).series()
    except LabError:
        return True
    return False


def _rewind_lines(file: Path, stays: Callable[[dict[str, Any]], bool]) -> None:
    """Remove the records that do not stay; a file that cannot be read is not changed."""
    try:
        records = read_lines(file)
    except LabError as error:
        notify("warning", error.problem)
        return
    remaining = [record for record in records if stays(record)]
    if len(remaining) < len(records):
        lines = (json.dumps(record, allow_nan=False, ensure_ascii=False) + "\n" for record in remaining)
        write_file(file, "".join(lines))


def _is_after(record: dict[str, Any], step: int) -> bool:
    return isinstance(record.get("step"), int) and record["step"] > step
