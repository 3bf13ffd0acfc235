"""Ctrl+C, a killed process, a closed pipe: what was learned is saved where that is possible, and a run always opens."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lab.base.jobs import running_jobs
from lab.cli.main import main
from lab.workbench import Workbench

TRAINING = ("training.context_length=8", "training.batch_size=4", "training.sample_tokens=2", "training.threads=1")
MODEL = ("architecture.layers=1", "architecture.width=16", "architecture.heads=2")
FOR_EVER = ("--steps", 10**9, "--out", "run", "--json")
SLOW = """
    import torch
    from lab.api import Architecture, NoSettings, hookimpl
    from lab.layers import LanguageModel

    class Slow(LanguageModel):
        def __init__(self, config, task):
            super().__init__(config, task)
            self.table = torch.nn.Embedding(task.vocabulary_size, task.vocabulary_size)

        def forward(self, tokens):
            if not self.table.weight.is_meta:
                x = torch.randn(1500, 1500)
                while True:  # for ever in torch's hands, where Python cannot be interrupted: nothing is ever saved
                    x = x @ x / 40
            return self.table(tokens)

    @hookimpl
    def lab_register_architectures(register):
        register(Architecture("slow", "Slow", "own", "Slow.", config=NoSettings, build=Slow))
"""

posix = pytest.mark.skipif(os.name != "posix", reason="signals are another thing there")


@pytest.fixture
def training(begin, text, eventually):
    """Begin to train for ever, and wait until it does."""

    def training(*options, settings=(*TRAINING, *MODEL), sign="samples.jsonl"):
        assignments = [part for setting in (*settings, "training.evaluate_every=20") for part in ("--set", setting)]
        process = begin("train", "--corpus", text, *FOR_EVER, *assignments, *options)
        eventually(lambda: Path("run", sign).exists(), process)
        return process

    return training


@pytest.mark.short("SIGINT-*")
@posix
@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_saves_prints_the_figures_and_tells_itself(training, end, lm_lab, name, code):
    process = training()
    process.send_signal(getattr(signal, name))
    ended = end(process)
    assert ended.code == code
    assert ended.json["state"] == "stopped"
    assert ended.json["steps"] >= 20
    assert ended.json["validation_loss"] > 0
    assert ended.err.splitlines()[-1] == "stopping and saving; a second Ctrl+C or signal quits at once"
    assert lm_lab("evaluate", "run").code == 0
    assert lm_lab("generate", "run", "--prompt", "the ").code == 0


def test_a_second_interrupt_leaves_without_waiting_for_what_still_runs(train, monkeypatch, capsys):
    left, reported = [], []

    def interrupted(*_):
        raise KeyboardInterrupt

    def leave(code):
        reported.append(capsys.readouterr().err)
        left.append(code)

    monkeypatch.setattr("lab.workbench.runners.runner.Runner.wait", interrupted)
    close = Workbench.close
    monkeypatch.setattr(Workbench, "close", lambda bench: (close(bench), interrupted()))
    monkeypatch.setattr("lab.cli.main.running_jobs", lambda: ("a training",))
    monkeypatch.setattr("lab.cli.main.os._exit", leave)
    assert train().code == 130
    assert left == [130]
    assert reported[0].splitlines()[-1] == "stopping and saving; a second Ctrl+C or signal quits at once"


@posix
@pytest.mark.parametrize("moment", ["make_streams_usable", "catch_uncaught"])
def test_a_signal_at_the_first_or_last_moment_gives_its_status(monkeypatch, moment):
    def asked():
        signal.raise_signal(signal.SIGTERM)

    wanted = asked if moment == "make_streams_usable" else lambda: asked
    monkeypatch.setattr(f"lab.cli.main.{moment}", wanted)
    assert main(["--version"]) == 143


@pytest.mark.long
@posix
def test_a_second_ctrl_c_leaves_at_once(training, end, plugin, lm_lab, eventually):
    plugin("slow", SLOW)
    options = ("--enable", "slow", "--architecture", "slow", "--set", "readings.tokens=0")
    process = training(*options, settings=TRAINING, sign="run.json")
    process.send_signal(signal.SIGINT)
    reported = next(line for line in process.stderr if not line.startswith("preparing "))  # which slow work says
    assert "stopping and saving" in reported
    process.send_signal(signal.SIGINT)
    ended = end(process)
    assert ended.code == 130
    assert ended.err == ""  # no abort, no traceback
    refused = lm_lab("generate", "run", "--enable", "slow", "--prompt", "the")
    assert "has no checkpoint" in refused.problem


@pytest.mark.long  # in short: a killed training is resumed, in the tests of runners
@posix
def test_a_killed_run_opens_as_interrupted_and_says_that_it_has_no_checkpoint(training, lm_lab):
    import lab

    process = training()
    process.kill()
    process.wait()
    run = lab.open(Path("run"))
    assert run.status.state == "interrupted"
    steps, losses = run.metrics().read("train loss")
    assert len(steps) == len(losses) > 0
    ended = lm_lab("generate", "run", "--prompt", "the")
    assert ended.code == 2
    assert "has no checkpoint" in ended.problem


@pytest.mark.long  # in short: a command whose reader has gone
@posix
def test_who_reads_only_the_beginning_of_a_text_ends_it_quietly(run, begin):
    process = begin("generate", run, "--prompt", "the ", "--max-tokens", 10**6)
    assert process.stdout.read(6).startswith("the ")
    process.stdout.close()
    assert process.wait(30) == 1
    assert "Traceback" not in process.stderr.read()
    process.stdout = None


@posix
def test_a_command_whose_reader_has_gone_ends_quietly(begin):
    process = begin("train", "--help")
    process.stdout.close()
    assert process.wait(30) == 1
    assert process.stderr.read() == ""
    process.stdout = None


def test_an_interrupted_generation_ends_with_130(run, lm_lab, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("lab.cli.commands.evaluate.SavedRun.find", interrupted)
    assert lm_lab("generate", run, "--prompt", "the").code == 130


def test_nothing_is_left_running_after_a_command(train):
    train()
    assert running_jobs() == ()


@pytest.fixture
def printed(monkeypatch):
    """Run a command whose output can only be ASCII, and return what it prints."""

    def printed(*arguments):
        with monkeypatch.context() as patch:
            output = io.TextIOWrapper(io.BytesIO(), encoding="ascii", write_through=True)
            patch.setattr(sys, "stdout", output)
            assert main([str(argument) for argument in arguments]) == 0
        return output.buffer.getvalue().decode("ascii")

    return printed


def test_what_an_output_lacks_is_printed_as_an_escape_and_json_is_whole(printed, train, text):
    text.write_text("größe → 日本語. " * 100)
    assert train("--seed", 1).code == 0
    generate = ("generate", "run", "--prompt", "größe →", "--max-tokens", 9)
    assert "\\u2192" in printed(*generate)
    assert json.loads(printed(*generate, "--json").splitlines()[-1])["prompt"] == "größe →"


@pytest.mark.long  # in short: in this process
def test_a_process_prints_what_its_output_lacks_as_an_escape(begin, end):
    ended = end(begin("train", "--help", PYTHONIOENCODING="ascii"))
    assert ended.code == 0, ended.err
    assert "\\u" in ended.out


@pytest.fixture
def with_closed(of_this_tree):
    """Run a command whose outputs are closed as a shell does it; return its status."""

    def with_closed(words, closed):
        command = f"{sys.executable} -m lab.cli.main {words} {closed}"
        return subprocess.run(command, shell=True, env=of_this_tree, timeout=60, check=False).returncode

    return with_closed


@posix
def test_a_closed_output_keeps_nothing_from_being_done(run, with_closed):
    assert with_closed("runs export run run.lmlab", "2>&- >&-") == 0
    assert Path("run.lmlab").stat().st_size > 1000


@pytest.mark.long
@posix
@pytest.mark.parametrize("closed", ["2>&-", ">&-", "2>&- >&-"])
def test_a_closed_output_keeps_nothing_from_being_trained(text, closed, with_closed):
    words = f"train --architecture n-gram --corpus {text} --steps 2 --out run --set training.context_length=8"
    assert with_closed(words, closed) == 0
    assert (Path("run") / "summary.json").exists() or (Path("run") / "status.json").exists()
