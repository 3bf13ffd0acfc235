"""The placement of a run: available devices, number formats, threads."""

import threading

import pytest
import torch

from lab.api import BadInput
from lab.recipes import Training
from lab.training import devices
from lab.training.devices import Placement, available_devices, default_threads, find_device, placement_of

cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="this machine has no CUDA device")


@pytest.fixture
def here(monkeypatch):
    """Pretend that this machine has other devices."""

    def here(*names):
        monkeypatch.setattr(devices, "available_devices", lambda: ["cpu", *names])

    return here


def test_the_processor_is_always_here():
    assert available_devices()[0] == "cpu"
    assert find_device("cpu") == torch.device("cpu")


@pytest.mark.parametrize(("others", "expected"), [((), "cpu"), (("cuda:0", "cuda:1"), "cuda"), (("mps",), "mps")])
def test_auto_takes_the_fastest_kind_of_device_there_is(here, others, expected):
    here(*others)
    assert find_device("auto") == torch.device(expected)


@pytest.mark.parametrize("name", ["cuda:1", "cuda:7", "mps"])
def test_a_device_that_is_not_here_is_refused_with_those_that_are(here, name):
    here("cuda:0")
    with pytest.raises(BadInput) as raised:
        find_device(name)
    problem = raised.value.problem
    assert (problem.field, problem.value, problem.allowed) == ("training.device", name, "auto, cpu, cuda:0")
    assert problem.remedy


def test_cuda_alone_is_the_first_cuda_device(here):
    here("cuda:0")
    assert find_device("cuda") == torch.device("cuda")
    here()
    with pytest.raises(BadInput):
        find_device("cuda")


@pytest.mark.parametrize(
    ("precision", "autocast", "stored"),
    [("auto", None, "float32"), ("float32", None, "float32"), ("bfloat16", torch.bfloat16, "bfloat16")],
)
def test_the_cpu_computes_in_float32_by_default(precision, autocast, stored):
    placement = placement_of(Training(device="cpu", precision=precision, threads=3))
    assert (placement.autocast, placement.threads) == (autocast, 3)
    assert placement.as_dict() == {"device": "cpu", "precision": stored, "threads": 3}


@pytest.mark.parametrize(("able", "expected"), [(True, torch.bfloat16), (False, None)])
def test_auto_is_bfloat16_on_a_cuda_device_that_has_it(here, monkeypatch, able, expected):
    here("cuda:0")
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda: able)
    assert placement_of(Training(device="auto")).autocast is expected


def test_casting_holds_for_matrix_products_inside_it_only():
    a = torch.ones(2, 2)
    placement = Placement(torch.device("cpu"), torch.bfloat16, 1)
    with placement.casting():
        assert (a @ a).dtype is torch.bfloat16
    assert (a @ a).dtype is torch.float32
    with Placement(torch.device("cpu"), None, 1).casting():
        assert (a @ a).dtype is torch.float32


@pytest.mark.parametrize("build", ["transformer", "recurrent"])
def test_a_training_in_bfloat16_keeps_its_weights_in_float32(experiment, trained, build):
    recorded = trained(experiment(build, precision="bfloat16", steps=3))
    assert recorded.trainer.state == "finished", recorded.trainer.problem
    assert all(table.dtype is torch.float32 for table in recorded.weights().values())
    assert recorded.losses != trained(experiment(build, steps=3)).losses


@pytest.mark.parametrize(("given", "threads"), [("3", 3), ("1", 1)])
def test_omp_num_threads_is_heeded(monkeypatch, given, threads):
    monkeypatch.setenv("OMP_NUM_THREADS", given)
    assert default_threads() == threads
    assert placement_of(Training(device="cpu")).threads == threads


@pytest.mark.parametrize("given", ["", "0", "many", "-2"])
def test_without_a_sensible_omp_num_threads_all_cores_are_used(monkeypatch, given):
    monkeypatch.setenv("OMP_NUM_THREADS", given)
    assert default_threads() >= 1


def test_a_training_sets_the_threads_of_its_own_thread(experiment, training):
    recorded, seen = training(experiment("transformer", steps=1, threads=2)), []
    thread = threading.Thread(target=lambda: (recorded.trainer.run(), seen.append(torch.get_num_threads())))
    thread.start()
    thread.join()
    assert seen == [2]


@cuda
def test_a_training_on_cuda_runs_in_bfloat16_and_reports_every_loss(experiment, trained, source):
    made = experiment("transformer", device="cuda", steps=30, validation=source(200, "windows"), evaluate_every=10)
    recorded = trained(made)
    assert recorded.trainer.state == "finished", recorded.trainer.problem
    assert made.placement.autocast is torch.bfloat16
    assert list(recorded.series["train loss"]) == list(range(1, 31))
    assert list(recorded.series["validation loss"]) == [10, 20, 30]
    assert recorded.losses[-1] < recorded.losses[0]


@cuda
@pytest.mark.parametrize(("build", "objective"), [("transformer", "causal"), ("recurrent", "carried")])
def test_a_training_on_cuda_continues_from_files(experiment, training, at_step, tmp_path, build, objective):
    from lab.training.recording.checkpoints import load_model_tables, load_training, save_checkpoint

    settings = {"objective": objective, "device": "cuda", "steps": 8}
    straight, first = training(experiment(build, **settings)).run(), training(experiment(build, **settings))
    first.trainer._observers.append(at_step({4: first.trainer.control.stop}))
    first.run()
    tensors, facts = first.trainer.state_dict()
    save_checkpoint(tmp_path / "c" / "4", model=first.trainer.model.tables(), training=tensors, facts=facts)
    second = training(experiment(build, **settings))
    second.trainer.load_state_dict(load_model_tables(tmp_path / "c" / "4"), *load_training(tmp_path / "c" / "4"))
    second.run()
    assert second.trainer.state == "finished", second.trainer.problem
    assert second.losses == pytest.approx(straight.losses[4:], abs=1e-2)


@cuda
def test_a_loss_that_is_no_number_ends_a_training_on_cuda(experiment, training, models):
    def broken(config, task):
        model = models.transformer(config, task)
        head, calls = model.head, []
        model.head = lambda x: (calls.append(1), head(x) * (float("nan") if len(calls) == 4 else 1))[1]
        return model

    recorded = training(experiment(broken, device="cuda", steps=30)).run()
    assert recorded.trainer.state == "failed"
    assert "at step 4" in recorded.trainer.problem.what
    assert not recorded.trainer.device_lost


def test_auto_chooses_among_the_devices_an_architecture_runs_on(monkeypatch):
    monkeypatch.setattr(devices, "available_devices", lambda: ["cpu", "cuda:0", "mps"])
    assert devices.find_device("auto").type == "cuda"
    assert devices.find_device("auto", frozenset({"cpu", "mps"})).type == "mps"
    assert devices.find_device("auto", frozenset({"cpu"})).type == "cpu"
