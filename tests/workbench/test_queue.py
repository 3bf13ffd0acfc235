"""Start, queue, close: one run trains at a time unless one asks for more, and nobody waits for ever."""

import shutil
import threading

import pytest

from lab.base import BadInput, LabError
from lab.base.jobs import running_jobs
from lab.workbench import Workbench, queue_file
from lab.workbench.queue_file import QueueFile


def test_a_run_goes_through_its_life_and_ends_finished(bench, recipe):
    run = bench.start(recipe())
    assert run.state in ("preparing", "running", "saving", "finished")
    run.wait_out()
    assert run.state == "finished"
    assert run.folder.status().state == "finished"
    assert run.folder.checkpoint_steps() == [5]


def test_a_second_run_waits_for_the_first(bench, for_ever, recipe, until):
    first, second = bench.start(for_ever), bench.start(recipe())
    assert second.state == "queued"
    assert bench.queue == (second,)
    until(lambda: first.trainer is not None)
    assert second.trainer is None
    first.control.stop()
    second.wait_out()
    assert (first.state, second.state) == ("stopped", "finished")
    assert bench.queue == ()


@pytest.mark.long  # in short: the queue continues after a run that fails
def test_runs_started_in_one_breath_take_their_turns(bench, recipe):
    runs = [bench.start(recipe(2)) for _ in range(4)]
    assert [run.state for run in runs[1:]] == ["queued"] * 3
    for run in runs:
        run.wait_out()
    created = [run.folder.created for run in runs]
    assert created == sorted(created)
    assert bench.runs == tuple(runs)


def test_the_queue_continues_after_a_run_that_fails(bench, for_ever, recipe):
    first = bench.start(for_ever)
    wrong = bench.start(recipe(1, "architecture.width=17"))
    last = bench.start(recipe(1))
    first.control.stop()
    last.wait_out()
    assert wrong.state == "failed"
    with pytest.raises(BadInput, match="not a multiple of heads"):
        wrong.wait_out()


def test_beside_trains_at_once(bench, training, recipe):
    other = bench.start(recipe(), parallel=True)
    other.wait_out()
    assert training.state == "running"


def test_the_end_of_a_run_outside_the_queue_does_not_start_it(bench, training, recipe):
    queued = bench.start(recipe(1))
    beside = bench.start(recipe(1), parallel=True)
    beside.wait_out()
    assert queued.state == "queued"
    training.control.stop()
    queued.wait_out()


def test_two_simultaneous_runs_do_not_change_each_others_losses(bench, recipe):
    alone = bench.start(recipe(20, "architecture.dropout=0.2"))
    alone.wait_out()
    pair = [bench.start(recipe(20, "architecture.dropout=0.2"), parallel=True) for _ in range(2)]
    for run in pair:
        run.wait_out()
    losses = [run.folder.metrics().read("train loss")[1].tolist() for run in (alone, *pair)]
    assert losses[0] == losses[1] == losses[2]


def test_a_run_taken_out_of_the_queue_never_begins_and_keeps_nobody_waiting(bench, training, recipe):
    queued = bench.start(recipe())
    bench.unqueue(queued)
    assert queued.wait(1)
    assert queued.state == "stopped"
    assert bench.runs == (training,)


def test_closing_stops_saves_and_empties_the_queue(bench, training, recipe):
    queued = bench.start(recipe())
    bench.close()
    assert training.state == "stopped"
    assert training.folder.checkpoint_steps() == [training.trainer.step]
    assert queued.wait(1)
    assert (queued.state, queued.folder) == ("stopped", None)


def test_closing_stops_a_paused_run_too(bench, training, until):
    training.control.pause()
    until(lambda: training.state == "paused")
    bench.close()
    assert training.folder.status().state == "stopped"


def test_closing_waits_for_what_is_called_at_the_ends_and_leaves_no_job(bench, training, recipe, monkeypatch):
    called, closing, join = [], threading.Event(), training.join

    def join_or_close(seconds=None):
        if seconds is None:  # a start only looks whether it has ended
            closing.set()
        return join(seconds)

    def slowly():
        assert closing.wait(10)
        called.append(running_jobs())

    monkeypatch.setattr(training, "join", join_or_close)
    training.when_ended(slowly)
    training.control.stop()
    training.wait()
    bench.start(recipe(1))
    bench.close()
    assert len(called) == 1
    assert running_jobs() == ()


def test_a_run_stopped_while_it_waits_makes_no_step(bench, training, recipe):
    queued = bench.start(recipe())
    queued.control.stop()
    training.control.stop()
    queued.wait_out()
    assert (queued.state, queued.trainer.step) == ("stopped", 0)


def test_a_running_run_is_listed_as_a_job_and_cancelling_it_stops_it(bench, training, until):
    (job,) = running_jobs()
    assert job.title == "Training transformer"
    job.cancel()
    training.wait_out()
    assert training.state == "stopped"
    until(lambda: running_jobs() == ())


def test_a_recipe_that_cannot_be_used_is_reported_by_the_run_and_leaves_no_folder(bench, recipe, lab_home):
    run = bench.start(recipe(1, "corpus.path=nowhere.txt"))
    with pytest.raises(BadInput) as refused:
        run.wait_out()
    assert refused.value.problem.field == "corpus.path"
    assert run.state == "failed"
    assert not (lab_home / "runs").exists()


def test_who_asked_is_called_when_a_run_has_ended(bench, recipe, until):
    states = []
    run = bench.start(recipe(30))
    run.when_ended(lambda: states.append(run.state))
    run.wait_out()
    until(lambda: states == ["finished"])


# ---- the runs on disk


def test_the_runs_on_disk_are_listed_newest_first_without_those_of_this_process(bench, recipe, for_ever, until):
    for _ in range(3):
        bench.start(recipe(1)).wait_out()
    training = bench.start(for_ever)
    until(lambda: training.folder is not None and training.trainer is not None)
    saved, problems = bench.saved()
    assert problems == []
    assert len(saved) == 3
    created = [run.folder.created for run in saved]
    assert created == sorted(created, reverse=True)
    assert training.path not in {run.path for run in saved}
    training.control.stop()
    training.wait_out()
    bench.close()
    assert len(Workbench(bench.plugins).saved()[0]) == 4


def test_a_run_that_ended_is_listed_once_among_those_of_this_process_until_the_next_start(bench, recipe):
    first = bench.start(recipe(1))
    first.wait_out()
    first.join()
    assert (bench.runs, bench.saved()[0]) == ((first,), [])
    second = bench.start(recipe(1))
    second.wait_out()
    assert bench.runs == (second,)
    assert [run.path for run in bench.saved()[0]] == [first.path]


def test_runs_that_do_not_open_are_problems_and_the_others_are_listed(bench, recipe):
    runs = []
    for _ in range(3):
        runs.append(bench.start(recipe(1)))
        runs[-1].wait_out()
        runs[-1].join()
    (runs[0].path / "recipe.toml").write_text("training = 3")
    (runs[1].path / "run.json").write_text("{")
    saved, problems = Workbench(bench.plugins).saved()
    assert [run.path for run in saved] == [runs[2].path]
    assert len(problems) == 2


def test_without_a_folder_of_runs_there_are_none(bench):
    assert bench.saved() == ([], [])


# ---- another order, and another day


def test_a_waiting_run_that_is_moved_to_the_front_begins_next(bench, training, recipe):
    first, second, third = (bench.start(recipe(1)) for _ in range(3))
    assert bench.move(third, 0)
    assert bench.queue == (third, first, second)
    assert bench.move(third, 99)
    assert bench.queue == (first, second, third)
    assert not bench.move(training, 0)
    bench.move(second, 0)
    training.control.stop()
    first.wait_out()
    assert second.state == "finished"


@pytest.fixture
def keeping(bench):
    """Make a workbench whose queue is kept, as a window does; all are closed at the end."""
    made = []

    def keeping():
        made.append(Workbench(bench.plugins, QueueFile()))
        return made[-1]

    yield keeping
    for one in made:
        one.close()


@pytest.fixture
def waited(keeping, for_ever, recipe, lab_home):
    """Close a lab in which three runs wait behind one that trains; gives their numbers of steps."""
    lab = keeping()
    lab.start(for_ever)
    for steps in (1, 2, 3):
        lab.start(recipe(steps, f'title="Run {steps}"'), command=["lm-lab"])
    lab.move(lab.queue[2], 0)
    lab.close()
    assert (lab_home / "queue.json").exists()
    return [3, 1, 2]


def steps_of(runs):
    return [run.recipe.training.steps for run in runs]


def test_waiting_runs_are_restored_and_start_on_request(keeping, waited, lab_home):
    lab = keeping()
    runs = lab.restore_queue()
    assert steps_of(runs) == waited
    assert lab.queue == lab.held == lab.runs == runs
    assert {run.state for run in runs} == {"queued"}
    lab.start_queue()
    for run in runs:
        run.wait_out()
    assert (lab.queue, lab.held) == ((), ())
    assert [run.folder.facts["command"] for run in runs] == ["lm-lab"] * 3
    assert not (lab_home / "queue.json").exists()


def test_a_new_run_does_not_wait_for_those_of_an_earlier_time(keeping, waited, recipe):
    lab = keeping()
    lab.restore_queue()
    run = lab.start(recipe(1))
    run.wait_out()
    run.join()
    assert steps_of(lab.held) == waited


def test_runs_of_an_earlier_time_can_be_taken_out_of_the_queue(keeping, waited, lab_home):
    lab = keeping()
    for run in lab.restore_queue():
        assert lab.unqueue(run)
    assert lab.queue == ()
    assert not (lab_home / "queue.json").exists()


def test_a_queue_that_is_not_read_stays_for_later(keeping, waited):
    keeping().restore_queue()
    assert steps_of(keeping().restore_queue()) == waited


def test_a_corpus_is_found_from_another_folder_too(keeping, for_ever, recipe, text, tmp_path, monkeypatch):
    monkeypatch.chdir(text.parent)
    lab = keeping()
    lab.start(for_ever)
    lab.start(recipe(1, f"corpus.path={text.name}"))
    lab.close()
    monkeypatch.chdir(tmp_path)
    lab = keeping()
    (run,) = lab.restore_queue()
    lab.start_queue()
    run.wait_out()
    assert run.state == "finished"


def test_runs_that_go_on_from_others_wait_for_another_day_too(keeping, for_ever, recipe):
    lab = keeping()
    done = lab.start(recipe(2))
    done.wait_out()
    done.join()
    lab.start(for_ever)
    lab.resume(done.path, steps=4)
    lab.branch(done.path, 2, ["training.steps=3"])
    lab.close()
    lab = keeping()
    resumed, branched = lab.restore_queue()
    lab.start_queue()
    branched.wait_out()
    assert (resumed.path, resumed.step) == (done.path, 4)
    assert branched.folder.parent["step"] == 2


def test_a_run_whose_checkpoint_is_gone_is_reported_and_the_others_wait(keeping, for_ever, recipe, lab_home, reported):
    lab = keeping()
    done = lab.start(recipe(1))
    done.wait_out()
    done.join()
    lab.start(for_ever)
    lab.resume(done.path, steps=4)
    lab.start(recipe(7))
    lab.close()
    shutil.rmtree(done.path)
    assert steps_of(keeping().restore_queue()) == [7]
    assert "not all queued runs can be read" in reported[-1].what
    assert (lab_home / "queue.damaged.json").exists()


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"[]", b'{"format": 99, "waiting": []}', b'{"format": 1, "waiting": {}}', b'{"format": 1}',
     b'{"format": 1, "waiting": [3]}', b'{"format": 1, "waiting": [{"asked": {"recipe": 5}, "command": null}]}',
     b'{"format": 1, "waiting": [{"asked": {"recipe": "[", "out": null}, "command": null}]}', b"[" * 100_000],
)  # fmt: skip
def test_a_damaged_file_is_reported_and_set_aside(keeping, recipe, lab_home, reported, content):
    lab_home.mkdir()
    (lab_home / "queue.json").write_bytes(content)
    lab = keeping()
    assert lab.restore_queue() == ()
    assert len(reported) == 1
    assert (lab_home / "queue.damaged.json").read_bytes() == content
    lab.start(recipe(1)).wait_out()


def test_a_queue_that_cannot_be_written_is_reported_and_waits_all_the_same(
    keeping, training, for_ever, recipe, reported, monkeypatch
):
    def full(path, value):
        raise LabError(f"cannot write {path.name}: No space left on device")

    monkeypatch.setattr(queue_file, "write_json", full)
    lab = keeping()
    first, second = lab.start(for_ever), lab.start(recipe(1))
    assert "No space left" in reported[-1].what
    first.control.stop()
    second.wait_out()


def test_only_a_window_keeps_its_queue(bench, training, recipe, lab_home):
    bench.start(recipe(1))
    bench.close()
    assert not (lab_home / "queue.json").exists()
    assert bench.restore_queue() == ()
