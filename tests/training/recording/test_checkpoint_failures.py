"""A failure at any write of a checkpoint leaves the one before complete and the run readable; training continues."""

import builtins
import errno
import io
import itertools
import multiprocessing
import os
import shutil
from pathlib import Path

import pytest
import torch

from lab.base import LabError
from lab.runs.checkpoint_list import checkpoints, sweep_checkpoints
from lab.training.recording import checkpoints as saving
from lab.training.recording.checkpoints import load_model_tables, load_training, save_checkpoint

OLD = {"weight": torch.arange(8.0)}
NEW = {"weight": torch.arange(8.0) + 1}
CALLS = (
    (builtins, "open"), (os, "fsync"), (os, "rename"), (os, "replace"), (os, "mkdir"), (os, "open"), (os, "close"),
    (os, "unlink"), (os, "rmdir"), (shutil, "rmtree"), (Path, "open"), (Path, "mkdir"), (Path, "rename"),
    (Path, "replace"), (Path, "write_text"), (saving, "save_file"), (saving, "sync_tree"),
)  # fmt: skip
"""The functions that write: each call is a point at which a failure is injected."""


def save(folder_of_step, tables, step):
    facts = {"step": step, "tokens": 8 * step, "reason": "interval"}
    save_checkpoint(folder_of_step, model=tables, training={"optimizer/weight": tables["weight"] * 2}, facts=facts)


class WriteFailures:
    """Lets the n-th call of something that writes fail, before it is done or (`after`) when it is done."""

    def __init__(self, monkeypatch, under, at, fail, after):
        self.calls = 0
        self._under, self._at, self._fail, self._after = str(under), at, fail, after
        for owner, name in CALLS:
            monkeypatch.setattr(owner, name, self._wrapped(getattr(owner, name)))

    def _wrapped(self, real):
        def wrapped(*arguments, **given):
            concerned = any(str(a).startswith(self._under) for a in arguments if isinstance(a, str | Path))
            concerned = concerned or real is REAL_FSYNC
            due = False
            if concerned:
                self.calls += 1
                due = self.calls == self._at
            if due and not self._after:
                self._fail()
            result = real(*arguments, **given)
            if due and self._after and not isinstance(result, io.IOBase):  # an open file would stay open
                self._fail()
            return result

        return wrapped


REAL_FSYNC = os.fsync


def refuse(number):
    def fail():
        raise OSError(number, os.strerror(number))

    return fail


def read_complete(folder_of_step):
    """The step of a checkpoint that loads, with the tables and the state it was made of."""
    tables = load_model_tables(folder_of_step)
    tensors, facts = load_training(folder_of_step)
    own = OLD if torch.equal(tables["weight"], OLD["weight"]) else NEW
    assert torch.equal(tables["weight"], own["weight"])
    assert torch.equal(tensors["optimizer/weight"], own["weight"] * 2)
    return facts["step"]


def refused(folder_of_step):
    """Why the new checkpoint could not be made; None where it was."""
    try:
        save(folder_of_step, NEW, 6)
    except LabError as error:
        return error.problem.what
    return None


@pytest.mark.short("*-28", "before-the same step-5")
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EACCES])
@pytest.mark.parametrize("same_step", [False, True], ids=["a new step", "the same step"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_fault_at_every_write_leaves_the_last_checkpoint_whole(tmp_path, monkeypatch, number, same_step, after):
    points = 0
    for at in itertools.count(1):
        folder = tmp_path / str(at) / "checkpoints"
        folder.mkdir(parents=True)
        save(folder / "5", OLD, 5)
        with monkeypatch.context() as patched:
            failures = WriteFailures(patched, folder, at, refuse(number), after)
            problem = refused(folder / ("5" if same_step else "6"))
            reached = failures.calls >= at
        if not reached:
            break
        points += 1
        assert problem is None or os.strerror(number) in problem
        sweep_checkpoints(folder)
        made = {5} if not same_step else {6} if problem is None else {5, 6}  # the failure may come when all is done
        assert read_complete(folder / "5") in made
        assert {each.step for each in checkpoints(folder)} <= {5, 6}
        for each in checkpoints(folder):
            read_complete(each.path)
        assert {path.name for path in folder.iterdir()} <= {"5", "6"}
    assert points >= 8, "the failures were not injected where the checkpoint is written"


def killed_at(folder, at, after, same_step):
    """Save a checkpoint in a process that is killed at a point. Return True if it reached that point."""
    from _pytest.monkeypatch import MonkeyPatch

    WriteFailures(MonkeyPatch(), folder, at, lambda: os.kill(os.getpid(), 9), after)
    save(folder / ("5" if same_step else "6"), NEW, 6)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is forked at every point")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    "same_step", [pytest.param(False, id="a new step", marks=pytest.mark.long), pytest.param(True, id="the same step")]
)
def test_a_kill_at_every_write_leaves_the_last_checkpoint_whole(tmp_path, same_step):
    torch.set_num_threads(1)
    forking = multiprocessing.get_context("fork")
    points = 0
    for at in itertools.count(1, 3 if same_step else 1):
        folder = tmp_path / str(at) / "checkpoints"
        folder.mkdir(parents=True)
        save(folder / "5", OLD, 5)
        process = forking.Process(target=killed_at, args=(folder, at, bool(at % 2), same_step))
        process.start()
        process.join(30)
        if process.exitcode == 0:
            break
        assert process.exitcode == -9
        points += 1
        sweep_checkpoints(folder)  # as the next writer does
        found = checkpoints(folder)
        assert found
        assert found[0].step == 5
        for each in found:
            read_complete(each.path)
        assert all(path.name.isdecimal() for path in folder.iterdir())
    assert points >= (4 if same_step else 8)
