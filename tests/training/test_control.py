"""Orders to a running training: live edits, pause, resume, single steps, stop; what they change and cannot."""

import time

import pytest
import torch

from lab.base import BadInput
from lab.training.control import Control
from lab.training.recording.snapshot import Snapshot


def until(condition, seconds=10):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(0.002)


# ---- live edits ----


def test_a_learning_rate_set_between_two_steps_counts_from_the_next_one(experiment, trained, at_step):
    made = experiment("transformer", steps=6, learning_rate=0.01)
    control = Control()
    edit = at_step({3: lambda: control.set("training.optimizer.learning_rate", 0.002)})
    told = trained(made, control=control, observers=[edit])
    assert told.values("learning rate") == [0.01] * 3 + [0.002] * 3


def test_an_edit_is_logged_with_its_step_and_both_values(experiment, trained, at_step):
    control = Control()
    edit = at_step({3: lambda: control.set("training.optimizer.learning_rate", 0.002)})
    told = trained(experiment("transformer", steps=6), control=control, observers=[edit])
    assert told.log.events == [
        {"event": "set", "step": 3, "path": "training.optimizer.learning_rate", "value": 0.002, "before": 0.01}
    ]


def test_a_weight_decay_set_live_reaches_matrices_and_spares_vectors(experiment, trained):
    made = experiment("transformer", steps=1)
    control = Control()
    control.set("training.optimizer.weight_decay", 0.7)
    told = trained(made, control=control)
    assert [group["weight_decay"] for group in told.trainer.learner.optimizer.param_groups] == [0.7, 0.0]
    assert told.log.events[0]["before"] == 0.1


def test_a_momentum_set_live_reaches_the_optimizer(experiment, trained):
    control = Control()
    control.set("training.optimizer.momentum", 0.5)
    told = trained(experiment("transformer", optimizer="sgd", steps=1), control=control)
    assert {group["momentum"] for group in told.trainer.learner.optimizer.param_groups} == {0.5}


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
    told = trained(experiment("recurrent", steps=1), control=control)
    assert told.log.events[0]["before"] == 1.0
    assert told.trainer.model.config.gate.openness == 0


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


@pytest.mark.parametrize("what", REFUSED)
def test_an_edit_that_cannot_be_is_a_notice_that_names_the_field_and_changes_nothing(
    experiment, trained, notices, what
):
    path, value = REFUSED[what]
    control = Control()
    control.set(path, value)
    told = trained(experiment("transformer", config={"dropout": 0.1}, steps=3), control=control)
    plain = trained(experiment("transformer", config={"dropout": 0.1}, steps=3))
    assert told.trainer.state == "finished"
    assert told.exact == plain.exact
    assert [(event["event"], event["step"]) for event in told.log.events] == [("problem", 0)]
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
    told = trained(experiment("n-gram"), control=control)
    assert told.trainer.state == "finished"
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


def test_a_paused_training_makes_no_step_until_it_is_resumed(experiment, training, began, at_step):
    told = training(experiment("transformer", steps=6))
    told.trainer._observers.append(at_step({2: told.trainer.control.pause}))
    began(told)
    until(lambda: told.trainer.state == "paused")
    time.sleep(0.05)
    assert told.trainer.step == 2
    told.trainer.control.resume()
    assert told.ended()
    assert (told.trainer.state, told.trainer.step) == ("finished", 6)
    assert [(event["event"], event["step"]) for event in told.log.events] == [("pause", 2), ("resume", 2)]


def test_pauses_change_no_loss(experiment, training, trained, began, at_step):
    settings = {"config": {"dropout": 0.2}, "steps": 6}
    told = training(experiment("transformer", **settings))
    told.trainer._observers.append(at_step({2: told.trainer.control.pause}))
    began(told)
    until(lambda: told.trainer.state == "paused")
    told.trainer.control.resume()
    assert told.ended()
    assert told.exact == trained(experiment("transformer", **settings)).exact


def test_time_that_a_training_is_paused_is_no_training_time(experiment, training, began):
    told = training(experiment("transformer", steps=2))
    told.trainer.control.pause()
    began(told)
    until(lambda: told.trainer.state == "paused")
    assert told.trainer.seconds == 0


@pytest.mark.parametrize("steps", [1, 3])
def test_single_steps_are_made_and_then_it_is_paused_again(experiment, training, began, steps):
    told = training(experiment("transformer", steps=20))
    told.trainer.control.pause()
    began(told)
    until(lambda: told.trainer.state == "paused")
    told.trainer.control.single_step(steps)
    until(lambda: told.trainer.step == steps and told.trainer.state == "paused")
    time.sleep(0.05)
    assert told.trainer.step == steps


def test_single_steps_asked_of_a_running_training_pause_it_after_them(experiment, training, began):
    told = training(experiment("transformer", steps=20))
    told.trainer.control.single_step(4)
    began(told)
    until(lambda: told.trainer.state == "paused")
    assert told.trainer.step == 4


def test_less_than_one_single_step_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        Control().single_step(0)


def test_resume_ends_single_stepping(experiment, training, began):
    told = training(experiment("transformer", steps=6))
    told.trainer.control.single_step(2)
    told.trainer.control.resume()
    began(told)
    assert told.ended()
    assert told.trainer.state == "finished"


def test_a_stop_ends_the_training_at_the_next_step_boundary(experiment, training, at_step):
    told = training(experiment("transformer", steps=50))
    told.trainer._observers.append(at_step({3: told.trainer.control.stop}))
    told.run()
    assert (told.trainer.state, told.trainer.step) == ("stopped", 3)
    assert told.trainer.problem is None
    assert told.log.of("stop") == [{"event": "stop", "step": 3}]


def test_a_stop_while_paused_ends_the_training(experiment, training, began):
    told = training(experiment("transformer", steps=50))
    told.trainer.control.pause()
    began(told)
    until(lambda: told.trainer.state == "paused")
    told.trainer.control.stop()
    assert told.ended(5)
    assert (told.trainer.state, told.trainer.step) == ("stopped", 0)


def test_a_stop_before_it_began_ends_it_at_once(experiment, training):
    told = training(experiment("transformer", steps=50))
    told.trainer.control.stop()
    told.run()
    assert (told.trainer.state, told.trainer.step) == ("stopped", 0)


def test_a_stopped_training_is_evaluated_in_part_and_not_twice(experiment, training, at_step, source):
    settings = {"steps": 50, "validation": source(300, "windows"), "evaluate_tokens": 24, "evaluate_every": 2}
    told = training(experiment("transformer", **settings))
    told.trainer._observers.append(at_step({4: told.trainer.control.stop}))
    told.run()
    assert list(told.series["validation loss"]) == [2, 4]
    assert told.trainer.evaluation.part == "23 targets"  # the second window is the short last one


def test_an_order_given_while_paused_is_followed_while_paused(experiment, training, began):
    told = training(experiment("transformer", steps=50))
    told.trainer.control.pause()
    began(told)
    told.trainer.control.set("training.clip", 0.25)
    until(lambda: told.log.of("set"))
    assert told.trainer.learner.training.clip == 0.25
    assert told.trainer.state == "paused"


# ---- snapshots ----


def test_a_paused_training_gives_a_copy_of_its_model_at_once(experiment, training, began, same):
    told = training(experiment("transformer", steps=50))
    told.trainer.control.single_step(3)
    began(told)
    until(lambda: told.trainer.state == "paused")
    before = time.monotonic()
    snapshot = told.trainer.snapshot(Snapshot())
    model = snapshot.wait(5)
    assert time.monotonic() - before < 0.9  # woken, not at its next look
    assert snapshot.step == 3
    assert model is not told.trainer.model
    assert not model.training
    same(model.tables(), told.trainer.model.tables())


@pytest.mark.parametrize("ended", [False, True])
def test_a_training_that_does_not_run_gives_a_copy_too(experiment, training, same, ended):
    told = training(experiment("transformer", steps=2))
    if ended:
        told.run()
    same(told.trainer.snapshot(Snapshot()).wait(1).tables(), told.trainer.model.tables())


def test_a_copy_stands_still_while_the_training_goes_on_and_is_brought_up_to_date_when_asked(
    experiment, training, same, at_step
):
    told = training(experiment("recurrent", config={"dropout": 0.1}, steps=6))
    snapshot, early = Snapshot(), {}
    trainer = told.trainer

    def look():
        early.update({name: table.clone() for name, table in trainer.model.tables().items()})
        trainer.snapshot(snapshot)

    trainer._observers.append(at_step({2: look}))
    trainer.control.set("architecture.dropout", 0.4)
    told.run()
    model = snapshot.wait(1)
    same(model.tables(), early)
    trainer.snapshot(snapshot)
    assert snapshot.wait(1) is model
    same(model.tables(), trainer.model.tables())
    assert model.config.dropout == 0.4


@pytest.mark.parametrize("path", ["dropout", "gate.openness"])
def test_a_copy_follows_live_edits_also_in_configs_its_modules_hold_on_to(experiment, training, path):
    told = training(experiment("recurrent", steps=2))
    snapshot = told.trainer.snapshot(Snapshot())
    model = snapshot.wait(1)
    inner = model.config.gate
    told.trainer.learner.set_live(f"architecture.{path}", 0.25)
    assert (model.config.dropout, inner.openness) == (0, 1)
    told.trainer.snapshot(snapshot).wait(1)
    assert model.config.gate is inner
    assert 0.25 in (model.config.dropout, inner.openness)


def test_a_copy_of_a_counting_model_is_not_changed_by_further_counting(experiment, training, source, same):
    told = training(experiment("n-gram", train=source(9000)))
    told.trainer.learner.make_step(0)
    model = told.trainer.snapshot(Snapshot()).wait(1)
    before = {name: table.clone() for name, table in model.tables().items()}
    told.trainer.learner.make_step(1)
    same(model.tables(), before)
    assert told.trainer.model.tables()["counts.1"].sum() > before["counts.1"].sum()


def test_a_copy_for_which_there_is_no_memory_is_refused_and_the_training_goes_on(experiment, training, began):
    told = training(experiment("transformer", steps=4))

    class Full(Snapshot):
        def take(self, model, step):
            raise MemoryError

    refused = told.trainer.snapshot(Full())
    with pytest.raises(Exception, match="Copying the model failed"):
        refused.wait(1)
    told.trainer.control.pause()
    began(told)
    until(lambda: told.trainer.state == "paused")
    again = told.trainer.snapshot(Full())
    with pytest.raises(Exception, match="MemoryError"):
        again.wait(2)
    told.trainer.control.resume()
    assert told.ended()
    assert told.trainer.state == "finished"


def test_waiting_for_a_training_that_does_not_come_to_a_boundary_ends_in_words():
    with pytest.raises(Exception, match="did not come to the end of a step"):
        Snapshot().wait(0.01)
