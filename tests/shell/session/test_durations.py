"""The durations of recipes on this machine, which every place shows alike."""

import pytest

from lab.host import Plugins
from lab.recipes import QUICK_START, gallery, shipped
from lab.runs import provenance
from lab.shell.home.model import COMPARED
from lab.shell.session.draft_changes import differences
from lab.shell.session.runs.durations import Durations, FinishedRun, PastRun, past_runs


@pytest.fixture
def durations():
    return Durations(gallery().recordings)


def test_a_duration_is_unknown_until_the_machine_was_measured(durations):
    assert durations.seconds(QUICK_START) is None
    durations.speed = 2.0
    seconds, measured = durations.seconds(QUICK_START)
    assert seconds == gallery().recordings[QUICK_START].seconds / 2
    assert not measured


def test_the_duration_of_a_finished_run_of_the_recipe_is_better_than_an_estimate(durations):
    durations.speed = 1.0
    durations.take_past([PastRun(QUICK_START, 33.0), PastRun(QUICK_START, 99.0)])
    assert durations.seconds(QUICK_START) == (33.0, True)
    assert durations.seconds(QUICK_START, COMPARED[0])[1] is False


def test_a_measured_run_rescales_the_estimates_of_other_recipes(durations):
    durations.speed = 1.0
    recorded = gallery().recordings
    durations.take_past([PastRun(QUICK_START, 4 * recorded[QUICK_START].seconds)])
    assert durations.seconds(COMPARED[0]) == (pytest.approx(4 * recorded[COMPARED[0]].seconds), False)


@pytest.fixture(scope="module")
def past():
    """Compare a run with the shipped recipes; return the name of the one that it is."""
    plugins = Plugins.from_environment()

    def past(recipe, **facts):
        run = FinishedRun("run 1", recipe, {**provenance(), **facts}, 33.0)
        found = past_runs([run], lambda one, other: differences(one, other, plugins))["run 1"]
        return None if found is None else found.recipe

    return past


def test_a_run_is_of_a_shipped_recipe_if_it_differs_in_no_more_than_the_seed(past):
    quick = shipped(QUICK_START)
    assert past(quick) == QUICK_START
    assert past(quick.with_values({"title": "Mine", "training": {"seed": 7}})) == QUICK_START
    assert past(quick.with_values({"training": {"steps": 801}})) is None
    assert past(quick.with_values({"training": {"batch_size": 24}})) is None


def test_an_own_text_with_the_title_of_the_quick_start_measures_nothing(past):
    own = shipped(QUICK_START).with_values({"corpus": {"name": "file", "path": "mine.txt"}})
    assert own.title == shipped(QUICK_START).title
    assert past(own) is None


def test_a_run_of_another_machine_measures_nothing(past):
    assert past(shipped(QUICK_START), processor="another") is None
    assert past(shipped(QUICK_START), cpus=1000) is None


def test_recipes_one_after_the_other_take_the_sum(durations):
    durations.speed = 1.0
    one, other = (gallery().recordings[name].seconds for name in COMPARED)
    assert durations.seconds(*COMPARED) == (one + other, False)


def test_a_recipe_without_a_recording_has_no_duration():
    durations = Durations({})
    durations.speed = 1.0
    assert durations.seconds(QUICK_START) is None
