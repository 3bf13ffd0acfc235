"""A command line in this process, a small corpus, the smallest models, and plugins of one file each."""

import itertools
import json
import shutil
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch

from lab.cli.main import main

TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 60
TRAINING = (
    "training.context_length=8", "training.batch_size=4", "training.sample_tokens=2", "training.threads=1",
    "readings.moments=3",
)  # fmt: skip
MODEL = ("architecture.layers=1", "architecture.width=16", "architecture.heads=2")

MODEL_WITHOUT_NUMBERS = """
    import torch
    from lab.api import Architecture, NoSettings, hookimpl
    from lab.layers import LanguageModel

    class Model(LanguageModel):
        def __init__(self, config, task):
            super().__init__(config, task)
            self.table = torch.nn.Embedding(task.vocabulary_size, task.vocabulary_size)

        def forward(self, tokens):
            return self.table(tokens) * float("nan")

    @hookimpl
    def lab_register_architectures(register):
        register(Architecture("mine", "Mine", "own", "Own.", config=NoSettings, build=Model))
"""

torch.set_num_threads(1)


def assigned(*assignments):
    """Return --set options."""
    return [part for assignment in assignments for part in ("--set", assignment)]


@dataclass
class Ended:
    """The result of a command: its status and its output streams."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """The last line of standard output, which must be one JSON object without NaN."""
        return json.loads(self.out.splitlines()[-1], parse_constant=lambda word: pytest.fail(f"{word} in JSON"))

    @property
    def problem(self):
        """The one line that says what was wrong, without a traceback; slow work may have told of itself before."""
        (line,) = (line for line in self.err.splitlines() if not line.startswith("preparing "))
        assert line.startswith("lm-lab: ")
        assert "Traceback" not in self.out + self.err
        return line


@pytest.fixture(autouse=True)
def file_plugins_forgotten():
    """Forget the modules of file plugins after each test."""
    yield
    for name in [name for name in sys.modules if name.startswith("lab_plugin_")]:
        del sys.modules[name]


@pytest.fixture(autouse=True)
def in_its_own_folder(tmp_path, monkeypatch, floors_found_once):
    """Work in an empty folder."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def lm_lab(capsys):
    """Run a command in this process."""

    def lm_lab(*arguments):
        capsys.readouterr()
        code = main([str(argument) for argument in arguments])
        return Ended(code, *capsys.readouterr())

    return lm_lab


@pytest.fixture
def text(tmp_path):
    """A corpus of fifteen different characters."""
    file = tmp_path / "animals.txt"
    file.write_text(TEXT)
    return file


@pytest.fixture
def train(lm_lab, text):
    """Train a small transformer on the small corpus: three steps, into the folder `run`."""

    def train(*arguments, steps=3, out="run", architecture=MODEL):
        where = () if out is None else ("--out", out)
        settings = assigned(*TRAINING, *architecture)
        return lm_lab("train", "--corpus", text, *settings, "--steps", steps, *where, *arguments)

    return train


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """A folder with the runs of a transformer and an n-gram."""
    folder = tmp_path_factory.mktemp("trained")
    (folder / "animals.txt").write_text(TEXT)
    common = ("train", "--corpus", folder / "animals.txt", "--steps", 3, *assigned(*TRAINING), "--out")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("LAB_HOME", str(folder / "home"))
        for words in ((folder / "run", *assigned(*MODEL)), (folder / "n-gram", "--architecture", "n-gram")):
            assert main([str(word) for word in (*common, *words)]) == 0
    return folder


@pytest.fixture
def run(trained, text):
    """The folder of a trained transformer, whose corpus lies here."""
    return Path(shutil.copytree(trained / "run", "run"))


@pytest.fixture
def n_gram(trained, text):
    """The folder of a counted n-gram, whose corpus lies here."""
    return Path(shutil.copytree(trained / "n-gram", "n-gram"))


@pytest.fixture
def plugin(lab_home):
    """Write a plugin of one file and return its path."""
    written = itertools.count()

    def plugin(name, code):
        path = lab_home / "plugins" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        # Python takes a file of the same size and second for the one it has compiled
        path.write_text(textwrap.dedent(code).lstrip() + "\n" * 2 * next(written))
        return path

    return plugin


@pytest.fixture
def run_without_numbers(train, plugin):
    """The folder of a model of the plugin `mine` whose logits are NaN."""
    plugin("mine", MODEL_WITHOUT_NUMBERS)
    assert train("--enable", "mine", "--architecture", "mine", architecture=()).code == 1
    return Path("run")


@pytest.fixture
def begin(text, of_this_tree):
    """Begin a command in a process of its own; it is killed at the end if it still runs."""
    begun = []

    def begin(*arguments, **environment):
        variables = {**of_this_tree, **environment}
        command = [sys.executable, "-m", "lab.cli.main", *map(str, arguments)]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "encoding": "utf-8"}
        begun.append(subprocess.Popen(command, env=variables, **pipes))
        return begun[-1]

    yield begin
    for process in begun:
        process.kill()
        process.communicate()


@pytest.fixture
def end():
    """Wait for a process and return what it left."""

    def end(process):
        out, err = process.communicate(timeout=60)
        return Ended(process.returncode, out, err)

    return end


@pytest.fixture
def eventually():
    """Wait until something is true."""

    def eventually(true, process=None, seconds=60):
        deadline = time.monotonic() + seconds
        while not true():
            assert process is None or process.poll() is None, process.communicate()
            assert time.monotonic() < deadline, "it did not come true in time"
            time.sleep(0.01)

    return eventually


@pytest.fixture
def recipe_of(lm_lab, monkeypatch):
    """Return the recipe that options describe, without training it."""
    made = []
    monkeypatch.setattr("lab.cli.commands.train.train", lambda recipe, *_, **__: made.append(recipe) or 0)

    def recipe_of(*arguments):
        ended = lm_lab("train", *arguments)
        assert ended.code == 0, ended.err
        return made[-1]

    return recipe_of
