"""A run, a metric store, and a way to run a script in a process of its own."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from lab.base.notices import listen
from lab.runs import MetricWriter, RunFolder

sys.path.insert(0, str(Path(__file__).parent))  # damage is a module of the tests

RECIPE = 'version = 1\n\n[corpus]\nname = "the manual"\n'


@pytest.fixture
def run(tmp_path):
    """A run that this process has just started."""
    return RunFolder.create(tmp_path / "runs" / "first", RECIPE, {"device": "cpu"})


@pytest.fixture
def metrics_file(tmp_path):
    """Return the path for a metric store."""
    (tmp_path / "run").mkdir()
    return tmp_path / "run" / "metrics.sqlite"


@pytest.fixture
def writer(metrics_file):
    """An open writer of that store."""
    with MetricWriter(metrics_file) as writer:
        yield writer


@pytest.fixture
def start():
    """Return a function that starts a script in its own process, which is killed at the end if it still runs."""
    started = []

    def start(script, *arguments):
        command = [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stdin.close()


@pytest.fixture
def notices():
    """The notices that the test gave."""
    reported = []
    end = listen(reported.append)
    yield reported
    end()
