"""Commands to a run during training: pause, step, set, stop, and generation from it."""

import itertools
import threading

import pytest
import torch

from lab.base import BadInput, LabError


def test_paused_it_makes_no_step_until_it_continues(training, until):
    training.control.pause()
    until(lambda: training.state == "paused")
    step = training.trainer.step
    training.control.single_step(3)
    until(lambda: training.trainer.step == step + 3)
    until(lambda: training.state == "paused")
    assert training.trainer.step == step + 3
    training.control.resume()
    until(lambda: training.trainer.step > step + 5)
    assert training.waits_for is None


def test_a_pause_is_an_event_of_the_run(training, until):
    training.control.pause()
    until(lambda: training.state == "paused")
    training.control.stop()
    training.wait_out()
    assert [event["event"] for event in training.folder.events()] == ["pause", "stop"]


@pytest.mark.parametrize(
    ("path", "value"),
    [("training.optimizer.learning_rate", 0.002), ("training.clip", 0.5), ("architecture.dropout", 0.1),
     ("training.accumulation", 2)],
)  # fmt: skip
def test_a_live_setting_changes_at_the_next_step_and_is_recorded(training, until, path, value):
    training.control.set(path, value)
    training.control.stop()
    training.wait_out()
    (event, _) = training.folder.events()
    assert (event["event"], event["path"], event["value"]) == ("set", path, value)
    assert event["before"] != value


@pytest.mark.short("architecture.*", "training.clip*")
@pytest.mark.parametrize(
    ("path", "value", "words"),
    [("training.seed", 5, "cannot change"), ("architecture.width", 32, "cannot change"),
     ("training.clip", -1, "not allowed"), ("architecture.dropout", 2, "not allowed"),
     ("nothing.at.all", 1, "cannot change"), ("training.optimizer.colour", 1, "no such setting")],
)  # fmt: skip
def test_a_change_that_cannot_be_made_is_refused_and_the_training_continues(training, until, path, value, words):
    step = training.trainer.step
    with pytest.raises(BadInput, match=words):
        training.control.set(path, value)
    until(lambda: training.trainer.step > step + 3)


@pytest.mark.parametrize(
    ("path", "value", "used"),
    [
        ("training.optimizer.learning_rate", "0.002", 0.002),
        ("training.accumulation", "3", 3),
        ("training.clip", 2, 2.0),
    ],
)
def test_a_setting_given_otherwise_is_recorded_as_it_is_used(training, path, value, used):
    training.control.set(path, value)
    training.control.stop()
    training.wait_out()
    (event, _) = training.folder.events()
    assert (event["value"], type(event["value"])) == (used, type(used))


def test_text_is_written_while_it_trains(training):
    pieces = list(training.generate("the ", settings={"temperature": 0.5}, seed=1, count=10))
    assert len(pieces) == 10
    assert training.state == "running"


def test_writing_that_rests_for_the_training_ends_at_once_when_it_is_cancelled(training, monkeypatch):
    monkeypatch.setattr("lab.workbench.access.generation.SHARE_WHILE_TRAINING", 1e-9)  # a rest of weeks
    ended = threading.Event()
    pieces = training.generate("the ", settings={}, seed=1, count=10, cancelled=ended.is_set)
    next(pieces)
    threading.Timer(0.05, ended.set).start()
    assert list(pieces) == []
    assert training.state == "running"


def test_text_is_written_while_it_is_paused(training, until):
    training.control.pause()
    until(lambda: training.state == "paused")
    first, again = (
        "".join(piece.text for piece in training.generate("the ", settings={}, seed=1, count=10)) for _ in range(2)
    )
    assert first == again


def test_writing_in_the_middle_of_a_training_does_not_change_its_losses(bench, recipe):
    silent, written = bench.start(recipe(30)), None
    silent.wait_out()
    written = bench.start(recipe(30))
    while not written.wait(0.01):
        if written.trainer is not None:
            list(written.generate("the ", settings={}, seed=1, count=3))
    losses = [run.folder.metrics().read("train loss")[1].tolist() for run in (silent, written)]
    assert losses[0] == losses[1]


@pytest.mark.parametrize(
    ("prompt", "settings", "field"),
    [("", {}, "prompt"), ("ß", {}, "prompt"), ("the", {"temperature": -1}, "sampling.temperature"),
     ("the", {"heat": 1}, "sampling.heat")],
)  # fmt: skip
def test_a_prompt_or_setting_that_cannot_be_is_refused(training, prompt, settings, field):
    with pytest.raises(BadInput) as refused:
        list(training.generate(prompt, settings=settings, seed=0, count=1))
    assert refused.value.problem.field == field


@pytest.mark.parametrize(
    "order",
    [
        lambda run: run.path,
        lambda run: next(run.generate("a", settings={}, seed=0, count=1)),
    ],
)
def test_before_it_has_begun_a_run_has_no_folder_and_no_model(bench, training, recipe, order):
    waiting = bench.start(recipe())
    with pytest.raises(LabError, match="Wait until it is prepared"):
        order(waiting)


def test_orders_after_the_end_do_nothing(bench, recipe):
    run = bench.start(recipe(1))
    run.wait_out()
    run.control.pause()
    run.control.set("training.clip", 0.5)
    run.control.stop()
    assert run.state == "finished"


def out_of_memory_until(monkeypatch, roomy):
    """Let every step fail for want of memory until a training is in so many pieces."""
    from lab.training.steps.gradient import GradientLearner

    accumulate = GradientLearner._accumulate

    def fails(self, step):
        if step >= 2 and self.training.accumulation < roomy:
            raise torch.OutOfMemoryError("CUDA out of memory (injected)")
        return accumulate(self, step)

    monkeypatch.setattr(GradientLearner, "_accumulate", fails)


def test_out_of_memory_pauses_and_continues_in_smaller_pieces(bench, recipe, monkeypatch, until):
    out_of_memory_until(monkeypatch, roomy=2)
    run = bench.start(recipe(5))
    until(lambda: run.waits_for is not None)
    assert run.state == "paused"
    assert "Set training.accumulation=2" in run.waits_for.remedy
    run.control.set("training.accumulation", 2)
    run.control.resume()
    run.wait_out()
    assert (run.state, run.trainer.step) == ("finished", 5)


def test_waiting_for_a_run_that_waits_for_memory_stops_and_saves_it(bench, recipe, monkeypatch):
    out_of_memory_until(monkeypatch, roomy=100)
    run = bench.start(recipe(5))
    with pytest.raises(LabError, match="out of memory at step 3"):
        run.wait_out()
    assert run.state == "failed"
    assert run.folder.checkpoint_steps() == [2]
    assert run.folder.status().problem["field"] == "training.accumulation"


def test_a_lost_device_leaves_an_interrupted_run(bench, recipe, monkeypatch):
    from lab.training.steps.gradient import GradientLearner

    def lost(self, step):
        raise RuntimeError("CUDA error: device-side assert triggered")

    monkeypatch.setattr(GradientLearner, "_accumulate", lost)
    run = bench.start(recipe(5))
    with pytest.raises(LabError, match="in a new process"):
        run.wait_out()
    assert run.state == run.folder.status().state == "interrupted"


WATCHING = """
    import torch
    from lab.api import Observer, Probe, Reading, RunObserver, hookimpl

    heard = []

    class Watching(RunObserver):
        def started(self, *words): heard.append(("started", words))
        def stepped(self, *words): heard.append(("stepped", words))
        def evaluated(self, *words): heard.append(("evaluated", words))
        def ended(self, *words): heard.append(("ended", words))

    def sizes(model, tokens):
        assert not torch.is_grad_enabled()
        return [Reading("size", ("token",), model(tokens).norm(dim=-1)[0].numpy())]

    @hookimpl
    def lab_register_observers(register):
        register(Observer("watching", "Watching", lambda config: Watching()))

    @hookimpl
    def lab_register_probes(register):
        register(Probe("sizes", "Sizes", lambda config: sizes))
"""


def test_a_third_partys_observer_hears_the_runs_life(bench, plugin, recipe):
    import sys

    plugin(WATCHING)
    run = bench.start(recipe(4, "training.evaluate_every=2"))
    run.wait_out()
    heard = sys.modules["lab_plugin_mine"].heard
    assert [what for what, _ in heard] == [
        "started", "stepped", "stepped", "evaluated", "stepped", "stepped", "evaluated", "ended",
    ]  # fmt: skip
    assert [words[0] for what, words in heard if what == "stepped"] == [1, 2, 3, 4]
    assert heard[1][1][1]["train loss"] > 0
    assert heard[3][1][1]["validation loss"] > 0
    assert heard[0][1][0] == run.path
    assert heard[-1][1] == ("finished", None)


def test_a_third_partys_probe_is_recorded_with_the_others(bench, plugin, recipe):
    from lab.runs import read_readings

    plugin(WATCHING)
    run = bench.start(recipe(4, 'readings.probes=["sizes", "surprise", "reports"]'))
    run.wait_out()
    names = {reading.name for reading in read_readings(run.path, 4)}
    assert names > {"size", "surprise"}


def test_orders_from_many_threads_lose_nothing(training, until):
    def shout(value):
        for number in range(20):
            training.control.set("training.clip", value + number / 100)  # the value in force is no edit

    threads = [threading.Thread(target=shout, args=(value,)) for value in (0.5, 1.5, 2.5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    training.control.stop()
    training.wait_out()
    changes = [event for event in training.folder.events() if event["event"] == "set"]
    assert len(changes) == 60
    assert all(later["before"] == earlier["value"] for earlier, later in itertools.pairwise(changes))
