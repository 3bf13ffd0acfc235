"""Work on a model without weights ends at its next operation once its job was cancelled."""

from collections import deque

import pytest
import torch

from lab.base.jobs import Job, interruptible
from lab.base.torch_lock import torch_lock
from lab.diagnostics import cost
from lab.diagnostics.structure import trace
from lab.workbench.launch import preflight


@pytest.fixture(autouse=True)
def no_cached_costs(monkeypatch):
    monkeypatch.setattr(preflight, "_costs", deque())


def ends_at(work, monkeypatch, owner, name):
    """Cancel a job at the first call of a function, and return how often it was called."""
    calls, results = [], []
    original = getattr(owner, name)

    def cancelled(*args, **kwargs):
        calls.append(name)
        job.cancel()
        return original(*args, **kwargs)

    def in_thread(job):
        with interruptible(job):
            results.append(work())

    monkeypatch.setattr(owner, name, cancelled)
    job = Job("Working", in_thread)  # bound before its thread cancels it
    job.start()
    job.join()
    assert not results
    return len(calls)


@pytest.mark.parametrize(("owner", "name"), [(cost, "_same_gradients"), (trace, "is_new")])
def test_a_drawing_ends_while_the_model_is_built_and_while_it_is_called(bench, recipe, monkeypatch, owner, name):
    assert ends_at(lambda: bench.structure(recipe()), monkeypatch, owner, name) == 1


def test_the_settings_end_while_another_model_is_built(bench, recipe, monkeypatch):
    bench.structure(recipe())
    wanted = lambda: bench.structure(recipe(), settings=True)  # noqa: E731
    assert ends_at(wanted, monkeypatch, cost, "_same_gradients") == 1


@pytest.mark.parametrize("name", ["_same_gradients", "_by_block", "_saved_per_token"])
def test_the_figures_end_while_the_model_is_built_and_while_it_is_measured(bench, recipe, monkeypatch, name):
    assert ends_at(lambda: bench.preflight(recipe()), monkeypatch, cost, name) == 1


def test_an_end_leaves_the_lock_free_and_gradients_on(bench, recipe, monkeypatch):
    ends_at(lambda: bench.preflight(recipe()), monkeypatch, cost, "_state_bytes")
    with torch_lock:
        assert torch.is_grad_enabled()
    monkeypatch.undo()
    assert bench.preflight(recipe()).parameters
