"""The language of the window: selected in the menu, shown at once in a new window around the same session."""

from argparse import Namespace

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, Qt

from lab.base.notices import Notice
from lab.base.problems import Problem
from lab.cli import window
from lab.cli.output import Progress
from lab.host import Plugins
from lab.recipes import QUICK_START
from lab.shell.app import WindowHost
from lab.shell.home.texts import duration_note
from lab.shell.runtime.window_state import WindowState
from lab.shell.session.session import Session
from lab.widgets.core.i18n import language
from lab.widgets.readings.head_scores import HeadScoresView


@pytest.fixture
def host(qtbot, small, quick_turns, until):
    """The host of a window that is ready."""
    state = WindowState()
    session = Session(Plugins.from_environment(later=True))
    assert session.draft.take(small(), "small") is None
    made, ended = WindowHost(session, state), []
    made.closed.connect(lambda: ended.append(True))
    made.window.resize(1600, 1000)
    made.window.show()
    until(lambda: session.warm_up.ready)
    yield made
    made.window.shutdown.close()
    until(lambda: ended)
    made.window.deleteLater()
    made.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    language.use("en")


def choose(host, code):
    next(action for action in host.window.commands.all() if action.command.key == f"language.{code}").trigger()


def titles(window):
    """The titles of the places, which a narrow bar has as tool tips."""
    return [button.toolTip() or button.text() for button in window.top._places.buttons()]


def test_a_language_chosen_in_settings_is_shown_at_once_the_run_goes_on_and_the_same_language_changes_nothing(
    host, qtbot, until, unhurried_training
):
    session, before = host.window.session, host.window
    for name, value in (("steps", 10**6), ("evaluate_every", 0)):
        assert session.draft.edit(f"training.{name}", value) is None
    host.window.configuration.start_new()
    until(lambda: session.state == "running" and session.selected.step > 2)
    run = session.selected
    choose(host, "en")
    QCoreApplication.processEvents()
    assert host.window is before
    before._store_state()
    stored = WindowState()
    stored.load()
    assert stored.language == "en"
    before.show_place("settings")
    box = before._places["settings"].language
    box.setFocus()
    box.setCurrentIndex(1)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    until(lambda: host.window is not before)
    places = ["Startseite", "Daten", "Trainieren", "Untersuchen", "Ausprobieren", "Vergleichen", "Lernen"]
    assert titles(host.window) == [*places, "Plugins (Strg+Umschalt+X)", "Einstellungen (Strg+,)"]
    assert host.window.place == "settings"
    assert host.window._places["settings"].language.currentText() == "Deutsch"
    assert host.window.cards_of("settings")[0].title == "Darstellung"
    assert host.window.session is session
    step = run.step
    until(lambda: run.step > step)
    assert session.selected is run
    until(lambda: not shiboken6.isValid(before))
    assert not shiboken6.isValid(before.restorer)  # a child of the session, it would hold all cards of the old window
    host.window.show_place("inspect")
    assert host.window.top.start.accessibleName() == "Anhalten"  # the screen is too narrow for its text
    session.stop()
    until(lambda: run.state == "stopped")


@pytest.mark.long
def test_the_language_before_comes_back(host, until):
    places = titles(host.window)
    for code in ("de", "en"):
        before = host.window
        choose(host, code)
        until(lambda before=before: host.window is not before)
    assert titles(host.window) == places
    assert places[:3] == ["Home", "Data", "Train"]


@pytest.mark.long
def test_home_stays_open_with_a_selected_run_and_the_same_times_in_the_new_window(host, saved_run, until):
    before = host.window
    before.session.open_paths([str(saved_run("One"))])
    before.show_place("home")
    until(lambda: before.session.durations.speed)
    until(lambda: before.home.watch._note.full_text)
    shown = before.session.durations.seconds(QUICK_START)
    choose(host, "de")
    until(lambda: host.window is not before)
    QCoreApplication.processEvents()
    assert host.window.place == "home"
    assert host.window.home.open_model.isEnabled()
    until(lambda: host.window.home.watch._note.full_text)
    assert host.window.session.durations.seconds(QUICK_START) == shown
    assert host.window.home.watch._note.full_text == duration_note(shown)
    assert duration_note(shown).endswith("auf diesem Rechner")


@pytest.mark.long
def test_edits_can_be_undone_and_prompt_text_and_selected_measure_stay_in_the_new_window(host, until):
    before, draft = host.window, host.window.session.draft
    draft.edit("training.seed", 7)
    before.show_place("inspect")
    until(lambda: "Head scores" in scores(before))
    scores(before)["Head scores"]._view._choice.pick("1")
    measure = scores(before)["Head scores"]._view.measure
    before.show_place("play")
    before.play._panel._edit_length("tokens", 5)
    before.play.prompt.setPlainText("the ")
    before.play.generate()
    until(lambda: len(before.play.model.tokens) == 5 and not before.play.writing)
    text = before.play.text.text()
    choose(host, "de")
    until(lambda: host.window is not before)
    assert host.window.place == "play"
    assert host.window.play.prompt.toPlainText() == "the "
    assert host.window.play.text.text() == text
    assert host.window.play.model.author == "das untrainierte Modell"
    host.window.show_place("inspect")
    until(lambda: [view for card in scores(host.window).values() if (view := card._view)])
    (view,) = [card._view for card in scores(host.window).values()]
    assert view.measure == measure != "entropy"
    draft.undo()
    assert draft.recipe.training.seed != 7


def scores(window):
    """Return the cards of head scores by their titles."""
    cards = [card for card in window.inspect.cards if isinstance(getattr(card, "_view", None), HeadScoresView)]
    return {card.title: card for card in cards if card.state == "content"}


@pytest.mark.long
def test_help_and_its_pages_in_the_palette_are_in_the_new_language(host, until):
    before = host.window
    before.help.show_index()
    choose(host, "de")
    until(lambda: host.window is not before)
    until(lambda: "Erste Schritte" in {entry.title for entry in host.window.help.entries()})
    host.window.help.show_page("using/first-steps")
    assert host.window.help._headings()[0] == (2, "Die erste Minute")


def test_notices_are_printed_in_the_language_of_the_window(german, monkeypatch, capsys):
    progress = Progress()
    fail = Notice("error", Problem("Aufwärmen failed: RecursionError", trace="Traceback: here"), 0.0)
    monkeypatch.setattr("lab.shell.app.open_window", lambda *_: progress.notice(fail) or 0)
    monkeypatch.setattr("lab.shell.app.has_screen", lambda: True)
    asked = Namespace(open=[], pictures=None, seconds="20", overwrite=False)
    assert window.run(asked, Plugins([]), progress, lambda: 1) == 0
    assert capsys.readouterr().err == "lm-lab: Aufwärmen ist fehlgeschlagen: RecursionError.\n"
