"""The workflow of a forge: it builds for every system, with commands that exist, and tries what it built."""

import re
from pathlib import Path

import pytest
import yaml
from build import BUILDS

ROOT = Path(__file__).resolve().parents[2]
JOBS = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))["jobs"]


def commands(job):
    return "\n".join(step.get("run", "") for step in JOBS[job]["steps"])


def test_there_is_a_job_for_each_system_that_can_be_built_for():
    assert JOBS.keys() == BUILDS.keys()


@pytest.mark.parametrize("system", JOBS)
def test_a_job_builds_tries_every_file_removes_one_and_keeps_all(system):
    run = commands(system)
    assert f"packaging/build.py {system}" in run
    assert run.count("packaging/smoke.py") == 2
    assert re.search(r"apt-get purge|uninstall\.exe|rm -r", run)
    assert JOBS[system]["steps"][-1]["with"]["path"] == "dist"


@pytest.mark.parametrize("system", JOBS)
def test_every_file_that_a_job_names_exists(system):
    files = re.findall(r"packaging/[\w/.]+", commands(system))
    assert files
    assert [file for file in files if not (ROOT / file).is_file()] == []
