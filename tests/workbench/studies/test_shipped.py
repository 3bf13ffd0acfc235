"""The studies that come with the lab: the first run of each trains, and what it measures can be measured."""

import math
from dataclasses import replace

import pytest

from lab.api import Text
from lab.base.folders import resources
from lab.host import Plugins
from lab.studies.plans import parse_study
from lab.workbench.studies.conclusions import conclude
from lab.workbench.studies.execution import StudyExecution

NAMES = sorted(
    file.name.removesuffix(".toml") for file in (resources() / "studies").iterdir() if file.name.endswith(".toml")
)
SHORT = [
    "training.steps=2", "training.evaluate_every=1", "training.checkpoint_every=1", "training.evaluate_tokens=64",
]  # fmt: skip


@pytest.fixture(autouse=True)
def quick(monkeypatch, lab_home):
    """Train in a thread of this process, on a short manual."""
    from concurrent.futures import ThreadPoolExecutor

    text = Text("The quick brown fox (of 1970) jumps over a lazy dog; it doesn't bark.\n" * 400, "a short manual")
    monkeypatch.setattr("lab.text.corpora.manual.read_manual", lambda config: text)
    monkeypatch.setattr(StudyExecution, "_pool", lambda self: ThreadPoolExecutor(self._workers))


@pytest.mark.short(*[name for name in NAMES if name not in ("fair-fight", "hyperfitting")])
@pytest.mark.parametrize("name", NAMES)
def test_its_first_run_trains_and_all_that_it_measures_is_known(name):
    study = parse_study((resources() / "studies" / f"{name}.toml").read_text(encoding="utf-8"))
    first = tuple(replace(each, values=each.values[:1]) for each in study.variations)
    reads_all = study.base.model_dump()["training"]["optimizer"]["name"] == "lbfgs"  # in each of its steps
    base = study.base.with_assignments(*SHORT, *([] if reads_all else ["training.batch_size=2"]))
    short = replace(study, base=base, seeds=study.seeds[:1], variations=first)
    plugins = Plugins.from_environment().load()
    results = StudyExecution(short, plugins).run()
    assert [each.problem for each in results.trials if each.problem] == []
    assert results.is_complete
    found = conclude(results, plugins)
    assert [note for note in found.notes if "unknown" in note] == []
    for arm in found.arms:
        assert list(found.measured.get(arm.name, {})) == [measure.title for measure in study.measures]


def found_with(name, *values):
    """Return the arms of a study with some of its values and its first seed, and what is measured of each, by value."""
    study = parse_study((resources() / "studies" / f"{name}.toml").read_text(encoding="utf-8"))
    plugins = Plugins.from_environment().load()
    varied = tuple(replace(each, values=values) for each in study.variations)
    results = StudyExecution(replace(study, seeds=study.seeds[:1], variations=varied), plugins).run()
    found = conclude(results, plugins)
    arms = {next(iter(arm.trials[0].trial.point.values())): arm for arm in found.arms}
    measured = {value: {title: numbers[0] for title, numbers in found.measured.get(arm.name, {}).items()}
                for value, arm in arms.items()}  # fmt: skip
    return arms, measured


@pytest.mark.long
@pytest.mark.timeout(600)
def test_whole_sums_hide_what_the_share_of_right_tokens_shows():
    arms, _ = found_with("emergence-of-addition", 8, 48)
    narrow, wide = (arms[width].trials[0].summary["metrics"] for width in (8, 48))
    assert narrow["accuracy"] > 0.5
    assert narrow["faultless"] < 0.05
    assert wide["faultless"] > 10 * narrow["faultless"]
    assert wide["accuracy"] < 2 * narrow["accuracy"]


@pytest.mark.long
@pytest.mark.timeout(600)
def test_two_layers_find_what_followed_and_one_layer_does_not():
    arms, measured = found_with("induction", 1, 2)
    assert arms[2].trials[0].summary["metrics"]["accuracy"] > 0.99
    assert arms[1].trials[0].summary["metrics"]["accuracy"] < 0.6
    assert measured[2]["accuracy of 0.9 at step"] < 300


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_text_that_is_read_a_hundred_times_is_known_by_heart_and_four_times_is_not_too_often():
    arms, measured = found_with("data-repeated", 8192, 204800)
    assert arms[8192].spread.mean > 1.5 * arms[204800].spread.mean
    assert measured[8192]["train loss"] < measured[204800]["train loss"]


@pytest.mark.long
@pytest.mark.timeout(600)
def test_held_out_sums_are_understood_long_after_the_trained_ones_are_known_if_weights_decay():
    _, measured = found_with("grokking", 0.0, 1.0)
    decayed, free = measured[1.0], measured[0.0]
    assert decayed["others known at step"] > 2 * decayed["trained sums known at step"]
    assert free["trained sums known at step"] < 400
    assert free["others known at step"] == math.inf
