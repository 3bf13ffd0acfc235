"""The doctor examines trainings beside them, stores what it finds, and names the new run that heals it."""

import json
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from lab.api import Finding, Remedy, Rule, RunRecord
from lab.host import Plugins
from lab.runs import RunFolder
from lab.runs.finding_list import RuleFinding, read_findings, write_findings
from lab.workbench.analysis.examination import LENGTH, Examiner, examine_folder, neighbours, overlap
from lab.workbench.analysis.remedies import plan_of

PROVOKED = {
    "too-slow": ("training.optimizer.learning_rate=1e-9",),
    "no-number": (
        "training.optimizer.name=sgd", "training.optimizer.learning_rate=1", "training.optimizer.momentum=0.99",
        "training.clip=0", "training.schedule.name=constant",
    ),
}  # fmt: skip
QUICK = ("readings.moments=0", "readings.gauges_every=10", "training.evaluate_every=0", "architecture.layers=2")


def test_a_loss_that_is_no_number_is_traced_to_its_first_tensor(recipe, bench):
    run = bench.start(recipe(120, *QUICK, *PROVOKED["no-number"]))
    run.wait(300)
    events = [event for event in run.folder.events() if event["event"] == "not finite"]
    assert len(events) == 1
    assert events[0]["where"] in ("weights", "forward", "backward")
    found = next(one.finding for one in read_findings(run.path)[0] if one.rule == "no-number")
    assert events[0]["tensor"] in found.what


def test_a_good_training_has_no_findings_and_its_facts_are_stored(recipe, bench):
    run = bench.start(recipe(60, *QUICK))
    run.wait(300)
    found, facts = read_findings(run.path)
    assert [one.rule for one in found if one.rule not in ("validation-in-training",)] == []
    assert facts["tokens"] > 0
    assert facts["decayed norms"] == []


def finding(rule="a-rule", step=30, remedies=()):
    return RuleFinding(rule, Finding("it goes wrong", step, "Do this", "blocks.0", None, tuple(remedies)))


def test_findings_are_stored_and_read_again(tmp_path):
    found = [finding(remedies=[Remedy("Less", {"training.clip": 1.0}, "now")]), finding("b", 0)]
    write_findings(tmp_path, found, {"tokens": 3})
    assert read_findings(tmp_path) == (found, {"tokens": 3})
    assert read_findings(tmp_path / "nowhere") == ([], {})


@pytest.mark.parametrize(
    "stored",
    [
        {"findings": 3, "facts": []}, {"findings": [3, {}, {"rule": "a", "what": "b", "step": -1}]},
        {"findings": [{"rule": "a", "what": "b", "step": True}]}, {},
    ],
)  # fmt: skip
def test_what_is_no_finding_is_left_out(stored, tmp_path):
    (tmp_path / "findings.json").write_text(json.dumps(stored))
    assert read_findings(tmp_path)[0] == []


def test_a_rule_that_raises_is_reported_once_and_the_others_go_on(monkeypatch):
    def broken(config):
        def rule(record):
            raise RuntimeError("I am ill")

        return rule

    cards = {
        "broken": Rule("broken", "Broken", broken),
        "wrong": Rule("wrong", "Wrong", lambda config: lambda record: ["a text"]),
        "good": Rule("good", "Good", lambda config: lambda record: [Finding("found", 1)]),
    }
    plugins, failed = Plugins(safe_mode=True), []
    monkeypatch.setattr(plugins, "cards", lambda kind: cards)
    monkeypatch.setattr(plugins, "card", lambda kind, name, field=None: cards[name])
    monkeypatch.setattr(plugins, "owner", lambda kind, name: f"the owner of {name}")
    monkeypatch.setattr(plugins, "report_failure", lambda owner, error: failed.append(owner))
    examiner = Examiner(plugins)
    for _ in range(2):
        assert [one.rule for one in examiner.examine(RunRecord())] == ["good"]
    assert failed == ["the owner of broken", "the owner of wrong"]


def test_a_remedy_branches_from_the_checkpoint_before_the_finding_or_starts_again(recipe, bench):
    run = bench.start(recipe(60, *QUICK, "training.checkpoint_every=20", "training.keep_last=9"))
    run.wait(300)
    folder = RunFolder.open(run.path)
    less = Remedy("Less", {"training.optimizer.learning_rate": 0.1, "training.precision": "float32"})
    plan = plan_of(folder, finding(step=50).finding, less)
    assert plan.step == 40
    assert plan.changes == ("training.optimizer.learning_rate=0.1", "training.precision=float32")
    assert plan_of(folder, finding(step=10).finding, less).step is None
    again = Remedy("Again", {"training.steps": 10}, "beginning")
    assert plan_of(folder, finding(step=50).finding, again).step is None
    branch = bench.branch(run.path, plan.step, plan.changes)
    branch.wait(300)
    assert branch.recipe.training.optimizer.settings["learning_rate"] == 0.1


def test_a_run_on_disk_is_examined_again(recipe, bench):
    run = bench.start(recipe(120, *QUICK, *PROVOKED["too-slow"]))
    run.wait(300)
    (run.path / "findings.json").unlink()
    found = examine_folder(RunFolder.open(run.path), Plugins(safe_mode=True))
    assert "too-slow" in [one.rule for one in found]
    assert "too-slow" in [one.rule for one in read_findings(run.path)[0]]


def test_the_overlap_of_two_texts_is_the_share_of_their_common_pieces():
    random = np.random.default_rng(0)
    train, other = random.integers(0, 60, 5000), random.integers(0, 60, 600)
    assert overlap(train, other) == 0
    assert overlap(train, train[1000:2000]) == 1
    half = np.concatenate([train[:300], other[:300]])
    assert 0.4 < overlap(train, half) < 0.6
    assert overlap(train, other[: LENGTH - 1]) == 0


def test_a_rule_of_a_third_party_that_takes_too_long_is_named_and_left_out(monkeypatch):
    from lab.workbench.analysis import examination

    end = threading.Event()
    cards = {
        "endless": Rule("endless", "Endless", lambda config: lambda record: end.wait(60) and []),
        "good": Rule("good", "Good", lambda config: lambda record: [Finding("found", 1)]),
    }
    plugins, failed = Plugins(safe_mode=True), []
    monkeypatch.setattr(examination, "LIMIT", 0.05)
    monkeypatch.setattr(plugins, "cards", lambda kind: cards)
    monkeypatch.setattr(plugins, "card", lambda kind, name, field=None: cards[name])
    monkeypatch.setattr(plugins, "owner", lambda kind, name: f"the owner of {name}")
    monkeypatch.setattr(plugins, "report_failure", lambda owner, error: failed.append((owner, str(error))))
    examiner = Examiner(plugins)
    try:
        for _ in range(2):
            assert [one.rule for one in examiner.examine(RunRecord())] == ["good"]
    finally:
        end.set()
    ((owner, message),) = failed
    assert owner == "the owner of endless"
    assert "longer than 0.05 seconds" in message


def test_batches_in_an_order_are_nearer_to_their_neighbours_than_to_distant_ones():
    class Source:
        examples = 400

        def __init__(self, order):
            self.order = order

        def rows(self, examples, seed):
            kinds = self.order[examples % 400]
            draws = np.random.default_rng(int(examples[0]))
            return {"tokens": 4 * kinds[:, None] + draws.integers(0, 4, (len(examples), 9))}

    def made(order):
        training = SimpleNamespace(batch_size=4, steps=100, seed=0)
        return SimpleNamespace(recipe=SimpleNamespace(training=training), train=Source(order))

    kinds = np.repeat(np.arange(4), 100)
    assert neighbours(made(kinds)) < 0.2
    assert neighbours(made(np.random.default_rng(0).permutation(kinds))) == pytest.approx(1, abs=0.25)
    assert neighbours(made(np.zeros(400, np.int64))) == pytest.approx(1, abs=0.25)
