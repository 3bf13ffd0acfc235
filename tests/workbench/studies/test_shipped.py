"""The studies that come with the lab: the first run of each trains, and what it measures can be measured."""

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
    "training.batch_size=2",
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
    short = replace(study, base=study.base.with_assignments(*SHORT), seeds=study.seeds[:1], variations=first)
    plugins = Plugins.from_environment().load()
    results = StudyExecution(short, plugins).run()
    assert [each.problem for each in results.trials if each.problem] == []
    assert results.is_complete
    found = conclude(results, plugins)
    assert [note for note in found.notes if "unknown" in note] == []
    for arm in found.arms:
        assert list(found.measured.get(arm.name, {})) == [measure.title for measure in study.measures]
