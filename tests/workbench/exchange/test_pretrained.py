"""A pretrained model as a run: it writes, is looked into, evaluated trained further, and goes out again as it came."""

import json

import numpy as np
import pytest
import torch

from lab.api import BadInput, Task, Text
from lab.base.files import temporary
from lab.base.folders import runs_folder
from lab.base.jobs import Cancelled
from lab.host import Plugins
from lab.interop import load_pretrained
from lab.interop.pretrained.writing import write_pretrained
from lab.recipes import Decoding
from lab.runs import RunFolder, list_runs
from lab.text.tokenizers.pretrained import load_tokenizer
from lab.text.tokenizers.units import ByteTokenizer
from lab.workbench import SavedRun, Workbench
from lab.workbench.exchange.pretrained import TRAINING, export_pretrained, find_pretrained, import_pretrained

TEXT = "the cat sat on the mat. a dog ran to the hat. the end\n" * 40
CHANGES = ("training.steps=3", "training.batch_size=2", "training.accumulation=1", "training.threads=1",
           "training.sample_tokens=4", "training.device=cpu", "training.seed=1")  # fmt: skip


@pytest.fixture(scope="module")
def plugins():
    return Plugins.from_environment()


@pytest.fixture(autouse=True)
def short_runs(monkeypatch):
    """Spare each run the seconds in which the Python manual is gathered, and those of a long sample."""
    for name, value in (("threads", 1), ("sample_tokens", 4), ("device", "cpu"), ("accumulation", 1)):
        monkeypatch.setitem(TRAINING, name, value)
    monkeypatch.setattr("lab.text.corpora.manual.read_manual", lambda config: Text(TEXT, "Python manual"))


@pytest.fixture
def imported(pretrained, plugins):
    return SavedRun(import_pretrained(pretrained(), plugins), plugins)


def exact(one, other):
    return one.keys() == other.keys() and all(one[name].equal(other[name]) for name in one)


def test_it_is_a_run_finished_at_step_0_with_its_origin(imported):
    run = imported.folder
    assert (imported.status.state, imported.status.step) == ("finished", 0)
    assert run.checkpoint_steps() == [0]
    reported = run.facts["pretrained"]
    assert (reported["model_type"], reported["folder"], reported["name"]) == ("gpt2", "tiny", "tiny")
    assert len(reported["sha256"]) == 64
    assert [found.name for found in list_runs()[0]] == [run.name]
    assert json.loads((run.path / "label.json").read_text())["name"] == "tiny"
    assert str(run.path.parent.parent) not in (run.path / "run.json").read_text()


def test_its_model_is_that_of_the_folder_and_needs_the_folder_no_more(pretrained, plugins, tmp_path):
    folder = pretrained()
    expected = load_pretrained(folder, plugins).tables()
    run = import_pretrained(folder, plugins, tmp_path / "run")
    for file in folder.iterdir():
        file.unlink()
    saved = SavedRun(RunFolder.open(run.path), plugins)
    assert exact(saved.model().tables(), expected)
    assert saved.tokenizer.decode(saved.tokenizer.encode("the <|end|> é")) == "the <|end|> é"


def test_it_generates_text_and_the_likeliest_tokens(imported):
    written = "".join(piece.text for piece in imported.generate("the cat", count=5, seed=3))
    assert written
    assert len(imported.next_tokens("the cat", 7).tokens) == 7


def numbers(run, **options):
    pieces = list(run.generate("the cat", count=12, seed=3, **options))
    return [int(run.tokenizer.encode(piece.label)[0]) if len(piece.label) == 1 else None for piece in pieces], pieces


def test_its_text_ends_at_the_symbol_that_its_files_name(pretrained, plugins):
    found, pieces = numbers(SavedRun(import_pretrained(pretrained("free"), plugins), plugins))
    assert [piece.end.reason for piece in pieces if piece.end] == ["length"]
    at, end = next((at, number) for at, number in enumerate(found) if number is not None and at > 1)
    for name, config, generation in (("own", {"eos_token_id": end}, None), ("both", {"eos_token_id": 1}, [258, end])):
        folder = pretrained(name, **config)
        if generation is not None:
            (folder / "generation_config.json").write_text(json.dumps({"eos_token_id": generation}))
        run = SavedRun(import_pretrained(folder, plugins), plugins)
        assert run.folder.facts["vocabulary"]["end_of_text"] == (generation or [end])
        _, ended = numbers(run)
        assert (len(ended), ended[-1].end.reason, ended[-1].text) == (at + 1, "end of text", "")
        _, whole = numbers(run, decoding=Decoding(end_of_text=False))
        assert [piece.text for piece in whole] == [piece.text for piece in pieces]


@pytest.mark.parametrize("ends", [3, ["a"], [True]])
def test_a_damaged_list_of_end_symbols_is_refused(imported, ends):
    with pytest.raises(BadInput, match="end_of_text"):
        load_tokenizer({**imported.tokenizer.vocabulary(), "end_of_text": ends})


def test_it_is_inspected_and_its_readings_at_step_0_are_there(imported):
    look = imported.inspect("the cat")
    assert look.labels == ("the", "␣", "c", "a", "t")
    assert {"mixing", "residual"} <= {reading.name for reading in look.readings}
    assert imported.recorded_steps() == [0]
    assert imported.recorded(0).readings


def test_it_is_evaluated_on_the_corpus_of_its_recipe(imported):
    found = imported.evaluate(device="cpu")
    assert 0 < found.loss < 20
    assert found.bits_per_byte > 0


def test_a_branch_trains_it_further_on_another_text(imported, plugins):
    bench = Workbench(plugins)
    changes = (*CHANGES, "corpus.name=text", f"corpus.text={TEXT.upper()!r}", "training.optimizer.learning_rate=0.01")
    run = bench.branch(imported.path, 0, changes)
    run.wait_out()
    saved = bench.open(run.path)
    assert saved.status.step == 3
    _, losses = saved.metrics().read("train loss")
    assert np.isfinite(losses).all()
    assert exact(saved.model(0).tables(), imported.model().tables())
    assert not exact(saved.model().tables(), imported.model().tables())
    assert saved.folder.facts["pretrained"] == imported.folder.facts["pretrained"]


def test_it_is_resumed_and_keeps_the_weights_it_came_with(imported, plugins):
    before = imported.model().tables()
    bench = Workbench(plugins)
    run = bench.resume(imported.path, steps=2)
    run.wait_out()
    assert bench.open(imported.path).status.step == 2
    assert exact(bench.open(imported.path).model(0).tables(), before)


def test_it_goes_out_as_it_came(imported, pretrained, plugins, tmp_path):
    out = tmp_path / "out"
    written = export_pretrained(imported, plugins, out)
    assert (written.model_type, written.tokenizer) == ("gpt2", True)
    came, gone = load_pretrained(tmp_path / "tiny", plugins), load_pretrained(out, plugins)
    assert exact(came.tables(), gone.tables())
    tokenizers = [json.loads((folder / "tokenizer.json").read_text()) for folder in (tmp_path / "tiny", out)]
    assert tokenizers[0] == tokenizers[1]
    again = import_pretrained(out, plugins, tmp_path / "again")
    assert again.facts["pretrained"]["model_type"] == "gpt2"


def test_a_model_that_was_trained_here_goes_out_and_comes_back_the_same(plugins, tmp_path):
    from lab.recipes import Recipe

    recipe = Recipe().with_values({"corpus": {"name": "text", "text": TEXT}, "tokenizer": {"name": "byte"}})
    recipe = recipe.with_assignments(
        "architecture.layers=2", "architecture.width=16", "architecture.heads=2", "training.context_length=16", *CHANGES
    )
    bench = Workbench(plugins)
    run = bench.start(recipe)
    run.wait_out()
    saved = bench.open(run.path)
    export_pretrained(saved, plugins, tmp_path / "out")
    tokens = torch.randint(0, 256, (1, 16))
    with torch.no_grad():
        difference = load_pretrained(tmp_path / "out", plugins)(tokens) - saved.model()(tokens)
    assert float(difference.abs().max()) < 1e-6
    found = find_pretrained(tmp_path / "out", plugins)
    assert found.tokenizer.decode(found.tokenizer.encode("the ä")) == "the ä"


def test_a_model_that_no_format_can_express_is_refused_and_nothing_is_written(imported, plugins, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(
        BadInput, match=r"architecture\.positions = learned: cannot be expressed in a config\.json of llama"
    ):
        export_pretrained(imported, plugins, out, model_type="llama")
    with pytest.raises(BadInput, match=r"is not known for this architecture\. Allowed: falcon, gpt2"):
        export_pretrained(imported, plugins, out, model_type="bert")
    assert not out.exists()


def test_no_folder_is_written_over(imported, plugins, tmp_path):
    with pytest.raises(BadInput, match="this folder is not empty"):
        export_pretrained(imported, plugins, tmp_path / "tiny")
    (tmp_path / "empty").mkdir()
    assert export_pretrained(imported, plugins, tmp_path / "empty").folder.name == "empty"


def test_a_folder_without_a_tokenizer_is_refused_with_a_remedy(pretrained, plugins):
    folder = pretrained()
    (folder / "tokenizer.json").unlink()
    with pytest.raises(BadInput, match=r"has no tokenizer\.json.*lab\.interop\.load_pretrained"):
        import_pretrained(folder, plugins)
    assert list_runs() == ([], [])


def test_nothing_is_left_of_what_is_cancelled_or_fails_on_the_way(pretrained, plugins, tmp_path, monkeypatch):
    folder, reported = pretrained(), []

    def cancelled():
        return any(doing == "Reading the weights" for doing in reported)

    with pytest.raises(Cancelled):
        import_pretrained(folder, plugins, progress=lambda _, doing: reported.append(doing), cancelled=cancelled)
    monkeypatch.setattr("lab.training.trainer.Trainer.save_checkpoint", lambda *_: 1 / 0)
    out = tmp_path / "out"
    with pytest.raises(ZeroDivisionError):
        import_pretrained(folder, plugins, out)
    assert list_runs() == ([], [])
    assert not out.exists()


def test_until_it_is_whole_an_import_has_a_temporary_name_that_the_next_start_sweeps(
    pretrained, plugins, tmp_path, monkeypatch
):
    names = []

    def look(*_):
        assert list_runs() == ([], [])
        for folder in (runs_folder(), tmp_path / "theirs"):
            names.extend(path.name for path in folder.iterdir())
        return 1 / 0

    for folder in (runs_folder(), tmp_path / "theirs"):
        folder.mkdir(parents=True)
    folder = pretrained()
    monkeypatch.setattr("lab.training.trainer.Trainer.save_checkpoint", look)
    for out in (None, tmp_path / "theirs" / "own"):
        with pytest.raises(ZeroDivisionError):
            import_pretrained(folder, plugins, out)
    monkeypatch.setattr("lab.base.files.temporary.is_alive", lambda *_: False)
    assert len(names) == 2
    assert all(temporary._is_left(name) for name in names)
    assert [*runs_folder().iterdir(), *(tmp_path / "theirs").iterdir()] == []


def test_an_import_takes_an_empty_folder_and_no_other(pretrained, plugins, tmp_path):
    empty, full = tmp_path / "empty", tmp_path / "full"
    empty.mkdir()
    full.mkdir()
    (full / "mine").touch()
    folder = pretrained()
    assert import_pretrained(folder, plugins, empty).path == empty
    for path in (full, full / "mine"):
        with pytest.raises(BadInput, match="this one is not empty") as refused:
            import_pretrained(folder, plugins, path)
        assert refused.value.problem.field == "out"
    assert [path.name for path in full.iterdir()] == ["mine"]


def test_a_model_of_images_is_no_run_of_texts(plugins, tmp_path):
    card = plugins.card("architectures", "vit")
    settings = {**card.presets["small"]["architecture"], "layers": 1, "width": 8, "heads": 2, "hidden": 8}
    model = card.make(card.config(**settings), Task(1, 1, causal=False, input_shape=(8, 8, 3), classes=2))
    write_pretrained(model, ByteTokenizer(), tmp_path, plugins, architecture="vit")
    with pytest.raises(BadInput, match="reads images, and a run is imported only of models that continue texts"):
        find_pretrained(tmp_path, plugins)


def test_the_model_of_a_cache_is_called_as_there(pretrained, plugins, tmp_path):
    folder = pretrained()
    snapshot = tmp_path / "models--someone--small-1B" / "snapshots" / "0123abc"
    snapshot.parent.mkdir(parents=True)
    folder.rename(snapshot)
    assert find_pretrained(snapshot, plugins).name == "someone small-1B"


def roberta(folder, plugins, mark="<mask>", **task):
    """Write a tiny RoBERTa, whose tokenizer has a symbol for hidden tokens, in place of a GPT-2."""
    card = plugins.card("architectures", "encoder")
    config = card.config(layers=1, width=16, heads=2, segments=1, pooler="tanh", pool="first")
    model = card.make(config, Task(262, 30, causal=False, **task))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
    out = folder.parent / "roberta"
    write_pretrained(model, ByteTokenizer(), out, plugins, architecture="encoder", model_type="roberta")
    file = folder / "tokenizer.json"
    (out / "tokenizer.json").write_text(file.read_text(encoding="utf-8").replace("<|end|>", mark), encoding="utf-8")
    return out, model.eval()


def test_an_encoder_is_a_run_of_hidden_tokens_with_the_mask_that_it_learned(pretrained, plugins):
    folder, model = roberta(pretrained(), plugins)
    saved = SavedRun(import_pretrained(folder, plugins), plugins)
    assert saved.recipe.objective.name == "masked"
    text = "the [MASK] sat"
    found = saved.fill(text, count=262)
    read = [*saved.tokenizer.encode("the").tolist(), 259, *saved.tokenizer.encode(" sat").tolist()]
    with torch.no_grad():
        shares = model(torch.tensor([read]))[0, len(saved.tokenizer.encode("the"))].softmax(dim=-1)
    best = int(shares.argmax())
    assert found.places[0].candidates[0].label == saved.tokenizer.label(best)
    assert found.places[0].candidates[0].probability == pytest.approx(float(shares[best]), rel=1e-4)


@pytest.mark.parametrize(
    ("task", "mark", "words"),
    [({"classes": 3}, "<mask>", "learned classes"), ({}, "<hole>", "no symbol for a hidden token")],
)
def test_an_encoder_that_cannot_be_a_run_is_refused_in_a_sentence(pretrained, plugins, task, mark, words):
    folder, _ = roberta(pretrained(), plugins, mark, **task)
    with pytest.raises(BadInput, match=words):
        find_pretrained(folder, plugins)
