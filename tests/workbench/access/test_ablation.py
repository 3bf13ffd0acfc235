"""Losses without parts of a model: of a run that trains, of one on disk, and before any training."""

import math
from dataclasses import replace

import pytest
import torch

import lab
from lab.api import Task
from lab.base import BadInput
from lab.base.jobs import Cancelled
from lab.host import Plugins
from lab.workbench.access.ablation import Ablator, Baseline, Paced, PartLoss, changed, parse_targets
from lab.workbench.access.untrained import Untrained
from lab_moe.probes import routing

MIXTURE = "architecture={name='moe', layers=2, width=16, heads=2, experts=4, chosen=2, hidden=8}"


@pytest.fixture
def model():
    """A model of two small blocks with four experts each."""
    card = Plugins().card("architectures", "moe")
    return card.make(card.config(layers=2, width=16, heads=2, experts=4, chosen=2), Task(16, 8)).eval()


@pytest.fixture
def untrained(bench, recipe):
    """Return the same result before any training."""
    return Untrained(recipe(2, MIXTURE), bench.plugins)


def loads_of(model):
    """Return the load of the experts of each block."""
    with torch.no_grad():
        return [one.values for one in routing(None)(model, torch.arange(8)[None]) if one.name == "load"]


def test_no_token_goes_to_an_expert_that_is_switched_off(model):
    plugins, tokens = Plugins(), torch.arange(8)[None]
    targets, _ = parse_targets("expert:1.2,expert:1.3", model, plugins, tokens)
    with changed(model, targets, plugins, tokens):
        first, second = loads_of(model)
    assert (first > 0).tolist() == [True, False, False, True]
    assert (second[1:3] > 0).any()
    assert (loads_of(model)[0][1:3] > 0).any()


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        ("expert:6.1", "expert:1.1 to expert:2.4"),
        ("expert:2.5", "expert:1.1 to expert:2.4"),
        ("expert:1.1,expert:1.2,expert:1.3,expert:1.4", "block 1 would have no expert left"),
    ],
)
def test_experts_that_cannot_be_switched_off_are_refused(untrained, targets, words):
    with pytest.raises(BadInput) as refused:
        untrained.evaluate_without(targets, each=False, tokens=8)
    assert words in refused.value.problem.line()


def test_each_change_is_evaluated_alone_and_all_of_them_together_on_the_same_tokens(untrained):
    found = untrained.evaluate_without("head:2.1,layer:1", tokens=64)
    assert 56 < found.targets <= 64  # complete windows; the last of the text is short
    assert [effect.target for effect in found.each] == ["head:2.1", "layer:1"]
    losses = {found.intact, found.together, *(effect.loss for effect in found.each)}
    assert len(losses) == 4
    (alone,) = untrained.evaluate_without("layer:1", tokens=64).each
    assert alone == found.each[1]


def test_changes_may_be_evaluated_together_only(untrained):
    found = untrained.evaluate_without("expert:2.1,expert:2.3", each=False, tokens=64)
    assert found.each == ()
    assert found.together != found.intact


def test_one_change_is_evaluated_once(untrained):
    found = untrained.evaluate_without("layer:2", tokens=64)
    assert found.each[0].loss == found.together != found.intact


def test_the_targets_of_a_star_are_evaluated_one_by_one(untrained):
    found = untrained.evaluate_without("expert:1.*", tokens=64)
    assert [effect.target for effect in found.each] == [f"expert:1.{expert}" for expert in (1, 2, 3, 4)]
    assert found.together is None


def test_the_model_as_it_is_has_the_loss_of_an_evaluation(recipe):
    saved = lab.train(recipe(1, MIXTURE))
    found, evaluated = saved.evaluate_without("head:1.1", tokens=0), saved.evaluate()
    assert found.together != found.intact == pytest.approx(evaluated.loss)
    assert (found.targets, found.protocol) == (evaluated.targets, evaluated.protocol)


def test_a_mean_is_taken_over_the_reference_text(untrained):
    losses = {untrained.evaluate_without("mean:mixer:1.token", reference=text, tokens=64).together for text in (
        None, "the cat", "a hat.\n")}  # fmt: skip
    assert len(losses) == 3


def test_an_evaluation_that_is_cancelled_brings_no_half_result_and_leaves_the_model_as_it_was(untrained):
    before = untrained.next_tokens("the ")
    with pytest.raises(Cancelled):
        untrained.evaluate_without("expert:1.2", cancelled=lambda: True)
    assert untrained.next_tokens("the ") == before


def test_a_model_that_trains_is_not_changed_meanwhile(bench, for_ever, until):
    run = bench.start(for_ever.with_assignments(MIXTURE))
    until(lambda: run.trainer is not None and run.trainer.step > 2)
    modules, seen = list(run.trainer.model.modules()), []

    def cancelled():
        seen.extend((getattr(one, "off", frozenset()), getattr(one, "_edits", ())) for one in modules)
        return False

    found = run.evaluate_without("expert:1.1,expert:1.2,head:2.1", each=False, tokens=64, cancelled=cancelled)
    assert found.together != found.intact
    assert set(seen) == {(frozenset(), ())}


# ---- one part after the other


def measured(access, *targets, **options):
    """Return what is reported of parts, in order."""
    found = []
    access.measure_parts(targets, found.append, **options)
    return found


def test_a_model_says_what_can_be_changed_in_it(untrained):
    offered = untrained.interventions()
    assert offered["head"] == ["1.1", "1.2", "2.1", "2.2"]
    assert offered["layer"] == ["1", "2"]
    assert offered["expert"][:2] == ["1.1", "1.2"]
    assert "mixer:1.token" in offered["mean"]
    assert "order" not in offered  # which n-grams have


def test_parts_are_reported_one_by_one_after_the_model_as_it_is(untrained):
    baseline, *parts = measured(untrained, "head:1.1", "layer:2")
    together = untrained.evaluate_without("head:1.1,layer:2")
    assert baseline == Baseline(together.intact, 0, together.targets, together.protocol)
    assert parts == [PartLoss(effect.target, effect.loss) for effect in together.each]


def test_the_model_as_it_is_is_measured_once_for_each_step(untrained):
    known = Baseline(9.0, 0, 64, "windows")
    assert measured(untrained, "head:1.1", known=known)[0] is known
    assert measured(untrained, "head:1.1", known=Baseline(9.0, 5, 64, "windows"))[0].loss < 9.0


def test_a_part_that_cannot_be_measured_does_not_end_the_others(untrained):
    _, refused, part = measured(untrained, "expert:9.1", "head:1.1")
    assert refused.loss is None
    assert "is not in this model" in refused.problem.line()
    assert part.problem is None


def test_a_loss_that_is_not_finite_is_reported_as_a_problem(untrained, monkeypatch):
    evaluate, losses = Ablator.evaluate, iter([1.0, math.nan, math.inf])
    monkeypatch.setattr(Ablator, "evaluate", lambda *given: replace(evaluate(*given), loss=next(losses)))
    _, *parts = measured(untrained, "head:1.1", "head:1.2")
    assert [(part.loss, part.problem.what) for part in parts] == 2 * [
        (None, "the loss without it is not a finite number")
    ]


def test_parts_may_be_added_while_others_are_measured(untrained):
    wanted, found = ["head:1.1"], []

    def targets():
        while wanted:
            yield wanted.pop(0)

    def report(one):
        if isinstance(one, PartLoss) and one.target == "head:1.1":
            wanted.append("head:1.2")
        found.append(one)

    untrained.measure_parts(targets(), report)
    assert [one.target for one in found[1:]] == ["head:1.1", "head:1.2"]


def test_all_parts_of_a_model_that_trains_are_of_one_step(bench, for_ever, until):
    run = bench.start(for_ever.with_assignments(MIXTURE))
    until(lambda: run.trainer is not None and run.trainer.step > 2)
    baseline, *parts = measured(run, "head:1.1", "head:1.2")
    before = run.trainer.step
    until(lambda: run.trainer.step > before)
    assert 2 < baseline.step <= before
    assert len(parts) == 2


def test_measuring_that_is_cancelled_reports_no_half_result(untrained):
    found = []

    def report(one):
        found.append(one)

    with pytest.raises(Cancelled):
        untrained.measure_parts(["head:1.1"], report, cancelled=lambda: bool(found))
    assert [type(one) for one in found] == [Baseline]


def test_beside_a_training_an_evaluation_rests_as_long_as_it_computes(monkeypatch):
    clock, slept = [0.0], []

    def sleep(seconds):
        slept.append(seconds)
        clock[0] += seconds

    monkeypatch.setattr("lab.workbench.access.ablation.time.perf_counter", lambda: clock[0])
    monkeypatch.setattr("lab.workbench.access.ablation.time.sleep", sleep)
    trains, cancelled = [True], []
    paced = Paced(lambda: trains[0], lambda: bool(cancelled))
    clock[0] += 1.0
    assert not paced()
    assert sum(slept) == pytest.approx(1.0)
    trains[0] = False
    clock[0] += 1.0
    assert not paced()
    assert sum(slept) == pytest.approx(1.0)
    trains[0], cancelled[:] = True, [True]
    clock[0] += 1.0
    assert paced()
    assert sum(slept) == pytest.approx(1.0)
