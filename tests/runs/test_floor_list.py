"""The floors of a run: those of its making and those found since, and a file that is damaged."""

import pytest

from lab.base import LabError
from lab.runs.floor_list import known_losses, read_floors, write_floors


def test_floors_found_later_are_added_to_those_in_run_json(tmp_path):
    write_floors(tmp_path, {"bigram": 2.5, "kneser-ney 6": 1.9}, "windows")
    assert read_floors(tmp_path, {"uniform": 4.2}) == {"uniform": 4.2, "bigram": 2.5, "kneser-ney 6": 1.9}


def test_a_run_without_the_file_has_those_of_its_making(tmp_path):
    assert read_floors(tmp_path, {"uniform": 4.2}) == {"uniform": 4.2}
    assert read_floors(tmp_path) == {}


@pytest.mark.parametrize("stored", [None, "text", 3, ["uniform"]])
def test_what_is_no_table_of_losses_is_passed_over(stored):
    assert known_losses(stored) == {}


def test_what_is_no_loss_is_passed_over():
    reported = {"uniform": 4, "nan": float("nan"), "inf": float("inf"), "word": "4", "truth": True}
    assert known_losses(reported) == {"uniform": 4.0}


def test_a_damaged_file_is_reported_by_its_name(tmp_path):
    (tmp_path / "floors.json").write_text('{"format": 1, "floors": {')
    with pytest.raises(LabError, match=r"floors\.json"):
        read_floors(tmp_path)
