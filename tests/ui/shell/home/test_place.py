"""Home offers ways to start, lists the recent runs, and shows the shipped recipes by topic."""

import json
import sys
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPointF, QRectF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QMainWindow

from lab.recipes import QUICK_START, gallery, shipped, shipped_names
from lab.shell.corpus.picker.settings import EntryPanel
from lab.shell.home.model import COMPARED
from lab.shell.home.pictures import CurvesPicture, PictureLine
from lab.shell.home.place import HomePlace
from lab.shell.home.recent import RecentRuns
from lab.shell.home.tile import RecentRow
from lab.shell.session.draft import OWN_TEXT
from lab.shell.session.runs.durations import PastRun
from lab.shell.window import home_actions
from lab.training import material


@pytest.fixture
def home(open_window):
    """Open a window that has never stored anything."""

    def home(**options):
        window = open_window(place=None, **options)
        assert window.place == "home"
        return window

    return home


class HomePage(QMainWindow):
    """Home without the rest of the window."""

    def __init__(self, session):
        super().__init__()
        self.session, self.home = session, HomePlace(session)
        self.setCentralWidget(self.home)
        self.setMinimumSize(1100, 640)
        session.warm_up.done.connect(self.home.begin)


@pytest.fixture
def home_page(open_session, until):
    """Open Home without the rest of the window."""
    opened = []

    def home_page():
        session = open_session(ready=False)
        opened.append(HomePage(session))
        opened[0].show()
        session.begin()
        until(lambda: session.warm_up.ready)
        return opened[0]

    yield home_page
    for page in opened:
        page.close()
        page.deleteLater()


@pytest.fixture
def quick(monkeypatch):
    """Make the recipes that Home starts short and their models small."""
    corpus = {"name": "text", "text": "the cat sat on the mat. " * 99}
    tiny = {"corpus": corpus, "architecture": {"layers": 1, "width": 16}, "training": {"steps": 2}}
    short = {name: shipped(name).with_values({"corpus": None}, tiny) for name in (QUICK_START, *COMPARED)}
    for module in ("lab.shell.window.home_actions", "lab.shell.session.session"):
        monkeypatch.setattr(sys.modules[module], "shipped", lambda name: short[name])


def test_the_first_start_shows_home_without_docks_and_its_gallery_shows_every_shipped_recipe_and_those_of_a_topic(
    home, click
):
    window = home(ready=False)
    assert window.home.isVisible()
    assert not window.docks.runs.isVisible()
    assert not window.docks.side.isVisible()
    assert not window.top.start.isVisible()
    assert window.top.find_button.isVisible()
    recipes = window.home.recipes
    assert {tile.name for tile in recipes.tiles} == set(shipped_names())
    assert recipes.headings == list(gallery().topics.values())
    click(next(tile for tile in recipes.tiles if tile.name == "compare-mamba"))
    assert window.place == "train"
    assert window.session.draft.recipe == shipped("compare-mamba")
    window.show_place("home")
    next(action for action in recipes.topics.menu().actions() if action.text() == "Experts").trigger()
    assert [tile.name for tile in recipes.tiles] == ["experts-collapse", "experts-recovery"]
    assert recipes.headings == []


@pytest.mark.parametrize("spoken", ["de", pytest.param("en", marks=pytest.mark.long)])
def test_a_tile_has_space_for_all_that_it_shows(home, spoken, request):
    if spoken == "de":
        request.getfixturevalue("german")
    recipes = home(ready=False, size=(1366, 768)).home.recipes
    assert [tile.shown_text for tile in recipes.tiles if tile.shown_text.endswith("…")] == []


def test_an_empty_list_of_runs_is_explained(home_page, until):
    window = home_page()
    until(lambda: window.session.registry.is_listed)
    until(lambda: "Every run you start" in window.home.recent._other.shown_text[0])
    assert window.home.recent.state == "empty"


@pytest.mark.long
def test_two_architectures_wait_for_torch_are_trained_one_after_the_other_and_shown_together(home, quick, click, until):
    window = home(ready=False)
    draft = window.session.draft.recipe
    click(window.home.compare.button)
    assert window.session.waiting
    assert window.place == "train"
    until(lambda: len(window.session.registry.runs) == 2)
    assert not window.session.waiting
    runs = window.session.registry.runs[::-1]
    assert [run.recipe.architecture.name for run in runs] == ["transformer", "mamba"]
    assert window.session.selected is runs[0]
    assert all(run.shown for run in runs)
    assert window.session.draft.recipe == draft
    until(lambda: [run.state for run in runs] == ["finished", "finished"])


def test_watch_a_model_learn_trains_the_quick_start_and_compared_runs_are_shown_without_it(home, quick, click, until):
    window = home()
    session = window.session
    click(window.home.watch.button)
    assert window.place == "train"
    until(lambda: session.selected is not None)
    earlier = session.selected
    assert earlier.recipe.title == shipped(QUICK_START).title
    until(lambda: earlier.is_finished and earlier.active is None)
    # the duration of the recipe follows the pace of its run in this window
    session.durations.known[earlier.key] = PastRun(QUICK_START, 1.0)
    for seconds in (7.0, 9.0):
        earlier.last_status = replace(earlier.last_status, summary={"seconds": seconds})
        window.home._show_durations()
        assert session.durations.seconds(QUICK_START) == (seconds, True)
    session.registry.show(earlier.key, shown=True)
    window.show_place("home")
    click(window.home.compare.button)
    until(lambda: len(session.registry.runs) == 3)
    runs = session.registry.runs[1::-1]
    assert session.registry.shown == [runs[1], runs[0]]
    session.registry.select(runs[1].key)
    assert session.registry.shown == runs
    assert not earlier.label.shown


@pytest.mark.long
def test_the_space_bar_starts_the_configuration_and_shows_it(home, qtbot, until):
    window = home()
    qtbot.keyClick(window, Qt.Key.Key_Space)
    assert window.place == "train"
    until(lambda: window.session.selected is not None)


@pytest.mark.long
def test_a_chosen_text_becomes_the_corpus_of_a_model_of_suitable_size_and_the_start_button_says_so(
    home, tmp_path, monkeypatch, click, until
):
    text = tmp_path / "mine.txt"
    text.write_text("It was the best of times. " * 200)
    monkeypatch.setattr(home_actions, "ask_for_files", lambda parent: [str(text)])
    window = home()
    click(window.home.text.button)
    until(lambda: window.place == "data")
    until(lambda: window.session.draft.recipe.corpus.settings.get("path") == str(text))
    recipe = window.session.draft.recipe
    assert recipe.architecture.settings["width"] < shipped(QUICK_START).architecture.settings["width"]
    assert window.session.draft.origin == OWN_TEXT
    window.show_place("train")
    until(lambda: window.draft_panel.presets.box.currentText() == "own text")
    until(lambda: window.data.corpus.beginning)
    start = window.draft_panel.start_button
    until(lambda: "Trains on mine.txt." in start.toolTip())
    assert "Corpus" in start.toolTip().partition("Compared with quick start: ")[2]
    window.session.start()
    until(lambda: f"It is queued behind {window.session.selected.name}." in start.toolTip())


def test_a_text_dropped_on_home_is_trained_on_with_one_more_click_at_the_settings_that_are_shown(
    home, tmp_path, click, until
):
    text = tmp_path / "story.txt"
    text.write_text("It was the best of times. " * 200)
    window = home()
    dropped = QMimeData()
    dropped.setUrls([QUrl.fromLocalFile(str(text))])
    keys, buttons = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton
    window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, dropped, buttons, keys))
    until(lambda: window.place == "data" and window.data.findChildren(EntryPanel))
    (panel,) = window.data.findChildren(EntryPanel)
    until(lambda: panel.train.isEnabled())
    assert panel._needs.text().endswith("2 layers of width 64, 400 steps, for 5.2 kB of text")
    click(panel.train)
    assert window.place == "train"
    until(lambda: window.session.selected is not None)
    assert window.session.selected.recipe.corpus.settings["path"] == str(text)


def test_texts_that_cannot_be_used_change_neither_the_place_nor_the_configuration_also_when_opened_later(
    home, tmp_path, until, reported
):
    text, other = tmp_path / "mine.txt", tmp_path / "other.txt"
    text.write_bytes(b"\0\1\2" * 300)
    other.write_text("It was the best of times. " * 200)
    window = home()
    before = window.session.draft.recipe
    window.home_actions.use_texts([str(text), str(other)])
    assert [problem.what for problem in reported] == ["2 texts were selected, and a model is trained on one"]
    assert not any(task.key == home_actions.SIZE for task in window.session.background._tasks.values())
    window.home_actions.use_texts([str(text)])
    until(lambda: any("mine.txt" in toast.text.text().replace("\u200b", "") for toast in window.toasts.toasts))
    assert window.session.draft.recipe == before
    assert window.place == "home"
    text.write_text("It was the best of times. " * 200)
    window.session.open_path(str(text))
    until(lambda: window.session.draft.recipe.corpus.settings.get("path") == str(text))
    assert window.session.draft.recipe.architecture == before.architecture


@pytest.mark.long
def test_watching_a_model_learn_does_not_train_on_a_text_that_is_still_being_read(
    home, quick, tmp_path, click, until, monkeypatch
):
    free, read = threading.Event(), material.read_corpus
    monkeypatch.setattr(material, "read_corpus", lambda corpus: (free.wait(), read(corpus))[1])
    text = tmp_path / "mine.txt"
    text.write_text("It was the best of times. " * 200)
    window = home()
    window.home_actions.use_texts([str(text)])
    until(lambda: window.session._opened_corpus.is_reading)
    click(window.home.watch.button)
    free.set()
    until(lambda: window.session.selected is not None)
    until(lambda: not window.session.background._tasks)
    assert window.session.selected.recipe.corpus == window.session.draft.recipe.corpus
    assert window.session.selected.recipe.corpus.name == "text"


def test_recent_runs_have_a_name_a_time_a_loss_and_a_curve(home_page, saved_run, until):
    saved_run("Mine: a run", losses=[3.0, 2.5, 2.2, 2.0, 1.9, 1.8, 1.75])
    window = home_page()
    until(lambda: window.home.recent.tiles and window.home.recent.tiles[0].row.curve)
    row = window.home.recent.tiles[0].row
    assert row.name == "Mine"
    assert "Transformer" in row.detail
    assert "just now" in row.detail
    assert (row.value, row.unit, row.loss) == ("1.75", "nats", "training loss: 1.75 nats per token")
    assert row.curve[0] == (1.0, 3.0)
    assert row.curve[-1] == (7.0, 1.75)


def test_a_click_on_a_recent_run_or_a_recipe_that_is_opened_is_shown_in_train(
    home, saved_run, small, tmp_path, click, until
):
    file = tmp_path / "mine.toml"
    file.write_text(small().to_toml())
    saved_run("Mine")
    window = home()
    until(lambda: window.home.recent.tiles)
    click(window.home.recent.tiles[0])
    assert window.place == "train"
    assert window.session.selected.name == "Mine"
    window.show_place("home")
    click(window.home.recent.tiles[0])  # it is selected already
    assert window.place == "train"
    window.show_place("home")
    window.session.open_paths([str(file)])
    assert window.place == "train"


def test_the_last_run_is_resumed_if_it_was_stopped_and_no_other_one_if_it_is_gone(home, trained_run, click, until):
    trained_run("training.steps=5")
    window = home()
    until(lambda: window.home.recent.tiles)
    assert window.home.recent.resume.text() == "Continue with Small"
    run = window.session.registry.runs[0]
    run.source.folder.update(state="stopped", step=5)
    run.update_status(run.source.folder.status())
    resumed = []
    window.session.run_commands.resume = resumed.append
    window.home._show_runs()
    assert window.home.recent.resume.text() == "Resume Small"
    click(window.home.recent.resume)
    assert resumed == [run]
    assert window.place == "train"
    window.session.registry.select(run.key)
    window.show_place("home")
    window.home_actions.resume("gone")
    assert resumed == [run]


def test_the_button_of_the_last_run_continues_the_run_that_it_names(qtbot):
    card, continued = RecentRuns(), []
    qtbot.addWidget(card)
    card.continued.connect(continued.append)
    row = RecentRow("run 1", "Mine", "", "", 0, (), "stopped", ())
    card.show_runs([row], 1, "Resume Mine", "run 1")
    card.resume.click()
    assert continued == ["run 1"]


def test_a_long_name_on_the_button_of_the_last_run_is_elided_and_whole_in_the_tool_tip(qtbot):
    card, name = RecentRuns(), "Continue with " + "a long name " * 20
    qtbot.addWidget(card)
    card.show_runs([RecentRow("run 1", "Mine", "", "", 0, (), "stopped", ())], 1, name, "run 1")
    card.resize(400, 300)
    card.show()
    assert card.resume.text().startswith("Continue with a long name")
    assert card.resume.sizeHint().width() <= card.resume.width() <= 400
    assert name in (card.resume.toolTip(), card.resume.accessibleName())
    card.resize(3000, 300)
    assert card.resume.text() == name
    assert card.resume.toolTip() == ""


def test_the_names_of_curves_leave_half_of_a_picture_to_them(qtbot):
    picture = CurvesPicture("", [PictureLine(((0, 1.0), (1, 2.0)), 0, "model")], {"a name of a floor " * 9: 1.5})
    qtbot.addWidget(picture)
    assert picture.area_of_curves(QRectF(0, 0, 300, 60)).width() >= 140
    picture.resize(300, 60)
    assert not picture.grab().isNull()


def test_the_button_names_the_run_that_trains_and_not_one_that_is_queued_behind_it(home_page):
    window = home_page()
    window.session.draft.edit("training.steps", 1000000)
    for _ in range(2):
        window.session.start()
    queued, first = window.session.registry.runs
    assert queued.state == "queued"
    window.home._show_runs()
    assert window.home.recent.resume.text() == f"Watch {first.name}"


def _shown_for(home, name):
    return next(tile._duration for tile in home.recipes.tiles if tile.name == name)


def test_once_the_machine_was_measured_the_form_shows_the_time_that_home_shows_for_the_same_recipe(home, until):
    window = home()
    until(lambda: "on this machine" in window.home.watch._note.full_text)
    assert "of memory free" in window.home._machine.full_text
    window.session.take_recipe(QUICK_START)
    until(lambda: window.session.durations.speed)
    times = window.draft_panel.costs._values[3]
    for past, is_estimate in (([], True), ([PastRun(COMPARED[1], 500.0)], True), ([PastRun(QUICK_START, 77.0)], False)):
        window.session.durations.take_past(past)
        window.home.recipes.show_durations()
        window.home.estimated.emit()
        shown = _shown_for(window.home, QUICK_START)
        until(lambda shown=shown: times.text() == shown)
        assert shown.startswith("≈ ") == is_estimate


def test_the_corpus_of_a_recent_run_is_named_in_the_language_of_the_window(german, home_page, saved_run, until):
    file = saved_run("Old") / "run.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "corpus": {"name": "Python manual"}}))
    page = home_page()
    until(lambda: page.session.registry.runs)
    assert page.home._corpus(page.session.registry.runs[0]) == "Python-Handbuch"
