"""On the processor a training is a pure function of its recipe, however it is cut, resumed or observed."""

import contextlib
import threading

import numpy as np
import pytest
import torch

from lab.api import Reading, capture
from lab.decoding.builtins import SamplingConfig
from lab.decoding.strategies import Sampling
from lab.decoding.stream import generate
from lab.training.recording.checkpoints import load_model_tables, load_training, save_checkpoint
from lab.training.recording.model_copy import ModelCopy
from lab.training.steps import gradient

KINDS = {
    "dropout and AdamW": {"build": "transformer", "config": {"dropout": 0.3}},
    "SGD with momentum": {"build": "transformer", "config": {"dropout": 0.1}, "optimizer": "sgd", "momentum": 0.9},
    "SGD with Nesterov's": {"build": "transformer", "optimizer": "sgd", "momentum": 0.9, "nesterov": True},
    "accumulation": {"build": "transformer", "config": {"dropout": 0.2}, "accumulation": 3},
    "masked": {"build": "bidirectional", "objective": "masked", "config": {"dropout": 0.2}},
    "carried state": {"build": "recurrent", "objective": "carried", "config": {"dropout": 0.3}},
    "carried state in pieces": {"build": "recurrent", "objective": "carried", "accumulation": 3},
    "epochs": {"build": "transformer", "order": "epochs"},
    "averaged weights": {"build": "transformer", "average": 6},
    "cosine": {"build": "transformer", "schedule": "cosine", "warmup": 3},
    "EMA": {"build": "transformer", "averaging": "ema", "average_decay": 0.8},
    "SWA": {"build": "transformer", "averaging": "swa", "average": 6, "average_every": 2},
    "noise and L1": {"build": "transformer", "gradient_noise": 0.3, "l1": 1e-4, "clip_by": "adaptive", "clip": 0.1},
    "growing batches and contexts": {"batch_warmup": 6, "batch_start": 2, "context_warmup": 5, "context_start": 3},
    "blocks left out": {"build": "transformer", "config": {"layer_dropout": 0.5, "layers": 2}},
    "one cycle with its momentum": {"schedule": "one-cycle", "cycle_momentum": True, "optimizer": "sgd"},
    "schedule-free": {"optimizer": "schedule-free", "warmup": 2, "averaging": "ema"},
    "L-BFGS": {"optimizer": "lbfgs", "order": "epochs"},
    "Sophia with a carried state": {
        "build": "recurrent",
        "objective": "carried",
        "accumulation": 2,
        "optimizer": "sophia",
        "every": 3,
    },
}
N = 4


@pytest.fixture(params=KINDS)
def kind(request, experiment):
    """Return a function that makes the same experiment again and again."""
    return lambda **more: experiment(**{"steps": 2 * N, **KINDS[request.param], **more})


def stop_after(recorded, step, at_step):
    recorded.trainer._observers.append(at_step({step: recorded.trainer.control.stop}))
    return recorded.run()


def behind(exact, step):
    return {name: {s: v for s, v in values.items() if s > step} for name, values in exact.items()}


@pytest.mark.short("carried state", "averaged weights", "Sophia with a carried state")
def test_a_training_resumed_by_another_trainer_continues_bit_for_bit(kind, training, at_step, saved_state, same):
    straight = training(kind()).run()
    first = stop_after(training(kind()), N, at_step)
    assert first.trainer.step == N
    second = training(kind())
    second.trainer.load_state_dict(*saved_state(first.trainer))
    second.run()
    assert second.trainer.step == 2 * N
    assert first.losses + second.losses == straight.losses
    assert second.exact == behind(straight.exact, N)
    same(second.weights(), straight.weights())
    assert second.trainer.tokens == straight.trainer.tokens


@pytest.mark.short(
    "dropout and AdamW",
    "SGD with momentum",
    "accumulation",
    "masked",
    "carried state in pieces",
    "epochs",
    "averaged weights",
    "cosine",
)
def test_a_training_continues_bit_for_bit_from_files(kind, training, at_step, same, tmp_path):
    straight = training(kind()).run()
    first = stop_after(training(kind()), N, at_step)
    tensors, facts = first.trainer.state_dict()
    folder = tmp_path / "checkpoints" / str(N)
    save_checkpoint(folder, model=first.trainer.model.tables(), training=tensors, facts=facts)
    second = training(kind())
    second.trainer.load_state_dict(load_model_tables(folder), *load_training(folder))
    second.run()
    assert second.exact == behind(straight.exact, N)
    same(second.weights(), straight.weights())


def test_a_training_that_ended_with_a_mean_gets_more_steps_as_if_there_were_none(experiment, training, tmp_path):
    plain = training(experiment(steps=2 * N)).run()
    first = training(experiment(steps=N, average=3)).run()
    assert first.trainer.state == "finished"
    tensors, facts = first.trainer.state_dict()
    folder = tmp_path / "checkpoints" / str(N)
    save_checkpoint(folder, model=first.trainer.model.tables(), training=tensors, facts=facts)
    second = training(experiment(steps=N, average=3))
    second.trainer.load_state_dict(load_model_tables(folder), *load_training(folder))
    second.trainer.change("training.steps", 2 * N)
    second.run()
    assert second.trainer.step == 2 * N
    assert first.losses + second.losses == plain.losses


class Historic(torch.optim.SGD):
    """Steps along the mean of the last two gradients, which it keeps in a list, as Shampoo keeps its factors."""

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state[p]
                state["last"] = [*state.get("last", [])[-1:], p.grad.clone()]
                state["count"] = state.get("count", 0) + 1
                with torch.no_grad():
                    p -= group["lr"] * sum(state["last"]) / len(state["last"])


def test_an_optimizer_whose_state_holds_lists_of_tensors_continues_bit_for_bit_from_files(
    experiment, training, at_step, same, tmp_path, monkeypatch
):
    monkeypatch.setattr(gradient, "optimizer_of", lambda card, groups, device: Historic(groups, lr=0.01))

    def made():
        return training(experiment("transformer", steps=2 * N))

    straight, first = made().run(), stop_after(made(), N, at_step)
    tensors, facts = first.trainer.state_dict()
    folder = tmp_path / "checkpoints" / str(N)
    save_checkpoint(folder, model=first.trainer.model.tables(), training=tensors, facts=facts)
    second = made()
    second.trainer.load_state_dict(load_model_tables(folder), *load_training(folder))
    second.run()
    assert second.exact == behind(straight.exact, N)
    same(second.weights(), straight.weights())


def test_a_resumed_training_shares_no_memory_with_its_origin(experiment, training, at_step, same):
    settings = {"build": "recurrent", "objective": "carried", "steps": 2 * N}
    first = stop_after(training(experiment(**settings)), N, at_step)
    tables, (tensors, facts) = first.trainer.model.tables(), first.trainer.state_dict()
    before = {name: tensor.clone() for name, tensor in {**tables, **tensors}.items()}
    second = training(experiment(**settings))
    second.trainer.load_state_dict(tables, tensors, facts)
    second.run()
    same({**tables, **tensors}, before)


@pytest.mark.parametrize("nested", [False, True])
def test_live_edits_are_kept_and_taken_up(experiment, training, at_step, saved_state, same, nested):
    path = "architecture.gate.openness" if nested else "architecture.dropout"
    settings = {"build": "recurrent", "steps": 2 * N}

    def edited():
        recorded = training(experiment(**settings))
        recorded.trainer.control.set(path, 0.5)
        recorded.trainer.control.set("training.clip", 0.1)
        recorded.trainer.control.set("training.optimizer.learning_rate", 0.003)
        return recorded

    straight, first = edited().run(), stop_after(edited(), N, at_step)
    second = training(experiment(**settings))
    second.trainer.load_state_dict(*saved_state(first.trainer))
    second.run()
    assert second.exact == behind(straight.exact, N)
    same(second.weights(), straight.weights())


def test_a_counting_model_continues_where_it_stopped(experiment, training, saved_state, same, source, start, at_step):
    train = source(20_000)
    straight = training(experiment("n-gram", train=train)).run()
    first = training(experiment("n-gram", train=train))
    first.trainer._observers.append(at_step({2: first.trainer.control.stop}))
    first.run()
    assert first.trainer.step == 2
    second = training(experiment("n-gram", train=train))
    second.trainer.load_state_dict(*saved_state(first.trainer))
    second.run()
    assert second.trainer.step == straight.trainer.step
    same(second.weights(), straight.weights())


# ---- the order of the data ----


class Watched:
    """A source that remembers which examples were requested, and with which seed."""

    def __init__(self, source):
        self.__dict__.update(vars(source))
        self._source, self.requested = source, []

    def rows(self, examples, seed):
        self.requested += [(int(example), seed) for example in examples]
        return self._source.rows(examples, seed)


@pytest.mark.parametrize("accumulation", [1, 3, 4, 8, 100])
def test_however_a_step_is_cut_it_reads_the_same_examples(experiment, training, source, accumulation):
    watched = Watched(source())
    recorded = training(
        experiment(
            "transformer",
            train=watched,
            steps=2,
            accumulation=accumulation,
            seed=5,
            readings={"tokens": 0, "gauges_every": 0},
        )
    )
    watched.requested.clear()  # what was checked before the first step
    recorded.run()
    assert watched.requested == [(example, 5) for example in range(16)]


def test_another_seed_reads_other_examples_and_begins_with_other_weights(experiment, trained):
    one, other = (trained(experiment("transformer", steps=1, seed=seed)) for seed in (0, 1))
    assert one.losses != other.losses
    assert not torch.equal(one.weights()["embedding.weight"], other.weights()["embedding.weight"])


def test_initial_weights_are_a_function_of_the_seed_alone(experiment, same):
    one = experiment("transformer").build()
    torch.rand(3)
    same(experiment("transformer").build().tables(), one.tables())


# ---- at the same time ----


def in_threads(*calls):
    threads = [threading.Thread(target=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_two_simultaneous_trainings_have_the_losses_of_each_alone(experiment, training):
    settings = [
        {"config": {"dropout": 0.3}, "seed": 1, "steps": 12},
        {"config": {"dropout": 0.1}, "seed": 2, "steps": 12},
    ]
    alone = [training(experiment(**some)).run().exact for some in settings]
    together = [training(experiment(**some)) for some in settings]
    in_threads(*(recorded.run for recorded in together))
    assert [recorded.exact for recorded in together] == alone


def test_watching_a_training_changes_nothing_of_it(experiment, training, start, source, tokenizer):
    settings = {"config": {"dropout": 0.3}, "steps": 25}
    alone = training(experiment(**settings)).run()

    readings, failed = {"tokens": 8, "moments": 6}, []
    watched = training(
        experiment(
            **settings, validation=source(300, "windows"), evaluate_every=4, readings=readings, tokenizer=tokenizer
        ),
        probes=[("a-plugin", noisy_probe)],
        plugin_failed=lambda *failure: failed.append(failure),
    )
    start(watched)
    copied, texts = ModelCopy(), 0
    while not watched.ended(0):
        model = watched.trainer.request_copy(copied).wait(20)
        with capture(model):
            model(torch.arange(5)[None])
        stream = generate(model, [1], strategy=Sampling(SamplingConfig()), seed=texts, symbols=11, count=5)
        texts += len(list(stream))
    assert texts > 0
    assert len(watched.values("validation loss")) == 7
    assert len(watched.log.snapshots) >= 5
    assert failed == []
    assert watched.exact == alone.exact
    for name, tensor in alone.weights().items():
        assert torch.equal(tensor, watched.weights()[name])


def noisy_probe(model, tokens):
    torch.rand(7)  # as a careless plugin does
    assert not torch.is_grad_enabled()
    return [Reading("logits", ("batch", "token", "vocabulary"), model(tokens).numpy())]


def test_evaluation_leaves_mode_gradients_and_random_state_as_they_were(experiment, training, source):
    trainer = training(experiment("recurrent", config={"dropout": 0.5}, validation=source(200, "windows"))).trainer
    state = torch.default_generator.get_state()
    trainer.periodic.evaluate(0)
    assert torch.equal(torch.default_generator.get_state(), state)
    assert all(module.training for module in trainer.model.modules())
    assert torch.is_grad_enabled()
    assert all(parameter.grad is None for parameter in trainer.model.parameters())


def test_a_failing_evaluation_leaves_the_model_in_training_mode(experiment, training, source):
    trainer = training(experiment("recurrent", validation=source(200, "windows"))).trainer
    trainer.model.score = lambda *_: 1 / 0
    with contextlib.suppress(ZeroDivisionError):
        trainer.periodic.evaluate(0)
    assert trainer.model.training


def test_every_step_has_its_own_draws(experiment, trained, source):
    class Same:
        def __init__(self):
            self.__dict__.update(vars(source()))

        def rows(self, examples, seed):
            return source().rows(examples * 0, seed)

    losses = trained(experiment("transformer", train=Same(), config={"dropout": 0.5}, learning_rate=1e-9)).losses
    assert len(set(losses)) == len(losses) == 8


def test_a_steps_draws_do_not_depend_on_what_was_drawn_before(experiment, trained, at_step):
    settings = {"config": {"dropout": 0.5}, "steps": 3}
    draws = at_step({1: lambda: torch.rand(100), 2: lambda: torch.manual_seed(np.random.default_rng().integers(99))})
    assert trained(experiment(**settings), observers=[draws]).exact == trained(experiment(**settings)).exact


def test_an_optimizer_that_computes_the_loss_several_times_reads_each_token_once(experiment, training):
    def tokens(optimizer):
        return training(experiment("transformer", optimizer=optimizer, order="epochs", steps=2)).run().trainer.tokens

    assert tokens("lbfgs") == tokens("adamw")
