"""What goes wrong in a training: what is told, what is lost (nothing), what can be done next."""

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
from lab.training.recording.snapshot import Snapshot

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
    "nothing said": torch.AcceleratorError(""),
}


class Fault:
    """What a model does to its logits in the step after step `at`: any number of times, then no more."""

    def __init__(self, at, act, times=1):
        self.at, self.act, self.left, self.step = at, act, times, 0

    def __call__(self, logits):
        if self.step == self.at and self.left:
            self.left -= 1
            return self.act(logits)
        return logits


@pytest.fixture
def faulty(experiment, training, models):
    """A training of a model in which something goes wrong; with the fault's step counter wired up."""

    def faulty(fault, build="transformer", **settings):
        def broken(config, task):
            model = getattr(models, build)(config, task)
            head = getattr(model, "head", None) or model.output.forward
            if build == "transformer":
                model.head = lambda x: fault(head(x)) if model.training else head(x)
            else:
                model.output.forward = lambda x: fault(head(x)) if model.training else head(x)
            return model

        reported = training(experiment(broken, **{"steps": 6, "config": {"dropout": 0.2}, **settings}))

        class Counting(RunObserver):
            def stepped(self, step, values):
                fault.step = step

        reported.trainer._observers.append(("a-test", Counting()))
        return reported

    return faulty


def throw(error):
    def throw(logits):
        raise error

    return throw


def spoil_gradient(logits):
    """The same logits, whose gradient becomes infinite."""
    logits = logits.clone()
    logits.register_hook(lambda gradient: gradient * math.inf)
    return logits


def fail_backward(logits):
    """The same logits, for whose gradient there is no memory."""
    logits = logits.clone()
    logits.register_hook(throw(MemoryError()))
    return logits


def none(logits):
    return logits


# ---- numbers that are none ----


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda x: x * math.nan, "the loss is nan"),
        (lambda x: x.masked_fill(x > -math.inf, math.inf), "the loss is nan"),
        (spoil_gradient, "the gradient norm is"),
    ],
)
def test_a_loss_or_gradient_that_is_no_number_stops_before_the_update(faulty, experiment, trained, same, act, said):
    reported = faulty(Fault(3, act)).run()
    three = trained(experiment("transformer", steps=3, config={"dropout": 0.2}))
    assert (reported.trainer.state, reported.trainer.step) == ("failed", 3)
    same(reported.weights(), three.weights())
    assert reported.trainer.tokens == three.trainer.tokens
    assert reported.losses == three.losses
    problem = reported.trainer.problem
    assert said in problem.what
    assert "at step 4" in problem.what
    assert problem.field == "training.optimizer.learning_rate"
    assert problem.value == "0.01"
    assert "third of the learning rate" in problem.remedy
    assert "warmup" in problem.remedy
    assert reported.log.of("problem") == [{"event": "problem", "step": 3, **problem.as_dict()}]


def test_the_learning_rate_named_is_the_recipes_and_not_the_schedules(faulty):
    reported = faulty(Fault(2, lambda x: x * math.nan), schedule="cosine", warmup=50).run()
    assert reported.trainer.problem.value == "0.01"


def test_a_diverged_training_can_be_saved_with_its_last_good_state(faulty, kept):
    reported = faulty(Fault(3, lambda x: x * math.nan), build="recurrent", objective="carried").run()
    tables, tensors, facts = kept(reported.trainer)
    assert facts["step"] == 3
    assert all(torch.isfinite(tensor).all() for tensor in [*tables.values(), *tensors.values()])


# ---- no memory ----


def until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.002)


@pytest.mark.parametrize("who", SHORTAGES)
def test_out_of_memory_pauses_and_offers_smaller_pieces(faulty, began, who):
    reported = began(faulty(Fault(2, throw(SHORTAGES[who]))))
    until(lambda: reported.trainer.problem is not None)
    trainer = reported.trainer
    assert (trainer.state, trainer.step, trainer.device_lost) == ("paused", 2, False)
    assert (trainer.problem.field, trainer.problem.value) == ("training.accumulation", "1")
    assert "training.accumulation=2" in trainer.problem.remedy
    assert [event["event"] for event in reported.log.events] == ["pause", "problem"]
    trainer.control.resume()
    assert reported.ended()
    assert (trainer.state, trainer.problem) == ("finished", None)


@pytest.mark.parametrize("step", [0, 2])
@pytest.mark.parametrize("place", ["forward", "backward"])
@pytest.mark.parametrize(("build", "objective"), [("transformer", "causal"), ("recurrent", "carried")])
def test_a_step_made_after_a_shortage_is_the_step_it_would_have_been(
    faulty, began, same, step, place, build, objective
):
    act = throw(MemoryError()) if place == "forward" else fail_backward
    settings = {"build": build, "objective": objective, "accumulation": 2}
    reported = began(faulty(Fault(step, act), **settings))
    until(lambda: reported.trainer.problem is not None)
    reported.trainer.control.resume()
    assert reported.ended()
    undisturbed = faulty(Fault(-1, none), **settings).run()
    assert reported.exact == undisturbed.exact
    same(reported.weights(), undisturbed.weights())


def test_smaller_pieces_set_after_a_shortage_give_the_run_they_always_give(faulty, began, at_step, same):
    """From the same step on, as a run that was told the same without any shortage."""
    reported = began(faulty(Fault(2, throw(MemoryError()))))
    until(lambda: reported.trainer.problem is not None)
    reported.trainer.control.set("training.accumulation", 2)
    reported.trainer.control.resume()
    assert reported.ended()
    edited = faulty(Fault(-1, none))
    control = edited.trainer.control
    edited.trainer._observers.append(at_step({2: lambda: control.set("training.accumulation", 2)}))
    edited.run()
    assert reported.exact == edited.exact
    same(reported.weights(), edited.weights())


def test_carried_state_is_recut_after_a_shortage(faulty, began):
    settings = {"build": "recurrent", "objective": "carried", "config": {"dropout": 0}}
    reported = began(faulty(Fault(2, throw(MemoryError())), **settings))
    until(lambda: reported.trainer.problem is not None)
    reported.trainer.control.set("training.accumulation", 2)
    reported.trainer.control.resume()
    assert reported.ended()
    assert reported.losses == pytest.approx(faulty(Fault(-1, none), **settings).run().losses, abs=1e-5)


def test_a_shortage_in_the_optimizers_first_update_leaves_nothing_half_made(faulty, began, same, monkeypatch):
    zeros_like, calls = torch.zeros_like, []

    def scarce(*arguments, **given):
        calls.append(1)
        if len(calls) == 2:  # between the two moments of the first parameter
            raise MemoryError
        return zeros_like(*arguments, **given)

    reported = faulty(Fault(-1, none))
    monkeypatch.setattr(torch, "zeros_like", scarce)
    began(reported)
    until(lambda: reported.trainer.problem is not None)
    assert len(calls) == 2
    assert not reported.trainer.learner.optimizer.state
    reported.trainer.control.resume()
    assert reported.ended()
    undisturbed = faulty(Fault(-1, none)).run()
    assert reported.exact == undisturbed.exact
    same(reported.weights(), undisturbed.weights())


@pytest.mark.parametrize("shortage_at", [0, 2])
def test_a_shortage_makes_no_evaluation_and_tells_nothing_twice(faulty, began, source, shortage_at):
    settings = {"validation": source(100, "windows"), "evaluate_every": 2}
    reported = began(faulty(Fault(shortage_at, throw(MemoryError()), times=3), **settings))
    for times in (1, 2, 3):
        until(lambda times=times: len(reported.log.of("problem")) == times)
        reported.trainer.control.resume()
    assert reported.ended()
    assert list(reported.series["validation loss"]) == [2, 4, 6]


def test_a_training_that_waits_for_memory_can_be_stopped(faulty, began):
    reported = began(faulty(Fault(2, throw(MemoryError()), times=99)))
    until(lambda: reported.trainer.problem is not None)
    reported.trainer.control.stop()
    assert reported.ended(5)
    assert (reported.trainer.state, reported.trainer.step) == ("stopped", 2)


def test_pieces_of_one_example_cannot_be_made_smaller_and_the_problem_says_so():
    training = Training(accumulation=16, batch_size=16)
    problem = failure_of(MemoryError(), step=3, training=training, plugin=None).problem
    assert "training.accumulation=" not in problem.remedy
    assert "shorter context" in problem.remedy
    training = Training(accumulation=12, batch_size=16)
    assert "accumulation=16" in failure_of(MemoryError(), step=3, training=training, plugin=None).problem.remedy


def test_words_about_memory_in_a_plugins_own_errors_are_no_shortage():
    assert not is_out_of_memory(ValueError("the model ran out of memory slots"))


def test_nothing_of_the_failed_step_is_held_while_it_waits(faulty, began):
    held = []

    def allocate_and_fail(logits):
        big = logits.detach().clone()
        held.append(weakref.ref(big))
        raise MemoryError

    gc.disable()
    try:
        reported = began(faulty(Fault(1, allocate_and_fail)))
        until(lambda: reported.trainer.problem is not None)
        until(lambda: held[0]() is None, 2)
        assert all(parameter.grad is None for parameter in reported.trainer.model.parameters())
    finally:
        gc.enable()


# ---- a lost device ----


@pytest.mark.parametrize("how", LOST)
def test_a_sticky_error_of_the_device_ends_the_run_as_lost(faulty, how):
    reported = faulty(Fault(2, throw(LOST[how]))).run()
    trainer = reported.trainer
    assert (trainer.state, trainer.step, trainer.device_lost) == ("failed", 2, True)
    assert trainer.problem.field == "training.device"
    assert "new process" in trainer.problem.remedy
    assert "\n" not in trainer.problem.what
    assert "TORCH_USE_CUDA_DSA" in trainer.problem.trace or how != "an assertion"


def test_a_copy_asked_of_a_training_whose_device_is_lost_is_refused(faulty):
    reported = faulty(Fault(2, throw(LOST["an assertion"])))

    class Lost(Snapshot):
        def take(self, model, step):
            raise LOST["an assertion"]

    waiting = reported.trainer.snapshot(Lost())
    reported.run()
    assert reported.trainer.device_lost
    for snapshot in (waiting, reported.trainer.snapshot(Lost())):
        with pytest.raises(LabError, match="device-side assert"):
            snapshot.wait(1)


# ---- a plugin's mistake ----


class Mistake(Exception):
    pass


def test_an_exception_of_a_model_is_a_problem_with_plugin_step_and_trace(faulty):
    reported = faulty(Fault(2, throw(Mistake("heads do not fit")))).run()
    problem = reported.trainer.problem
    assert (reported.trainer.state, reported.trainer.step, reported.trainer.device_lost) == ("failed", 2, False)
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
        reported = faulty(Fault(2, allocate_and_fail)).run()
        assert reported.trainer.state == "failed"
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
    reported = training(experiment("transformer", validation=source(100, "windows"), steps=2))
    reported.trainer.moments.evaluate = lambda *_: 1 / 0
    reported.run()
    assert reported.trainer.state == "failed"
    assert "ZeroDivisionError" in reported.trainer.problem.what


def test_out_of_memory_in_an_evaluation_offers_no_smaller_steps(experiment, training, source):
    reported = training(experiment("transformer", validation=source(100, "windows"), steps=2))

    def scarce(*_):
        raise MemoryError

    reported.trainer.moments.evaluate = scarce
    problem = reported.run().trainer.problem
    assert reported.trainer.state == "failed"
    assert "evaluating after step 2" in problem.what
    assert problem.field is None
    assert "accumulation" not in problem.line()
    assert "lm-lab evaluate" in problem.remedy


def test_what_fails_in_an_evaluation_is_not_said_to_have_failed_in_a_step(experiment, training, source):
    reported = training(experiment("transformer", validation=source(100, "windows"), steps=2))
    reported.trainer.moments.evaluate = lambda *_: throw(Mistake("no"))(None)
    problem = reported.run().trainer.problem
    assert problem.what.startswith("Evaluating after step 2 failed: Mistake: no (test_failures.py, line ")
    assert problem.plugin == "a-plugin"


@pytest.mark.parametrize("error", [Mistake("cannot write"), MemoryError(), SystemExit(0)])
@pytest.mark.parametrize("what", ["sample", "probe"])
def test_what_fails_beside_the_steps_is_told_once_and_the_training_goes_on(
    experiment, training, tokenizer, notices, what, error
):
    reported = training(experiment("transformer", steps=4, evaluate_every=1, tokenizer=tokenizer, sample_tokens=5))
    setattr(reported.trainer.moments, what, lambda *_, **__: throw(error)(None))
    reported.run()
    assert (reported.trainer.state, reported.trainer.problem) == ("finished", None)
    (notice,) = notices
    assert notice.level == "warning"
    assert "step 1" in notice.problem.what or "step 0" in notice.problem.what
    assert [event["what"] for event in reported.log.of("problem")] == [notice.problem.what]
    if not isinstance(error, MemoryError):
        assert notice.problem.plugin == "a-plugin"


def test_a_device_lost_while_sampling_ends_the_run(experiment, training, tokenizer):
    reported = training(experiment("transformer", steps=4, evaluate_every=1, tokenizer=tokenizer, sample_tokens=5))
    reported.trainer.moments.sample = lambda *_: throw(LOST["an assertion"])(None)
    assert reported.run().trainer.device_lost


def test_the_look_after_a_stop_reads_a_bounded_text(experiment, training, source, at_step, monkeypatch):
    from lab.training import trainer as trainers

    monkeypatch.setattr(trainers, "LOOK_AFTER_STOP", 24)
    settings = {"validation": source(400, "windows"), "evaluate_tokens": 0}
    reported = training(experiment("transformer", **settings))
    reported.trainer._observers.append(at_step({2: reported.trainer.control.stop}))
    reported.run()
    assert reported.trainer.state == "stopped"
    assert 0 < reported.trainer.evaluation.targets <= 24  # the last window may be short
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

    reported = training(experiment("transformer", objective=Odd(), validation=source(100, "windows")))
    assert "one of its metrics 'loss'" in reported.run().trainer.problem.what


# ---- a plugin that leaves the process ----


def test_a_model_that_leaves_the_process_fails_its_run(faulty):
    reported = faulty(Fault(2, throw(SystemExit(0)))).run()
    assert (reported.trainer.state, reported.trainer.step) == ("failed", 2)
    assert reported.trainer.problem.what.startswith("Step 3 failed: SystemExit: 0 (test_failures.py, line ")
    assert reported.trainer.problem.plugin == "a-plugin"


def test_a_model_that_leaves_the_process_when_built_is_a_problem_of_its_plugin(experiment, training):
    def leave(config, task):
        raise SystemExit

    with pytest.raises(LabError, match="SystemExit") as raised:
        training(experiment(leave))
    assert raised.value.problem.plugin == "a-plugin"


def test_a_card_that_leaves_the_process_is_a_problem_of_its_plugin():
    from types import SimpleNamespace

    from lab.training.choices import Resolved

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

    reported = training(
        experiment("transformer", tokenizer=tokenizer, readings={"tokens": 8, "moments": 5}),
        observers=[("watching", Leaving())],
        probes=[("probing", leave)],
        plugin_failed=lambda plugin, error: failed.append((plugin, type(error))),
    ).run()
    assert reported.trainer.state == "finished"
    assert failed == [("probing", SystemExit), ("watching", SystemExit)]


def test_a_shortage_in_the_optimizers_later_update_tells_nothing_twice(faulty, began):
    reported = faulty(Fault(-1, none))
    optimizer, calls = reported.trainer.learner.optimizer, []
    step = optimizer.step

    def scarce():
        calls.append(1)
        if len(calls) == 3:
            raise MemoryError
        step()

    optimizer.step = scarce
    began(reported)
    until(lambda: reported.trainer.problem is not None)
    reported.trainer.control.resume()
    assert reported.ended()
    assert reported.exact == faulty(Fault(-1, none)).run().exact


# ---- probes and observers ----


class Counter(RunObserver):
    def __init__(self):
        self.heard = []

    def started(self, run, recipe):
        self.heard.append(("started", run.name, recipe["training"]["steps"]))

    def stepped(self, step, values):
        self.heard.append(("stepped", step, values["train loss"]))

    def evaluated(self, step, values):
        self.heard.append(("evaluated", step, values["validation loss"]))

    def ended(self, state, problem):
        self.heard.append(("ended", state, problem))


def test_an_observer_hears_a_runs_life(experiment, trained, source):
    observer = Counter()
    made = experiment("transformer", steps=2, validation=source(100, "windows"))
    reported = trained(made, observers=[("a-plugin", observer)], run=Path("runs/first"))
    loss = reported.values("validation loss")[0]
    assert observer.heard == [
        ("started", "first", 2),
        ("stepped", 1, reported.losses[0]),
        ("stepped", 2, reported.losses[1]),
        ("evaluated", 2, loss),
        ("ended", "finished", None),
    ]


def test_an_observer_of_the_api_hears_everything_without_a_word(experiment, trained, source, notices):
    trained(experiment("transformer", steps=1, validation=source(100, "windows")), observers=[("p", RunObserver())])
    assert notices == []


def test_an_observer_hears_how_a_failed_run_ended(faulty):
    reported, observer = faulty(Fault(1, throw(Mistake()))), Counter()
    reported.trainer._observers.append(("a-plugin", observer))
    reported.run()
    assert observer.heard[-1] == ("ended", "failed", reported.trainer.problem)


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
def test_a_plugin_that_watches_and_fails_is_told_once_dropped_and_changes_nothing(
    experiment, trained, probe, tokenizer, notices
):
    settings = {"config": {"dropout": 0.2}, "tokenizer": tokenizer, "readings": {"tokens": 8, "moments": 5}}
    nervous, failed = Nervous(), []
    reported = trained(
        experiment("transformer", **settings),
        observers=[("nervous", nervous)],
        probes=[("blind", probe), ("seeing", good)],
        plugin_failed=lambda plugin, error: failed.append((plugin, type(error).__name__)),
    )
    assert reported.trainer.state == "finished"
    assert [plugin for plugin, _ in failed] == ["blind", "nervous"]
    assert [heard[0] for heard in nervous.heard] == ["started", "stepped"]
    assert [[r.name for r in readings] for _, readings in reported.log.moments] == [["logits"]] * len(
        reported.log.moments
    )
    assert len(reported.log.moments) > 2
    assert reported.exact == trained(experiment("transformer", config={"dropout": 0.2})).exact


def test_a_failing_plugin_is_a_notice_where_nobody_asks_for_it(experiment, trained, notices):
    trained(experiment("transformer", steps=2), observers=[("nervous", Nervous())])
    assert [(notice.level, notice.problem.plugin) for notice in notices] == [("warning", "nervous")]
    assert "too much" in notices[0].problem.what
