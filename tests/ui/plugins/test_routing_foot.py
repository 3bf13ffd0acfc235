"""The foot of the routing card: the balance coefficient of a training run, and switched-off experts."""

import threading
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import Qt

from lab.api import ModelConfig, Reading, setting
from lab.base import BadInput
from lab.base.jobs import Cancelled
from lab.host import Plugins
from lab.recipes import Recipe
from lab.shell.inspect.inspection_view import view_of
from lab.shell.inspect.reading_card import ReadingCard
from lab.shell.inspect.view_context import live_settings_of
from lab.shell.runtime.background import Background
from lab.workbench.access.ablation import Ablation
from lab.workbench.access.inspection import Inspection
from lab_moe.views.switches import interventions_of, names_of

P = np.array([[0.7, 0.2, 0.1], [0.2, 0.7, 0.1], [0.1, 0.2, 0.7], [0.6, 0.2, 0.2]], np.float32)


def look(step, p=P):
    readings = [Reading("routing", ("token", "expert"), p, layer, f"blocks.{layer}.channel") for layer in (0, 1)]
    return Inspection(step, tuple("text"), readings)


WEIGHT = setting(0.02, ge=0, le=1, live=True, help="Of this model.")


class Experts(ModelConfig):
    balance: float = setting(0.01, ge=0, le=1, live=True, help="Weight.")


class OfBlocks(ModelConfig):
    moe: Experts = setting(Experts(), help="Of the experts.")


class Dense(ModelConfig):
    pass


VIEWS = Plugins(safe_mode=True).cards("views")


class Cards:
    """Plugins with one architecture, and the built-in views."""

    def __init__(self, config=OfBlocks):
        self.config = config

    def cards(self, _kind):
        return VIEWS

    def card(self, _kind, _name):
        return self

    def owner(self, _kind, _name):
        return "lab_moe"


class Subject:
    """A model whose loss is known; it waits until it may answer."""

    def __init__(self):
        self.asked, self.may_answer, self.cancelled = [], threading.Event(), threading.Event()
        self.may_answer.set()
        self.problem = None

    def evaluate_without(self, targets, *, each, cancelled):
        assert not each
        self.asked.append(targets)
        while not self.may_answer.wait(0.002):
            if cancelled():
                self.cancelled.set()
                raise Cancelled
        if self.problem is not None:
            raise self.problem
        return Ablation(2.134, (), 2.201, 4096, "windows", 9)


class Control:
    """A control that records its commands."""

    def __init__(self):
        self.orders = []

    def set(self, path, value):
        if value > 1:
            raise BadInput("is too large", field=path, value=value)
        self.orders.append((path, value))


def run(state="running"):
    class Run(SimpleNamespace):
        __hash__ = object.__hash__

    curves = SimpleNamespace(
        names=lambda: ["auxiliary dropped", "auxiliary dropped blocks.1"],
        steps=lambda _: np.array([1.0, 9.0]),
        values=lambda name: np.array([0.5, 0.02 if name.endswith("1") else 0.04]),
    )
    control = Control() if state == "running" else None
    return Run(state=state, step=9, control=control, recipe=Recipe(), changed={}, curves=curves)


@pytest.fixture
def model_provider():
    """A subject of no run; a test may give it one."""
    subject = Subject()
    made = SimpleNamespace(
        subject=subject, view=None, draft=SimpleNamespace(recipe=Recipe()), name=lambda _: "rope · step 9"
    )
    made.current = lambda _: (made.subject, made.view)
    return made


@pytest.fixture
def cards():
    return Cards()


@pytest.fixture
def card(qtbot, model_provider, cards):
    background = Background()
    scene = view_of(look(9), "rope", VIEWS)
    (key,) = scene.groups
    made = ReadingCard(key, cards, "routing", model_provider, background)
    qtbot.addWidget(made)
    made.resize(1000, 600)
    made.show()
    made.again = lambda: made.show_inspection(scene, None, 1, scene.limits, [look(1), look(5)])
    made.again()
    yield made
    background.close()


def click_bar(qtbot, card, expert):
    bars = card._view.bars
    qtbot.mouseClick(bars, Qt.MouseButton.LeftButton, pos=bars.rect_of(expert).center().toPoint())


def test_the_weight_of_the_balance_loss_is_found_wherever_the_architecture_has_it():
    ((path, (found, value)),) = live_settings_of(Recipe(), Cards()).items()
    assert (path, found.name, value) == ("architecture.moe.balance", "balance", 0.01)
    assert live_settings_of(Recipe(), Cards(Dense)) == {}


def test_the_control_acts_on_the_training_run(card, model_provider):
    model_provider.view = run()
    card.again()
    knob = card.foot.balance.knob
    assert knob.isEnabled()
    knob.control.setText("0.5")
    knob.control.editingFinished.emit()
    assert model_provider.view.control.orders == [("architecture.moe.balance", 0.5)]
    card.again()  # the run has not told of it yet
    assert knob.control.text() == "0.5"
    knob.control.setText("7")
    knob.control.editingFinished.emit()
    assert knob._reason.isVisible()
    knob.back.emit("balance")
    assert model_provider.view.control.orders[-1] == ("architecture.moe.balance", 0.01)
    model_provider.view.changed = {"architecture.moe.balance": 0.25}
    card.again()
    assert knob.control.text() == "0.25"


def test_an_entry_is_discarded_by_escape(qtbot, card, model_provider):
    model_provider.view = run()
    card.again()
    knob = card.foot.balance.knob
    shown = knob.control.text()
    knob.control.setFocus()
    knob.control.selectAll()
    qtbot.keyClicks(knob.control, "0.7")
    qtbot.keyClick(knob.control, Qt.Key.Key_Escape)
    assert knob.control.text() == shown
    assert model_provider.view.control.orders == []


def test_an_entry_that_comes_after_the_end_of_the_training_changes_nothing(card, model_provider):
    ended = model_provider.view = run()
    card.again()
    ended.state = "finished"  # the card has not been told yet
    card.foot.balance.knob.given.emit("balance", 0.5)
    assert ended.control.orders == []


def test_a_run_without_the_setting_has_no_knob_and_the_next_one_with_it_has_one_again(card, cards, model_provider):
    model_provider.view = run()
    card.again()
    assert card.foot.balance.isVisible()
    cards.config, model_provider.view = Dense, run()
    card.again()
    assert card.foot.balance.knob is None
    assert not card.foot.balance.isVisible()
    cards.config, model_provider.view = OfBlocks, run()
    card.again()
    assert card.foot.balance.isVisible()
    assert card.foot.balance.knob.control.text() == "0.01"


def test_what_was_typed_for_one_run_is_not_given_to_the_next(qtbot, card, cards, model_provider):
    model_provider.view = run()
    card.again()
    field = card.foot.balance.knob.control
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "0.5")
    cards.config = type("Other", (ModelConfig,), {"__annotations__": {"balance": float}, "balance": WEIGHT})
    model_provider.view = run()
    card.again()
    assert model_provider.view.control.orders == []


def test_a_narrow_card_has_the_message_below_the_knob_and_no_line_for_the_reason(qtbot, card, model_provider):
    model_provider.view = run("finished")
    card.again()
    click_bar(qtbot, card, 0)
    foot = card.foot
    knob, message = foot.balance, foot.switches.message
    qtbot.waitUntil(lambda: message.x() > knob.geometry().right())
    assert foot.reason.isVisible()
    card.resize(500, 600)
    card.again()
    qtbot.waitUntil(lambda: message.y() > knob.geometry().bottom())
    assert foot.switches.buttons.y() <= knob.geometry().bottom()
    assert not foot.reason.isVisible()
    assert knob.toolTip()


def test_the_control_explains_why_it_is_disabled(card, model_provider):
    model_provider.view = run("finished")
    card.again()
    assert not card.foot.balance.knob.isEnabled()
    assert card.foot.reason.full_text == card.foot.balance.reason != ""


def test_the_share_that_was_dropped_is_that_of_the_block(card, model_provider):
    model_provider.view = run()
    card.again()
    assert "2.0 % dropped in training" in card._view.figures.full_text


def test_a_compared_view_has_the_load_over_the_training_of_its_own_run(card, model_provider):
    model_provider.view = run()
    scene, looks = view_of(look(9), "rope", VIEWS), [look(1), look(5)]
    of_other_run = replace(view_of(look(7, P[:, ::-1]), "other", VIEWS), of_other_run=True)

    def first_expert_over_training(beside, recorded):
        card.show_inspection(scene, beside, 1, scene.limits, recorded)
        shown = card._pinned.training.map
        return [shown.text_at(0, column).split(" · ", 1)[1] for column in range(shown._values.shape[1])]

    known = replace(of_other_run, snapshots=[look(2, P[:, ::-1]), look(4, P[:, ::-1])])
    assert first_expert_over_training(known, looks) == [f"step {step} · 0.25 load" for step in (2, 4, "now")]
    assert card._view.training.map.text_at(0, 2) == "expert 1 · step now · 0.5 load"
    assert "dropped" in card._view.figures.full_text
    assert "dropped" not in card._pinned.figures.full_text
    pinned = view_of(look(3), "rope", VIEWS)
    assert first_expert_over_training(pinned, looks) == ["step 1 · 0.5 load", "step 5 · 0.5 load"]
    assert first_expert_over_training(pinned, [*looks, look(8)])[2:] == ["step 8 · 0.5 load"]
    assert "dropped" in card._pinned.figures.full_text
    card.show_inspection(scene, of_other_run, 1, scene.limits, looks)
    assert not card._pinned.training.isVisible()  # nothing is known of that training


def test_a_snapshot_is_not_labelled_now(card):
    recorded = [look(1), look(5)]
    card.show_inspection(view_of(recorded[1], "rope", VIEWS), None, 1, {}, recorded)
    assert card._view.training.map.text_at(0, 1) == "expert 1 · step 5 · 0.5 load"


def test_the_loss_without_an_expert_is_shown_and_all_can_be_switched_on_again(qtbot, card, model_provider):
    model_provider.view = run()
    card.again()
    click_bar(qtbot, card, 2)
    words = "validation loss 2.134 → 2.201 (+0.067 nats) without expert 3 of block 2 · step 9"
    qtbot.waitUntil(lambda: card.foot.switches.message.full_text == words)
    assert card._view.bars.off == {2}
    click_bar(qtbot, card, 0)
    qtbot.waitUntil(lambda: model_provider.subject.asked == ["expert:2.3", "expert:2.1,expert:2.3"])
    click_bar(qtbot, card, 1)
    assert "stays on" in card.foot.switches.message.full_text  # the last of its block
    card.foot.switches._all_on.click()
    assert card._view.bars.off == ()
    assert card.foot.switches.message.full_text.startswith("Click")


def test_a_second_click_switches_the_only_expert_on_again(qtbot, card, model_provider):
    click_bar(qtbot, card, 0)
    qtbot.waitUntil(lambda: "→" in card.foot.switches.message.full_text)
    click_bar(qtbot, card, 0)
    assert card.foot.switches.off == {}
    assert card.foot.switches.message.full_text.startswith("Click")
    assert not card.foot.switches._again.isVisible()


def test_the_model_is_evaluated_again_on_request(qtbot, card, model_provider):
    click_bar(qtbot, card, 0)
    qtbot.waitUntil(lambda: card.foot.switches._again.isVisible())
    qtbot.mouseClick(card.foot.switches._again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "→" in card.foot.switches.message.full_text)
    assert model_provider.subject.asked == ["expert:2.1"] * 2


def test_an_expert_outside_the_blocks_stays_on(qtbot, card, model_provider):
    outside = Inspection(9, tuple("text"), [Reading("routing", ("token", "expert"), P, None, "router")])
    card.show_inspection(view_of(outside, "rope", VIEWS), None, None, {}, [])
    click_bar(qtbot, card, 0)
    assert card.foot.switches.message.full_text == "Only experts of blocks can be switched off."
    assert card.foot.switches.off == {}
    assert model_provider.subject.asked == []


def test_an_evaluation_can_be_cancelled_and_another_run_forgets_it(qtbot, card, model_provider):
    model_provider.subject.may_answer.clear()
    click_bar(qtbot, card, 1)
    qtbot.waitUntil(lambda: bool(model_provider.subject.asked))
    qtbot.mouseClick(card.foot.switches._cancel, Qt.MouseButton.LeftButton)
    assert model_provider.subject.cancelled.wait(10)
    assert card.foot.switches.message.full_text == "Cancelled: without expert 2 of block 2 nothing was evaluated."
    model_provider.subject = Subject()
    card.again()
    assert card.foot.switches.off == {}


def test_the_card_explains_why_there_is_no_loss(qtbot, card, model_provider):
    model_provider.subject.problem = BadInput("there is no validation text", field="corpus")
    click_bar(qtbot, card, 0)
    qtbot.waitUntil(lambda: "there is no validation text" in card.foot.switches.message.full_text)
    assert card.state == "content"


def test_experts_are_named_with_their_blocks_from_1():
    assert names_of({1: {2}, 0: {3, 0}}) == "experts 1 and 4 of block 1, expert 3 of block 2"


def test_interventions_count_blocks_and_experts_from_1():
    assert interventions_of({1: {2}, 0: {3, 0}}) == ["expert:1.1", "expert:1.4", "expert:2.3"]
