"""Plugins of each kind that raise, exit, hang, return nonsense, print, or change what all share: each is named."""

import contextlib
import os
import random
import signal
import sys
import textwrap
import threading
import types
import warnings
from pathlib import Path

import numpy as np
import pytest
import torch

from lab.api import Continuation, NoSettings, Optimizer, Schedule
from lab.base import leaving
from lab.base.notices import listen
from lab.base.problems import LabError, note_module
from lab.base.process_state import put_back
from lab.cli.main import main
from lab.cli.output import print_problem
from lab.decoding.pipeline import NamedFilter, Pipeline
from lab.host import Plugins, PluginState, offers
from lab.training.optimizers.groups import optimizer_of
from lab.training.resolution import Resolved
from lab.training.schedules.factors import CheckedSchedule
from lab.workbench.access.decoding import _Attributed

torch.set_num_threads(1)
torch.backends.cudnn.allow_tf32 = False  # as trainings do
SEED = 19
"""Of the cases that the short form takes."""


@pytest.fixture(autouse=True)
def forgotten(file_plugins_forgotten):
    """Forget the modules of file plugins after each test."""


@pytest.fixture
def loaded(lab_home):
    """Write a plugin `mine` and return the plugins after loading it alone."""

    def loaded(code):
        folder = lab_home / "plugins"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "mine.py").write_text(textwrap.dedent(code))
        return Plugins(enable=["mine"], built_ins=()).load()

    return loaded


# ---- what all code of the process shares

CARD = """
from lab.api import Probe, hookimpl
@hookimpl
def lab_register_probes(register):
    register(Probe("looking", "Looking", lambda config: None))
"""
CHANGES = {
    "torch's default number type": ("import torch; torch.set_default_dtype(torch.float64)", torch.get_default_dtype),
    "torch's default device": ("import torch; torch.set_default_device('meta')", torch.get_default_device),
    "torch's flags": (
        "import torch; torch.use_deterministic_algorithms(True)", torch.are_deterministic_algorithms_enabled,
    ),
    "torch's threads": ("import torch; torch.set_num_threads(2)", torch.get_num_threads),
    "torch's random numbers": ("import torch; torch.manual_seed(7)", lambda: torch.get_rng_state().tolist()),
    "numpy's treatment of errors": ("import numpy; numpy.seterr(all='raise')", np.geterr),
    "numpy's random numbers": (
        "import numpy; numpy.random.seed(7)", lambda: np.random.get_state()[1].tolist(),
    ),
    "Python's random numbers": ("import random; random.seed(7)", random.getstate),
    "the filters of warnings": (
        "import warnings; warnings.simplefilter('ignore')", lambda: [*warnings.filters],
    ),
    "the handlers of signals": (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)", lambda: signal.getsignal(signal.SIGINT),
    ),
    "torch's use of TF32": (
        "import torch; torch.backends.cudnn.allow_tf32 = True", lambda: torch.backends.cudnn.allow_tf32,
    ),
    "torch's gradients": ("import torch; torch.set_grad_enabled(False)", torch.is_grad_enabled),
    "the recursion limit": ("import sys; sys.setrecursionlimit(5000)", sys.getrecursionlimit),
    "the order of the paths of imports": (
        "import sys; sys.path.reverse()", lambda: [*sys.path],
    ),
    "the working folder": ("import os; os.chdir('/')", Path.cwd),
    "the environment": ("import os; os.environ['LAB_ATTACK'] = 'x'", lambda: os.environ.get("LAB_ATTACK")),
}  # fmt: skip


@pytest.mark.parametrize("part", CHANGES)
def test_what_an_import_changes_of_the_process_is_put_back_and_told_with_the_plugins_name(part, loaded, reported):
    code, read = CHANGES[part]
    before = read()
    plugins = loaded(code + CARD)
    assert read() == before
    (problem,) = reported
    assert problem.plugin == "mine"
    assert f"its import changed {part}, which" in problem.what
    assert plugins.cards("probes")  # it is used all the same


def test_a_plugin_that_changes_nothing_is_not_told(loaded, reported, monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    lines = ["import numpy, random, sys, torch", "sys.path.append('mine')", "random.Random(3).random()"]
    loaded("\n".join([*lines, "torch.Generator().manual_seed(3)"]) + CARD)
    assert reported == []


def test_what_a_call_in_preparation_changes_is_put_back_even_if_it_raises(reported):
    note_module("attack_module", "mine")
    with contextlib.suppress(ZeroDivisionError), put_back("mine", "Words"):
        torch.set_default_dtype(torch.float64)
        raise ZeroDivisionError
    assert torch.get_default_dtype() == torch.float32
    assert [problem.what.partition(", which")[0] for problem in reported] == [
        "Words changed torch's default number type"
    ]


def test_what_an_import_prints_leaves_standard_output_to_the_lab(loaded, capsys):
    loaded("print('hello')" + CARD)
    found = capsys.readouterr()
    assert found.out == ""
    assert "hello" in found.err


# ---- imports


@pytest.mark.parametrize("fault", ["raise RuntimeError('rain')", "import sys; sys.exit(3)", "raise KeyboardInterrupt"])
def test_an_import_that_raises_or_exits_is_a_failure_of_its_plugin(fault, loaded, reported):
    plugins = loaded(fault)
    (info,) = plugins.listed()
    assert info.state == PluginState.FAILED
    (problem,) = reported
    assert problem.plugin == "mine"
    assert "plugins disable mine" in problem.remedy


def test_an_import_that_hangs_is_told_with_its_name_while_it_does(loaded, monkeypatch):
    monkeypatch.setattr(offers, "SLOW", 0.01)
    told, gate = [], threading.Event()
    monkeypatch.setattr(threading, "gate", gate, raising=False)

    def note(notice):
        told.append(notice.problem)
        gate.set()

    forget = listen(note)
    loaded("import threading; threading.gate.wait(60)" + CARD)
    forget()
    assert told[0].plugin == "mine"
    assert "nothing else can go on" in told[0].what
    assert "Ctrl+C" in told[0].remedy


# ---- nonsense


def resolved(card):
    return Resolved(card, card.config.read({}), "mine", "training.part")


@pytest.mark.parametrize("factor", [float("nan"), float("inf"), -1.0, "x", None, torch.ones(2)], ids=str)
def test_a_factor_that_is_no_number_is_the_schedules(factor):
    schedule = CheckedSchedule(resolved(Schedule("late", "Late", lambda config, steps: lambda step: factor)), 3)
    with pytest.raises(LabError) as failure:
        schedule(0)
    assert failure.value.problem.plugin == "mine"


def test_an_optimizer_of_another_type_is_refused():
    card = Optimizer("falling", "Falling", lambda config, groups, device: 5, config=NoSettings)
    with pytest.raises(LabError, match=r"plugin mine: .*falling made a int"):
        optimizer_of(resolved(card), [], torch.device("cpu"))


@pytest.mark.parametrize(
    "returns",
    [lambda x: None, lambda x: "x", lambda x: x[0], lambda x: x[:, :2], lambda x: x.resize_(1, 2), lambda x: x.long(),
     lambda x: x * float("nan")],
)  # fmt: skip
def test_a_filter_of_another_shape_or_type_is_refused(returns):
    pipeline = Pipeline([NamedFilter("own", lambda logits, _: returns(logits), "mine")], [[0]])
    with pytest.raises(LabError) as failure:
        pipeline(torch.zeros(1, 5))
    assert failure.value.problem.plugin == "mine"


@pytest.mark.parametrize("returns", [None, 5, "x", [1], [Continuation(0, 1), None]])
def test_a_strategy_that_chooses_no_continuations_is_refused(returns):
    strategy = types.SimpleNamespace(width=1, reads_hidden=False, next=lambda step: returns)
    with pytest.raises(LabError) as failure:
        _Attributed(strategy, "mine", "Own").next(None)
    assert failure.value.problem.plugin == "mine"


# ---- threads


@pytest.fixture
def thread_of_plugin():
    """A thread, no daemon, that runs until the end of the test in code of the plugin `mine`."""
    module = types.ModuleType("lab_plugin_mine")
    exec("def wait(event): event.wait()", vars(module))
    note_module("lab_plugin_mine", "mine")
    event = threading.Event()
    thread = threading.Thread(target=module.wait, args=(event,))
    thread.start()
    yield thread
    event.set()
    thread.join()


def test_a_thread_that_a_plugin_left_is_named_and_not_waited_for(thread_of_plugin, monkeypatch, capsys):
    monkeypatch.setattr(leaving, "PATIENCE", 0.0)
    monkeypatch.setattr(leaving.atexit, "_run_exitfuncs", lambda: None)
    monkeypatch.setattr(leaving.os, "_exit", lambda status: (_ for _ in ()).throw(SystemExit(f"at once {status}")))
    with pytest.raises(SystemExit, match="at once 3"):
        leaving.leave(3, print_problem)
    assert "plugin mine: its thread" in capsys.readouterr().err


def test_without_such_a_thread_the_process_ends_as_usual():
    with pytest.raises(SystemExit) as left:
        leaving.leave(2, print_problem)
    assert left.value.code == 2


# ---- whole commands

FAULTS = {
    "raise": "raise RuntimeError('rain')",
    "exit": "raise SystemExit(3)",
    "interrupt": "raise KeyboardInterrupt",
    "nothing": "return None",
    "text": "return 'x'",
    "shape": "return torch.ones(2)",
    "print": "print('noise'); raise RuntimeError('rain')",
    "thread": "threading.Thread(target=time.sleep, args=(0.5,)).start(); raise RuntimeError('rain')",
    "state": "torch.set_default_dtype(torch.float64); raise RuntimeError('rain')",
}
KINDS = {
    "optimizers": "Optimizer('own', 'Own', lambda config, groups, device: Steps(groups, lr=0.1), config=Rate)",
    "schedules": "Schedule('own', 'Own', lambda config, steps: fault)",
    "mixers": "Mixer('own', 'Own', 'token', NoSettings, Mixing)",
    "corpora": "Corpus('own', 'Own', fault)",
    "tokenizers": "Tokenization('own', 'Own', fault, load=fault)",
    "objectives": "ObjectiveCard('own', 'Own', lambda config: Guess())",
    "probes": "Probe('own', 'Own', lambda config: fault)",
    "observers": "Observer('own', 'Own', fault)",
    "commands": "Command('own', 'Own.', fault)",
}
OPTIONS = {
    "optimizers": "--set training.optimizer.name=own",
    "schedules": "--set training.schedule.name=own",
    "mixers": "--architecture own",
    "corpora": "--corpus own",
    "tokenizers": "--tokenizer own",
    "objectives": "--objective own",
    "probes": '--set readings.probes=["own"]',
    "observers": "",
}
PREPARED = ("corpora", "tokenizers")
"""The kinds whose code is called before a training only."""
HARMLESS = {("optimizers", fault) for fault in ("nothing", "text", "shape")} | {
    ("commands", "nothing"),  # the status 0
    ("commands", "shape"),
}
"""What a step returns is not used, and a command may return nothing."""
SOURCE = """
import threading
import time

import torch
from lab.api import *
from lab.layers import TokenMixer

def fault(*given, **named):
    {fault}

class Rate(ModelConfig):
    learning_rate: float = setting(0.1, gt=0, live=True, help="Size of an update.")

class Steps(torch.optim.SGD):
    def step(self, closure=None):
        return fault()

class Mixing(TokenMixer):
    def __init__(self, slot):
        super().__init__()
        self.read = torch.nn.Linear(slot.width, slot.width)

    def forward(self, x):
        return fault(x)

class Guess(Objective):
    def batch(self, source, examples, seed):
        return fault()

@hookimpl
def lab_register_{kind}(register):
    register({card})
"""
CASES = [(kind, fault) for kind in KINDS for fault in FAULTS if (kind, fault) not in HARMLESS]
SHORT = [*random.Random(SEED).sample([case for case in CASES if case[0] != "mixers"], 3), ("mixers", "shape")]
SMALL = "--steps 1 --set training.context_length=8 --set training.batch_size=2 --set training.sample_tokens=0"
SMALL += " --set training.threads=1 --set readings.tokens=0 --set architecture.layers=1 --set architecture.width=8"
OF_PROBES = "--set readings.tokens=4"


@pytest.fixture(autouse=True)
def single_precision():
    """Go back to float32, which code of a training may change: only imports and preparation are watched."""
    yield
    torch.set_default_dtype(torch.float32)


def blamed(case, lab_home, tmp_path, monkeypatch, capsys):
    """Run the command of a case and check that it names the plugin, in whatever it tells."""
    kind, fault = case
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text("the cat sat on the mat. a dog ran.\n" * 40)
    (lab_home / "plugins").mkdir(parents=True)
    source = SOURCE.format(fault=FAULTS[fault], kind=kind, card=KINDS[kind])
    (lab_home / "plugins" / "mine.py").write_text(source)
    words = ["own"] if kind == "commands" else ["train", "--corpus", "a.txt", *SMALL.split(), *OPTIONS[kind].split()]
    words += [*OF_PROBES.split()] if kind == "probes" else []
    status = main(["--enable", "mine", *words])
    out, err = capsys.readouterr()
    assert "plugin mine: " in err
    assert "Traceback" not in err
    if kind in PREPARED:
        assert torch.get_default_dtype() == torch.float32
        assert "noise" not in out
    assert "plugin lab" not in err
    assert status == (0 if kind in ("probes", "observers") else 1)


@pytest.mark.parametrize("case", SHORT, ids="-".join)
def test_a_card_that_fails_names_its_own_plugin(case, lab_home, tmp_path, monkeypatch, capsys):
    blamed(case, lab_home, tmp_path, monkeypatch, capsys)


@pytest.mark.long
@pytest.mark.parametrize("case", [case for case in CASES if case not in SHORT], ids="-".join)
def test_every_card_that_fails_names_its_own_plugin(case, lab_home, tmp_path, monkeypatch, capsys):
    blamed(case, lab_home, tmp_path, monkeypatch, capsys)
