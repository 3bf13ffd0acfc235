"""Studies are carried out: each run once, resumed after any interruption, shared by studies and by processes."""

import math
import os
import signal
import subprocess
import sys
import threading
import time

import psutil
import pytest

from lab.base import BadInput
from lab.runs import RunFolder, list_runs
from lab.runs.library.labels import read_label
from lab.studies.plans import parse_study
from lab.workbench.studies.conclusions import conclude, windows_of
from lab.workbench.studies.execution import StudyExecution
from lab.workbench.studies.store import StudyStore

WIDTHS = '[[vary]]\npath = "architecture.width"\nvalues = [16, 32]\n'


@pytest.mark.usefixtures("in_this_process")
def test_each_run_is_trained_once_and_a_second_start_trains_none(plugins, study_of, monkeypatch):
    first = StudyExecution(study_of(), plugins).run()
    assert [each.state for each in first.trials] == ["finished"] * 4
    assert len(list_runs()[0]) == 4
    second, trained = StudyExecution(study_of(), plugins), []
    monkeypatch.setattr("lab.workbench.studies.execution.train_trial", lambda *given: trained.append(given) or {})
    assert not second.continued
    assert [each.loss for each in second.run().trials] == [each.loss for each in first.trials]
    assert second.continued
    assert trained == []
    stored = (second.store.path / "study.toml").read_text()
    assert parse_study(stored) == study_of()


@pytest.mark.usefixtures("in_this_process")
def test_a_run_belongs_to_every_study_that_plans_it(plugins, study_of):
    StudyExecution(study_of(), plugins).run()
    larger = study_of(WIDTHS.replace("32]", "32, 48]"))
    StudyExecution(larger, plugins).run()
    runs = list_runs()[0]
    assert len(runs) == 6
    assert sum(larger.name in read_label(run.path).tags for run in runs) == 2  # of those that it trained itself


@pytest.mark.usefixtures("in_this_process")
def test_a_deleted_run_is_trained_again_to_the_same_loss(plugins, study_of):
    import shutil

    before = StudyExecution(study_of(seeds="[0]"), plugins).run()
    shutil.rmtree(before.trials[0].run.path)
    after = StudyExecution(study_of(seeds="[0]"), plugins).run()
    assert after.trials[0].loss == before.trials[0].loss


@pytest.mark.usefixtures("in_this_process")
def test_a_run_that_fails_is_named_and_the_others_go_on(plugins, study_of):
    failing = '[[vary]]\npath = "training.context_length"\nvalues = [16, 1048576]\n'
    found = StudyExecution(study_of(failing, seeds="[0]"), plugins).run()
    assert [each.state for each in found.trials] == ["finished", "failed"]
    assert found.trials[1].problem


@pytest.mark.usefixtures("in_this_process")
def test_arms_are_compared_on_the_same_windows(plugins, study_of):
    results = StudyExecution(study_of(), plugins).run()
    found = conclude(results, plugins)
    assert [arm.spread.count for arm in found.arms] == [2, 2]
    (test,) = found.tests
    assert {test.better, test.other} == {"width 16", "width 32"}
    windows = windows_of(results.trials[0].run.path, plugins)
    assert windows.losses.mean() == pytest.approx(results.trials[0].loss, abs=1e-3)


@pytest.mark.usefixtures("in_this_process")
def test_what_a_study_measures_besides_is_measured_once_and_stored_in_the_run(plugins, study_of, monkeypatch):
    measures = '[[measures]]\ntitle = "late"\nfigure = "loss at positions"\npositions = [9, 16]\n'
    measures += '[[measures]]\ntitle = "low"\nfigure = "step reached"\nof = "train loss"\nat_most = 0.0\n'
    measures += '[[measures]]\ntitle = "none"\nfigure = "metric"\nof = "none"\n'
    study = study_of(WIDTHS + measures)
    results = StudyExecution(study, plugins).run()
    found = conclude(results, plugins)
    values = found.measured["width 16"]
    assert [len(values[title]) for title in ("late", "low")] == [2, 2]
    assert values["low"] == [math.inf, math.inf]
    assert [note for note in found.notes if note.startswith("none of width 16 is unknown")]
    asked = []

    def measure_again(measure, run, *, field):
        asked.append(measure.title)
        raise BadInput("is measured again", field=field)

    monkeypatch.setattr("lab.workbench.studies.conclusions.measure_run", measure_again)
    assert conclude(results, plugins).measured == found.measured
    assert set(asked) == {"none"}  # which no run has


@pytest.mark.usefixtures("in_this_process")
def test_after_its_minutes_no_run_is_started(plugins, study_of):
    study = study_of(WIDTHS + "[stopping]\nminutes = 1e-9\n")
    found = StudyExecution(study, plugins).run()
    assert [each.state for each in found.trials] == ["waiting"] * 4


@pytest.mark.usefixtures("in_this_process")
def test_a_run_that_another_process_trains_is_awaited_and_not_trained_twice(plugins, study_of, reported):
    study = study_of(seeds="[0]")
    execution = StudyExecution(study, plugins)
    trial = execution.planner.trials()[0]
    lock = execution.store.claim(trial.key)
    timer = threading.Timer(4, lock.release)
    timer.start()
    found = execution.run()
    timer.join()
    assert [each.state for each in found.trials] == ["finished"] * 2
    assert any("another process carries out this study" in problem.what for problem in reported)


@pytest.mark.usefixtures("in_this_process")
def test_rates_are_tried_on_the_first_seed_and_the_best_is_repeated(plugins, study_of):
    fair = '[fair]\narchitectures = ["transformer", "gru"]\nequal = "parameters"\nrates = [0.001, 0.01]\n'
    study = study_of(fair, heads=())
    execution = StudyExecution(study, plugins)
    sizes = [arm.figures.parameters for arm in execution.planner.fair.arms]
    assert max(sizes) <= 1.2 * min(sizes)  # widths of so small models are coarse
    results = execution.run()
    assert len(results.trials) == 6  # two rates for each of two, and a second seed of the best one
    assert results.is_complete
    found = conclude(results, plugins)
    assert [arm.spread.count for arm in found.arms] == [2, 2]
    assert {arm.name.partition(",")[0] for arm in found.arms} == {"transformer", "gru"}


PROGRAM = """
import sys
from pathlib import Path
from lab.host import Plugins
from lab.studies.plans import parse_study
from lab.workbench.studies.execution import StudyExecution
if __name__ == "__main__":
    found = StudyExecution(parse_study(Path(sys.argv[1]).read_text()), Plugins.from_environment().load(), 2).run()
    print([each.state.value for each in found.trials])
"""


@pytest.mark.long
@pytest.mark.timeout(300)
def test_a_killed_worker_costs_its_run_no_more_than_the_steps_since_its_checkpoint(tmp_path, lab_home, study_of):
    study = study_of(training__steps=400, training__checkpoint_every=20, seeds="[0]")
    (tmp_path / "study.toml").write_text(study.to_toml())
    (tmp_path / "program.py").write_text(PROGRAM)
    with subprocess.Popen(
        [sys.executable, tmp_path / "program.py", tmp_path / "study.toml"], stdout=subprocess.PIPE, text=True
    ) as process:
        store, deadline = StudyStore(study), time.monotonic() + 120
        killed = False
        while not killed and time.monotonic() < deadline:
            for run in list_runs()[0]:
                writer = run.writer if (run.path / "status.json").exists() else None
                if run.checkpoint_steps() and writer and psutil.pid_exists(writer["pid"]):
                    os.kill(writer["pid"], signal.SIGKILL)
                    killed = True
                    break
            time.sleep(0.05)
        out, _ = process.communicate(timeout=240)
    assert killed
    assert out.strip().endswith("['finished', 'finished']")
    events = [event["event"] for run in list_runs()[0] for event in run.events()]
    assert "continued" in events
    assert len(list_runs()[0]) == 2
    assert all(isinstance(run, RunFolder) for run in list_runs()[0])
    assert store.stopped() == {}
