"""A class that hands in at once: sound bundles arrive whole, and nothing else is taken."""

import pytest

from lab.bench import classroom
from lab.cli import main as command_line


@pytest.fixture
def small(monkeypatch):
    """Labs in this process, and a bomb of two mebibytes over a limit of one."""

    def hand_in(number, targets):
        for target in targets:
            words = ["class", "hand-in", f"run {number}", "--name", f"Student {number}", "--to", target]
            assert command_line.main(words) == 0

    monkeypatch.setattr(classroom, "_hand_in", hand_in)
    monkeypatch.setattr(classroom, "BOMB", 2**24)
    monkeypatch.setattr(classroom, "SHORT", {**classroom.SHORT, "steps": 2})
    monkeypatch.setattr("lab.runs.bundle.RECORDS", 2**20)


def test_a_class_of_six_loses_nothing_and_takes_nothing_that_is_damaged_or_hostile(small, monkeypatch):
    monkeypatch.setattr(classroom, "DAMAGED", 2)
    result = classroom.classroom(6, lambda _: None)
    assert (result["lost"], result["wrongly_taken"]) == (0, 0)
    assert result["answers"] == [403, 413, 422, 422, 422, 422]
    assert (result["ranked"], result["refused"]) == (2, 4)


def test_a_bundle_that_does_not_arrive_whole_is_counted(small, monkeypatch):
    hand_in = classroom._hand_in
    monkeypatch.setattr(classroom, "_hand_in", lambda number, targets: hand_in(number, list(targets)[number % 2 :]))
    assert classroom.classroom(7, lambda _: None)["lost"] == 1


@pytest.mark.long
def test_labs_in_processes_of_their_own_hand_in():
    result = classroom.classroom(7, lambda _: None)
    assert (result["lost"], result["wrongly_taken"]) == (0, 0)
