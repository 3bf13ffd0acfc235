"""Failures of a training: what is reported, what is lost (nothing), what can be done next."""

import gc
import math
import time
import weakref
from pathlib import Path

import pytest
import torch
from torch import nn

from lab.api import LabError, Reading, RunObserver
from lab.recipes import Training
from lab.training.failures import failure_of, is_out_of_memory
from lab.training.recording.model_copy import ModelCopy

SHORTAGES = {
    "CUDA": torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB."),
    "Python": MemoryError(),
    "Linux": RuntimeError(
        "[enforce fail at alloc_cpu.cpp:127] . DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 TB"
    ),
    "Windows": RuntimeError(
        "[enforce fail at alloc_cpu.cpp:80] data. DefaultCPUAllocator: not enough memory: you tried to allocate 8 bytes"
    ),
    "MPS": RuntimeError("MPS backend out of memory (MPS allocated: 18.00 GB, max allowed: 18.13 GB)"),
    "the CUDA driver": torch.AcceleratorError("CUDA error: out of memory"),
    "cuBLAS": RuntimeError("CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`"),
}
LOST = {
    "an assertion": torch.AcceleratorError("CUDA error: device-side assert triggered\nCompile with TORCH_USE_CUDA_DSA"),
    "an assertion of older torch": RuntimeError("CUDA error: device-side assert triggered"),
    "a wild address": RuntimeError("CUDA error: an illegal memory access was encountered"),
    "nothing expected": torch.AcceleratorError(""),
}


class Failure:
    """Changes the logits of a model in the step after step `at`, a number of times."""

    def __init__(self, at, act, times=1):
        self.at, self.act, self.left, self.step = at, act, times, 0

    def __call__(self, logits):
        if self.step == self.at and self.left:
            self.left -= 1
            return self.act(logits)
        return logits


@pytest.fixture
def faulty(experiment, training, models):
    """A training of a model in which something goes wrong; with the failure's step counter wired up."""

    def faulty(failure, build="transformer", **settings):
        armed = []  # once the trainer is made, which reads a text with a copy of the model

        def broken(config, task):
            model = getattr(models, build)(config, task)
            head = getattr(model, "head", None) or model.output.forward
            if build == "transformer":
                model.head = lambda x: failure(head(x)) if model.training and armed else head(x)
            else:
                model.output.forward = lambda x: failure(head(x)) if model.training and armed else head(x)
            return model

        recorded = training(experiment(broken, **{"steps": 6, "config": {"dropout": 0.2}, **settings}))
        armed.append(True)

        class Counting(RunObserver):
            def stepped(self, step, values):
                failure.step = step

        recorded.trainer._observers.append(("a-test", Counting()))
        return recorded

    return faulty


def throw(error):
    def throw(logits):
        raise error

    return throw


def spoil_gradient(logits):
    """Return the same logits with an infinite gradient."""
    logits = logits.clone()
    logits.register_hook(lambda gradient: gradient * math.inf)
    return logits


def fail_backward(logits):
    """Return the same logits with a gradient that runs out of memory."""
    logits = logits.clone()
    logits.register_hook(throw(MemoryError()))
    return logits


def none(logits):
    return logits


# ---- numbers that are none ----


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        (lambda x: x * math.nan, "the loss is nan"),
        (lambda x: x.masked_fill(x > -math.inf, math.inf), "the loss is nan"),
        (spoil_gradient, "the gradient norm is"),
    ],
)
def test_a_loss_or_gradient_that_is_no_number_stops_before_the_update(faulty, experiment, trained, same, act, expected):
    recorded = faulty(Failure(3, act)).run()
    three = trained(experiment("transformer", steps=3, config={"dropout": 0.2}))
    assert (recorded.trainer.state, recorded.trainer.step) == ("failed", 3)
    same(recorded.weights(), three.weights())
    assert recorded.trainer.tokens == three.trainer.tokens
    assert recorded.losses == three.losses
    problem = recorded.trainer.problem
    assert expected in problem.what
    assert "at step 4" in problem.what
    assert problem.field == "training.optimizer.learning_rate"
    assert problem.value == "0.01"
    assert "third of the learning rate" in problem.remedy
    assert "warmup" in problem.remedy
    assert recorded.log.of("problem") == [{"event": "problem", "step": 3, **problem.as_dict()}]


def test_the_learning_rate_named_is_the_recipes_and_not_the_schedules(faulty):
    recorded = faulty(Failure(2, lambda x: x * math.nan), schedule="cosine", warmup=50).run()
    assert recorded.trainer.problem.value == "0.01"


def test_a_diverged_training_can_be_saved_with_its_last_good_state(faulty, saved_state):
    recorded = faulty(Failure(3, lambda x: x * math.nan), build="recurrent", objective="carried").run()
    tables, tensors, facts = saved_state(recorded.trainer)
    assert facts["step"] == 3
    assert all(torch.isfinite(tensor).all() for tensor in [*tables.values(), *tensors.values()])


# ---- no memory ----


def until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.002)


@pytest.mark.parametrize("who", SHORTAGES)
def test_out_of_memory_pauses_and_offers_smaller_pieces(faulty, start, who):
    recorded = start(faulty(Failure(2, throw(SHORTAGES[who]))))
    until(lambda: recorded.log.of("problem"))
    trainer = recorded.trainer
    assert (trainer.state, trainer.step, trainer.device_lost) == ("paused", 2, False)
    assert (trainer.problem.field, trainer.problem.value) == ("training.accumulation", "1")
    assert "training.accumulation=2" in trainer.problem.remedy
    assert [event["event"] for event in recorded.log.events] == ["pause", "problem"]
    trainer.control.resume()
    assert recorded.ended()
    assert (trainer.state, trainer.problem) == ("finished", None)


@pytest.mark.short("recurrent-carried-backward-2", "transformer-causal-forward-0")
@pytest.mark.parametrize("step", [0, 2])
@pytest.mark.parametrize("place", ["forward", "backward"])
@pytest.mark.parametrize(("build", "objective"), [("transformer", "causal"), ("recurrent", "carried")])
def test_a_step_made_after_a_shortage_is_the_step_it_would_have_been(
    faulty, start, same, step, place, build, objective
):
    act = throw(MemoryError()) if place == "forward" else fail_backward
    settings = {"build": build, "objective": objective, "accumulation": 2}
    recorded = start(faulty(Failure(step, act), **settings))
    until(lambda: recorded.trainer.problem is not None)
    recorded.trainer.control.resume()
    assert recorded.ended()
    undisturbed = faulty(Failure(-1, none), **settings).run()
    assert recorded.exact == undisturbed.exact
    same(recorded.weights(), undisturbed.weights())


def test_smaller_pieces_set_after_a_shortage_give_the_run_they_always_give(faulty, start, at_step, same):
    """Continue from the same step on as a run with the same edits and no shortage."""
    recorded = start(faulty(Failure(2, throw(MemoryError()))))
    until(lambda: recorded.trainer.problem is not None)
    recorded.trainer.control.set("training.accumulation", 2)
    recorded.trainer.control.resume()
    assert recorded.ended()
    edited = faulty(Failure(-1, none))
    control = edited.trainer.control
    edited.trainer._observers.append(at_step({2: lambda: control.set("training.accumulation", 2)}))
    edited.run()
    assert recorded.exact == edited.exact
    same(recorded.weights(), edited.weights())


def test_carried_state_is_recut_after_a_shortage(faulty, start):
    settings = {"build": "recurrent", "objective": "carried", "config": {"dropout": 0}}
    recorded = start(faulty(Failure(2, throw(MemoryError())), **settings))
    until(lambda: recorded.trainer.problem is not None)
    recorded.trainer.control.set("training.accumulation", 2)
    recorded.trainer.control.resume()
    assert recorded.ended()
    assert recorded.losses == pytest.approx(faulty(Failure(-1, none), **settings).run().losses, abs=1e-5)


def test_a_shortage_in_the_optimizers_first_update_leaves_nothing_half_made(faulty, start, same, monkeypatch):
    zeros_like, calls = torch.zeros_like, []

    def scarce(*arguments, **given):
        calls.append(1)
        if len(calls) == 2:  # between the two moments of the first parameter
            raise MemoryError
        return zeros_like(*arguments, **given)

    recorded = faulty(Failure(-1, none))
    monkeypatch.setattr(torch, "zeros_like", scarce)
    start(recorded)
    until(lambda: recorded.trainer.problem is not None)
    assert len(calls) == 2
    assert not recorded.trainer.learner.optimizer.state
    recorded.trainer.control.resume()
    assert recorded.ended()
    undisturbed = faulty(Failure(-1, none)).run()
    assert recorded.exact == undisturbed.exact
    same(recorded.weights(), undisturbed.weights())


@pytest.mark.parametrize("shortage_at", [0, 2])
def test_a_shortage_makes_no_evaluation_and_reports_nothing_twice(faulty, start, source, shortage_at):
    settings = {"validation": source(100, "windows"), "evaluate_every": 2}
    recorded = start(faulty(Failure(shortage_at, throw(MemoryError()), times=3), **settings))
    for times in (1, 2, 3):
        until(lambda times=times: len(recorded.log.of("problem")) == times)
        recorded.trainer.control.resume()
    assert recorded.ended()
    assert list(recorded.series["validation loss"]) == [2, 4, 6]


def test_a_training_that_waits_for_memory_can_be_stopped(faulty, start):
    recorded = start(faulty(Failure(2, throw(MemoryError()), times=99)))
    until(lambda: recorded.trainer.problem is not None)
    recorded.trainer.control.stop()
    assert recorded.ended(5)
    assert (recorded.trainer.state, recorded.trainer.step) == ("stopped", 2)


def test_pieces_of_one_example_cannot_be_made_smaller_as_the_problem_states():
    training = Training(accumulation=16, batch_size=16)
    problem = failure_of(MemoryError(), step=3, training=training, plugin=None).problem
    assert "training.accumulation=" not in problem.remedy
    assert "shorter context" in problem.remedy
    training = Training(accumulation=12, batch_size=16)
    assert "accumulation=16" in failure_of(MemoryError(), step=3, training=training, plugin=None).problem.remedy


def test_words_about_memory_in_a_plugins_own_errors_are_no_shortage():
    assert not is_out_of_memory(ValueError("the model ran out of memory slots"))


def test_nothing_of_the_failed_step_is_held_while_it_waits(faulty, start):
    held = []

    def allocate_and_fail(logits):
        big = logits.detach().clone()
        held.append(weakref.ref(big))
        raise MemoryError

    gc.disable()
    try:
        recorded = start(faulty(Failure(1, allocate_and_fail)))
        until(lambda: recorded.trainer.problem is not None)
        until(lambda: held[0]() is None, 2)
        assert all(parameter.grad is None for parameter in recorded.trainer.model.parameters())
    finally:
        gc.enable()


# ---- a lost device ----


@pytest.mark.parametrize("how", LOST)
def test_a_sticky_error_of_the_device_ends_the_run_as_lost(faulty, how):
    recorded = faulty(Failure(2, throw(LOST[how]))).run()
    trainer = recorded.trainer
    assert (trainer.state, trainer.step, trainer.device_lost) == ("failed", 2, True)
    assert trainer.problem.field == "training.device"
    assert "new process" in trainer.problem.remedy
    assert "\n" not in trainer.problem.what
    assert "TORCH_USE_CUDA_DSA" in trainer.problem.trace or how != "an assertion"


def test_a_copy_asked_of_a_training_whose_device_is_lost_is_refused(faulty):
    recorded = faulty(Failure(2, throw(LOST["an assertion"])))

    class Lost(ModelCopy):
        def take(self, model, step):
            raise LOST["an assertion"]

    waiting = recorded.trainer.request_copy(Lost())
    recorded.run()
    assert recorded.trainer.device_lost
    for snapshot in (waiting, recorded.trainer.request_copy(Lost())):
        with pytest.raises(LabError, match="device-side assert"):
            snapshot.wait(1)


# ---- a plugin's mistake ----


class Mistake(Exception):
    pass


def test_an_exception_of_a_model_is_a_problem_with_plugin_step_and_trace(faulty):
    recorded = faulty(Failure(2, throw(Mistake("heads do not fit")))).run()
    problem = recorded.trainer.problem
    assert (recorded.trainer.state, recorded.trainer.step, recorded.trainer.device_lost) == ("failed", 2, False)
    assert problem.plugin == "a-plugin"
    assert "Step 3 failed" in problem.what
    assert "heads do not fit" in problem.what
    assert "in throw" in problem.trace
    assert "Traceback" in problem.trace


@pytest.mark.parametrize("kind", [Mistake, LabError])
def test_no_tensor_of_a_failed_forward_pass_is_kept_alive(faulty, kind):
    held = []

    def allocate_and_fail(logits):
        big = logits.detach().clone()
        held.append(weakref.ref(big))
        raise kind("no")

    gc.disable()
    try:
        recorded = faulty(Failure(2, allocate_and_fail)).run()
        assert recorded.trainer.state == "failed"
        assert held[0]() is None
    finally:
        gc.enable()


def test_a_model_that_cannot_be_built_is_a_problem_of_its_plugin(experiment, training):
    def broken(config, task):
        raise Mistake("no such thing")

    with pytest.raises(LabError, match="no such thing") as raised:
        training(experiment(broken))
    assert raised.value.problem.plugin == "a-plugin"
    assert "Building Tiny" in raised.value.problem.what
    assert raised.value.problem.trace


@pytest.mark.parametrize("who", ["Python", "Linux", "Windows"])
def test_a_model_too_large_to_be_built_is_said_to_be(experiment, training, who):
    def huge(config, task):
        raise SHORTAGES[who]

    with pytest.raises(LabError, match="does not fit into memory") as raised:
        training(experiment(huge))
    assert raised.value.problem.field == "architecture"


def test_what_is_no_language_model_is_refused(experiment, training):
    with pytest.raises(LabError, match="built a Linear") as raised:
        training(experiment(lambda *_: nn.Linear(2, 2)))
    assert raised.value.problem.plugin == "a-plugin"


def test_a_failing_evaluation_fails_the_training_in_words(experiment, training, source):
    recorded = training(experiment("transformer", validation=source(100, "windows"), steps=2))
    recorded.trainer.periodic.evaluate = lambda *_: 1 / 0
    recorded.run()
    assert recorded.trainer.state == "failed"
    assert "ZeroDivisionError" in recorded.trainer.problem.what


def test_out_of_memory_in_an_evaluation_offers_no_smaller_steps(experiment, training, source):
    recorded = training(experiment("transformer", validation=source(100, "windows"), steps=2))

    def scarce(*_):
        raise MemoryError

    recorded.trainer.periodic.evaluate = scarce
    problem = recorded.run().trainer.problem
    assert recorded.trainer.state == "failed"
    assert "evaluating after step 2" in problem.what
    assert problem.field is None
    assert "accumulation" not in problem.line()
    assert "lm-lab evaluate" in problem.remedy


def test_what_fails_in_an_evaluation_is_not_said_to_have_failed_in_a_step(experiment, training, source):
    recorded = training(experiment("transformer", validation=source(100, "windows"), steps=2))
    recorded.trainer.periodic.evaluate = lambda *_: throw(Mistake("no"))(None)
    problem = recorded.run().trainer.problem
    assert problem.what.startswith("Evaluating after step 2 failed: Mistake: no (test_failures.py, line ")
    assert problem.plugin == "a-plugin"


@pytest.mark.parametrize("error", [Mistake("cannot write"), MemoryError(), SystemExit(0)])
@pytest.mark.parametrize("what", ["sample", "probe"])
def test_failures_outside_the_steps_are_reported_once_and_the_training_continues(
    experiment, training, tokenizer, notices, what, error
):
    recorded = training(experiment("transformer", steps=4, evaluate_every=1, tokenizer=tokenizer, sample_tokens=5))
    setattr(recorded.trainer.periodic, what, lambda *_, **__: throw(error)(None))
    recorded.run()
    assert (recorded.trainer.state, recorded.trainer.problem) == ("finished", None)
    (notice,) = notices
    assert notice.level == "warning"
    assert "step 1" in notice.problem.what or "step 0" in notice.problem.what
    assert [event["what"] for event in recorded.log.of("problem")] == [notice.problem.what]
    if not isinstance(error, MemoryError):
        assert notice.problem.plugin == "a-plugin"


def test_a_device_lost_while_sampling_ends_the_run(experiment, training, tokenizer):
    recorded = training(experiment("transformer", steps=4, evaluate_every=1, tokenizer=tokenizer, sample_tokens=5))
    recorded.trainer.periodic.sample = lambda *_: throw(LOST["an assertion"])(None)
    assert recorded.run().trainer.device_lost


def test_the_look_after_a_stop_reads_a_bounded_text(experiment, training, source, at_step, monkeypatch):
    from lab.training import trainer as trainers

    monkeypatch.setattr(trainers, "EVALUATED_AFTER_STOP", 24)
    settings = {"validation": source(400, "windows"), "evaluate_tokens": 0}
    recorded = training(experiment("transformer", **settings))
    recorded.trainer._observers.append(at_step({2: recorded.trainer.control.stop}))
    recorded.run()
    assert recorded.trainer.state == "stopped"
    assert 0 < recorded.trainer.evaluation.targets <= 24  # the last window may be short
    assert training(experiment("transformer", **settings)).run().trainer.evaluation.part == "all"


def test_a_metric_called_loss_is_refused_and_does_not_take_the_losss_place(experiment, training):
    from lab.training.objectives import Causal

    class Odd(Causal):
        def loss(self, model, batch, carry=None):
            loss = super().loss(model, batch, carry)
            loss.metrics = {"loss": (torch.tensor(1.0), 1)}
            return loss

    made = experiment("transformer", objective=Odd())
    made.objective_plugin = "odd"
    problem = training(made).run().trainer.problem
    assert "one of its metrics 'loss'" in problem.what
    assert problem.plugin == "odd"


def test_a_metric_called_loss_is_refused_in_an_evaluation_too(experiment, training, source):
    from lab.training.objectives import Causal

    class Odd(Causal):
        def loss(self, model, batch, carry=None):
            loss = super().loss(model, batch, carry)
            loss.metrics = {} if model.training else {"loss": (torch.tensor(1.0), 1)}
            return loss

    recorded = training(experiment("transformer", objective=Odd(), validation=source(100, "windows")))
    assert "one of its metrics 'loss'" in recorded.run().trainer.problem.what


# ---- a plugin that leaves the process ----


def test_a_model_that_leaves_the_process_fails_its_run(faulty):
    recorded = faulty(Failure(2, throw(SystemExit(0)))).run()
    assert (recorded.trainer.state, recorded.trainer.step) == ("failed", 2)
    assert recorded.trainer.problem.what.startswith("Step 3 failed: SystemExit: 0 (test_failures.py, line ")
    assert recorded.trainer.problem.plugin == "a-plugin"


def test_a_model_that_leaves_the_process_when_built_is_a_problem_of_its_plugin(experiment, training):
    def leave(config, task):
        raise SystemExit

    with pytest.raises(LabError, match="SystemExit") as raised:
        training(experiment(leave))
    assert raised.value.problem.plugin == "a-plugin"


def test_a_card_that_leaves_the_process_is_a_problem_of_its_plugin():
    from types import SimpleNamespace

    from lab.training.resolution import Resolved

    leaving = SimpleNamespace(title="Constant", make=throw(SystemExit(0)))
    with pytest.raises(LabError, match="plugin mine: Constant failed: SystemExit: 0"):
        Resolved(leaving, None, "mine", "corpus").make()


def test_an_observer_and_a_probe_that_leave_the_process_are_dropped(experiment, training, tokenizer):
    class Leaving(RunObserver):
        def stepped(self, step, values):
            raise SystemExit

    failed = []

    def leave(model, tokens):
        raise SystemExit

    recorded = training(
        experiment("transformer", tokenizer=tokenizer, readings={"tokens": 8, "moments": 5}),
        observers=[("watching", Leaving())],
        probes=[("probing", leave)],
        plugin_failed=lambda plugin, error: failed.append((plugin, type(error))),
    ).run()
    assert recorded.trainer.state == "finished"
    assert failed == [("probing", SystemExit), ("watching", SystemExit)]


def test_a_shortage_in_a_later_optimizer_update_reports_nothing_twice(faulty, start):
    recorded = faulty(Failure(-1, none))
    optimizer, calls = recorded.trainer.learner.optimizer, []
    step = optimizer.step

    def scarce():
        calls.append(1)
        if len(calls) == 3:
            raise MemoryError
        step()

    optimizer.step = scarce
    start(recorded)
    until(lambda: recorded.trainer.problem is not None)
    recorded.trainer.control.resume()
    assert recorded.ended()
    assert recorded.exact == faulty(Failure(-1, none)).run().exact


# ---- probes and observers ----


class Counter(RunObserver):
    def __init__(self):
        self.calls = []

    def started(self, run, recipe):
        self.calls.append(("started", run.name, recipe["training"]["steps"]))

    def stepped(self, step, values):
        self.calls.append(("stepped", step, values["train loss"]))

    def evaluated(self, step, values):
        self.calls.append(("evaluated", step, values["validation loss"]))

    def ended(self, state, problem):
        self.calls.append(("ended", state, problem))


def test_an_observer_hears_a_runs_life(experiment, trained, source):
    observer = Counter()
    made = experiment("transformer", steps=2, validation=source(100, "windows"))
    recorded = trained(made, observers=[("a-plugin", observer)], run=Path("runs/first"))
    loss = recorded.values("validation loss")[0]
    assert observer.calls == [
        ("started", "first", 2),
        ("stepped", 1, recorded.losses[0]),
        ("stepped", 2, recorded.losses[1]),
        ("evaluated", 2, loss),
        ("ended", "finished", None),
    ]


def test_an_observer_of_the_api_hears_everything_without_a_word(experiment, trained, source, notices):
    trained(experiment("transformer", steps=1, validation=source(100, "windows")), observers=[("p", RunObserver())])
    assert notices == []


def test_an_observer_hears_how_a_failed_run_ended(faulty):
    recorded, observer = faulty(Failure(1, throw(Mistake()))), Counter()
    recorded.trainer._observers.append(("a-plugin", observer))
    recorded.run()
    assert observer.calls[-1] == ("ended", "failed", recorded.trainer.problem)


class Nervous(Counter):
    def stepped(self, step, values):
        super().stepped(step, values)
        raise Mistake("too much")


def good(model, tokens):
    return [Reading("logits", ("batch", "token", "vocabulary"), model(tokens).numpy())]


def bad(model, tokens):
    raise Mistake("cannot look")


def nonsense(model, tokens):
    return ["no reading"]


@pytest.mark.parametrize("probe", [bad, nonsense])
def test_an_observer_that_fails_is_reported_once_dropped_and_changes_nothing(
    experiment, trained, probe, tokenizer, notices
):
    settings = {"config": {"dropout": 0.2}, "tokenizer": tokenizer, "readings": {"tokens": 8, "moments": 5}}
    nervous, failed = Nervous(), []
    recorded = trained(
        experiment("transformer", **settings),
        observers=[("nervous", nervous)],
        probes=[("blind", probe), ("seeing", good)],
        plugin_failed=lambda plugin, error: failed.append((plugin, type(error).__name__)),
    )
    assert recorded.trainer.state == "finished"
    assert [plugin for plugin, _ in failed] == ["blind", "nervous"]
    assert [call[0] for call in nervous.calls] == ["started", "stepped"]
    assert [[r.name for r in readings] for _, readings in recorded.log.snapshots] == [["logits"]] * len(
        recorded.log.snapshots
    )
    assert len(recorded.log.snapshots) > 2
    assert recorded.exact == trained(experiment("transformer", config={"dropout": 0.2})).exact


def test_a_failing_plugin_is_a_notice_where_nobody_asks_for_it(experiment, trained, notices):
    trained(experiment("transformer", steps=2), observers=[("nervous", Nervous())])
    assert [(notice.level, notice.problem.plugin) for notice in notices] == [("warning", "nervous")]
    assert "too much" in notices[0].problem.what
