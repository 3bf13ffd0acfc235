"""Orders to a running training: live edits, pause, resume, single steps, stop; what they change and cannot."""

import time

import pytest
import torch

from lab.base import BadInput
from lab.training.control import Control
from lab.training.recording.model_copy import ModelCopy


def until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.002)


@pytest.fixture
def looks(monkeypatch):
    """Let paused trainings look for commands every millisecond, and count how often they found none."""
    looks, take = [], Control.take

    def look(control, seconds=None):
        command = take(control, None if seconds is None else 0.001)
        if command is None and seconds is not None:
            looks.append(control)
        return command

    monkeypatch.setattr(Control, "take", look)
    return looks


# ---- live edits ----


def test_a_learning_rate_set_between_two_steps_counts_from_the_next_one(experiment, trained, at_step):
    made = experiment("transformer", steps=6, learning_rate=0.01)
    control = Control()
    edit = at_step({3: lambda: control.set("training.optimizer.learning_rate", 0.002)})
    recorded = trained(made, control=control, observers=[edit])
    assert recorded.values("learning rate") == [0.01] * 3 + [0.002] * 3


def test_an_edit_is_logged_with_its_step_and_both_values(experiment, trained, at_step):
    control = Control()
    edit = at_step({3: lambda: control.set("training.optimizer.learning_rate", 0.002)})
    recorded = trained(experiment("transformer", steps=6), control=control, observers=[edit])
    assert recorded.log.events == [
        {"event": "set", "step": 3, "path": "training.optimizer.learning_rate", "value": 0.002, "before": 0.01}
    ]


def test_an_edit_to_the_value_in_force_is_not_logged(experiment, trained, at_step):
    control = Control()
    rate = "training.optimizer.learning_rate"
    edit = at_step({2: lambda: control.set(rate, 0.01), 3: lambda: control.set(rate, 0.002)})
    recorded = trained(experiment("transformer", steps=6), control=control, observers=[edit])
    assert [event["value"] for event in recorded.log.events] == [0.002]


def test_a_weight_decay_set_live_reaches_matrices_and_spares_vectors(experiment, trained):
    made = experiment("transformer", steps=1)
    control = Control()
    control.set("training.optimizer.weight_decay", 0.7)
    recorded = trained(made, control=control)
    assert [group["weight_decay"] for group in recorded.trainer.learner.optimizer.param_groups] == [0.7, 0.0]
    assert recorded.log.events[0]["before"] == 0.1


def test_a_momentum_set_live_reaches_the_optimizer(experiment, trained):
    control = Control()
    control.set("training.optimizer.momentum", 0.5)
    recorded = trained(experiment("transformer", optimizer="sgd", steps=1), control=control)
    assert {group["momentum"] for group in recorded.trainer.learner.optimizer.param_groups} == {0.5}


def test_a_clip_set_live_shortens_the_next_update(experiment, training, trained):
    control = Control()
    control.set("training.clip", 1e-3)
    settings = {"optimizer": "sgd", "momentum": 0.0, "learning_rate": 1.0, "steps": 1}
    before = experiment("transformer", **settings).build().tables()
    after = trained(experiment("transformer", **settings), control=control).weights()
    moved = torch.sqrt(sum((after[name] - before[name]).square().sum() for name in before))
    assert moved.item() == pytest.approx(1e-3, rel=1e-3)


def test_a_dropout_set_live_counts_from_the_next_step(experiment, trained, at_step):
    control = Control()
    edit = at_step({2: lambda: control.set("architecture.dropout", 0.5)})
    edited = trained(experiment("transformer", steps=4), control=control, observers=[edit]).losses
    plain = trained(experiment("transformer", steps=4)).losses
    assert edited[:2] == plain[:2]
    assert edited[2] != plain[2]


def test_a_nested_live_setting_can_be_set(experiment, trained):
    control = Control()
    control.set("architecture.gate.openness", 0.0)
    recorded = trained(experiment("recurrent", steps=1), control=control)
    assert recorded.log.events[0]["before"] == 1.0
    assert recorded.trainer.model.config.gate.openness == 0


@pytest.mark.parametrize(("objective", "model"), [("causal", "transformer"), ("carried", "recurrent")])
def test_accumulation_set_live_changes_no_loss(experiment, trained, at_step, objective, model):
    control = Control()
    edits = {3: lambda: control.set("training.accumulation", 3), 5: lambda: control.set("training.accumulation", 2)}
    settings = {"objective": objective, "steps": 8}
    edited = trained(experiment(model, **settings), control=control, observers=[at_step(edits)])
    plain = trained(experiment(model, **settings))
    assert [event["value"] for event in edited.log.events] == [3, 2]
    assert edited.losses == pytest.approx(plain.losses, abs=1e-5)
    assert len(edited.trainer.learner._carries) == (2 if objective == "carried" else 0)


REFUSED = {
    "what is not live in training": ("training.context_length", 4),
    "what is not live in the optimizer": ("training.optimizer.beta1", 0.5),
    "what is not live in the architecture": ("architecture.width", 32),
    "an unknown setting of training": ("training.speed", 4),
    "an unknown setting of the optimizer": ("training.optimizer.spin", 4),
    "an unknown setting of the architecture": ("architecture.colour", 4),
    "an unknown group": ("architecture.attention.heads", 4),
    "an unknown section": ("corpus.name", "x"),
    "no path": ("", 1),
    "a section alone": ("architecture", 1),
    "a learning rate of zero": ("training.optimizer.learning_rate", 0),
    "a word for a number": ("training.optimizer.learning_rate", "fast"),
    "nothing": ("training.clip", None),
    "no number": ("training.clip", float("nan")),
    "a clip below zero": ("training.clip", -1),
    "no pieces": ("training.accumulation", 0),
    "half a piece": ("training.accumulation", 1.5),
    "a dropout of one": ("architecture.dropout", 1),
}


@pytest.mark.short("a clip below zero", "a word for a number", "an unknown section", "no path")
@pytest.mark.parametrize("what", REFUSED)
def test_an_edit_that_cannot_be_is_a_notice_that_names_the_field_and_changes_nothing(
    experiment, trained, notices, what
):
    path, value = REFUSED[what]
    control = Control()
    control.set(path, value)
    recorded = trained(experiment("transformer", config={"dropout": 0.1}, steps=3), control=control)
    plain = trained(experiment("transformer", config={"dropout": 0.1}, steps=3))
    assert recorded.trainer.state == "finished"
    assert recorded.exact == plain.exact
    assert [(event["event"], event["step"]) for event in recorded.log.events] == [("problem", 0)]
    assert [notice.level for notice in notices] == ["warning"]
    assert notices[0].problem.field in (path, path.rpartition(".")[0])
    assert notices[0].problem.allowed


@pytest.mark.parametrize("what", REFUSED)
def test_once_a_training_has_begun_an_edit_that_cannot_be_is_refused_at_once(experiment, training, what):
    control = training(experiment("transformer", config={"dropout": 0.1}, steps=3)).trainer.control
    with pytest.raises(BadInput):
        control.set(*REFUSED[what])
    assert control.take() is None


def test_a_counting_model_takes_live_settings_of_its_architecture_alone(experiment, trained, notices):
    control = Control()
    control.set("training.clip", 2)
    control.set("architecture.order", 3)
    recorded = trained(experiment("n-gram"), control=control)
    assert recorded.trainer.state == "finished"
    assert len(notices) == 2


def test_orders_are_plain_json():
    control = Control()
    control.set("training.clip", 0.5)
    control.single_step(3)
    control.pause()
    assert [control.take() for _ in range(4)] == [
        {"do": "set", "path": "training.clip", "value": 0.5},
        {"do": "step", "steps": 3},
        {"do": "pause"},
        None,
    ]
    with pytest.raises(TypeError):
        control.set("training.clip", torch.tensor(1.0))


# ---- pause, resume, single step, stop ----


def test_a_paused_training_makes_no_step_until_it_is_resumed(experiment, training, start, at_step, looks):
    recorded = training(experiment("transformer", steps=6))
    recorded.trainer._observers.append(at_step({2: recorded.trainer.control.pause}))
    start(recorded)
    until(lambda: recorded.trainer.state == "paused")
    until(lambda: len(looks) > 5)
    assert recorded.trainer.step == 2
    recorded.trainer.control.resume()
    assert recorded.ended()
    assert (recorded.trainer.state, recorded.trainer.step) == ("finished", 6)
    assert [(event["event"], event["step"]) for event in recorded.log.events] == [("pause", 2), ("resume", 2)]


def test_pauses_change_no_loss(experiment, training, trained, start, at_step):
    settings = {"config": {"dropout": 0.2}, "steps": 6}
    recorded = training(experiment("transformer", **settings))
    recorded.trainer._observers.append(at_step({2: recorded.trainer.control.pause}))
    start(recorded)
    until(lambda: recorded.trainer.state == "paused")
    recorded.trainer.control.resume()
    assert recorded.ended()
    assert recorded.exact == trained(experiment("transformer", **settings)).exact


def test_time_that_a_training_is_paused_is_no_training_time(experiment, training, start):
    recorded = training(experiment("transformer", steps=2))
    recorded.trainer.control.pause()
    start(recorded)
    until(lambda: recorded.trainer.state == "paused")
    assert recorded.trainer.seconds == 0


@pytest.mark.parametrize("steps", [1, 3])
def test_single_steps_are_made_and_then_it_is_paused_again(experiment, training, start, steps, looks):
    recorded = training(experiment("transformer", steps=20))
    recorded.trainer.control.pause()
    start(recorded)
    until(lambda: recorded.trainer.state == "paused")
    recorded.trainer.control.single_step(steps)
    until(lambda: recorded.trainer.step == steps and recorded.trainer.state == "paused")
    looks.clear()
    until(lambda: len(looks) > 5)
    assert recorded.trainer.step == steps


def test_single_steps_asked_of_a_running_training_pause_it_after_them(experiment, training, start):
    recorded = training(experiment("transformer", steps=20))
    recorded.trainer.control.single_step(4)
    start(recorded)
    until(lambda: recorded.trainer.state == "paused")
    assert recorded.trainer.step == 4


def test_less_than_one_single_step_is_refused():
    with pytest.raises(ValueError, match="steps must be at least 1"):
        Control().single_step(0)


def test_resume_ends_single_stepping(experiment, training, start):
    recorded = training(experiment("transformer", steps=6))
    recorded.trainer.control.single_step(2)
    recorded.trainer.control.resume()
    start(recorded)
    assert recorded.ended()
    assert recorded.trainer.state == "finished"


def test_a_stop_ends_the_training_at_the_next_step_boundary(experiment, training, at_step):
    recorded = training(experiment("transformer", steps=50))
    recorded.trainer._observers.append(at_step({3: recorded.trainer.control.stop}))
    recorded.run()
    assert (recorded.trainer.state, recorded.trainer.step) == ("stopped", 3)
    assert recorded.trainer.problem is None
    assert recorded.log.of("stop") == [{"event": "stop", "step": 3}]


def test_a_stop_while_paused_ends_the_training(experiment, training, start):
    recorded = training(experiment("transformer", steps=50))
    recorded.trainer.control.pause()
    start(recorded)
    until(lambda: recorded.trainer.state == "paused")
    recorded.trainer.control.stop()
    assert recorded.ended(5)
    assert (recorded.trainer.state, recorded.trainer.step) == ("stopped", 0)


def test_a_stop_before_it_began_ends_it_at_once(experiment, training):
    recorded = training(experiment("transformer", steps=50))
    recorded.trainer.control.stop()
    recorded.run()
    assert (recorded.trainer.state, recorded.trainer.step) == ("stopped", 0)


def test_a_stopped_training_is_evaluated_in_part_and_not_twice(experiment, training, at_step, source):
    settings = {"steps": 50, "validation": source(300, "windows"), "evaluate_tokens": 24, "evaluate_every": 2}
    recorded = training(experiment("transformer", **settings))
    recorded.trainer._observers.append(at_step({4: recorded.trainer.control.stop}))
    recorded.run()
    assert list(recorded.series["validation loss"]) == [2, 4]
    assert recorded.trainer.evaluation.part == "23 targets"  # the second window is the short last one


def test_an_order_given_while_paused_is_followed_while_paused(experiment, training, start):
    recorded = training(experiment("transformer", steps=50))
    recorded.trainer.control.pause()
    start(recorded)
    recorded.trainer.control.set("training.clip", 0.25)
    until(lambda: recorded.log.of("set"))
    assert recorded.trainer.learner.training.clip == 0.25
    assert recorded.trainer.state == "paused"


# ---- snapshots ----


def test_a_paused_training_gives_a_copy_of_its_model_at_once(experiment, training, start, same):
    recorded = training(experiment("transformer", steps=50))
    take = recorded.trainer.control.take
    recorded.trainer.control.take = lambda seconds=None: take(seconds and 60)  # woken, not at its next poll
    recorded.trainer.control.single_step(3)
    start(recorded)
    until(lambda: recorded.trainer.state == "paused")
    copied = recorded.trainer.request_copy(ModelCopy())
    model = copied.wait(30)
    assert copied.step == 3
    assert model is not recorded.trainer.model
    assert not model.training
    same(model.tables(), recorded.trainer.model.tables())


@pytest.mark.parametrize("ended", [False, True])
def test_a_training_that_does_not_run_gives_a_copy_too(experiment, training, same, ended):
    recorded = training(experiment("transformer", steps=2))
    if ended:
        recorded.run()
    same(recorded.trainer.request_copy(ModelCopy()).wait(1).tables(), recorded.trainer.model.tables())


def test_a_copy_is_unchanged_while_the_training_continues_and_is_updated_on_request(
    experiment, training, same, at_step
):
    recorded = training(experiment("recurrent", config={"dropout": 0.1}, steps=6))
    copied, early = ModelCopy(), {}
    trainer = recorded.trainer

    def request():
        early.update({name: table.clone() for name, table in trainer.model.tables().items()})
        trainer.request_copy(copied)

    trainer._observers.append(at_step({2: request}))
    trainer.control.set("architecture.dropout", 0.4)
    recorded.run()
    model = copied.wait(1)
    same(model.tables(), early)
    trainer.request_copy(copied)
    assert copied.wait(1) is model
    same(model.tables(), trainer.model.tables())
    assert model.config.dropout == 0.4


@pytest.mark.parametrize("path", ["dropout", "gate.openness"])
def test_a_copy_follows_live_edits_also_in_configs_its_modules_hold_on_to(experiment, training, path):
    recorded = training(experiment("recurrent", steps=2))
    copied = recorded.trainer.request_copy(ModelCopy())
    model = copied.wait(1)
    inner = model.config.gate
    recorded.trainer.learner.set_live(f"architecture.{path}", 0.25)
    assert (model.config.dropout, inner.openness) == (0, 1)
    recorded.trainer.request_copy(copied).wait(1)
    assert model.config.gate is inner
    assert 0.25 in (model.config.dropout, inner.openness)


def test_a_copy_of_a_counting_model_is_not_changed_by_further_counting(experiment, training, source, same):
    recorded = training(experiment("n-gram", train=source(9000)))
    recorded.trainer.learner.make_step(0)
    model = recorded.trainer.request_copy(ModelCopy()).wait(1)
    before = {name: table.clone() for name, table in model.tables().items()}
    recorded.trainer.learner.make_step(1)
    same(model.tables(), before)
    assert recorded.trainer.model.tables()["counts.1"].sum() > before["counts.1"].sum()


def test_a_copy_for_which_there_is_no_memory_is_refused_and_the_training_continues(experiment, training, start):
    recorded = training(experiment("transformer", steps=4))

    class Full(ModelCopy):
        def take(self, model, step):
            raise MemoryError

    refused = recorded.trainer.request_copy(Full())
    with pytest.raises(Exception, match="Copying the model failed"):
        refused.wait(1)
    recorded.trainer.control.pause()
    start(recorded)
    until(lambda: recorded.trainer.state == "paused")
    again = recorded.trainer.request_copy(Full())
    with pytest.raises(Exception, match="MemoryError"):
        again.wait(2)
    recorded.trainer.control.resume()
    assert recorded.ended()
    assert recorded.trainer.state == "finished"


def test_waiting_for_a_training_that_does_not_come_to_a_boundary_ends_in_words():
    with pytest.raises(Exception, match="did not finish a step"):
        ModelCopy().wait(0.01)
