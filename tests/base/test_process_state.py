"""What a plugin changes of the process is put back while other threads work too, and nobody else is accused."""

import os
import random
import subprocess
import sys
import threading

import pytest
import torch

from lab.base import process_state
from lab.base.problems import note_module
from lab.base.process_state import preparing, put_back
from lab.base.torch_lock import own_draws

WAIT = 20.0


@pytest.fixture(autouse=True)
def plugins():
    """Two plugins of third parties."""
    note_module("first_module", "first")
    note_module("second_module", "second")


def in_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    return thread


def after(thread):
    thread.join(WAIT)
    assert not thread.is_alive()


def test_what_a_training_draws_meanwhile_is_not_the_plugins(reported):
    def train():
        with own_draws(1):
            torch.rand(3)

    with put_back("first", "its import"):
        after(in_thread(train))
        left = torch.get_rng_state()
    assert reported == []
    assert torch.equal(torch.get_rng_state(), left)


def overlapping(change, first="first", second="second"):
    """Change something in a call that begins in another one and ends after it."""
    inside, outside = threading.Event(), threading.Event()

    def later():
        with put_back(second, "Late"):
            change()
            inside.set()
            outside.wait(WAIT)

    with put_back(first, "Early"):
        thread = in_thread(later)
        inside.wait(WAIT)
    outside.set()
    after(thread)


def test_of_calls_that_overlap_both_are_named_and_their_changes_put_back(reported):
    state = random.getstate()
    overlapping(lambda: random.seed(5))
    (problem,) = reported
    assert problem.plugin is None
    assert problem.what.startswith("Early (first) or Late (second) changed Python's random numbers, which")
    assert random.getstate() == state


def test_of_overlapping_calls_of_one_plugin_it_is_named(reported):
    overlapping(lambda: os.environ.update(LAB_ATTACK="x"), second="first")
    (problem,) = reported
    assert problem.plugin == "first"
    assert problem.what.startswith("Early or Late changed the environment, which")
    assert "LAB_ATTACK" not in os.environ


def test_what_each_thread_has_of_its_own_is_put_back_there_and_told_of_its_call_alone(reported):
    grads = []

    def change():
        torch.set_grad_enabled(False)

    overlapping(change)
    with put_back("second", "After"):
        grads.append(torch.is_grad_enabled())
    assert grads == [True]
    (problem,) = reported
    assert problem.plugin == "second"
    assert problem.what.startswith("Late changed torch's gradients, which")


def test_a_call_inside_another_is_judged_alone(reported):
    with put_back("first", "Outer"), put_back("second", "Inner"):
        random.seed(5)
    assert [problem.plugin for problem in reported] == ["second"]


def test_while_calls_overlap_only_what_their_threads_print_goes_to_standard_error(capsys):
    before = sys.stdout
    overlapping(lambda: print("of a plugin"))
    with put_back("first", "Loading"):
        after(in_thread(lambda: print("of the lab")))
    assert sys.stdout is before
    found = capsys.readouterr()
    assert (found.out, found.err) == ("of the lab\n", "of a plugin\n")


def test_a_training_that_holds_the_generator_and_a_call_do_not_wait_for_each_other(reported):
    begun = threading.Event()

    def build():
        with preparing("second", "Building"), own_draws(1):
            begun.set()
            torch.rand(3)

    with put_back("first", "its import"):
        thread = in_thread(build)
        assert begun.wait(WAIT)
        after(thread)
    assert reported == []


def test_a_library_that_a_plugin_imports_first_is_put_back_to_its_state_after_the_import(
    tmp_path, monkeypatch, reported
):
    (tmp_path / "stateful_library.py").write_text("state = 3\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    def library():
        return sys.modules["stateful_library"]

    def write(value):
        library().state = value

    own = process_state._Part("its state", lambda: library().state, write, "stateful_library", of_thread=True)
    monkeypatch.setattr(process_state, "_PARTS", (*process_state._PARTS, own))
    with put_back("first", "its import"):
        import stateful_library

        stateful_library.state = 4
    assert stateful_library.state == 3
    assert [problem.what.partition(", ")[0] for problem in reported] == ["its import changed its state"]
    del sys.modules["stateful_library"]


def test_numpy_may_import_its_random_numbers_when_they_are_first_used():
    code = "import lab.base.process_state, numpy; print(numpy.random.default_rng(0).integers(1))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("0\n", "")
