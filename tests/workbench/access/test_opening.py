"""Runs from Python: lab.train, lab.open, what a run tells of itself, and what it keeps to itself."""

import getpass
import json
import platform
import shutil
import socket
import sqlite3
from pathlib import Path

import pytest

import lab
from lab.base import BadInput, LabError
from lab.training.recording import checkpoints
from lab.workbench import SavedRun


def test_lab_train_trains_to_the_end_and_returns_the_run(recipe):
    run = lab.train(recipe(3))
    assert isinstance(run, SavedRun)
    assert run.status.state == "finished"
    assert run.summary["steps"] == 3
    assert run.summary["validation_loss"] > 0


def test_lab_train_takes_the_path_of_a_recipe(recipe, tmp_path):
    (tmp_path / "r.toml").write_text(recipe(2).to_toml())
    assert lab.train("r.toml", out="here").path == Path("here")


def test_lab_train_raises_what_is_wrong(recipe):
    with pytest.raises(BadInput, match="not a multiple of heads"):
        lab.train(recipe(2, "architecture.width=17"))
    with pytest.raises(BadInput, match="no such recipe file"):
        lab.train("nowhere.toml")


def test_lab_open_finds_a_run_by_folder_name_beginning_and_last(recipe):
    run = lab.train(recipe(2))
    for said in (run.path, str(run.path), run.name, run.name[:-4], "last"):
        assert lab.open(said).path == run.path
    with pytest.raises(BadInput, match="no such run"):
        lab.open("another")


def test_an_opened_run_gives_series_model_evaluation_and_text(recipe):
    run = lab.train(recipe(5))
    steps, losses = run.metrics().read("train loss")
    assert steps.tolist() == [1, 2, 3, 4, 5]
    assert all(loss > 0 for loss in losses)
    assert not run.model().training
    assert run.evaluate().loss == pytest.approx(run.summary["validation_loss"])
    assert len(list(run.generate("the ", count=5, settings={"temperature": 0.5}))) == 5


def test_the_summary_of_a_run_agrees_with_what_lies_in_its_folder(bench, recipe):
    run = bench.start(recipe(5))
    run.wait_out()
    assert json.loads((run.path / "status.json").read_text())["summary"] == run.summary()


@pytest.fixture
def smoothed(bench, recipe):
    """A run whose smoothing was changed before it counted."""
    run = bench.start(recipe(9, "architecture={name='n-gram'}"))
    run.control.set("architecture.smoothing", "add-k")
    run.wait_out()
    return run


def test_an_opened_model_has_the_settings_that_were_changed_while_it_trained(bench, smoothed):
    saved = bench.open(smoothed.path)
    assert saved.recipe.architecture.settings["smoothing"] == "modified-kneser-ney"
    assert saved.model().config.smoothing == "add-k"
    assert saved.evaluate(device="cpu").loss == pytest.approx(smoothed.trainer.evaluation.loss)


@pytest.mark.parametrize(
    ("facts", "words"),
    [(None, "is missing"), ("[]", "cannot be read"), ('{"format": 1, "live": {"architecture": {"smoothing": 7}}}', "7"),
     ('{"format": 1, "live": [7]}', "live = [7] is not allowed"),
     ('{"format": 1, "live": {"architecture": 7}}', "live.architecture = 7")],
)  # fmt: skip
def test_the_recipe_is_used_if_a_checkpoint_lacks_live_settings(bench, smoothed, reported, facts, words):
    file = smoothed.folder.checkpoint_folder(smoothed.trainer.step) / "state.json"
    file.unlink() if facts is None else file.write_text(facts)
    assert bench.open(smoothed.path).model().config.smoothing == "modified-kneser-ney"
    assert [words in problem.line() for problem in reported] == [True]
    assert all("as the recipe has them" in problem.line() for problem in reported)


def test_a_run_that_is_deleted_while_its_model_is_loaded_is_refused_without_a_notice(
    bench, smoothed, reported, monkeypatch
):
    saved, load = bench.open(smoothed.path), checkpoints.load_facts

    def deleted_first(folder):
        shutil.rmtree(smoothed.path)
        return load(folder)

    monkeypatch.setattr(checkpoints, "load_facts", deleted_first)
    with pytest.raises(LabError, match="missing"):
        saved.model()
    assert reported == []


def test_a_checkpoint_of_another_step_is_refused_with_those_there_are(recipe):
    run = lab.train(recipe(2))
    with pytest.raises(BadInput, match=r"no checkpoint of step 1.*Allowed: 2"):
        run.model(1)


def test_while_it_trains_a_run_can_be_opened_but_has_no_model_yet(bench, training):
    run = bench.open(training.path)
    assert run.status.state == "running"
    with pytest.raises(BadInput, match="Wait until the run has ended"):
        run.model()


def test_settings_are_written_out_with_the_version_of_each_part(recipe):
    stored = lab.train(recipe(1)).recipe
    assert stored.architecture.version == 1
    assert stored.architecture.settings["dropout"] == 0
    assert stored.training.optimizer.settings["beta1"] == 0.9


def test_the_corpus_is_stored_by_name_and_hash_and_found_again_through_the_settings(recipe, text, lab_home):
    run = lab.train(recipe(1))
    assert run.recipe.corpus.settings["path"] == "animals.txt"
    known = json.loads((lab_home / "settings.json").read_text())["corpora"]
    assert known == {run.folder.facts["corpus"]["sha256"]: str(text)}


def test_a_corpus_that_moved_is_found_where_it_was_last_trained_on(recipe, text, tmp_path):
    run = lab.train(recipe(1))
    moved = tmp_path / "moved.txt"
    text.rename(moved)
    with pytest.raises(BadInput, match="--text FILE"):
        run.evaluate()
    lab.train(recipe(1).with_values({"corpus": {"path": str(moved)}}))
    assert run.evaluate().targets == 275


def test_no_file_of_a_run_reveals_its_user_or_location(bench, recipe, text, tmp_path, plugin, monkeypatch):
    for reported in (socket, "gethostname"), (platform, "node"), (getpass, "getuser"):
        monkeypatch.setattr(*reported, lambda: "machine-of-jane")
    plugin("'''Mine.'''")
    (tmp_path / "out").mkdir()
    command = ["lm-lab", "train", "--corpus", str(text), f"--out={tmp_path}", "--set", f"corpus.path={text}"]
    run = bench.start(recipe(3), out=tmp_path / "out" / "run", command=command)
    run.wait_out()
    failed = bench.start(recipe(1, f"corpus.path={tmp_path / 'nowhere.txt'}"))
    failed.wait()
    words = [str(tmp_path), "secret project", "jane", f"{Path.home()}/"]
    for file in run.path.rglob("*"):
        content = file.read_bytes() if file.is_file() else b""
        for word in words:
            assert word.encode() not in content, f"{file.name} holds {word}"


def test_no_problem_of_a_run_reveals_its_location(bench, recipe, plugin, tmp_path):
    plugin(
        """
        import torch
        from lab.api import Architecture, NoSettings, hookimpl
        from lab.layers import LanguageModel

        class Broken(LanguageModel):
            def forward(self, tokens):
                raise RuntimeError(f"it rained on {__file__}")

        @hookimpl
        def lab_register_architectures(register):
            register(Architecture("broken", "Broken", "own", "Own.", config=NoSettings, build=Broken))
        """
    )
    run = bench.start(recipe(1).with_values({"architecture": {"name": "broken"}}))
    with pytest.raises(LabError, match="it rained"):
        run.wait_out()
    for name in ("status.json", "events.jsonl"):
        content = (run.path / name).read_text()
        assert "it rained" in content
        assert str(tmp_path) not in content
        assert "mine.py" in content


def test_the_figures_of_a_run_are_all_in_one_sqlite_file(recipe):
    run = lab.train(recipe(3))
    with sqlite3.connect(run.folder.metrics_file) as store:
        assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    store.close()


WORDS = """
    import re
    import numpy as np
    from lab.api import Tokenization, hookimpl

    class Words:
        def __init__(self, words):
            self.words, self.vocabulary_size = words, len(words)

        def encode(self, text):
            return np.array([self.words.index(word) for word in re.findall(r"\\S+|\\s", text)], np.int64)

        def decode(self, tokens):
            return "".join(self.words[token] for token in tokens)

        def label(self, token):
            return self.words[token]

        def sizes(self):
            return np.array([len(word.encode()) for word in self.words], np.int64)

        def vocabulary(self):
            return {"words": self.words}

    def fit(config, text):
        return Words(sorted(set(re.findall(r"\\S+|\\s", text))))

    @hookimpl
    def lab_register_tokenizers(register):
        register(Tokenization(name="words", title="Words", build=fit, load=lambda stored: Words(stored["words"])))
"""


def test_a_vocabulary_of_paths_comes_back_word_for_word(recipe, text, plugin):
    plugin(WORDS)
    symbols = ["/usr/", "ab-/cd\\ef", "\\", "/", "…", f"{Path.home()}/x", "C:\\ann\\y"]
    text.write_text(" ".join(symbols * 60))
    run = lab.train(recipe(3).with_values({"tokenizer": {"name": "words"}}))
    assert set(symbols) < set(run.tokenizer.words)
    assert run.evaluate().loss == pytest.approx(run.summary["validation_loss"])
    assert len(list(run.generate("".join(symbols[0:1]), count=5))) == 5


def own_corpus(path):
    """A plugin whose corpus has a path of its own meaning."""
    return f"""
    from lab.api import Corpus, ModelConfig, Text, hookimpl, setting

    class Where(ModelConfig):
        path: str = setting({path!r}, help="A key in an archive.")

    @hookimpl
    def lab_register_corpora(register):
        register(Corpus(name="archive", title="Archive", config=Where, build=lambda c: Text(c.path * 300, "archive")))
    """


def test_the_path_of_another_card_is_nobodys_business(recipe, plugin, lab_home):
    plugin(own_corpus("a/b/c"))
    run = lab.train(recipe(1).with_values({"corpus": {"name": "archive"}}))
    assert run.recipe.corpus.settings["path"] == "a/b/c"
    assert not json.loads((lab_home / "settings.json").read_text()).get("corpora")
    assert run.evaluate().targets > 0


@pytest.mark.short("..", "../corpus")
@pytest.mark.parametrize("said", [".", "..", "../corpus"])
def test_a_folder_said_by_dots_is_stored_by_its_name(recipe, tmp_path, monkeypatch, said):
    folder = tmp_path / "corpus"
    (folder / "inner").mkdir(parents=True)
    (folder / "a.txt").write_text("the cat sat on the mat.\n" * 60)
    monkeypatch.chdir(folder / "inner" if said == ".." else folder)
    run = lab.train(recipe(1).with_values({"corpus": {"path": said}}), out=tmp_path / "run")
    assert run.recipe.corpus.settings["path"] == "corpus"
    again = lab.train(run.path / "recipe.toml")
    assert again.folder.facts["corpus"]["sha256"] == run.folder.facts["corpus"]["sha256"]


def test_a_run_prefers_the_text_with_its_hash_to_one_in_its_folder(recipe, text):
    run = lab.train(recipe(1))
    (run.path / text.name).write_text("another text. " * 60)
    again = lab.train(run.path / "recipe.toml")
    assert again.folder.facts["corpus"]["sha256"] == run.folder.facts["corpus"]["sha256"]


def strangers(run, path, lab_home):
    """The run as if a stranger had made it: nothing of its corpus is known here, and its recipe names this path."""
    (lab_home / "settings.json").unlink()
    recipe = run.recipe.with_values({"corpus": {"path": str(path)}})
    (run.path / "recipe.toml").write_text(recipe.to_toml())
    return lab.open(run.path)


@pytest.mark.parametrize("said", ["{text}", "../{folder}/animals.txt", "..", "."])
def test_no_path_in_a_foreign_run_is_followed(recipe, text, lab_home, said, monkeypatch):
    run = lab.train(recipe(1))
    monkeypatch.setattr("lab.text.corpora.files.read_file", lambda config: pytest.fail(f"{config.path} was read"))
    path = said.format(text=text, folder=text.parent.name)
    with pytest.raises(BadInput, match=r"was not found.*--text FILE"):
        strangers(run, path, lab_home).evaluate()


@pytest.mark.parametrize("beside", ["the run", "the current folder"])
def test_a_bare_name_is_found_next_to_the_run_and_in_the_current_folder(recipe, text, lab_home, tmp_path, beside):
    run = lab.train(recipe(1))
    folder = run.path.parent if beside == "the run" else tmp_path
    (folder / "animals.txt").write_text(text.read_text())
    assert strangers(run, "animals.txt", lab_home).evaluate().targets == 275


def test_evaluating_needs_neither_the_optimizer_nor_the_device_of_the_training(recipe):
    run = lab.train(recipe(1))
    changed = {"optimizer": {"name": "gone"}, "schedule": {"name": "gone"}, "device": "cuda:7"}
    (run.path / "recipe.toml").write_text(run.recipe.with_values({"training": changed}).to_toml())
    assert lab.open(run.path).evaluate().loss == pytest.approx(run.summary["validation_loss"])


def test_the_home_folder_is_found_in_paths_from_a_notebook(recipe, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    (tmp_path / "r.toml").write_text(recipe(2).to_toml())
    assert lab.train("~/r.toml", out="~/runs/first").path == tmp_path / "runs" / "first"
