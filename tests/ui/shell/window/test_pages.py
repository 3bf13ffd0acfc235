"""The place that opens by itself: for a run that gets selected or is gone, and for what was opened from Home."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, Signal

from lab.shell.window.pages import PlaceFollower

RUN = SimpleNamespace(active=None)
REFUSED = SimpleNamespace(active=SimpleNamespace(problem="the disk is full"))


class Source(QObject):
    """The signals of the registry and the opener of a session."""

    opened = Signal(object)
    selection_changed = Signal()
    listed = Signal()


class Window(QObject):
    """A window that notes its place."""

    def __init__(self, place):
        super().__init__()
        self.place = place
        self.source = Source(self)
        self.session = SimpleNamespace(selected=None, opener=self.source, registry=self.source)
        self.restorer = SimpleNamespace(is_restoring=False)

    def follow(self, *, awaits_run=False):
        self.follower = PlaceFollower(self, self, self.session, self.restorer, awaits_run=awaits_run)
        self.follower.follow()

    def show_place(self, key):
        self.follower.open(key)
        self.place = key

    def show_place_of_runs(self):
        self.show_place("train")

    def show_text(self):
        self.show_place("data")

    def select(self, run):
        self.session.selected = run
        self.source.selection_changed.emit()


@pytest.fixture
def window(qapp):
    def window(place, **given):
        made = Window(place)
        made.follow(**given)
        return made

    return window


@pytest.mark.parametrize(("restoring", "place"), [(False, "train"), (True, "home")])
def test_a_run_that_gets_selected_is_shown_unless_the_last_session_is_restored(window, restoring, place):
    home = window("home")
    home.restorer.is_restoring = restoring
    home.select(RUN)
    assert home.place == place


@pytest.mark.parametrize("place", ["train", "inspect", "play"])
def test_home_opens_once_no_run_is_selected_any_more(window, place, until):
    shown = window("home")
    shown.select(RUN)
    shown.place = place
    shown.select(None)
    assert shown.place == place  # another run may be selected next
    until(lambda: shown.place == "home")


def test_another_run_that_is_selected_next_stays_on_show(window, qapp):
    shown = window("home")
    shown.select(RUN)
    shown.select(None)
    shown.select(SimpleNamespace(active=None))
    qapp.processEvents()
    assert shown.place == "train"


def test_after_a_refused_start_the_form_stays(window, qapp):
    shown = window("home")
    shown.select(REFUSED)
    shown.select(None)
    qapp.processEvents()
    assert shown.place == "train"


@pytest.mark.parametrize(("awaits_run", "place"), [(True, "home"), (False, "inspect")])
def test_the_place_of_a_run_that_is_gone_since_the_last_session_is_left(window, awaits_run, place):
    shown = window("inspect", awaits_run=awaits_run)
    shown.source.listed.emit()
    assert shown.place == place


def test_a_place_that_was_opened_meanwhile_stays(window):
    shown = window("inspect", awaits_run=True)
    shown.show_place("data")
    shown.source.listed.emit()
    assert shown.place == "data"


@pytest.mark.parametrize(
    ("name", "place"), [("poems.txt", "data"), ("small.toml", "train"), ("run.lmlab", "home"), ("a run", "train")]
)
def test_what_is_opened_from_home_is_shown_where_it_belongs(window, tmp_path, name, place):
    (tmp_path / "a run").mkdir()
    (tmp_path / "a run" / "run.json").touch()
    home = window("home")
    home.source.opened.emit(tmp_path / name)
    assert home.place == place


def test_what_is_opened_elsewhere_opens_no_place(window):
    shown = window("play")
    shown.source.opened.emit(Path("poems.txt"))
    assert shown.place == "play"
