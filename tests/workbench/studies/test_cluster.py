"""A study on a Dask cluster: corpora arrive by hash, runs come back whole, and whatever is lost costs little."""

import contextlib
import errno
import hashlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lab.base import BadInput, LabError
from lab.base.folders import resources
from lab.base.run_state import RunState
from lab.runs import RunFolder, list_runs
from lab.workbench.studies import cluster_worker
from lab.workbench.studies.cluster import Cluster, SchedulerLost
from lab.workbench.studies.conclusions import conclude
from lab.workbench.studies.execution import StudyExecution

distributed = pytest.importorskip("distributed")


@pytest.fixture
def cluster(cluster_here):
    with Cluster(cluster_here.scheduler_address) as cluster:
        yield cluster


def content_of(run):
    """Return a digest of each file of a run."""
    return {
        name: hashlib.sha256((run / name).read_bytes()).hexdigest()
        for name in cluster_worker.files_below(run)
        if cluster_worker.is_run_file(name)
    }


def look_often(monkeypatch):
    """Fetch files and report progress many times a second, so that something can be lost early in a run."""
    monkeypatch.setattr("lab.workbench.studies.cluster.POLL", 0.02)
    for name in ("POLL", "EVERY"):
        monkeypatch.setattr(f"lab.workbench.studies.execution.{name}", 0.02)


@pytest.fixture
def calls(monkeypatch):
    """The names of the functions that workers were asked for, and their arguments; each may be told beforehand."""
    called, on = [], Cluster._on
    before = {}

    def recorded(self, address, call, *arguments):
        before.get(call.__name__, lambda *_: None)(*arguments)
        called.append((call.__name__, *arguments))
        return on(self, address, call, *arguments)

    monkeypatch.setattr(Cluster, "_on", recorded)
    return called, before


@pytest.mark.usefixtures("in_this_process")
def test_runs_come_back_whole_and_with_the_losses_of_this_machine(
    plugins, study_of, cluster, calls, tmp_path, monkeypatch
):
    left = {}

    def remember(token):
        path = cluster_worker.run_path(token)
        left[RunFolder.open(path).id] = content_of(path)

    calls[1]["remove_run"] = remember
    found = StudyExecution(study_of(training__checkpoint_every=2), plugins, cluster=cluster).run()
    assert [each.state for each in found.trials] == ["finished"] * 4
    for each in found.trials:
        here = content_of(each.run.path)
        assert {name for name in here if name.startswith("checkpoints/")}
        assert here.pop("label.json")  # its tag
        assert here == left[each.run.id]
        assert not list((cluster_worker.cluster_folder() / "runs").iterdir())
    assert conclude(found, plugins).tests  # the corpus of each run is known here, too
    monkeypatch.setenv("LAB_HOME", str(tmp_path / "another home"))
    here = StudyExecution(study_of(training__checkpoint_every=2), plugins).run()
    assert [each.loss for each in here.trials] == [each.loss for each in found.trials]


def test_a_corpus_reaches_a_worker_once(plugins, study_of, cluster, text, calls):
    StudyExecution(study_of(), plugins, 1, cluster=cluster).run()
    assert [call[2] for call in calls[0] if call[0] == "add_piece"] == [text.name]
    stored = cluster_worker.corpus_path(hashlib.sha256(text.read_bytes()).hexdigest(), text.name)
    assert stored.read_bytes() == text.read_bytes()


def test_a_corpus_that_arrives_otherwise_than_it_was_sent_is_refused(lab_home):
    cluster_worker.add_piece("token", "a.txt", 0, b"other")
    with pytest.raises(LabError, match="did not arrive as it was sent"):
        cluster_worker.store_corpus("token", hashlib.sha256(b"text").hexdigest(), "a.txt", "")
    assert not cluster_worker.has_corpus(hashlib.sha256(b"text").hexdigest(), "a.txt")


def test_a_folder_of_texts_is_one_corpus_with_one_hash(lab_home, tmp_path):
    folder = tmp_path / "texts"
    (folder / "more").mkdir(parents=True)
    for name in ("a.txt", "more/b.txt"):
        (folder / name).write_text(name)
        cluster_worker.add_piece("token", f"texts/{name}", 0, name.encode())
    digest = cluster_worker.digest_of(folder)
    cluster_worker.store_corpus("token", digest, "texts", "")
    assert cluster_worker.digest_of(cluster_worker.corpus_path(digest, "texts")) == digest
    (folder / "more" / "b.txt").write_text("changed")
    assert cluster_worker.digest_of(folder) != digest


def test_no_file_is_written_outside_of_its_folder(lab_home):
    with pytest.raises(ValueError, match="not in the folder"):
        cluster_worker.add_piece("token", "../other/a.txt", 0, b"text")
    with pytest.raises(ValueError, match="no token"):
        cluster_worker.run_path("../runs")
    with pytest.raises(ValueError, match="no corpus"):
        cluster_worker.corpus_path("0" * 64, "..")


def test_a_lost_worker_costs_its_run_the_steps_since_its_checkpoint(plugins, study_of, cluster, reported, monkeypatch):
    study = study_of("", seeds="[0, 1]", training__steps=150, training__checkpoint_every=30)
    look_often(monkeypatch)
    monkeypatch.setattr(cluster_worker, "UNHEARD", 8.0)
    execution = StudyExecution(study, plugins, 1, cluster=cluster)
    lost = []

    workers = cluster.workers

    def lose_worker(_results):
        """Lose the worker that trains, once a checkpoint of its run is here."""
        (run,) = list_runs()[0][:1] or [None]
        if run is not None and run.checkpoint_steps() and not lost:
            lost.extend([run.checkpoint_steps()[-1], *cluster._busy])

    monkeypatch.setattr(
        cluster, "workers", lambda: {name: threads for name, threads in workers().items() if name not in lost}
    )
    execution._progress = lose_worker
    found = execution.run()
    assert lost
    assert [(each.problem, each.state) for each in found.trials] == [("", "finished")] * 2
    (continued,) = [event for each in found.trials for event in each.run.events() if event["event"] == "continued"]
    assert continued["step"] >= lost[0]
    assert any("its worker was lost" in problem.what for problem in reported)


@pytest.mark.usefixtures("in_this_process")
def test_a_lost_scheduler_ends_the_study_with_a_sentence_and_what_was_trained_is_continued(
    plugins, study_of, lab_home, cluster_here, monkeypatch
):
    study = study_of("", seeds="[0, 1]", training__steps=150, training__checkpoint_every=30)
    look_often(monkeypatch)
    monkeypatch.setattr(cluster_worker, "UNHEARD", 8.0)
    cluster = Cluster(cluster_here.scheduler_address)
    execution = StudyExecution(study, plugins, 1, cluster=cluster)

    def lose_scheduler(_results):
        if any(run.checkpoint_steps() for run in list_runs()[0]):
            cluster_here.close()

    execution._progress = lose_scheduler
    with pytest.raises(SchedulerLost, match="does not answer any more"):
        execution.run()
    cluster.close()
    (run,) = list_runs()[0]
    assert run.status().state == RunState.INTERRUPTED
    step = run.checkpoint_steps()[-1]
    found = StudyExecution(study, plugins).run()
    assert [(each.problem, each.state) for each in found.trials] == [("", "finished")] * 2
    (continued,) = [event for event in RunFolder.open(run.path).events() if event["event"] == "continued"]
    assert continued["step"] == step


def test_a_full_disk_on_the_worker_fails_its_run_with_a_sentence(plugins, study_of, cluster, monkeypatch):
    def add_piece(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(cluster_worker, "add_piece", add_piece)
    found = StudyExecution(study_of("", seeds="[0, 1]"), plugins, cluster=cluster).run()
    assert [each.state for each in found.trials] == ["failed"] * 2
    assert all("No space left on device" in each.problem and "worker" in each.problem for each in found.trials)


def test_a_worker_with_another_version_trains_nothing(plugins, study_of, cluster, monkeypatch):
    monkeypatch.setattr(Cluster, "_on", lambda *_: "0.0.1")
    found = StudyExecution(study_of("", seeds="[0, 1]"), plugins, cluster=cluster).run()
    assert all("this worker has LM Lab 0.0.1" in each.problem for each in found.trials)


def test_no_scheduler_and_no_dask_are_told_with_what_to_do(lab_home, monkeypatch):
    monkeypatch.setattr("lab.workbench.studies.cluster.CONNECTING", 0.3)
    with pytest.raises(BadInput, match="dask scheduler"):
        Cluster("tcp://127.0.0.1:9")
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(BadInput, match=r"lm-lab\[cluster\]"):
        Cluster("tcp://127.0.0.1:9")


def test_a_run_of_which_no_study_asks_any_more_stops(plugins, study_of, lab_home, monkeypatch):
    monkeypatch.setattr(cluster_worker, "UNHEARD", 0.1)
    study = study_of("", seeds="[0, 1]", training__steps=100_000)
    trial = StudyExecution(study, plugins).planner.trials()[0]
    path = trial.recipe.corpus.settings["path"]
    digest = cluster_worker.digest_of(Path(path))
    cluster_worker.add_piece("corpus", Path(path).name, 0, Path(path).read_bytes())
    cluster_worker.store_corpus("corpus", digest, Path(path).name, "")
    outcome = cluster_worker.train_here(
        trial.recipe.to_toml(), "token", "Unheard", plugins.start_options, {"path": (digest, Path(path).name)}
    )
    assert outcome == {"state": RunState.STOPPED}


@pytest.fixture
def own_interrupts():
    """Restore the handler of Ctrl+C, which a cluster of jobs replaces for good."""
    handler = signal.getsignal(signal.SIGINT)
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.mark.usefixtures("own_interrupts")
def test_the_script_for_slurm_in_the_documentation_can_be_rendered(lab_home):
    pytest.importorskip("dask_jobqueue")
    page = (resources() / "docs" / "using" / "machines.md").read_text(encoding="utf-8")
    code = page.partition("```python\n")[2].partition("cluster.scale")[0]
    names = {}
    exec(code.replace("processes=1,", "processes=1, scheduler_options={'dashboard_address': ':0'},"), names)
    with names["cluster"] as cluster:
        script = cluster.job_script()
    for line in ("#SBATCH -p main", "#SBATCH --cpus-per-task=4", "#SBATCH -t 02:00:00", "export LAB_HOME=$HOME/lm-lab"):
        assert line in script
    assert "--nthreads 4" in script
    assert cluster.scheduler_address in script


PROGRAM = """
import sys
from pathlib import Path
from lab.host import Plugins
from lab.studies.plans import parse_study
from lab.workbench.studies.cluster import Cluster
from lab.workbench.studies.execution import StudyExecution
if __name__ == "__main__":
    import distributed
    with distributed.LocalCluster(n_workers=3, threads_per_worker=1, dashboard_address=":0") as local:
        with Cluster(local.scheduler_address) as cluster:
            study = parse_study(Path(sys.argv[1]).read_text())
            found = StudyExecution(study, Plugins.from_environment().load(), cluster=cluster).run()
    print([each.state.value for each in found.trials])
"""


@pytest.mark.long
@pytest.mark.timeout(300)
def test_one_of_three_workers_is_killed_in_the_middle_and_nothing_is_lost(tmp_path, lab_home, study_of):
    study = study_of(training__steps=200, training__checkpoint_every=20)
    (tmp_path / "study.toml").write_text(study.to_toml())
    (tmp_path / "program.py").write_text(PROGRAM)
    with subprocess.Popen(
        [sys.executable, tmp_path / "program.py", tmp_path / "study.toml"], stdout=subprocess.PIPE, text=True
    ) as process:
        deadline, killed = time.monotonic() + 200, False
        while not killed and time.monotonic() < deadline:
            for path in (cluster_worker.cluster_folder() / "runs").glob("*"):
                with contextlib.suppress(LabError):
                    there = RunFolder.open(path)
                    here = next((run for run in list_runs()[0] if run.id == there.id), None)
                    if here is not None and here.checkpoint_steps() and not killed:
                        os.kill(there.writer["pid"], signal.SIGKILL)
                        killed = True
            time.sleep(0.05)
        out, _ = process.communicate(timeout=240)
    assert killed
    assert out.strip().endswith("['finished', 'finished', 'finished', 'finished']")
    assert [event["event"] for run in list_runs()[0] for event in run.events()].count("continued") >= 1
    assert len(list_runs()[0]) == 4
