"""The benchmark of studies: overhead of a run, speed-up of two workers, and the table of 10,000 runs in Compare."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from typing import Any
from unittest import mock

from lab.host import Plugins
from lab.studies.plans import Study, parse_study
from lab.workbench.studies.execution import StudyExecution

STEPS = 300
"""Steps of each run; on two quiet cores a run then takes about ten seconds."""
RUNS = 4


def studies(steps: int, report: Callable[[str], object]) -> dict[str, Any]:
    """Measure one study with one worker, and the same one with two.

    Args:
        steps: Steps of each of its runs.
        report: Called with a line before each part.

    Returns:
        Seconds of the runs and of the study around them, the overhead of each run in seconds and as a share of a run of
        one minute, the speed of two workers over one, and milliseconds of the table.
    """
    plugins = Plugins.from_environment().load()
    found: dict[str, Any] = {"runs": RUNS, "steps": steps}
    for workers in (1, 2):
        report(f"{RUNS} runs of {steps} steps with {workers} of two workers …")
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict("os.environ", LAB_HOME=folder):
            execution = StudyExecution(_study(steps), plugins, workers)
            started = time.perf_counter()
            results = execution.run()
            seconds = time.perf_counter() - started
        inside = sum(each.figure("seconds") or 0.0 for each in results.trials)
        found |= {f"seconds_{workers}": seconds, f"training_seconds_{workers}": inside}
    found["overhead_per_run"] = (found["seconds_1"] - found["training_seconds_1"]) / RUNS
    found["overhead_of_a_minute"] = found["overhead_per_run"] / 60
    found["two_workers_over_one"] = found["seconds_1"] / found["seconds_2"]
    return found


def _study(steps: int) -> Study:
    return parse_study(
        'title = "Benchmark"\nrecipe = "quick-start"\n'
        f'set = ["training.steps={steps}", "training.threads=1", "training.sample_tokens=0"]\n'
        f"seeds = {list(range(RUNS))}\n"
    )
