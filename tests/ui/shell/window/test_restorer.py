"""A second start restores place, draft, selected and shown runs, and the options of cards and panels."""

import json

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from shiboken6 import isValid

from lab.base.folders import draft_file
from lab.base.problems import LabError
from lab.base.settings import change_section
from lab.host import Plugins
from lab.shell.play.filter_list import FilterList
from lab.shell.play.panel import PlayPanel
from lab.shell.runtime.window_state import WindowState
from lab.shell.session.draft import BranchPoint
from lab.shell.window.restorer import LARGEST_DRAFT, Restorer
from lab.widgets.core.theme import themes


def test_a_second_start_shows_the_selected_run_the_drawn_runs_and_the_place_again(
    open_window, saved_run, reopen, until
):
    one, other = saved_run("One"), saved_run("Other")
    window = open_window()
    window.session.open_paths([str(one), str(other)])
    window.show_place("inspect")
    later = reopen(window)
    assert later.place == "inspect"
    until(lambda: later.session.selected is not None)
    assert later.session.selected.path == other
    assert {run.name for run in later.session.registry.shown} == {"One", "Other"}
    assert later.place == "inspect"


@pytest.mark.long
def test_a_second_start_shows_data_again_which_needs_no_run(open_window, saved_run, reopen, until):
    window = open_window()
    window.session.open_paths([str(saved_run("One"))])
    window.session.draft.apply({"corpus": {"name": "text", "text": "the cat sat on the mat. " * 20}})
    window.show_place("data")
    later = reopen(window)
    until(lambda: later.session.selected is not None)
    assert later.place == "data"


@pytest.mark.long
def test_the_panel_that_was_open_in_projector_mode_is_open_again_and_does_not_matter_in_another_mode(
    open_window, saved_run, reopen
):
    themes.change(projector=True)
    window = open_window()
    window.session.open_paths([str(saved_run("One"))])
    assert not window.is_panel_open()
    window.toggle_panel()
    later = reopen(window)
    assert later.place == "train"
    assert later.is_panel_open()
    later.show_place("inspect")
    assert not later.is_panel_open()
    later.show_place("train")
    later.toggle_panel()
    assert not later.is_panel_open()
    themes.change(projector=False)
    assert reopen(later).is_panel_open()


@pytest.mark.parametrize(
    "place", ["inspect", *(pytest.param(place, marks=pytest.mark.long) for place in ("train", "play", "compare"))]
)
def test_home_is_shown_if_the_run_of_the_last_session_is_gone(open_window, until, place):
    change_section("window", lambda _: {"version": 1, "place": place, "selected": "gone"})
    window = open_window(place=None, draft=False)
    until(lambda: window.session.registry.is_listed)
    assert window.session.selected is None
    assert window.place == "home"


@pytest.mark.long
def test_a_place_that_was_opened_before_the_list_of_runs_was_read_stays_open(open_window, until):
    change_section("window", lambda _: {"version": 1, "place": "inspect", "selected": "gone"})
    window = open_window(place=None, draft=False, ready=False)
    window.show_place("train")
    until(lambda: window.session.registry.is_listed)
    assert window.place == "train"


def test_the_draft_and_the_options_of_cards_and_panels_are_restored(open_window, reopen):
    window = open_window()
    window.session.draft.edit("architecture.width", 48)
    loss = window.train.loss
    loss._units.show_value("bits")
    loss._take_unit("bits")
    loss._xs.show_value("tokens")
    loss._take_x("tokens")
    loss._smooth.show_value("0.99")
    loss._take_smoothing("0.99")
    loss._log_y.setChecked(True)
    window.train.norm._take("learning rate")
    panel = window.play_panel
    panel.filters.row("temperature").form.edited.emit("temperature", 0.3)
    panel.filters.add("min-p")
    panel.filters.move_by("min-p", -3)
    panel._strategies.setCurrentIndex(panel._strategies.findData("beam-search"))
    panel._edit("width", 3)
    panel._edit_length("tokens", 77)
    panel._edit_length("stop", [".", "\n"])
    window.inspect.panel._text.setPlainText("KING: to be")
    window.inspect.panel._submit_text()
    lens = {"choices": [["attention", ["head", "query", "key"], "", "map"]], "lengths": "loss"}
    window.inspect.all.load_state_dict(lens)
    menus = (window.runs._order, window.compare.page._protocol, window.home.recipes.topics)
    for menu in menus:
        menu.pick(menu.choices[-1][0])
    window.data.choices.load_state_dict({"n-grams of": "grams_words"})
    window.play.next_card._unit.pick("logit")
    window.play.pages.quantity.pick("rank")
    window.play.prompt.setPlainText("Once")
    window.show_place("play")
    recipe, options = window.session.draft.recipe, panel.options()
    later = reopen(window)
    assert later.place == "home"  # no run is selected
    draft = later.session.draft
    assert draft.recipe == recipe
    assert draft.base_name == "small"
    assert draft.changes() == {"architecture.width": (32, 48)}
    draft.undo()
    assert draft.card("architecture").config.width == 32
    train = later.train
    assert (train.loss.unit, train.loss.by, train.loss.smoothing) == ("bits", "tokens", 0.99)
    assert train.loss._log_y.isChecked()
    assert not train.loss._log_x.isChecked()
    assert (train.norm.quantity, train.norm.by) == ("learning rate", "tokens")
    assert later.play_panel.options() == options
    assert [one.name for one in options["decoding"].filters] == ["min-p", "temperature", "top-k", "top-p"]
    assert options["decoding"].filters[1].settings["temperature"] == 0.3
    assert options["decoding"].strategy.settings["width"] == 3
    assert (options["count"], options["decoding"].stop) == (77, [".", "\n"])
    assert later.inspect.panel.state_dict()["text"] == "KING: to be"
    assert later.inspect.all.state_dict() == lens
    again = (later.runs._order, later.compare.page._protocol, later.home.recipes.topics)
    assert [menu.value for menu in again] == [menu.choices[-1][0] for menu in again]
    assert later.data.choices.state_dict() == {"n-grams of": "grams_words"}
    assert (later.play.next_card._unit.value, later.play.pages.quantity.value) == ("logit", "rank")
    assert later.play.prompt.toPlainText() == "Once"
    assert later.inspect.panel._text.toPlainText() == "KING: to be"


def test_a_branch_point_is_restored(open_session, small, tmp_path):
    draft = open_session(ready=False).draft
    assert draft.branch_from(BranchPoint("One", tmp_path, 4, small("training.steps=9"))) is None
    other = open_session(ready=False).draft
    assert other.load_state_dict(draft.state_dict()) is None
    assert other.branch_point == draft.branch_point


@pytest.mark.parametrize("state", [{}, {"recipe": "nonsense", "original": "", "name": ""}, {"recipe": 3}])
def test_a_damaged_draft_leaves_the_quick_start(open_session, state):
    draft = open_session(ready=False).draft
    before = draft.recipe
    assert draft.load_state_dict(state) is not None
    assert draft.recipe == before


def test_a_draft_that_cannot_be_used_is_reported_once_the_lab_is_ready(open_window, reported, until):
    change_section("window", lambda _: {"version": 1, "draft": {"recipe": "x", "original": "x", "name": ""}})
    open_window(draft=False)
    until(lambda: reported)
    assert "is not TOML" in reported[0].what


def test_a_draft_with_a_long_pasted_text_is_stored_in_a_file_until_it_is_short_again(open_session):
    session, state = open_session(ready=False), WindowState()
    restorer = Restorer(session, state)
    session.draft.apply({"corpus": {"name": "text", "text": "ab" * LARGEST_DRAFT}})
    long = session.draft.recipe
    restorer.store()
    assert len(json.dumps(state.draft)) < 100
    later = open_session(ready=False)
    Restorer(later, state)
    assert later.draft.recipe == long
    session.draft.undo()
    restorer.store()
    assert state.draft["name"] == "small"
    assert not draft_file().exists()


@pytest.mark.parametrize("damage", [lambda file: file.unlink(), lambda file: file.write_text("{")])
def test_a_large_draft_whose_file_is_gone_or_damaged_leaves_the_quick_start_with_a_notice(
    open_session, reported, damage
):
    session, state = open_session(ready=False), WindowState()
    session.draft.apply({"corpus": {"name": "text", "text": "a" * LARGEST_DRAFT}})
    Restorer(session, state).store()
    damage(draft_file())
    later = open_session(ready=False)
    before = later.draft.recipe
    Restorer(later, state)
    assert later.draft.recipe == before
    assert "cannot be read" in reported[-1].what


def test_a_large_draft_that_cannot_be_written_is_reported(open_session, reported, monkeypatch):
    def full(*_):
        raise LabError("the disk is full")

    session, state = open_session(ready=False), WindowState()
    monkeypatch.setattr("lab.shell.window.restorer.write_json", full)
    session.draft.apply({"corpus": {"name": "text", "text": "a" * LARGEST_DRAFT}})
    Restorer(session, state).store()
    assert state.draft == {}
    assert reported[-1].what == "the disk is full"


def test_unknown_options_of_a_card_are_left_out(card):
    loss = card
    loss.load_state_dict({"unit": "parsecs", "by": 3, "smoothing": None, "log_x": "yes"})
    assert (loss.unit, loss.by, loss.smoothing) == ("nats", "steps", 0.9)
    assert not loss._log_x.isChecked()


@pytest.mark.parametrize(
    "state", [{}, {"strategy": {"name": "none"}}, {"sampler": "sampling", "settings": {"temperature": "x"}}]
)
def test_settings_of_filters_that_are_not_allowed_are_left_out(qtbot, state):
    panel = PlayPanel(plugins := Plugins.from_environment(later=True), FilterList(plugins))
    qtbot.addWidget(panel)
    before = panel.options()
    panel.load_state_dict(state)
    assert panel.options() == before


class Panel:
    def __init__(self):
        self.unit = "nats"

    def state_dict(self):
        return {"unit": self.unit}

    def load_state_dict(self, state):
        self.unit = state["unit"]


def test_options_are_restored_as_they_were_stored_until_the_window_is_replaced(open_session, until):
    session, state, panel = open_session(), WindowState(), Panel()
    until(lambda: session.registry.is_listed)
    restorer = Restorer(session, state)
    restorer.add({"loss": panel})
    restorer.store()
    stored, panel.unit = state.options, "bits"
    restorer.restore({"another": {}})
    assert panel.unit == "bits"
    restorer.restore(stored)
    assert panel.unit == "nats"
    restorer.retire()
    restorer.store()
    assert state.options == {}
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert not isValid(restorer)
