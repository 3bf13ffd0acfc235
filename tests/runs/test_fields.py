"""The checked fields of a run's files: little work for what is not allowed, however much of it there is."""

import pytest

from lab.runs.fields import MOST_ENTRIES, CheckpointFacts, RunFacts


def test_a_table_of_too_many_entries_is_told_as_one_problem():
    many = dict.fromkeys(map(str, range(MOST_ENTRIES + 1)), 1)
    record = {"plugins": many, "name": "a"}
    RunFacts.check(record)
    assert record == {"name": "a"}
    with pytest.raises(ValueError, match=r"^live = .* is not allowed"):
        CheckpointFacts.check({"live": many})


def test_a_list_of_wrong_values_is_refused_at_the_first(monkeypatch):
    compared = []
    monkeypatch.setattr(CheckpointFacts, "_needs", classmethod(lambda cls, path: compared.append(path) or True))
    with pytest.raises(ValueError, match=r"groups\.1 = 1 is not allowed"):
        CheckpointFacts.check({"groups": [{}, *[1] * 5_000]})
    assert compared == [("groups", 1)]
