"""Provenance: what was used, and nothing about whose machine it was."""

import json
import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

import numpy
import psutil
import pytest

from lab.runs import origin, provenance
from lab.runs.origin import git_state


def test_provenance_holds_versions_machine_and_what_the_caller_knows():
    facts = provenance(device="cpu", corpus={"name": "manual"})
    assert facts["versions"]["numpy"] == numpy.__version__
    assert facts["versions"]["python"] == platform.python_version()
    assert {"platform", "machine", "processor", "git"} <= facts.keys()
    assert facts["cpus"] == os.cpu_count()
    assert (facts["device"], facts["corpus"]) == ("cpu", {"name": "manual"})
    json.dumps(facts)


def test_a_process_asks_git_and_the_packages_once_and_later_facts_do_not_change_the_earlier(monkeypatch):
    first = provenance()
    monkeypatch.setattr(origin, "git_state", None)
    first["versions"]["torch"] = "another"
    assert provenance()["versions"]["torch"] != "another"


def test_provenance_names_no_user_host_or_path():
    values = re.findall(r'"(.*?)"', json.dumps(provenance()))
    assert not {platform.node(), psutil.Process().username()} & set(values)
    assert not any(str(folder) in word for folder in (Path.cwd(), Path.home()) for word in values)


def test_looking_at_runs_imports_no_torch_and_no_qt(start):
    process = start(
        """
        import sys
        from lab.runs import list_runs, provenance
        print(provenance()["versions"]["torch"], list_runs())
        print([name for name in ("torch", "PySide6", "matplotlib") if name in sys.modules])
        """
    )
    version, loaded = process.stdout.read().splitlines()
    assert version[0].isdigit()
    assert loaded == "[]"


@pytest.fixture
def checkout(tmp_path):
    """A checkout with one commit."""
    if not shutil.which("git"):
        pytest.skip("there is no git on this machine")
    folder = tmp_path / "checkout"
    folder.mkdir()
    (folder / "file.py").write_text("one\n")
    who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"]
    for arguments in (["init", "-q"], ["add", "."], [*who, "commit", "-q", "--no-verify", "-m", "one"]):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        subprocess.run(["git", *arguments], cwd=folder, check=True, env=clean)
    return folder


def test_the_commit_of_a_checkout_is_known_and_whether_it_was_changed(checkout, monkeypatch):
    monkeypatch.setenv("GIT_DIR", "/nowhere")  # as in a hook of another project
    state = git_state(checkout)
    assert len(state["commit"]) == 40
    assert state["dirty"] is False
    (checkout / "file.py").write_text("two\n")
    assert git_state(checkout) == {**state, "dirty": True}


def test_without_git_there_is_no_commit(tmp_path, checkout, monkeypatch):
    assert git_state(tmp_path) is None
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_state(checkout) is None
