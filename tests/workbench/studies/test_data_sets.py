"""Studies whose seeds draw data sets of their own: bias, variance and noise add up to the error that was measured."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from lab.host import Plugins
from lab.studies.plans import parse_study
from lab.workbench.studies.conclusions import conclude
from lab.workbench.studies.execution import StudyExecution

STUDY = """
title = "Data sets"
recipe = "network-minimum-norm"
seeds = [{seeds}]
data_per_seed = true
set = [
  "corpus.features=4", "corpus.rows=500", "corpus.noise=0.5", "training.validation_share=0.976",
  "training.batch_size=12", "training.optimizer.learning_rate=0.1", "training.threads=1", "training.evaluate_every=0",
  "training.sample_tokens=0", "readings.moments=0", "readings.gauges_every=0", {more}
]
[[vary]]
path = "training.steps"
values = [1, 120]
"""


@pytest.fixture
def carried_out(lab_home, monkeypatch):
    """Carry out a study in threads of this process, and return what is concluded."""
    monkeypatch.setattr(StudyExecution, "_pool", lambda self: ThreadPoolExecutor(self._workers))

    def carry_out(text):
        plugins = Plugins.from_environment().load()
        results = StudyExecution(parse_study(text), plugins).run()
        assert results.is_complete
        assert not any(each.problem for each in results.trials)
        return results, conclude(results, plugins)

    return carry_out


def test_the_parts_add_up_to_the_error_and_longer_training_trades_bias_for_variance(carried_out):
    results, found = carried_out(STUDY.format(seeds=", ".join(map(str, range(12))), more=""))
    assert {each.trial.recipe.corpus.settings["seed"] for each in results.trials} == set(range(12))
    assert "each seed drew rows of its own" in found.notes[0]
    assert found.tests == []
    short, long = (next(one for one in found.decompositions if one.name == name) for name in ("steps 1", "steps 120"))
    assert short.bias > 0.3 > 0.05 > long.bias
    assert short.variance < long.variance
    for one in (short, long):
        measured = next(arm for arm in found.arms if arm.name == one.name)
        assert (one.noise, one.data_sets) == (0.25, 12)
        assert one.error == pytest.approx(measured.spread.mean, rel=0.1)


def test_few_data_sets_have_no_decomposition(carried_out):
    _, found = carried_out(STUDY.format(seeds="0, 1", more=""))
    assert found.decompositions == []
    assert len(found.arms) == 2


def test_another_loss_than_squares_has_none(carried_out):
    seeds = ", ".join(map(str, range(10)))
    _, found = carried_out(STUDY.format(seeds=seeds, more='"objective.loss=huber", "training.steps=1"'))
    assert found.decompositions == []
    assert any("only a squared error" in note for note in found.notes)
