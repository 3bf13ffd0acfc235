"""Shared files are found where the machine has them, and nothing that is broken there stops the lab."""

from pathlib import Path

from lab.base.system import folders
from lab.base.system.folders import policy_file, shared_files, shared_folder


def test_a_machine_without_shared_files_has_none_and_says_nothing(lab_system, reported):
    assert (shared_files("corpora"), reported) == ([], [])


def test_shared_files_are_listed_by_name_without_hidden_ones(lab_system):
    for name in ("b.toml", "a.toml", ".hidden.toml", "note.txt"):
        (lab_system / "recipes").mkdir(parents=True, exist_ok=True)
        (lab_system / "recipes" / name).touch()
    assert [path.name for path in shared_files("recipes", ".toml")] == ["a.toml", "b.toml"]


def test_what_cannot_be_read_is_reported_once(lab_system, reported):
    lab_system.mkdir()
    (lab_system / "corpora").write_text("a file where a folder should be")
    assert shared_files("corpora") == shared_files("corpora") == []
    [problem] = reported
    assert problem.field == str(lab_system / "corpora")
    assert "The lab starts without it" in problem.remedy


def test_a_variable_does_not_lead_away_from_the_policy_of_the_machine(lab_system, tmp_path, monkeypatch):
    own = tmp_path / "etc"
    own.mkdir()
    monkeypatch.setattr(folders, "_configuration", lambda: own)
    monkeypatch.setattr(folders, "_data", lambda: tmp_path / "share")
    assert (policy_file(), shared_folder("models")) == (lab_system / "policy.toml", lab_system / "models")
    (own / "policy.toml").touch()
    assert (policy_file(), shared_folder("models")) == (own / "policy.toml", tmp_path / "share" / "models")


def test_a_folder_that_cannot_be_entered_may_hold_a_policy(lab_system, tmp_path, monkeypatch):
    long = tmp_path / ("x" * 300)  # of which nobody can tell whether it exists
    monkeypatch.setattr(folders, "_configuration", lambda: long)
    assert policy_file() == long / "policy.toml"


def test_linux_has_its_policy_with_the_configuration_and_its_data_with_those_of_all_programs(monkeypatch):
    monkeypatch.setattr(folders.sys, "platform", "linux")
    monkeypatch.delenv("LAB_SYSTEM")
    monkeypatch.setenv("XDG_DATA_DIRS", "/home/of/a/user")
    assert policy_file() == Path("/etc/lm-lab/policy.toml")
    assert shared_folder("plugins") == Path("/usr/local/share/lm-lab/plugins")


def test_macos_has_all_of_it_in_the_library(monkeypatch):
    monkeypatch.setattr(folders.sys, "platform", "darwin")
    monkeypatch.delenv("LAB_SYSTEM")
    assert policy_file() == Path("/Library/Application Support/lm-lab/policy.toml")
    assert shared_folder("recipes").parent == policy_file().parent
