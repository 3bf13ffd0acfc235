"""A third-party view with a foot: it joins two readings in a card, changes a live setting and evaluates the model."""

import shutil
import threading
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from lab.api import Reading
from lab.base import BadInput
from lab.base.notices import listen
from lab.host import Plugins
from lab.recipes import Recipe
from lab.shell.inspect.inspection_view import importance, key_of_view, title_of_card, view_of
from lab.shell.inspect.reading_card import ReadingCard
from lab.shell.runtime.background import Background
from lab.workbench.access.ablation import Ablation
from lab.workbench.access.inspection import Inspection

STRANGER = Path(__file__).parents[2] / "strangers" / "gate_meter.py"
VALUES = np.full((3, 4), 0.25, np.float32)
READINGS = [Reading(name, ("token", "channel"), VALUES, 0, "blocks.0.token") for name in ("reset", "update", "state")]


class Model:
    """A model that answers an evaluation when the test allows it."""

    def __init__(self):
        self.targets, self.may_answer, self.problem = [], threading.Event(), None
        self.may_answer.set()

    def evaluate_without(self, targets, *, each=True, cancelled=lambda: False):
        self.targets.append(targets)
        assert self.may_answer.wait(30)
        if self.problem is not None:
            raise self.problem
        return Ablation(2.25, (), 2.5, 64, "windows")


class Control:
    """A control that accepts changes of settings."""

    def __init__(self):
        self.changes = []

    def set(self, path, value):
        if value > 0.5:
            raise BadInput("is too large", field=path, value=value)
        self.changes.append((path, value))


class Run(SimpleNamespace):
    __hash__ = object.__hash__


@pytest.fixture
def plugins(lab_home):
    (lab_home / "plugins").mkdir(parents=True)
    shutil.copy(STRANGER, lab_home / "plugins")
    return Plugins(enable=["gate_meter"])


@pytest.fixture
def run():
    recipe = Recipe().with_assignments("architecture.dropout=0.25")
    return Run(state="running", step=9, control=Control(), recipe=recipe, changed={}, curves=None)


@pytest.fixture
def model():
    return Model()


@pytest.fixture
def card(qtbot, plugins, run, model):
    background = Background()
    provider = SimpleNamespace(current=lambda _page: (model, run), draft=SimpleNamespace(recipe=Recipe()))
    made = ReadingCard(key_of_view(plugins.card("views", "gate-meter")), plugins, "gate-meter", provider, background)
    qtbot.addWidget(made)
    shown = view_of(Inspection(9, tuple("abc"), READINGS), "mine", plugins.cards("views"))
    made.show_again = lambda: made.show_inspection(shown, None, None, shown.limits)
    made.show_again()
    yield made
    background.close()


def test_its_readings_are_one_card_and_others_keep_theirs(plugins):
    groups = view_of(Inspection(9, tuple("abc"), READINGS), "mine", plugins.cards("views")).groups
    key = key_of_view(plugins.card("views", "gate-meter"))
    assert [one.name for one in groups[key]] == ["reset", "update"]
    assert title_of_card(key) == "Gate meter"
    others = [other for other in groups if other != key]
    assert [name for name, _ in others] == ["state"]
    assert importance(key) < importance(others[0])


def test_without_its_first_reading_there_is_no_such_card(plugins):
    groups = view_of(Inspection(9, tuple("abc"), READINGS[1:]), "mine", plugins.cards("views")).groups
    assert key_of_view(plugins.card("views", "gate-meter")) not in groups


def test_it_shows_all_its_readings(card):
    assert card.title == "Gate meter"
    assert card._view.text() == "3 tokens\nblock 0: reset 0.25\nblock 0: update 0.25"


def test_its_foot_reads_a_live_setting_and_changes_it(card, run):
    assert card.foot.message.text() == "step 9: dropout 0.25 (at first 0.25)"
    card.foot.more.click()
    assert run.control.changes == [("architecture.dropout", 0.5)]
    run.changed = {"architecture.dropout": 0.5}
    card.show_again()
    assert card.foot.message.text() == "step 9: dropout 0.5 (at first 0.25)"


def test_a_refused_value_is_a_notice_that_names_the_plugin(card, run):
    run.changed = {"architecture.dropout": 0.5}
    notices = []
    stop = listen(notices.append)
    card.foot.more.click()
    stop()
    assert [(one.problem.what, one.problem.plugin) for one in notices] == [("is too large", "gate_meter")]


def test_a_run_that_has_ended_cannot_be_changed(card, run):
    run.state, run.control = "finished", None
    card.show_again()
    assert not card.foot.more.isEnabled()
    with pytest.raises(BadInput, match="only be changed while the run trains"):
        card._context.change_setting("architecture.dropout", 0.1)


def test_it_evaluates_the_model_under_an_intervention(qtbot, card, model):
    card.foot.without.click()
    qtbot.waitUntil(lambda: card.foot.message.text() == "+0.250")
    assert model.targets == ["layer:1"]


def test_a_failed_evaluation_arrives_as_a_problem(qtbot, card, model):
    model.problem = BadInput("there is no validation text", field="corpus")
    card.foot.without.click()
    qtbot.waitUntil(lambda: "there is no validation text" in card.foot.message.text())


def test_a_cancelled_evaluation_never_arrives(qtbot, card, model):
    model.may_answer.clear()
    before = card.foot.message.text()
    card.foot.without.click()
    card.foot.stop()
    model.may_answer.set()
    qtbot.waitUntil(lambda: not card._context._background._tasks)
    assert card.foot.message.text() == before


def test_a_foot_that_raises_breaks_its_own_card(card):
    card.foot.refresh = lambda: 1 / 0
    card.show_again()
    assert card.state == "broken"
    assert card.foot is None
