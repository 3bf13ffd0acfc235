"""Every architecture of the lab, under every optimizer, goes on from a checkpoint bit for bit, with accumulation."""

import json
import shutil

import pytest
import torch

from lab.host import Plugins
from lab.runs import RunFolder
from lab.training.recording.checkpoints import load_model_tables

CARDS = Plugins(safe_mode=True)
OPTIMIZERS = sorted(CARDS.cards("optimizers"))
SHORT = ("transformer", "n-gram")
"""Architectures that are tried with every optimizer; of the others the LSTM with one; all in the long form."""
LEARNED = [
    pytest.param(
        architecture,
        optimizer,
        marks=[] if architecture in SHORT or (architecture, optimizer) == ("lstm", "adamw") else pytest.mark.long,
    )
    for architecture, card in sorted(CARDS.cards("architectures").items())
    for optimizer in OPTIMIZERS
    if "causal" in card.tasks
]
CLOCK = {"seconds", "tokens per second"}


def reported(run):
    metrics = run.folder.metrics()
    return {name: [part.tolist() for part in metrics.read(name)] for name in metrics.series() if name not in CLOCK}


def tables(run):
    return load_model_tables(run.folder.checkpoint_folder(run.folder.checkpoint_steps()[-1]))


@pytest.mark.parametrize(("architecture", "optimizer"), LEARNED)
def test_a_run_that_died_ends_as_the_one_that_did_not(bench, text, recipe, architecture, optimizer):
    own = {"architecture": {"name": architecture}, "training": {"optimizer": {"name": optimizer}}}
    whole = recipe(
        8, "training.accumulation=3", "training.checkpoint_every=2", "training.keep_last=9",
        "training.evaluate_every=3", "training.schedule.warmup=2",
    ).with_values(own)  # fmt: skip
    straight = bench.start(whole)
    straight.wait_out()
    broken = RunFolder.open(shutil.copytree(straight.path, straight.path.with_name("broken")))
    middle = 4 if straight.step > 4 else max(1, straight.step // 2)
    for step in broken.checkpoint_steps():
        if step > middle:
            shutil.rmtree(broken.checkpoint_folder(step))
    status = broken.path / "status.json"
    dead = {"state": "running", "writer": {"pid": 2**22 + 5, "started": 1.0}}
    status.write_text(json.dumps({**json.loads(status.read_text()), **dead}))
    resumed = bench.resume(broken.path)
    resumed.wait_out()
    assert resumed.state == "finished"
    assert reported(resumed) == reported(straight)
    one, other = tables(resumed), tables(straight)
    assert one.keys() == other.keys()
    assert all(torch.equal(one[name], other[name]) for name in one)
