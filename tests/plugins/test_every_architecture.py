"""The script of every built-in architecture that learns text by gradient trains as its run did, bit for bit."""

import re
import runpy
import sys

import pytest
import torch
from safetensors.torch import load_file

from lab.api import Text
from lab.host import Plugins
from lab.interop.script.export import export_script
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.workbench import Workbench

TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 8
SMALL = (
    "training.steps=4", "training.context_length=6", "training.batch_size=2", "training.accumulation=2",
    "training.clip=0.25", "training.evaluate_every=2", "training.evaluate_tokens=24", "training.sample_tokens=0",
    "training.device=cpu", "training.threads=1", "readings.tokens=0",
)  # fmt: skip
SIZES = {
    "layers": 2, "width": 16, "dropout": 0.1, "heads": 2, "hidden": 8, "head_width": 8, "experts": 4, "bias_rate": 0.01,
    "pattern": "mamba+mlp, [attention+moe]",
}  # fmt: skip
"""Settings that are used for every architecture that has them."""
CARDS = Plugins(safe_mode=True)
LEARNED = {
    name: card
    for name, card in CARDS.cards("architectures").items()
    if card.learns == "gradient" and "causal" in card.tasks
}
SHORT = ("gla", "lstm")
"""A scan and a loop; a transformer is among the tests of scripts. All are tried in the long form."""

torch.set_num_threads(1)


@pytest.fixture
def trained(bench, tmp_path):
    """Train an architecture four steps."""

    def trained(name):
        (tmp_path / "my.txt").write_text(TEXT)
        settings = {key: value for key, value in SIZES.items() if key in LEARNED[name].config.model_fields}
        corpus = {"name": "file", "path": str(tmp_path / "my.txt")}
        recipe = Recipe().with_values({"corpus": corpus, "architecture": {"name": name, **settings}})
        bench.start(recipe.with_assignments(*SMALL), out=tmp_path / "run").wait_out()
        return RunFolder.open(tmp_path / "run")

    return trained


@pytest.fixture
def bench():
    """A workbench that is closed at the end."""
    bench = Workbench(CARDS)
    yield bench
    bench.close()


@pytest.mark.parametrize(
    "name", [name if name in SHORT else pytest.param(name, marks=pytest.mark.long) for name in sorted(LEARNED)]
)
def test_a_script_trains_to_the_numbers_of_its_run(name, trained, tmp_path, monkeypatch, capsys):
    run, file = trained(name), tmp_path / "weights.pt"
    script = export_script(run, CARDS, tmp_path / "again.py", text=Text(TEXT, "my.txt"))
    assert not re.search(r"^\s*(import|from) lab", script.read_text(encoding="utf-8"), re.MULTILINE)
    monkeypatch.setattr(sys, "argv", ["again.py", str(script.with_suffix(".txt")), "--every", "1", "--save", str(file)])
    runpy.run_path(str(script), run_name="__main__")
    assert capsys.readouterr().out.count(": 0.0 at ") == 3  # largest difference of losses and gradient norms
    weights, again = load_file(run.checkpoint_folder(4) / "model.safetensors"), torch.load(file, weights_only=True)
    assert again.keys() >= weights.keys()
    assert all(torch.equal(again[table], weights[table]) for table in weights)
