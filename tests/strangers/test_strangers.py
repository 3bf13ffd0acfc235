"""Plugins written from the docs alone, each in one file, get everything that the lab derives for them."""

import json
import re
import shutil
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import lab
from lab.cli.main import main
from lab.host import BUILT_INS
from lab.runs import read_readings, reading_steps
from lab.testing.suite import trials

FOLDER = Path(__file__).parent
TEXT = "the cat sat on the mat. a dog ran to the hat. no cat sits on a dog.\n" * 150
TRAINING = ("steps=40", "context_length=16", "batch_size=8", "sample_tokens=8", "threads=1", "device=cpu")
SMALL = ("layers=2", "width=16")

torch.set_num_threads(1)


@dataclass(frozen=True)
class Model:
    """A model of a third-party plugin.

    Args:
        file: The name of its file without the suffix.
        name: The name of its architecture.
        setting: One of its settings, as a path in a recipe.
        wrong: A value that this setting does not allow.
        readings: The names of its readings.
        series: The series of its runs besides those of all runs.
        small: The settings of a small model.
        objective: The objective of its training.
    """

    file: str
    name: str
    setting: str
    wrong: str
    readings: frozenset[str]
    series: frozenset[str] = frozenset()
    small: tuple[str, ...] = SMALL
    objective: str = "causal"


MODELS = [
    Model(
        "both_ways", "both-ways", "both_ways.expansion", "0", frozenset({"mixing", "state"}), objective="masked",
    ),
    Model("suffix_counts", "suffix-counts", "discount", "1.5", frozenset({"order"}), small=("order=3",)),
    Model(
        "dilated_convolution", "dilated-convolution", "kernel", "1", frozenset({"gate", "embedding"}),
    ),
    Model("gru_cells", "gru-cells", "tie", "3", frozenset({"state", "reset", "update"})),
    Model(
        "gated_scan", "rg-lru", "rg_lru.most", "1.0",
        frozenset({"state", "recurrence gate", "input gate", "mixing"}),
    ),
    Model(
        "two_experts", "two-experts", "two_experts.experts", "1", frozenset({"routing", "mixing"}),
        series=frozenset({"auxiliary balance"}), small=(*SMALL, "heads=2"),
    ),
]  # fmt: skip
FILES = sorted(path.stem for path in FOLDER.glob("*.py") if path.name != Path(__file__).name)


@pytest.fixture
def lm_lab(lab_home, tmp_path, monkeypatch, capsys, floors_found_once):
    """Return the command line, in a folder with a text and a home with all these plugins enabled."""
    monkeypatch.chdir(tmp_path)
    Path("my.txt").write_text(TEXT, encoding="utf-8")
    (lab_home / "plugins").mkdir(parents=True)
    for name in FILES:
        shutil.copy(FOLDER / f"{name}.py", lab_home / "plugins")

    def run(*words, file, code=0):
        capsys.readouterr()
        assert main([words[0], "--enable", file, *map(str, words[1:])]) == code
        return capsys.readouterr()

    yield run
    for name in [name for name in sys.modules if name.startswith(("lab_plugin_", "lab_conformance_"))]:
        del sys.modules[name]


def trained(lm_lab, model, *more, file=None):
    """Train a small model and return its figures."""
    settings = [f"architecture.{one}" for one in model.small] + [f"training.{one}" for one in TRAINING]
    settings += ["readings.moments=3"]
    options = [word for one in settings for word in ("--set", one)]
    common = ("--architecture", model.name, "--objective", model.objective, "--corpus", "my.txt", "--out", "run")
    ended = lm_lab("train", *common, *options, *more, "--json", file=file or model.file)
    return json.loads(ended.out.splitlines()[-1])


@pytest.mark.short("suffix_counts", "gated_scan")
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.file)
def test_a_model_has_its_settings_on_the_command_line_and_refuses_what_they_do_not_allow(lm_lab, model):
    reported = lm_lab("train", "--architecture", model.name, "--help", file=model.file).out
    assert f"architecture.{model.setting} = " in reported
    refused = lm_lab(
        "train", "--architecture", model.name, "--objective", model.objective,
        "--set", f"architecture.{model.setting}={model.wrong}", file=model.file, code=2,
    )  # fmt: skip
    assert f"architecture.{model.setting} = {model.wrong}" in refused.err
    assert "Allowed: " in refused.err


@pytest.mark.short("both_ways", "suffix_counts")
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.file)
def test_a_model_trains_and_is_saved_probed_and_generates_text(lm_lab, model):
    figures = trained(lm_lab, model)
    assert figures["state"] == "finished"
    run = lab.open(Path("run"))
    _, losses = run.metrics().read("train loss")
    assert losses[-3:].mean() < losses[0] - 0.05
    assert model.series <= set(run.metrics().series())
    assert run.folder.facts["cost"]["parameters"] == figures["parameters"]

    evaluated = json.loads(lm_lab("evaluate", "run", "--json", file=model.file).out.splitlines()[-1])
    assert evaluated["loss"] == pytest.approx(figures["validation_loss"], abs=1e-5)

    recorded = {reading.name for reading in read_readings(run.path, reading_steps(run.path)[-1])}
    assert model.readings <= recorded
    probed = lm_lab("probe", "run", "--text", "the cat", file=model.file).out
    assert all(name in probed for name in model.readings)

    if model.objective == "causal":
        written = lm_lab("generate", "run", "--prompt", "the ", "--max-tokens", 12, file=model.file).out
        assert len(written.rstrip("\n")) >= len("the ") + 6
    else:
        refused = lm_lab("generate", "run", "--prompt", "the ", file=model.file, code=2)
        assert "cannot write" in refused.err


@pytest.mark.short("gru_cells", "two_experts")
@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.file)
def test_a_model_conforms_at_its_smallest(lab_home, model, lm_lab):
    every = trials(model.name, plugin=FOLDER / f"{model.file}.py", config=None)
    first = [trial for trial in every if not trial.case.label or "defaults" in trial.case.label]
    names = ("loads", "config", "build", "shape", "last", "readings")
    quick = [trial for trial in first if trial.check.name in names]
    assert quick
    assert [str(trial.failure) for trial in quick if trial.failure] == []


def test_a_mixer_is_combined_with_built_in_ones_in_a_pattern(lm_lab):
    pattern = ("pattern=rg-lru+mlp, [attention], rg-lru", "layers=3", "width=16", "rg_lru.most=0.9")
    figures = trained(lm_lab, Model("gated_scan", "hybrid", "", "", frozenset(), small=pattern))
    assert figures["state"] == "finished"
    stored = Path("run", "recipe.toml").read_text(encoding="utf-8")
    assert "[architecture.rg_lru]" in stored
    assert "[architecture.mamba]" not in stored
    reported = lm_lab("probe", "run", "--text", "the cat", file="gated_scan").out
    assert "block 1, recurrence gate" in reported
    assert len(lm_lab("generate", "run", "--prompt", "the ", "--max-tokens", 12, file="gated_scan").out) > 9
    refused = lm_lab("generate", "run", "--prompt", "the ", file="influence", code=2).err
    assert "architecture.pattern" in refused
    assert "A plugin that does not run may provide it" in refused


def test_an_intervention_changes_models_of_any_architecture(lm_lab):
    trained(lm_lab, Model("silent_channels", "gru", "", "", frozenset()))
    words = ("evaluate", "run", "--without", "embedding:1,embedding:2", "--json")
    found = json.loads(lm_lab(*words, file="silent_channels").out.splitlines()[-1])
    assert [each["target"] for each in found["without"]] == ["embedding:1", "embedding:2"]
    assert len({found["intact"], found["loss"], *(each["loss"] for each in found["without"])}) == 4
    assert "names no intervention" in lm_lab(*words, file="influence", code=2).err


@pytest.mark.long  # in short: another intervention
def test_units_at_the_hook_points_of_a_model_can_be_switched_off(lm_lab):
    trained(lm_lab, MODELS[2])
    words = ("evaluate", "run", "--without", "unit:2.*", "--json")
    found = json.loads(lm_lab(*words, file=MODELS[2].file).out.splitlines()[-1])
    assert [each["target"] for each in found["without"]] == [f"unit:2.{unit + 1}" for unit in range(16)]
    assert found["intact"] not in {each["loss"] for each in found["without"]}


def test_a_model_without_hook_points_refuses_to_switch_anything_off(lm_lab):
    trained(lm_lab, MODELS[1])
    assert "no hook points" in lm_lab("evaluate", "run", "--without", "head", file=MODELS[1].file, code=2).err


def test_a_corpus_and_a_tokenizer_are_used_and_no_model_beats_the_entropy(lm_lab):
    reported = lm_lab(
        "train", "--corpus", "markov-words", "--tokenizer", "spaced-words", "--help", file="markov_words"
    ).out
    assert "corpus.sharpness = " in reported
    refused = lm_lab(
        "train", "--corpus", "markov-words", "--set", "corpus.sharpness=-1", file="markov_words", code=2
    )  # fmt: skip
    assert "corpus.sharpness = -1" in refused.err
    words = ("--corpus", "markov-words", "--tokenizer", "spaced-words", "--set", "corpus.length=20000", "--out", "run")
    ended = lm_lab("train", "--architecture", "n-gram", "--preset", "shannon-2", *words, "--json", file="markov_words")
    figures = json.loads(ended.out.splitlines()[-1])
    floor = figures["floors"]["entropy rate"]
    assert floor - 0.05 < figures["validation_loss"] < floor + 0.1 < figures["floors"]["unigram"]
    evaluated = json.loads(lm_lab("evaluate", "run", "--json", file="markov_words").out.splitlines()[-1])
    assert evaluated["loss"] == pytest.approx(figures["validation_loss"])
    written = lm_lab("generate", "run", "--prompt", "the ", "--max-tokens", 5, file="markov_words").out
    assert len(written.split()) == 6
    assert "surprise" in lm_lab("probe", "run", "--probe", "surprise", "--text", "the dog ", file="markov_words").out


def test_a_probe_repeats_its_recorded_readings_and_an_observer_writes_its_journal(lm_lab):
    transformer = Model("influence", "transformer", "", "", frozenset(), small=(*SMALL, "heads=2"))
    settings = (
        "--set",
        "readings.probes.saliency.norm=1",
        "--set",
        "observers.journal.window=1",
        "--set",
        "observers.journal.spike=1.01",
    )
    help_ = lm_lab("train", "--set", "readings.probes.saliency={}", "--help", file="influence").out
    assert {"readings.probes.saliency.norm = 2.0", "observers.journal.spike = 1.5"} <= {
        line.strip().partition("   ")[0] for line in help_.splitlines()
    }
    assert "readings.probes.saliency.norm = 0" in lm_lab(
        "train", "--corpus", "my.txt", "--set", "readings.probes.saliency.norm=0", file="influence", code=2
    ).err  # fmt: skip
    figures = trained(lm_lab, transformer, *settings)
    run = lab.open(Path("run"))
    journal = json.loads((run.path / "journal.json").read_text())
    assert journal["state"] == "finished"
    assert journal["best"]["loss"] == pytest.approx(figures["validation_loss"])
    assert journal["spikes"]
    steps, recorded = reading_steps(run.path), {}
    for reading in read_readings(run.path, steps[-1]):
        recorded[reading.name] = reading
    assert recorded["influence"].axes == ("query", "key")
    assert not np.triu(recorded["influence"].values, 1).any()
    afterwards = json.loads(lm_lab("probe", "run", "--probe", "saliency", "--json", file="influence").out)
    assert np.allclose(afterwards["readings"][0]["values"], recorded["influence"].values.ravel(), atol=1e-5)


def test_a_probe_reports_once_that_it_does_not_support_a_counting_model(lm_lab):
    counting = Model("influence", "n-gram", "", "", frozenset(), small=("order=2",))
    trained(lm_lab, counting, "--set", "readings.probes.saliency={}")
    run = lab.open(Path("run"))
    assert [event["what"] for event in run.folder.events()] == ["a model that counts has no gradients"]
    recorded = {reading.name for reading in read_readings(run.path, reading_steps(run.path)[-1])}
    assert recorded == {"matched", "mixing", "order"}
    assert json.loads((run.path / "journal.json").read_text())["state"] == "finished"


def test_a_command_reads_a_run_and_prints_lines_or_json(lm_lab):
    trained(lm_lab, Model("heaviest_tables", "n-gram", "", "", frozenset(), small=("order=2",)))
    listed = lm_lab("heaviest-tables", "run", "--most", 2, file="heaviest_tables").out.splitlines()
    assert len(listed) == 2
    found = json.loads(lm_lab("heaviest-tables", "run", "--json", "--most", 2, file="heaviest_tables").out)
    assert found["run"] == "run"
    assert [line.split()[0] for line in listed] == list(found["norms"])
    assert "--most = 0: is too few" in lm_lab("heaviest-tables", "run", "--most", 0, file="heaviest_tables", code=2).err
    refused = lm_lab("heaviest-tables", "run", file="influence", code=2).err
    assert "heaviest_tables: off" in refused


def test_an_optimizer_with_rates_by_role_and_state_of_groups_is_resumed_as_if_never_stopped(lm_lab):
    own = ("--set", "training.optimizer.name=block-adam", "--set", "training.schedule.name=constant")
    model = Model("block_adam", "transformer", "", "", frozenset(), small=(*SMALL, "heads=2"))
    trained(lm_lab, model, *own, "--set", "training.steps=20")
    shutil.move("run", "stopped")
    resumed = lm_lab("resume", "stopped", "--steps", 40, "--json", file="block_adam")
    figures = trained(lm_lab, model, *own)
    assert json.loads(resumed.out.splitlines()[-1])["validation_loss"] == figures["validation_loss"]
    one, other = (lab.open(Path(name)).metrics().read("train loss")[1] for name in ("stopped", "run"))
    assert one.tolist() == other.tolist()
    assert other[-3:].mean() < other[0] - 0.3


@pytest.mark.long  # in short: frozen parts, in the tests of trainings
def test_adapters_are_trained_on_a_frozen_model(lm_lab):
    before = trained(lm_lab, Model("low_rank_adapters", "adapted", "rank", "-1", frozenset()))
    words = ("--from", "40", "--set", "architecture.rank=2", "--set", "training.steps=80", "--out", "tuned")
    lm_lab("branch", "run", *words, file="low_rank_adapters")
    run, tuned = lab.open(Path("run")), lab.open(Path("tuned"))
    assert tuned.metrics().read("validation loss")[1][-1] < before["validation_loss"]
    first = load_file(run.path / "checkpoints/40/model.safetensors")
    last = load_file(tuned.path / "checkpoints/80/model.safetensors")
    assert all(torch.equal(table, last[name]) for name, table in first.items())
    adapters = set(last) - set(first)
    assert {name.rpartition(".")[2] for name in adapters} == {"down", "up"}


def test_a_filter_that_sees_the_history_is_used_and_set_by_its_name(lm_lab):
    trained(lm_lab, Model("echo_penalty", "n-gram", "", "", frozenset(), small=("order=2",)))
    words = ("generate", "run", "--prompt", "the ", "--strategy", "greedy", "--max-tokens", 30)
    echo = ("--filter", "echo-penalty=50", "--set", "filters.echo-penalty.decay=0.99")
    text = lm_lab(*words, *echo, file="echo_penalty").out.strip()
    assert all(len(set(text[at : at + 8])) == 8 for at in range(len(text) - 8))
    assert text != lm_lab(*words, file="echo_penalty").out.strip()
    refused = lm_lab(*words, "--filter", "echo-penalty=-1", file="echo_penalty", code=2).err
    assert "sampling.echo_penalty = -1" in refused
    assert "decay = 0.8" in lm_lab("settings", "echo-penalty", file="echo_penalty").out


def test_a_strategy_with_several_texts_writes_ends_and_is_set_by_its_name(lm_lab):
    trained(lm_lab, Model("best_of_draws", "n-gram", "", "", frozenset(), small=("order=3",)))
    words = ("generate", "run", "--prompt", "the ", "--strategy", "best-of-draws", "--max-tokens", 40, "--json")

    def score(texts):
        out = lm_lab(*words, "--set", f"strategy.texts={texts}", file="best_of_draws").out
        found = json.loads(out.splitlines()[-1])
        assert found["end"]["reason"] == "length"
        return np.mean([np.log(token["probability"]) for token in found["tokens"]])

    assert score(32) > score(1)
    stopped = json.loads(lm_lab(*words, "--stop", ".", file="best_of_draws").out.splitlines()[-1])
    assert stopped["end"] == {"reason": "stop string", "what": "."}
    assert "." not in stopped["text"]


@dataclass(frozen=True)
class OfRows:
    """A third-party model that learns from rows of a generated corpus.

    Args:
        file: The name of its file without the suffix.
        name: The name of its architecture.
        corpus: The corpus.
        objective: The objective.
        settings: Settings of corpus, model and training.
        beaten: The floor that its validation loss is below.
    """

    file: str
    name: str
    corpus: str
    objective: str
    settings: tuple[str, ...]
    beaten: str


OF_ROWS = [
    OfRows("gru_translator", "gru-translator", "reversal", "sequence-to-sequence",
           ("architecture.width=16", "corpus.rows=120", "training.steps=20", "training.context_length=32"),
           "uniform"),
    OfRows("bag_classifier", "bag-classifier", "topics", "classification",
           ("tokenizer.name=word", "corpus.rows=400", "training.steps=60"), "uniform"),
    OfRows("plain_mlp", "plain-mlp", "points", "classification", ("corpus.rows=400", "training.steps=60"),
           "class priors"),
    OfRows("plain_mlp", "plain-mlp", "sine", "regression", ("corpus.rows=400", "training.steps=60"), "mean"),
    OfRows("patch_mixer", "patch-mixer", "digits", "classification", ("corpus.rows=300", "training.steps=80"),
           "uniform"),
]  # fmt: skip


@pytest.mark.short("plain_mlp-*", "bag_classifier-*")
@pytest.mark.parametrize("model", OF_ROWS, ids=lambda model: f"{model.file}-{model.corpus}")
def test_a_model_of_rows_trains_below_the_simplest_floor_and_resumes_to_the_same_numbers(lm_lab, model):
    settings = ("training.threads=1", "training.device=cpu", "training.batch_size=16", *model.settings)
    options = [word for one in (*settings, "training.optimizer.learning_rate=0.01") for word in ("--set", one)]
    common = ("--architecture", model.name, "--corpus", model.corpus, "--objective", model.objective)
    ended = lm_lab("train", *common, *options, "--out", "run", "--json", file=model.file)
    figures = json.loads(ended.out.splitlines()[-1])
    run = lab.open(Path("run"))
    assert figures["validation_loss"] < run.folder.facts["floors"][model.beaten]
    verified = lm_lab("runs", "verify", "run", file=model.file).out
    assert "exact" in verified


@pytest.mark.long  # in short: a translator of the docs is trained, and the lab's own writes
def test_a_model_that_reads_a_source_writes_from_it_and_ends(lm_lab):
    settings = ("architecture.width=16", "corpus.rows=60", "training.steps=25", "training.device=cpu",
                "training.context_length=32",
                "training.batch_size=8", "training.threads=1", "training.optimizer.learning_rate=0.01")  # fmt: skip
    options = [word for one in settings for word in ("--set", one)]
    lm_lab("train", "--architecture", "gru-translator", "--corpus", "reversal", "--objective", "sequence-to-sequence",
           *options, "--out", "run", file="gru_translator")  # fmt: skip

    def written(source, most):
        words = ("generate", "run", "--prompt", source, "--max-tokens", most, "--json")
        return json.loads(lm_lab(*words, file="gru_translator").out.splitlines()[-1])

    ended, cut, other = written("abc", 100), written("abc", 1), written("hgfed", 1)
    assert ended["end"]["reason"] == "end of text"  # about one target in seven is the end
    assert len(ended["tokens"]) < 100
    assert cut["end"]["reason"] == "length"
    assert cut["tokens"][0]["alternatives"] != other["tokens"][0]["alternatives"]  # the source decides


@pytest.mark.long  # in short: the corpus of pairs of the docs
def test_a_corpus_of_pairs_is_described_and_trained_on(lm_lab):
    described = lm_lab("corpus", "pairs-of-sums", "--set", "corpus.rows=300", file="pairs_of_sums").out
    lines = {line[:15].strip(): line[15:].strip() for line in described.splitlines()}
    assert lines["corpus"] == "sums, pairs"
    assert "entropy rate 0.0000" in lines["floors"]
    assert lines["target length"].startswith("1 to 3 tokens")
    left, right, result = map(int, re.fullmatch(r".*: (\d+)\+(\d+)= → (\d+)", lines["examples"]).groups())
    assert left + right == result
    settings = ("architecture.width=16", "corpus.rows=300", "training.steps=5", "training.device=cpu")
    options = [word for one in settings for word in ("--set", one)]
    ended = lm_lab("train", "--architecture", "encoder-decoder", "--corpus", "pairs-of-sums",
                   "--objective", "sequence-to-sequence", *options, "--json", "--out", "run",
                   file="pairs_of_sums")  # fmt: skip
    assert json.loads(ended.out.splitlines()[-1])["state"] == "finished"


def examples_of_docs():
    """Return the source of each plugin in the docs for authors, by its name."""
    docs = FOLDER.parents[1] / "resources/docs/plugins"
    pages = "".join(page.read_text(encoding="utf-8") for page in docs.glob("*.md"))
    blocks = re.findall(r"```python\n# plugins/(\S+)\n(.*?)```", pages, re.S)
    return {name: source for name, source in blocks if "@hookimpl" in source}


SECOND = re.compile(
    r"lab_register_(filters|strategies)|roles=True|source_vocabulary_size|input_shape|task\.(classes|outputs)|"
    r'kind="(pairs|labels|conversations|vectors|images)"'
)
"""What version 2 of the contract brought."""


def sources_of_built_ins():
    """Return the source of each built-in plugin by its module: of all files of a package."""
    found = {}
    for name in BUILT_INS:
        file = Path(find_spec(name).origin)
        files = sorted(file.parent.glob("*.py")) if file.name == "__init__.py" else [file]
        found[name] = "".join(each.read_text(encoding="utf-8") for each in files)
    return found


def test_a_plugin_that_uses_the_second_version_declares_it():
    sources = {name: (FOLDER / f"{name}.py").read_text(encoding="utf-8") for name in FILES}
    sources |= examples_of_docs() | sources_of_built_ins()
    new = {name for name, source in sources.items() if SECOND.search(source)}
    assert {"pairs_of_sums", "gru_translator", "block_adam", "capitals.py", "averaging_sign.py"} <= new
    assert {"lab.training.optimizers.builtins", "lab.sources.rows.cards", "lab_seq2seq"} <= new
    assert {name for name in new if "\nLAB_API_VERSION = 2\n" not in sources[name]} == set()


@pytest.mark.parametrize("file", ["best_of_draws", "echo_penalty", "pairs_of_sums"])
def test_a_part_that_is_no_model_passes_the_whole_suite(file, lm_lab):
    assert [str(trial.failure) for trial in trials(None, plugin=FOLDER / f"{file}.py") if trial.failure] == []


@pytest.mark.long
@pytest.mark.parametrize("file", FILES)
def test_a_file_passes_the_whole_suite(file, lm_lab):
    assert [str(trial.failure) for trial in trials(None, plugin=FOLDER / f"{file}.py") if trial.failure] == []


def test_a_rule_of_a_plugin_finds_and_offers_its_remedy(lm_lab):
    settings = ("training.clip=1e-6", "readings.moments=0", *(f"training.{one}" for one in TRAINING))
    options = [
        word for one in (*settings, *(f"architecture.{one}" for one in (*SMALL, "heads=2"))) for word in ("--set", one)
    ]
    lm_lab("train", "--corpus", "my.txt", "--out", "run", *options, file="always_clipped")
    found = json.loads(lm_lab("runs", "doctor", "run", "--json", file="always_clipped").out)["findings"]
    (own,) = [one for one in found if one["rule"] == "always-clipped"]
    assert own["remedies"] == [{"what": "Three times the bound", "changes": {"training.clip": 3e-6}, "start": "now"}]
    reported = lm_lab("runs", "doctor", "run", file="always_clipped").out
    assert "lm-lab train" in reported
    assert "training.clip=3e-06" in reported
