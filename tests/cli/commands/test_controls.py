"""Budgets and averaged weights on the command line, and an early end."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import MODEL, TRAINING, assigned


@pytest.fixture
def train_for(lm_lab, text):
    """Train a small transformer with a budget into the folder `run`; return its figures."""

    def train_for(budget, *settings):
        command = ["train", "--json", "--corpus", text, *assigned(*TRAINING, *MODEL, *settings), "--out", "run"]
        ended = lm_lab(*command, *(("--budget", budget) if budget else ()))
        assert ended.code == 0, ended.err
        return json.loads(ended.out)

    return train_for


def test_a_budget_of_tokens_ends_a_run(train_for):
    figures = train_for("500 tokens")
    assert figures["steps"] == figures["last_step"]
    per_step = figures["tokens"] / figures["steps"]
    assert 500 <= figures["tokens"] < 500 + per_step


def test_a_budget_and_steps_do_not_go_together(lm_lab, text):
    ended = lm_lab("train", "--corpus", text, "--steps", 3, "--budget", "1 epoch")
    assert ended.code == 2
    assert "--budget: cannot be combined with --steps" in ended.err


@pytest.mark.parametrize("budget", ["lots", "0 tokens", "nan epochs", "3 apples", "\x00"])
def test_what_is_no_budget_names_what_would_be(lm_lab, text, budget):
    ended = lm_lab("train", "--corpus", text, "--budget", budget)
    assert ended.code == 2
    assert "training.budget" in ended.err or "--budget" in ended.err
    assert "such as 2e6 tokens" in ended.err


def test_the_averaged_weights_of_a_run_are_evaluated_and_write(train_for, lm_lab):
    from lab.runs import RunFolder

    settings = ("training.averaging=ema", "training.average_decay=0.5", "training.optimizer.learning_rate=0.1")
    train_for("12 steps", *settings)
    own, averaged = (
        json.loads(lm_lab("evaluate", "run", "--json", *option).out)["loss"] for option in ((), ("--average",))
    )
    _, recorded = RunFolder.open(Path("run")).metrics().read("averaged validation loss")
    assert averaged == pytest.approx(recorded[-1], rel=1e-6)
    assert averaged != own
    write = ("generate", "run", "--prompt", "the", "--max-tokens", 20)
    texts = [lm_lab(*write, *more).out for more in ((), ("--average",))]
    assert all(texts)
    assert texts[0] != texts[1]


def test_a_run_without_an_average_says_so(train_for, lm_lab):
    train_for("2 steps")
    ended = lm_lab("evaluate", "run", "--average")
    assert ended.code == 2
    assert "were not averaged" in ended.err
    assert "training.averaging=ema" in ended.err


def test_a_run_that_ended_early_is_finished_and_can_be_made_longer(train_for, lm_lab):
    settings = ("training.patience=1", "training.evaluate_every=2", "training.optimizer.name=sgd")
    figures = train_for("40 steps", *settings, "training.optimizer.learning_rate=90", "training.clip=0")
    assert figures["state"] == "finished"
    assert figures["steps"] < 40
    ended = lm_lab("resume", "run")
    assert ended.code == 2
    assert "--steps N" in ended.err
