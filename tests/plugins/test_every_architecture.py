"""Every built-in architecture that learns from gradients goes on after a stop, and trains as a script, bit for bit."""

import json
import re
import runpy
import shutil
import sys

import pytest
import torch
from safetensors.torch import load_file

from lab.api import Text
from lab.host import Plugins
from lab.interop.script import export_script
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.workbench import Workbench

TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 8
SMALL = (
    "training.steps=4", "training.context_length=6", "training.batch_size=2", "training.accumulation=2",
    "training.clip=0.25", "training.evaluate_every=2", "training.evaluate_tokens=24", "training.sample_tokens=0",
    "training.checkpoint_every=2", "training.keep_last=9", "training.device=cpu", "training.threads=1",
    "readings.tokens=0",
)  # fmt: skip
SIZES = {
    "layers": 2, "width": 16, "dropout": 0.1, "heads": 2, "hidden": 8, "head_width": 8, "experts": 4,
    "pattern": "mamba+mlp, [attention+moe]",
}  # fmt: skip
"""What is set where an architecture has it."""
CARDS = Plugins(safe_mode=True)
LEARNED = {name: card for name, card in CARDS.cards("architectures").items() if name != "n-gram"}
SERIES = ("train loss", "gradient norm", "validation loss")

torch.set_num_threads(1)


@pytest.fixture(scope="module", params=sorted(LEARNED))
def trained(request, tmp_path_factory):
    """A run of four steps with a checkpoint at each second, beside its text."""
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "my.txt").write_text(TEXT)
    settings = {name: value for name, value in SIZES.items() if name in LEARNED[request.param].config.model_fields}
    recipe = Recipe().with_assignments(*SMALL).with_values(
        {
            "corpus": {"name": "file", "path": str(folder / "my.txt")},
            "architecture": {"name": request.param, **settings},
        }
    )  # fmt: skip
    bench = Workbench(CARDS)
    try:
        bench.start(recipe, out=folder / "run").wait_out()
    finally:
        bench.close()
    return RunFolder.open(folder / "run")


def recorded(run):
    """The series of a run that do not depend on the machine."""
    metrics = run.metrics()
    return {name: dict(zip(*(part.tolist() for part in metrics.read(name)), strict=True)) for name in SERIES}


def weights_of(run):
    return load_file(run.checkpoint_folder(4) / "model.safetensors")


def test_a_run_that_died_half_way_ends_as_the_one_that_did_not(trained, tmp_path):
    shutil.copytree(trained.path, tmp_path / "broken")
    broken = RunFolder.open(tmp_path / "broken")
    shutil.rmtree(broken.checkpoint_folder(4))
    status = broken.path / "status.json"
    dead = {"state": "running", "writer": {"pid": 2**22 + 5, "started": 1.0}}
    status.write_text(json.dumps({**json.loads(status.read_text()), **dead}))
    bench = Workbench(CARDS)
    try:
        bench.resume(broken.path, corpus=trained.path.parent / "my.txt").wait_out()
    finally:
        bench.close()
    assert recorded(RunFolder.open(broken.path)) == recorded(trained)
    again, weights = weights_of(broken), weights_of(trained)
    assert again.keys() == weights.keys()
    assert all(torch.equal(again[name], weights[name]) for name in weights)


def test_its_script_trains_to_the_same_numbers(trained, tmp_path, monkeypatch, capsys):
    script = export_script(trained, CARDS, tmp_path / "again.py", text=Text(TEXT, "my.txt"))
    assert not re.search(r"^\s*(import|from) lab", script.read_text(encoding="utf-8"), re.MULTILINE)
    file = tmp_path / "weights.pt"
    monkeypatch.setattr(sys, "argv", ["again.py", str(script.with_suffix(".txt")), "--every", "1", "--save", str(file)])
    runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out.count(": 0.0 at ") == len(SERIES)  # the largest difference, as the script says
    weights, again = weights_of(trained), torch.load(file, weights_only=True)
    assert all(torch.equal(again[name], weights[name]) for name in weights)
