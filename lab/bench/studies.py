"""The benchmark of studies: overhead of a run, speed-up of two workers, and one run in two processes."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
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
RUNS, MANY, MINUTE = 8, 64, 60.0
"""Runs of the study; runs of a minute for which the speed-up is computed from what was measured."""
PAIRS = 3
"""Trainings of each kind that one and two processes make in turn; their medians are compared."""


def studies(steps: int, report: Callable[[str], object]) -> dict[str, Any]:
    """Measure one study with one worker, and the same one with two.

    Args:
        steps: Steps of each of its runs.
        report: Called with a line before each part.

    Returns:
        Seconds of the runs and of the study around them, the overhead of each run in seconds and as a share of a run of
        one minute, the speed of two workers over one, and what it comes to for 64 runs of one minute, computed from the
        overhead and from what training beside another run costs; and the speed of one training in two processes of one
        thread over one process of two threads.
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
    slower = found["training_seconds_2"] / found["training_seconds_1"]
    alone = MANY * (MINUTE + found["overhead_per_run"])
    beside = MANY / 2 * (slower * MINUTE + found["overhead_per_run"])
    found["two_workers_over_one_of_64_minutes"] = alone / beside
    return found | _processes(steps, report)


def _processes(steps: int, report: Callable[[str], object]) -> dict[str, Any]:
    """Train the same in one process of two threads and in two of one thread, in turn; compare training seconds."""
    taken: dict[int, list[float]] = {1: [], 2: []}
    for pair in range(PAIRS):
        for processes in (1, 2):
            report(f"{steps} steps in {processes} of two processes, {pair + 1} of {PAIRS} …")
            taken[processes].append(_trained(steps, processes))
    one, two = (statistics.median(taken[processes]) for processes in (1, 2))
    return {"one_process_seconds": one, "two_processes_seconds": two, "two_processes_over_one": one / two}


def _trained(steps: int, processes: int) -> float:
    """Return the training seconds of a training in so many processes, which have two threads together."""
    settings = [f"training.steps={steps}", f"training.threads={2 // processes}", "training.sample_tokens=0"]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "lab.cli.main", "train", "quick-start", "--out", f"{folder}/run", "--json"]
        command += [word for setting in settings for word in ("--set", setting)]
        command += ["--processes", str(processes)]
        variables = {**os.environ, "LAB_HOME": folder, "OMP_NUM_THREADS": str(2 // processes)}
        done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, check=True, text=True)
        return float(json.loads(done.stdout)["seconds"])


def _study(steps: int) -> Study:
    return parse_study(
        'title = "Benchmark"\nrecipe = "quick-start"\n'
        f'set = ["training.steps={steps}", "training.threads=1", "training.sample_tokens=0"]\n'
        f"seeds = {list(range(RUNS))}\n"
    )
