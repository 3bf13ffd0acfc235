"""The card of losses without a part: a click measures, a button measures all, and no result is shown as another's."""

import csv
import io
import threading

import pytest
from PySide6.QtCore import Qt

from lab.base.jobs import Cancelled
from lab.base.problems import LabError, Problem
from lab.shell.inspect.ablation.card import AblationCard
from lab.shell.inspect.inspection_view import ABLATION
from lab.widgets.figures.csv_table import csv_of
from lab.widgets.maps.part_map import Mark
from lab.workbench import SavedRun
from lab.workbench.access.ablation import Baseline, PartLoss
from lab.workbench.access.model_access import ModelAccess
from lab.workbench.access.untrained import Untrained


@pytest.fixture
def opened(until):
    """Show the card, and wait for its table or message."""

    def opened(page):
        until(lambda: ABLATION in page.inspect.model.readings.offered)
        page.inspect.panel.want_readings([ABLATION])
        card = next(card for card in page.inspect.cards if isinstance(card, AblationCard))
        until(lambda: card._model.kinds or card._model.refusal)
        return card

    return opened


@pytest.fixture
def trained(open_page, trained_run, until):
    """Open Inspect with a run that has ended, so wide that the button has room for words beside other cards."""

    def trained():
        page = open_page("inspect", size=(2600, 1200))
        folder = trained_run("training.steps=20")
        page.session.open_path(str(folder))
        until(lambda: page.session.selected is not None and page.session.selected.path == folder)
        return page

    return trained


@pytest.fixture
def made_up(monkeypatch):
    """Measure nothing: each part costs 0.1 nats more than the one before, once `go` is set; some are refused."""

    class MadeUp:
        go, step, refused, targets = threading.Event(), 20, (), []

        def measure_parts(self, access, targets, report, *, known, trains, cancelled):
            report(known if known is not None and known.step == made.step else Baseline(1.5, made.step, 512, "windows"))
            for target in targets:
                while not made.go.wait(0.01):
                    if cancelled():
                        raise Cancelled
                made.targets.append(target)
                problem = Problem("no expert would be left") if target in made.refused else None
                report(PartLoss(target, None if problem else 1.5 + 0.1 * len(made.targets), problem))

    made = MadeUp()
    made.go, made.targets = threading.Event(), []
    made.go.set()
    monkeypatch.setattr(ModelAccess, "measure_parts", lambda access, *a, **n: made.measure_parts(access, *a, **n))
    yield made
    made.go.set()


def click_cell(qtbot, card, row, column):
    """Click a cell as a person."""
    assert card.map.isVisible()
    qtbot.mouseClick(card.map, Qt.MouseButton.LeftButton, pos=card.map.rect_of(row, column).center().toPoint())


def marks(card):
    """Return the marks of all cells in one list."""
    return [mark for row in card.map._marks for mark in row]


def test_a_click_on_a_head_measures_the_loss_without_it(trained, opened, until, qtbot):
    page = trained()
    card = opened(page)
    assert (card.map._rows, tuple(card.map._columns)) == (("1", "2"), ("all", "1", "2"))
    assert set(marks(card)) == {Mark.OPEN}
    assert "on 512 validation tokens" in card.line.full_text
    click_cell(qtbot, card, 1, 2)
    until(lambda: card._model.cell("head:2.2").loss is not None and not card._model.is_measuring)
    found = SavedRun(page.session.selected.source.folder, page.session.plugins).evaluate_without("head:2.2")
    cell = card._model.cell("head:2.2")
    assert (cell.loss, card._model.baseline.loss) == (found.together, found.intact)
    assert card.map._values[1, 2] == pytest.approx(found.together - found.intact)
    assert f"{found.intact:.4f} → {found.together:.4f} nats (" in card.line.full_text
    assert card.line.full_text.endswith("without head 2 of block 2")
    assert marks(card).count(Mark.NONE) == 1
    assert card.note == "Small · step 20"


def test_the_keyboard_selects_and_measures(trained, opened, until, qtbot, made_up):
    card = opened(trained())
    card.map.setFocus()
    qtbot.keyClick(card.map, Qt.Key.Key_Right)
    assert made_up.targets == []
    qtbot.keyClick(card.map, Qt.Key.Key_Return)
    until(lambda: made_up.targets == ["layer:1"] and not card._model.is_measuring)
    assert "without block 1" in card.line.full_text
    assert "block 1: +0.1000 nats" in card.map.accessibleDescription()


def test_the_button_measures_all_that_is_shown_and_then_has_nothing_to_do(trained, opened, until, click, made_up):
    card = opened(trained())
    until(lambda: card.button.text() == "Measure 6")
    click(card.button)
    until(lambda: not card._model.is_measuring)
    assert made_up.targets == ["layer:1", "head:1.1", "head:1.2", "layer:2", "head:2.1", "head:2.2"]
    assert card.button.text() == "All measured"
    assert not card.button.isEnabled()
    assert card.line.full_text == "1.5000 nats per token with all parts, on 512 validation tokens"


def test_cancel_ends_the_measurement_and_keeps_what_was_found(trained, opened, until, click, qtbot, made_up):
    card = opened(trained())
    click_cell(qtbot, card, 0, 0)
    until(lambda: not card._model.is_measuring)
    made_up.go.clear()
    click(card.button)
    until(lambda: Mark.RUNNING in marks(card))
    assert card.button.text() == "Cancel"
    assert card.line.full_text == "Measured: 0 of 5"
    click(card.button)
    assert marks(card) == [Mark.NONE, *[Mark.CANCELLED] * 5]
    assert card.button.text() == "Measure 5"
    click_cell(qtbot, card, 0, 1)
    made_up.go.set()
    until(lambda: card._model.cell("head:1.1").loss is not None)


def test_a_part_that_cannot_be_measured_says_why(trained, opened, until, click, qtbot, made_up):
    made_up.refused = ("head:1.2",)
    card = opened(trained())
    click(card.button)
    until(lambda: not card._model.is_measuring)
    assert marks(card).count(Mark.FAILED) == 1
    click_cell(qtbot, card, 0, 2)
    until(lambda: not card._model.is_measuring)
    assert card.line.full_text == "No loss without head 2 of block 1: no expert would be left."


def test_a_measurement_that_fails_as_a_whole_says_why_at_each_part(trained, opened, until, qtbot, monkeypatch):
    def refuse(*_, **__):
        raise LabError("the corpus of this run is not here")

    card = opened(trained())
    monkeypatch.setattr(ModelAccess, "measure_parts", refuse)
    click_cell(qtbot, card, 0, 1)
    until(lambda: Mark.FAILED in marks(card))
    assert card.line.full_text == "No loss without head 1 of block 1: the corpus of this run is not here."


def test_nothing_of_another_run_is_shown_and_its_losses_are_there_again_later(
    trained, opened, until, click, made_up, trained_run
):
    page = trained()
    card = opened(page)
    first = page.session.selected
    click(card.button)
    until(lambda: not card._model.is_measuring)
    page.session.open_path(str(trained_run("training.steps=20", name="another")))
    assert page.session.selected is not first
    until(lambda: page.inspect.model.shown is not None and card._model.kinds)
    assert set(marks(card)) == {Mark.OPEN}
    assert card._model.baseline is None
    page.session.registry.select(first.key)
    until(lambda: set(marks(card)) == {Mark.NONE})


def test_a_snapshot_has_no_weights_and_leads_to_the_model_as_it_is_now(trained, opened, until, click, button):
    page = trained()
    card = opened(page)
    slider = page.inspect.panel.timeline.slider
    until(slider.isEnabled)
    slider.setValue(0)
    until(lambda: card.state == "empty")
    assert "no weights" in card._other.shown_text[0]
    again = button(card, "Show the current model")
    until(lambda: page.childAt(again.mapTo(page, again.rect().center())) is again)
    click(again)
    until(lambda: card.state == "content")
    assert page.inspect.model.step is None


def test_before_any_run_the_untrained_model_is_measured(open_page, opened, until, qtbot):
    card = opened(open_page("inspect"))
    assert "untrained" in card.note
    click_cell(qtbot, card, 0, 1)
    until(lambda: card._model.cell("head:1.1").loss is not None)
    assert card._model.baseline.step == 0


def test_while_a_run_trains_all_parts_are_measured_at_one_step(running_page, opened, until, click):
    page = running_page("inspect", size=(2600, 1200))
    card = opened(page)
    click(card.button)
    until(lambda: not card._model.is_measuring and set(marks(card)) == {Mark.NONE})
    step = card._model.baseline.step
    assert step > 2
    assert f"step {step:,}" in card.note
    page.inspect.model.requests._ended = 0.0  # the pause before the next inspection is over
    until(lambda: card._model.is_older)
    assert "the model is at step" in card.note
    assert card.button.text() == "Measure 6"


def test_of_very_many_units_some_are_shown_by_number_and_none_is_measured_unasked(
    trained, opened, until, qtbot, made_up
):
    card = opened(trained())
    next(action for action in card._kind.menu().actions() if action.text() == "units and blocks").trigger()
    assert card._first.isVisible()
    assert tuple(card.map._columns)[:3] == ("all", "1", "2")
    field = card._first.field
    field.setText("41")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert tuple(card.map._columns)[:2] == ("all", "41")
    assert made_up.targets == []
    click_cell(qtbot, card, 0, 1)
    until(lambda: made_up.targets == ["unit:1.41"])


def test_a_model_that_cannot_be_listed_says_why_and_can_be_tried_again(
    trained, opened, until, click, button, monkeypatch
):
    def refuse(*_):
        raise LabError("the checkpoint is damaged")

    with monkeypatch.context() as broken:
        broken.setattr(ModelAccess, "interventions", refuse)
        page = trained()
        card = opened(page)
        until(lambda: card.state == "empty" and card._other.shown_text == ("the checkpoint is damaged.", "Try again"))
    again = button(card, "Try again")
    until(lambda: page.childAt(again.mapTo(page, again.rect().center())) is again)
    click(again)
    until(lambda: card.state == "content")


def test_a_model_without_parts_says_so(trained, opened, until, monkeypatch):
    monkeypatch.setattr(ModelAccess, "interventions", lambda _: {})
    page = trained()
    until(lambda: ABLATION in page.inspect.model.readings.offered)
    page.inspect.panel.want_readings([ABLATION])
    card = next(card for card in page.inspect.cards if isinstance(card, AblationCard))
    until(lambda: card.state == "empty" and "no parts" in card._other.shown_text[0])


def test_what_is_exported_is_what_is_shown(trained, opened, until, click, made_up):
    card = opened(trained())
    assert card.map.exported() is None
    click(card.button)
    until(lambda: not card._model.is_measuring)
    export = card.map.exported()
    assert export.figure.title.startswith("Ablation · Small · step 20 · heads and blocks · 1.5000 nats")
    head, first, _ = csv.reader(io.StringIO(csv_of(export.figure)))
    assert head == ["block \\ all of the block, then its heads (nats)", "all", "1", "2"]
    assert [float(value) for value in first[1:]] == pytest.approx([0.1, 0.2, 0.3])


def test_nothing_is_listed_that_nobody_sees(open_page, until, monkeypatch):
    listed = []
    monkeypatch.setattr(Untrained, "interventions", lambda _: listed.append(1) or {})
    page = open_page("inspect")
    until(lambda: ABLATION in page.inspect.model.readings.offered)
    assert (ABLATION in page.inspect.model.readings.selected) == bool(listed)
