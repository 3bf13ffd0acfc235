"""Bringing a run's records back to a step: what came after it is forgotten, so that it can happen anew."""

from __future__ import annotations

import json
from pathlib import Path

from lab.base.notices import notify
from lab.base.problems import LabError
from lab.base.writing import told_as_problem, write_file
from lab.runs.checkpoint_list import forget_after
from lab.runs.metric_writer import MetricWriter
from lab.runs.readings import reading_steps, remove_readings
from lab.runs.records import damaged, read_lines


def rewind(run: Path, step: int) -> None:
    """Forgets series, samples, readings and checkpoints after a step. Twice, or half and then whole, is the same.

    Args:
        run: The run's folder; its caller is its only writer.
        step: The last step that stays.

    Raises:
        LabError: It could not be written.
    """
    _rewind_metrics(run / "metrics.sqlite", step)
    _rewind_samples(run / "samples.jsonl", step)
    for later in reading_steps(run):
        if later > step:
            remove_readings(run, later)
    forget_after(run / "checkpoints", step)


def _rewind_metrics(file: Path, step: int) -> None:
    """Cuts the series; where there is no file, or one that cannot be read and is put aside, they begin anew."""
    if step and not file.is_file():
        notify("warning", damaged(file, f"it is missing; the series begin after step {step:,}"))
    try:
        with MetricWriter(file) as writer:
            writer.truncate_after(step)
    except LabError as error:
        aside = file.with_name("metrics.damaged.sqlite")
        if not file.is_file() or not _is_damaged(file):
            raise
        with told_as_problem(file):
            for ending in ("-wal", "-shm"):
                file.with_name(file.name + ending).unlink(missing_ok=True)
            file.replace(aside)
        notify("warning", damaged(file, f"{error.problem.what}; it is kept as {aside.name}, and the series begin anew"))
        MetricWriter(file).close()


def _is_damaged(file: Path) -> bool:
    from lab.runs.metric_reader import MetricReader

    try:
        MetricReader(file).series()
    except LabError:
        return True
    return False


def _rewind_samples(file: Path, step: int) -> None:
    try:
        samples = read_lines(file)
    except LabError as error:
        notify("warning", error.problem)
        return
    stay = [sample for sample in samples if not isinstance(sample.get("step"), int) or sample["step"] <= step]
    if len(stay) < len(samples):
        lines = (json.dumps(sample, allow_nan=False, ensure_ascii=False) + "\n" for sample in stay)
        write_file(file, "".join(lines))
