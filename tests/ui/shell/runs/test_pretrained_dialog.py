"""The dialog for pretrained models: a folder is inspected, imported as a run, used and exported again."""

import json
import threading

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtWidgets import QFileDialog

from lab.api import Problem, Text
from lab.runs import list_runs
from lab.shell.runs.pretrained_dialog import PretrainedDialog
from lab.workbench.exchange.pretrained import TRAINING

TEXT = "the cat sat on the mat. a dog ran to the hat. the end\n" * 40


@pytest.fixture(autouse=True)
def short_runs(monkeypatch):
    """Skip the preparation of the Python manual for each run."""
    monkeypatch.setattr("lab.text.corpora.manual.read_manual", lambda config: Text(TEXT, "Python manual"))
    for name, value in (("threads", 1), ("sample_tokens", 4), ("device", "cpu")):
        monkeypatch.setitem(TRAINING, name, value)


@pytest.fixture
def choose(monkeypatch):
    """Let the folder dialog return a folder."""

    def choose(folder):
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))

    return choose


@pytest.fixture
def alone(open_runs, until):
    """The dialog over the list of runs alone, on a folder that was inspected."""

    def alone(folder):
        window = open_runs()
        made = PretrainedDialog(window, window.session)
        made.inspect(folder)
        until(lambda: made.isVisible() and (made.agree.isEnabled() or made._refused.text()))
        return made, window.session

    return alone


@pytest.fixture
def dialogue(window, choose, until):
    """The dialog, opened by its command on a folder that was inspected."""

    def dialogue(folder):
        choose(folder)
        next(action for action in window.commands.all() if action.command.key == "file.pretrained").trigger()
        made = window.files.pretrained
        until(lambda: made.isVisible() and (made.agree.isEnabled() or made._refused.text()))
        return made

    return dialogue


def test_the_model_is_shown_before_it_is_imported(alone, pretrained):
    shown, _ = alone(pretrained())
    assert [value.text() for value in shown.facts.values()] == [
        "GPT-2", "1 of width 16", "8.0 k", "262 symbols", "32 tokens", "33.5 kB",
    ]  # fmt: skip
    assert shown._name.text() == "tiny"
    assert list_runs() == ([], [])


def test_an_imported_model_is_the_selected_run_can_generate_and_is_written_as_a_folder(
    dialogue, pretrained, window, click, until, tmp_path, monkeypatch, reported
):
    shown = dialogue(pretrained())
    click(shown.agree)
    until(lambda: window.session.selected is not None)
    assert shown.isHidden()
    run = window.session.selected
    assert (run.name, run.state, run.step) == ("tiny", "finished", 0)
    window.show_place("play")
    window.generate()
    until(lambda: not window.play.writing and window.session.selected is run)
    assert window.runs_controller.can("further")
    out = tmp_path / "written"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(out), ""))
    next(action for action in window.commands.all() if action.command.key == "run.checkpoint").trigger()
    until((out / "model.safetensors").exists)
    assert json.loads((out / "config.json").read_text())["model_type"] == "gpt2"
    until(lambda: any("Exported written" in problem.what for problem in reported))


@pytest.mark.long
def test_a_branch_of_it_trains_on_another_text(dialogue, pretrained, window, click, until):
    click(dialogue(pretrained()).agree)
    until(lambda: window.session.selected is not None)
    window.runs_controller.branch()
    until(window.runs_controller.question.isVisible)
    click(window.runs_controller.question.agree)
    until(lambda: window.session.draft.branch_point is not None)
    window.session.opener.paste(TEXT)
    until(lambda: window.session.draft.recipe.corpus.name == "text")
    assert window.session.draft.edit("training.steps", 2) is None
    figures = []
    window.session.costs.computed.connect(figures.append)
    until(lambda: figures and figures[-1] is not None)
    assert not isinstance(figures[-1], Problem)
    window.configuration.start_new()
    until(lambda: len(window.session.registry.runs) == 2 and window.session.registry.runs[0].state == "finished")
    assert sorted(run.step for run in window.session.registry.runs) == [0, 2]


def test_an_unusable_folder_is_reported_in_the_dialog_and_another_can_be_selected(
    alone, pretrained, choose, click, until
):
    folder = pretrained("pickled")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    shown, _ = alone(folder)
    assert "a pickled file can run any code" in shown._refused.text()
    assert not shown.agree.isEnabled()
    choose(pretrained("good"))
    click(shown.other)
    until(shown.agree.isEnabled)
    assert not shown._refused.isVisible()


def test_cancel_stops_the_import_and_leaves_nothing_behind(alone, pretrained, click, until, monkeypatch):
    started, go_on = threading.Event(), threading.Event()

    def waiting(weights, cancelled):
        started.set()
        go_on.wait(10)
        if cancelled():
            from lab.base.jobs import Cancelled

            raise Cancelled
        raise AssertionError("nobody cancelled it")

    monkeypatch.setattr("lab.interop.pretrained.files.Weights.sha256", waiting)
    shown, session = alone(pretrained())
    click(shown.agree)
    until(started.is_set)
    until(lambda: shown._state.text() == "Checking the weights")
    assert shown._progress.isVisible()
    click(shown.cancel)
    go_on.set()
    assert shown.isHidden()
    until(lambda: not session.background._tasks)
    assert list_runs() == ([], [])
    assert session.selected is None


def test_esc_closes_the_dialog(alone, pretrained, qtbot):
    shown, _ = alone(pretrained())
    qtbot.keyClick(shown, Qt.Key.Key_Escape)
    assert shown.isHidden()


@pytest.mark.long
def test_a_dropped_folder_of_a_model_opens_the_dialog_and_not_a_corpus(window, pretrained, until):
    before = window.session.draft.recipe.corpus
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(pretrained()))])
    window.files.take(dropped)
    until(window.files.pretrained.agree.isEnabled)
    assert window.session.draft.recipe.corpus == before
