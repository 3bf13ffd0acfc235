"""Runs of encoders, encoder-decoders and models of pictures whose files lie: read, told as missing, or refused."""

import json
import random
import shutil
import struct
from pathlib import Path

import pytest
from attacking import bounded_memory, damage, refusal
from test_run_files import asked_everything, attacks_on_numbers

from lab.cli.main import main
from lab.host import Plugins
from lab.runs import RunFolder
from lab.training.recording.checkpoints import load_training
from lab.workbench.access.saved import SavedRun

SEED, SAMPLE = 23, 4
"""Of the attacks that the short form takes of each kind."""
KINDS = {
    "encoder": ("python-manual", "masked", ("layers=1", "width=8", "heads=1")),
    "electra": ("python-manual", "replaced-tokens", ("layers=1", "width=8", "heads=1")),
    "encoder-decoder": ("reversal", "sequence-to-sequence", ("layers=1", "width=8", "heads=1")),
    "recurrent-encoder-decoder": ("reversal", "sequence-to-sequence", ("width=8",)),
    "vit": ("digits", "classification", ("layers=1", "width=8", "heads=1")),
    "convolutional": ("digits", "classification", ()),
}
TRAINING = ("context_length=16", "batch_size=2", "sample_tokens=2", "threads=1", "evaluate_tokens=64")
SHAPES = ([], [0], [1], [2**40], [2**31, 2**31], [-1], [3, 3, 3, 3, 3, 3, 3, 3, 3], None, "8", [8.5], [True])


@pytest.fixture(scope="module")
def plugins():
    return Plugins()


@pytest.fixture(scope="session")
def trained(tmp_path_factory):
    """Return the folder of a run of an architecture, trained for two steps, once."""
    made = {}

    def trained(name):
        if name not in made:
            corpus, objective, sizes = KINDS[name]
            folder = tmp_path_factory.mktemp("kinds")
            settings = [f"training.{each}" for each in TRAINING] + [f"architecture.{each}" for each in sizes]
            words = ["train", "--corpus", corpus, "--objective", objective, "--architecture", name, "--steps", "2"]
            words += [part for setting in settings for part in ("--set", setting)] + ["--out", str(folder / "run")]
            with pytest.MonkeyPatch.context() as environment:
                environment.setenv("LAB_HOME", str(folder / "home"))
                assert main(words) == 0
            made[name] = folder / "run"
        return made[name]

    return trained


@pytest.fixture
def run(trained, tmp_path):
    """Return a copy of the run of an architecture."""
    return lambda name: Path(shutil.copytree(trained(name), tmp_path / "theirs" / name))


def try_kind(path, plugins, tally, sample=None):
    """Try attacks on the numbers of a run. Return how many were refused somewhere."""
    attacks = attacks_on_numbers(path)
    tried = attacks if sample is None else random.Random(SEED).sample(attacks, sample)
    tally.seeds("all of them" if sample is None else f"seed {SEED}")
    refused = 0
    for what, file, make in tried:
        before = file.read_bytes()
        file.write_bytes(make())
        tally.begin(path.name)
        try:
            with bounded_memory():
                problems = asked_everything(path, plugins)
        except Exception as error:
            error.add_note(what)
            raise
        assert all(problem.remedy or problem.allowed for problem in problems), what
        refused += bool(problems)
        file.write_bytes(before)
    tally.end()
    return refused


@pytest.mark.short("encoder", "recurrent-encoder-decoder", "vit")
@pytest.mark.parametrize("name", KINDS)
def test_a_number_that_is_none_is_refused_or_told_as_missing(run, plugins, tally, name):
    try_kind(run(name), plugins, tally, SAMPLE)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", KINDS)
def test_every_number_of_every_file_times_every_value(run, plugins, tally, name):
    assert try_kind(run(name), plugins, tally) > 50


def lied_weights(content, draw):
    """Return weights in which one table has another shape, type, place or name, or is missing; or damaged ones."""
    (size,) = struct.unpack("<Q", content[:8])
    header, data = json.loads(content[8 : 8 + size]), content[8 + size :]
    name = draw.choice([each for each in sorted(header) if each != "__metadata__"])
    what = draw.choice(("shape", "dtype", "offsets", "name", "missing", "values", "cut", "length"))
    match what:
        case "shape":
            header[name]["shape"] = draw.choice(SHAPES)
        case "dtype":
            header[name]["dtype"] = draw.choice(("F64", "I64", "BOOL", "F8_E4M3", "x", None, 3))
        case "offsets":
            header[name]["data_offsets"] = draw.choice(([0, 0], [0, 2**60], [8, 4], [-4, 4], None, [0]))
        case "name":
            header[draw.choice(("x", "", "a" * 70_000, "../x", "head.weight.more"))] = header.pop(name)
        case "missing":
            del header[name]
        case "values":
            data = bytes([0xFF]) * len(data)  # NaN
        case "cut":
            data = data[: draw.randrange(len(data))]
    text = json.dumps(header).encode()
    length = draw.choice((0, 2**40, 2**63)) if what == "length" else len(text)
    return what, struct.pack("<Q", length) + text + data


def used(path, plugins):
    """Load the model of a run and the state of its training. Return the problem with which that is refused."""

    def use():
        run = RunFolder.open(path)
        SavedRun(run, plugins).model()
        step = run.checkpoint_steps()[-1]
        load_training(run.checkpoint_folder(step))

    return refusal(use)


def try_checkpoints(path, plugins, seeds, tally):
    """Load runs whose checkpoints lie. Return how many were refused."""
    tally.seeds(f"seeds {seeds[0]} to {seeds[-1]}")
    refused = 0
    weights, state = (sorted(path.glob(f"checkpoints/*/{name}"))[-1] for name in ("model.safetensors", "state.json"))
    for seed in seeds:
        draw = random.Random(seed)
        file = weights if draw.random() < 0.7 else state
        before = file.read_bytes()
        what, content = lied_weights(before, draw) if file == weights else damage(before.decode(), draw)
        file.write_bytes(content)
        tally.begin(what)
        try:
            with bounded_memory():
                problem = used(path, plugins)
        except Exception as error:
            error.add_note(f"seed {seed}: {what}")
            raise
        assert problem is None or (problem.what and len(problem.line()) < 4000), seed
        refused += problem is not None
        file.write_bytes(before)
    tally.end()
    return refused


@pytest.mark.short("encoder", "recurrent-encoder-decoder", "vit")
@pytest.mark.parametrize("name", KINDS)
def test_a_checkpoint_with_any_lie_is_refused_or_loaded(run, plugins, tally, name):
    path = run(name)
    assert used(path, plugins) is None
    assert try_checkpoints(path, plugins, range(8), tally) > 0
    assert used(path, plugins) is None


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", KINDS)
def test_hundreds_of_checkpoints_with_lies(run, plugins, tally, name):
    assert try_checkpoints(run(name), plugins, range(1000, 1300), tally) > 100
