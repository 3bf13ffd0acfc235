"""A model that says it is causal and reads later tokens is found at the start of its training, on a copy."""

import random

import pytest
import torch
from torch import nn

from lab.base.problems import Problem, note_module
from lab.layers import LanguageModel
from lab.training.steps.causality import Causality, check_causality
from lab.training.trainer import Trainer


class Leaks(LanguageModel):
    """A table of the next token; `reads` returns what is read instead of the tokens."""

    reads = staticmethod(lambda model, tokens: tokens)

    def __init__(self, config, task):
        super().__init__(config, task)
        self.table = nn.Embedding(task.vocabulary_size, 8)
        self.head = nn.Linear(8, task.vocabulary_size)
        self.dropout = nn.Dropout(0.5)
        self.register_buffer("seen", torch.zeros(()))
        nn.init.zeros_(self.head.weight)

    def forward(self, tokens, **given):
        self.seen += 1
        return self.head(self.dropout(self.table(self.reads(self, tokens))))


def following(model, tokens):
    return tokens.roll(-1, dims=1)


def following_in_training(model, tokens):
    return tokens.roll(-1, dims=1) if model.training else tokens


def the_last(model, tokens):
    return tokens[:, -1:].expand_as(tokens)


def far_ahead(model, tokens):
    return torch.cat([tokens[:, 40:], tokens[:, :40]], dim=1) if tokens.shape[1] > 40 else tokens


def across_the_border_of_a_chunk(model, tokens):
    read = tokens.clone()
    read[:, 63:64] = tokens[:, 64:65]
    return read


@pytest.fixture
def built(experiment, source):
    """Return an experiment and its model, which reads what a function says."""

    def built(reads, context=None):
        kind = type("Reads", (Leaks,), {"reads": staticmethod(reads)})
        made = experiment(kind) if context is None else experiment(kind, train=source(context_length=context))
        return made, made.build()

    return built


@pytest.mark.parametrize("reads", [following, following_in_training, the_last])
def test_a_model_that_reads_later_tokens_is_named_and_no_longer_counts_as_causal(built, reads):
    experiment, model = built(reads)
    problem = check_causality(experiment, model).leak
    assert problem is not None
    assert problem.plugin == experiment.architecture.plugin
    assert "it sees the tokens it predicts" in problem.what
    assert not model.causal


@pytest.mark.parametrize("reads", [far_ahead, across_the_border_of_a_chunk])
def test_it_is_named_however_far_ahead_it_reads_in_its_context(built, reads):
    experiment, model = built(reads, context=128)
    problem = check_causality(experiment, model).leak
    assert problem is not None
    assert not model.causal


@pytest.mark.parametrize("reads", [lambda _, tokens: tokens, lambda _, tokens: tokens.cummax(dim=1).values])
def test_a_model_that_reads_no_later_token_is_not_accused(built, reads):
    experiment, model = built(reads)
    assert check_causality(experiment, model) == (None, None)
    assert model.causal


def test_the_check_changes_neither_the_model_nor_random_numbers(built):
    experiment, model = built(following)
    before = {name: table.clone() for name, table in model.tables().items()}
    state, in_training = torch.get_rng_state(), model.training
    check_causality(experiment, model)
    assert all(torch.equal(table, before[name]) for name, table in model.tables().items())
    assert torch.equal(torch.get_rng_state(), state)
    assert model.training == in_training


def test_code_that_raises_is_left_to_the_training_and_told_as_not_checked(built, reported):
    experiment, model = built(lambda *_: 1 / 0)
    leak, failure = check_causality(experiment, model)
    assert leak is None
    assert failure.plugin == "a-plugin"
    assert failure.what.startswith("Checking that no later token is read failed: ZeroDivisionError")
    assert reported == []


def test_what_a_forward_pass_changes_of_the_process_is_put_back_and_told(built, reported):
    def reads(model, tokens):
        random.seed(3)
        torch.manual_seed(7)
        return tokens

    note_module("a_module", "a-plugin")
    state = random.getstate()
    check_causality(*built(reads))
    assert random.getstate() == state
    assert {problem.plugin for problem in reported} == {"a-plugin"}
    told = [problem.what.partition(", which")[0] for problem in reported]
    assert told == [
        "its forward pass seeds torch's random numbers",
        "Checking which tokens the model reads changed Python's random numbers",
    ]


def test_a_training_tells_after_its_first_step_that_its_model_could_not_be_checked(built, reported, monkeypatch):
    told = Causality(failure=Problem("the check failed"))
    monkeypatch.setattr("lab.training.trainer.check_causality", lambda *_: told)
    trainer = Trainer(built(lambda _, tokens: tokens)[0])
    assert reported == []
    trainer.run()
    assert [problem.what for problem in reported] == ["the check failed"]
