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
    reported = trained(made, control=control, observers=[edit])
    assert reported.values("learning rate") == [0.01] * 3 + [0.002] * 3


def test_an_edit_is_logged_with_its_step_and_both_values(experiment, trained, at_step):
    control = Control()
    edit = at_step({3: lambda: control.set("training.optimizer.learning_rate", 0.002)})
    reported = trained(experiment("transformer", steps=6), control=control, observers=[edit])
    assert reported.log.events == [
        {"event": "set", "step": 3, "path": "training.optimizer.learning_rate", "value": 0.002, "before": 0.01}
    ]


def test_a_weight_decay_set_live_reaches_matrices_and_spares_vectors(experiment, trained):
    made = experiment("transformer", steps=1)
    control = Control()
    control.set("training.optimizer.weight_decay", 0.7)
    reported = trained(made, control=control)
    assert [group["weight_decay"] for group in reported.trainer.learner.optimizer.param_groups] == [0.7, 0.0]
    assert reported.log.events[0]["before"] == 0.1


def test_a_momentum_set_live_reaches_the_optimizer(experiment, trained):
    control = Control()
    control.set("training.optimizer.momentum", 0.5)
    reported = trained(experiment("transformer", optimizer="sgd", steps=1), control=control)
    assert {group["momentum"] for group in reported.trainer.learner.optimizer.param_groups} == {0.5}


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
    reported = trained(experiment("recurrent", steps=1), control=control)
    assert reported.log.events[0]["before"] == 1.0
    assert reported.trainer.model.config.gate.openness == 0


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
    reported = trained(experiment("transformer", config={"dropout": 0.1}, steps=3), control=control)
    plain = trained(experiment("transformer", config={"dropout": 0.1}, steps=3))
    assert reported.trainer.state == "finished"
    assert reported.exact == plain.exact
    assert [(event["event"], event["step"]) for event in reported.log.events] == [("problem", 0)]
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
    reported = trained(experiment("n-gram"), control=control)
    assert reported.trainer.state == "finished"
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
    reported = training(experiment("transformer", steps=6))
    reported.trainer._observers.append(at_step({2: reported.trainer.control.pause}))
    began(reported)
    until(lambda: reported.trainer.state == "paused")
    time.sleep(0.05)
    assert reported.trainer.step == 2
    reported.trainer.control.resume()
    assert reported.ended()
    assert (reported.trainer.state, reported.trainer.step) == ("finished", 6)
    assert [(event["event"], event["step"]) for event in reported.log.events] == [("pause", 2), ("resume", 2)]


def test_pauses_change_no_loss(experiment, training, trained, began, at_step):
    settings = {"config": {"dropout": 0.2}, "steps": 6}
    reported = training(experiment("transformer", **settings))
    reported.trainer._observers.append(at_step({2: reported.trainer.control.pause}))
    began(reported)
    until(lambda: reported.trainer.state == "paused")
    reported.trainer.control.resume()
    assert reported.ended()
    assert reported.exact == trained(experiment("transformer", **settings)).exact


def test_time_that_a_training_is_paused_is_no_training_time(experiment, training, began):
    reported = training(experiment("transformer", steps=2))
    reported.trainer.control.pause()
    began(reported)
    until(lambda: reported.trainer.state == "paused")
    assert reported.trainer.seconds == 0


@pytest.mark.parametrize("steps", [1, 3])
def test_single_steps_are_made_and_then_it_is_paused_again(experiment, training, began, steps):
    reported = training(experiment("transformer", steps=20))
    reported.trainer.control.pause()
    began(reported)
    until(lambda: reported.trainer.state == "paused")
    reported.trainer.control.single_step(steps)
    until(lambda: reported.trainer.step == steps and reported.trainer.state == "paused")
    time.sleep(0.05)
    assert reported.trainer.step == steps


def test_single_steps_asked_of_a_running_training_pause_it_after_them(experiment, training, began):
    reported = training(experiment("transformer", steps=20))
    reported.trainer.control.single_step(4)
    began(reported)
    until(lambda: reported.trainer.state == "paused")
    assert reported.trainer.step == 4


def test_less_than_one_single_step_is_refused():
    with pytest.raises(ValueError, match="at least one"):
        Control().single_step(0)


def test_resume_ends_single_stepping(experiment, training, began):
    reported = training(experiment("transformer", steps=6))
    reported.trainer.control.single_step(2)
    reported.trainer.control.resume()
    began(reported)
    assert reported.ended()
    assert reported.trainer.state == "finished"


def test_a_stop_ends_the_training_at_the_next_step_boundary(experiment, training, at_step):
    reported = training(experiment("transformer", steps=50))
    reported.trainer._observers.append(at_step({3: reported.trainer.control.stop}))
    reported.run()
    assert (reported.trainer.state, reported.trainer.step) == ("stopped", 3)
    assert reported.trainer.problem is None
    assert reported.log.of("stop") == [{"event": "stop", "step": 3}]


def test_a_stop_while_paused_ends_the_training(experiment, training, began):
    reported = training(experiment("transformer", steps=50))
    reported.trainer.control.pause()
    began(reported)
    until(lambda: reported.trainer.state == "paused")
    reported.trainer.control.stop()
    assert reported.ended(5)
    assert (reported.trainer.state, reported.trainer.step) == ("stopped", 0)


def test_a_stop_before_it_began_ends_it_at_once(experiment, training):
    reported = training(experiment("transformer", steps=50))
    reported.trainer.control.stop()
    reported.run()
    assert (reported.trainer.state, reported.trainer.step) == ("stopped", 0)


def test_a_stopped_training_is_evaluated_in_part_and_not_twice(experiment, training, at_step, source):
    settings = {"steps": 50, "validation": source(300, "windows"), "evaluate_tokens": 24, "evaluate_every": 2}
    reported = training(experiment("transformer", **settings))
    reported.trainer._observers.append(at_step({4: reported.trainer.control.stop}))
    reported.run()
    assert list(reported.series["validation loss"]) == [2, 4]
    assert reported.trainer.evaluation.part == "23 targets"  # the second window is the short last one


def test_an_order_given_while_paused_is_followed_while_paused(experiment, training, began):
    reported = training(experiment("transformer", steps=50))
    reported.trainer.control.pause()
    began(reported)
    reported.trainer.control.set("training.clip", 0.25)
    until(lambda: reported.log.of("set"))
    assert reported.trainer.learner.training.clip == 0.25
    assert reported.trainer.state == "paused"


# ---- snapshots ----


def test_a_paused_training_gives_a_copy_of_its_model_at_once(experiment, training, began, same):
    reported = training(experiment("transformer", steps=50))
    reported.trainer.control.single_step(3)
    began(reported)
    until(lambda: reported.trainer.state == "paused")
    before = time.monotonic()
    snapshot = reported.trainer.snapshot(Snapshot())
    model = snapshot.wait(5)
    assert time.monotonic() - before < 0.9  # woken, not at its next look
    assert snapshot.step == 3
    assert model is not reported.trainer.model
    assert not model.training
    same(model.tables(), reported.trainer.model.tables())


@pytest.mark.parametrize("ended", [False, True])
def test_a_training_that_does_not_run_gives_a_copy_too(experiment, training, same, ended):
    reported = training(experiment("transformer", steps=2))
    if ended:
        reported.run()
    same(reported.trainer.snapshot(Snapshot()).wait(1).tables(), reported.trainer.model.tables())


def test_a_copy_stands_still_while_the_training_goes_on_and_is_brought_up_to_date_when_asked(
    experiment, training, same, at_step
):
    reported = training(experiment("recurrent", config={"dropout": 0.1}, steps=6))
    snapshot, early = Snapshot(), {}
    trainer = reported.trainer

    def look():
        early.update({name: table.clone() for name, table in trainer.model.tables().items()})
        trainer.snapshot(snapshot)

    trainer._observers.append(at_step({2: look}))
    trainer.control.set("architecture.dropout", 0.4)
    reported.run()
    model = snapshot.wait(1)
    same(model.tables(), early)
    trainer.snapshot(snapshot)
    assert snapshot.wait(1) is model
    same(model.tables(), trainer.model.tables())
    assert model.config.dropout == 0.4


@pytest.mark.parametrize("path", ["dropout", "gate.openness"])
def test_a_copy_follows_live_edits_also_in_configs_its_modules_hold_on_to(experiment, training, path):
    reported = training(experiment("recurrent", steps=2))
    snapshot = reported.trainer.snapshot(Snapshot())
    model = snapshot.wait(1)
    inner = model.config.gate
    reported.trainer.learner.set_live(f"architecture.{path}", 0.25)
    assert (model.config.dropout, inner.openness) == (0, 1)
    reported.trainer.snapshot(snapshot).wait(1)
    assert model.config.gate is inner
    assert 0.25 in (model.config.dropout, inner.openness)


def test_a_copy_of_a_counting_model_is_not_changed_by_further_counting(experiment, training, source, same):
    reported = training(experiment("n-gram", train=source(9000)))
    reported.trainer.learner.make_step(0)
    model = reported.trainer.snapshot(Snapshot()).wait(1)
    before = {name: table.clone() for name, table in model.tables().items()}
    reported.trainer.learner.make_step(1)
    same(model.tables(), before)
    assert reported.trainer.model.tables()["counts.1"].sum() > before["counts.1"].sum()


def test_a_copy_for_which_there_is_no_memory_is_refused_and_the_training_goes_on(experiment, training, began):
    reported = training(experiment("transformer", steps=4))

    class Full(Snapshot):
        def take(self, model, step):
            raise MemoryError

    refused = reported.trainer.snapshot(Full())
    with pytest.raises(Exception, match="Copying the model failed"):
        refused.wait(1)
    reported.trainer.control.pause()
    began(reported)
    until(lambda: reported.trainer.state == "paused")
    again = reported.trainer.snapshot(Full())
    with pytest.raises(Exception, match="MemoryError"):
        again.wait(2)
    reported.trainer.control.resume()
    assert reported.ended()
    assert reported.trainer.state == "finished"


def test_waiting_for_a_training_that_does_not_come_to_a_boundary_ends_in_words():
    with pytest.raises(Exception, match="did not come to the end of a step"):
        Snapshot().wait(0.01)
