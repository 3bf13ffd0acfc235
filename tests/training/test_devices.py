"""The placement of a run: available devices, number formats, threads."""

import threading

import pytest
import torch

from lab.api import BadInput
from lab.recipes import Training
from lab.training import devices
from lab.training.devices import (
    Placement,
    available_devices,
    default_threads,
    find_device,
    placement_of,
    restored_placement,
)
from lab.training.failures import Diverged

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


@pytest.mark.parametrize(("able", "expected"), [(True, torch.bfloat16), (False, torch.float16)])
def test_auto_is_bfloat16_on_a_cuda_device_that_has_it_and_float16_where_it_is_emulated(
    here, monkeypatch, able, expected
):
    here("cuda:0")
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation=True: able or including_emulation)
    assert placement_of(Training(device="auto")).autocast is expected


def test_casting_holds_for_matrix_products_inside_it_only():
    a = torch.ones(2, 2)
    placement = Placement(torch.device("cpu"), torch.bfloat16, 1)
    with placement.autocasting():
        assert (a @ a).dtype is torch.bfloat16
    assert (a @ a).dtype is torch.float32
    with Placement(torch.device("cpu"), None, 1).autocasting():
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


# ---- TF32


def tf32_flags():
    """What torch computes float32 in: matrix products, convolutions and recurrent layers."""
    found = {"matmul": torch.backends.cuda.matmul.allow_tf32, "cudnn": torch.backends.cudnn.allow_tf32}
    for name in ("conv", "rnn"):
        part = getattr(torch.backends.cudnn, name, None)  # torch 2.9 or later
        found[name] = getattr(part, "fp32_precision", "ieee") == "tf32"
    return found


@pytest.fixture
def with_tf32():
    """Switch TF32 on, and restore torch's defaults afterwards."""
    torch.set_float32_matmul_precision("high")
    torch.backends.cudnn.allow_tf32 = True
    assert all(tf32_flags().values())
    yield
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.allow_tf32 = True


@pytest.mark.usefixtures("with_tf32")
@pytest.mark.parametrize("start", ["run", "advance"])
def test_a_training_switches_tf32_off_for_products_convolutions_and_recurrent_layers(experiment, training, start):
    made = experiment("recurrent", steps=1)
    made.placement = Placement(torch.device("cpu"), None, 1)
    getattr(training(made).trainer, start)()
    assert not any(tf32_flags().values())


# ---- a run that goes on


STORED = [
    Placement(torch.device("cpu"), None, 3),
    Placement(torch.device("cuda"), torch.bfloat16, 3),
    Placement(torch.device("cuda:1"), torch.float16, 3),
    Placement(torch.device("mps"), None, 3),
]


@pytest.mark.parametrize("placement", STORED, ids=lambda placement: str(placement.device))
def test_a_run_gets_its_stored_placement_back_where_its_device_is(here, placement):
    here("cuda:0", "cuda:1", "mps")
    otherwise = Placement(torch.device("cpu"), None, 1)
    assert restored_placement(placement.as_dict(), otherwise) == placement


@pytest.mark.parametrize(
    "stored",
    [
        Placement(torch.device("cuda:1"), torch.bfloat16, 3).as_dict(),
        {"device": "cpu", "precision": "float32", "threads": 0},
        {},
    ],
    ids=["device that is missing", "no threads", "nothing stored"],
)
def test_a_run_whose_placement_is_not_here_gets_another(here, stored):
    here("cuda:0")
    otherwise = Placement(torch.device("cuda"), torch.float16, 1)
    assert restored_placement(stored, otherwise) == otherwise


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
@pytest.mark.parametrize("optimizer", ["adamw", "sgd", "muon"])
def test_a_loss_that_is_no_number_ends_a_training_on_cuda(experiment, training, models, optimizer):
    def broken(config, task):
        model = models.transformer(config, task)
        head, calls = model.head, []
        model.head = lambda x: (calls.append(1), head(x) * (float("nan") if len(calls) == 4 else 1))[1]
        return model

    recorded = training(experiment(broken, device="cuda", steps=30, optimizer=optimizer)).run()
    assert recorded.trainer.state == "failed"
    assert "at step 4" in recorded.trainer.problem.what
    assert all(bool(table.isfinite().all()) for table in recorded.weights().values())
    assert not recorded.trainer.device_lost


def test_auto_chooses_among_the_devices_an_architecture_runs_on(monkeypatch):
    monkeypatch.setattr(devices, "available_devices", lambda: ["cpu", "cuda:0", "mps"])
    assert devices.find_device("auto").type == "cuda"
    assert devices.find_device("auto", frozenset({"cpu", "mps"})).type == "mps"
    assert devices.find_device("auto", frozenset({"cpu"})).type == "cpu"


@pytest.mark.parametrize("optimizer", ["sgd", "muon"])
def test_an_optimizer_that_is_not_fused_is_guarded_before_its_update_on_any_device(experiment, training, optimizer):
    learner = training(experiment(optimizer=optimizer)).trainer.learner
    before = {name: table.clone() for name, table in learner.model.tables().items()}
    learner._accumulate(0)
    learner._device = torch.device("cuda")  # where the numbers of a step arrive only later
    with pytest.raises(Diverged, match="the loss is nan at step 1"):
        learner._update(0, torch.tensor(float("nan")), {}, {})
    assert all(torch.equal(table, before[name]) for name, table in learner.model.tables().items())


# ---- float16


@pytest.mark.short("transformer")
@pytest.mark.parametrize("build", ["transformer", "recurrent"])
def test_a_training_in_float16_learns_with_weights_in_float32(experiment, trained, build):
    recorded = trained(experiment(build, precision="float16", steps=30))
    assert recorded.trainer.state == "finished", recorded.trainer.problem
    assert all(table.dtype is torch.float32 for table in recorded.weights().values())
    assert recorded.losses[-1] < recorded.losses[0] - 0.3


def test_gradients_are_those_of_the_loss_without_its_scale(experiment, training):
    norms = [
        training(experiment(precision=precision, steps=1)).run().values("gradient norm")[0]
        for precision in ("float16", "float32")
    ]
    assert norms[0] == pytest.approx(norms[1], rel=0.01)


def test_an_update_whose_gradients_overflow_is_skipped_and_the_scale_is_halved(experiment, training, same):
    trainer = training(experiment(precision="float16", steps=9)).trainer
    trainer.learner._scale.scale = 2.0**40
    before = {name: table.clone() for name, table in trainer.model.tables().items()}
    trainer.advance()
    same(trainer.model.tables(), before)
    assert trainer.learner._scale.scale == 2.0**39
    assert trainer.step == 1
    assert "gradient norm" not in trainer.learner.latest


def test_gradients_that_overflow_at_any_scale_end_the_training(experiment, training, monkeypatch):
    trainer = training(experiment(precision="float16", steps=90)).trainer
    norm = trainer.learner._norms.measure_and_clip
    monkeypatch.setattr(trainer.learner._norms, "measure_and_clip", lambda limit, by: norm(limit, by) * float("inf"))
    trainer.run()
    assert trainer.state == "failed"
    assert "the gradient norm is inf at step 24" in trainer.problem.what


def test_a_training_in_float16_continues_bit_for_bit_with_its_scale(experiment, training, saved_state, at_step):
    straight, first = (training(experiment(precision="float16", steps=8)) for _ in range(2))
    for each in (straight, first):
        each.trainer.learner._scale.scale = 2.0**30  # some updates overflow
    straight.run()
    first.trainer._observers.append(at_step({3: first.trainer.control.stop}))
    first.run()
    second = training(experiment(precision="float16", steps=8))
    second.trainer.load_state_dict(*saved_state(first.trainer))
    second.run()
    assert second.losses == straight.losses[3:]
    assert second.trainer.learner._scale.state_dict() == straight.trainer.learner._scale.state_dict()


def test_evaluations_of_a_training_compute_in_its_number_format(experiment, training, source, models):
    seen = []

    def watched(config, task):
        model = models.transformer(config, task)
        model.head = lambda x, head=model.head: (seen.append((model.training, head(x).dtype)), head(x))[1]
        return model

    recorded = training(experiment(watched, precision="bfloat16", steps=1, validation=source(200, "windows")))
    seen.clear()  # the check before the first step computes in float32
    assert recorded.run().trainer.state == "finished", recorded.trainer.problem
    assert set(seen) == {(True, torch.bfloat16), (False, torch.bfloat16)}


@pytest.fixture
def cards(monkeypatch):
    """Pretend that this machine has two CUDA devices."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)


def test_a_policy_leaves_only_its_devices_also_to_auto(cards, with_policy):
    file = with_policy('devices = ["cpu"]')
    assert available_devices() == ["cpu"]
    assert find_device("auto") == torch.device("cpu")
    with pytest.raises(BadInput) as raised:
        find_device("cuda")
    problem = raised.value.problem
    assert problem.what == f"this device is not allowed by {file} (devices)"
    assert (problem.field, problem.value, problem.allowed) == ("training.device", "cuda", "auto, cpu")


def test_a_policy_may_allow_one_of_two_cards(cards, with_policy):
    with_policy('devices = ["cuda:1"]')
    assert available_devices() == ["cpu", "cuda:1"]
    with pytest.raises(BadInput, match="not allowed"):
        find_device("cuda:0")


def test_a_policy_limits_threads(with_policy, monkeypatch):
    file = with_policy("threads = 2")
    monkeypatch.setenv("OMP_NUM_THREADS", "8")
    assert placement_of(Training(device="cpu")).threads == 2
    assert placement_of(Training(device="cpu", threads=1)).threads == 1
    with pytest.raises(BadInput) as raised:
        placement_of(Training(device="cpu", threads=3))
    problem = raised.value.problem
    assert (problem.field, problem.what) == (
        "training.threads",
        f"more threads are not allowed by {file} (threads)",
    )
    stored = {"device": "cpu", "precision": "float32", "threads": 8}
    assert restored_placement(stored, placement_of(Training(device="cpu"))).threads == 2
