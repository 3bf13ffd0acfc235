"""What the doctor found: a quiet line below the loss, the evidence as a chart, and remedies in one click."""

import gc

import pytest

from lab.api import Evidence, Finding, Remedy
from lab.runs import RunFolder
from lab.runs.finding_list import RuleFinding, write_findings
from lab.shell.session.findings import KnownFindings, Remedies
from lab.shell.train.finding_line import FindingLine
from lab.shell.train.gauges.findings_card import FindingsCard
from lab.widgets.core.drawing import Drawing

LESS = Remedy(what="A third of the learning rate", changes={"training.optimizer.learning_rate": 0.001})
AGAIN = Remedy(what="A longer warm-up", changes={"training.schedule.warmup": 3}, start="beginning")
DIVERGES = RuleFinding(
    "divergence",
    Finding("the training diverges: its loss fell to 1.500 and has risen to 3.000", 2, remedy="Slow down",
            evidence=Evidence(("train loss", "no such series"), 2.0), remedies=(LESS, AGAIN)),
)  # fmt: skip
DEAD = RuleFinding("dead-units", Finding("60 % of the units of blocks.0 are dead", 3, layer="blocks.0"))


class Calls(list):
    def __call__(self, *given):
        self.append(given)


@pytest.fixture
def ill(registry, saved_run, until):
    """Open a run in which the doctor found two things."""
    path = saved_run(losses=(3.0, 1.5, 3.0))
    write_findings(path, [DIVERGES, DEAD], {})
    run = registry.open(path)
    until(lambda: run.curves.names())
    return run


@pytest.fixture
def card(registry, ill, qtbot):
    applied = Calls()
    card = FindingsCard(registry, Drawing(registry), KnownFindings(), applied)
    card.applied = applied
    qtbot.addWidget(card)
    card.resize(900, 260)
    with qtbot.waitExposed(card):
        card.show()
    card.draw()
    return card


def test_a_finding_is_shown_with_its_evidence_and_limit(card):
    assert card._what.text().startswith("The training diverges")
    assert card._remedy.text() == "Slow down."
    assert [line.name for line in card.chart._lines] == ["train loss"]
    assert [floor.value for floor in card.chart._floors] == [2.0]
    assert [flag.x for flag in card.chart._flags] == [2.0]


def test_a_click_on_a_remedy_applies_it(card, ill, click):
    assert [button.text() for button in card.buttons] == ["A third of the learning rate", "A longer warm-up"]
    click(card.buttons[0])
    assert card.applied == [(ill, DIVERGES.finding, LESS)]


def test_another_finding_can_be_picked(card):
    card._take("1")
    card.draw()
    assert "blocks.0" in card._what.text()
    assert card.buttons == []
    assert card.chart.isHidden()


def test_the_line_below_the_loss_names_the_first_finding_and_goes_when_it_is_dismissed(registry, ill, qtbot, click):
    line = FindingLine(registry, KnownFindings(), Remedies(registry._workbench, registry))
    qtbot.addWidget(line)
    line.show()
    line.refresh()
    assert "the training diverges" in line.message.full_text
    assert "1 more" in line.message.full_text
    assert line.remedy.text() == "A third of the learning rate"
    click(line.close_button)
    assert line.isHidden()
    write_findings(ill.path, [DEAD], {})
    line.refresh()
    assert not line.isHidden()
    assert line.remedy.isHidden()


def test_a_run_without_findings_shows_none(registry, saved_run, qtbot):
    registry.open(saved_run())
    line = FindingLine(registry, KnownFindings(), Remedies(registry._workbench, registry))
    qtbot.addWidget(line)
    assert line.isHidden()


def test_a_damaged_file_of_findings_shows_none(ill):
    (ill.path / "findings.json").write_text("no JSON")
    assert KnownFindings().of(ill) == []


def test_a_remedy_starts_a_new_run_of_the_changed_recipe(registry, ill, monkeypatch):
    started = []
    monkeypatch.setattr(registry, "start", lambda recipe: started.append(recipe))
    remedies = Remedies(registry._workbench, registry)
    remedies.apply(ill, DIVERGES.finding, LESS)  # it has no checkpoint
    assert started[0].training.optimizer.settings["learning_rate"] == 0.001
    assert RunFolder.open(ill.path).read_recipe().training.optimizer.settings["learning_rate"] != 0.001


def test_a_remedy_that_the_recipe_refuses_is_reported(registry, ill, monkeypatch):
    from lab.shell.session import findings

    reported = []
    monkeypatch.setattr(findings, "notify", lambda level, what: reported.append(level))
    bad = Remedy(what="Nonsense", changes={"training.steps": -3}, start="beginning")
    assert Remedies(registry._workbench, registry).apply(ill, DIVERGES.finding, bad) is None
    assert reported == ["error"]


def test_the_findings_of_runs_that_are_gone_are_let_go(registry, saved_run, until):
    known = KnownFindings()

    def held():
        gc.collect()
        return sum(isinstance(one, RuleFinding) and one.rule == "gone" for one in gc.get_objects())

    for _ in range(3):
        path = saved_run(losses=(3.0, 1.5, 3.0))
        write_findings(path, [RuleFinding("gone", DEAD.finding)], {})
        run = registry.open(path)
        assert [one.rule for one in known.of(run)] == ["gone"]
        registry.remove(run)
        del run
        until(lambda: held() == 0)
