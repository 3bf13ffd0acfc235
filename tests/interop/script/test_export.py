"""A run as a script of plain PyTorch: it trains without the lab, and to the losses that the run recorded."""

import ast
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from lab.api import Text
from lab.base import BadInput, LabError
from lab.host import Plugins
from lab.interop.script.export import export_script
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.workbench import Workbench
from lab.workbench.exchange.script import export_script_and_text

STRANGERS = Path(__file__).resolve().parents[2] / "strangers"
TEXT = "the cat sat on the mat. a dog ran to the hat. no cat sits on a dog.\n" * 100
SETTINGS = (
    "training.steps=24", "training.context_length=16", "training.batch_size=7", "training.accumulation=3",
    "training.clip=0.25", "training.evaluate_every=10", "training.evaluate_tokens=100", "training.sample_tokens=0",
    "training.average=6", "training.seed=3", "training.threads=1", "training.device=cpu", "readings.tokens=0",
    "architecture.layers=2", "architecture.width=16", "architecture.dropout=0.2",
)  # fmt: skip
EDITS = """[
    {step = 4, path = "training.optimizer.learning_rate", value = 0.01},
    {step = 9, path = "training.batch_size", value = 5},
    {step = 12, path = "architecture.dropout", value = 0.1},
    {step = 15, path = "training.accumulation", value = 2},
    {step = 24, path = "training.steps", value = 30},
]"""

torch.set_num_threads(1)


@dataclass(frozen=True)
class Case:
    """A training.

    Args:
        architecture: What is trained.
        settings: Beside those of all.
        file: The stranger's plugin it comes from; None for a built-in.
    """

    architecture: str
    settings: tuple[str, ...] = ()
    file: str | None = None


TRANSFORMER = Case("transformer", ("architecture.heads=2", f"training.edits={EDITS}"))
LLAMA = Case(
    "transformer",
    ("architecture.heads=2", "architecture.kv_heads=1", "architecture.positions=rotary", "architecture.norm=rms",
     "architecture.bias=true", "architecture.rotary_scaling=llama3", "architecture.feed_forward=swiglu",
     "architecture.tie=false", "training.optimizer.name=sgd", "training.optimizer.nesterov=true",
     "training.schedule.name=constant", "tokenizer.name=byte"),
)  # fmt: skip
FAR_FROM_IT = Case(
    "transformer",
    ("objective.name=masked", "architecture.heads=2", "architecture.positions=t5", "architecture.relative_buckets=8",
     "architecture.window=3", "architecture.dilation=2", "architecture.global_tokens=1", "architecture.sink=true",
     "architecture.qk_norm=true", "architecture.norm_place=post", "architecture.feed_forward=relu2",
     "architecture.initialisation=xavier", "architecture.output_cap=20"),
)  # fmt: skip
CASES = {
    "transformer": TRANSFORMER,
    "transformer like LLaMA": LLAMA,
    "transformer, hidden tokens": FAR_FROM_IT,
    "gated scan": Case("rg-lru", ("training.order=epochs",), "gated_scan"),
    "experts with a loss of their own": Case("two-experts", ("architecture.heads=2",), "two_experts"),
    "a mixture of experts, drops, a bias for the choice": Case(
        "moe",
        (
            "architecture.heads=2",
            "architecture.experts=4",
            "architecture.shared=1",
            "architecture.hidden=12",
            "architecture.every=2",
            "architecture.capacity=0.75",
            "architecture.bias_rate=0.01",
            'training.edits=[{step = 9, path = "architecture.balance", value = 0.5}]',
        ),
    ),
    "noisy experts in a pattern": Case(
        "hybrid",
        (
            "architecture.pattern=attention+moe",
            "architecture.attention.heads=2",
            "architecture.moe.experts=3",
            "architecture.moe.routing=noisy-top-k",
            'training.edits=[{step = 9, path = "architecture.moe.balance", value = 0.5}]',
        ),
    ),
    "experts that choose": Case("moe", ("architecture.heads=2", "architecture.routing=expert-choice")),
    "recurrent cells with carried state": Case(
        "gru-cells",
        ("objective.name=carried", 'training.edits=[{step = 9, path = "training.accumulation", value = 2}]'),
        "gru_cells",
    ),
    "Muon in float16, with frozen parts": Case(
        "transformer",
        (
            "architecture.heads=2",
            "training.optimizer.name=muon",
            "training.optimizer.layer_decay=0.8",
            "training.optimizer.adamw_rate=0.5",
            "training.frozen=position.weight",
            "training.precision=float16",
            'training.edits=[{step = 9, path = "training.optimizer.learning_rate", value = 0.01}]',
        ),
    ),
    "SOAP and a schedule drawn by hand": Case(
        "transformer",
        (
            "architecture.heads=2",
            "training.optimizer.name=soap",
            "training.optimizer.every=3",
            "training.schedule.name=drawn",
            "training.schedule.factors=[0.5, 1.0, 0.1]",
        ),
    ),
    "Sophia-G, whose labels are drawn": Case(
        "transformer",
        ("architecture.heads=2", "training.optimizer.name=sophia", "training.optimizer.every=3"),
    ),
    "EMA, noise, L1, growing batches, smoothed": Case(
        "transformer",
        (
            "architecture.heads=2",
            "architecture.layer_dropout=0.4",
            "objective.label_smoothing=0.1",
            "training.averaging=ema",
            "training.gradient_noise=0.1",
            "training.l1=1e-4",
            "training.clip_by=adaptive",
            "training.clip=0.1",
            "training.batch_warmup=6",
            "training.context_warmup=5",
            "training.context_start=3",
        ),
    ),
    "schedule-free on a plateau": Case(
        "transformer",
        (
            "architecture.heads=2",
            "training.optimizer.name=schedule-free",
            "training.schedule.name=plateau",
            "training.schedule.wait=0",
            "training.schedule.threshold=0.5",
        ),
    ),
    "one cycle with its momentum": Case(
        "transformer",
        (
            "architecture.heads=2",
            "training.optimizer.name=sgd",
            "training.schedule.name=one-cycle",
            "training.schedule.cycle_momentum=true",
            "training.clip_by=value",
        ),
    ),
    "LAMB with restarts": Case(
        "transformer",
        (
            "architecture.heads=2",
            "training.optimizer.name=lamb",
            "training.schedule.name=cosine-restarts",
            "training.schedule.period=5",
        ),
    ),
    "an optimizer with roles": Case(
        "transformer", ("architecture.heads=2", "training.optimizer.name=block-adam"), "block_adam"
    ),
    "convolutions": Case("dilated-convolution", (), "dilated_convolution"),
    "scans both ways, hidden tokens": Case("both-ways", ("objective.name=masked",), "both_ways"),
    "a pattern with a stranger's mixer and shared weights": Case(
        "hybrid",
        (
            "architecture.pattern=rg-lru+mlp, [attention+mlp], mamba",
            "architecture.layers=5",
            "architecture.attention.heads=2",
            "architecture.mamba.state=4",
            'training.edits=[{step = 9, path = "architecture.attention.dropout", value = 0.1}]',
        ),
        "gated_scan",
    ),
}


@pytest.fixture(scope="session")
def python(tmp_path_factory):
    """The Python of a virtual environment that has torch and numpy but not the lab."""
    folder = tmp_path_factory.mktemp("without the lab")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    command = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    packages = Path(subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip())
    libraries = {str(Path(module.__file__).parents[1]) for module in (torch, np)}
    # a folder named so is searched, and what its own .pth files name is not: the lab of a checkout is named there
    (packages / "torch.pth").write_text("\n".join(sorted(libraries)))
    return python


@pytest.fixture
def without_the_lab(python, tmp_path):
    """Run a file there; return what it prints."""

    def run(*words, code=0):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LAB_"))}
        ended = subprocess.run(
            [python, "-I", *map(str, words)], cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8"
        )
        assert ended.returncode == code, ended.stderr
        return ended.stdout + ended.stderr

    return run


@pytest.fixture(scope="module")
def plugins(tmp_path_factory):
    """The built-ins and the strangers' plugins."""
    home = tmp_path_factory.mktemp("home")
    (home / "plugins").mkdir()
    names = [path.stem for path in STRANGERS.glob("*.py") if not path.name.startswith("test_")]
    for name in names:
        shutil.copy(STRANGERS / f"{name}.py", home / "plugins")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("LAB_HOME", str(home))
        yield Plugins.from_environment(enable=names).load()
    for name in [name for name in sys.modules if name.startswith("lab_plugin_")]:
        del sys.modules[name]


@pytest.fixture
def trained(plugins, tmp_path):
    """Train a case; return its run."""

    def trained(case, *settings):
        file = tmp_path / "my.txt"
        file.write_bytes(TEXT.encode())
        recipe = Recipe().with_values(
            {"corpus": {"name": "file", "path": str(file)}, "architecture": {"name": case.architecture}}
        )
        bench = Workbench(plugins)
        try:
            run = bench.start(recipe.with_assignments(*SETTINGS, *case.settings, *settings), out=tmp_path / "run")
            run.wait_out()
        finally:
            bench.close()
        return RunFolder.open(tmp_path / "run")

    return trained


@pytest.fixture(scope="module")
def trained_once(tmp_path_factory):
    """A run of one step of a transformer without edits, and the script of it."""
    folder = tmp_path_factory.mktemp("trained")
    (folder / "my.txt").write_text(TEXT)
    corpus = {"corpus": {"name": "file", "path": str(folder / "my.txt")}}
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("LAB_HOME", str(folder / "home"))
        bench = Workbench(Plugins().load())
        settings = (*SETTINGS, *TRANSFORMER.settings, "training.steps=1", "training.edits=[]")
        run = bench.start(Recipe().with_values(corpus).with_assignments(*settings), out=folder / "run")
        run.wait_out()
        bench.close()
        opened = RunFolder.open(folder / "run")
        return opened, export_script(opened, bench.plugins, folder / "one.py")


@pytest.fixture
def run(trained_once):
    """The run of `trained_once`; no test changes its folder."""
    return trained_once[0]


@pytest.fixture
def script(trained_once):
    """The script of that run."""
    return trained_once[1]


def printed(output):
    """The series that a script printed: values by name and step."""
    series = {"train loss": {}, "gradient norm": {}, "validation loss": {}}
    for step, name, value, _, norm in re.findall(
        r"^step (\d+)  (train loss|validation loss) (\S+)(  gradient norm (\S+))?", output, re.MULTILINE
    ):
        series[name][int(step)] = float(value)
        if norm:
            series["gradient norm"][int(step)] = float(norm)
    return series


def recorded(run):
    """Return the same values as the run recorded them."""
    series = {}
    for name in ("train loss", "gradient norm", "validation loss"):
        steps, values = run.metrics().read(name)
        series[name] = dict(zip(steps.tolist(), values.tolist(), strict=True))
    return series


@pytest.mark.long
def test_the_virtual_environment_has_torch_and_no_lab(without_the_lab):
    code = "from importlib.util import find_spec; print(*(find_spec(n) is not None for n in {}))"
    assert without_the_lab("-c", code.format(("torch", "numpy", "lab", "lab_transformer"))) == "True True False False\n"


@pytest.fixture
def within_this_process(monkeypatch, capsys):
    """Run a script, which imports nothing of the lab, in this process; return what it prints."""

    def run(script, *words):
        assert foreign_modules(script.read_text(encoding="utf-8")) == {"torch", "numpy"}
        monkeypatch.setattr(sys, "argv", [script.name, *map(str, words)])
        monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", True)  # torch's default
        runpy.run_path(str(script), run_name="__main__")
        assert not torch.backends.cudnn.allow_tf32
        return capsys.readouterr().out

    return run


def check_repeated(run, output, weights):
    """Check that what a script printed and its weights are those of the run, bit for bit."""
    numbers = printed(output)
    assert numbers == recorded(run)
    assert max(numbers["gradient norm"].values()) > 0.25  # clipping was at work
    assert len(numbers["validation loss"]) == 3
    assert output.count(": 0.0 at ") == 3  # as the script itself says
    tables = load_file(run.checkpoint_folder(run.checkpoint_steps()[-1]) / "model.safetensors")
    saved = torch.load(weights, weights_only=True)
    assert all(torch.equal(saved[table], tables[table]) for table in tables)


@pytest.mark.long  # in short: a transformer, and rows, in this process
@pytest.mark.parametrize("name", CASES)
def test_a_script_trains_to_the_recorded_numbers_to_the_last_bit(name, trained, plugins, without_the_lab, tmp_path):
    run = trained(CASES[name])
    script = export_script(run, plugins, tmp_path / "again.py", text=Text(TEXT, "my.txt"))
    output = without_the_lab(script, "again.txt", "--every", "1", "--save", "weights.pt")
    check_repeated(run, output, tmp_path / "weights.pt")


def test_a_script_that_imports_no_lab_trains_to_the_recorded_numbers(trained, plugins, within_this_process, tmp_path):
    run = trained(TRANSFORMER)
    script = export_script(run, plugins, tmp_path / "again.py", text=Text(TEXT, "my.txt"))
    output = within_this_process(script, tmp_path / "again.txt", "--every", "1", "--save", tmp_path / "weights.pt")
    check_repeated(run, output, tmp_path / "weights.pt")


ROWS = {  # corpus, architecture, objective, further settings
    "vectors with numbers": ("sine", "transformer", "regression"),
    "vectors with labels": ("points", "transformer", "classification"),
    "texts with labels": ("polarity", "transformer", "classification", "objective.label_smoothing=0.1"),
    "tokens with labels": ("parts-of-speech", "transformer", "classification"),
    "pairs": ("reversal", "encoder-decoder", "sequence-to-sequence", "training.order=epochs"),
    "conversations": ("conversations-file", "transformer", "causal"),
    "images with classes": ("shapes", "transformer", "classification"),
    "images with captions": ("shapes", "encoder-decoder", "captions", "corpus.target=caption"),
}


def talk(number):
    """Return a conversation of two or four messages."""
    asked = [("user", f"what is {number} and 1?"), ("assistant", f"{number + 1}.")]
    more = [("user", "and then?"), ("assistant", f"{number + 2}.")] * (number % 2)
    return [{"role": role, "content": content} for role, content in asked + more]


@pytest.fixture
def trained_on_rows(lab_home, tmp_path):
    """Train a case of ROWS; return its run and the plugins."""

    def trained_on_rows(name):
        corpus, architecture, objective, *more = ROWS[name]
        chosen = {"corpus": corpus, "architecture": architecture, "objective": objective}
        recipe = Recipe().with_values({part: {"name": choice} for part, choice in chosen.items()})
        rows = ["corpus.rows=60"]
        if corpus == "conversations-file":
            file = tmp_path / "talks.jsonl"
            file.write_text("".join(f"{json.dumps({'messages': talk(number)})}\n" for number in range(60)))
            rows = [f"corpus.path={json.dumps(str(file))}"]
        size = ("architecture.heads=2", "training.steps=12", "training.context_length=128")
        bench = Workbench(Plugins(safe_mode=True).load())
        try:
            bench.start(recipe.with_assignments(*SETTINGS, *rows, *size, *more), out=tmp_path / "run").wait_out()
        finally:
            bench.close()
        return RunFolder.open(tmp_path / "run"), bench.plugins

    return trained_on_rows


@pytest.mark.long
@pytest.mark.parametrize("name", ROWS)
def test_a_script_of_rows_trains_to_the_recorded_numbers_to_the_last_bit(
    name, trained_on_rows, without_the_lab, tmp_path
):
    run, cards = trained_on_rows(name)
    script = export_script_and_text(run, cards, tmp_path / "again.py")
    output = without_the_lab(script, "again.npz", "--every", "1")
    assert printed(output) == recorded(run)
    assert output.count(": 0.0 at ") == 3


def test_a_script_of_rows_that_imports_no_lab_trains_to_the_recorded_numbers(
    trained_on_rows, within_this_process, tmp_path
):
    run, cards = trained_on_rows("vectors with numbers")
    script = export_script_and_text(run, cards, tmp_path / "again.py")
    output = within_this_process(script, tmp_path / "again.npz", "--every", "1")
    assert printed(output) == recorded(run)
    assert output.count(": 0.0 at ") == 3


def test_a_script_of_rows_reads_its_rows_and_no_others(trained_on_rows, tmp_path):
    run, cards = trained_on_rows("vectors with labels")
    script = export_script_and_text(run, cards, tmp_path / "again.py")
    plan = runpy.run_path(str(script))["PLAN"]
    train, validation = plan.data.read(plan, tmp_path / "again.npz")
    assert (train.examples, validation.examples) == (54, 6)
    arrays = dict(np.load(tmp_path / "again.npz"))
    arrays["label"][0] = 1 - arrays["label"][0]
    np.savez(tmp_path / "others.npz", **arrays)
    with pytest.raises(SystemExit, match="does not hold the data of this run"):
        plan.data.read(plan, tmp_path / "others.npz")
    assert export_script_and_text(run, cards, tmp_path / "again.py") == script
    (tmp_path / "again.npz").write_bytes(b"mine")
    with pytest.raises(BadInput, match="already exists"):
        export_script_and_text(run, cards, tmp_path / "again.py")
    with pytest.raises(BadInput, match="none are given"):
        export_script(run, cards, tmp_path / "again.py")


MIXTURE_EDITS = """[
    {step = 5, path = "corpus.second.weight", value = 4.0},
    {step = 9, path = "training.batch_size", value = 5},
]"""
DATA = {  # architecture, objective, corpus, further settings
    "documents read separately": (
        "transformer",
        "causal",
        {"name": "file", "path": "stories.jsonl", "documents": True},
        ("training.separate_documents=true", "tokenizer.name=bpe", "tokenizer.vocabulary_size=270"),
    ),
    "documents with carried state": (
        "lstm",
        "carried",
        {"name": "file", "path": "stories.jsonl", "documents": True},
        (),
    ),
    "a state that starts again with each document": (
        "lstm",
        "carried",
        {"name": "file", "path": "stories.jsonl", "documents": True},
        ("training.separate_documents=true",),
    ),
    "documents read both ways": (
        "transformer",
        "masked",
        {"name": "file", "path": "stories.jsonl", "documents": True},
        ("training.separate_documents=true",),
    ),
    "a text mixed with documents": (
        "transformer",
        "causal",
        {"name": "mixture", "first": {"path": "my.txt"}, "second": {"path": "stories.jsonl", "documents": True}},
        (f"training.edits={MIXTURE_EDITS}", "tokenizer.name=word"),
    ),
    "mixed vectors": (
        "transformer",
        "classification",
        {"name": "mixture", "first": {"corpus": "points"}, "second": {"corpus": "points", "settings": "seed=7"}},
        (f"training.edits={MIXTURE_EDITS.replace('4.0', '0.0')}", "tokenizer.name=none"),
    ),
    "mixed pairs": (
        "encoder-decoder",
        "sequence-to-sequence",
        {"name": "mixture", "first": {"corpus": "reversal"}, "second": {"path": "pairs.tsv", "holds": "pairs"}},
        (f"training.edits={MIXTURE_EDITS}",),
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", DATA)
def test_a_script_of_documents_or_a_mixture_trains_to_the_recorded_numbers_to_the_last_bit(
    name, lab_home, without_the_lab, tmp_path
):
    del lab_home
    (tmp_path / "my.txt").write_text(TEXT)
    stories = [json.dumps({"text": TEXT[number : 2 * number + 9]}) for number in range(80)]
    (tmp_path / "stories.jsonl").write_text("\n".join(stories))
    pairs = "".join(f"a{number}\t{number}a\n" for number in range(50))
    (tmp_path / "pairs.tsv").write_text(f"source\ttarget\n{pairs}")
    architecture, objective, corpus, more = DATA[name]
    corpus = {key: {**part, "path": str(tmp_path / part["path"])} if isinstance(part, dict) and "path" in part else part
              for key, part in corpus.items()}  # fmt: skip
    if "path" in corpus:
        corpus["path"] = str(tmp_path / corpus["path"])
    chosen = {"architecture": {"name": architecture}, "objective": {"name": objective}, "corpus": corpus}
    bench = Workbench(Plugins(safe_mode=True).load())
    heads = () if architecture == "lstm" else ("architecture.heads=2",)
    settings = (*SETTINGS, *heads, "training.steps=12", "training.context_length=32", *more)
    try:
        run = bench.start(Recipe().with_values(chosen).with_assignments(*settings), out=tmp_path / "run")
        run.wait_out()
    finally:
        bench.close()
    run = RunFolder.open(tmp_path / "run")
    script = export_script_and_text(run, bench.plugins, tmp_path / "again.py")
    output = without_the_lab(script, "again.npz", "--every", "1")
    assert printed(output) == recorded(run)
    assert output.count(": 0.0 at ") == 3
    assert len(script.read_text(encoding="utf-8").splitlines()) <= 3300  # of two kinds of data and a mixture


def foreign_modules(source):
    """Return the packages that a script imports and Python does not bring."""
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = {node.module if isinstance(node, ast.ImportFrom) else node.names[0].name for node in imports}
    return {module.partition(".")[0] for module in modules} - sys.stdlib_module_names


def test_a_script_is_plain_python_that_can_be_read(script):
    source = script.read_text(encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "--select=E9,E501,F", "--line-length=120", script],
        capture_output=True, text=True,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout
    assert foreign_modules(source) == {"torch", "numpy"}
    assert "SHA-256" in source.partition("import")[0]
    assert "\0" not in source
    assert "exec(" not in source
    assert "pickle" not in source
    assert len(source.splitlines()) < 3600
    assert not script.with_suffix(".txt").exists()


def test_a_script_reads_its_text_and_no_other(script, tmp_path):
    plan = runpy.run_path(str(script))["PLAN"]
    (tmp_path / "my.txt").write_text(TEXT)
    (tmp_path / "windows.txt").write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    (tmp_path / "other.txt").write_text("something else")
    for name in ("my.txt", "windows.txt"):
        parts = [split.tokens for split in plan.data.read(plan, tmp_path / name)]
        assert plan.data.tokenizer.decode(np.concatenate(parts)) == TEXT
    with pytest.raises(SystemExit, match="is not the text of this run"):
        plan.data.read(plan, tmp_path / "other.txt")


def test_live_edits_follow_the_scheduled_ones(trained, plugins, tmp_path):
    run = trained(TRANSFORMER, "training.steps=1", 'training.edits=[{step = 1, path = "training.clip", value = 0.1}]')
    run.append_event({"event": "set", "step": 1, "path": "training.clip", "value": 0.2, "before": 0.1})
    edits = runpy.run_path(str(export_script(run, plugins, tmp_path / "one.py")))["PLAN"].edits
    assert edits == {1: [("training.clip", 0.1), ("training.clip", 0.2)]}


def test_a_text_that_is_not_the_run_s_is_not_written_next_to_its_script(run, plugins, tmp_path):
    with pytest.raises(BadInput, match="not the text"):
        export_script(run, plugins, tmp_path / "one.py", text=Text("something else", "other"))
    assert not (tmp_path / "one.py").exists()


def test_a_model_that_counts_is_refused(plugins, tmp_path):
    file = tmp_path / "my.txt"
    file.write_text(TEXT)
    recipe = Recipe().with_values({"corpus": {"name": "file", "path": str(file)}, "architecture": {"name": "n-gram"}})
    bench = Workbench(plugins)
    try:
        bench.start(recipe.with_assignments("training.device=cpu"), out=tmp_path / "run").wait_out()
    finally:
        bench.close()
    with pytest.raises(BadInput, match="learns by counting"):
        export_script(RunFolder.open(tmp_path / "run"), plugins, tmp_path / "one.py")


def test_a_run_that_began_at_another_s_checkpoint_is_refused(run, plugins, tmp_path):
    branch = RunFolder(run.path, run.recipe, {**run.facts, "parent": {"name": "another", "step": 1}})
    with pytest.raises(BadInput, match="another run"):
        export_script(branch, plugins, tmp_path / "one.py")


def test_a_run_that_lost_its_vocabulary_is_refused(run, plugins, tmp_path):
    facts = {name: value for name, value in run.facts.items() if name != "vocabulary"}
    with pytest.raises(LabError, match="vocabulary"):
        export_script(RunFolder(run.path, run.recipe, facts), plugins, tmp_path / "one.py")
