"""Runs are handed in under a name to a folder, and nothing there is overwritten."""

import os
import sys
import zipfile

import pytest

from lab.base.problems import BadInput, LabError
from lab.runs.bundle import import_bundle
from lab.runs.bundle_file import LONGEST_STUDENT, Bundle
from lab.workbench.classroom.hand_in import hand_in


def student_of(file):
    with Bundle.open(file) as bundle:
        return bundle.student


def test_the_name_is_in_the_manifest_and_nowhere_else(finished, tmp_path):
    name = hand_in(finished("small", 2.0), "Ada Lovelace", str(tmp_path / "in"))
    file = tmp_path / "in" / name
    assert name == "Ada Lovelace - small.lmlab"
    assert student_of(file) == "Ada Lovelace"
    with zipfile.ZipFile(file) as archive:
        holding = [each for each in archive.namelist() if b"Lovelace" in archive.read(each)]
    assert holding == ["manifest.json"]
    assert import_bundle(file).assigned_name == "small"


def test_nothing_is_overwritten(finished, tmp_path, names_in):
    run = finished("small", 2.0)
    names = [hand_in(run, "Ada", str(tmp_path / "in")) for _ in range(3)]
    assert names == ["Ada - small.lmlab", "Ada - small-2.lmlab", "Ada - small-3.lmlab"]
    assert names_in(tmp_path / "in") == sorted(names)


@pytest.mark.parametrize(
    ("student", "file"),
    [
        ("../../etc/passwd", "-..-etc-passwd - r.lmlab"),
        ("C:\\x", "C--x - r.lmlab"),
        ("con", "run-con - r.lmlab"),
        (" Łukasz \n\x1b[2J ", "Łukasz [2J - r.lmlab"),
        ("x" * 500, f"{'x' * 60} - r.lmlab"),
    ],
)
def test_any_name_becomes_a_safe_file_name(finished, tmp_path, student, file, names_in):
    assert hand_in(finished("r", 2.0), student, str(tmp_path / "in")) == file
    assert len(student_of(tmp_path / "in" / file)) <= LONGEST_STUDENT
    assert names_in(tmp_path / "in") == [file]


def test_a_policy_without_network_lets_a_class_hand_in_to_folders_alone(finished, tmp_path, with_policy):
    file, run = with_policy("network = false"), finished("small", 2.0)
    with pytest.raises(BadInput, match="handing in over the network is not allowed") as raised:
        hand_in(run, "Ada", "http://127.0.0.1:9/abcdefgh")
    assert f"{file} (network)" in raised.value.problem.what
    assert "Hand in to a folder" in raised.value.problem.remedy
    assert hand_in(run, "Ada", str(tmp_path / "in")) == "Ada - small.lmlab"


def test_a_name_is_needed(finished, tmp_path):
    with pytest.raises(BadInput, match="is empty"):
        hand_in(finished("r", 2.0), " \n", str(tmp_path / "in"))
    assert not (tmp_path / "in").exists()


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="rights are not asked there")
def test_a_folder_that_cannot_be_written_to_is_reported(finished, tmp_path):
    (tmp_path / "in").mkdir(mode=0o500)
    with pytest.raises(BadInput):
        hand_in(finished("r", 2.0), "Ada", str(tmp_path / "in"))


def test_a_cancelled_hand_in_leaves_nothing(finished, tmp_path, names_in):
    with pytest.raises(LabError, match="cancelled"):
        hand_in(finished("r", 2.0), "Ada", str(tmp_path / "in"), cancelled=lambda: True)
    assert names_in(tmp_path / "in") == []
