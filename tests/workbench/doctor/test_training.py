"""The checks of torch, devices and training: what each answer of the process means."""

import pytest

from lab.base.system import profile
from lab.workbench.doctor import Answer, computing
from lab.workbench.doctor.training import devices, torch, training

LOADED = {"torch": "2.9", "threads": 2, "instructions": "AVX2", "cuda": None}
TRAINED = {"steps": 100, "seconds": 2.0, "tokens": 25_600, "start": 3.4, "last": 1.2, "failure": None}


@pytest.fixture(autouse=True)
def two_cores(monkeypatch):
    monkeypatch.setattr(profile, "usable_cores", lambda: 2)


@pytest.fixture
def check(subject, levels):
    """Run a check on an answer."""

    def check(run, ended="", **parts):
        return levels(run(subject(computing=Answer(parts, ended, "ImportError: no"))))

    return check


def test_a_torch_that_ends_its_process_is_wrong_and_an_old_processor_is_suspected(check, subject):
    assert check(torch, "signal SIGILL") == {"wrong": ["torch cannot be loaded (its process: signal SIGILL)"]}
    (finding,) = torch(subject(computing=Answer({}, "signal SIGILL", "ImportError: no")))
    assert "too old" in finding.remedy
    assert finding.detail == "ImportError: no"


def test_without_torch_nothing_is_said_of_devices_and_training(check):
    assert check(devices, "status 1") == check(training, "status 1") == {}


def test_threads_are_compared_with_the_cores(check):
    assert check(torch, **LOADED) == {"good": ["torch 2.9, AVX2, threads: 2"]}
    assert "more threads than cores (8 for 2)" in check(torch, **LOADED | {"threads": 8})["wrong"][0]
    assert "fewer threads than cores (1 for 2)" in check(torch, **LOADED | {"threads": 1})["note"][0]


def test_a_processor_without_vector_instructions_is_noted(check):
    assert "slow" in check(torch, **LOADED | {"instructions": "NO AVX"})["note"][0]


def test_a_device_that_computes_wrongly_is_wrong_and_its_message_a_detail(check, subject):
    found = {
        "cpu": {},
        "cuda:0": {"title": "A card", "bytes": 8e9, "failure": "AcceleratorError", "message": "no kernel"},
    }
    assert check(devices, **LOADED, devices=found) == {
        "good": ["cpu computes"],
        "wrong": ["cuda:0 does not compute: AcceleratorError"],
    }
    *_, wrong = devices(subject(computing=Answer({**LOADED, "devices": found})))
    assert wrong.detail == "no kernel"


def test_a_torch_for_cards_that_finds_none_is_noted(check):
    assert "finds no card" in check(devices, **LOADED | {"cuda": "12.8"}, devices={"cpu": {}})["note"][0]


def test_a_process_that_ended_at_the_devices_is_a_finding(check):
    assert check(devices, "signal SIGSEGV", **LOADED) == {
        "wrong": ["the devices could not be tried (its process: signal SIGSEGV)"]
    }
    assert check(training, "signal SIGSEGV", **LOADED) == {
        "wrong": ["a short training could not be made (its process: signal SIGSEGV)"]
    }


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        ("ModuleNotFoundError: No module named 'torch.nn'", "Install torch again"),
        ("", "Install torch again"),
        ("lab.base.problems.LabError: AdamW failed: RecursionError: too deep.", "Install the lab again"),
    ],
)
def test_torch_is_installed_again_only_where_its_files_are_at_fault(subject, error, remedy):
    (finding,) = training(subject(computing=Answer(LOADED, "status 1", error)))
    assert finding.remedy.startswith(remedy)
    assert finding.detail == error


def test_a_training_that_learns_is_good_and_one_that_does_not_is_wrong(check):
    sentences = check(training, **LOADED, training=TRAINED)["good"]
    assert sentences == [
        "a small model learned in 100 steps: its loss fell from 3.40 to 1.20 nats per token",
        "12.8 k tokens per second in training",
    ]
    assert check(training, **LOADED, training=TRAINED | {"last": 3.3})["wrong"]
    assert check(training, **LOADED, training=TRAINED | {"last": float("nan")})["wrong"]
    assert check(training, **LOADED, training=TRAINED | {"failure": "a tensor"})["wrong"] == ["a short training failed"]


def test_a_machine_too_slow_for_a_few_steps_is_noted(check):
    assert check(training, **LOADED, training=TRAINED | {"steps": 1, "last": 3.4})["note"]


def test_the_program_trains_in_memory_alone_and_tries_the_processor(lab_home):
    found = computing.trained(0.2)
    assert found["failure"] is None
    assert found["steps"] > 0
    assert found["last"] < found["start"]
    assert computing.tried("cpu") == {}
    assert computing.tried("cuda:99")["failure"]
    assert not lab_home.exists()
