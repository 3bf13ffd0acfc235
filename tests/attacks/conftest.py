"""Runs to attack, commands in a child whose memory is limited, and the counts of attacks at the end."""

import collections
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


class Tally:
    """Counts the attacks of one test by class.

    Args:
        node: The test.
    """

    def __init__(self, node):
        self.told = {"held": {}, "begun": None, "seeds": ""}
        node.user_properties.append(("attacks", self.told))

    def begin(self, kind):
        """Begin an attack; the one before it has held."""
        self.end()
        self.told["begun"] = kind

    def end(self):
        """Count the last attack, which has held."""
        if self.told["begun"] is not None:
            held, kind = self.told["held"], self.told["begun"]
            held[kind] = held.get(kind, 0) + 1
            self.told["begun"] = None

    def seeds(self, text):
        """Tell from which seeds the attacks were drawn."""
        self.told["seeds"] = text


@pytest.fixture
def tally(request):
    """Count the attacks of a test that tries many."""
    return Tally(request.node)


def pytest_terminal_summary(terminalreporter):
    """Print how many attacks of each class were tried and held, and their seeds."""
    tried, held, seeds = collections.Counter(), collections.Counter(), {}
    for report in (each for name in ("passed", "failed") for each in terminalreporter.stats.get(name, ())):
        if getattr(report, "when", "") != "call" or not report.nodeid.startswith("tests/attacks/"):
            continue
        suite = Path(report.nodeid.partition("::")[0]).stem.removeprefix("test_").replace("_", " ")
        told = dict(report.user_properties).get("attacks")
        if told is None:
            tried[suite] += 1
            held[suite] += report.passed
            continue
        seeds |= {f"{suite}: {kind}": told["seeds"] for kind in told["held"]}
        for kind, count in told["held"].items():
            tried[f"{suite}: {kind}"] += count
            held[f"{suite}: {kind}"] += count
        if told["begun"] is not None:
            tried[f"{suite}: {told['begun']}"] += 1
    if tried:
        terminalreporter.section("attacks")
    for kind in sorted(tried):
        drawn = f", {seeds[kind]}" if seeds.get(kind) else ""
        terminalreporter.line(f"{kind}: {tried[kind]:,} tried, {held[kind]:,} held{drawn}")


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
