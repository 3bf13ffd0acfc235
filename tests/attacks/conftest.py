"""Runs to attack, and commands in a child whose memory is limited."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lab.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
for folder in (TESTS / "attacks", TESTS / "runs"):
    sys.path.insert(0, str(folder))  # attacking and damage are modules of the tests
TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 60
MEMORY = 4 * 2**30
"""Bytes of address space of a child; torch alone maps more than one."""
SECONDS = 60


@pytest.fixture(scope="session")
def counted(tmp_path_factory):
    """A folder with a text, the run of an n-gram model that counted it, and the bundle of the run."""
    folder = tmp_path_factory.mktemp("counted")
    (folder / "text.txt").write_text(TEXT)
    common = ("--architecture", "n-gram", "--set", "training.context_length=8", "--set", "training.sample_tokens=2")
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("LAB_HOME", str(folder / "home"))
        words = ("train", "--corpus", folder / "text.txt", "--steps", 2, *common, "--out", folder / "run")
        assert main([str(word) for word in words]) == 0
        assert main(["runs", "export", str(folder / "run"), str(folder / "run.lmlab")]) == 0
    return folder


@pytest.fixture
def child(tmp_path, of_this_tree):
    """Begin a command, or code, in a process with little memory; it is killed at the end if it still runs."""
    import resource

    begun = []

    def child(*words, code=None):
        program = ["-m", "lab.cli.main"] if code is None else ["-c", code]
        begun.append(
            subprocess.Popen(
                [sys.executable, *program, *map(str, words)],
                env=of_this_tree,
                cwd=tmp_path,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
            )
        )
        return begun[-1]

    yield child
    for one in begun:
        one.kill()
        one.communicate()


@pytest.fixture
def target(tmp_path):
    """The folder of a finished run that a training wrote, with something of everything a run has."""
    from attacking import with_everything

    return with_everything(Path(shutil.copytree(TESTS / "gold/runs/2", tmp_path / "theirs" / "target")))
