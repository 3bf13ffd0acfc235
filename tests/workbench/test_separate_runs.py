"""Runs in processes of their own: as many as the profile of the machine allows."""

import pytest

from lab.base import BadInput
from lab.base.run_state import RunState
from lab.base.system import profile
from lab.recipes import Recipe
from lab.workbench import Workbench, workbench


class Started:
    """A run that trains in another process, without the process."""

    folder = None

    def __init__(self, origin, plugins, command):
        self.state = RunState.RUNNING

    def start(self):
        pass

    def when_ended(self, call):
        pass

    def join(self, seconds):
        return False


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.setattr(workbench, "ProcessRun", Started)
    return Workbench()


def test_the_full_profile_allows_any_number(bench):
    for _ in range(3):
        bench.start(Recipe(), process=True)
    assert len(bench.runs) == 3


def test_the_light_profile_allows_one_at_a_time(bench, monkeypatch):
    monkeypatch.setattr(profile._Current, "profile", profile.LIGHT)
    first = bench.start(Recipe(), process=True)
    with pytest.raises(BadInput, match="light profile") as refused:
        bench.start(Recipe(), process=True)
    assert "Queue this run" in refused.value.problem.remedy
    assert bench.runs == (first,)
    first.state = RunState.FINISHED
    bench.start(Recipe(), process=True)
