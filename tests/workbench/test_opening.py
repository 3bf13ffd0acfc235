"""Runs from Python: lab.train, lab.open, what a run tells of itself, and what it keeps to itself."""

import getpass
import json
import platform
import socket
import sqlite3
from pathlib import Path

import pytest

import lab
from lab.base import BadInput, LabError
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
    assert len(list(run.generate("the ", count=5, temperature=0.5))) == 5


def test_the_summary_of_a_run_agrees_with_what_lies_in_its_folder(bench, recipe):
    run = bench.start(recipe(5))
    run.wait_out()
    assert json.loads((run.path / "status.json").read_text())["summary"] == run.summary()


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


def test_no_file_of_a_run_says_whose_it_is_or_where_it_lay(bench, recipe, text, tmp_path, plugin, monkeypatch):
    for told in (socket, "gethostname"), (platform, "node"), (getpass, "getuser"):
        monkeypatch.setattr(*told, lambda: "machine-of-jane")
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


def test_no_problem_of_a_run_says_where_it_happened(bench, recipe, plugin, tmp_path):
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
