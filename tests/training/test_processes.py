"""Several processes train one run: as one process trains it with the whole batch, whatever their number."""

import json
import multiprocessing
import os
import time
import warnings

import pytest
import torch

from lab.base import BadInput
from lab.training import processes
from lab.training.processes import Processes, join, leave_others, whole
from lab.training.recording.checkpoints import copied, load_model_tables, load_training, save_checkpoint

STEPS = 6
KINDS = {
    "AdamW": {},
    "accumulation": {"accumulation": 2},
    "SGD with momentum": {"optimizer": "sgd", "momentum": 0.9},
    "two blocks and clipping": {"config": {"layers": 2}, "clip": 0.1},
    "masked": {"build": "bidirectional", "objective": "masked"},
    "not a stack": {"build": "fused"},
}


def in_processes(folder, size, work, way="replicate"):
    """Call a function in so many processes that are joined; return what the leading one returns, plain data."""
    context = multiprocessing.get_context("fork")  # torch is imported already, and no thread of it runs
    rendezvous, result = folder / f"rendezvous {time.monotonic_ns()}", folder / "result.json"

    def child(rank):
        variables = {"RANK": rank, "WORLD_SIZE": size, "LOCAL_RANK": rank}
        os.environ.update({name: str(value) for name, value in variables.items()})
        make = torch.distributed.init_process_group
        torch.distributed.init_process_group = lambda backend, timeout: make(
            backend, timeout=timeout, init_method=f"file://{rendezvous}", rank=rank, world_size=size
        )
        found = work(join(way))
        if rank == 0:
            result.write_text(json.dumps(found))
        leave_others()
        os._exit(0)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a fork beside other threads
        children = [context.Process(target=child, args=(rank,)) for rank in range(size)]
        for each in children:
            each.start()
    for each in children:
        each.join(60)
    assert [each.exitcode for each in children] == [0] * size
    return json.loads(result.read_text())


def train(training, made, shared, *, loads=None, stops=None):
    """Train an experiment in a joined process; return its losses, and the weights at the end."""
    made.processes = shared
    recorded = training(made)
    if loads is not None:
        tensors, facts = load_training(loads)
        if not shared.leads:
            assert shared.led(None)["loads"]  # as of `train_beside`
        recorded.trainer.load_state_dict(load_model_tables(loads), tensors, facts)
    recorded.run()
    assert recorded.trainer.problem is None, recorded.trainer.problem
    weights = {name: whole(table).tolist() for name, table in recorded.trainer.model.tables().items()}
    return {"losses": recorded.losses, "weights": weights, "validation": recorded.trainer._evaluated_loss,
            "tokens": recorded.trainer.tokens}  # fmt: skip


@pytest.fixture
def like_one(tmp_path, training, experiment):
    """Compare a training in two processes with one in this process."""

    def like_one(way, **settings):
        settings = {"steps": STEPS, **settings}
        alone = train(training, experiment(**settings), Processes())
        both = in_processes(tmp_path, 2, lambda shared: train(training, experiment(**settings), shared), way)
        assert len(both["losses"]) == STEPS
        assert both["losses"] == pytest.approx(alone["losses"], abs=1e-6)
        assert both["validation"] == pytest.approx(alone["validation"], abs=1e-6)
        assert both["tokens"] == alone["tokens"]
        for name, table in alone["weights"].items():
            torch.testing.assert_close(torch.tensor(both["weights"][name]), torch.tensor(table), atol=2e-5, rtol=0)

    return like_one


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.short("accumulation")
def test_two_replicas_have_the_losses_of_one_process_with_the_summed_batch(like_one, kind):
    like_one("replicate", **KINDS[kind])


@pytest.mark.parametrize("kind", list(KINDS))
@pytest.mark.short("two blocks and clipping")
def test_two_processes_with_parts_of_the_weights_have_the_losses_of_one(like_one, kind):
    like_one("shard", **KINDS[kind])


@pytest.mark.parametrize("way", ["replicate", "shard"])
def test_a_training_is_resumed_by_another_number_of_processes(tmp_path, training, experiment, way):
    def first_half(shared):
        made = experiment(steps=2 * STEPS)
        made.processes = shared
        recorded = training(made)
        trainer = recorded.trainer
        for _ in range(STEPS):
            trainer.advance()
        tensors, facts = trainer.state_dict()
        facts["seconds"] = 0.0
        with trainer.learner.gathered():
            tables = copied(trainer.model.tables())
            if shared.leads:
                save_checkpoint(tmp_path / "checkpoint", model=tables, training=tensors, facts=facts)
            shared.led(None)
        return recorded.losses

    in_processes(tmp_path, 2, first_half, way)
    straight = train(training, experiment(steps=2 * STEPS), Processes())

    def second_half(shared):
        return train(training, experiment(steps=2 * STEPS), shared, loads=tmp_path / "checkpoint")

    for found in (second_half(Processes()), in_processes(tmp_path, 3, second_half, way)):
        assert found["losses"] == pytest.approx(straight["losses"][STEPS:], abs=1e-6)
        assert found["validation"] == pytest.approx(straight["validation"], abs=1e-6)


def test_the_leading_process_alone_records_and_evaluates(tmp_path, training, experiment, monkeypatch):
    def work(shared):
        made = experiment(steps=2, evaluate_every=1)
        made.processes = shared
        evaluated = []
        recorded = training(made)
        evaluate = recorded.trainer.periodic.evaluate
        monkeypatch.setattr(
            recorded.trainer.periodic, "evaluate", lambda *given: (evaluated.append(1), evaluate(*given))[1]
        )
        recorded.run()
        return [int(count) for count in _gather(shared, len(evaluated))]

    counts = in_processes(tmp_path, 2, work)
    assert counts[0] == 2
    assert counts[1] == 0


def _gather(shared, number):
    """Return a number of each process."""
    each = [torch.zeros(1) for _ in range(shared.size)]
    torch.distributed.all_gather(each, torch.tensor([float(number)]))
    return each


def test_commands_of_the_leading_process_reach_all(tmp_path, training, experiment):
    def work(shared):
        made = experiment(steps=50)
        made.processes = shared
        recorded = training(made)
        if shared.leads:
            recorded.trainer.control.set("training.optimizer.learning_rate", 0.5)
            recorded.trainer.control.stop()
        recorded.run()
        rate = recorded.trainer.learner.optimizer_config.learning_rate
        return [[float(one) for one in _gather(shared, number)] for number in (recorded.trainer.step, rate)]

    assert in_processes(tmp_path, 2, work) == [[0, 0], [0.5, 0.5]]


def test_what_processes_exchange_arrives_unchanged(tmp_path):
    tensors = {"a": torch.arange(5), "b": torch.randn(2, 3), "none": torch.zeros(0)}

    def work(shared):
        found = shared.led_tensors(tensors if shared.leads else {})
        value = shared.led({"é": [1, None, 0.1]} if shared.leads else None)
        (total,) = shared.sums([shared.rank + 1], torch.device("cpu"))
        rows = [len(shared.rows(torch.arange(7).numpy()))]
        same = all(torch.equal(found[name], tensors[name]) for name in tensors)
        all_same = float(shared.sums([same], torch.device("cpu"))[0]) == shared.size
        return [all_same, value, float(total), rows]

    assert in_processes(tmp_path, 3, work) == [True, {"é": [1, None, 0.1]}, 6.0, [3]]


@pytest.mark.parametrize(
    ("settings", "way", "field"),
    [
        ({"batch_size": 1}, "replicate", "training.batch_size"),
        ({"batch_size": 8, "accumulation": 8}, "replicate", "training.batch_size"),
        ({"build": "recurrent", "objective": "carried"}, "replicate", "objective.name"),
        ({"compile": True}, "replicate", "training.compile"),
        ({"optimizer": "sophia"}, "replicate", "training.optimizer.name"),
        ({"optimizer": "muon"}, "shard", "training.optimizer.name"),
        ({"gradient_noise": 0.1}, "shard", "training.gradient_noise"),
        ({"average": 3}, "shard", "training.average"),
        ({"clip": 1.0, "clip_by": "value"}, "shard", "training.clip_by"),
    ],
)
def test_what_cannot_be_divided_is_refused_by_name(training, experiment, settings, way, field):
    made = experiment(**settings)
    made.processes = Processes(0, 2, way)
    with pytest.raises(BadInput) as caught:
        training(made)
    assert caught.value.problem.field == field
    assert caught.value.problem.remedy


def test_without_torchrun_there_are_no_others(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    assert join() is processes.ALONE
    assert join().alone
