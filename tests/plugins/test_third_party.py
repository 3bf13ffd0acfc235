"""The lifecycle of a third-party plugin in one .py file: listed, trusted, trained, evaluated, captured, tested."""

import json
import sys
import textwrap
import time
from pathlib import Path

import pytest

import lab
from lab.base import BadInput
from lab.cli.main import main
from lab.recipes import Recipe
from lab.runs import read_readings
from lab.testing import check_architecture
from lab.workbench import Workbench

AVERAGE = (Path(__file__).parents[1] / "testing" / "plugins" / "average.py").read_text()
BLEND = '''
    """A blend of the last few tokens: a whole architecture with forward alone."""
    import torch
    from lab.api import Architecture, ModelConfig, hookimpl, setting
    from lab.layers import LanguageModel


    class BlendConfig(ModelConfig):
        width: int = setting(16, ge=1, le=1024, log=True, unit="channels", help="Channels of a token.")
        past: int = setting(3, ge=1, le=64, unit="tokens", help="How many tokens are blended.")
        sharpness: float = setting(1.0, gt=0, le=10, live=True, help="Factor of the logits.")


    class Blend(LanguageModel):
        def __init__(self, config, task):
            super().__init__(config, task)
            self.history = config.past - 1
            self.embedding = torch.nn.Embedding(task.vocabulary_size, config.width)
            self.weights = torch.nn.Parameter(torch.zeros(config.past))
            self.head = torch.nn.Linear(config.width, task.vocabulary_size)

        def forward(self, tokens):
            x = self.embedding(tokens)  # (B, T, C)
            shares = self.weights.softmax(0)
            blend = sum(
                share * torch.nn.functional.pad(x, (0, 0, back, 0))[:, : x.shape[1]]
                for back, share in enumerate(shares)
            )
            self.report("blend", blend, axes=("batch", "token", "channel"))
            return self.config.sharpness * self.head(blend.tanh())


    @hookimpl
    def lab_register_architectures(register):
        register(Architecture("blend", "Blend", "own", "Blends the last few tokens.", config=BlendConfig, build=Blend))
'''
CODES = {"average": AVERAGE, "blend": BLEND}
SMALL = {"average": ("architecture.layers=1", "architecture.width=8"), "blend": ()}
REPORTS = {"average": "state", "blend": "blend"}
SETTINGS = {
    "average": "architecture.average.slowest = 0.98   [number, 0.5 ≤ x < 1]",
    "blend": "architecture.past = 3   [whole number, 1 ≤ x ≤ 64; tokens]",
}
TRAINING = (
    "training.context_length=8", "training.batch_size=4", "training.sample_tokens=5", "training.threads=1",
    "readings.moments=3",
)  # fmt: skip


@pytest.fixture(params=CODES)
def name(request):
    """Name the architecture of the two."""
    return request.param


@pytest.fixture
def file(lab_home, name, tmp_path, monkeypatch):
    """Put the plugin into the plugins folder, with a line that leaves a mark when it runs; work beside a corpus."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "animals.txt").write_text("the cat sat on the mat. a dog ran to the hat.\n" * 60)
    path = lab_home / "plugins" / f"my_{name}.py"
    path.parent.mkdir(parents=True)
    mark = f"__import__('pathlib').Path({str(tmp_path / 'it ran')!r}).touch()\n"
    path.write_text(textwrap.dedent(CODES[name]).lstrip() + mark)
    yield path
    for module in [module for module in sys.modules if module.startswith("lab_plugin_")]:
        del sys.modules[module]


@pytest.fixture
def lm_lab(capsys):
    """Run a command that must succeed, and return what it printed."""

    def lm_lab(*arguments):
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert code == 0, printed.err
        return printed.out

    return lm_lab


@pytest.fixture
def train(lm_lab, file, name):
    """Enable the plugin and train its architecture into the folder `run`."""

    def train(*options, steps=20):
        lm_lab("plugins", "enable", file.stem)
        settings = [part for setting in (*SMALL[name], *TRAINING) for part in ("--set", setting)]
        words = ("--architecture", name, "--corpus", "animals.txt", "--steps", steps, "--out", "run", "--json")
        return json.loads(lm_lab("train", *words, *settings, *options).splitlines()[-1])

    return train


def test_until_it_is_enabled_it_is_listed_as_off_and_nothing_of_it_runs(lm_lab, file, tmp_path, capsys):
    listed = json.loads(lm_lab("plugins", "--json"))["plugins"][-1]
    assert (listed["name"], listed["state"], listed["cards"]) == (file.stem, "off", {})
    assert main(["train", "--architecture", file.stem.removeprefix("my_")]) == 2
    assert f"{file.stem}: off" in capsys.readouterr().err
    assert not (tmp_path / "it ran").exists()


def test_enabled_once_it_is_on_with_its_cards_and_title(lm_lab, file, name, tmp_path):
    lm_lab("plugins", "enable", file.stem)
    assert (tmp_path / "it ran").exists()
    listed = json.loads(lm_lab("plugins", "--json"))["plugins"][-1]
    assert listed["state"] == "on"
    assert listed["cards"]["architectures"] == [name]
    assert listed["title"] == textwrap.dedent(CODES[name]).strip().splitlines()[0].strip('"')


def test_its_settings_are_in_the_help(lm_lab, file, name):
    lm_lab("plugins", "enable", file.stem)
    assert SETTINGS[name] in lm_lab("train", "--architecture", name, "--help")


@pytest.mark.short("blend")
def test_it_learns(train):
    few, many = train(steps=1), None
    Path("run").rename("first")
    many = train("--set", "training.optimizer.learning_rate=0.01", steps=80)
    assert many["validation_loss"] < few["validation_loss"] - 0.2
    assert many["validation_loss"] < many["floors"]["unigram"]


def test_it_is_evaluated_as_in_its_training_writes_text_and_leaves_readings_and_its_plugin_in_the_run(
    train, lm_lab, file, name
):
    trained = train()
    evaluated = json.loads(lm_lab("evaluate", "run", "--json"))
    assert evaluated["loss"] == pytest.approx(trained["validation_loss"], rel=1e-5)
    assert evaluated["protocol"] == trained["protocol"]

    out = lm_lab("generate", "run", "--prompt", "the ", "--max-tokens", 20)
    assert len(out.rstrip("\n")) in range(20, 25)
    assert out == lm_lab("generate", "run", "--prompt", "the ", "--max-tokens", 20)

    steps = sorted(int(file.stem) for file in Path("run/readings").iterdir())
    assert (steps[0], steps[-1]) == (0, 20)
    found = {reading.name: reading for reading in read_readings(Path("run"), steps[-1])}
    assert found[REPORTS[name]].axes == ("token", "channel")

    facts = json.loads(Path("run/run.json").read_text())
    assert facts["plugins"][file.stem] == f"<lab>/plugins/{file.name}"


@pytest.mark.parametrize("name", ["blend", pytest.param("average", marks=pytest.mark.long)], indirect=True)
def test_it_passes_the_conformance_suite(file, name):
    failures = check_architecture(name, plugin=file)
    assert not failures, "\n".join(map(str, failures))


@pytest.mark.short("blend")
def test_a_token_mixer_may_be_trained_in_windows_and_carried_on(train):
    figures = train("--set", "objective.name=carried")
    assert figures["protocol"] == "stream"


@pytest.mark.parametrize("name", ["blend"], indirect=True)
def test_its_live_setting_changes_while_it_trains(file, name):
    bench = Workbench()
    bench.plugins.enable(file.stem)
    settings = {"corpus": {"name": "file", "path": "animals.txt"}, "architecture": {"name": name}}
    recipe = Recipe().with_values(settings).with_assignments(*TRAINING, "training.steps=100000000")
    run = bench.start(recipe, out=Path("run"))
    try:
        until(lambda: run.trainer is not None and run.trainer.step > 0)
        run.control.set("architecture.sharpness", 2.5)
        with pytest.raises(BadInput, match=r"architecture\.sharpness"):
            run.control.set("architecture.sharpness", 25)
        with pytest.raises(BadInput, match=r"architecture\.past"):
            run.control.set("architecture.past", 5)
        until(lambda: run.trainer.model.config.sharpness == 2.5)
        assert run.trainer.model.config.sharpness == 2.5
    finally:
        bench.close()
    event = next(event for event in lab.open(Path("run")).folder.events() if event["event"] == "set")
    assert (event["path"], event["value"], event["before"]) == ("architecture.sharpness", 2.5, 1.0)


def until(true, seconds=20):
    """Wait until something is true."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)
